package report_test

import (
	"testing"

	"llmsize/core/config"
)

// TestNumbersAreTheTree: numbers are written section by section as they are asked for, each in a fresh set first, and then all in the
// tree's reverse order; they are what the whole tree has.
func TestNumbersAreTheTree(t *testing.T) {
	t.Parallel()
	for _, link := range []string{heavy[4], "model=gemma-2-9b&device=h100-sxm-80gb&draft=4", "model=clip-vit-large-patch14", "model=gpt2&days=30&served=1000000000&device=rtx-4090-24gb"} {
		r := on(t, link)
		type leaf struct {
			path string
			text string
		}
		var leaves []leaf
		var walk func(v config.Value, path string)
		walk = func(v config.Value, path string) {
			for i, k := range v.Keys {
				walk(v.Vals[i], path+"."+k)
			}
			if v.Kind == config.Number || v.Kind == config.String {
				leaves = append(leaves, leaf{path[1:], v.Text})
			}
		}
		walk(r.Tree().Read(), "")
		if len(leaves) < 20 {
			t.Errorf("%s: %d numbers", link, len(leaves))
		}
		for _, l := range leaves {
			if v, ok := r.Field(l.path); !ok || v.Text != l.text {
				t.Errorf("%s: %s alone is %q, in the tree %q", link, l.path, v.Text, l.text)
			}
		}
		n := r.Numbers()
		for i := len(leaves) - 1; i >= 0; i-- {
			n.Value(leaves[i].path)
		}
		for _, l := range leaves {
			if want := r.Numbers().Value(l.path); n.Value(l.path) != want {
				t.Errorf("%s: %s is %v when others were asked for before, else %v", link, l.path, n.Value(l.path), want)
			}
		}
	}
}
