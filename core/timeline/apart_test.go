package timeline_test

import (
	"reflect"
	"testing"

	"llmsize/content/asked"
	"llmsize/core/timeline"
	"llmsize/core/work"
)

// TestSearchesHaveStepsOfTheirOwn: what fits, what would make it fit and how it may be divided are what they are without a budget, also where
// one step of a model takes much; and they leave to others the steps that the answer left.
func TestSearchesHaveStepsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for link, several := range map[string]bool{"model=llama-3.1-8b&devices=8&dp=8&zero=3": true, "model=qwen3-next-80b-a3b&devices=8&dp=8&zero=3": true, "model=qwen3.5-27b": false} {
		r := asked.Answer(t, link+"&device=b300-sxm-270gb")
		room := r.Subject.Device.Memory
		ask := func() (x timeline.Inverse, ok bool, changes []timeline.Change) {
			x, ok = timeline.Solve(r, room)
			return x, ok, timeline.Changes(r, room/64)
		}
		x, ok, changes := ask()
		layouts, _ := timeline.Layouts(r)
		if used := r.Model.Work.Used(); used > work.Standard/10 {
			t.Errorf("%s: %d steps are used", link, used)
		}
		r.Model.Work = nil
		free, _, all := ask()
		if !ok || x != free || len(changes) == 0 || !reflect.DeepEqual(changes, all) || several && len(layouts.List) == 0 {
			t.Errorf("%s: %v %+v, without a budget %+v; %d changes, %d; %d layouts", link, ok, x, free, len(changes), len(all), len(layouts.List))
		}
	}
}
