package step

import (
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// Timeline is what is live in each moment of a step, in bytes. All moments are those of the second step,
// when the optimizer's states exist.
type Timeline struct {
	Model         int64 // parameters and buffers
	Inputs        int64
	Reference     int64 // bytes of a frozen reference model, part of Model
	AfterForward  int64
	PeakForward   int64
	PeakBackward  int64
	AfterBackward int64
	PeakOptimizer int64
	Steady        int64 // between steps
	Peak          int64
	InPlace       int64             // the peak where PyTorch sums gradients in place, as it does while nobody watches its operators; 0 for a pipeline
	At            Moment            // the moment of the peak
	High          [NumPhases]Moment // and of each phase's
	Kept          Split             // after the forward pass
	Curve         []Moment          // each leg's highest moment, in order
	Apart         int64             // bytes at most that collectives' own streams keep beside the peak: an allocator's blocks stay with their stream
	Hole          int64             // bytes of the largest storage that is gone at the peak and that nothing as large has taken the place of: 16-bit logits below their fp32 copies
	Ranks         []Rank            // of a pipeline: each one's peak
	flight        int64
}

// Fullest is the rank of a pipeline that peaks highest, and its peak; rank 0 where all are alike.
func (t *Timeline) Fullest() (rank, peak int64) {
	peak = t.Peak
	for i := range t.Ranks {
		if t.Ranks[i].Peak > peak {
			rank, peak = int64(i), t.Ranks[i].Peak
		}
	}
	return rank, peak
}

// Train lays out a training step.
func Train(m *model.Model, o *Options, curve bool) (*Timeline, *fault.Error) {
	var t *Timeline
	var err *fault.Error
	if o.Pipe != nil {
		t, err = pipeline(m, o)
	} else {
		t, err = whole(m, o)
	}
	if err != nil {
		return nil, err
	}
	if err := m.Work.Err(); err != nil {
		return nil, err
	}
	for ph := Forward; ph <= Rollout; ph++ {
		if x := t.High[ph].Live.Total(); x > t.Peak {
			t.Peak, t.At = x, t.High[ph]
		}
		if ph == Rollout && t.InPlace > 0 {
			t.InPlace = max(t.InPlace, t.High[ph].Live.Total())
		}
	}
	t.PeakForward, t.PeakBackward, t.PeakOptimizer = t.High[Forward].Live.Total(), t.High[Backward].Live.Total(), t.High[Optimize].Live.Total()
	if !curve {
		t.Curve = nil
	}
	return t, nil
}

// whole is the step of a device that runs all layers.
func whole(m *model.Model, o *Options) (*Timeline, *fault.Error) {
	r, why := ready(m, o)
	if why != "" {
		return nil, cannot(m, why)
	}
	mc, p := r.machine, r.p
	mc.room(len(p.pattern))
	t := &Timeline{}
	opt := r.settleIn(t)
	steady := mc.live
	if err := r.write(t, steady); err != nil {
		return nil, err
	}
	r.passes()
	if mc.work.Times(int64(len(p.all)), 2*perMoment); mc.work.Err() != nil {
		return nil, mc.work.Err()
	}
	mc.what, mc.part = "optimizer", noPart
	mc.begin(Optimize, -1)
	mc.release(mc.alloc(opt.moment, 1, Temporaries))
	mc.enter(-1)
	var curve []Moment
	ends, ok := p.assemble(mc.legs, mc.late, steady, &curve, &t.High, &t.InPlace)
	if !ok || mc.over {
		return nil, tooLarge(o)
	}
	t.Curve = append(t.Curve, curve...)
	t.AfterForward, t.Kept = ends[Forward].Total(), ends[Forward]
	t.AfterBackward = ends[Backward].Total()
	t.beside(r)
	return t, nil
}

// beside is what an allocator keeps that does not live at the peak. FSDP2 reduces gradients on a stream of its own, whose
// blocks no other stream gets (torch 2.15, torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py, foreach_reduce;
// PyTorch, CUDA semantics, memory management), so that all shards of gradients and the largest group's flat ones are
// beside the peak of the forward pass or the loss.
func (t *Timeline) beside(r *program) {
	at := &t.High[Forward]
	for ph := Backward; ph <= Rollout; ph++ {
		if t.High[ph].Live.Total() > at.Live.Total() {
			at = &t.High[ph]
		}
	}
	if at.Phase != Optimize {
		t.Apart = max(r.reduced()-at.Live[Gradients], 0)
	}
	if o := r.o; o.param() == 2 && (o.Loss == LossFP32 || o.Loss == LossParallel) && r.p.head != nil && at.Part == partNames[lossPart] {
		t.Hole = r.bytes(r.t*r.p.head.out*r.gathered(), 2)
	}
}

// ready reads a model as a program on an empty machine.
func ready(m *model.Model, o *Options) (*program, string) {
	p, why := prepare(m, o)
	if why != "" {
		return nil, why
	}
	p.thin()
	mc := &machine{work: m.Work, training: true, grad: true, auto: o.Auto, viewed: fact(m, "viewed", 0) != 0}
	mc.reset()
	s := o.Seq / o.cp()
	return &program{machine: mc, p: p, o: o, b: o.Batch, s: s, t: o.Batch * s}, ""
}

// reduced is what reductions leave on their own stream: this rank's shards of all gradients, and the largest group's flat ones.
func (r *program) reduced() int64 {
	s := r.shards
	if s == nil {
		return 0
	}
	most, own := s.root.sums, s.root.sum
	for _, g := range s.kinds {
		most = max(most, g.sums)
	}
	for _, k := range r.p.all {
		own += s.kinds[k].sum
	}
	if r.host { // they leave as they come
		own = 0
	}
	return r.bytes(own, s.Held) + r.bytes(most, s.Sum)
}

// settleIn makes what lives between steps: weights, states, and gradients that are accumulated.
func (r *program) settleIn(t *Timeline) optimizer {
	mc, p, o := r.machine, r.p, r.o
	n, idle := p.count(), o.Param
	if o.Shard != nil {
		mc.shards = p.groups(*o.Shard)
		held, trained := mc.shards.own(p.all)
		if n.idle = 0; len(o.Adapters) > 0 {
			n.frozen, n.trained = held, mc.shards.adapters(o.Adapters)
		} else {
			n.idle, n.trained = held-trained, trained
			idle = o.Shard.Held
		}
	}
	frozen, beside := mc.bytes(n.frozen, o.Param)+mc.bytes(n.idle, idle), mc.bytes(n.beside, o.AdapterBytes)
	if o.Frozen > 0 {
		frozen = o.Frozen
	}
	if o.Shard != nil {
		beside = (beside + o.Shard.Ranks - 1) / o.Shard.Ranks
		if o.Frozen > 0 {
			frozen = (frozen + o.Shard.Ranks - 1) / o.Shard.Ranks
		}
	}
	t.Model = frozen + beside + n.buffers
	if !o.HostWeights {
		t.Model += mc.bytes(n.trained, o.held())
	}
	if o.Policy != nil && o.Policy.Reference && len(o.Adapters) == 0 {
		t.Reference = t.Model
		t.Model += t.Reference
	}
	shared := mc.alloc(t.Model, 1, Weights)
	r.ids = mc.alloc(r.t, 8, Inputs)
	t.Inputs = mc.st[r.ids].bytes
	var opt optimizer
	if !o.HostStates {
		opt = p.optimizer(mc, &n)
	}
	if o.Buckets {
		mc.alloc(n.trained, o.held(), Gathered)
	}
	mc.alloc(opt.states, 1, States)
	mc.selective, mc.host, mc.quantized = o.Selective, o.HostStates || o.InBackward, o.Frozen > 0
	mc.main, mc.sharers = o.Main > 0, max(o.GradientRanks, 1)
	if !mc.host {
		mc.alloc(mc.bytes(n.trained, o.Main)/mc.sharers, 1, Gradients)
	}
	p.place(mc, shared)
	t.Steady = mc.total
	return opt
}

// passes runs a forward pass and a backward pass.
func (r *program) passes() {
	mc := r.machine
	other := r.o.Policy
	if other != nil && other.First {
		r.refer()
	}
	mc.late = make([]int64, len(r.p.pattern))
	mc.begin(Forward, -1)
	loss, logits := r.forward()
	mc.enter(-1)
	if other != nil && !other.First {
		r.refer()
	}

	if mc.work.Err() != nil { // a graph that was not written to its end is not walked back
		return
	}
	mc.begin(Backward, -1)
	one := mc.make(loss.n, loss.w)
	if mc.shards != nil {
		mc.shards.back(mc)
	}
	mc.send(loss.from, mc.same(one))
	mc.walk()
	r.unshare()
	if mc.shards != nil {
		mc.shards.end(mc)
	}
	mc.drop(one, loss, logits, r.inbound, r.asked)
	mc.enter(-1)
}

// cannot is the fault of a model that no program follows.
func cannot(m *model.Model, why string) *fault.Error {
	return &fault.Error{Field: "model", Given: m.Type, Problem: "has " + why + ", which a timeline cannot follow yet", Allowed: "decoders of attention and feed-forward layers", Hint: "the sum of the parts is answered all the same"}
}

func tooLarge(o *Options) *fault.Error {
	return &fault.Error{Field: "seq", Given: units.Itoa(o.Seq), Problem: "a pass's tensors are too large to count", Allowed: "shorter sequences, or fewer of them"}
}
