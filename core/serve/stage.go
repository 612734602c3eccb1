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
	"llmsize/core/arch"
	"llmsize/core/fault"
	"llmsize/core/memory"
	"llmsize/core/quant"
	"llmsize/core/train"
)

// Ask is a question about running a model.
type Ask struct {
	Model   *arch.Model
	Weights *quant.Weights
	Layout  train.Layout
	Cache   memory.CacheQuestion // Batch is that of all devices
	Prompt  int64                // tokens prefilled per sequence; 0 is the context
	Flash   bool
}

// Stage is what every device of a pipeline stage holds.
type Stage struct {
	Layers int64 // of all stacks
	First  bool  // it holds the embedding
	Last   bool  // it holds the head
	Terms  []memory.Term
	Total  memory.Term
}

// plan is what does not change with the context and the batch: what every stage
// holds, and what it weighs.
type plan struct {
	ask     *Ask
	held    [][]train.Held
	weights []int64
	models  []*arch.Model // a stage's layers
	cached  []*arch.Model // the same with a device's share of heads; nil without tensor parallelism
	hidden  int64
}

func prepare(a *Ask) *plan {
	l := &a.Layout
	p := &plan{ask: a, held: train.Stages(a.Model, l.PP)}
	p.weights = stageWeights(a, p.held)
	_, p.hidden = memory.HeadSize(a.Model)
	p.models, p.cached = make([]*arch.Model, len(p.held)), make([]*arch.Model, len(p.held))
	for i, held := range p.held {
		p.models[i] = a.Model
		if l.PP > 1 {
			p.models[i] = piece(a.Model, held, 1)
		}
		if l.TP > 1 {
			p.cached[i] = piece(a.Model, held, l.TP)
		}
	}
	return p
}

// Stages works out every stage. Stages that hold the same are all listed.
func Stages(a *Ask) ([]Stage, *fault.Error) {
	return prepare(a).stages(a.Cache, a.Prompt)
}

// stages works out every stage for another cache and prompt.
func (p *plan) stages(q memory.CacheQuestion, prompt int64) ([]Stage, *fault.Error) {
	l := &p.ask.Layout
	q.Batch = (q.Batch + l.DP - 1) / l.DP
	if prompt == 0 {
		prompt = q.Context
	}
	out := make([]Stage, len(p.held))
	for i, held := range p.held {
		s := memory.Serving{CacheQuestion: q, Prompt: prompt, Flash: p.ask.Flash, Weights: p.weights[i], TP: l.TP, Devices: l.Devices(), Hidden: p.hidden,
			Cached: p.cached[i], Shared: gguf(p.ask.Weights) && (l.TP > 1 || l.EP > 1)}
		x := &out[i]
		x.First, x.Last = i == 0, i == len(p.held)-1
		for _, h := range held {
			if h.Block.Index != "" {
				x.Layers += h.Layers
			}
		}
		var err *fault.Error
		if x.Terms, x.Total, err = memory.Footprint(p.models[i], s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fits reports whether every device has room.
func (p *plan) fits(q memory.CacheQuestion, prompt, room int64) bool {
	stages, err := p.stages(q, prompt)
	return err == nil && Fullest(stages).Total.High <= room
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

// piece is the part of a model that a stage holds, with a device's share of
// heads and of state.
func piece(m *arch.Model, held []train.Held, tp int64) *arch.Model {
	out := *m
	out.Blocks = nil
	var last *arch.Block
	var kinds []int // of the last block: which of its kinds are there
	for _, h := range held {
		if h.Block != last {
			last, kinds = h.Block, kinds[:0]
			out.Blocks = append(out.Blocks, arch.Block{Index: last.Index, Title: last.Title})
		}
		b := &out.Blocks[len(out.Blocks)-1]
		at := 0
		for at < len(kinds) && kinds[at] != h.Kind {
			at++
		}
		if at == len(kinds) {
			kinds = append(kinds, h.Kind)
			k := last.Kinds[h.Kind]
			k.Count = 0
			if tp > 1 {
				parts := make([]arch.Part, len(k.Parts))
				copy(parts, k.Parts)
				for i := range parts {
					parts[i].Props = divided(parts[i].Props, tp)
				}
				k.Parts = parts
			}
			b.Kinds = append(b.Kinds, k)
		}
		b.Kinds[at].Count += h.Layers
		if b.Index != "" {
			for range h.Layers {
				b.Pattern = append(b.Pattern, uint16(at))
			}
		}
	}
	return &out
}

// divided is a part's properties on one of tp devices.
func divided(props []arch.Prop, tp int64) []arch.Prop {
	out := make([]arch.Prop, len(props))
	copy(out, props)
	for i := range out {
		switch p := &out[i]; p.Name {
		case "heads", "kv_heads", "state", "conv":
			p.Value = (p.Value + tp - 1) / tp
		}
	}
	return out
}

// stageWeights is the bytes of the weights on one device of every stage: of each
// tensor the device's share of its elements, at the tensor's own bytes per
// element. llama.cpp's files name tensors in their own way: whole layers are told
// by their index; under tensor or expert parallelism, which llama.cpp does not
// have, a stage's bytes go by the share of its elements.
func stageWeights(a *Ask, parts [][]train.Held) []int64 {
	l := &a.Layout
	out := make([]int64, len(parts))
	if l.TP == 1 && l.PP == 1 && l.EP == 1 {
		out[0] = a.Weights.Bytes
		return out
	}
	if gguf(a.Weights) && l.TP == 1 && l.EP == 1 {
		return layerWeights(a.Weights, parts)
	}
	average := float64(a.Weights.Bytes) / float64(max(a.Weights.Elements, 1))
	var done []train.Held // layers of a block that earlier stages hold
	for i, held := range parts {
		bytes := 0.0
		for _, h := range held {
			at := before(&done, h)
			k := &h.Block.Kinds[h.Kind]
			for pi := range k.Parts {
				p := &k.Parts[pi]
				share := l.Elements(p)
				for ti := range p.Tensors {
					x := each(a.Weights, &p.Tensors[ti], h.Block, at)
					if x == 0 {
						x = average
					}
					bytes = float64(bytes + float64(float64(share[ti])*float64(h.Layers)*x))
				}
			}
		}
		out[i] = int64(bytes + 0.5)
	}
	return out
}

// before returns how many layers of a block stand on earlier stages, and adds
// those of this one.
func before(done *[]train.Held, h train.Held) int64 {
	for i := range *done {
		if d := &(*done)[i]; d.Block == h.Block {
			at := d.Layers
			d.Layers += h.Layers
			return at
		}
	}
	*done = append(*done, h)
	return 0
}

// gguf reports whether weights bear llama.cpp's names.
func gguf(w *quant.Weights) bool {
	for i := range w.Runs {
		if w.Runs[i].Name == embedding {
			return true
		}
	}
	return false
}

// llama.cpp's names for what stands outside layers.
const (
	embedding = "token_embd.weight"
	head      = "output.weight"
)

// layerWeights divides llama.cpp's tensors by layers: the embedding goes first,
// what follows the layers last, with a copy of the embedding where it is the head.
func layerWeights(w *quant.Weights, parts [][]train.Held) []int64 {
	out := make([]int64, len(parts))
	tied, rows := true, int64(0)
	for i := range w.Runs {
		r := &w.Runs[i]
		tied = tied && r.Name != head
		if r.Name == embedding {
			rows = r.Bytes * r.Tensors
		}
	}
	from := int64(0)
	for i, held := range parts {
		to := from
		for _, h := range held {
			if h.Block.Index != "" {
				to += h.Layers
			}
		}
		for j := range w.Runs {
			r := &w.Runs[j]
			switch {
			case len(r.Layers) > 0:
				all, mine := int64(0), int64(0)
				for _, s := range r.Layers {
					all += s.To - s.From + 1
					mine += max(0, min(s.To+1, to)-max(s.From, from))
				}
				out[i] += r.Bytes * (r.Tensors / max(all, 1)) * mine
			case r.Name == embedding && i == 0, r.Name != embedding && i == len(parts)-1:
				out[i] += r.Bytes * r.Tensors
			}
		}
		from = to
	}
	if tied && len(parts) > 1 {
		out[len(parts)-1] += rows
	}
	return out
}

// each is the bytes of an element of a tensor in the layer at; 0 when the
// weights do not name it.
func each(w *quant.Weights, t *arch.Tensor, b *arch.Block, at int64) float64 {
	name := t.Name
	if t.TiedTo != "" {
		name = t.TiedTo
	}
	for i := range w.Runs {
		r := &w.Runs[i]
		if r.Name == name && (b.Index == "" || len(r.Layers) == 0 || holds(r.Layers, at)) {
			return float64(r.Bytes) / float64(max(r.Elements, 1))
		}
	}
	return 0
}

func holds(spans []arch.Span, at int64) bool {
	for _, s := range spans {
		if at >= s.From && at <= s.To {
			return true
		}
	}
	return false
}
