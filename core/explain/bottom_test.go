package explain_test

import (
	"strings"
	"testing"

	"llmsize/core/explain"
	"llmsize/core/figure"
)

// ends are the figures at which taking apart may end, and why.
var ends = []struct{ why, patterns string }{
	{"facts of a device, or of how it is used", "running.device.* running.layout.* running.accelerators running.fewest_devices.*"},
	{"found by trying what fits", "running.largest_*"},
	{"estimates, with a source of their own", "memory.total.terms.* running.stages.*"},
	{"how many layers are of a kind, and what such a layer sees", "*.layers memory.kv_cache.terms.*.tokens"},
	{"a format's size of an element", "memory.training.terms.*.bytes_each"},
	{"what the kernels of a layer keep, which core/train counts call by call", "memory.training.saved.*.layer_bytes"},
	{"a picture's passes, whose tokens differ from part to part", "compute.image.*"},
	{"what ranks exchange, and what each of them reads", "running.time.*.all_reduce_bytes running.time.*.cache_bytes"},
	{"a mixture of experts reads by chance", "running.time.experts_read running.time.critical_batch running.time.*.weight_bytes"},
	{"latents that are expanded", "running.time.decode_expanded.*"},
}

// TestToTheBottom: whoever opens a number that the page shows, and goes on opening, comes to products of sizes that a
// config has: no number is left that several keys decide and nothing takes apart, but those that are named here.
func TestToTheBottom(t *testing.T) {
	t.Parallel()
	w := load(t)
	seen := map[string]string{}
	for _, link := range []string{"v=1", "v=1&model=deepseek-v3&device=hgx-h200-8&weights=fp8", "v=1&model=gemma-3-27b", "v=1&model=mixtral-8x7b&batch=4", "v=1&model=gpt2"} {
		r, known := w.ask(t, link), explain.Known{}
		for _, list := range [][]figure.Figure{figure.Live, figure.Others} {
			for i := range list {
				f := &list[i]
				if f.At == "" || f.Unit == figure.Words {
					continue
				}
				n, fail := known.Within(r, w.host, f.ID, 2)
				if fail != nil {
					continue
				}
				var walk func(n *explain.Node)
				walk = func(n *explain.Node) {
					if len(n.Terms) == 0 && n.Formula == "" && len(n.Keys) > 1 {
						seen[n.ID] = link
					}
					for _, x := range n.Terms {
						walk(x)
					}
				}
				walk(n)
			}
		}
	}
	used := map[string]bool{}
	for id, link := range seen {
		known := false
		for _, e := range ends {
			for _, p := range strings.Fields(e.patterns) {
				if figure.Fits(p, id) {
					known, used[p] = true, true
				}
			}
		}
		if known {
			continue
		}
		t.Errorf("%s ends at %s", link, id)
	}
	for _, e := range ends {
		for _, p := range strings.Fields(e.patterns) {
			if !used[p] {
				t.Errorf("nothing ends at %s any more: take it from the list", p)
			}
		}
	}
}
