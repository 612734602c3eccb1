package memory

import (
	"llmsize/core/fault"
	"llmsize/core/model"
)

// Tokens in a block of vLLM's cache: 16, and 64 for MLA, whose kernels want it.
const (
	pageTokens = 16
	mlaTokens  = 64
)

// paged is what vLLM's planner reserves for a request (vllm 0.33.0,
// v1/core/kv_cache_planning.py and v1/kv_cache_interface.py).
//
// A layer that sees everything takes ⌈n/16⌉ blocks, a window ⌈min(w − 1 +
// in flight, n)/16⌉ + 1, a chunk ⌈min(c + in flight, n)/16⌉. Where all layers are
// of one kind, each takes its own blocks. Layers of several kinds are cut into
// groups of equal size, as many layers as the rarest kind has (as the commonest,
// when that is less than one and a half times as many); every group claims
// whole blocks of a pool whose block holds a page for each layer of the largest
// group, so a group that is not full pays for layers that are not there.
//
// A recurrent layer takes one block, which must hold its state. Beside attention
// blocks are made larger until they do (platforms/interface.py,
// _align_hybrid_block_size): 16 · ⌈state / (16 · bytes of a token)⌉ tokens, with
// 128 in place of 16 for latents; a state's block is padded to the same size. The
// convolution's state is one token short of its kernel, and both are kept in 16
// bits unless the config says that the state is not. That is without prefix
// caching, which keeps a second state.
func paged(out []CacheTerm, specs []spec, q *CacheQuestion) ([]CacheTerm, int64, *fault.Error) {
	if len(specs) == 0 {
		return out, 0, nil
	}
	page, state := int64(0), int64(0)
	var widest *spec // whose page is the largest
	least, most := specs[0].Layers, specs[0].Layers
	for i := range specs {
		s := &specs[i]
		least, most = min(least, s.Layers), max(most, s.Layers)
		if s.state {
			state = max(state, s.bytes())
		} else if n := s.page(); n > page {
			page, widest = n, s
		}
	}
	if widest == nil {
		return sum(out, specs, q, nil)
	}
	// Pages must have one size: a smaller one is made larger by holding more tokens, or
	// padded where the sizes do not divide.
	aligned := int64(0) // tokens in a block of attention beside states
	if state > page {
		step := widest.bytes() * pageTokens
		if widest.latent > 0 {
			step = widest.bytes() * 2 * mlaTokens
		}
		page = roundUp(state, step)
		aligned = page / widest.bytes()
	}
	size := least
	if 2*most < 3*least {
		size = most
	}
	total := int64(0)
	for i := range specs {
		s := &specs[i]
		t, slots, n := s.CacheTerm, s.Layers, int64(1)
		if t.Each = page; !s.state {
			tokens := max(s.tokens(), aligned)
			if own := tokens * max(s.bytes(), 1); page%own == 0 {
				tokens *= page / own
			}
			n = s.blocks(q, tokens)
			t.Tokens, t.Each = n*tokens, page/tokens
		}
		if len(specs) > 1 {
			slots = roundUp(s.Layers, size)
			t.Padding = slots - s.Layers
		}
		var ok bool
		t.Bytes, ok = product(slots, n, page, q.Batch)
		if total += t.Bytes; !ok || total < 0 {
			return nil, 0, tooLarge()
		}
		out = append(out, t)
	}
	return out, total, nil
}

// collectPaged lists what vLLM plans for: what collect does, but one state for
// each recurrent layer.
func collectPaged(m *model.Model, q *CacheQuestion) []spec {
	out := collect(m, q)
	for b, k := range m.Kinds() {
		out = merge(out, pagedState(b, k, q))
	}
	return out
}

// pagedState is the one state that vLLM keeps of a recurrent layer; no elements in others.
func pagedState(b *model.Block, k *model.Kind, q *CacheQuestion) *spec {
	elements, bytes := int64(0), int64(0)
	for pi := range k.Parts {
		p := &k.Parts[pi]
		if p.Stream != "" || p.Get(model.Unused) != 0 {
			continue
		}
		state, conv := p.Get(model.StateSize), p.Get(model.ConvState)
		if kernel := kernelOf(p); kernel > 1 && conv%kernel == 0 {
			conv -= conv / kernel
		}
		elements += state + conv
		bytes += state*q.State/8 + conv*2
	}
	s := &spec{state: true, format: Format{"bf16", elements, bytes}}
	s.Block, s.Kind, s.What, s.Layers, s.Elements, s.Format = b.Title, k.Label, "state", k.Count, elements, "bf16"
	return s
}

// kernelOf is how many tokens a recurrent layer's convolution sees; 0 without one.
func kernelOf(p *model.Part) int64 {
	for i := range p.Tensors {
		if t := &p.Tensors[i]; t.Op == model.Conv && len(t.Dims) > 1 {
			return t.Dims[len(t.Dims)-1].Size
		}
	}
	return 0
}

// tokens in a block of the layer's kind.
func (s *spec) tokens() int64 {
	if s.latent > 0 {
		return mlaTokens
	}
	return pageTokens
}

// page is the bytes of one block in one layer.
func (s *spec) page() int64 { return max(1, s.tokens()*s.bytes()) }

// blocks is how many blocks of that size in tokens a request claims in one layer.
func (s *spec) blocks(q *CacheQuestion, tokens int64) int64 {
	n := s.entries(q.Context + s.prefix)
	more := int64(0)
	switch {
	case s.cross:
		n = q.Encoder
	case s.chunked:
		n = min(s.Window+q.Chunk, n)
	case s.Window > 0:
		n = min(s.Window-1+q.Chunk, n)
		more = 1
	}
	return (n+tokens-1)/tokens + more
}
