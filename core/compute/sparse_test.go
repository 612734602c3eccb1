package compute

import (
	"testing"

	"llmsize/core/model"
)

// TestSparse holds the closed forms of sparse and compressed attention against sums
// written out, query by query.
func TestSparse(t *testing.T) {
	for _, c := range []struct{ compress, picks, window, past, tokens int64 }{
		{4, 3, 16, 0, 1}, {4, 3, 16, 0, 3}, {4, 3, 16, 0, 4}, {4, 3, 16, 0, 15}, {4, 3, 16, 0, 16}, {4, 3, 16, 7, 100},
		{4, 0, 16, 5, 90}, {128, 0, 8, 100, 300}, {0, 6, 0, 0, 40}, {0, 6, 0, 3, 2}, {0, 6, 4, 0, 40}, {0, 0, 0, 9, 9},
	} {
		p := model.Part{}
		for _, x := range []model.Prop{{Name: model.Compress, Value: c.compress}, {Name: model.Picks, Value: c.picks}, {Name: model.Window, Value: c.window}} {
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

// TestPairs counts pairs one by one for every kind of layer, from the start of a text and in
// the middle of it.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		name  string
		props []model.Prop
		sees  func(q, k int64) bool // whether token q, from 1, sees token k
	}{
		{"causal", nil, func(q, k int64) bool { return k <= q }},
		{"window", []model.Prop{{Name: model.Window, Value: 5}}, func(q, k int64) bool { return k <= q && k > q-5 }},
		{"chunk", []model.Prop{{Name: model.Chunk, Value: 6}}, func(q, k int64) bool { return k <= q && (k-1)/6 == (q-1)/6 }},
		{"both ways", []model.Prop{{Name: model.Whole, Value: 1}}, func(_, _ int64) bool { return true }},
	} {
		p := model.Part{Props: c.props}
		for _, past := range []int64{0, 3, 6, 11} {
			for _, n := range []int64{1, 4, 5, 6, 7, 20} {
				want := 0.0
				for q := past + 1; q <= past+n; q++ {
					for k := int64(1); k <= past+n; k++ {
						if c.sees(q, k) {
							want++
						}
					}
				}
				if got := pairs(&p, Pass{Tokens: n, Past: past, Batch: 1}); got != want {
					t.Errorf("%s, %d tokens after %d: %.0f pairs, want %.0f", c.name, n, past, got, want)
				}
				if got := pairs(&p, Pass{Tokens: n, Past: past, Batch: 1, Scores: Full}); got != float64(n*(past+n)) {
					t.Errorf("%s, all pairs of %d tokens after %d: %.0f", c.name, n, past, got)
				}
			}
		}
	}
	// A decoder's tokens see all of the encoder's, whose own see each other.
	q := Pass{Tokens: 7, Past: 2, Encoder: 11, EncoderPass: true, Batch: 1}
	if got := pairs(&model.Part{Props: []model.Prop{{Name: model.Cross, Value: 1}}}, q); got != 7*11 {
		t.Errorf("cross attention: %.0f pairs", got)
	}
	if got := pairs(&model.Part{Stream: "encoder"}, q); got != 11*11 {
		t.Errorf("an encoder's own: %.0f pairs", got)
	}
}
