package pages

import (
	"fmt"
	"strings"
)

// Redirects is the file _redirects in Netlify's form: every address that a page once had leads to the
// one it has, for good. An address that is a page's own, or that two pages claim, is an error.
func Redirects(pages []*Page) ([]byte, error) {
	owner := map[string]string{}
	for _, p := range pages {
		owner[p.Path] = p.Path
	}
	var b strings.Builder
	for _, p := range pages {
		for _, from := range p.Was {
			if other, taken := owner[from]; taken {
				return nil, fmt.Errorf("%s: was %s, which is the address of %s", p.Source, from, other)
			}
			owner[from] = p.Path
			fmt.Fprintf(&b, "%s %s 301\n", from, p.Path)
		}
	}
	return []byte(b.String()), nil
}
