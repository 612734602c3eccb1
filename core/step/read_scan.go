package step

import (
	"llmsize/core/config"
	"llmsize/core/model"
)

// scan is a state-space mixer as a program has it.
type scan struct {
	in, out             *matrix
	x, dt               *matrix // what makes time steps and state vectors of a token; nil where the way in makes them, too (Mamba-2)
	conv, convBias      *weight
	decay, skip, bias   *weight // A_log, D, and what is added to time steps
	steps, enter, leave *norm   // norms of time steps, and of the vectors by which a token enters and leaves the state
	gated               *norm   // norm of what the gate lets through (Mamba-2)
	inner               int64   // channels
	states              int64   // numbers of state of a channel
	rank                int64   // of time steps (Mamba)
	heads, vectors      int64   // heads, and the width of the vectors of all groups (Mamba-2)
	chunk               int64   // tokens that are worked on at once (Mamba-2)
	kernel              int64   // tokens that the convolution sees
}

// scan reads a state-space mixer: Mamba's, whose step sizes and state vectors are made of the convolved token (x_proj), or
// Mamba-2's, whose way in makes everything.
func (p *plan) scan(x *model.Part) (*scan, string) {
	const why = "a mixer that is neither attention nor Mamba's"
	s := &scan{}
	vector := func(t *model.Tensor) *weight { return p.weight(t.Elements, 1, t.Elements) }
	for i := range x.Tensors {
		t := &x.Tensors[i]
		switch {
		case t.Buffer:
		case ends(t.Name, "dt_bias"):
			s.bias = vector(t)
		case isBias(t): // read with what it stands beside
		case t.Op == model.Conv:
			s.kernel = t.Dims[len(t.Dims)-1].Size
			s.conv = p.weight(t.Elements, s.kernel, t.Elements/s.kernel)
			s.conv.whole = true
			if i+1 < len(x.Tensors) && isBias(&x.Tensors[i+1]) {
				s.convBias = vector(&x.Tensors[i+1])
			}
		case t.Op == model.MatMul && len(t.Dims) == 2:
			m := p.matrix(x.Tensors, i)
			switch {
			case s.in == nil:
				s.in = m
			case ends(t.Name, "x_proj.weight"):
				s.x = m
			case ends(t.Name, "dt_proj.weight"):
				s.dt = m
			case s.out == nil:
				s.out = m
			default:
				return nil, why
			}
		case t.Role == model.Norm:
			n := p.norm(x.Tensors[i : i+1])
			switch {
			case s.dt == nil && s.x == nil:
				s.gated = n
			case s.steps == nil:
				s.steps = n
			case s.enter == nil:
				s.enter = n
			default:
				s.leave = n
			}
		case ends(t.Name, "A_log"):
			s.decay = vector(t)
		case len(t.Dims) == 1 && (t.Name == "D" || ends(t.Name, ".D")):
			s.skip = vector(t)
		default:
			return nil, why
		}
	}
	switch {
	case s.in == nil || s.out == nil || s.conv == nil || s.decay == nil || s.skip == nil || (s.x == nil) != (s.dt == nil):
		return nil, why
	case p.o.tp() > 1 || p.o.cp() > 1:
		return nil, "state-space mixers under tensor or context parallelism"
	case p.o.Selective:
		return nil, "state-space mixers, of which no part is known to stay where layers are made again by operator"
	}
	s.inner = s.out.p.in
	if s.inner < 1 {
		return nil, why
	}
	if s.states = s.decay.n / s.inner; s.x != nil {
		if s.rank = s.dt.p.in; s.states < 1 || s.x.p.out != s.rank+2*s.states || s.in.p.out != 2*s.inner {
			return nil, why
		}
		if s.dt.bias == nil {
			return nil, why
		}
		s.bias = s.dt.bias
		return s, ""
	}
	channels := s.conv.n / s.kernel
	s.heads, s.states, s.vectors = s.decay.n, x.Get(model.StateSize)/s.inner, (channels-s.inner)/2
	if s.bias == nil || s.gated == nil || s.heads < 1 || s.inner%s.heads != 0 || s.states < 1 || s.vectors%s.states != 0 || s.in.p.out != s.inner+channels+s.heads {
		return nil, why
	}
	n, ok := config.ParseInt(text(p.m, "chunk_size", "mamba_chunk_size"))
	if !ok || n < 1 {
		return nil, "state-space mixers that do not say how many tokens they work on at once"
	}
	s.chunk = n
	return s, ""
}
