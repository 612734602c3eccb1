package step

// back works out the gradients of a node's inputs, as PyTorch's own formulas do: what is there for a moment
// is made and released in their order.
func (m *machine) back(id int32) {
	x := &m.nodes[id]
	g := x.g[0]
	s, in := x.size, x.in
	made := func(n, w int64) tensor { return tensor{st: m.temp(n, w), n: n, w: w} }
	asked := func(e edge, n, w int64) tensor { // a gradient that somebody needs
		if !e.needs() {
			return tensor{}
		}
		return made(n, w)
	}
	switch x.op {
	case opLinear:
		var gw tensor
		if in[1].needs() && m.puts { // its inputs and the gradient of its result stay until then
			m.largest = max(m.largest, m.bytes(s[1], s[3]))
			m.hold(m.kept(x, 0))
			m.hold(g.st)
			m.become(g.st, Activations)
		} else if in[1].needs() {
			gw = made(s[1], s[3])
		}
		var copied tensor
		if s[5] > 0 {
			copied = made(s[1], s[3])
		}
		gx, gb := asked(in[0], s[0], s[3]), asked(in[2], s[4], s[3])
		m.drop(copied)
		m.finish(id, g)
		m.send(in[0], gx)
		m.send(in[1], gw)
		m.send(in[2], gb)
		return
	case opCast:
		if s[1] == g.w { // autocast may cast to what it was
			m.send(in[0], g)
			return
		}
		t := made(s[0], s[1])
		m.drop(g)
		m.send(in[0], t)
		return
	case opMul:
		w := s[3]
		gb, ga := asked(in[1], s[0], w), asked(in[0], s[0], w)
		ga = m.fold(ga, s[1], s[4])
		gb = m.fold(gb, s[2], s[5])
		m.finish(id, g)
		m.send(in[0], ga)
		m.send(in[1], gb)
		return
	case opAdd:
		ga, gb := m.same(g), m.same(g)
		ga = m.fold(ga, s[1], s[4])
		gb = m.fold(gb, s[2], s[5])
		m.drop(g)
		if !in[0].needs() {
			m.drop(ga)
			ga = tensor{}
		}
		if !in[1].needs() {
			m.drop(gb)
			gb = tensor{}
		}
		m.send(in[0], ga)
		m.send(in[1], gb)
		return
	case opPow, opRsqrt, opCumulate:
		p := made(s[0], s[1])
		q := made(s[0], s[1])
		r := made(s[0], s[1])
		m.drop(q, p)
		m.finish(id, g)
		m.send(in[0], r)
		return
	case opMean, opScale, opClone, opAct, opTanh, opSoftmax, opDropout, opEmbed, opLoss, opMask:
		t := made(s[0], s[1])
		m.finish(id, g)
		m.send(in[0], t)
		return
	case opSpread:
		flat := made(s[0]*s[2], s[1])
		t := made(s[0], s[1])
		m.drop(flat, g)
		m.send(in[0], t)
		return
	case opCollect, opCopyIn, opSlice, opRepeat:
		t := made(s[0], s[1])
		m.drop(g)
		m.send(in[0], t)
		return
	case opRotate:
		half := made(s[0]/2, s[1])
		a := made(s[0], s[1])
		m.drop(half)
		b := made(s[0], s[1])
		m.finish(id, g)
		m.send(in[0], a)
		m.send(in[0], b)
		return
	case opSplit:
		t := made(s[0], s[1])
		m.drop(x.g[0], x.g[1], x.g[2])
		m.send(in[0], t)
		return
	case opCat:
		a := tensor{st: g.st, n: s[0], w: g.w}
		b := tensor{st: g.st, n: s[1], w: g.w}
		if in[0].needs() {
			m.hold(g.st)
		} else {
			a.st = 0
		}
		if in[1].needs() {
			m.hold(g.st)
		} else {
			b.st = 0
		}
		m.drop(g)
		m.send(in[0], a)
		m.send(in[1], b)
		return
	case opProduct:
		ga, gb := asked(in[0], s[0], s[2]), asked(in[1], s[1], s[2])
		m.finish(id, g)
		m.send(in[0], ga)
		m.send(in[1], gb)
		return
	case opAttend:
		var round [4]tensor
		if s[4] > 1 { // keys and values of all ranks once more, and sums in fp32
			round = [4]tensor{made((s[1]+s[2])*s[4], s[3]), made(s[0], 4), made(s[1], 4), made(s[2], 4)}
		}
		a, b, c := made(s[0], s[3]), made(s[1], s[3]), made(s[2], s[3])
		m.drop(round[:]...)
		var bias tensor
		if in[3].needs() { // of every sequence, then of all
			bias = m.fold(made(-s[4]*s[5], s[3]), s[5], s[3])
		}
		m.finish(id, g)
		m.send(in[3], bias)
		m.send(in[0], a)
		m.send(in[1], b)
		m.send(in[2], c)
		return
	case opLayerNorm:
		t := made(s[0], s[2])
		a, b := asked(in[1], s[1], s[3]), asked(in[2], s[1], s[3])
		m.finish(id, g)
		m.send(in[0], t)
		m.send(in[1], a)
		m.send(in[2], b)
		return
	case opGather:
		zero := made(s[0], s[1])
		t := made(s[0], s[1])
		m.drop(zero)
		m.finish(id, g)
		m.send(in[0], t)
		return
	case opSum:
		m.send(in[0], g) // a view: each copy is the same
		return
	case opLogSoftmax:
		var exp tensor
		if s[2] > 0 {
			exp = made(s[0], s[1])
		}
		t := made(s[0], s[1])
		m.drop(exp)
		m.finish(id, g)
		m.send(in[0], t)
		return
	case opCarry: // a token's gradients are zeros for all others, summed token by token, for the decay and for what enters
		one, other := made(s[1], 4), made(s[1], 4)
		a, b := made(s[0], 4), made(s[0], 4)
		if s[4] > 1 {
			m.drop(made(s[0], 4), made(s[0], 4))
		}
		m.drop(one, other)
		c := made(s[2], s[3])
		m.finish(id, g)
		m.send(in[0], a)
		m.send(in[1], b)
		m.send(in[2], c)
		return
	case opSolve:
		b := made(s[1], s[2])
		a := made(s[0], s[2])
		low := made(s[0], s[2])
		m.drop(a)
		m.finish(id, g)
		m.send(in[1], b)
		m.send(in[0], low)
		return
	case opDelta:
		m.backDelta(id)
		return
	case opGate: // written where the operands were
		m.handed(id, g, [2]int{1, 0}, [4]int64{s[1], s[4], s[2], s[5]})
		return
	case opGiven: // gradients that the forward pass made
		m.handed(id, g, [2]int{0, 1}, [4]int64{s[0], s[1], s[2], s[3]})
		return
	}
	m.drop(g)
}

// handed sends two of the storages that a node kept as its gradients: which they are, and the elements and bytes of each.
func (m *machine) handed(id int32, g tensor, which [2]int, size [4]int64) {
	x := &m.nodes[id]
	in := x.in
	var out [2]tensor
	for i := range out {
		out[i] = tensor{st: m.kept(x, which[i]), n: size[2*i], w: size[2*i+1]}
		m.hold(out[i].st)
	}
	m.finish(id, g)
	m.send(in[0], out[0])
	m.send(in[1], out[1])
}

// finish releases what a node kept and the gradient that it was given, once it has made its own.
func (m *machine) finish(id int32, g tensor) {
	m.forget(&m.nodes[id])
	m.drop(g)
}

// fold brings a gradient to the size and format of what it belongs to.
func (m *machine) fold(g tensor, n, w int64) tensor {
	if g.st == 0 {
		return g
	}
	if g.n > n {
		t := tensor{st: m.temp(n, g.w), n: n, w: g.w}
		m.drop(g)
		g = t
	}
	if g.w != w {
		t := tensor{st: m.temp(n, w), n: n, w: w}
		m.drop(g)
		g = t
	}
	return g
}
