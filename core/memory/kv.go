// Package memory works out the bytes that running a model takes, from its typed
// layers.
package memory

import (
	"math/bits"

	"llmsize/core/arch"
	"llmsize/core/fault"
)

// Policy is who lays the cache out.
type Policy uint8

// The policies.
const (
	Minimum      Policy = iota // what the next token needs
	Transformers               // what transformers holds after a prefill of Context tokens
)

// CacheQuestion is what the size of a cache depends on beside the model.
type CacheQuestion struct {
	Policy  Policy
	Context int64 // tokens held per sequence; an encoder-decoder's decoder tokens
	Encoder int64 // an encoder-decoder's encoder tokens
	Batch   int64 // sequences
	Bits    int64 // of a cached key or value element
	State   int64 // bits of a recurrent state element, where the class does not keep it in fp32
}

// CacheTerm is the cache of the layers of one kind.
type CacheTerm struct {
	Block    string // "layers"
	Kind     string // what sets the layers apart; empty when all are alike
	What     string // "keys and values", "latent", "state", "convolution state", "index keys", "cross keys and values"
	Layers   int64
	Elements int64 // per layer and token, or per layer when Tokens is 0
	Tokens   int64 // held per layer; 0 for a state, which does not grow
	Bits     int64
	Bytes    int64 // for all layers and sequences
	Window   int64 // the window or chunk that bounds Tokens; 0 when nothing does
}

// Cache returns the least that the next token needs: for each layer, keys and
// values of the tokens that it can still see; an MLA layer's latent and rotary
// key instead; recurrent and convolution state once; cross-attention's keys and
// values of the encoder's tokens once. Bytes = batch · Σ layers · elements ·
// tokens · bits / 8 (Pope et al. 2022, arXiv 2211.05102, section 3.3; the latent
// after DeepSeek-V2, arXiv 2405.04434, section 2.1).
func Cache(m *arch.Model, q CacheQuestion) ([]CacheTerm, int64, *fault.Error) {
	var out []CacheTerm
	total := int64(0)
	add := func(t CacheTerm) *fault.Error {
		if t.Elements == 0 || t.Layers == 0 {
			return nil
		}
		n, ok := product(t.Layers, t.Elements, max(t.Tokens, 1), t.Bits, q.Batch)
		t.Bytes = n / 8
		if total += t.Bytes; !ok || total < 0 {
			return &fault.Error{Field: "context", Problem: "the cache is too large to count", Hint: "make the context or the batch smaller"}
		}
		// Kinds of layer that differ elsewhere (a norm, a feed-forward) may have one cache.
		for i := range out {
			o := &out[i]
			if o.Block == t.Block && o.What == t.What && o.Elements == t.Elements && o.Tokens == t.Tokens && o.Bits == t.Bits && o.Window == t.Window {
				o.Layers += t.Layers
				o.Bytes += t.Bytes
				if o.Kind != t.Kind {
					o.Kind = ""
				}
				return nil
			}
		}
		out = append(out, t)
		return nil
	}
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			for pi := range k.Parts {
				for _, t := range partCache(&k.Parts[pi], q) {
					t.Block, t.Kind, t.Layers = b.Title, k.Label, k.Count
					if err := add(t); err != nil {
						return nil, 0, err
					}
				}
			}
		}
	}
	return out, total, nil
}

// partCache is what one layer's part keeps for one sequence.
func partCache(p *arch.Part, q CacheQuestion) []CacheTerm {
	if p.Stream != "" && p.Get("cross") == 0 || p.Get("unused") != 0 || p.Get("shared") != 0 {
		return nil
	}
	var out []CacheTerm
	if p.Get("uncached") != 0 && q.Policy == Transformers {
		return nil
	}
	tokens, window := q.Context+p.Get("prefix"), int64(0)
	for _, name := range []string{"window", "chunk"} {
		if w := p.Get(name); w > 0 && w <= tokens && !(q.Policy == Transformers && p.Get("keeps_all") != 0) {
			tokens, window = w, w
			if q.Policy == Transformers {
				tokens-- // it keeps what the next token will see beside itself
			}
		}
	}
	cross := p.Get("cross") != 0
	if p.Get("whole") == 0 || cross {
		t := CacheTerm{What: "keys and values", Tokens: tokens, Window: window, Bits: q.Bits}
		switch {
		case p.Get("latent") > 0:
			t.What, t.Elements = "latent", p.Get("latent")+p.Get("rope")
		case p.Get("kv_heads") > 0:
			v := p.Get("v_dim")
			if !p.Has("v_dim") {
				v = p.Get("head_dim")
			}
			t.Elements = p.Get("kv_heads") * (p.Get("head_dim") + v)
		}
		if cross {
			t.What, t.Tokens, t.Window = "cross keys and values", q.Encoder, 0
		}
		if t.Tokens > 0 {
			out = append(out, t)
		}
		if n := p.Get("index"); n > 0 {
			out = append(out, CacheTerm{What: "index keys", Elements: n, Tokens: tokens, Window: window, Bits: q.Bits})
		}
	}
	state := func(what, name string) {
		if n := p.Get(name); n > 0 {
			bits := q.State
			if p.Get(name+"_f32") != 0 {
				bits = 32
			}
			out = append(out, CacheTerm{What: what, Elements: n, Bits: bits})
		}
	}
	state("state", "state")
	state("convolution state", "conv")
	return out
}

// product multiplies with a check for overflow.
func product(factors ...int64) (int64, bool) {
	n := uint64(1)
	for _, f := range factors {
		hi, lo := bits.Mul64(n, uint64(f))
		if hi != 0 || lo > 1<<63-1 || f < 0 {
			return 0, false
		}
		n = lo
	}
	return int64(n), true
}
