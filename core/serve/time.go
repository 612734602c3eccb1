package serve

import (
	"llmsize/core/arch"
	"llmsize/core/compute"
	"llmsize/core/device"
	"llmsize/core/fault"
	"llmsize/core/memory"
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
	Peak     int64 // of one accelerator, at which everything is multiplied; 0 when not known
	Rate     device.Format
	Prefill  Pass
	Decode   Pass
	Critical int64   // sequences from which on a step's weights are multiplied for longer than they are read; 0 when no peak is known
	Covered  float64 // share of the experts that a step reads; 0 without experts
}

// Flops are the FLOPs of the passes for the whole batch, and those of one
// token's products with weights.
type Flops struct{ Prefill, Decode, Weights float64 }

// Bounds works out how fast a layout of a device can be at best.
//
// The sequences of a batch are divided over dp replicas; within one, tp devices
// work on a layer at a time and stages follow each other. A step reads the
// weights that its tokens need once (of experts those that compute.Coverage says,
// of the embedding only rows, unless it is the head) and the cache of every
// sequence; a prefill reads the weights once and writes the cache. Time is then
// compute.Roofline's.
func Bounds(a *Ask, d *device.Device, format string, f Flops) (Speed, *fault.Error) {
	var s Speed
	l := &a.Layout
	s.Peak, s.Rate = d.Rate(format)
	tp := float64(l.TP)
	m := compute.Machine{Peak: float64(tp * float64(s.Peak)), Bandwidth: float64(tp * float64(d.Bandwidth)), Link: float64(d.LinkRate)}
	batch := (a.Cache.Batch + l.DP - 1) / l.DP
	part := float64(batch) / float64(a.Cache.Batch)
	always, experts := reads(a.Model, a.Weights)
	total, picked := routed(a.Model)
	kv, err := kvBytes(a, batch)
	if err != nil {
		return s, err
	}
	prompt := a.Prompt
	if prompt == 0 {
		prompt = a.Cache.Context
	}
	_, hidden := memory.HeadSize(a.Model)
	fill := func(p *Pass, flops float64, tokens int64) {
		p.FLOPs = float64(flops * part)
		p.Weights = always
		if experts > 0 {
			p.Weights = float64(always + float64(experts/float64(l.EP)*compute.Coverage(total, picked, tokens*l.EP)))
		}
		p.Cache = kv
		p.Bytes = float64(p.Weights + p.Cache)
		p.Traffic = compute.Send(a.Model, hidden, tokens, 2, l.TP, l.PP, l.EP)
		p.Sent = p.Traffic.Sum()
		p.Time = compute.Roofline(m, p.Load)
	}
	fill(&s.Prefill, f.Prefill, batch*prompt)
	if f.Decode > 0 {
		fill(&s.Decode, f.Decode, batch)
		if experts > 0 {
			s.Covered = compute.Coverage(total, picked, batch*l.EP)
		}
		s.Critical = critical(m, always, experts, total, picked, f.Weights)
	}
	return s, nil
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

// kvBytes is the cache that one replica's devices read in a step: each holds its
// share of heads, and the whole of a latent.
func kvBytes(a *Ask, batch int64) (float64, *fault.Error) {
	q := a.Cache
	q.Policy, q.Batch = memory.Minimum, batch
	_, n, err := memory.Cache(cut(a.Model, a.Layout.TP), q)
	return float64(float64(n) * float64(a.Layout.TP)), err
}

// reads is the bytes of weights that every pass reads, and those of all experts.
// An embedding is looked up, so a pass reads a few rows of it, unless it is the
// head too.
func reads(m *arch.Model, w *quant.Weights) (always, experts float64) {
	tied := false
	m.EachUsed(func(b *arch.Block, k *arch.Kind, p *arch.Part, t *arch.Tensor, layers int64) {
		tied = tied || t.Role == arch.Head && t.TiedTo != ""
	})
	put := func(role arch.Role, n float64) {
		switch role {
		case arch.Expert:
			experts = float64(experts + n)
		case arch.Embedding:
			if tied {
				always = float64(always + n)
			}
		case arch.Position, arch.Vision, arch.Audio, arch.Projector:
		default:
			always = float64(always + n)
		}
	}
	if gguf(w) {
		for i := range w.Runs {
			r := &w.Runs[i]
			put(role(r.Name), float64(float64(r.Bytes)*float64(r.Tensors)))
		}
		return always, experts
	}
	average := float64(w.Bytes) / float64(max(w.Elements, 1))
	stored(m, w, func(b *arch.Block, ki int, p *arch.Part, ti int, r *quant.Stored) {
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

// role is what a tensor of llama.cpp's is for, by its name.
func role(name string) arch.Role {
	switch {
	case name == embedding:
		return arch.Embedding
	case name == "position_embd.weight":
		return arch.Position
	case has(name, "_exps."):
		return arch.Expert
	}
	return arch.Other
}

func has(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if s[i:i+len(part)] == part {
			return true
		}
	}
	return false
}

// routed is the experts of a layer and how many a token picks.
func routed(m *arch.Model) (total, picked int64) {
	for bi := range m.Blocks {
		for ki := range m.Blocks[bi].Kinds {
			for pi := range m.Blocks[bi].Kinds[ki].Parts {
				if p := &m.Blocks[bi].Kinds[ki].Parts[pi]; p.Get("experts") > 0 && p.Stream == "" {
					return p.Get("experts"), p.Get("topk")
				}
			}
		}
	}
	return 0, 0
}
