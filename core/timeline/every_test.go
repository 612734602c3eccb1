package timeline_test

import (
	"os"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
)

// TestEveryTypeAnswers: a step of each type's first and last configuration is followed, or refused; nothing stops the program.
func TestEveryTypeAnswers(t *testing.T) {
	t.Parallel()
	q, _, fail := query.Parse("v=1&batch=2&seq=128")
	if fail != nil {
		t.Fatal(fail)
	}
	lib, asked := families.Library(), 0
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder", "vlm", "other"} {
		list, err := oracle.LoadDir(os.DirFS("../family/testdata"), folder)
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range list {
			for i, c := range f.Cases {
				cfg, err := config.ParseObject(string(c.Config))
				if err != nil {
					t.Fatal(err)
				}
				r, err := report.Answer(q, report.Subject{Config: cfg}, lib)
				if err != nil {
					continue
				}
				func() {
					defer func() {
						if x := recover(); x != nil {
							t.Errorf("%s, %s (%d): %v", name, c.Name, i, x)
						}
					}()
					timeline.Add(r)
					timeline.AddInverse(r)
					asked++
				}()
			}
		}
	}
	if asked < 1000 {
		t.Errorf("%d steps were asked for", asked)
	}
}
