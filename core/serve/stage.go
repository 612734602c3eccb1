// Package serve works out what running a model on devices takes: what each
// device of a layout holds, whether it fits, what would, and how fast it can be
// at best.
//
// A layout is train.Layout's: devices = tp × pp × dp. Tensor parallelism divides
// heads, widths and the vocabulary; key and value heads are copied where there
// are fewer than tp, latents, routers and norms always. Pipeline stages hold
// ⌈L/p⌉ layers or one less, the first also the embedding, the last the head, of
// which a tied one is a copy. Experts are divided over ep of the dp ranks.
package serve

import (
	"llmsize/core/fault"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/quant"
	"llmsize/core/train"
)

// Ask is a question about running a model.
type Ask struct {
	Model   *model.Model
	Weights *quant.Weights
	Layout  train.Layout
	Cache   memory.CacheQuestion // Batch is that of all devices
	Prompt  int64                // tokens prefilled per sequence; 0 is the context
	Flash   bool
	Draft   Draft
}

// Stage is what every device of a pipeline stage holds.
type Stage struct {
	Layers int64 // of all stacks
	First  bool  // it holds the embedding
	Last   bool  // it holds the head
	Terms  []memory.Term
	Total  memory.Term
}

// Plan is a layout made ready: what does not change with the context and the
// batch, so that many questions cost little.
type Plan struct {
	ask      *Ask
	ready    *memory.Prepared // the model with a device's share of heads; made when asked for
	held     [][]model.Stretch
	weights  []int64
	alike    []int           // for each stage the first that holds the same
	heaviest []int64         // of those first ones: the weights of the heaviest of its like
	pieces   []*memory.Piece // of those first ones, made when asked for
	draft    *drafter        // the prediction layers, which the last stage holds; nil when nothing drafts with them
}

// Prepare divides a model over a layout.
func Prepare(a *Ask) *Plan {
	p := divide(a)
	p.weigh(shares(a))
	p.draft = draftOf(a)
	return p
}

// divide divides a model into stages, and finds those that hold the same.
func divide(a *Ask) *Plan {
	p := &Plan{ask: a, held: train.Stages(a.Model, a.Layout.PP)}
	n := len(p.held)
	p.alike, p.pieces, p.weights, p.heaviest = make([]int, n), make([]*memory.Piece, n), make([]int64, n), make([]int64, n)
	var firsts []int
	for i := range p.held {
		p.alike[i] = i
		for _, j := range firsts {
			if same(p.held[i], p.held[j]) {
				p.alike[i] = j
				break
			}
		}
		if p.alike[i] == i {
			firsts = append(firsts, i)
		}
	}
	return p
}

func same(a, b []model.Stretch) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// prepared is a model made ready for tensor parallelism.
func prepared(a *Ask) *memory.Prepared {
	return memory.Prepare(a.Model, cut(a.Model, a.Layout.TP), &a.Cache)
}

// piece is what stage i holds, made ready; i is the first of its like.
func (p *Plan) piece(i int) *memory.Piece {
	if p.pieces[i] == nil {
		if p.ready == nil {
			p.ready = prepared(p.ask)
		}
		p.pieces[i] = p.ready.Piece(p.held[i])
	}
	return p.pieces[i]
}

// serving is what a stage is asked, with its bytes of weights.
func (p *Plan) serving(of *memory.CacheQuestion, prompt, weights int64, last bool) *memory.Serving {
	l := &p.ask.Layout
	q := *of
	q.Batch = (q.Batch + l.DP - 1) / l.DP
	if prompt == 0 {
		prompt = q.Context
	}
	var extra memory.Term
	if last && p.draft != nil {
		extra = p.draft.term(&q)
	}
	return &memory.Serving{Extra: extra, CacheQuestion: q, Prompt: prompt, Flash: p.ask.Flash, Weights: weights, TP: l.TP, Devices: l.Devices(), Shared: p.shared()}
}

// shared reports whether the weights are a share that was not counted tensor by
// tensor: llama.cpp's file cut by what llama.cpp does not have.
func (p *Plan) shared() bool {
	l := &p.ask.Layout
	return (l.TP > 1 || l.EP > 1) && gguf(p.ask.Weights)
}

// Stages works out every stage. Stages that hold the same are all listed.
func (p *Plan) Stages() ([]Stage, *fault.Error) {
	a := p.ask
	out := make([]Stage, len(p.held))
	for i, held := range p.held {
		x := &out[i]
		x.First, x.Last = i == 0, i == len(p.held)-1
		for _, h := range held {
			if h.Block.Index != "" {
				x.Layers += h.Layers
			}
		}
		var err *fault.Error
		if x.Terms, x.Total, err = p.piece(p.alike[i]).Footprint(p.serving(&a.Cache, a.Prompt, p.weights[i], x.Last)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// total is what stage i takes, with the heaviest weights of its like.
func (p *Plan) total(i int, q *memory.CacheQuestion, prompt int64) (memory.Term, *fault.Error) {
	return p.piece(i).Total(p.serving(q, prompt, p.heaviest[i], p.alike[len(p.alike)-1] == i))
}

// need is what the fullest device takes, by the upper end of every band; ok is
// false when that passes what can be counted. at is its stage.
func (p *Plan) need(q *memory.CacheQuestion, prompt int64) (total memory.Term, at int, ok bool) {
	at = -1
	for i, first := range p.alike {
		if first != i {
			continue
		}
		sum, err := p.total(i, q, prompt)
		if err != nil {
			return total, -1, false
		}
		if at < 0 || sum.High > total.High {
			total, at = sum, i
		}
	}
	return total, at, true
}

// terms is the footprint of what need found; none when it was too much to count.
func (p *Plan) terms(at int, q *memory.CacheQuestion, prompt int64) []memory.Term {
	if at < 0 {
		return nil
	}
	list, _, _ := p.piece(at).Footprint(p.serving(q, prompt, p.heaviest[at], p.alike[len(p.alike)-1] == at))
	return list
}

// fits reports whether every device has room.
func (p *Plan) fits(q *memory.CacheQuestion, prompt, room int64) bool {
	for _, w := range p.weights {
		if w > room {
			return false
		}
	}
	for i, first := range p.alike {
		if first != i {
			continue
		}
		if sum, err := p.total(i, q, prompt); err != nil || sum.High > room {
			return false
		}
	}
	return true
}

// Fullest is the stage that needs most.
func Fullest(stages []Stage) *Stage {
	best := &stages[0]
	for i := range stages {
		if stages[i].Total.High > best.Total.High {
			best = &stages[i]
		}
	}
	return best
}

// cut is a model with the share of heads and of state that one of tp devices has:
// one key and value head at least, and the whole of a latent.
func cut(m *model.Model, tp int64) *model.Model {
	if tp == 1 {
		return m
	}
	return copied(m, func(p *model.Part) []model.Prop { return divided(p.Props, tp) })
}

// copied is a model whose parts have other properties.
func copied(m *model.Model, props func(p *model.Part) []model.Prop) *model.Model {
	out := *m
	out.Blocks = make([]model.Block, len(m.Blocks))
	for i, b := range m.Blocks {
		kinds := make([]model.Kind, len(b.Kinds))
		for j, k := range b.Kinds {
			parts := make([]model.Part, len(k.Parts))
			copy(parts, k.Parts)
			for p := range parts {
				parts[p].Props = props(&k.Parts[p])
			}
			k.Parts = parts
			kinds[j] = k
		}
		b.Kinds = kinds
		out.Blocks[i] = b
	}
	return &out
}

// divided is a part's properties on one of tp devices.
func divided(props []model.Prop, tp int64) []model.Prop {
	out := make([]model.Prop, len(props))
	copy(out, props)
	for i := range out {
		switch p := &out[i]; p.Name {
		case model.Heads, model.KVHeads, model.StateSize, model.ConvState:
			p.Value = (p.Value + tp - 1) / tp
		}
	}
	return out
}
