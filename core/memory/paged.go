package memory

import "llmsize/core/fault"

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
func paged(specs []spec, q CacheQuestion) ([]CacheTerm, int64, *fault.Error) {
	var states, layers []spec
	for _, s := range specs {
		if s.state {
			states = append(states, s)
		} else {
			layers = append(layers, s)
		}
	}
	out, total, err := sum(states, q, nil)
	if err != nil || len(layers) == 0 {
		return out, total, err
	}
	// Pages must have one size: a smaller one is made larger by holding more tokens.
	page := int64(0)
	for i := range layers {
		page = max(page, layers[i].page())
	}
	size := layers[0].Layers
	least, most := size, size
	for _, s := range layers {
		least, most = min(least, s.Layers), max(most, s.Layers)
	}
	if size = least; 2*most < 3*least {
		size = most
	}
	one := len(layers) == 1
	for i := range layers {
		s := &layers[i]
		tokens := s.tokens() * max(1, page/s.page())
		n := s.blocks(q, tokens)
		t := s.CacheTerm
		t.Tokens, t.Each = n*tokens, page/tokens
		slots := s.Layers
		if !one {
			slots = (s.Layers + size - 1) / size * size
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

// tokens in a block of the layer's kind.
func (s *spec) tokens() int64 {
	if s.latent > 0 {
		return mlaTokens
	}
	return pageTokens
}

// page is the bytes of one block in one layer.
func (s *spec) page() int64 { return max(1, s.tokens()*s.bytes()) }

// blocks is how many blocks of so many tokens a request claims in one layer.
func (s *spec) blocks(q CacheQuestion, tokens int64) int64 {
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
