package memory

import (
	"llmsize/core/fault"
	"llmsize/core/model"
)

// Buffers is what llama.cpp reserves beside weights and cache.
type Buffers struct {
	Compute int64 // for the tensors of one graph
	Output  int64 // for the logits that are handed out
	// Why is set when the graph holds layers that the plan below does not know;
	// Compute is then that of the parts it knows.
	Why string
}

// LlamaBuffers works out llama.cpp's compute and output buffers (llama.cpp of
// 2026, llama-context.cpp graph_reserve, llama-graph.cpp, ggml-alloc.c).
//
// The output buffer is a row of 32-bit logits for each sequence: batch · V · 4
// bytes. The compute buffer is the peak of a plan: the graph of one ubatch of
// u = min(n_ctx, ubatch) tokens is walked in order, each tensor placed in the
// best hole and given back after its last use, everything in 32 bits. What
// makes the peak is one of
//
//	head    u·V + 2·u·h                      logits beside the hidden state
//	FFN     3·u·f + 4·u·h                    gate, up, their product, the residual …
//	experts 3·u·K·f + 4·u·h
//	scores  u·cells·heads + …                without flash attention
//
// with the mask (u · cells, 2 bytes with flash attention, 4 without) beside all
// but the first. Domain: decoder-only models; state-space and linear-attention
// layers are named in Why. One layer of every kind is planned twice, and the last
// of each, because the plan repeats.
func LlamaBuffers(m *model.Model, q CacheQuestion, flash bool) (Buffers, *fault.Error) {
	return whole(m, &q).llamaBuffers(&q, flash)
}

func (p *Piece) llamaBuffers(q *CacheQuestion, flash bool) (Buffers, *fault.Error) {
	vocab, hidden := p.of.vocab, p.of.hidden
	cells := roundUp(q.Context, LlamaPad)
	total, ok := product(cells, q.Batch)
	out, ok2 := product(q.Batch, vocab, 4)
	_, ok3 := product(q.Chunk, max(vocab, cells), 1024)
	if !ok || !ok2 || !ok3 || vocab == 0 {
		return Buffers{}, tooLarge()
	}
	g := graph{q: q, flash: flash, tp: 1, width: 4, u: min(q.Chunk, total), cells: cells, h: hidden}
	if p.last.tokens == g.u && p.last.cells == cells {
		return Buffers{p.last.bytes, out, p.why}, nil
	}
	w := p.walked()
	g.uniform = w.uniform()
	g.inputs(w)
	g.run(p)
	g.rows(vocab)
	p.last, p.why = planned{g.u, cells, g.peak}, g.why
	return Buffers{g.peak, out, g.why}, nil
}

// HeadSize returns the head's rows and width: the vocabulary and the hidden size.
func HeadSize(m *model.Model) (vocab, hidden int64) {
	m.EachUsed(func(b *model.Block, k *model.Kind, p *model.Part, t *model.Tensor, layers int64) {
		if (p.Role == model.Head || p.Role == model.Embedding && vocab == 0) && p.Stream == "" && len(t.Dims) == 2 {
			vocab, hidden = t.Dims[0].Size, t.Dims[1].Size
		}
	})
	return vocab, hidden
}

// uniform reports whether every layer has the same window: llama.cpp keeps a
// cache of its own for windows only in models that alternate them with full
// attention, and gives Mistral-7B-v0.1 or StarCoder2 none.
func (w *walk) uniform() bool {
	for i := range w.kinds {
		if p := w.kinds[i].attention; p != nil && p.Get(model.Window) == 0 && p.Get(model.Chunk) == 0 {
			return false
		}
	}
	return true
}

// inputs places what the graph is given, all of it before the first layer.
func (g *graph) inputs(layers *walk) {
	g.take(4 * g.u) // tokens
	g.take(4 * g.h * g.u)
	var widest, head int64
	for i := range layers.kinds {
		if p := layers.kinds[i].attention; p != nil {
			widest = max(widest, valueWidth(p))
			if p.Get(model.Latent) == 0 {
				head = max(head, p.Get(model.HeadDim))
			}
		}
	}
	if g.q.Format.Block > 1 && head > 0 && head%64 == 0 { // a rotation smooths what is quantised
		g.rotate = true
		n := int64(64)
		for head%(2*n) == 0 {
			n *= 2
		}
		g.turnKeys = g.take(4 * n * n)
	}
	g.positions = g.take(4 * g.u)
	if g.rotate {
		g.turnValues = g.take(4 * 64 * 64)
	}
	for i := range layers.kinds {
		p := layers.kinds[i].attention
		if p == nil {
			continue
		}
		w := g.window(p)
		at := -1
		for j := range g.masks {
			if g.masks[j].window == w {
				at = j
			}
		}
		if at < 0 {
			in := mask{window: w, cells: g.cells}
			in.keys = g.take(8 * g.u)
			size := int64(2)
			if w > 0 {
				in.cells = min(g.cells, roundUp(w+g.q.Chunk, LlamaPad))
			}
			if g.flash {
				in.values = g.take(8 * g.u)
			} else { // there values are kept transposed, and every element has a place
				size = 4
				in.values = g.take(8 * g.u * widest)
			}
			in.at = g.take(size * in.cells * g.u)
			g.masks = append(g.masks, in)
			at = len(g.masks) - 1
		}
		g.masks[at].last = max(g.masks[at].last, layers.kinds[i].last)
	}
	g.picked = g.take(4 * g.u)
}
