package serve

import (
	"llmsize/core/model"
	"llmsize/core/quant"
)

// share is what a device has of the tensors of a block that are stored alike.
type share struct {
	block *model.Block
	spans []model.Span // the layers that hold them; nil outside layers
	each  float64      // bytes in a layer
	met   int          // spans that lie before the stage at hand
}

// stored calls do for every way in which a tensor is stored: once where all its
// layers are alike, more often where a recipe tells layers apart, and with nil
// where the weights do not name it: in plain formats, and in llama.cpp's files,
// which have names of their own.
func stored(m *model.Model, w *quant.Weights, do func(b *model.Block, ki int, p *model.Part, ti int, r *quant.Stored)) {
	runs := w.Runs
	if gguf(w) {
		runs = nil
	}
	at := 0 // runs come in the model's order: what comes next stands near
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for ki := range b.Kinds {
			for pi := range b.Kinds[ki].Parts {
				p := &b.Kinds[ki].Parts[pi]
				for ti := range p.Tensors {
					name := p.Tensors[ti].Name
					if p.Tensors[ti].TiedTo != "" {
						name = p.Tensors[ti].TiedTo
					}
					found := false
					for i := 0; i < len(runs); i++ {
						r := &runs[(at+i)%len(runs)]
						if r.Name != name || len(r.Layers) > 0 && b.Index != "" && int(b.Pattern[r.Layers[0].From]) != ki {
							if found {
								break
							}
							continue
						}
						if !found {
							found, at, i = true, (at+i)%len(runs), 0
						}
						do(b, ki, p, ti, r)
					}
					if !found {
						do(b, ki, p, ti, nil)
					}
				}
			}
		}
	}
}

// shares lists what a device of a layout has of every tensor: its share of the
// elements, at the tensor's own bytes per element in the layers that store it so.
// It does not depend on the stages but for the head, which is a copy where it is
// tied and there are several.
func shares(a *Ask) []share {
	if a.whole() {
		return nil
	}
	var out []share
	average := float64(a.Weights.Bytes) / float64(max(a.Weights.Elements, 1))
	var of *model.Part // whose elements are at hand
	var elements []int64
	var kind *model.Kind // whose layers are at hand
	var spans []model.Span
	stored(a.Model, a.Weights, func(b *model.Block, ki int, p *model.Part, ti int, r *quant.Stored) {
		if p != of {
			of, elements = p, a.Layout.Elements(p)
		}
		if k := &b.Kinds[ki]; k != kind {
			if kind, spans = k, nil; b.Index != "" {
				spans = b.Spans(ki)
			}
		}
		s := share{block: b, spans: spans, each: float64(float64(elements[ti]) * average)}
		if r != nil {
			s.each = float64(float64(elements[ti]) * float64(r.Bytes) / float64(max(r.Elements, 1)))
			if b.Index != "" && len(r.Layers) > 0 {
				s.spans = r.Layers
			}
		}
		if b.Index == "" {
			s.each = float64(s.each * float64(kind.Count))
		}
		if s.each > 0 {
			out = hold(out, s)
		}
	})
	return out
}

// hold adds to what the same layers of a block hold.
func hold(list []share, s share) []share {
	for i := range list {
		if x := &list[i]; x.block == s.block && len(x.spans) == len(s.spans) && (len(s.spans) == 0 || &x.spans[0] == &s.spans[0]) {
			x.each = float64(x.each + s.each)
			return list
		}
	}
	return append(list, s)
}

// whole reports whether a stage is told by whole layers, or is everything.
func (a *Ask) whole() bool {
	l := &a.Layout
	return l.TP == 1 && l.EP == 1 && (l.PP == 1 || gguf(a.Weights))
}

// weigh works out the bytes of the weights on one device of every stage.
//
// llama.cpp's files name tensors in their own way: whole layers are told by their
// index; under tensor or expert parallelism, which llama.cpp does not have, a
// stage's bytes go by the share of its elements.
func (p *Plan) weigh(list []share) {
	switch {
	case p.ask.whole() && len(p.held) == 1:
		p.weights[0] = p.ask.Weights.Bytes
	case p.ask.whole():
		p.layerWeights()
	default:
		p.shareWeights(list)
	}
	for i, w := range p.weights {
		of := &p.heaviest[p.alike[i]]
		*of = max(*of, w)
	}
}

// shareWeights adds up what the devices of every stage have.
func (p *Plan) shareWeights(list []share) {
	from := make([]int64, len(p.ask.Model.Blocks)) // layers of a block on earlier stages
	for i := range list {
		list[i].met = 0
	}
	for i, held := range p.held {
		bytes := 0.0
		for bi := range from {
			b := &p.ask.Model.Blocks[bi]
			n := int64(0)
			for _, h := range held {
				if h.Block == b {
					n += h.Layers
				}
			}
			if n == 0 {
				continue
			}
			for j := range list {
				if x := &list[j]; x.block == b {
					bytes = float64(bytes + float64(x.each*float64(x.next(from[bi], from[bi]+n))))
				}
			}
			from[bi] += n
		}
		p.weights[i] = int64(bytes + 0.5)
	}
}

// next is overlap for stages that are asked in order.
func (x *share) next(from, to int64) int64 {
	for x.met < len(x.spans) && x.spans[x.met].To < from {
		x.met++
	}
	if x.spans == nil {
		return 1
	}
	n := int64(0)
	for _, s := range x.spans[x.met:] {
		if s.From >= to {
			break
		}
		n += min(s.To+1, to) - max(s.From, from)
	}
	return n
}

// overlap is how many of a run's layers lie between two; 1 outside layers.
func overlap(spans []model.Span, from, to int64) int64 {
	if spans == nil {
		return 1
	}
	n := int64(0)
	for _, s := range spans {
		n += max(0, min(s.To+1, to)-max(s.From, from))
	}
	return n
}

// gguf reports whether weights bear llama.cpp's names.
func gguf(w *quant.Weights) bool {
	for i := range w.Runs {
		if name := w.Runs[i].Name; name == embedding || len(name) > len(layers) && name[:len(layers)] == layers {
			return true
		}
	}
	return false
}

// llama.cpp's names: of the embedding, and how those in layers begin.
const (
	embedding = "token_embd.weight"
	layers    = "blk."
)

// layerWeights divides llama.cpp's tensors by layers: the embedding goes first,
// what follows the layers last, with a copy of the embedding where it is the head.
func (p *Plan) layerWeights() {
	w, parts, out := p.ask.Weights, p.held, p.weights
	tied, rows := true, int64(0)
	for i := range w.Runs {
		r := &w.Runs[i]
		tied = tied && r.Role != model.Head
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
}
