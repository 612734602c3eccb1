package step

import "llmsize/core/model"

// Way says in which of its ways a class is laid out, where it has several; empty where it has one. A state-space mixer runs
// fused kernels where they are installed, and a model that also sees or hears may be given text alone.
func Way(m *model.Model) string {
	mixer, tower := false, false
	for bi := range m.Blocks {
		for ki := range m.Blocks[bi].Kinds {
			for pi := range m.Blocks[bi].Kinds[ki].Parts {
				p := &m.Blocks[bi].Kinds[ki].Parts[pi]
				mixer = mixer || p.Role == model.State
				tower = tower || besides(p)
			}
		}
	}
	way := ""
	if mixer {
		way = "state-space mixers as their class runs them without further kernels; the fused ones of mamba_ssm, causal_conv1d and flash-linear-attention keep far less"
	}
	if tower {
		if way != "" {
			way += "; "
		}
		way += "text alone: the parts for pictures and sound are held, but nothing passes through them, so they get no gradients and no optimizer states"
	}
	return way
}

// mixed is what a mixer gives that carries a state.
func (r *program) mixed(x tensor, s *scan, layer int) tensor {
	switch {
	case s.way == deltaWay:
		return r.deltaRule(x, s, layer)
	case s.way == shortConv:
		return r.short(x, s, layer)
	case r.infer && r.past > 0:
		return r.tick(x, s, layer)
	case s.way == mamba:
		return r.selective(x, s, layer)
	}
	return r.blockwise(x, s, layer)
}

// selective is Mamba's mixer as its class writes it where no kernels are installed: the state of every token is worked
// out at once, and a loop over the tokens carries it on, keeping each state (transformers 5.23.0, models/mamba,
// mamba_selective_scan).
func (r *program) selective(x tensor, s *scan, layer int) tensor {
	both := r.module(x, s.in)
	rates := r.rates(s)
	two := r.split(both, both.n/2, both.n/2)
	h := r.convolve(two[0], s, layer)
	inOrder := r.inOrder(h)
	r.drop(two[0])
	three := r.steps(inOrder, s)
	r.drop(inOrder)
	made := r.linear(three[0], s.dt.p, nil)
	steps := r.make(made.n, made.w) // the same in the order of the channels
	steps.from = made.from
	r.drop(made, three[0])
	moved := r.plus(steps, s.bias.read())
	in := r.wide(moved)
	r.drop(moved)
	d := r.act(in)
	r.drop(in)

	pairs := r.t * s.inner * s.states
	grown := r.outer(rates, d, pairs)
	decay := r.relu(grown)
	r.drop(grown)
	b32, h32 := r.float(three[1]), r.float(h)
	entering := r.outer(d, b32, pairs)
	r.drop(b32)
	enters := r.outer(entering, h32, pairs)
	r.drop(h32)
	y, held := r.carry(decay, enters, three[2], h.w)

	d32 := r.float(s.skip.read())
	past := r.mul(h, d32)
	sum := r.plus(y, past)
	r.drop(past, y)
	if r.infer {
		r.caches[layer].v = r.state(pairs/r.s, 4)
	}
	gate := r.act(two[1])
	out := r.mul(sum, gate)
	r.drop(sum, gate, d, decay, entering, enters, held[0], held[1]) // variables of one function
	last := r.inOrder(out)
	z := r.wayOut(last, x.w, s)
	r.drop(last, steps, d32, out, h, both, rates, two[1], three[1], three[2]) // and of the other
	return z
}

// steps is what Mamba makes of the convolved tokens: time steps, and the vectors by which a token enters and leaves the
// state, normed where the class does that.
func (r *program) steps(h tensor, s *scan) [3]tensor {
	low := r.module(h, s.x)
	three := r.split(low, r.t*s.rank, r.t*s.states, r.t*s.states)
	r.drop(low)
	bare := fact(r.p.m, "unweighed", 0) != 0
	for i, n := range [...]*norm{s.steps, s.enter, s.leave} {
		var y tensor
		switch {
		case bare:
			y = r.unweighed(three[i])
		case n != nil:
			y = r.norm(three[i], n)
		default:
			continue
		}
		r.drop(three[i])
		three[i] = y
	}
	return three
}

// wayOut is the last product, of what the mixer was given the format of.
func (r *program) wayOut(out tensor, w int64, s *scan) tensor {
	if out.w == w {
		return r.module(out, s.out)
	}
	low := r.cast(out, w)
	z := r.module(low, s.out)
	r.drop(low)
	return z
}

// inOrder is x with a token's channels side by side, as a product takes them: a copy where there are several sequences.
func (r *program) inOrder(x tensor) tensor {
	if r.b == 1 {
		return r.same(x)
	}
	return r.copied(x)
}

// rates is how fast states decay: the negative exponential of a parameter, in fp32.
func (r *program) rates(s *scan) tensor {
	a := r.float(s.decay.read())
	e := r.relu(a)
	y := r.scaled(e)
	r.drop(a, e)
	return y
}

// float is x in fp32: a copy where it is not.
func (r *program) float(x tensor) tensor {
	if x.w >= 4 {
		return r.same(x)
	}
	return r.cast(x, 4)
}

// convolve mixes each channel with its last few tokens, and activates what comes out.
func (r *program) convolve(x tensor, s *scan, layer int) tensor {
	y := r.convolved(x, s, layer)
	h := r.act(y)
	r.drop(y)
	return h
}

// convolved is the convolution alone, which goes on past the last token: what is behind it is cut off. A token more is put behind
// those that the cache holds, which change their place in it.
func (r *program) convolved(x tensor, s *scan, layer int) tensor {
	if r.infer && r.past > 0 {
		seen, long := r.make(x.n*(s.kernel+1), x.w), r.make(x.n*2, x.w)
		y := r.slice(long, x.n)
		r.drop(seen, long)
		return y
	}
	if r.infer {
		r.caches[layer].k = r.state(r.b*s.conv.n, x.w)
	}
	in := x
	if r.auto && x.w < s.conv.w {
		in = r.cast(x, s.conv.w)
	}
	long := r.times(in, s.conv, s.convBias, x.n/r.s*(r.s+s.kernel-1), false)
	if in.st != x.st {
		r.drop(in)
	}
	y := r.slice(long, x.n)
	r.drop(long)
	return y
}

// short is a convolution between two gates, as its class writes it where no kernels are installed (transformers 5.23.0,
// models/lfm2, Lfm2ShortConv.slow_forward).
func (r *program) short(x tensor, s *scan, layer int) tensor {
	all := r.module(x, s.in)
	three := r.split(all, r.t*s.inner, r.t*s.inner, r.t*s.inner)
	r.drop(all)
	in := r.mul(three[0], three[2])
	mixed := r.convolved(in, s, layer)
	gated := r.mul(three[1], mixed)
	y := r.clone(gated)
	r.drop(gated)
	z := r.module(y, s.out)
	r.drop(y, in, mixed)
	r.drop(three[:]...)
	return z
}

// unweighed is a norm without a parameter.
func (r *program) unweighed(x tensor) tensor {
	in := r.float(x)
	mean, dev := r.length(r.pow2(in), x.n/r.t)
	y := r.mul(in, dev)
	r.drop(in, dev, mean)
	if y.w == x.w || r.auto {
		return y
	}
	z := r.cast(y, x.w)
	r.drop(y)
	return z
}

// carry goes over the tokens one by one: a state is the one before it, decayed, and what enters. Every state is kept, with
// its 16-bit copy where the products are in 16 bits. What comes back beside the result lives until the function ends.
func (r *program) carry(decay, enters, leave tensor, w int64) (y tensor, held [2]tensor) {
	r.what = opNames[opCarry]
	one := decay.n / r.s
	zero := r.make(one, w)
	past := r.s // states that stay
	if !r.grad || r.seg != 0 && r.again == nil {
		past = 1
	}
	states, copies, last := tensor{}, tensor{}, tensor{}
	if w < 4 {
		states, last = r.make(one*max(past-1, 1), 4), r.make(one, 4)
		copies = r.make(one*past, w)
	} else {
		states = r.make(one*past, 4)
	}
	each := decay.n / (leave.n / r.t) // what leaves of each token and channel
	outs := r.make(each, w)
	r.release(r.temp(one, 4))
	y = r.make(each, w)
	y.from = r.record(opCarry, decay.from, enters.from, leave.from, decay.st, leave.st, zero.st, states.st, copies.st)
	r.sizes(y.from, decay.n, one, leave.n, leave.w, r.s)
	r.drop(zero, states, copies)
	return y, [2]tensor{last, outs}
}

// blockwise is Mamba-2's mixer as its class writes it where no kernels are installed: the tokens are cut into chunks,
// each of which is worked on as attention is, all of it in fp32, and states go from chunk to chunk (transformers 5.23.0,
// models/mamba2, mamba2_chunk_scan).
func (r *program) blockwise(x tensor, s *scan, layer int) tensor {
	all := r.module(x, s.in)
	rates := r.rates(s)
	channels := s.inner + 2*s.vectors
	three := r.split(all, r.t*s.inner, r.t*channels, r.t*s.heads)
	r.drop(all)
	mixed := r.convolve(three[1], s, layer)
	r.drop(three[1])
	parts := r.split(mixed, r.t*s.inner, r.t*s.vectors, r.t*s.vectors)
	y := r.chunkScan(parts, three[2], rates, s)
	r.drop(parts[0], parts[1], parts[2], three[2], rates)
	if r.infer {
		r.caches[layer].v = r.state(r.b*s.inner*s.states, 4)
	}
	z := r.through(y, three[0], s)
	o := r.wayOut(z, x.w, s)
	r.drop(z, mixed, three[0])
	return o
}

// through is what the gate lets through, normed in groups, all in fp32.
func (r *program) through(y, gate tensor, s *scan) tensor {
	y32 := r.float(y)
	r.drop(y)
	y = y32
	gate = r.float(gate)
	open := r.act(gate)
	r.drop(gate)
	out := r.mul(y, open)
	r.drop(y, open)
	mean, dev := r.length(r.pow2(out), s.inner*s.states/s.vectors)
	n := r.mul(out, dev)
	z := r.mul(s.gated.p.read(), n)
	r.drop(out, n, dev, mean)
	return z
}

// state is what a layer's cache holds between tokens.
func (r *program) state(n, w int64) tensor {
	y := r.make(n, w)
	r.become(y.st, Cache)
	return y
}

// tick is either mixer with one token more: the state is decayed, and the token enters it.
func (r *program) tick(x tensor, s *scan, layer int) tensor {
	both := r.module(x, s.in)
	rates := r.rates(s)
	channels := s.conv.n / s.kernel
	h := r.convolve(tensor{n: r.b * channels, w: x.w}, s, layer)
	w := x.w
	var three [3]tensor
	var dt tensor
	if s.way == mamba {
		w = 4
		three = r.steps(h, s)
		dt = r.linear(three[0], s.dt.p, nil)
	}
	one := r.b * s.inner * s.states
	shown := r.make(r.b*s.inner, x.w)
	grown := r.make(one, 4)
	decay := r.make(one, 4)
	r.drop(grown)
	entering, enters := r.make(one, w), r.make(one, w)
	old := r.make(one, 4)
	next := r.make(one, 4)
	r.drop(old)
	if x.w < 4 {
		low := r.make(one, x.w)
		if s.way != mamba {
			r.drop(next)
			next = low
		} else {
			r.drop(low)
		}
	}
	y := r.make(r.b*s.inner, x.w)
	r.drop(decay, entering, enters, next, shown)
	if s.gated != nil {
		gate := tensor{st: both.st, n: y.n, w: both.w}
		y = r.through(y, gate, s)
	}
	z := r.wayOut(y, x.w, s)
	r.drop(y, both, rates, h, three[0], three[1], three[2], dt)
	return z
}

// chunkScan is the scan itself. Parts are the tokens, and the vectors by which they enter and leave the state.
func (r *program) chunkScan(parts [3]tensor, dt, rates tensor, s *scan) tensor {
	chunks := (r.s + s.chunk - 1) / s.chunk
	times := s.heads * s.states / s.vectors // heads that read a group's vectors
	padded := r.b * chunks * s.chunk
	moved := r.plus(dt, s.bias.read())
	in := r.wide(moved)
	soft := r.act(in)
	steps := r.act(soft) // clamped
	r.drop(moved, in, soft)
	tokens := r.float(parts[0])
	var vectors [2]tensor
	for i := range vectors {
		low := r.float(parts[1+i])
		vectors[i] = r.repeat(low, times)
		r.drop(low)
	}
	long := r.pad(tokens, padded*s.inner)
	d := r.float(s.skip.read())
	past := r.mul(long, d)
	r.drop(long, d)
	s32 := r.float(steps)
	stepped := r.mul(tokens, s32)
	decay := r.mul(s32, rates)
	r.drop(tokens, s32)
	xs, as := r.pad(stepped, padded*s.inner), r.pad(decay, padded*s.heads)
	enter, leave := r.pad(vectors[0], padded*s.heads*s.states), r.pad(vectors[1], padded*s.heads*s.states)
	r.drop(stepped, decay, vectors[0], vectors[1])
	grown := r.cumulate(as)

	// within a chunk: a score for each pair of tokens and head
	pairs := padded * s.chunk * s.heads
	mask := r.segments(as, pairs)
	scores := r.contract(leave, enter, pairs, true, true)
	seen := r.mul(scores, mask)
	diagonal := r.contract(seen, xs, padded*s.inner, false, true)

	// what each chunk adds to the state, and the states between them
	till := r.relu(grown)
	entering := r.mul(enter, till)
	one := r.b * s.inner * s.states
	added := r.contract(xs, entering, one*chunks, true, true)
	zero := r.make(one, added.w)
	all := r.cat(tensor{n: one, w: added.w}, added)
	r.drop(added)
	ends := r.slice(grown, r.b*s.heads*chunks)
	border := r.pad(ends, r.b*s.heads*(chunks+1))
	over := r.segments(border, border.n*(chunks+1))
	r.drop(border, ends)
	states := r.contract(over, all, one*(chunks+1), false, r.b > 1)
	r.drop(all)

	// what the states give
	decayed := r.relu(grown)
	before := r.slice(states, one*chunks)
	read := r.contract(leave, before, padded*s.inner, true, true)
	r.drop(before)
	off := r.mul(read, decayed)
	sum := r.plus(diagonal, off)
	whole := r.copied(sum)
	r.drop(sum)
	out := r.plus(whole, past)
	// variables of one function
	r.drop(whole, steps, xs, as, enter, leave, past, grown, mask, scores, seen, diagonal, till, entering, zero, over, states, decayed, read, off)
	if padded == r.t {
		return out
	}
	short := r.slice(out, r.t*s.inner)
	r.drop(out)
	return short
}

// segments is the exponential of the sums over all stretches of a chunk: n values, those of stretches that run back masked.
func (r *program) segments(x tensor, n int64) tensor {
	side := r.make(n/x.n*(n/x.n), 1)
	wide := tensor{n: n, w: x.w, from: r.record(opRepeat, x.from, edge{}, edge{})}
	r.sizes(wide.from, x.n, x.w)
	first := r.ofMask(wide, side)
	sums := r.cumulate(first)
	last := r.ofMask(sums, side)
	r.drop(first, sums)
	y := r.relu(last)
	r.drop(last, side)
	return y
}

// contract is a product along axes that stand apart, for which tensors are copied in another order: in 16 bits under
// autocast, as all of it is.
func (r *program) contract(a, b tensor, n int64, moveA, moveB bool) tensor {
	var mine [4]tensor
	in := [2]tensor{a, b}
	for i := range in {
		if r.auto && in[i].w > 2 {
			in[i] = r.cast(in[i], 2)
			mine[i] = in[i]
		}
	}
	for i, move := range [2]bool{moveA, moveB} {
		if move {
			in[i] = r.copied(in[i])
			mine[2+i] = in[i]
		}
	}
	y := r.product(in[0], in[1], n)
	r.drop(mine[:]...)
	return y
}

// cumulate sums along an axis; its gradient is turned round, summed and turned round again.
func (m *machine) cumulate(x tensor) tensor { return m.each(opCumulate, x) }

// copied is a copy in another order, whose gradient is a view.
func (m *machine) copied(x tensor) tensor {
	m.what = opNames[opClone]
	y := m.make(x.n, x.w)
	y.from = x.from
	return y
}

// pad is x with zeros behind it, a copy even where there are none.
func (m *machine) pad(x tensor, n int64) tensor {
	e := m.record(opSlice, x.from, edge{}, edge{})
	m.sizes(e, x.n, x.w)
	y := m.make(n, x.w)
	y.from = e
	return y
}
