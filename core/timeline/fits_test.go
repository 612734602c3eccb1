package timeline_test

import (
	"strings"
	"testing"

	"llmsize/content/asked"
	"llmsize/core/timeline"
)

// TestSuggestionsApply: what is suggested for a run that does not fit, asked as a link of its own, peaks as it was said to and
// fits where it was said to; none of several changes can be left out. A small device, a model far too large for it, one rank and
// a thousand, adapters beside experts, states with the host, latent attention, a pipeline, rollouts.
func TestSuggestionsApply(t *testing.T) {
	t.Parallel()
	count, fitted := 0, 0
	links := []struct {
		link string
		room int64
		must map[string]bool // models for which something fits
	}{
		{"", 24 << 30, map[string]bool{"llama-3.1-8b": true, "deepseek-v2-lite": true, "gpt-oss-20b": true}},
		{"&seq=64", 8 << 30, map[string]bool{"llama-3.1-8b": true}},
		{"&dp=1024&zero=3", 80 << 30, map[string]bool{"llama-3.1-405b": true, "deepseek-v2-lite": true}},
		{"&lora-rank=16", 24 << 30, map[string]bool{"llama-3.1-8b": true, "deepseek-v2-lite": true, "gpt-oss-20b": true}},
		{"&offload=optimizer", 16 << 30, map[string]bool{"llama-3.1-8b": true}},
		{"&tp=4&pp=4", 80 << 30, map[string]bool{"llama-3.1-405b": true}},
		{"&method=grpo&rollouts=8", 80 << 30, map[string]bool{"mixtral-8x7b": true}},
	}
	for _, slug := range []string{"llama-3.1-8b", "llama-3.1-405b", "deepseek-v2-lite", "deepseek-v3", "gpt-oss-20b", "mixtral-8x7b", "gemma-3-1b", "t5-v1.1-base"} {
		for _, l := range links {
			r, any := asked.Answer(t, "model="+slug+l.link), false
			for _, c := range timeline.Changes(r, l.room) {
				again := asked.Answer(t, c.Query.String())
				x, fail := timeline.Training(again, false)
				if fail != nil {
					t.Errorf("%s, %s: %s: %v", slug, l.link, c.Set(), fail)
					continue
				}
				_, peak := x.Fullest()
				if _, likely, _ := timeline.Device(again, x); peak != c.Peak || likely <= l.room != c.Fits {
					t.Errorf("%s, %s: %s peaks at %d, said %d; likely %d, said to fit %v", slug, l.link, c.Set(), peak, c.Peak, likely, c.Fits)
				}
				any = any || c.Fits
				count++
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
					less := asked.Answer(t, q.String())
					if x, fail := timeline.Training(less, false); fail == nil {
						if _, likely, _ := timeline.Device(less, x); likely <= l.room {
							t.Errorf("%s, %s: %s fits without its change %d", slug, l.link, c.Set(), j)
						}
					}
				}
			}
			if any {
				fitted++
			} else if l.must[slug] {
				t.Errorf("%s, %s: nothing fits", slug, l.link)
			}
		}
	}
	if t.Logf("%d suggestions, %d runs that one makes fit", count, fitted); count < 200 || fitted < 25 {
		t.Errorf("%d suggestions, %d runs that one makes fit", count, fitted)
	}
}

// TestBothWaysOut: where no change alone makes a run fit, one list of them trains the whole model and another adapters: an 8B has 20 bytes a
// parameter at its peak, and two of them, with adapters, are 16 of 24 GB.
func TestBothWaysOut(t *testing.T) {
	whole, adapters := 0, 0
	for _, c := range timeline.Changes(asked.Answer(t, "model=llama-3.1-8b"), 24<<30) {
		switch {
		case c.Fits && strings.Contains(c.Set(), "lora-rank"):
			adapters++
		case c.Fits:
			whole++
		}
	}
	if whole != 1 || adapters != 1 {
		t.Errorf("%d train the whole model, %d adapters", whole, adapters)
	}
}
