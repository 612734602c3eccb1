package timeline_test

import (
	"os"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
)

// TestSuggestionsApply: what is suggested for a run that does not fit, asked as a link of its own, peaks as it was said to and
// fits where it was said to; none of several changes can be left out. A small device, a model far too large for it, one rank and
// a thousand, adapters beside experts, states with the host, latent attention, a pipeline, rollouts.
func TestSuggestionsApply(t *testing.T) {
	t.Parallel()
	list, err := catalogue.Load(os.DirFS("../../content"))
	if err != nil {
		t.Fatal(err)
	}
	lib, asked, fitted := families.Library(), 0, 0
	ask := func(slug, link string, cfg config.Value) *report.Report {
		q, w, fail := query.Parse(link)
		if fail != nil || len(w) > 0 {
			t.Fatal(slug, link, fail, w)
		}
		r, fail := report.Answer(q, report.Subject{Config: cfg}, lib)
		if fail != nil {
			t.Fatal(slug, link, fail)
		}
		return r
	}
	links := []struct {
		link string
		room int64
		must map[string]bool // models for which something fits
	}{
		{"v=1", 24 << 30, map[string]bool{"llama-3.1-8b": true, "deepseek-v2-lite": true, "gpt-oss-20b": true}},
		{"v=1&seq=64", 8 << 30, map[string]bool{"llama-3.1-8b": true}},
		{"v=1&dp=1024&zero=3", 80 << 30, map[string]bool{"llama-3.1-405b": true, "deepseek-v2-lite": true}},
		{"v=1&lora-rank=16", 24 << 30, map[string]bool{"llama-3.1-8b": true, "deepseek-v2-lite": true, "gpt-oss-20b": true}},
		{"v=1&offload=optimizer", 16 << 30, map[string]bool{"llama-3.1-8b": true}},
		{"v=1&tp=4&pp=4", 80 << 30, map[string]bool{"llama-3.1-405b": true}},
		{"v=1&method=grpo&rollouts=8", 80 << 30, map[string]bool{"mixtral-8x7b": true}},
	}
	for i := range list.Models {
		m := &list.Models[i]
		switch m.Slug {
		case "llama-3.1-8b", "llama-3.1-405b", "deepseek-v2-lite", "deepseek-v3", "gpt-oss-20b", "mixtral-8x7b", "gemma-3-1b", "t5-v1.1-base":
		default:
			continue
		}
		cfg, fail := config.ParseObject(string(m.Config))
		if fail != nil {
			t.Fatal(m.Slug, fail)
		}
		for _, l := range links {
			r, any := ask(m.Slug, l.link, cfg), false
			for _, c := range timeline.Changes(r, l.room) {
				again := ask(m.Slug, c.Query.String(), cfg)
				x, fail := timeline.Training(again, false)
				if fail != nil {
					t.Errorf("%s, %s: %s: %v", m.Slug, l.link, c.Set(), fail)
					continue
				}
				_, peak := x.Fullest()
				if _, likely, _ := timeline.Device(again, x); peak != c.Peak || likely <= l.room != c.Fits {
					t.Errorf("%s, %s: %s peaks at %d, said %d; likely %d, said to fit %v", m.Slug, l.link, c.Set(), peak, c.Peak, likely, c.Fits)
				}
				any = any || c.Fits
				asked++
				for j := range c.Keys {
					if len(c.Keys) == 1 {
						break
					}
					q := r.Query
					for n, k := range c.Keys {
						if n == j {
							continue
						}
						if fail := q.Put(k.Param, k.Value); fail != nil {
							t.Fatal(fail)
						}
					}
					less := ask(m.Slug, q.String(), cfg)
					if x, fail := timeline.Training(less, false); fail == nil {
						if _, likely, _ := timeline.Device(less, x); likely <= l.room {
							t.Errorf("%s, %s: %s fits without its change %d", m.Slug, l.link, c.Set(), j)
						}
					}
				}
			}
			if any {
				fitted++
			} else if l.must[m.Slug] {
				t.Errorf("%s, %s: nothing fits", m.Slug, l.link)
			}
		}
	}
	if t.Logf("%d suggestions, %d runs that one makes fit", asked, fitted); asked < 200 || fitted < 25 {
		t.Errorf("%d suggestions, %d runs that one makes fit", asked, fitted)
	}
}
