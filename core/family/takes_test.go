package family

import (
	"testing"

	"llmsize/core/config"
)

// TestFitting: what letters stand for, as huggingface_hub 2.4.0 checks fields: true isn't a number, 1 is not 1.0, null only where it is said.
func TestFitting(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ letters, fits, not string }{
		{"i", `[1, -1, 0]`, `[1.0, 1e3, true, null, "1", [1], {}]`},
		{"f", `[1.0, 1e-05, -0.5, Infinity, {"__float__": "Infinity"}]`, `[1, 0, null, "1.0", true]`},
		{"fin", `[1, 1.0, null]`, `[true, "1", []]`},
		{"pfin", `[0, 1, 0.5, 1.0, null]`, `[-0.1, 1.5, 2, -1, true, "0.5"]`},
		{"b", `[true, false]`, `[0, 1, null, "true"]`},
		{"dn", `[{}, {"a": 1}, null]`, `[[], "x", 1]`},
		{"[i]in", `[[], [1, 2], 3, null]`, `[[1.0], [null], "x", [[1]]]`},
		{"[[i]]", `[[[1], []]]`, `[[1], [["x"]]]`},
		{"[]n", `[["x", null], null]`, `[1, {}]`},
		{"n'cls'mean", `["cls", "mean", null]`, `["max", "", 1]`},
	} {
		for text, want := range map[string]bool{c.fits: true, c.not: false} {
			v, err := config.ParseObject(`{"v": ` + text + `}`)
			if err != nil {
				t.Fatal(err)
			}
			for i := range v.Get("v").Items {
				if x := &v.Get("v").Items[i]; fitting(c.letters, fromConfig(x)) != want {
					t.Errorf("%s takes %s (%s): %v", c.letters, x.JSON(), inWords(c.letters), !want)
				}
			}
		}
	}
}
