package content_test

import (
	"regexp"
	"testing"

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
	known, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	library := families.Library()
	links := 0
	for _, w := range texts(t, "*.md", "chapters/*.md") {
		for _, m := range question.FindAllStringSubmatch(w.source, -1) {
			links++
			link := m[1]
			q, issues, fault := query.Parse(link)
			if fault != nil || len(issues) > 0 {
				t.Errorf("%s: %s: %v %v", w.file, link, fault, issues)
				continue
			}
			if canonical := "?" + q.String(); canonical != link {
				t.Errorf("%s: %s is written %s", w.file, link, canonical)
			}
			model, ok := known.Find(q.Get(query.Model))
			if !ok {
				t.Errorf("%s: %s: the model is not in the catalogue", w.file, link)
				continue
			}
			subject, err := model.Subject()
			if err != nil {
				t.Fatal(err)
			}
			if _, fault := report.Answer(q, subject, library); fault != nil {
				t.Errorf("%s: %s: %v", w.file, link, fault)
			}
		}
	}
	if links == 0 {
		t.Error("no text links to the calculator")
	}
}
