package serve

import (
	"llmsize/core/compute"
	"llmsize/core/device"
	"llmsize/core/fault"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/quant"
)

// Efficiency is the part of the bound that runs reach, from the measured runs of
// docs/accuracy.md: what lies between its ends is common, not promised.
type Efficiency struct{ Low, High float64 }

// The bands: a decoding step against its bound, and a prefill against its.
var (
	DecodeEfficiency  = Efficiency{0.35, 0.85}
	PrefillEfficiency = Efficiency{0.33, 0.76}
)

// Pass is one pass at best.
type Pass struct {
	compute.Load
	compute.Time
	Weights float64 // of Bytes: weights read
	Cache   float64 // of Bytes: cache read or written
	Traffic compute.Traffic
}

// Speed is how fast a layout can be.
type Speed struct {
	Peak            int64 // of one accelerator, at which everything is multiplied; 0 when not known
	Rate            device.Format
	Prefill         Pass
	Decode          Pass
	Expanded        Pass     // decoding where latents are kept as keys and values of every head; empty without latents
	Drafting        Drafting // decoding with guesses; empty where none are asked for
	Always, Experts float64  // bytes of weights that every pass reads; of all experts
	Total, Picked   int64    // experts of a layer, and how many a token picks; 0 without experts
	Critical        int64    // sequences from which on a step's weights are multiplied for longer than they are read; 0 when no peak is known
	Covered         float64  // share of the experts that a step reads; 0 without experts
}

// Flops are the FLOPs of the passes for the whole batch, and those of one
// token's products with weights. A prefill's are those that a runtime needs: the
// head for the last token of each sequence.
type Flops struct{ Prefill, Decode, Weights float64 }

// road is what all passes of a layout have in common.
type road struct {
	a               *Ask
	machine         compute.Machine
	always, experts float64 // bytes of weights that every pass reads; of all experts
	total, picked   int64   // experts of a layer
	hidden          int64
	batch           int64   // sequences of a replica
	part            float64 // of all sequences
	cache           float64 // bytes that a pass over a replica's sequences reads or writes
}

// pass is one pass over a number of a replica's tokens.
func (x *road) pass(flops float64, tokens int64) Pass {
	l := &x.a.Layout
	p := Pass{Weights: x.always, Cache: x.cache}
	p.FLOPs = float64(flops * x.part)
	if x.experts > 0 {
		p.Weights = float64(x.always + float64(x.experts/float64(l.EP)*x.covered(tokens)))
	}
	p.Bytes = float64(p.Weights + p.Cache)
	p.Traffic = compute.Send(x.a.Model, x.hidden, tokens, 2, l.TP, l.PP, l.EP)
	p.Sent = p.Traffic.Sum()
	p.Time = compute.Roofline(x.machine, p.Load)
	return p
}

// covered is the share of the experts that a pass reads: tokens of all the
// replicas that share them meet.
func (x *road) covered(tokens int64) float64 {
	return compute.Coverage(x.total, x.picked, tokens*x.a.Layout.EP)
}

// Bounds works out how fast a layout of a device can be at best.
//
// The sequences of a batch are divided over dp replicas; within one, tp devices
// work on a layer at a time and stages follow each other. A step reads the
// weights that its tokens need once (of experts those that compute.Coverage says,
// of the embedding only rows, unless it is the head) and what memory.Reads says of
// every sequence's cache; a prefill reads the weights once and writes the cache. Time is then
// compute.Roofline's.
//
// A model with latents is decoded in two ways: absorbed, over the latents as they
// are cached, which Decode is; or expanded, over keys and values of every head,
// which multiplies less and reads more (DeepSeek-V2, arXiv 2405.04434, section
// 2.1.2; "absorb" and "naive" in deepseek-ai/DeepSeek-V3, inference/model.py).
func Bounds(a *Ask, d *device.Device, format string, f Flops) (Speed, *fault.Error) {
	var s Speed
	l := &a.Layout
	s.Peak, s.Rate = d.Rate(format)
	tp := float64(l.TP)
	x := road{a: a, batch: (a.Cache.Batch + l.DP - 1) / l.DP}
	x.machine = compute.Machine{Peak: float64(tp * float64(s.Peak)), Bandwidth: float64(tp * float64(d.Bandwidth)), Link: float64(d.LinkRate)}
	x.part = float64(x.batch) / float64(a.Cache.Batch)
	x.always, x.experts = reads(a.Model, a.Weights)
	x.total, x.picked = routed(a.Model)
	s.Always, s.Experts, s.Total, s.Picked = x.always, x.experts, x.total, x.picked
	_, x.hidden = memory.HeadSize(a.Model)
	var err *fault.Error
	if x.cache, err = kvBytes(a, a.Model, x.batch, memory.Cache); err != nil {
		return s, err
	}
	prompt := a.Prompt
	if prompt == 0 {
		prompt = a.Cache.Context
	}
	s.Prefill = x.pass(f.Prefill, x.batch*prompt)
	if f.Decode == 0 {
		return s, nil
	}
	if x.cache, err = kvBytes(a, a.Model, x.batch, memory.Reads); err != nil {
		return s, err
	}
	s.Decode = x.pass(f.Decode, x.batch)
	if x.experts > 0 {
		s.Covered = x.covered(x.batch)
	}
	s.Critical = critical(x.machine, x.always, x.experts, x.total, x.picked, f.Weights)
	if a.Draft.Tokens > 0 {
		if err := s.drafting(&x); err != nil {
			return s, err
		}
	}
	if m := expanded(a.Model); m != nil {
		if x.cache, err = kvBytes(a, m, x.batch, memory.Reads); err != nil {
			return s, err
		}
		s.Expanded = x.pass(forward(a.Model, &a.Cache, 1, false), x.batch)
	}
	return s, nil
}

// expanded is the model with keys and values of every head in place of latents;
// nil where it has none.
func expanded(m *model.Model) *model.Model {
	any := false
	out := copied(m, func(p *model.Part) []model.Prop {
		if p.Get(model.Latent) == 0 {
			return p.Props
		}
		any = true
		props := []model.Prop{{Name: model.KVHeads, Value: p.Get(model.Heads)}}
		for _, x := range p.Props {
			if x.Name != model.Latent && x.Name != model.Rope && x.Name != model.KVHeads {
				props = append(props, x)
			}
		}
		return props
	})
	if !any {
		return nil
	}
	return out
}

// forward is the FLOPs of a pass over new tokens of each sequence.
func forward(m *model.Model, q *memory.CacheQuestion, tokens int64, absorbed bool) float64 {
	_, n := compute.Forward(m, compute.Pass{Tokens: tokens, Past: q.Context - 1, Encoder: q.Encoder, Batch: q.Batch, Absorbed: absorbed})
	return n
}

// critical is the smallest batch whose products take longer than reading the
// weights does: for a dense model in 16 bits peak ÷ bandwidth.
func critical(m compute.Machine, always, experts float64, total, picked int64, perToken float64) int64 {
	if m.Peak == 0 || perToken == 0 {
		return 0
	}
	n := last(func(n int64) bool {
		read := float64(always + float64(experts*compute.Coverage(total, picked, n)))
		return float64(read/m.Bandwidth) > float64(float64(n)*perToken/m.Peak)
	})
	return n + 1
}

// kvBytes is the cache of a model that one replica's devices read or write in a
// step, by a count of it: each holds its share of heads, and the whole of a latent.
func kvBytes(a *Ask, m *model.Model, batch int64, count func(*model.Model, memory.CacheQuestion) ([]memory.CacheTerm, int64, *fault.Error)) (float64, *fault.Error) {
	q := a.Cache
	q.Policy, q.Batch = memory.Minimum, batch
	_, n, err := count(cut(m, a.Layout.TP), q)
	return float64(float64(n) * float64(a.Layout.TP)), err
}

// reads is the bytes of weights that every pass reads, and those of all experts.
// An embedding is looked up, so a pass reads a few rows of it, unless it is the
// head too.
func reads(m *model.Model, w *quant.Weights) (always, experts float64) {
	tied := false
	m.EachUsed(func(b *model.Block, k *model.Kind, p *model.Part, t *model.Tensor, layers int64) {
		tied = tied || t.Role == model.Head && t.TiedTo != ""
	})
	put := func(role model.Role, n float64) {
		switch role {
		case model.Expert:
			experts = float64(experts + n)
		case model.Embedding:
			if tied {
				always = float64(always + n)
			}
		case model.Position, model.Vision, model.Audio, model.Projector:
		default:
			always = float64(always + n)
		}
	}
	if gguf(w) {
		for i := range w.Runs {
			r := &w.Runs[i]
			put(r.Role, float64(float64(r.Bytes)*float64(r.Tensors)))
		}
		return always, experts
	}
	average := float64(w.Bytes) / float64(max(w.Elements, 1))
	stored(m, w, func(b *model.Block, ki int, p *model.Part, ti int, r *quant.Stored) {
		switch t := &p.Tensors[ti]; {
		case t.TiedTo != "" || t.Uses == 0:
		case r != nil:
			put(t.Role, float64(float64(r.Bytes)*float64(r.Tensors)))
		default:
			put(t.Role, float64(float64(t.Params(b.Kinds[ki].Count))*average))
		}
	})
	return always, experts
}

// routed is the experts of a layer and how many a token picks.
func routed(m *model.Model) (total, picked int64) {
	for _, p := range m.Parts() {
		if p.Get(model.Experts) > 0 && p.Stream == "" {
			return p.Get(model.Experts), p.Get(model.TopK)
		}
	}
	return 0, 0
}
