package compute

import (
	"llmsize/core/model"
)

// Run is what the conventions for the FLOPs of training read of a model and its
// run: active parameters, for they agree on experts, and one forward pass over a
// sequence. Figures are float64, exact below 2^53.
type Run struct {
	Seq, Tokens float64
	Params      float64 // active for each token
	Embedding   float64 // of Params: looked up, not multiplied, or tied
	Head        float64 // of Params: 0 when it is the embedding
	Width       float64 // heads × their width, over all layers: L·a·d
	Heads       float64 // over all layers: L·a
	Table       float64 // elements of the token embedding: V·h
	Weights     float64 // FLOPs of a sequence's products with weights, the head's with them
	Top         float64 // of Weights: the head's
	Seen        float64 // FLOPs of its attention scores over the pairs that are seen
	Square      float64 // over all pairs
}

// Convention is one way to say how many FLOPs training takes.
type Convention struct {
	Name    string
	Title   string
	Formula string // for a token, in the symbols of Kaplan et al.: N parameters, L layers, s tokens, a·d attention width
	Source  string
	// What is counted: a forward pass alone, or training with what the backward pass adds, and with what is run again.
	Pass  string
	Token float64 // FLOPs
	Total float64 // FLOPs of all of the run's tokens
}

// Measure fills in a run from a model's forward passes over one sequence of seq
// tokens, one with each convention for scores.
func Measure(m *model.Model, seq, tokens int64, causal, full []Term) Run {
	r := Run{Seq: float64(seq), Tokens: float64(tokens)}
	m.Each(func(b *model.Block, k *model.Kind, p *model.Part, t *model.Tensor, layers int64) {
		if t.Role == model.Embedding && t.Op == model.Lookup {
			r.Table = max(r.Table, float64(t.Elements))
		}
	})
	for k, p := range m.Parts() {
		if h := p.Get(model.Heads); h > 0 && p.Get(model.Unused) == 0 && p.Stream == "" {
			n := float64(k.Count)
			r.Heads = float64(r.Heads + float64(n*float64(h)))
			r.Width = float64(r.Width + float64(n*float64(h*p.Get(model.HeadDim))))
		}
	}
	for i := range causal {
		t := &causal[i]
		r.Weights = float64(r.Weights + float64(t.FLOPs()-t.Score))
		if t.Role == model.Head {
			r.Top = float64(r.Top + t.Matmul)
		}
		r.Seen = float64(r.Seen + t.Score)
	}
	for i := range full {
		r.Square = float64(r.Square + full[i].Score)
	}
	return r
}

// conventions are what papers count; Token and Total are a run's.
var conventions = [...]Convention{
	{Name: "2n", Title: "2 for each parameter", Pass: "forward", Formula: "2N",
		Source: "a multiply and an add for each active parameter, embeddings with them"},
	{Name: "kaplan", Title: "Kaplan et al., a forward pass", Pass: "forward", Formula: "2N + 2·L·s·a·d, N without embeddings",
		Source: "Kaplan et al. 2020, arXiv 2001.08361, equation 2.2"},
	{Name: "6nd", Title: "6ND, all parameters", Pass: "training", Formula: "6N",
		Source: "Kaplan et al. 2020, arXiv 2001.08361, section 2.1, with embeddings; so Brown et al. 2020, arXiv 2005.14165, table D.1"},
	{Name: "6nd-without-embedding", Title: "6ND, without embeddings", Pass: "training", Formula: "6N, N without embeddings",
		Source: "Kaplan et al. 2020, arXiv 2001.08361, section 2.1"},
	{Name: "palm", Title: "PaLM", Pass: "training", Formula: "6N + 12·L·s·a·d",
		Source: "Chowdhery et al. 2022, arXiv 2204.02311, appendix B: model FLOPs of MFU, all pairs of tokens"},
	{Name: "chinchilla", Title: "Chinchilla", Pass: "training", Formula: "3 × (products + all pairs + softmax + embedding as a product)",
		Source: "Hoffmann et al. 2022, arXiv 2203.15556, appendix F"},
	{Name: "model", Title: "products and the pairs that are seen", Pass: "training", Formula: "3 × (products + pairs seen)",
		Source: "compute.train.flops with attention=causal; Megatron-Bridge's model FLOPs"},
	{Name: "model-full", Title: "products and all pairs", Pass: "training", Formula: "3 × (products + all pairs)",
		Source: "Korthikanti et al. 2022, arXiv 2205.05198, appendix A: model FLOPs, for GPT 72·L·h²(1 + s/6h + V/12hL); compute.train.flops with attention=full"},
	{Name: "korthikanti", Title: "with scores run again, as published", Pass: "hardware", Formula: "3 × (products + 2 × all pairs)",
		Source: "Korthikanti et al. 2022, arXiv 2205.05198, appendix A: hardware FLOPs under selective recomputation, for GPT 72·L·h²(1 + s/3h + V/12hL). Scores are run again once for the backward pass, which is 1 more for their 3; the paper adds 3"},
	{Name: "megatron", Title: "with layers run again", Pass: "hardware", Formula: "4 × (products + all pairs) − the head's",
		Source: "Narayanan et al. 2021, arXiv 2104.04473, equation 3: hardware FLOPs under full recomputation, for GPT 96·L·h²(1 + s/6h + V/16hL)"},
	{Name: "flash", Title: "with FlashAttention's backward pass", Pass: "hardware", Formula: "3 × products + 3.5 × pairs seen",
		Source: "Dao 2023, arXiv 2307.08691, section 4.1: scores are made again, so 5 products for the forward pass's 2"},
}

// Conventions lists what a run takes by each convention. They differ in what N
// is, in whether scores are counted and over which pairs, and in what a backward
// pass is taken to cost: numbers in papers can only be compared within one.
func Conventions(r *Run) []Convention {
	list := append([]Convention{}, conventions[:]...)
	for i, n := range [len(conventions)]float64{
		2 * r.Params, // 2n
		float64(2*(r.Params-r.Embedding-r.Head)) + float64(2*float64(r.Width*r.Seq)), // kaplan
		6 * r.Params,                          // 6nd
		6 * (r.Params - r.Embedding - r.Head), // 6nd-without-embedding
		float64(6*r.Params) + float64(12*float64(r.Width*r.Seq)),                                                                                // palm
		3 * (float64(r.Weights+r.Square) + float64(float64(2*float64(r.Table*r.Seq))+float64(3*float64(float64(r.Heads*r.Seq)*r.Seq)))) / r.Seq, // chinchilla
		3 * (r.Weights + r.Seen) / r.Seq,                     // model
		3 * (r.Weights + r.Square) / r.Seq,                   // model-full
		3 * (r.Weights + float64(2*r.Square)) / r.Seq,        // korthikanti
		(float64(4*(r.Weights+r.Square)) - r.Top) / r.Seq,    // megatron
		(float64(3*r.Weights) + float64(3.5*r.Seen)) / r.Seq, // flash
	} {
		list[i].Token, list[i].Total = n, float64(n*r.Tokens)
	}
	return list
}

// Utilisation is the share of a device's peak that a measured rate comes to:
// MFU with a convention's model FLOPs for a token, HFU with those that are run
// (Chowdhery et al. 2022, appendix B). The rate is in tokens a second on one
// device, the peak in FLOPs a second.
func Utilisation(tokensPerSecond, flopsPerToken, peak float64) float64 {
	return float64(tokensPerSecond*flopsPerToken) / peak
}
