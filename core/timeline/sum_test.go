package timeline_test

import (
	"cmp"
	"math"
	"strings"
	"testing"

	"llmsize/content/asked"
	"llmsize/content/catalogue"
	"llmsize/core/query"
	"llmsize/core/step"
	"llmsize/core/timeline"
	"llmsize/core/train"
)

// TestSum: where a step keeps something else than the sum of its parts has, by a twentieth or more, the JSON calls the sum an
// estimate and says why; where both agree and nothing is known to differ it doesn't. All models of the catalogue are asked, and the JSON of some. Of a pipeline both
// are of the stage whose sum is the largest: a schedule that begins with all forward passes holds more of them than the sum has.
func TestSum(t *testing.T) {
	all, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	far, near, stages := 0, 0, 0
	for i := range all.Models {
		for _, run := range []string{"", "&zero=3&devices=64&dp=64", "&recompute=full", "&lora-rank=8", "&pp=4", "&pp=4&schedule=gpipe&global-batch=16"} {
			if strings.HasPrefix(run, "&pp") && i%8 > 0 {
				continue // of pipelines some will do
			}
			link := "model=" + all.Models[i].Slug + run
			r := asked.Answer(t, link)
			if r.Training.Memory == nil || r.Training.Fault != nil {
				continue
			}
			x, fail := timeline.TrainingOf(r, r.Training.Memory.Stage, false)
			if fail != nil {
				continue
			}
			reason := cmp.Or(timeline.SumUnsure(r, x), train.Unsure(r.Model, &r.Training.Question))
			if i%8 == 0 { // of what the JSON says, some will do
				timeline.Add(r)
				all := r.Numbers()
				if s, why := all.Value("memory.training.status").Text, all.Value("memory.training.reason").Text; why != reason || reason != "" && s != "estimate" {
					t.Errorf("%s: the JSON says %q, %q; the timeline %q", link, s, why, reason)
				}
			}
			sum, kept := float64(r.Training.Memory.Parts[train.Activations]), float64(x.Kept[step.Activations])
			if math.Abs(sum-kept) > kept/20 {
				far++
				stages += int(r.Query.Int(query.PP)) / 4
				if !strings.Contains(reason, "after its forward pass") {
					t.Errorf("%s: the sum has %.0f bytes of activations, the step keeps %.0f: %q", link, sum, kept, reason)
				}
				continue
			}
			near++
			if reason != train.Unsure(r.Model, &r.Training.Question) {
				t.Errorf("%s: the sum has %.0f bytes of activations, the step keeps %.0f: %q", link, sum, kept, reason)
			}
		}
	}
	if far < 40 || near < 200 || stages < 10 {
		t.Errorf("%d sums differ, %d of them along pipelines, %d do not", far, stages, near)
	}
}
