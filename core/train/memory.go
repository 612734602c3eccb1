package train

import (
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// Question is a training run.
type Question struct {
	Optimizer *Optimizer
	Precision *Precision
	Layout    Layout
	Offload   Offload
	Adapters  []Adapter // LoRA's; none when everything is trained
	// Frozen is the bytes of FrozenOf elements of the base model under adapters: a quantized base takes less than 2 each.
	Frozen, FrozenOf int64
	Saving           Saving
	Reference        bool // a frozen copy of the model stands beside it
	terms            bool // of what is saved are noted: see Terms
}

// Offload is what waits in the host's memory until a step needs it.
type Offload uint8

// OffloadOptimizer keeps gradients and the optimizer's states with the host, which
// makes the step (Ren et al. 2021, ZeRO-Offload, arXiv 2101.06840, section 3);
// OffloadAll the weights too, of which the device then has the layer at work
// (Rajbhandari et al. 2021, ZeRO-Infinity, arXiv 2104.07857, section 5): ZeRO stage 3.
const (
	OffloadNone Offload = iota
	OffloadOptimizer
	OffloadAll
)

// Check reports what a run cannot be, whatever the model is.
func (q *Question) Check() *fault.Error {
	l := &q.Layout
	switch cp := max(l.CP, 1); {
	case q.Offload == OffloadAll && l.Zero < 3:
		return &fault.Error{Field: "offload", Given: "all", Problem: "weights wait with the host in ZeRO stage 3 only", Allowed: "none, optimizer", Hint: "zero=3 allows it"}
	case cp > 1 && q.Saving.Seq%cp != 0:
		return &fault.Error{Field: "cp", Given: units.Itoa(cp), Problem: "does not divide the sequence of " + units.Group(q.Saving.Seq) + " tokens", Allowed: "a divisor of " + units.Itoa(q.Saving.Seq)}
	}
	return nil
}

// Part is what memory is held for.
type Part uint8

// The parts, in the order in which they are shown.
const (
	Weights  Part = iota
	Gathered      // ZeRO-3: the whole weights of the layer at work
	Gradients
	States      // the optimizer's
	Activations // what the backward pass needs of the forward pass
	Working     // what is there for a moment only: the larger of the layer that is made again, and the loss's logits
	NumParts
)

var partNames = [NumParts]string{"weights", "gathered", "gradients", "optimizer", "activations", "working"}

// String returns the part's fixed name: "gradients".
func (p Part) String() string { return partNames[p] }

// Term is one amount of a part: a number of values, and the bytes of each.
type Term struct {
	Part    Part
	Of      Part    // what the values are: fp32 weights are the optimizer's part, and weights
	Title   string  // "fp32 weights"
	Values  int64   // on the device, after sharding; 0 when each takes another number of bytes
	Each    int64   // bytes of one
	Over    int64   // ranks that share them: 1 when each holds all
	Formula string  // in Φ, the trained parameters of the device before ZeRO; empty when they are not Φ
	Bytes   float64 // exact below 2^53
	Host    bool    // it waits in the host's memory, and isn't part of the device's
}

// Memory is what the fullest device holds.
type Memory struct {
	Bytes           int64
	Parts           [NumParts]int64 // add up to Bytes
	Terms           []Term          // the device's add up to Bytes, activations aside: these are in Saved
	Saved           []Saved         // activations by component, of all micro-batches in flight
	Stage           int64           // the fullest pipeline stage, from 0
	Flight          int64           // micro-batches whose activations it holds; of its first piece of layers, where there are several
	Host            int64           // bytes that wait with the host for this device
	Stages          []int64         // bytes of a device of every stage
	Trained, Frozen units.Params    // of the device, before ZeRO
}

// share is elements on one device: those that data parallelism shards together,
// and experts, which EP has divided already.
type share struct{ dense, expert int64 }

func (s *share) add(expert bool, n int64) {
	if expert {
		s.expert += n
	} else {
		s.dense += n
	}
}

// plus adds n times another share.
func (s *share) plus(x share, n int64) {
	s.dense += x.dense * n
	s.expert += x.expert * n
}

// over divides both by the ranks that hold the same, from a stage of ZeRO on: DP × CP,
// and for experts as many as EP leaves.
func (s share) over(l *Layout, from int64) int64 {
	if l.Zero < from {
		return s.dense + s.expert
	}
	return up(s.dense, l.Ranks()) + up(s.expert, l.Ranks()/l.EP)
}

// Hold works out the memory of the fullest device, in bytes:
//
//	weights      w·Φ            w = 2 in 16 bits; ÷ d from ZeRO stage 3
//	gradients    g·Φ            ÷ d from stage 2
//	optimizer    (m + k)·Φ      fp32 weights and k for its values; ÷ d from stage 1
//	activations  see Saving
//
// with Φ the parameters that the device trains after tensor, pipeline and expert
// parallelism, and d the ranks that hold the same ones: data-parallel, times
// context-parallel (Rajbhandari et al. 2019, arXiv 1910.02054, sections 3 and 5;
// Narayanan et al. 2021, arXiv 2104.04473, section 3). A stage has ⌈L/p⌉ layers or
// one less, the first also the embeddings, the last the head; a head tied to
// embeddings stands on both. Buffers for communication, the framework's own memory
// and fragmentation are left out.
func Hold(m *model.Model, q *Question) (*Memory, *fault.Error) {
	if err := countable(m); err != nil {
		return nil, err
	}
	p, err := prepare(m, q)
	if err != nil {
		return nil, err
	}
	return p.hold(q)
}

// most is how many parameters a run may have. No optimizer keeps more than some
// thousand values for one, so that products of counts up to here stay in int64;
// bytes are refused above units.Exact.
const most = units.Exact >> 6

// countable refuses models whose values and bytes might not be counted exactly.
func countable(m *model.Model) *fault.Error {
	total, all := int64(0), true
	m.EachUsed(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		n, ok := units.Mul(t.Elements, t.Copies)
		if ok {
			n, ok = units.Mul(n, layers)
		}
		if ok {
			total, ok = units.Add(total, n)
		}
		all = all && ok
	})
	if !all || total > most {
		return &fault.Error{Field: "model", Problem: "the model is too large for its training to be counted exactly", Allowed: "up to " + units.Group(most) + " parameters"}
	}
	return nil
}

// tooMuch is the error of bytes that pass what is counted exactly: it names what
// most of them are.
func (p *plan) tooMuch(q *Question, kept, n float64) *fault.Error {
	switch {
	case kept > n/2:
		return &fault.Error{Field: "seq", Given: units.Itoa(q.Saving.Seq), Problem: "the activations are too large to count", Allowed: "shorter sequences, or a smaller micro-batch"}
	case len(q.Adapters) > 0:
		return &fault.Error{Field: "lora-rank", Given: units.Group(q.Adapters[0].Rank), Problem: "what is kept for the adapters is too large to count"}
	}
	return &fault.Error{Field: "optimizer", Given: q.Optimizer.Name, Problem: "what is kept for the parameters is too large to count"}
}

// hold is the fullest stage of a plan, with its terms. Of q it reads what prepare does not.
func (p *plan) hold(q *Question) (*Memory, *fault.Error) {
	best, at := -1.0, 0
	all := make([]int64, len(p.stages))
	for i := range p.stages {
		n := p.bytes(q, &p.stages[i])
		if !(n <= units.Exact) {
			return nil, p.tooMuch(q, p.kept(q, &p.stages[i]), n)
		}
		if all[i] = int64(n); n > best {
			best, at = n, i
		}
	}
	x := &Memory{Stage: int64(at), Stages: all}
	s := &p.stages[at]
	x.Trained, x.Frozen = units.Params(s.trained.dense+s.trained.expert), units.Params(s.frozen.dense+s.frozen.expert)
	x.Flight = flight(&q.Layout, x.Stage, 0)
	for _, w := range p.slots {
		n, each, over := w.amount(q, s)
		if n == 0 {
			continue
		}
		t := Term{Part: w.part, Of: w.of, Title: w.title, Values: n, Each: each, Over: over, Bytes: w.bytes(q, s), Host: w.host(q)}
		if each == 0 {
			t.Values = 0
		}
		if w.from == trained {
			t.Formula = units.Itoa(each) + "Φ"
			if over > 1 {
				t.Formula += " ÷ " + units.Itoa(over)
			}
		}
		x.Terms = append(x.Terms, t)
		if t.Host {
			x.Host += int64(t.Bytes)
		} else {
			x.Parts[t.Part] += int64(t.Bytes)
		}
	}
	x.Saved = p.save(q, s)
	for i := range x.Saved {
		if n := int64(x.Saved[i].Bytes); x.Saved[i].Again {
			x.Parts[Working] += n
		} else {
			x.Parts[Activations] += n
		}
	}
	for _, n := range x.Parts {
		x.Bytes += n
	}
	all[at] = x.Bytes
	return x, nil
}

// frozenBytes is what n frozen elements take in the base model's format.
func frozenBytes(q *Question, n int64) float64 {
	if q.FrozenOf <= 0 {
		return float64(n * q.Precision.Weight)
	}
	return float64(int64(float64(float64(n)*float64(q.Frozen)/float64(q.FrozenOf)) + 0.5))
}

// up is a/b, rounded up.
func up(a, b int64) int64 { return (a + b - 1) / b }
