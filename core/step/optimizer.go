package step

import (
	"llmsize/core/model"
)

// stepping is what an optimizer of PyTorch keeps for each parameter, and what its step makes for a moment,
// in values (torch 2.15, torch/optim).
type stepping struct {
	name    string
	states  int64
	foreach int64 // values a parameter: temporaries of all parameters at once
	loop    int64 // the same, of the largest tensor alone
	fused   bool  // it has a kernel without temporaries
	kind    uint8
}

const (
	plain    uint8 = iota
	factored       // sums of rows and of columns in the parameters' format (torch.optim.Adafactor)
	wide           // the same in fp32, and fp32 copies while a tensor is updated (transformers' Adafactor)
	mixed          // matrices inside layers have one moment and their own step, the rest AdamW (torch.optim.Muon)
)

// steppings are those whose steps were laid out; others take what their states say and no temporaries.
var steppings = []stepping{
	{name: "adamw", states: 2, foreach: 1, loop: 2, fused: true},
	{name: "adam", states: 2, foreach: 1, loop: 2, fused: true},
	{name: "adamw-amsgrad", states: 3, foreach: 1, loop: 2},
	{name: "nadam", states: 2, foreach: 1, loop: 2},
	{name: "radam", states: 2, foreach: 1, loop: 2},
	{name: "rmsprop", states: 1, foreach: 1, loop: 2},
	{name: "adagrad", states: 1, foreach: 2, loop: 2, fused: true},
	{name: "sgd", fused: true},
	{name: "sgd-momentum", states: 1, fused: true},
	{name: "lion", states: 1, loop: 1, foreach: 1},
	{name: "adafactor", foreach: 1, loop: 1, kind: factored},
	{name: "adafactor-transformers", foreach: 1, loop: 1, kind: wide},
	{name: "muon", foreach: 1, loop: 2, kind: mixed},
}

// Steps reports whether an optimizer's step is known, and whether it has a fused kernel.
func Steps(name string) (known, fused bool) {
	for i := range steppings {
		if steppings[i].name == name {
			return true, steppings[i].fused
		}
	}
	return false, false
}

// optimizer is what an optimizer keeps, and takes for a moment of its step, in bytes.
type optimizer struct{ states, moment int64 }

// optimizer works it out for a model's trained parameters.
func (p *plan) optimizer(m *machine, c *counts) optimizer {
	o := p.o
	each := o.state()
	var s *stepping
	for i := range steppings {
		if steppings[i].name == o.Optimizer {
			s = &steppings[i]
		}
	}
	shared := *c // between the ranks that share the states
	ranks := max(o.StateRanks, 1)
	shared.trained = c.share(ranks, o.ep())
	shared.matrices = (c.matrices + ranks - 1) / ranks
	c = &shared
	master := m.bytes(c.trained, o.Master)
	if s == nil {
		return optimizer{states: o.States + master}
	}
	all := m.bytes(c.trained, each)
	out := optimizer{states: s.states*all + master}
	switch o.Kernel {
	case Foreach:
		out.moment = s.foreach * all
	case Loop:
		out.moment = m.bytes(c.inTurn(s.loop), each)
	case Fused:
		if s.states > 0 { // each tensor's number of steps is kept beside it
			out.states += 4 * c.tensors
		}
		if tp := o.tp(); tp > 1 && p.embed != nil { // the embedding's gradient is sliced first: DTensor left it whole
			out.moment = m.bytes((p.embed.n+tp-1)/tp, each)
		}
	}
	switch s.kind {
	case factored:
		out.states += p.sums(m, each)
	case wide:
		out.states += p.sums(m, 4) + 4*c.tensors
		copies := int64(2)
		if each < 4 {
			copies = 4 // of the parameter and of its gradient, too
		}
		out.moment = copies * m.bytes(c.largest, 4)
	case mixed:
		rest := c.trained - c.matrices
		out.states += m.bytes(c.matrices, each) + 2*m.bytes(rest, each)
		if out.moment = m.bytes(rest, each); o.Kernel != Foreach {
			out.moment = 2 * m.bytes(c.largest, each)
		}
	}
	out.moment += m.bytes(c.trained, o.Copy)
	return out
}

// sums is the bytes of one number for each row and each column of a matrix, and for each value of a vector.
func (p *plan) sums(m *machine, each int64) int64 {
	n := int64(0)
	p.m.Each(func(_ *model.Block, _ *model.Kind, x *model.Part, t *model.Tensor, layers int64) {
		if t.Buffer || besides(x) {
			return
		}
		k := t.Elements
		if d := len(t.Dims); d > 1 {
			rows, cols := t.Dims[d-2].Size, t.Dims[d-1].Size
			k = t.Elements/cols + t.Elements/rows
		}
		n += k * t.Copies * layers
	})
	return m.bytes(n, each)
}

// counts are a model's parameters as a step has them.
type counts struct {
	frozen   int64 // elements
	idle     int64 // elements of towers, which a batch of text passes by: they get no gradients, and so no states
	beside   int64 // the same of adapters in towers
	trained  int64 // elements that get a gradient
	experts  int64 // of these, those of experts that other ranks do not have
	matrices int64 // of these, those of matrices inside layers
	largest  int64 // elements of the largest trained tensor, as the class holds it
	tensors  int64
	buffers  int64   // bytes
	turns    []int64 // elements of the trained tensors in their order, as far as it matters
}

// inTurn is the most that a step over tensor by tensor takes: the temporaries of one, and of the one before it the
// last, which is a variable until the next is there.
func (c *counts) inTurn(temps int64) (most int64) {
	most = temps * c.largest
	for i := 1; i < len(c.turns) && temps > 0; i++ {
		most = max(most, c.turns[i-1]+temps*c.turns[i])
	}
	return most
}

// share is what each of some ranks keeps of the trained parameters, of which experts are on fewer ranks.
func (c *counts) share(ranks, ep int64) int64 {
	of := max(ranks/ep, 1)
	return (c.trained-c.experts+ranks-1)/ranks + (c.experts+of-1)/of
}

// count adds a model's parameters up.
func (p *plan) count() counts {
	var c counts
	total := int64(0)
	p.m.Each(func(b *model.Block, _ *model.Kind, x *model.Part, t *model.Tensor, layers int64) {
		n := t.Elements * t.Copies * layers
		if t.Buffer {
			c.buffers += n * 4
			return
		}
		if besides(x) {
			c.idle += n
			return
		}
		total += n
		c.tensors += layers
		if len(t.Dims) > 1 && b.Index != "" {
			c.matrices += n
		}
	})
	if fact(p.m, "unweighed", 0) != 0 { // norms without a parameter hold ones all the same
		for _, k := range p.all {
			for i := range p.kinds[k].branches {
				if s := p.kinds[k].branches[i].scan; s != nil {
					c.buffers += (s.inner + 2*s.states) * p.o.param()
				}
			}
		}
	}
	if len(p.o.Adapters) > 0 {
		c.frozen, c.matrices, c.tensors = total, 0, 0
		if p.o.tp() > 1 || p.o.ep() > 1 {
			c.frozen, _ = p.sliced()
		}
		for i := range p.o.Adapters {
			a := &p.o.Adapters[i]
			n := a.Params()
			if besideText(a.Block) {
				c.beside += n
				continue
			}
			if a.Base.ActiveOf > 1 { // beside each of this rank's experts
				n /= p.o.ep()
			}
			c.trained += n
			c.tensors += 2 * a.Layers * a.Copies
			c.largest = max(c.largest, a.Rank*max(a.In, a.Out))
			c.turns = append(c.turns, a.Rank*a.In, a.Rank*a.Out)
		}
		c.matrices = c.trained
		return c
	}
	c.trained, c.largest = total, p.largest
	for i := range p.kinds {
		for j := range p.kinds[i].branches {
			if e := p.kinds[i].branches[j].mixture(); e != nil {
				c.turns = append(c.turns, 0, e.up.p.n, e.down.p.n)
			}
		}
	}
	if p.o.tp() > 1 || p.o.ep() > 1 {
		c.trained, c.experts = p.sliced()
	}
	return c
}
