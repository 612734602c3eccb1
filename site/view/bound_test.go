package view

import (
	"maps"
	"os"
	"slices"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/formula"
)

// TestBoundSides: where a side of a tensor is written with this model's values, the values come to its size, for every sixth
// config of the oracle; and two sides of three are.
func TestBoundSides(t *testing.T) {
	lib := families.Library()
	bound, all := 0, 0
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder", "vlm", "other"} {
		files, err := oracle.LoadDir(os.DirFS("../../core/family/testdata"), folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			for i, c := range files[name].Cases {
				cfg, fail := config.ParseObject(string(c.Config))
				if i%6 != 0 || fail != nil {
					continue
				}
				m, fail := family.Describe(cfg, lib)
				if fail != nil {
					continue
				}
				sp := speaker{m}
				for _, r := range m.Runs() {
					for _, d := range r.Tensor.Dims {
						if all++; !sp.bound(d) {
							continue
						}
						bound++
						e, _ := formula.Parse(d.Expr)
						if got := e.Number(func(name string) float64 {
							n, _ := sp.size(d.Path, name)
							return float64(n)
						}); got != float64(d.Size) {
							t.Errorf("%s case %d, %s: %s comes to %v, not %d", name, i, r.Tensor.Name, d.Expr, got, d.Size)
						}
					}
				}
			}
		}
	}
	if t.Logf("%d of %d sides are bound", bound, all); bound < all*2/3 {
		t.Errorf("only %d of %d sides are bound", bound, all)
	}
}
