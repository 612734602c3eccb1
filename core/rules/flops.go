package rules

import (
	"llmsize/core/compute"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
)

// flopsRule is factor · N for every token, with N the parameters of the groups
// that it counts.
type flopsRule struct {
	factor    int64 // 6 to train, 2 to decode
	embedding bool  // N counts lookup tables
	head      bool  // N counts the head
	resting   bool  // N counts all experts, not only those that work
	scores    bool  // 12·L·a·d·s is added for each token (PaLM's appendix B)
	again     int64 // forward passes that it adds for recomputation
	sparse    bool  // it only speaks of models with experts
}

// weights is a model's stored parameters by what a token does with them.
type weights struct {
	checked
	lookup, elementwise, head, resting, working, tied int64
}

// weigh sorts them. working are the multiplied ones that are neither head nor
// resting experts.
func weigh(m *model.Model) *weights {
	w := &weights{}
	m.EachUsed(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		n := w.product(t.Elements, t.Copies, layers)
		rest := int64(0)
		if t.Active < t.ActiveOf {
			rest = n - n/t.ActiveOf*t.Active
		}
		matrix := t.Op == model.MatMul || t.Op == model.Conv
		switch {
		case t.Buffer:
		case t.TiedTo != "":
			if matrix {
				w.tied = w.sum(w.tied, n)
			}
		case t.Op == model.Lookup:
			w.lookup = w.sum(w.lookup, n)
		case !matrix:
			w.elementwise = w.sum(w.elementwise, n-rest)
			w.resting = w.sum(w.resting, rest)
		case t.Role == model.Head:
			w.head = w.sum(w.head, n)
		default:
			w.working = w.sum(w.working, n-rest)
			w.resting = w.sum(w.resting, rest)
		}
	})
	return w
}

// eval works the rule out over the tokens of one training sequence, or over one
// new token for each sequence.
func (f *flopsRule) eval(r *report.Report, of Quantity) (int64, []Term, bool) {
	pass, tokens, exactFactor := &r.Compute.Train.Forward, r.Query.Int(query.Seq), int64(3)
	if of == DecodeFLOPs {
		pass, tokens, exactFactor = &r.Compute.Decode, r.Query.Int(query.Batch), 1
	}
	_, ok := wholeFLOPs(pass, exactFactor)
	w := weigh(r.Model)
	if !ok || f.sparse && w.resting == 0 {
		return 0, nil, false
	}
	per := func(n int64) int64 { return w.product(f.factor, tokens, n) }
	var matmul, scores, scans int64
	for i := range pass.Terms {
		t := &pass.Terms[i]
		matmul += int64(t.Matmul)
		scores += int64(t.Score)
		scans += int64(t.Conv) + int64(t.Scan)
	}
	var value int64
	var terms []Term
	group := func(counted bool, cause Cause, n, real int64) {
		if counted {
			value = w.sum(value, per(n))
		}
		terms = append(terms, Term{cause, per(real)})
		if counted {
			terms[len(terms)-1].Amount -= per(n)
		}
	}
	group(f.embedding, Lookup, w.lookup, 0)
	group(true, Elementwise, w.elementwise, 0)
	group(f.head, Head, w.head, w.head)
	group(f.resting, InactiveExperts, w.resting, 0)
	group(false, TiedHead, 0, w.tied)
	value = w.sum(value, per(w.working))
	plain := per(w.working + w.head + w.tied)
	terms = append(terms, Term{OtherTokens, w.product(exactFactor, matmul) - plain}, Term{Scans, w.product(exactFactor, scans)})
	said := int64(0)
	if f.scores {
		said = w.product(exactFactor, fullScores(r.Model, tokens))
		value = w.sum(value, said)
	}
	terms = append(terms, Term{Scores, w.product(exactFactor, scores) - said})
	if f.again > 0 {
		n := w.product(f.again, 2, tokens, w.lookup+w.elementwise+w.head+w.resting+w.working)
		value = w.sum(value, n)
		terms = append(terms, Term{Recompute, -n})
	}
	return value, terms, !w.bad
}

// fullScores is the scores of every head over the whole square, 4·s²·a·d for each
// layer with attention.
func fullScores(m *model.Model, s int64) int64 {
	p := compute.Pass{Tokens: s, Encoder: s, EncoderPass: true, Batch: 1, Scores: compute.Full}
	terms, _ := compute.Forward(m, p)
	n := int64(0)
	for i := range terms {
		n += int64(terms[i].Score)
	}
	return n
}
