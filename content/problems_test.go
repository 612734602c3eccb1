package content_test

import (
	"regexp"
	"strings"
	"testing"
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
	for _, c := range chapters(t) {
		_, problems, ok := strings.Cut(c.source, "\n## Problems {#problems}\n")
		if !ok {
			t.Errorf("%s has no problems", c.file)
			continue
		}
		for kind, form := range problemKinds {
			if !form.MatchString(problems) {
				t.Errorf("%s lacks %s: %s", c.file, kind, form)
			}
		}
		for i, m := range problemNumber.FindAllStringSubmatch(problems, -1) {
			if want := string(rune('1' + i)); i < 9 && m[1] != want {
				t.Errorf("%s: problem %s where %s is due", c.file, m[1], want)
			}
		}
	}
}

var titledLink = regexp.MustCompile(`\[([^][]+)\]\(/([a-z0-9-]+)/[^)]*\)`)

// TestLinksGoWhereTheirWordsSay: a link whose words are a chapter's title leads to that chapter, also after sections have moved.
func TestLinksGoWhereTheirWordsSay(t *testing.T) {
	slugs := map[string]string{}
	for _, c := range chapters(t) {
		slugs[strings.ToLower(c.Title)] = c.slug
	}
	followed := 0
	for _, w := range texts(t, "*.md", "chapters/*.md", "pages/*.md") {
		for _, m := range titledLink.FindAllStringSubmatch(w.source, -1) {
			if slug, ok := slugs[strings.ToLower(m[1])]; ok {
				followed++
				if slug != m[2] {
					t.Errorf("%s: [%s] leads to /%s/, and that is the title of /%s/", w.file, m[1], m[2], slug)
				}
			}
		}
	}
	if followed < 20 {
		t.Errorf("only %d links have a chapter's title", followed)
	}
}
