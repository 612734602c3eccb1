package compute

import (
	"testing"

	"llmsize/core/arch"
)

// TestSparse holds the closed forms of sparse and compressed attention against sums
// written out, query by query.
func TestSparse(t *testing.T) {
	for _, c := range []struct{ compress, picks, window, past, tokens int64 }{
		{4, 3, 16, 0, 1}, {4, 3, 16, 0, 3}, {4, 3, 16, 0, 4}, {4, 3, 16, 0, 15}, {4, 3, 16, 0, 16}, {4, 3, 16, 7, 100},
		{4, 0, 16, 5, 90}, {128, 0, 8, 100, 300}, {0, 6, 0, 0, 40}, {0, 6, 0, 3, 2}, {0, 6, 4, 0, 40}, {0, 0, 0, 9, 9},
	} {
		p := arch.Part{}
		for _, x := range []arch.Prop{{Name: "compress", Value: c.compress}, {Name: "picks", Value: c.picks}, {Name: "window", Value: c.window}} {
			if x.Value > 0 {
				p.Props = append(p.Props, x)
			}
		}
		q := Pass{Tokens: c.tokens, Past: c.past, Batch: 1}
		var wantPairs, wantEntries, wantSeen float64
		for i := c.past + 1; i <= c.past+c.tokens; i++ {
			near, far, scored := i, int64(0), i
			if c.window > 0 {
				near = min(near, c.window)
			}
			if c.compress > 0 {
				far = i / c.compress
				scored = far
				if c.picks > 0 {
					far = min(far, c.picks)
				}
			} else if c.picks > 0 {
				near = min(near, c.picks)
			}
			wantPairs += float64(near)
			wantEntries += float64(far)
			wantSeen += float64(scored)
		}
		if got := pairs(&p, q); got != wantPairs {
			t.Errorf("%+v: %.0f pairs, want %.0f", c, got, wantPairs)
		}
		if got := entries(&p, q, c.picks); got != wantEntries {
			t.Errorf("%+v: %.0f entries, want %.0f", c, got, wantEntries)
		}
		if got := seen(&p, q); got != wantSeen {
			t.Errorf("%+v: %.0f scored, want %.0f", c, got, wantSeen)
		}
	}
}
