package step

// deltaChunk is how many tokens the class works on at once.
const deltaChunk = 64

// deltaRule is the mixer as its class writes it where no kernels are installed: tokens are cut into chunks, in each of which a
// triangular system is solved, and a matrix for each head goes from chunk to chunk (transformers 5.23.0, models/qwen3_next,
// torch_chunk_gated_delta_rule).
func (r *program) deltaRule(x tensor, d *scan, layer int) tensor {
	channels := 2*d.vectors + d.inner
	var in, gate, write, rate, both, two tensor
	if d.gate != nil {
		in, gate, write, rate = r.module(x, d.in), r.module(x, d.gate), r.module(x, d.write), r.module(x, d.rate)
	} else {
		both, two = r.module(x, d.in), r.module(x, d.rate)
		parts := r.split(both, r.t*channels, r.t*d.inner)
		small := r.split(two, r.t*d.heads, r.t*d.heads)
		gate, write, rate = r.clone(parts[1]), r.clone(small[0]), r.clone(small[1])
		pieces := r.clone(parts[0]) // each of queries, keys and values, put together once more
		in = r.clone(pieces)
		r.drop(parts[0], parts[1], small[0], small[1], pieces)
	}
	mixed := r.convolve(in, d, layer)
	r.drop(in)
	beta := r.relu(write)
	rates := r.rates(d)
	a32 := r.float(rate)
	moved := r.plus(a32, d.bias.read())
	r.drop(a32)
	soft := r.act(moved)
	r.drop(moved)
	g := r.mul(rates, soft)
	r.drop(rates, soft)
	parts := r.split(mixed, r.t*d.vectors, r.t*d.vectors, r.t*d.inner)
	var y, last tensor
	if r.infer && r.past > 0 {
		y = r.tickDelta(beta, g, d, x.w)
	} else {
		y, last = r.chunkDelta(parts, beta, g, d, x.w)
	}
	if r.infer && r.past == 0 {
		r.caches[layer].v = r.state(last.n, 4)
	}
	z := r.openDelta(y, gate, d)
	o := r.module(z, d.out)
	r.drop(parts[:]...)
	r.drop(z, gate, write, rate, both, two, mixed, beta, g, last)
	return o
}

// tickDelta is the rule for a token more: the state decays, the token is written into it, and reads it.
func (r *program) tickDelta(beta, g tensor, d *scan, w int64) tensor {
	one := r.b * d.inner * d.states
	values := r.make(r.b*d.inner, 4)
	less, token := r.make(one, 4), r.make(one, 4)
	next := r.make(one, 4)
	r.drop(token, less)
	read := r.make(one, 4)
	r.drop(read, next)
	y := r.cast(values, w)
	r.drop(values)
	return y
}

// openDelta norms what the rule gives, head by head, and lets through of it what the gate does, in fp32.
func (r *program) openDelta(x, gate tensor, d *scan) tensor {
	in := r.float(x)
	mean, dev := r.length(r.pow2(in), d.inner/d.heads)
	n := r.mul(in, dev)
	r.drop(in, dev)
	low := n
	if x.w < 4 {
		low = r.cast(n, x.w)
	}
	weighed := r.mul(d.gated.p.read(), low)
	if low.st != n.st {
		r.drop(low)
	}
	r.drop(n)
	g32 := r.float(gate)
	open := r.act(g32)
	r.drop(g32)
	out := r.mul(weighed, open)
	r.drop(weighed, open)
	if out.w > gate.w {
		y := r.cast(out, gate.w)
		r.drop(out)
		out = y
	}
	r.drop(mean, x)
	return out
}

// unit is x with each row divided by its length.
func (r *program) unit(x tensor, width int64) tensor {
	sum, inv := r.length(r.mul(x, x), width)
	r.drop(sum)
	y := r.mul(x, inv)
	r.drop(inv)
	return y
}

// chunkDelta is the rule itself, all of it in fp32, and the state behind the last token.
func (r *program) chunkDelta(parts [3]tensor, beta, g tensor, d *scan, w int64) (y, last tensor) {
	chunks := (r.s + deltaChunk - 1) / deltaChunk
	rows := r.b * chunks * deltaChunk * d.heads
	times := d.heads * d.states / d.vectors
	var two [2]tensor // queries and keys, repeated for the heads of values
	for i := range two {
		if times > 1 {
			two[i] = r.repeat(parts[i], times)
		} else {
			two[i] = r.same(parts[i])
		}
	}
	q32, k32, v32, b32 := r.float(two[0]), r.float(two[1]), r.float(parts[2]), r.float(beta)
	r.drop(two[:]...)
	qu := r.unit(q32, d.states)
	r.drop(q32)
	ku := r.unit(k32, d.states)
	r.drop(k32)
	qs := r.scaled(qu)
	r.drop(qu)
	q, k, v := r.pad(qs, rows*d.states), r.pad(ku, rows*d.states), r.pad(v32, rows*d.inner/d.heads)
	r.drop(qs, ku, v32)
	b, decay := r.pad(b32, rows), r.pad(g, rows)
	r.drop(b32)
	vb, kb := r.mul(v, b), r.mul(k, b)
	pairs := rows * deltaChunk
	mask := r.make(deltaChunk*deltaChunk, 1)
	sums := r.cumulate(decay)
	apart := r.outerSum(sums, pairs)
	hidden := r.ofMask(apart, mask)
	r.drop(apart)
	pairwise := r.relu(hidden)
	r.drop(hidden)
	kk := r.together(kb, k, pairs, w)
	system := r.mul(kk, pairwise)
	r.drop(kk)
	qk := r.together(q, k, pairs, w)
	near := r.mul(qk, pairwise)
	r.drop(qk)
	grown := r.relu(sums)
	kd := r.mul(kb, grown)
	r.drop(grown)
	u := r.solve(system, vb)
	reads := r.solve(system, kd)
	again := r.relu(sums)
	q2 := r.mul(q, again)
	r.drop(q, again)
	grad := r.grad
	r.grad = grad && chunks > 1 // of the last state nothing is made, so what writes it gets no gradient
	left := r.outerSum(sums, sums.n)
	till := r.relu(left)
	r.drop(left)
	k2 := r.mul(k, till)
	r.drop(k, till)
	r.grad = grad
	core, held := r.carryMatrix(q2, k2, u, reads, near, chunks, r.b*d.inner*d.states)
	whole := r.clone(core)
	r.drop(core)
	short := r.slice(whole, r.t*d.inner)
	r.drop(whole)
	y = r.cast(short, w)
	// variables of one function
	r.drop(short, decay, v, b, vb, kb, sums, pairwise, system, near, kd, u, reads, q2, k2, mask, held[1], held[2])
	return y, held[0]
}

// together is the products of two tensors' rows in a chunk. Where no copy to fp32 has put heads before tokens, each is copied so.
func (r *program) together(a, b tensor, n, w int64) tensor {
	if w < 4 {
		return r.product(a, b, n)
	}
	a, b = r.copied(a), r.copied(b)
	y := r.product(a, b, n)
	r.drop(a, b)
	return y
}

// outerSum is the differences of n pairs of values.
func (r *program) outerSum(x tensor, n int64) tensor {
	return r.plus(x, tensor{n: n, w: x.w})
}

// solve is the solution of a triangular system: its gradient needs the system and the solution.
func (m *machine) solve(system, b tensor) tensor {
	m.what = opNames[opSolve]
	y := m.make(b.n, b.w)
	y.from = m.record(opSolve, system.from, b.from, edge{}, system.st, y.st)
	m.sizes(y.from, system.n, b.n, b.w)
	return y
}

// carryMatrix goes from chunk to chunk: what each reads of the state is taken off its values, and they are written into it. What
// comes back beside the result are variables: the state, and what the last chunk wrote and read.
func (r *program) carryMatrix(q, k, u, reads, near tensor, chunks, one int64) (core tensor, held [3]tensor) {
	r.what = opNames[opDelta]
	past := chunks
	if !r.grad {
		past = 1
	}
	states := r.make(one*past, 4)
	core = r.make(u.n, 4)
	left := r.make(u.n/chunks*past, 4)
	piece := r.make(u.n/chunks, 4)
	a, b, c := r.make(one, 4), r.make(one, 4), r.make(one, 4)
	r.drop(a, b, c)
	asks, writes := q.st, k.st
	if chunks == 1 { // the state before has no gradient, and the state behind none either
		asks, writes = 0, 0
	}
	core.from = r.record(opDelta, q.from, k.from, u.from, asks, writes, reads.st, near.st, left.st, states.st)
	if e := core.from; e.node > 0 && e.node != remade {
		x := &r.nodes[e.node]
		for i, t := range [2]tensor{reads, near} {
			x.in[3+i] = t.from
			if t.from.node < 0 {
				r.leafs[-t.from.node-1].uses++
			}
		}
	}
	r.sizes(core.from, q.n, u.n, near.n, one, chunks)
	return core, [3]tensor{states, left, piece}
}

// backDelta is its gradients: each chunk makes those of all of a tensor, of which it fills its own part, and adds them to
// those of the chunks behind it.
func (m *machine) backDelta(id int32) {
	x := &m.nodes[id]
	g, s, in := x.g[0], x.size, x.in
	made := func(n int64) tensor { return tensor{st: m.temp(n, 4), n: n, w: 4} }
	piece := s[1] / s[4]
	copied := made(s[1])
	one, zero := made(piece), made(piece)
	m.drop(zero, g)
	state := made(s[3])
	order := [...]int{4, 3, 0, 2, 1}
	size := [...]int64{s[0], s[0], s[1], s[0], s[2]}
	var sums [5]tensor
	for _, i := range order {
		if in[i].needs() {
			sums[i] = made(size[i])
		}
	}
	if s[4] > 1 {
		other := made(s[1])
		m.drop(copied)
		copied = other
		for _, i := range order {
			if !in[i].needs() {
				continue
			}
			part := made(size[i])
			sum := tensor{st: m.added(sums[i].st, size[i], 4), n: size[i], w: 4}
			m.drop(part, sums[i])
			sums[i] = sum
		}
	}
	m.drop(one, state, copied)
	m.forget(&m.nodes[id])
	for i := range sums {
		m.send(in[i], sums[i])
	}
}
