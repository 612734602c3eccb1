package timeline_test

import (
	"strings"
	"testing"

	"llmsize/content/asked"
	"llmsize/content/catalogue"
	"llmsize/core/timeline"
)

// TestRanksHoldLess: of two ways to run a step, the one that divides more of it, or keeps less, peaks no higher, but for a
// fiftieth: two branches that read one norm gather it twice (Phi). Learned positions once made the stream of tensor
// parallelism whole again, and each rank held the more the more there were.
func TestRanksHoldLess(t *testing.T) {
	t.Parallel()
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	for _, ways := range []string{
		"tp=8&devices=8 tp=2&devices=2 devices=1",
		"tp=2&devices=2 tp=2&devices=2&sp=off",
		"recompute=full recompute=selective recompute=none",
	} {
		compared := 0
		for i := range models.Models {
			slug, last, before := models.Models[i].Slug, int64(0), ""
			for link := range strings.FieldsSeq(ways) {
				r := asked.Answer(t, "model="+slug+"&"+link)
				if r.Training.Fault != nil {
					continue
				}
				x, fail := timeline.Training(r, false)
				if fail != nil {
					continue
				}
				if before != "" {
					compared++
					if x.Peak < last-last/50 {
						t.Errorf("%s: %s peaks at %d, %s at %d", slug, before, last, link, x.Peak)
					}
				}
				last, before = x.Peak, link
			}
		}
		if compared < 100 {
			t.Errorf("%s: %d compared", ways, compared)
		}
	}
}
