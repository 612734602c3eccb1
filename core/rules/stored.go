package rules

import (
	"llmsize/core/model"
	"llmsize/core/report"
)

// packedRule takes the stored numbers of a 4-bit checkpoint for parameters. GPTQ
// and AWQ keep eight weights in a 32-bit word and, for every 128 of them, a scale
// and an eighth of a word of zero points; embedding, head and norms stay as they
// are. Source: AutoAWQ, awq/modules/linear/gemm.py.
func packedRule(r *report.Report, _ Quantity) (int64, []Term, bool) {
	c := &checked{}
	packed := int64(0)
	r.Model.Each(func(b *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		if b.Index != "" && t.Op == model.MatMul && !t.Buffer && (t.Role == model.Attention || t.Role == model.FFN || t.Role == model.Expert) {
			packed = c.sum(packed, c.product(t.Elements, t.Copies, layers))
		}
	})
	words := packed/8 + packed/128 + packed/1024
	return int64(r.Parameters.Total) - packed + words, []Term{{Packing, packed - words}}, packed > 0 && !c.bad
}

// storedRule counts what DeepSeek-V3's files hold beyond the class: buffers, and
// for each prediction layer one more layer like the last, a projection of 2h·h,
// three norms, and embedding and head stored again. Source: DeepSeek-V3,
// README_WEIGHTS.md; arXiv 2412.19437, section 2.2.
func storedRule(r *report.Report, _ Quantity) (int64, []Term, bool) {
	c := &checked{}
	n, ok := r.Model.Value("num_nextn_predict_layers")
	h, ok1 := r.Model.Value("hidden_size")
	v, ok2 := r.Model.Value("vocab_size")
	if !ok || !ok1 || !ok2 || n <= 0 {
		return 0, nil, false
	}
	layer := int64(0)
	for bi := range r.Model.Blocks {
		b := &r.Model.Blocks[bi]
		if b.Index == "" || len(b.Pattern) == 0 {
			continue
		}
		layer = 0
		for _, p := range b.Kinds[b.Pattern[len(b.Pattern)-1]].Parts {
			for i := range p.Tensors {
				if p.Tensors[i].TiedTo == "" {
					layer = c.sum(layer, c.product(p.Tensors[i].Elements, p.Tensors[i].Copies))
				}
			}
		}
	}
	more := c.product(n, c.sum(layer, c.product(2, h, h), c.product(3, h), c.product(2, v, h)))
	buffers := int64(r.Parameters.Buffers)
	return c.sum(int64(r.Parameters.Total), buffers, more), []Term{{Buffers, -buffers}, {PredictionLayers, -more}}, layer > 0 && !c.bad
}

// activeRule counts active parameters by another convention.
type activeRule struct{ embedding, head bool }

// eval works the rule out; it says nothing where all parameters are active.
func (a *activeRule) eval(r *report.Report, _ Quantity) (int64, []Term, bool) {
	p := &r.Parameters
	value := int64(p.Active)
	var terms []Term
	if !a.embedding {
		n := int64(p.Active - p.ActiveWithoutEmbedding)
		value -= n
		terms = append(terms, Term{Embedding, n})
	}
	if !a.head {
		n := int64(p.ActiveWithoutEmbedding - p.ActiveWithoutEmbeddingAndHead)
		value -= n
		terms = append(terms, Term{Head, n})
	}
	return value, terms, p.Active != p.Total
}
