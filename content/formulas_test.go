package content_test

import (
	"testing"

	"llmsize/build/text"
	"llmsize/content/catalogue"
)

// TestFormulasThreeWays holds every formula of the texts to symbols, words and a worked line.
func TestFormulasThreeWays(t *testing.T) {
	known, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range known.Models {
		names = append(names, m.Name)
	}
	finder := text.NewRules(names)
	counts := map[text.FormulaKind]int{}
	for _, w := range texts(t, "*.md", "chapters/*.md", "pages/*.md") {
		for _, f := range finder.Find(w.source) {
			counts[f.Kind]++
			if len(f.Faults) > 0 {
				t.Errorf("%s: %v", w.file, f)
			}
		}
	}
	t.Logf("%d rules, %d steps, %d worked lines", counts[text.Rule], counts[text.Step], counts[text.Worked])
}
