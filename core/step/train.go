package step

import (
	"llmsize/core/arch"
	"llmsize/core/fault"
	"llmsize/core/units"
)

// Timeline is what is live in each moment of a step, in bytes. All moments are those of the second step,
// when the optimizer's states exist.
type Timeline struct {
	Model         int64 // parameters and buffers
	Inputs        int64
	AfterForward  int64
	PeakForward   int64
	PeakBackward  int64
	AfterBackward int64
	PeakOptimizer int64
	Steady        int64 // between steps
	Peak          int64
	At            Moment            // the moment of the peak
	High          [NumPhases]Moment // and of each phase's
	Kept          Split             // after the forward pass
	Curve         []Moment          // each leg's highest moment, in order
}

// Train lays out a training step.
func Train(m *arch.Model, o *Options, curve bool) (*Timeline, *fault.Error) {
	p, why := prepare(m, o)
	if why != "" {
		return nil, cannot(m, why)
	}
	p.thin()
	mc := &machine{training: true, grad: true, auto: o.Auto}
	mc.reset()
	r := &program{machine: mc, p: p, o: o, b: o.Batch, s: o.Seq, t: o.Batch * o.Seq}
	t := &Timeline{}
	n := p.count()
	if o.Shard != nil {
		mc.shards = p.groups(*o.Shard)
		n.trained = mc.shards.own(p.all)
	}
	t.Model = mc.bytes(n.frozen, o.Param) + mc.bytes(n.trained, o.held()) + n.buffers
	shared := mc.alloc(t.Model, 1, Weights)
	r.ids = mc.alloc(r.t, 8, Inputs)
	t.Inputs = mc.st[r.ids].bytes
	opt := p.optimizer(mc, &n)
	mc.alloc(opt.states, 1, States)
	mc.main, mc.sharers = o.Main > 0, max(o.GradientRanks, 1)
	mc.alloc(mc.bytes(n.trained, o.Main)/mc.sharers, 1, Gradients)
	p.place(mc, shared)
	steady := mc.live
	t.Steady = mc.total

	mc.late = make([]int64, len(p.pattern))
	mc.begin(Forward, -1)
	loss, logits := r.forward()
	mc.enter(-1)

	mc.begin(Backward, -1)
	one := mc.make(1, 4)
	if mc.shards != nil {
		mc.shards.back(mc)
	}
	mc.send(loss.from, mc.same(one))
	mc.walk()
	r.unshare()
	if mc.shards != nil {
		mc.shards.end(mc)
	}
	mc.drop(one, loss, logits)
	mc.enter(-1)

	mc.what = "optimizer"
	mc.begin(Optimize, -1)
	mc.release(mc.alloc(opt.moment, 1, Temporaries))
	mc.enter(-1)

	ends, ok := p.assemble(mc.legs, mc.late, steady, &t.Curve, &t.High)
	if !ok || mc.over {
		return nil, tooLarge(o)
	}
	t.AfterForward, t.Kept = ends[Forward].Total(), ends[Forward]
	t.AfterBackward = ends[Backward].Total()
	t.PeakForward, t.PeakBackward, t.PeakOptimizer = t.High[Forward].Live.Total(), t.High[Backward].Live.Total(), t.High[Optimize].Live.Total()
	for ph := Forward; ph <= Optimize; ph++ {
		if x := t.High[ph].Live.Total(); x > t.Peak {
			t.Peak, t.At = x, t.High[ph]
		}
	}
	if !curve {
		t.Curve = nil
	}
	return t, nil
}

// cannot is the fault of a model that no program follows.
func cannot(m *arch.Model, why string) *fault.Error {
	return &fault.Error{Field: "model", Given: m.Type, Problem: "has " + why + ", which a timeline cannot follow yet", Allowed: "decoders of attention and feed-forward layers", Hint: "the sum of the parts is answered all the same"}
}

func tooLarge(o *Options) *fault.Error {
	return &fault.Error{Field: "seq", Given: units.Itoa(o.Seq), Problem: "a pass's tensors are too large to count", Allowed: "shorter sequences, or fewer of them"}
}
