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

// storedRule counts what the model's published files hold, where that is known: parameters.repository.
func storedRule(r *report.Report, _ Quantity) (int64, []Term, bool) {
	x := r.Parameters.Repository
	if x == nil || x.Total == r.Parameters.Total {
		return 0, nil, false
	}
	amounts := [numCauses]int64{Buffers: -int64(r.Parameters.Buffers - x.Missing)}
	for _, t := range x.Terms {
		cause := Other
		switch t.Reason {
		case "prediction":
			cause = PredictionLayers
		case "tied":
			cause = HeadAgain
		case "buffer":
			cause = Buffers
		case "scale":
			cause = StoredScales
		}
		amounts[cause] -= int64(t.Parameters)
	}
	var terms []Term
	for cause, n := range amounts {
		if n != 0 {
			terms = append(terms, Term{Cause(cause), n})
		}
	}
	return int64(x.Total), terms, true
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
