package train

import (
	"llmsize/core/arch"
	"llmsize/core/fault"
	"llmsize/core/units"
)

// Question is a training run.
type Question struct {
	Optimizer *Optimizer
	Precision *Precision
	Layout    Layout
	Adapters  []Adapter // LoRA's; none when everything is trained
	// Frozen is the bytes of FrozenOf elements of the base model under adapters: a quantized base takes less than 2 each.
	Frozen, FrozenOf int64
	Saving           Saving
}

// Part is what memory is held for.
type Part uint8

// The parts, in the order in which they are shown.
const (
	Weights     Part = iota
	Gathered         // ZeRO-3: the whole weights of the layer at work
	Gradients        //
	States           // the optimizer's
	Activations      // what the backward pass needs of the forward pass
	Working          // what is there for a moment only: the larger of the layer that is made again, and the loss's logits
	NumParts
)

var partNames = [NumParts]string{"weights", "gathered", "gradients", "optimizer", "activations", "working"}

// String returns the part's fixed name: "gradients".
func (p Part) String() string { return partNames[p] }

// Term is one amount of a part: so many values of so many bytes.
type Term struct {
	Part    Part
	Title   string  // "fp32 weights"
	Values  int64   // on the device, after sharding; 0 when each takes another number of bytes
	Each    int64   // bytes of one
	Over    int64   // data-parallel ranks that share them: 1 when each holds all
	Formula string  // in Φ, the trained parameters of the device before ZeRO
	Bytes   float64 // exact below 2^53
}

// Memory is what the fullest device holds.
type Memory struct {
	Bytes           int64
	Parts           [NumParts]int64 // add up to Bytes
	Terms           []Term          // add up to Bytes, activations aside: these are in Saved
	Saved           []Saved         // activations by component, of all micro-batches in flight
	Stage           int64           // the fullest pipeline stage, from 0
	Flight          int64           // micro-batches whose activations it holds
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

// over divides both by the ranks that hold the same: DP, and DP/EP for experts.
func (s share) over(l *Layout, from int64) int64 {
	if l.Zero < from {
		return s.dense + s.expert
	}
	return up(s.dense, l.DP) + up(s.expert, l.DP/l.EP)
}

// stageOf is what a pipeline stage holds of a kind of layer.
type stageOf struct {
	block  *arch.Block
	kind   int
	layers int64
}

// Hold works out the memory of the fullest device, in bytes:
//
//	weights      w·Φ            w = 2 in 16 bits; ÷ d from ZeRO stage 3
//	gradients    g·Φ            ÷ d from stage 2
//	optimizer    (m + k)·Φ      fp32 weights and k for its values; ÷ d from stage 1
//	activations  see Saving
//
// with Φ the parameters that the device trains after tensor, pipeline and expert
// parallelism, and d the data-parallel ranks that hold the same ones (Rajbhandari
// et al. 2019, arXiv 1910.02054, sections 3 and 5; Narayanan et al. 2021, arXiv
// 2104.04473, section 3). A stage has ⌈L/p⌉ layers or one less, the first also the
// embeddings, the last the head; a head tied to embeddings stands on both. Buffers
// for communication, the framework's own memory and fragmentation are left out.
func Hold(m *arch.Model, q *Question) (*Memory, *fault.Error) {
	total := float64(0)
	m.Each(func(_ *arch.Block, _ *arch.Kind, _ *arch.Part, t *arch.Tensor, layers int64) {
		total = float64(total + float64(t.Params(layers)))
	})
	if total > 1<<56 {
		return nil, &fault.Error{Problem: "the model is too large to train: its states pass what can be counted"}
	}
	var best *Memory
	stages := stagesOf(m, q.Layout.PP)
	for i, held := range stages {
		x := hold(m, q, held, int64(i))
		if x == nil {
			return nil, &fault.Error{Field: "seq", Given: units.Itoa(q.Saving.Seq), Problem: "the activations are too large to count", Allowed: "shorter sequences, or a smaller micro-batch"}
		}
		if best == nil || x.Bytes > best.Bytes {
			best = x
		}
	}
	return best, nil
}

// stagesOf divides the layers of all stacks, in order, into equal stages; what
// remains goes one each to the first. What stands before a stack is with its
// first layer, what follows the last with its last.
func stagesOf(m *arch.Model, pp int64) [][]stageOf {
	layers := int64(0)
	for bi := range m.Blocks {
		if m.Blocks[bi].Index != "" {
			layers += int64(len(m.Blocks[bi].Pattern))
		}
	}
	out := make([][]stageOf, pp)
	stage, room := int64(0), up(layers, pp)
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if b.Index == "" {
			at := stage
			if room == 0 && stage < pp-1 && stackAfter(m, bi) {
				at++
			}
			out[at] = append(out[at], stageOf{b, 0, b.Kinds[0].Count})
			continue
		}
		for _, kind := range b.Pattern {
			if room == 0 && stage < pp-1 {
				stage++
				room = layers / pp
				if stage < layers%pp {
					room++
				}
			}
			room--
			s := out[stage]
			if n := len(s); n > 0 && s[n-1].block == b && s[n-1].kind == int(kind) {
				s[n-1].layers++
				continue
			}
			out[stage] = append(s, stageOf{b, int(kind), 1})
		}
	}
	return out
}

// stackAfter reports whether layers follow a block.
func stackAfter(m *arch.Model, bi int) bool {
	for _, b := range m.Blocks[bi+1:] {
		if b.Index != "" {
			return true
		}
	}
	return false
}

// hold is what one stage holds; nil when it passes what can be counted.
func hold(m *arch.Model, q *Question, held []stageOf, stage int64) *Memory {
	var trained, frozen, values share
	var unit int64 // elements of the largest layer or block
	l := &q.Layout
	for _, s := range held {
		k := &s.block.Kinds[s.kind]
		whole := int64(0)
		for pi := range k.Parts {
			p := &k.Parts[pi]
			cuts := slices(p)
			for ti := range p.Tensors {
				t := &p.Tensors[ti]
				if t.Buffer || t.TiedTo != "" && !(l.PP > 1 && t.Role == arch.Head && !holds(held, t.TiedTo)) {
					continue
				}
				expert := t.ActiveOf > 1
				each, copies := l.share(p, t, cuts[ti])
				whole += each * copies
				n := each * copies * s.layers
				if len(q.Adapters) > 0 {
					frozen.add(expert, n)
					continue
				}
				trained.add(expert, n)
				r, c := int64(1), int64(1)
				if d := len(t.Dims); d > 1 {
					r, c = t.Dims[d-2].Size, t.Dims[d-1].Size
				}
				values.add(expert, q.Optimizer.values(q.Precision, each, r, c, s.block.Index != "")*copies*s.layers)
			}
		}
		unit = max(unit, whole)
		for ai := range q.Adapters {
			a := &q.Adapters[ai]
			if a.Block != s.block || a.Kind != s.kind {
				continue
			}
			expert := a.Base.ActiveOf > 1
			over := int64(1)
			if expert {
				over = l.EP
			}
			down, upward := a.Rank*a.In/over, a.Rank*a.Out/over
			switch slicesOf(a) {
			case columns:
				upward = up(upward, l.TP)
			case rows:
				down = up(down, l.TP)
			}
			n := s.layers * a.Copies
			trained.add(expert, (down+upward)*n)
			values.add(expert, (q.Optimizer.values(q.Precision, down, a.Rank, a.In, true)+q.Optimizer.values(q.Precision, upward, a.Out, a.Rank, true))*n)
		}
	}
	x := &Memory{Stage: stage, Trained: units.Params(trained.dense + trained.expert), Frozen: units.Params(frozen.dense + frozen.expert)}
	x.states(q, trained, frozen, values, unit)
	x.Saved, x.Flight = save(m, held, q, stage)
	sum := float64(0)
	for i := range x.Terms {
		x.Parts[x.Terms[i].Part] += int64(x.Terms[i].Bytes)
		sum = float64(sum + x.Terms[i].Bytes)
	}
	for i := range x.Saved {
		s := &x.Saved[i]
		sum = float64(sum + s.Bytes)
		if sum > 1<<62 {
			return nil
		}
		if s.Again {
			x.Parts[Working] += int64(s.Bytes)
		} else {
			x.Parts[Activations] += int64(s.Bytes)
		}
	}
	for _, n := range x.Parts {
		x.Bytes += n
	}
	return x
}

// holds reports whether a stage has the tensor of that name.
func holds(held []stageOf, name string) bool {
	for _, s := range held {
		for pi := range s.block.Kinds[s.kind].Parts {
			for ti := range s.block.Kinds[s.kind].Parts[pi].Tensors {
				if t := &s.block.Kinds[s.kind].Parts[pi].Tensors[ti]; t.Name == name && t.TiedTo == "" {
					return true
				}
			}
		}
	}
	return false
}

// slicesOf is how the matrix of an adapter is divided.
func slicesOf(a *Adapter) cut {
	for i, c := range slices(a.Part) {
		if &a.Part.Tensors[i] == a.Base {
			return c
		}
	}
	return whole
}

// states fills in the terms of weights, gradients and optimizer.
func (x *Memory) states(q *Question, trained, frozen, values share, unit int64) {
	l, p := &q.Layout, q.Precision
	put := func(part Part, title string, each, from int64, formula string) {
		if n := trained.over(l, from); each > 0 && n > 0 {
			over := int64(1)
			if l.Zero >= from {
				over = l.DP
				if over > 1 {
					formula += " ÷ " + units.Itoa(over)
				}
			}
			x.Terms = append(x.Terms, Term{Part: part, Title: title, Values: n, Each: each, Over: over, Formula: units.Itoa(each) + formula, Bytes: float64(n * each)})
		}
	}
	width := func(n int64) string {
		if n == 4 {
			return "fp32 "
		}
		return "16-bit "
	}
	if n := frozen.over(l, 3); n > 0 {
		x.Terms = append(x.Terms, Term{Part: Weights, Title: "frozen weights", Values: n, Over: 1, Bytes: frozenBytes(q, n)})
	}
	put(Weights, width(p.Weight)+"weights", p.Weight, 3, "Φ")
	gathered := p.Weight
	if p.Cast > 0 {
		gathered = p.Cast
	}
	if l.Zero == 3 && l.DP > 1 {
		t := Term{Part: Gathered, Title: "the largest layer's weights, gathered", Values: unit, Each: gathered, Over: 1, Bytes: float64(unit * gathered)}
		if len(q.Adapters) > 0 {
			t.Each, t.Bytes = 0, frozenBytes(q, unit)
		}
		x.Terms = append(x.Terms, t)
	} else {
		put(Weights, "16-bit copies, while a step runs", p.Cast, 3, "Φ")
	}
	put(Gradients, width(p.Grad)+"gradients", p.Grad, 2, "Φ")
	put(Gradients, "fp32 gradients, accumulated", p.Main, 2, "Φ")
	put(States, "fp32 weights", p.Master, 1, "Φ")
	put(States, "fp32 gradients", p.Copy, 1, "Φ")
	if n := values.over(l, 1); n > 0 {
		t := Term{Part: States, Title: q.Optimizer.Title + "'s values", Over: 1, Bytes: float64(n)}
		if q.Optimizer.kind == perParameter {
			put(States, t.Title, q.Optimizer.States*p.State, 1, "Φ")
			return
		}
		if l.Zero >= 1 {
			t.Over = l.DP
		}
		x.Terms = append(x.Terms, t)
	}
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
