package train

import (
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// Layout is how a run is spread over devices: each holds one of PP stages of
// layers, one of TP slices of their matrices, and works on one of CP pieces of the
// sequences of one of DP parts of the batch. Experts are divided over EP of the
// CP × DP ranks that have the same weights (Megatron-LM's expert parallelism), so
// devices = TP × PP × CP × DP.
type Layout struct {
	TP, PP, EP, DP int64
	CP             int64 // context parallelism; 0 is 1
	VP             int64 // pieces of layers that each stage holds, taken in turns; 0 is 1, a stage of layers that follow each other
	Batches        int64 // micro-batches of a rank in a step, which bound those in flight; 0: as many as stages have in flight
	Zero           int64 // ZeRO stage: 1 shards the optimizer over the ranks with the same weights, 2 gradients too, 3 weights too
}

// Devices is how many devices the layout takes; 2^62 when they are more.
func (l *Layout) Devices() int64 {
	n, r := l.TP*l.PP, l.Ranks()
	if r > 0 && n > (1<<62)/r {
		return 1 << 62
	}
	return n * r
}

// Ranks is how many devices have the same weights, experts aside, and share states under ZeRO.
func (l *Layout) Ranks() int64 { return l.DP * max(l.CP, 1) }

// virtual is into how many pieces the layers are divided.
func (l *Layout) virtual() int64 { return l.PP * max(l.VP, 1) }

// Check reports a layout that a model cannot have. devices is 0 when any number will do.
func (l *Layout) Check(m *model.Model, devices int64) *fault.Error {
	bad := func(field string, given int64, problem, allowed string) *fault.Error {
		return &fault.Error{Field: field, Given: units.Itoa(given), Problem: problem, Allowed: allowed}
	}
	const most = 1 << 20
	for _, x := range [...]struct {
		name string
		n    int64
	}{{"tp", l.TP}, {"pp", l.PP}, {"ep", l.EP}, {"dp", l.DP}, {"cp", max(l.CP, 1)}, {"vp", max(l.VP, 1)}} {
		if x.n < 1 || x.n > most {
			return bad(x.name, x.n, "is out of range", "1 to "+units.Group(most))
		}
	}
	if devices > 0 && l.Devices() != devices {
		names, numbers := "tp × pp × dp", units.Itoa(l.TP)+" × "+units.Itoa(l.PP)+" × "+units.Itoa(l.DP)
		if l.CP > 1 {
			names, numbers = names+" × cp", numbers+" × "+units.Itoa(l.CP)
		}
		e := bad("devices", devices, names+" = "+numbers+" = "+units.Itoa(l.Devices())+" is another number", units.Itoa(l.Devices()))
		switch each := l.Devices() / l.DP; {
		case devices%each == 0:
			e.Hint = "dp=" + units.Itoa(devices/each) + " makes it " + units.Itoa(devices)
		case devices > each:
			e.Allowed = "a multiple of " + units.Itoa(each)
			e.Hint = "devices=" + units.Itoa(devices/each*each) + " with dp=" + units.Itoa(devices/each) + ", devices=" + units.Itoa((devices/each+1)*each) + " with dp=" + units.Itoa(devices/each+1)
		}
		return e
	}
	x := ShapeOf(m)
	for _, h := range x.heads {
		if h%l.TP != 0 {
			return uneven(l.TP, h, "heads of attention")
		}
	}
	for _, e := range x.experts {
		if e%l.EP != 0 {
			return divisor(bad("ep", l.EP, "does not divide the "+units.Itoa(e)+" experts", "a divisor of "+units.Itoa(e)), e, l.EP)
		}
	}
	layers := max(x.Layers, 1)
	switch {
	case l.PP > layers:
		return bad("pp", l.PP, "there are more stages than layers", "1 to "+units.Itoa(layers))
	case l.VP > 1 && l.PP == 1:
		return bad("vp", l.VP, "there is one pipeline stage, and nothing to take in turns", "1, or pp of 2 and more")
	case l.virtual() > layers:
		return bad("vp", l.VP, "pp × vp pieces are more than there are layers", "1 to "+units.Itoa(layers/l.PP))
	case l.EP > 1 && len(x.experts) == 0:
		return bad("ep", l.EP, "the model has no experts", "1")
	case l.Ranks()%l.EP != 0:
		e := bad("ep", l.EP, "experts are divided over the ranks with the same weights, of which there are "+units.Itoa(l.Ranks()), "a divisor of dp × cp")
		if l.CP <= 1 {
			e.Hint = "dp=" + units.Itoa(up(l.DP, l.EP)*l.EP) + " does"
		}
		return e
	}
	return nil
}

// Even reports slices of tensor parallelism that do not divide what is between the
// matrices of state-space mixers, feed-forwards and, unless devices hold experts whole, experts:
// slices are equal. Megatron-LM refuses others (core/utils.py, divide), and so does vLLM
// (vllm/distributed/utils.py, divide, commit 0199690).
func (l *Layout) Even(m *model.Model, whole bool) *fault.Error {
	x := ShapeOf(m)
	for _, c := range x.channels {
		if c%l.TP != 0 {
			return uneven(l.TP, c, "channels of a mixer or a feed-forward")
		}
	}
	for _, c := range x.inside {
		if c%l.TP != 0 && !whole {
			return uneven(l.TP, c, "channels of an expert")
		}
	}
	return nil
}

// uneven says that tp does not divide n of something.
func uneven(tp, n int64, of string) *fault.Error {
	return divisor(&fault.Error{Field: "tp", Given: units.Itoa(tp), Problem: "does not divide the " + units.Group(n) + " " + of, Allowed: "a divisor of " + units.Itoa(n)}, n, tp)
}

// divisor adds the divisors of n around what was given as a hint.
func divisor(e *fault.Error, n, given int64) *fault.Error {
	below := min(given, n)
	for n%below != 0 {
		below--
	}
	e.Hint = e.Field + "=" + units.Itoa(below) + " does"
	for above := given + 1; above <= min(n, 1<<12); above++ {
		if n%above == 0 {
			e.Hint = e.Field + "=" + units.Itoa(below) + " and " + e.Field + "=" + units.Itoa(above) + " do"
			break
		}
	}
	return e
}

// Shape is what bounds a model's layouts.
type Shape struct {
	Layers         int64   // of all stacks
	heads, experts []int64 // each number once
	channels       []int64 // of state-space mixers and feed-forwards, between their matrices
	inside         []int64 // of experts
}

// Sliced reports whether that many slices of tensor parallelism divide the model.
func (s *Shape) Sliced(tp int64) bool {
	return divides(s.heads, tp) && divides(s.channels, tp) && divides(s.inside, tp)
}

// divides reports whether t divides every number.
func divides(all []int64, t int64) bool {
	for _, n := range all {
		if n%t != 0 {
			return false
		}
	}
	return true
}

// ShapeOf reads a model's stacks.
func ShapeOf(m *model.Model) (s Shape) {
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if b.Index == "" {
			continue
		}
		s.Layers += int64(len(b.Pattern))
		for ki := range b.Kinds {
			for pi := range b.Kinds[ki].Parts {
				p := &b.Kinds[ki].Parts[pi]
				if p.Role == model.Attention {
					s.heads = once(s.heads, p.Get(model.Heads))
				}
				s.experts = once(s.experts, p.Get(model.Experts))
				s.between(p)
			}
		}
	}
	return s
}

// between adds what the last matrices of a mixer with a state, of a feed-forward or of
// experts take: each slice has a part of it.
func (s *Shape) between(p *model.Part) {
	if p.Role != model.State && p.Role != model.FFN && p.Role != model.Expert || p.Stream != "" && p.Stream != "encoder" || p.Get(model.Unused) != 0 {
		return
	}
	cuts, last := slices(p), int64(0)
	for i := range p.Tensors {
		if x := &p.Tensors[i]; x.Op == model.MatMul && len(x.Dims) >= 2 {
			in, _ := x.Sides()
			last = in.Size
			switch {
			case cuts[i] != rows:
			case x.Role == model.Expert:
				s.inside = once(s.inside, in.Size)
			default:
				s.channels = once(s.channels, in.Size)
			}
		}
	}
	if p.Role == model.State {
		s.channels = once(s.channels, last)
	}
}

// once adds a number above zero that is not in the list.
func once(list []int64, n int64) []int64 {
	if n <= 0 {
		return list
	}
	for _, x := range list {
		if x == n {
			return list
		}
	}
	return append(list, n)
}

// cut is how a tensor is divided by tensor parallelism.
type cut uint8

const (
	whole   cut = iota // every slice holds it: norms, routers, positions, latents' way down
	columns            // by its outputs
	rows               // by its inputs
)

// slices returns, for each tensor of a part, how tensor parallelism divides it:
// the first matrices of attention and of feed-forwards by their outputs, the last
// by their inputs, embeddings and head by the vocabulary (Shoeybi et al. 2019,
// arXiv 1909.08053, section 3). Latents are small and every head reads them, so
// the matrices that make them are on every slice.
func slices(p *model.Part) []cut {
	out := make([]cut, len(p.Tensors))
	last := -1
	for i := range p.Tensors {
		t := &p.Tensors[i]
		if t.Op == model.MatMul && t.Role != model.Router && t.Role != model.Norm {
			last = i
		}
	}
	latent := p.Get(model.Latent) > 0
	for i := range p.Tensors {
		t := &p.Tensors[i]
		switch t.Role {
		case model.Embedding, model.Head:
			out[i] = columns
			continue
		case model.Norm, model.Router, model.Position, model.Other, model.Projector:
			continue
		case model.State:
			out[i] = columns
			continue
		}
		switch {
		case t.Op == model.MatMul && (i == last || lastOf(p, i)):
			out[i] = rows
		case t.Op == model.MatMul:
			out[i] = columns
			if latent && len(t.Dims) == 2 && !p.OfHeads(&t.Dims[0]) {
				out[i] = whole
			}
		case i > 0 && out[i-1] == columns && len(t.Dims) > 0: // the bias of what is divided by outputs
			out[i] = columns
		}
	}
	return out
}

// lastOf reports whether a matrix ends a feed-forward inside an expert part: the
// next matrix has another role or another number of copies.
func lastOf(p *model.Part, i int) bool {
	t := &p.Tensors[i]
	if t.Role != model.FFN && t.Role != model.Expert {
		return false
	}
	for j := i + 1; j < len(p.Tensors); j++ {
		if x := &p.Tensors[j]; x.Op == model.MatMul {
			return x.Role != t.Role || x.Copies != t.Copies
		}
	}
	return true
}

// parts is in how many parts tensor parallelism divides a tensor: keys and
// values in no more than there are heads of them.
func parts(p *model.Part, t *model.Tensor, c cut, tp int64) int64 {
	if c == whole {
		return 1
	}
	if kv := p.Get(model.KVHeads); kv > 0 && kv < tp && c == columns && len(t.Dims) > 0 {
		d, v := p.Get(model.HeadDim), p.Get(model.VDim)
		if n := t.Dims[0].Size; n == kv*d || v > 0 && n == kv*v {
			return kv
		}
	}
	return tp
}
