// Package compute works out the FLOPs of a pass from a model's typed layers.
//
// A multiply and an add are two FLOPs, as everywhere in the field. Matrix
// products come from the tensors themselves: each multiplied element is 2 FLOPs
// a token, experts by the share of tokens that is routed to them, the head at
// every position; embeddings are looked up, norms and activations are left out
// (Kaplan et al. 2020, arXiv 2001.08361, section 2.1; PaLM, arXiv 2204.02311,
// appendix B). Attention scores are counted by layer: two products of the heads'
// width for every pair of tokens that see each other.
//
// Totals are float64, exact below 2^53 and summed in the model's order, so that
// every host prints the same digits.
package compute

import (
	"llmsize/core/model"
)

// Scores is the convention for attention scores.
type Scores uint8

// The conventions. Encoder and cross attention are whole under both.
const (
	Causal Scores = iota // the pairs that are seen: s(s+1)/2; with a window Σ min(i, w)
	Full                 // s² in every layer, windowed ones too, as a profiler counts the plain kernel
)

// Pass is one forward pass.
type Pass struct {
	Tokens  int64 // new tokens per sequence, each of which attends
	Past    int64 // tokens held before them
	Encoder int64 // an encoder-decoder's encoder tokens that cross attention sees
	// EncoderPass says whether the encoder runs over its tokens in this pass, and
	// cross attention's keys and values are made: true for a prefill, false for decoding.
	EncoderPass bool
	Batch       int64
	Scores      Scores
	// Absorbed says that MLA attends over its latents, with the up-projections taken into
	// queries and outputs: how one token is decoded (DeepSeek-V2, arXiv 2405.04434, section 2.1.2).
	Absorbed bool
}

// Term is the FLOPs of one component in the layers of one kind.
type Term struct {
	Block  string
	Kind   string
	Title  string
	Role   model.Role
	Layers int64
	Matmul float64 // weights
	Score  float64 // attention scores: QKᵀ and the weighted sum of values; an index's, which pick
	Conv   float64 // convolutions over time
	Scan   float64 // recurrences, by their algorithm
}

// FLOPs is the term's sum.
func (t *Term) FLOPs() float64 {
	return float64(float64(t.Matmul+t.Score) + float64(t.Conv+t.Scan))
}

// Forward counts one forward pass, term by term.
func Forward(m *model.Model, q Pass) ([]Term, float64) {
	n, total := 0, 0.0
	for _, k := range m.Kinds() {
		n += len(k.Parts)
	}
	out := make([]Term, 0, n)
	for b, k := range m.Kinds() {
		for pi := range k.Parts {
			p := &k.Parts[pi]
			t := Term{Block: b.Title, Kind: k.Label, Title: p.Title, Role: p.Role, Layers: k.Count}
			t.count(p, q)
			scale := float64(k.Count) * float64(q.Batch)
			t.Matmul, t.Score, t.Conv, t.Scan = float64(t.Matmul*scale), float64(t.Score*scale), float64(t.Conv*scale), float64(t.Scan*scale)
			if n := t.FLOPs(); n > 0 {
				total = float64(total + n)
				out = append(out, t)
			}
		}
	}
	return out, total
}

// Alternate is the FLOPs that run again in a layer of which the results of the first, the
// third, … product with a matrix are kept, and those of flash attention: the other products,
// experts, and scores without flash. Convolutions and scans run again too.
func Alternate(m *model.Model, q Pass, flash bool) float64 {
	total := 0.0
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for ki := range b.Kinds {
			if b.Index == "" {
				continue
			}
			k, products := &b.Kinds[ki], 0
			for pi := range k.Parts {
				p := &k.Parts[pi]
				if p.Get(model.Unused) != 0 {
					continue
				}
				var t Term
				t.count(p, q)
				again := t.Matmul + t.Conv + t.Scan
				if !flash {
					again = float64(again + t.Score)
				}
				for i := range p.Tensors {
					x := &p.Tensors[i]
					if x.Op != model.MatMul || len(x.Dims) != 2 || x.ActiveOf > 1 || x.Uses == 0 {
						continue
					}
					if products++; products%2 == 1 {
						again = float64(again - product(p, x, q))
					}
				}
				total = float64(total + float64(again*float64(float64(k.Count)*float64(q.Batch))))
			}
		}
	}
	return total
}

// product is the FLOPs of one sequence's products with a tensor.
func product(p *model.Part, x *model.Tensor, q Pass) float64 {
	n := float64(2 * float64(x.Elements) * float64(x.Copies) * float64(q.tokens(p, x.Stream)) * float64(x.Uses))
	if x.Active != x.ActiveOf {
		n = float64(n * float64(x.Active) / float64(x.ActiveOf))
	}
	return n
}

// tokens is how many tokens of a sequence a part works on, or the tensor in it that names a stream of its own.
func (q *Pass) tokens(p *model.Part, stream string) int64 {
	if stream == "" {
		stream = p.Stream
	}
	switch stream {
	case "":
		return pooled(p, q.Tokens)
	case "pooled":
		return 1
	case "encoder":
		if q.EncoderPass {
			return q.Encoder * max(1, p.Get(model.Stride)) // at most Longest tokens, or this wraps
		}
	}
	return 0
}

// Longest is how many tokens an encoder may have at most, so that the places before it can be counted.
func Longest(m *model.Model) int64 {
	n := int64(1)
	for _, k := range m.Kinds() {
		for pi := range k.Parts {
			if p := &k.Parts[pi]; p.Stream == "encoder" {
				n = max(n, p.Get(model.Stride))
			}
		}
	}
	return (1<<63 - 1) / n
}

// keys is how many keys n new tokens of a part and those before them have.
func (q *Pass) keys(p *model.Part, n int64) int64 {
	if n == 0 { // another stream's tokens run
		return q.Past
	}
	return pooled(p, q.Past+q.Tokens)
}

// pooled is how many of a text's tokens reach a part before which groups of them were made one: of those beside, which
// stay apart, none was.
func pooled(p *model.Part, n int64) int64 {
	stride, plus := p.Get(model.Stride), p.Get(model.Plus)
	if stride <= 1 || n <= plus {
		return n
	}
	return plus + (n-plus+stride-1)/stride
}

// count adds up one layer's part for one sequence.
func (t *Term) count(p *model.Part, q Pass) {
	if p.Get(model.Unused) != 0 {
		return
	}
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Buffer || x.Op != model.MatMul && x.Op != model.Conv {
			continue
		}
		n := product(p, x, q)
		if x.Op == model.Conv {
			t.Conv = float64(t.Conv + n)
		} else {
			t.Matmul = float64(t.Matmul + n)
		}
	}
	if h := p.Get(model.Heads); h > 0 {
		t.Score = float64(2 * float64(h) * float64(width(p, q)) * float64(pairs(p, q)+entries(p, q, p.Get(model.Picks))))
	}
	if n := p.Get(model.IndexScores); n > 0 {
		t.Score = float64(t.Score + float64(2*float64(n)*seen(p, q)))
	}
	t.Scan = float64(2 * float64(p.Get(model.Scan)) * float64(q.tokens(p, "")))
}

// width is how many numbers of a head's query and value a pair is multiplied with.
func width(p *model.Part, q Pass) int64 {
	if latent := p.Get(model.Latent); latent > 0 && q.Absorbed {
		return latent + p.Get(model.Rope) + latent
	}
	if p.Has(model.VDim) {
		return p.Get(model.HeadDim) + p.Get(model.VDim)
	}
	return 2 * p.Get(model.HeadDim)
}

// pairs is how many pairs of a query and a key are multiplied in a sequence.
func pairs(p *model.Part, q Pass) float64 {
	n := q.tokens(p, "")
	if p.Get(model.Cross) != 0 {
		return float64(float64(n) * float64(q.Encoder))
	}
	if p.Stream == "encoder" {
		return float64(float64(n) * float64(n))
	}
	keys := q.keys(p, n)
	if p.Get(model.Whole) != 0 || q.Scores == Full {
		return float64(float64(n) * float64(keys))
	}
	if c := p.Get(model.Chunk); c > 0 {
		return float64(chunked(keys, c) - chunked(q.Past, c))
	}
	w := p.Get(model.Window)
	if k := p.Get(model.Picks); k > 0 && p.Get(model.Compress) == 0 && (w == 0 || k < w) {
		w = k // as many as a window of that size, wherever they are
	}
	return float64(windowed(keys, w) - windowed(q.Past, w))
}

// entries is how many pairs of a query and a compressed entry are multiplied, of
// which there is one for every few tokens: at most limit for a query when that
// is above 0. Only whole entries that lie before the query are seen.
func entries(p *model.Part, q Pass, limit int64) float64 {
	c := p.Get(model.Compress)
	if c <= 0 {
		return 0
	}
	n := q.tokens(p, "")
	keys := q.Past + n
	if limit <= 0 {
		limit = keys
	}
	if q.Scores == Full {
		return float64(float64(n) * float64(min(keys/c, limit)))
	}
	return float64(compressed(keys, c, limit) - compressed(q.Past, c, limit))
}

// seen is how many pairs of a query and an index key are scored to pick from.
func seen(p *model.Part, q Pass) float64 {
	if p.Get(model.Compress) > 0 {
		return entries(p, q, 0)
	}
	n := q.tokens(p, "")
	keys := q.keys(p, n)
	if p.Get(model.Whole) != 0 || q.Scores == Full {
		return float64(float64(n) * float64(keys))
	}
	return float64(windowed(keys, 0) - windowed(q.Past, 0))
}

// compressed is Σ min(i/c, limit) for i = 1 … n, divided down.
func compressed(n, c, limit int64) float64 {
	over := int64(0) // queries that have more than limit entries before them
	if limit < n/c {
		over = n - (limit*c + c - 1)
		n -= over
	}
	m, r := n/c, n%c
	whole := float64(float64(c) * float64(m) * float64(m-1) / 2)
	return float64(float64(whole+float64(float64(m)*float64(r+1))) + float64(float64(over)*float64(limit)))
}

// windowed is Σ min(i, w) for i = 1 … n; all of i when w is 0.
func windowed(n, w int64) float64 {
	if w <= 0 || n <= w {
		return float64(float64(n) * float64(n+1) / 2)
	}
	return float64(float64(float64(w)*float64(w+1)/2) + float64(float64(n-w)*float64(w)))
}

// chunked is the causal half inside each chunk of c tokens.
func chunked(n, c int64) float64 {
	return float64(float64(float64(n/c)*windowed(c, 0)) + windowed(n%c, 0))
}
