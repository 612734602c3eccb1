package step

import (
	"llmsize/core/config"
	"llmsize/core/model"
)

// scan is a mixer that carries a state from token to token, or only convolves them, as a program has it.
type scan struct {
	way                 scanWay
	in, out             *matrix
	x, dt               *matrix // what makes time steps and state vectors of a token (Mamba)
	gate, rate, write   *matrix // what the result is gated by, how fast a state decays, how much a token writes; gate in in and write in rate where these are not there (delta rule)
	conv                *weight
	convBias            *weight
	decay, skip, bias   *weight // A_log, D, and what is added to time steps
	steps, enter, leave *norm   // norms of time steps, and of the vectors by which a token enters and leaves the state
	gated               *norm   // norm of what the gate lets through
	inner               int64   // channels, of the delta rule those of values
	states              int64   // numbers of state of a channel
	rank                int64   // of time steps (Mamba)
	heads, vectors      int64   // heads, and the width of the vectors of all groups, of the delta rule that of all keys
	chunk               int64   // tokens that are worked on at once (Mamba-2)
	kernel              int64   // tokens that the convolution sees
}

// scanWay is which of the mixers one is.
type scanWay uint8

const (
	mamba     scanWay = iota // step sizes and state vectors are made of the convolved token (x_proj)
	mamba2                   // the way in makes everything
	deltaWay                 // a matrix for each head goes from token to token by the gated delta rule
	shortConv                // nothing but the convolution, between two gates
)

// scan reads such a mixer.
func (p *plan) scan(x *model.Part) (*scan, string) {
	const why = "a mixer that is neither attention nor Mamba's"
	s := &scan{}
	vector := func(t *model.Tensor) *weight { return p.weight(t.Elements, 1, t.Elements) }
	var norms [4]*norm
	n := 0
	for i := range x.Tensors {
		t := &x.Tensors[i]
		at := &s.in
		if s.in != nil {
			at = &s.out
		}
		switch {
		case t.Buffer:
			continue
		case ends(t.Name, "dt_bias"):
			s.bias = vector(t)
			continue
		case isBias(t): // read with what it stands beside
			continue
		case t.Op == model.Conv:
			s.kernel = t.Dims[len(t.Dims)-1].Size
			s.conv = p.weight(t.Elements, s.kernel, t.Elements/s.kernel)
			s.conv.whole = true
			if i+1 < len(x.Tensors) && isBias(&x.Tensors[i+1]) {
				s.convBias = vector(&x.Tensors[i+1])
			}
			continue
		case t.Role == model.Norm && n < len(norms):
			norms[n] = p.norm(x.Tensors[i : i+1])
			n++
			continue
		case ends(t.Name, "A_log"):
			s.decay = vector(t)
			continue
		case len(t.Dims) == 1 && (t.Name == "D" || ends(t.Name, ".D")):
			s.skip = vector(t)
			continue
		case t.Op != model.MatMul || len(t.Dims) != 2:
			return nil, why
		case ends(t.Name, "out_proj.weight"):
			at = &s.out
		case ends(t.Name, "x_proj.weight"):
			at = &s.x
		case ends(t.Name, "dt_proj.weight"):
			at = &s.dt
		case ends(t.Name, "in_proj_z.weight"):
			at = &s.gate
		case ends(t.Name, "in_proj_b.weight"):
			at = &s.write
		case ends(t.Name, "in_proj_a.weight"), ends(t.Name, "in_proj_ba.weight"):
			at = &s.rate
		}
		if *at != nil {
			return nil, why
		}
		*at = p.matrix(x.Tensors, i)
	}
	switch {
	case s.in == nil || s.out == nil || s.conv == nil || s.out.p.in < 1:
		return nil, why
	case p.o.tp() > 1 || p.o.cp() > 1:
		return nil, "state-space mixers under tensor or context parallelism"
	case p.o.Selective:
		return nil, "state-space mixers, of which no part is known to stay where layers are made again by operator"
	}
	s.inner = s.out.p.in
	channels := s.conv.n / s.kernel
	ok := s.decay != nil
	if ok {
		s.heads, s.states, s.vectors = s.decay.n, x.Get(model.StateSize)/s.inner, (channels-s.inner)/2
	}
	switch {
	case !ok: // the way in makes both gates and what is convolved
		s.way, ok = shortConv, s.skip == nil && n == 0 && channels == s.inner && s.in.p.out == 3*channels
	case s.rate != nil:
		s.way, s.gated = deltaWay, norms[0]
		ok = s.bias != nil && n == 1 && (s.gate == nil) == (s.write == nil) && s.heads > 0 && s.vectors > 0 && s.inner%s.heads == 0 &&
			s.states > 0 && s.states*s.inner == x.Get(model.StateSize) && s.heads*s.states%s.vectors == 0
	case s.x != nil:
		s.steps, s.enter, s.leave = norms[0], norms[1], norms[2]
		s.states = s.decay.n / s.inner
		if ok = s.skip != nil && s.dt != nil && s.dt.bias != nil && s.states > 0; ok {
			s.rank, s.bias = s.dt.p.in, s.dt.bias
			ok = s.x.p.out == s.rank+2*s.states && s.in.p.out == 2*s.inner
		}
	default:
		s.way, s.gated = mamba2, norms[0]
		ok = s.skip != nil && s.bias != nil && n == 1 && s.heads > 0 && s.inner%s.heads == 0 && s.states > 0 && s.vectors > 0 && s.vectors%s.states == 0 && s.inner*s.states%s.vectors == 0 && s.in.p.out == s.inner+channels+s.heads
		if !ok {
			break
		}
		said := false
		if s.chunk, said = config.ParseInt(text(p.m, "chunk_size", "mamba_chunk_size")); !said || s.chunk < 1 {
			return nil, "state-space mixers that do not say how many tokens they work on at once"
		}
	}
	if !ok {
		return nil, why
	}
	return s, ""
}
