package report

import (
	"math/bits"

	"llmsize/core/jsonout"
)

// twelve works out the rule 12·L·h² for the model: four h×h matrices of
// attention and two h×4h of the feed-forward in each of L layers (Kaplan et al.
// 2020, arXiv 2001.08361, section 2.1). ok is false when the model has no single
// L and h, or the product passes int64.
func (r *Report) twelve() (rule jsonout.Value, ok bool) {
	h, ok1 := r.Model.Value("hidden_size")
	l, ok2 := r.Model.Value("num_hidden_layers")
	if !ok1 || !ok2 || h <= 0 || l <= 0 {
		return rule, false
	}
	hi, sq := bits.Mul64(uint64(h), uint64(h))
	hi2, total := bits.Mul64(sq, 12*uint64(l))
	if hi != 0 || hi2 != 0 || sq > 1<<58 || total > 1<<62 {
		return rule, false
	}
	s := int64(sq)
	return object("h2", number(s), "attention", number(4*s), "ffn", number(8*s), "per_layer", number(12*s), "total", number(int64(total)),
		"missing", number(int64(r.Parameters.Total)-int64(total))), true
}
