package content_test

import (
	"os"
	"path/filepath"
	"testing"

	"llmsize/build/text"
	"llmsize/content"
	"llmsize/content/catalogue"
)

// TestFormulasThreeWays holds every formula of the texts to symbols, words and a worked line.
func TestFormulasThreeWays(t *testing.T) {
	known, err := catalogue.Load(content.FS())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range known.Models {
		names = append(names, m.Name)
	}
	finder := text.NewRules(names)
	counts := map[text.FormulaKind]int{}
	for _, pattern := range []string{"*.md", "chapters/*.md", "pages/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range finder.Find(string(source)) {
				counts[f.Kind]++
				if len(f.Faults) > 0 {
					t.Errorf("%s: %v", file, f)
				}
			}
		}
	}
	t.Logf("%d rules, %d steps, %d worked lines", counts[text.Rule], counts[text.Step], counts[text.Worked])
}
