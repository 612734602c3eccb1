// Package memory works out the bytes that running a model takes, from its typed
// layers.
package memory

import (
	"math/bits"

	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// Policy is who lays the cache out.
type Policy uint8

// The policies.
const (
	Minimum      Policy = iota // what the next token needs
	Transformers               // what transformers holds after a prefill of Context tokens
	Paged                      // what vLLM's planner reserves: blocks, groups of layers, windows + chunk
	LlamaCpp                   // what llama.cpp allocates: padded cells, windows + chunk, one stream a sequence
)

// Policies are the policies by the names that queries give them.
var Policies = []string{"minimum", "transformers", "paged", "llama.cpp"}

// String is the policy's name.
func (p Policy) String() string { return Policies[p] }

// PolicyNamed returns a policy by its name.
func PolicyNamed(name string) (Policy, bool) {
	for i, p := range Policies {
		if p == name {
			return Policy(i), true
		}
	}
	return 0, false
}

// CacheQuestion is what the size of a cache depends on beside the model.
type CacheQuestion struct {
	Policy  Policy
	Context int64 // tokens held per sequence; an encoder-decoder's decoder tokens
	Encoder int64 // an encoder-decoder's encoder tokens
	Batch   int64 // sequences
	Chunk   int64 // tokens processed at once: vLLM's tokens in flight, llama.cpp's ubatch
	Format  Format
	State   int64 // bits of a recurrent state element, where the class does not keep it in fp32
}

// Format is how a cached element is stored: in blocks of Block elements, Bytes each.
type Format struct {
	Name         string
	Block, Bytes int64
}

// Formats of the cache. q8_0 … are llama.cpp's blocks of 32 with a 16-bit scale
// (ggml-common.h): 32 + 2 bytes, 16 + 2, 16 + 2 + 2, 20 + 2, 20 + 2 + 2.
var formats = []Format{
	{"fp32", 1, 4}, {"bf16", 1, 2}, {"fp16", 1, 2}, {"fp8", 1, 1}, {"int8", 1, 1},
	{"q8_0", 32, 34}, {"q5_1", 32, 24}, {"q5_0", 32, 22}, {"q4_1", 32, 20}, {"q4_0", 32, 18}, {"iq4_nl", 32, 18},
	{"fp8-ds-mla", 1, 1},
}

// FormatNamed returns a cache format.
func FormatNamed(name string) (Format, bool) {
	for _, f := range formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// CacheTerm is the cache of the layers of one kind.
type CacheTerm struct {
	Block    string // "layers"
	Kind     string // what sets the layers apart; empty when all are alike
	What     string // "keys and values", "latent", "state", "convolution state", "index keys", "cross keys and values"
	Layers   int64
	Elements int64 // per layer and token, or per layer when Tokens is 0
	Tokens   int64 // held per layer; 0 for a state, which does not grow
	Format   string
	Bytes    int64 // for all layers and sequences
	Window   int64 // the window or chunk that bounds Tokens; 0 when nothing does
	Each     int64 // bytes of one token in one layer, or of the state in one
	Padding  int64 // layers that are in the sum only because groups have equal sizes
}

// spec is what one kind of layer caches, before a policy lays it out.
type spec struct {
	CacheTerm
	prefix   int64 // tokens before the first
	chunked  bool  // Window is a chunk
	cross    bool
	state    bool
	rate     int64 // one entry for this many tokens, rounded down; 0 is one for each
	modulo   int64 // only the tokens past the last multiple of it
	keepsAll bool  // transformers keeps what the window does not see
	latent   int64
	rope     int64
	rows     [2]int64 // elements of a key row and of a value row
	format   Format
}

// Cache returns what a cache takes under a policy, and its terms.
//
// Minimum: for each layer the keys and values of the tokens that it can still
// see; an MLA layer's latent and rotary key instead; recurrent and convolution
// state once; cross-attention's keys and values of the encoder's tokens once.
// Bytes = batch · Σ layers · elements · tokens · bytes (Pope et al. 2022, arXiv
// 2211.05102, section 3.3; the latent after DeepSeek-V2, arXiv 2405.04434,
// section 2.1). The other policies are in files of their own.
func Cache(m *model.Model, q CacheQuestion) ([]CacheTerm, int64, *fault.Error) {
	if q.Policy == Paged {
		return lay(nil, collectPaged(m, &q), &q)
	}
	return lay(nil, collect(m, &q), &q)
}

// lay lays out what layers cache, and adds the terms to out.
func lay(out []CacheTerm, specs []spec, q *CacheQuestion) ([]CacheTerm, int64, *fault.Error) {
	for i := range specs {
		s := &specs[i]
		if q.Policy == LlamaCpp {
			for _, r := range s.rows {
				if !s.state && r%s.format.Block != 0 {
					return nil, 0, &fault.Error{Field: "kv", Given: s.format.Name, Problem: "a row of the cache has " + units.Itoa(r) + " elements, which blocks of " + units.Itoa(s.format.Block) + " do not divide", Allowed: "bf16"}
				}
			}
		}
	}
	switch q.Policy {
	case Paged:
		return paged(out, specs, q)
	case LlamaCpp:
		return llamaCpp(out, specs, q)
	}
	return held(out, specs, q)
}

// CacheHeld is Cache for the policies that only hold tokens, without blocks or
// padding: what the page's first program knows.
func CacheHeld(m *model.Model, q CacheQuestion) ([]CacheTerm, int64, *fault.Error) {
	return held(nil, collect(m, &q), &q)
}

// held sums what is held under Minimum and Transformers.
func held(out []CacheTerm, specs []spec, q *CacheQuestion) ([]CacheTerm, int64, *fault.Error) {
	return sum(out, specs, q, func(s *spec) int64 {
		if s.Window > 0 && q.Policy == Transformers {
			return s.Window - 1 // it keeps what the next token will see beside itself
		}
		if s.Window > 0 {
			return s.Window
		}
		if s.cross {
			return q.Encoder
		}
		return q.Context + s.prefix
	})
}

// sum adds the terms up, with as many tokens for each as the policy says.
func sum(out []CacheTerm, specs []spec, q *CacheQuestion, tokens func(s *spec) int64) ([]CacheTerm, int64, *fault.Error) {
	total := int64(0)
	for i := range specs {
		t := specs[i].CacheTerm
		t.Each = specs[i].bytes()
		n := int64(1)
		if !specs[i].state {
			n = specs[i].entries(tokens(&specs[i]))
			t.Tokens = n
		}
		var ok bool
		t.Bytes, ok = product(t.Layers, t.Each, n, q.Batch)
		if total += t.Bytes; !ok || total < 0 {
			return nil, 0, tooLarge()
		}
		out = append(out, t)
	}
	return out, total, nil
}

// entries is how many entries the tokens make.
func (s *spec) entries(tokens int64) int64 {
	switch {
	case s.rate > 0:
		return tokens / s.rate
	case s.modulo > 0:
		return tokens % s.modulo
	}
	return tokens
}

func tooLarge() *fault.Error {
	return &fault.Error{Field: "context", Problem: "the cache is too large to count", Hint: "make the context or the batch smaller"}
}

// bytes is what one layer keeps of one token, or of a sequence for a state.
func (s *spec) bytes() int64 {
	if s.format.Name == "fp8-ds-mla" && s.latent > 0 {
		// vLLM's latent: fp8 with an fp32 scale for every 128, the rotary key in bf16.
		return s.latent + s.latent/128*4 + s.rope*2
	}
	return (s.Elements*s.format.Bytes + s.format.Block - 1) / s.format.Block
}

// collect lists what every kind of layer caches; kinds that cache alike are one.
func collect(m *model.Model, q *CacheQuestion) []spec {
	var out, own []spec
	for b, k := range m.Kinds() {
		own = kindSpecs(own[:0], b, k, q)
		for i := range own {
			out = merge(out, &own[i])
		}
	}
	return out
}

// kindSpecs adds what the layers of a kind cache.
func kindSpecs(list []spec, b *model.Block, k *model.Kind, q *CacheQuestion) []spec {
	from := len(list)
	for pi := range k.Parts {
		list = partSpecs(list, &k.Parts[pi], q)
	}
	for i := from; i < len(list); i++ {
		s := &list[i]
		s.Block, s.Kind, s.Layers = b.Title, k.Label, k.Count
	}
	return list
}

// merge adds a spec, or its layers to one that caches the same: kinds of layer
// may differ in a norm or a feed-forward only.
func merge(list []spec, s *spec) []spec {
	if s.Elements == 0 || s.Layers == 0 {
		return list
	}
	for i := range list {
		o := &list[i]
		if o.Block == s.Block && o.What == s.What && o.Elements == s.Elements && o.rows == s.rows && o.Window == s.Window &&
			o.chunked == s.chunked && o.format == s.format && o.prefix == s.prefix && o.rate == s.rate && o.modulo == s.modulo && o.keepsAll == s.keepsAll {
			o.Layers += s.Layers
			if o.Kind != s.Kind {
				o.Kind = ""
			}
			return list
		}
	}
	return push(list, s)
}

// partSpecs adds what one layer's part keeps for one sequence. Window is set where
// it is what bounds the tokens.
func partSpecs(out []spec, p *model.Part, q *CacheQuestion) []spec {
	if p.Stream != "" && p.Get(model.Cross) == 0 || p.Get(model.Unused) != 0 || p.Get(model.Shared) != 0 || p.Get(model.Encodes) != 0 {
		return out
	}
	if p.Get(model.Uncached) != 0 && q.Policy == Transformers {
		return out
	}
	base := spec{prefix: p.Get(model.Prefix), format: q.Format, keepsAll: p.Get(model.KeepsAll) != 0}
	base.Format = q.Format.Name
	if !(base.keepsAll && q.Policy == Transformers) {
		for _, name := range []model.Property{model.Window, model.Chunk} {
			if w := p.Get(name); w > 0 && (base.Window == 0 || w < base.Window) {
				base.Window, base.chunked = w, name == model.Chunk
			}
		}
	}
	if base.Window > q.Context+base.prefix && q.Policy != Paged && q.Policy != LlamaCpp {
		base.Window = 0
	}
	cross := p.Get(model.Cross) != 0
	if whole := p.Get(model.Whole); whole&1 == 0 || whole == 3 && q.Policy == Transformers || cross {
		s := base
		s.What = "keys and values"
		switch {
		case p.Get(model.Latent) > 0:
			s.What, s.latent, s.rope = "latent", p.Get(model.Latent), p.Get(model.Rope)
			s.Elements = s.latent + s.rope
			s.rows[0] = s.Elements
		case p.Get(model.KVHeads) > 0:
			v := p.Get(model.VDim)
			if !p.Has(model.VDim) {
				v = p.Get(model.HeadDim)
			}
			s.rows = [2]int64{p.Get(model.KVHeads) * p.Get(model.HeadDim), p.Get(model.KVHeads) * v}
			s.Elements = s.rows[0] + s.rows[1]
		}
		if cross {
			s.What, s.cross, s.Window, s.chunked, s.prefix = "cross keys and values", true, 0, false, 0
		}
		if s.Elements > 0 && (!cross || q.Encoder > 0) { // most parts cache nothing
			out = push(out, &s)
		}
		rate := p.Get(model.Compress)
		if rate > 0 { // beside the window, one entry for every rate tokens of the whole context
			c := s
			c.What, c.Window, c.chunked, c.rate = "compressed latents", 0, false, rate
			out = push(out, &c)
			c.What, c.Elements, c.rows = "tokens of the unfinished entry", p.Get(model.Pending), [2]int64{}
			c.rate, c.modulo = 0, rate
			out = push(out, &c)
		}
		if n := p.Get(model.IndexWidth); n > 0 {
			s := base
			if rate > 0 {
				s.Window, s.chunked, s.rate = 0, false, rate
			}
			s.What, s.Elements, s.rows = "index keys", n, [2]int64{n, 0}
			if p.Get(model.IndexF32) != 0 {
				s.format = Format{"fp32", 1, 4}
				s.Format = s.format.Name
			}
			out = push(out, &s)
		}
	}
	for _, x := range [...]struct {
		what       string
		size, fp32 model.Property
	}{{"state", model.StateSize, model.StateF32}, {"convolution state", model.ConvState, model.ConvF32}} {
		if n := p.Get(x.size); n > 0 && q.Policy != Paged { // of which vLLM keeps one: pagedState
			s := spec{state: true, format: Format{"bf16", 1, q.State / 8}}
			if p.Get(x.fp32) != 0 || q.Policy == LlamaCpp {
				s.format = Format{"fp32", 1, 4}
			}
			s.What, s.Elements, s.Format = x.what, n, s.format.Name
			out = push(out, &s)
		}
	}
	return out
}

// push is append: a spec is large to hand over, and to write down in each place that adds one.
func push(list []spec, s *spec) []spec { return append(list, *s) }

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
