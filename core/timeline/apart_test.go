package timeline_test

import (
	"os"
	"reflect"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
	"llmsize/core/work"
)

// TestSearchesHaveStepsOfTheirOwn: what fits, what would make it fit and how it may be divided are what they are without a budget, also where
// one step of a model takes much; and they leave to others the steps that the answer left.
func TestSearchesHaveStepsOfTheirOwn(t *testing.T) {
	t.Parallel()
	list, err := catalogue.Load(os.DirFS("../../content"))
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.LoadDevices(os.DirFS("../../content"))
	if err != nil {
		t.Fatal(err)
	}
	d, _ := devices.Find("b300-sxm-270gb")
	lib := families.Library()
	for slug, keys := range map[string]string{"llama-3.1-8b": "&devices=8&dp=8&zero=3", "qwen3-next-80b-a3b": "&devices=8&dp=8&zero=3", "qwen3.5-27b": ""} {
		model, ok := list.Find(slug)
		if !ok {
			t.Fatal(slug)
		}
		cfg, fail := config.ParseObject(string(model.Config))
		if fail != nil {
			t.Fatal(fail)
		}
		q, _, fail := query.Parse("model=" + slug + keys)
		if fail != nil {
			t.Fatal(fail)
		}
		r, fail := report.Answer(q, report.Subject{Config: cfg, Device: d.Spec()}, lib)
		if fail != nil {
			t.Fatal(slug, fail)
		}
		ask := func() (x timeline.Inverse, ok bool, changes []timeline.Change) {
			x, ok = timeline.Solve(r, d.Spec().Memory)
			return x, ok, timeline.Changes(r, d.Spec().Memory/64)
		}
		x, ok, changes := ask()
		layouts := timeline.Layouts(r)
		if used := r.Model.Work.Used(); used > work.Standard/10 {
			t.Errorf("%s: %d steps are used", slug, used)
		}
		r.Model.Work = nil
		free, _, all := ask()
		if !ok || x != free || len(changes) == 0 || !reflect.DeepEqual(changes, all) || keys != "" && len(layouts) == 0 {
			t.Errorf("%s: %v %+v, without a budget %+v; %d changes, %d; %d layouts", slug, ok, x, free, len(changes), len(all), len(layouts))
		}
	}
}
