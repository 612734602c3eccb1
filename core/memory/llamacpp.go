package memory

import "llmsize/core/fault"

// LlamaPad is what llama.cpp rounds the cells of a cache up to.
const LlamaPad = 256

// llamaCpp is llama.cpp's cache: one stream of cells for each sequence, padded;
// a window keeps its own cache of window + chunk cells where that is less
// (llama-kv-cache-iswa.cpp: size_swa = pad(min(size, n_swa + n_ubatch))); state
// in fp32. Its n_ctx is context × batch, shared out over the streams.
//
// Only models that alternate windows with full attention get such a second
// cache; where every layer has the same window (Mistral-7B-v0.1, StarCoder2,
// Phi-3-mini) llama.cpp knows of none.
func llamaCpp(out []CacheTerm, specs []spec, q *CacheQuestion) ([]CacheTerm, int64, *fault.Error) {
	cells := roundUp(q.Context, LlamaPad)
	mixed := false
	for i := range specs {
		mixed = mixed || specs[i].Window == 0 && !specs[i].state && !specs[i].cross
	}
	if !mixed {
		for i := range specs {
			specs[i].Window = 0
		}
	}
	return sum(out, specs, q, func(s *spec) int64 {
		switch {
		case s.cross:
			return roundUp(q.Encoder, LlamaPad)
		case s.Window > 0:
			return min(cells, roundUp(s.Window+q.Chunk, LlamaPad))
		}
		return cells
	})
}

func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }
