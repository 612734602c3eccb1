package report_test

import (
	"maps"
	"slices"
	"testing"

	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

// TestAgain: a question about a report's subject that takes the model as it is gets the answer that it gets alone, and
// leaves the first answer as it was.
func TestAgain(t *testing.T) {
	t.Parallel()
	lib := families.Library()
	first, _, _ := query.Parse("v=1")
	all := known(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i%37 != 0 {
			continue
		}
		cfg, fail := config.ParseObject(all[name])
		if fail != nil {
			continue
		}
		r, fail := report.Answer(first, report.Subject{Config: cfg}, lib)
		if fail != nil {
			continue
		}
		before := r.JSON()
		for _, link := range []string{"v=1&context=4000&batch=3", "v=1&weights=q8_0&kv=fp8", "v=1&devices=8&tp=2&optimizer=muon", "v=1&set.num_hidden_layers=2", "v=1&seconds=7&image=640x480"} {
			q, _, _ := query.Parse(link)
			alone, fail := report.Answer(q, report.Subject{Config: cfg}, lib)
			again, failed := r.Again(q, nil)
			switch {
			case (fail == nil) != (failed == nil):
				t.Errorf("%s, %s: alone %v, again %v", name, link, fail, failed)
			case fail == nil && alone.JSON() != again.JSON():
				t.Errorf("%s, %s: it is answered differently after another question", name, link)
			}
		}
		if r.JSON() != before {
			t.Errorf("%s: asking again changes the first answer", name)
		}
	}
}
