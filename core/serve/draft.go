package serve

import (
	"llmsize/core/fault"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/quant"
)

// Draft is speculative decoding: before each step a number of tokens is guessed, the
// step checks all of them at once, and keeps the first ones that are right.
type Draft struct {
	Tokens int64   // guessed for each step; 0 is none
	Accept float64 // the chance that a guess is kept, when all before it are
}

// Expected is how many tokens a step yields on average, the one that the model
// adds itself included:
//
//	1 + α + α² + … + α^γ = (1 − α^(γ+1)) / (1 − α)
//
// for γ guesses, each kept with chance α (Leviathan, Kalman and Matias 2023,
// arXiv 2211.17192, equation 1).
func (d *Draft) Expected() float64 {
	sum, power := 0.0, 1.0
	for range min(d.Tokens, 1<<10) + 1 {
		sum = float64(sum + power)
		power = float64(power * d.Accept)
	}
	return sum
}

// Drafting is a step with guesses at best.
type Drafting struct {
	Expected float64 // tokens that a step yields
	Check    Pass    // the model over the guesses and the token before them
	Guess    Pass    // one guess by the model's own prediction layers; empty where it has none, and guesses cost nothing
	Seconds  float64 // of a step: the check, and the guesses one after the other
	Token    float64 // seconds for one token of each sequence
}

// PredictionLayers is how many layers a model's config has for predicting further
// tokens (multi-token prediction, DeepSeek-V3, arXiv 2412.19437, section 2.2).
// Classes leave them out; a runtime that drafts with them loads them.
func PredictionLayers(m *model.Model) int64 {
	for _, name := range [...]string{"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"} {
		if n, ok := m.Value(name); ok && n > 0 {
			return n
		}
	}
	return 0
}

// prediction is what one prediction layer is: a layer like the model's last, a
// projection of two hidden states to one, three norms. Embedding and head are the
// model's own. nil where the model has none.
func prediction(m *model.Model) *model.Model {
	if PredictionLayers(m) == 0 {
		return nil
	}
	out := *m
	out.Blocks = nil
	for bi := len(m.Blocks) - 1; bi >= 0; bi-- {
		b := &m.Blocks[bi]
		if b.Index == "" || len(b.Pattern) == 0 || unused(b) {
			continue
		}
		k := b.Kinds[b.Pattern[len(b.Pattern)-1]]
		k.Count = 1
		_, h := memory.HeadSize(m)
		join := model.Part{Role: model.Projector, Title: "prediction", Tensors: []model.Tensor{
			{Name: "eh_proj.weight", Role: model.FFN, Op: model.MatMul, Elements: 2 * h * h, Copies: 1, Uses: 1, Active: 1, ActiveOf: 1, Dims: []model.Dim{{Size: h}, {Size: 2 * h}}},
			{Name: "norms", Role: model.Norm, Elements: 3 * h, Copies: 1, Uses: 1, Active: 1, ActiveOf: 1, Dims: []model.Dim{{Size: 3 * h}}},
		}}
		k.Parts = append([]model.Part{join}, k.Parts...)
		out.Blocks = []model.Block{{Index: b.Index, Title: "prediction", Kinds: []model.Kind{k}, Pattern: []uint16{0}}}
		return &out
	}
	return nil
}

// drafter is what prediction layers take on the last stage's devices.
type drafter struct {
	layers  int64
	weights int64 // bytes of all of them
	piece   *memory.Piece
}

// unused reports whether no pass of the model runs a stack: prediction layers that
// the class does build.
func unused(b *model.Block) bool {
	for ki := range b.Kinds {
		for pi := range b.Kinds[ki].Parts {
			if b.Kinds[ki].Parts[pi].Get(model.Unused) == 0 {
				return false
			}
		}
	}
	return b.Index != ""
}

// draftOf is the model's prediction layers where guesses are asked for; nil
// where there are none.
func draftOf(a *Ask) *drafter {
	if a.Draft.Tokens == 0 {
		return nil
	}
	layer := prediction(a.Model)
	if layer == nil {
		return nil
	}
	d := &drafter{layers: PredictionLayers(a.Model), piece: memory.Prepare(layer, cut(layer, a.Layout.TP), &a.Cache).Piece(layer.Stretches())}
	elements := int64(0)
	parts := layer.Blocks[0].Kinds[0].Parts
	for i := range parts {
		for _, n := range a.Layout.Elements(&parts[i]) {
			elements += n
		}
	}
	d.weights = int64(float64(float64(elements)*bytesOf(a.Weights))+0.5) * d.layers
	for bi := range a.Model.Blocks {
		if unused(&a.Model.Blocks[bi]) {
			d.weights = 0 // they are among the model's
		}
	}
	return d
}

// term is weights and cache of the prediction layers. The weights take what the
// model's take on average, so they are a bound of some percent.
func (d *drafter) term(q *memory.CacheQuestion) memory.Term {
	n, err := d.piece.Cache(q)
	if err != nil {
		n = 0
	}
	n = n*d.layers + d.weights
	return memory.Term{What: "prediction layers", Status: memory.Bound, Bytes: n, Low: n - d.weights/20, High: n + d.weights/20, Source: "arXiv 2412.19437, section 2.2; at the model's average bytes a weight"}
}

// drafting works out a step with guesses: a pass over γ + 1 tokens of every
// sequence, which reads the cache once, and γ passes of a prediction layer over
// one. Guesses from elsewhere (a small model, the prompt's own words) are taken
// to cost nothing, which keeps it a bound.
func (s *Speed) drafting(x *road) *fault.Error {
	a, d := x.a, &s.Drafting
	guesses := a.Draft.Tokens
	d.Expected = a.Draft.Expected()
	d.Check = x.pass(forward(a.Model, &a.Cache, guesses+1, true), x.batch*(guesses+1))
	if layer := prediction(a.Model); layer != nil {
		g := *x
		g.always, g.experts = reads(layer, average(a.Weights))
		vocab, hidden := memory.HeadSize(a.Model)
		head := float64(float64(vocab) * float64(hidden))
		g.always = float64(g.always + float64(head*bytesOf(a.Weights)))
		var err *fault.Error
		if g.cache, err = kvBytes(a, layer, x.batch, memory.Reads); err != nil {
			return err
		}
		at := *a
		at.Model = layer
		g.a = &at
		at.Layout.PP = 1
		d.Guess = g.pass(float64(forward(layer, &a.Cache, 1, true)+float64(2*head*float64(a.Cache.Batch))), x.batch)
	}
	d.Seconds = float64(d.Check.Seconds + float64(float64(guesses)*d.Guess.Seconds))
	d.Token = float64(d.Seconds / d.Expected)
	return nil
}

// bytesOf is what an element takes on average.
func bytesOf(w *quant.Weights) float64 { return float64(w.Bytes) / float64(max(w.Elements, 1)) }

// average is weights of which only that is known.
func average(w *quant.Weights) *quant.Weights {
	return &quant.Weights{Bytes: w.Bytes, Elements: w.Elements}
}
