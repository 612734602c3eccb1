package content_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"llmsize/content"
	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

// question is a link from a text to the calculator.
var question = regexp.MustCompile(`\]\(/(\?[^)]*)\)`)

// TestTextsLinkToAnswers opens every link to the calculator: the query is
// canonical, as the address bar shows it, and has an answer.
func TestTextsLinkToAnswers(t *testing.T) {
	known, err := catalogue.Load(content.FS())
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"*.md", "chapters/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	library := families.Library()
	links := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range question.FindAllSubmatch(source, -1) {
			links++
			link := string(m[1])
			q, issues, fault := query.Parse(link)
			if fault != nil || len(issues) > 0 {
				t.Errorf("%s: %s: %v %v", file, link, fault, issues)
				continue
			}
			if canonical := "?" + q.String(); canonical != link {
				t.Errorf("%s: %s is written %s", file, link, canonical)
			}
			model, ok := known.Find(q.Get(query.Model))
			if !ok {
				t.Errorf("%s: %s: the model is not in the catalogue", file, link)
				continue
			}
			subject, err := model.Subject()
			if err != nil {
				t.Fatal(err)
			}
			if _, fault := report.Answer(q, subject, library); fault != nil {
				t.Errorf("%s: %s: %v", file, link, fault)
			}
		}
	}
	if links == 0 {
		t.Error("no text links to the calculator")
	}
}
