package pages

import (
	"strings"
	"testing"
)

func TestRedirects(t *testing.T) {
	for _, c := range []struct {
		name  string
		pages []*Page
		want  string
	}{
		{"none", []*Page{{Path: "/a/"}}, ""},
		{"two addresses", []*Page{{Path: "/a/", Was: []string{"/b/", "/c/"}}, {Path: "/d/"}}, "/b/ /a/ 301\n/c/ /a/ 301\n"},
		{"a page's own", []*Page{{Path: "/a/", Was: []string{"/d/"}, Source: "a.md"}, {Path: "/d/"}}, "a.md: was /d/, which is the address of /d/"},
		{"claimed twice", []*Page{{Path: "/a/", Was: []string{"/b/"}}, {Path: "/d/", Was: []string{"/b/"}, Source: "d.md"}}, "d.md: was /b/, which is the address of /a/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := Redirects(c.pages)
			got := string(text)
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if strings.Contains(got, "//") {
				t.Errorf("an address of another host: %q", got)
			}
		})
	}
}
