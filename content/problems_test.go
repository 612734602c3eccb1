package content_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// kinds of problems, one of each in every chapter: how it is found in the text.
var problemKinds = map[string]*regexp.Regexp{
	"a number to guess first":     regexp.MustCompile(`(?m)^> \[!GUESS\] `),
	"something to derive":         regexp.MustCompile(`(?m)^\*\*\d+\. Derive\.\*\* `),
	"a choice":                    regexp.MustCompile(`(?m)^\*\*\d+\. Choose\.\*\* `),
	"a mistake to find":           regexp.MustCompile(`(?m)^\*\*\d+\. Find the mistake\.\*\* `),
	"a goal for the calculator":   regexp.MustCompile(`(?m)^\*\*\d+\. Reach the goal\.\*\* `),
	"a goal that the page judges": regexp.MustCompile(`(?m)^::: figure kind=goal id=[a-z0-9-]+ goal="[^"]+" met="[^"]+"$`),
	"an answer that stays folded": regexp.MustCompile(`(?m)^> \[!ANSWER\] `),
}

var problemNumber = regexp.MustCompile(`(?m)^\*\*(\d+)\.`)

// TestEachChapterHasEveryKindOfProblem, numbered from one.
func TestEachChapterHasEveryKindOfProblem(t *testing.T) {
	files, err := filepath.Glob("chapters/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, problems, ok := strings.Cut(string(source), "\n## Problems {#problems}\n")
		if !ok {
			t.Errorf("%s has no problems", file)
			continue
		}
		for kind, form := range problemKinds {
			if !form.MatchString(problems) {
				t.Errorf("%s lacks %s: %s", file, kind, form)
			}
		}
		for i, m := range problemNumber.FindAllStringSubmatch(problems, -1) {
			if want := string(rune('1' + i)); i < 9 && m[1] != want {
				t.Errorf("%s: problem %s where %s is due", file, m[1], want)
			}
		}
	}
}

var titledLink = regexp.MustCompile(`\[([^][]+)\]\(/([a-z0-9-]+)/[^)]*\)`)

// TestLinksGoWhereTheirWordsSay: a link whose words are a chapter's title leads to that chapter, also after sections have moved.
func TestLinksGoWhereTheirWordsSay(t *testing.T) {
	chapters, err := filepath.Glob("chapters/*.md")
	if err != nil || len(chapters) == 0 {
		t.Fatal(len(chapters), err)
	}
	slugs := map[string]string{}
	for _, file := range chapters {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var front struct{ Title string }
		_, rest, _ := strings.Cut(string(source), "+++\n")
		head, _, _ := strings.Cut(rest, "\n+++\n")
		if _, err := toml.Decode(head, &front); err != nil || front.Title == "" {
			t.Fatalf("%s: title %q, %v", file, front.Title, err)
		}
		slugs[strings.ToLower(front.Title)] = strings.TrimSuffix(filepath.Base(file), ".md")
	}
	pages, err := filepath.Glob("pages/*.md")
	if err != nil {
		t.Fatal(err)
	}
	followed := 0
	for _, file := range append(append(chapters, pages...), "home.md", "models.md") {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range titledLink.FindAllStringSubmatch(string(source), -1) {
			if slug, ok := slugs[strings.ToLower(m[1])]; ok {
				followed++
				if slug != m[2] {
					t.Errorf("%s: [%s] leads to /%s/, and that is the title of /%s/", file, m[1], m[2], slug)
				}
			}
		}
	}
	if followed < 20 {
		t.Errorf("only %d links have a chapter's title", followed)
	}
}
