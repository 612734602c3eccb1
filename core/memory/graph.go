package memory

import (
	"llmsize/core/model"
)

// mask is what the graph is given for the cache of the layers with one window.
type mask struct {
	window       int64
	cells        int64
	keys, values span // where new keys and values go in the cache
	at           span // the mask itself
	last         int  // the layer that uses them last
}

// graph plans the tensors of one pass of a decoder over u tokens, each element
// of width bytes: an operation takes the place of its result and gives back what
// nobody reads any more. Elementwise operations work in place.
type graph struct {
	arena
	q                                       *CacheQuestion
	flash                                   bool  // scores are never stored
	tp                                      int64 // devices that share heads and widths
	width                                   int64 // bytes of an element
	u                                       int64 // tokens
	cells                                   int64 // keys that a token may see where there is no window
	h                                       int64 // hidden size
	masks                                   []mask
	positions, picked, turnKeys, turnValues span // other inputs
	final                                   int  // the last layer with attention
	rotate                                  bool // queries, keys and values are rotated before they are quantised
	uniform                                 bool // windows are not used
	rope                                    bool
	x                                       span   // the residual stream
	why                                     string // what the plan does not know
}

// cut is a device's part of what tensor parallelism divides.
func (g *graph) cut(n int64) int64 { return (n + g.tp - 1) / max(g.tp, 1) }

// heads is a device's key and value heads: at least one, copied where there are
// fewer than devices.
func (g *graph) heads(p *model.Part) int64 {
	return max(min(p.Get(model.KVHeads), 1), g.cut(p.Get(model.KVHeads)))
}

// rows places a tensor of n elements for each token.
func (g *graph) rows(n int64) span { return g.take(n * g.u * g.width) }

// attention is a layer's attention over its own tokens, nil where it has none.
func attention(k *model.Kind) *model.Part {
	for pi := range k.Parts {
		if p := &k.Parts[pi]; p.Get(model.Heads) > 0 && p.Get(model.Cross) == 0 && p.Get(model.Unused) == 0 && p.Stream == "" {
			return p
		}
	}
	return nil
}

// window is what bounds the keys that a layer sees: its window or chunk.
func (g *graph) window(p *model.Part) int64 {
	if g.uniform {
		return 0
	}
	if w := p.Get(model.Window); w > 0 {
		return w
	}
	return p.Get(model.Chunk)
}

func valueWidth(p *model.Part) int64 {
	if p.Get(model.Latent) > 0 {
		return p.Get(model.Latent)
	}
	return p.Get(model.KVHeads) * vDim(p)
}

func vDim(p *model.Part) int64 {
	if p.Has(model.VDim) {
		return p.Get(model.VDim)
	}
	return p.Get(model.HeadDim)
}

// run plans the layers of a piece, and the last norm.
func (g *graph) run(p *Piece) {
	w := p.walked()
	g.rope, g.final = !p.of.learned, w.final
	g.x = g.rows(g.h)
	for _, i := range w.steps {
		g.layer(p.layers[i], i, i == len(p.layers)-1)
	}
	if p.centred {
		g.x = g.copied(g.x)
	}
}

// learned reports whether a model adds positions to its embeddings.
func learned(m *model.Model) bool {
	for _, p := range m.Parts() {
		if p.Role == model.Position {
			return true
		}
	}
	return false
}

// centred reports whether the last norm subtracts the mean: such a norm does not
// work in place. It is told by its bias. before is the answer for the blocks before.
func centred(b *model.Block, before bool) bool {
	for pi := range b.Kinds[0].Parts {
		if p := &b.Kinds[0].Parts[pi]; p.Role == model.Norm && p.Stream == "" {
			before = len(p.Tensors) > 1
		}
	}
	return before
}

// layer plans one layer.
func (g *graph) layer(k *model.Kind, i int, last bool) {
	var n span // the normed input, where there is one
	normed, first := false, true
	pre := false
	for pi := range k.Parts {
		p := &k.Parts[pi]
		if p.Stream != "" || p.Get(model.Unused) != 0 || p.Get(model.Cross) != 0 {
			continue
		}
		mixer := p.Get(model.Heads) > 0 || p.Get(model.StateSize) > 0
		channel := p.Role == model.FFN || p.Role == model.Expert
		switch {
		case p.Role == model.Norm && !mixer && !channel:
			pre = pre || first || normed
			continue
		case !mixer && !channel:
			continue
		}
		if pre {
			g.give(n)
			n, normed, pre = g.rows(g.h), true, false
		}
		// A feed-forward beside attention reads the same normed input.
		beside := mixer && g.beside(k, pi)
		var out span
		if mixer {
			out = g.mix(p, n, beside, i)
		} else {
			out = g.channel(p, n)
			n = span{}
		}
		if mixer && !beside {
			n = span{}
		}
		first = false
		if last && mixer { // only the rows that are handed out go on
			y := g.rows(g.h)
			g.give(out)
			z := g.rows(g.h)
			g.give(g.x)
			g.give(g.picked)
			out, g.x = y, z
		}
		if channel && fused(p) {
			g.give(out)
			continue
		}
		g.give(g.x)
		g.x = out
	}
	g.give(n)
}

// beside reports whether the part after a mixer reads what the mixer reads: no
// norm stands between.
func (g *graph) beside(k *model.Kind, pi int) bool {
	if pi == 0 || pi+1 >= len(k.Parts) {
		return false
	}
	next := &k.Parts[pi+1]
	return (next.Role == model.FFN || next.Role == model.Expert) && k.Parts[0].Role == model.Norm
}

// fused reports whether one matrix makes gate and up.
func fused(p *model.Part) bool {
	w := p.Get(model.Width)
	if p.Get(model.Experts) > 0 {
		return false
	}
	for ti := range p.Tensors {
		t := &p.Tensors[ti]
		if t.Op == model.MatMul && t.Role == model.FFN && len(t.Dims) == 2 && w > 0 && max(t.Dims[0].Size, t.Dims[1].Size) == 2*w && p.Get(model.Gated) != 0 {
			return true
		}
	}
	return false
}

// mix plans attention, or a recurrent mixer as well as its matrices tell.
func (g *graph) mix(p *model.Part, n span, keep bool, i int) span {
	heads, kv := g.cut(p.Get(model.Heads)), g.heads(p)
	if heads == 0 {
		if g.why == "" {
			g.why = "recurrent layers"
		}
		return g.recurrent(p, n, keep)
	}
	free := func() {
		if !keep {
			g.give(n)
		}
	}
	dim, vdim := p.Get(model.HeadDim), vDim(p)
	var q, o span
	switch {
	case p.Get(model.Latent) > 0:
		return g.latent(p, free, i)
	case packed(p):
		w := g.rows(heads*dim + kv*(dim+vdim))
		free()
		if g.rope {
			q = g.rows(heads * dim)
			g.stored(p, i, g.rows(kv*dim), w)
		} else {
			q = w
		}
	default:
		q = g.turn(g.rows(heads * dim))
		var k, v span
		if p.Get(model.Shared) == 0 {
			v = g.rows(kv * vdim)
			if g.rotate {
				v = g.copied(v)
			}
			k = g.rows(kv * dim)
			free()
			k = g.turn(k)
		} else {
			free()
		}
		g.stored(p, i, k, v)
	}
	if g.flash {
		o = g.rows(heads * vdim)
		g.give(q)
		g.unmask(p, i)
		if g.rotate {
			o = g.copied(o)
			if i == g.final {
				g.give(g.turnValues)
			}
		}
	} else {
		s := g.take(g.see(p) * g.u * heads * g.width)
		g.give(q)
		g.unmask(p, i)
		o = g.rows(heads * vdim)
		g.give(s)
		o = g.copied(o)
	}
	out := g.rows(g.h)
	g.give(o)
	return out
}

// packed reports whether one matrix, the part's first, makes queries, keys and values.
func packed(p *model.Part) bool {
	want := p.Get(model.Heads)*p.Get(model.HeadDim) + p.Get(model.KVHeads)*p.Get(model.HeadDim) + valueWidth(p)
	for ti := range p.Tensors {
		if t := &p.Tensors[ti]; t.Op == model.MatMul && len(t.Dims) == 2 {
			_, out := t.Sides()
			return out.Size == want && p.Get(model.Gated) == 0
		}
	}
	return false
}

// copied is an operation that does not work in place.
func (g *graph) copied(s span) span {
	t := g.take(s.n)
	g.give(s)
	return t
}

// turn puts positions into queries or keys, and rotates them where they are
// quantised.
func (g *graph) turn(s span) span {
	if g.rope {
		s = g.copied(s)
	}
	if g.rotate {
		s = g.copied(s)
	}
	return s
}

// stored gives keys and values back once they are in the cache, and after the
// last layer what said where they go.
func (g *graph) stored(p *model.Part, i int, k, v span) {
	m := g.maskOf(p)
	if i == g.final {
		g.give(g.positions)
		g.give(g.turnKeys)
	}
	g.give(k)
	if m != nil && m.last == i {
		g.give(m.keys)
	}
	g.give(v)
	if m != nil && m.last == i {
		g.give(m.values)
	}
}

// maskOf is the mask of a layer's window, nil where the graph has none.
func (g *graph) maskOf(p *model.Part) *mask {
	for i := range g.masks {
		if g.masks[i].window == g.window(p) {
			return &g.masks[i]
		}
	}
	return nil
}

// see is how many keys are in a row of scores.
func (g *graph) see(p *model.Part) int64 {
	if m := g.maskOf(p); m != nil {
		return m.cells
	}
	return g.cells
}

// unmask gives a mask back after its last layer.
func (g *graph) unmask(p *model.Part, i int) {
	if m := g.maskOf(p); m != nil && m.last == i {
		g.give(m.at)
	}
}

// latent plans MLA with its up-projections taken into queries and outputs.
func (g *graph) latent(p *model.Part, free func(), i int) span {
	heads, r, rope := g.cut(p.Get(model.Heads)), p.Get(model.Latent), p.Get(model.Rope)
	var q span
	if n := queryRank(p); n > 0 {
		low := g.rows(n)
		q = g.rows(heads * p.Get(model.HeadDim))
		g.give(low)
	} else {
		q = g.rows(heads * p.Get(model.HeadDim))
	}
	absorbed := g.rows(heads * r)
	turned := g.rows(heads * rope)
	g.give(q)
	q = g.rows(heads * (r + rope))
	g.give(absorbed)
	g.give(turned)
	kv := g.rows(r + rope)
	free()
	c, kr := g.rows(r), g.rows(rope)
	g.give(kv)
	k := g.rows(r + rope)
	g.give(c)
	g.give(kr)
	g.stored(p, i, k, span{})
	var o span
	if g.flash {
		o = g.rows(heads * r)
		g.give(q)
		g.unmask(p, i)
	} else {
		s := g.take(g.see(p) * g.u * heads * g.width)
		g.give(q)
		g.unmask(p, i)
		o = g.rows(heads * r)
		g.give(s)
	}
	v := g.rows(heads * vDim(p))
	g.give(o)
	v = g.copied(v)
	out := g.rows(g.h)
	g.give(v)
	return out
}

// queryRank is the width of the latent that queries are made from; 0 where they
// are made from the hidden state.
func queryRank(p *model.Part) int64 {
	for ti := range p.Tensors {
		if t := &p.Tensors[ti]; t.Op == model.MatMul && len(t.Dims) == 2 && ti > 0 {
			if in, out := t.Sides(); p.OfHeads(out) && in.Expr != p.Expr(model.Latent) {
				return in.Size
			}
		}
	}
	return 0
}

// recurrent plans a mixer by its matrices alone: what they make stands at once.
func (g *graph) recurrent(p *model.Part, n span, keep bool) span {
	var wide int64
	var stream *model.Dim
	for ti := range p.Tensors {
		if t := &p.Tensors[ti]; t.Op == model.MatMul && len(t.Dims) == 2 {
			in, out := t.Sides()
			if stream == nil {
				stream = in
			}
			if in.Same(stream) {
				wide += out.Size
			}
		}
	}
	wide = g.cut(wide)
	w := g.rows(wide)
	if !keep {
		g.give(n)
	}
	y := g.rows(wide)
	g.give(w)
	out := g.rows(g.h)
	g.give(y)
	return out
}

// channel plans a feed-forward or experts.
func (g *graph) channel(p *model.Part, n span) span {
	width := g.cut(p.Get(model.Width))
	e, k := p.Get(model.Experts), p.Get(model.TopK)
	if e == 0 {
		return g.ffn(width, p.Get(model.Gated) != 0, fused(p), n)
	}
	probs, order, chosen := g.rows(e), g.rows(e), g.rows(k)
	g.give(probs)
	var gate span
	if p.Get(model.Gated) != 0 {
		gate = g.rows(k * width)
	}
	up := g.rows(k * width)
	shared := g.cut(sharedWidth(p))
	if shared == 0 {
		g.give(n)
	}
	act := up
	if p.Get(model.Gated) != 0 {
		act = g.rows(k * width)
		g.give(gate)
		g.give(up)
	}
	down := g.rows(k * g.h)
	g.give(act)
	g.give(order)
	g.give(chosen)
	out := down
	if k > 1 {
		out = g.rows(g.h)
		g.give(down)
	}
	if shared > 0 {
		g.give(g.ffn(shared, p.Get(model.Gated) != 0, false, n))
	}
	return out
}

// ffn plans one feed-forward.
func (g *graph) ffn(width int64, gated, one bool, n span) span {
	var act span
	switch {
	case gated && one:
		up := g.rows(2 * width)
		g.give(n)
		act = g.rows(width)
		g.give(up)
	case gated:
		gate, up := g.rows(width), g.rows(width)
		g.give(n)
		act = g.rows(width)
		g.give(gate)
		g.give(up)
	default:
		act = g.rows(width)
		g.give(n)
	}
	out := g.rows(g.h)
	g.give(act)
	return out
}

// sharedWidth is the width of the experts that every token passes.
func sharedWidth(p *model.Part) int64 {
	var rows, n int64
	for ti := range p.Tensors {
		t := &p.Tensors[ti]
		if t.Role == model.FFN && t.Op == model.MatMul && len(t.Dims) == 2 {
			rows += t.Elements * t.Copies
			n++
		}
	}
	if n == 0 {
		return 0
	}
	h := hiddenOf(p)
	if h == 0 {
		return 0
	}
	parts := int64(2)
	if p.Get(model.Gated) != 0 {
		parts = 3
	}
	return rows / h / parts
}

// hiddenOf is the width that a channel mixer's router or first matrix reads.
func hiddenOf(p *model.Part) int64 {
	for ti := range p.Tensors {
		if t := &p.Tensors[ti]; t.Role == model.Router && len(t.Dims) == 2 {
			return max(t.Dims[1].Size, t.Dims[0].Size)
		}
	}
	return 0
}
