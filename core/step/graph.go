package step

// edge leads from a node to where a gradient goes: a node's output, a parameter, or nowhere.
type edge struct {
	node int32 // 0: nowhere; below 0: the parameter -node-1
	slot uint8
}

func (e edge) needs() bool { return e.node != 0 }

// leaf is a parameter that gets a gradient.
type leaf struct {
	n, w    int64
	uses    int32 // edges of the graph that have not sent theirs yet
	got     int32 // the storage of the gradient so far
	passing bool  // no parameter: its gradient is nobody's
}

const (
	maxSaved = 8
	maxIn    = 5
)

// node is one operator of autograd's graph: what it keeps, and where its gradients go.
type node struct {
	op     opcode
	part   part
	nsaved uint8
	gone   bool // what it kept is released
	saved  [maxSaved]int32
	in     [maxIn]edge
	size   [6]int64
	g      [3]tensor // gradients of its outputs, as far as they have come
	seg    int32     // the checkpointed layer that it is in, 0: none
}

// segment is a checkpointed layer: how to make it again, and what that made.
type segment struct {
	run   func()
	count int32   // how many tensors its nodes keep
	made  []int32 // those, as far as they were made again
	next  int32
	left  int32 // nodes still to be visited
	done  bool
	holds tensor
	cache []int32 // results that are kept though the layer is made again
	at    int     // how many of them that took
	mms   int     // products so far
}

// remade stands for any node of a layer that is made again: nothing is asked of it but that it is there.
const remade = 1 << 30

// record writes an operator into the graph, if any of its inputs needs a gradient, and returns where its
// result's gradient goes. What it keeps is held; a 0 among saved keeps a place. An operator that keeps only
// what it is given is recorded before its result is made: a layer that is made again stops there.
func (m *machine) record(op opcode, a, b, c edge, saved ...int32) edge {
	if !m.grad || !a.needs() && !b.needs() && !c.needs() {
		return edge{}
	}
	for i := range saved {
		if saved[i] > 0 && saved[i] == m.unkept {
			saved[i] = 0
		}
	}
	if m.again != nil { // what the layer's nodes keep, in the order in which they kept it
		for _, s := range saved {
			if m.keeps(s) {
				m.give(s)
			}
		}
		return edge{node: remade}
	}
	if !m.work.Spend(perNode) {
		return edge{}
	}
	id := int32(len(m.nodes))
	m.nodes = append(m.nodes, node{op: op, part: m.part, seg: m.seg, in: [maxIn]edge{a, b, c}})
	x := &m.nodes[id]
	for _, e := range x.in {
		if e.node < 0 {
			m.leafs[-e.node-1].uses++
		}
	}
	for _, s := range saved {
		switch {
		case m.seg != 0 && m.keeps(s):
			g := &m.segs[m.seg]
			g.count++
			s = -g.count
		case s > 0:
			m.hold(s)
			if m.st[s].cat == Temporaries {
				m.become(s, Activations)
			}
		}
		x.saved[x.nsaved] = s
		x.nsaved++
	}
	if m.seg != 0 {
		m.segs[m.seg].left++
	}
	return edge{node: id}
}

// sizes notes what a node's backward pass works with.
func (m *machine) sizes(e edge, n ...int64) {
	if e.node > 0 && e.node != remade {
		copy(m.nodes[e.node].size[:], n)
	}
}

// sizes5 notes one more of them, the last.
func (m *machine) sizes5(e edge, n int64) {
	if e.node > 0 && e.node != remade {
		m.nodes[e.node].size[5] = n
	}
}

// keeps reports whether a checkpointed layer would have to make a storage again: parameters and what
// stays for the whole run are there anyway.
func (m *machine) keeps(s int32) bool {
	return s > 0 && m.st[s].cat != Weights && m.st[s].cat != Inputs
}

// give keeps a storage for the node that asked for it.
func (m *machine) give(s int32) {
	g := m.again
	if m.stopped || g.next >= g.count {
		return
	}
	m.hold(s)
	if m.st[s].cat == Temporaries {
		m.become(s, Activations)
	}
	g.made = append(g.made, s)
	if g.next++; g.next == g.count {
		m.stopped = true
	}
}

// kept returns the storage behind what a node saved.
func (m *machine) kept(x *node, i int) int32 {
	s := x.saved[i]
	if s >= 0 || x.seg == 0 {
		return s
	}
	return m.segs[x.seg].made[-s-1]
}

// send hands a gradient on: the first is taken as it is, a second makes the sum anew.
func (m *machine) send(e edge, g tensor) {
	switch {
	case g.st == 0 || e.node == 0:
		m.drop(g)
	case e.node < 0:
		m.accumulate(-e.node-1, g)
	default:
		at := &m.nodes[e.node].g[e.slot]
		if at.st == 0 {
			*at = g
			return
		}
		sum := m.added(at.st, g.n, g.w)
		m.drop(*at, g)
		m.nodes[e.node].g[e.slot] = tensor{st: sum, n: g.n, w: g.w}
	}
}

// added is the sum of a gradient and the next one. PyTorch adds the next in place where nobody else holds the first, but
// never while a mode watches its operators, as those do that run tensors without data (torch 2.15,
// torch/csrc/autograd/input_buffer.cpp, can_accumulate_inplace): so it is live, and not in [Timeline.InPlace].
func (m *machine) added(to int32, n, w int64) int32 {
	if m.st[to].refs == 1 {
		m.watched = m.bytes(n, w)
	}
	sum := m.temp(n, w)
	m.watched = 0
	return sum
}

// accumulate adds a parameter's gradient, which is its own when the last use has sent its part.
func (m *machine) accumulate(i int32, g tensor) {
	if i == 0 { // a parameter that is used once
		m.become(g.st, Gradients)
		m.settle(&g)
		if m.shards != nil {
			if m.shards.inRoot {
				m.shards.kept = append(m.shards.kept, g.st)
			} else {
				m.shards.waiting = append(m.shards.waiting, g.st)
			}
		}
		return
	}
	l := &m.leafs[i]
	l.uses--
	if l.got == 0 {
		l.got = g.st
	} else {
		sum := m.added(l.got, l.n, l.w)
		m.release(l.got)
		m.drop(g)
		l.got = sum
	}
	if l.uses == 0 && l.passing {
		m.release(l.got)
		l.got = 0
	} else if l.uses == 0 {
		m.become(l.got, Gradients)
		one := tensor{st: l.got, n: l.n, w: l.w}
		m.settle(&one)
		l.got = one.st
		if m.shards != nil {
			m.shards.kept = append(m.shards.kept, l.got)
		}
	}
}

// settle ends a finished gradient's own storage where it is added to another, or shared among ranks.
func (m *machine) settle(g *tensor) {
	switch {
	case m.main || m.host:
		m.release(g.st)
		g.st = 0
	case m.sharers > 1:
		own := m.alloc((g.n+m.sharers-1)/m.sharers, g.w, Gradients)
		m.release(g.st)
		g.st = own
	}
}

// walk is the backward pass: every node that a gradient reached, the latest first.
func (m *machine) walk() {
	for id := int32(len(m.nodes)) - 1; id > 0; id-- {
		x := &m.nodes[id]
		if x.op == opLayer { // a layer begins here, going back
			m.enter(int32(x.size[0]))
			if m.shards != nil {
				m.shards.border(m, int(x.size[0]))
			}
			continue
		}
		if x.seg != 0 && !m.segs[x.seg].done {
			m.remake(x.seg)
			x = &m.nodes[id]
		}
		if x.g[0].st == 0 && x.g[1].st == 0 && x.g[2].st == 0 {
			m.forget(x)
			continue
		}
		m.what, m.part = opNames[x.op], x.part
		m.back(id)
		m.forget(&m.nodes[id])
	}
}

// result is what an operator gives whose result is kept though its layer is made again: made once, and taken from
// there the second time. Any says that it is kept always; of products each second is.
func (m *machine) result(n, w int64, any bool) tensor {
	g := m.again
	if g == nil && m.seg != 0 {
		g = &m.segs[m.seg]
	}
	if g == nil || !m.selective || m.stopped {
		return m.make(n, w)
	}
	if !any {
		if g.mms++; g.mms%2 == 0 {
			return m.make(n, w)
		}
	}
	if m.again == nil {
		y := m.make(n, w)
		m.hold(y.st)
		m.become(y.st, Activations)
		g.cache = append(g.cache, y.st)
		return y
	}
	y := tensor{st: g.cache[g.at], n: n, w: w}
	g.at++
	return y
}

// border marks the end of a layer in the graph.
func (m *machine) border(layer int32) {
	if m.grad {
		m.nodes = append(m.nodes, node{op: opLayer, size: [6]int64{int64(layer)}})
	}
}

// forget releases what a node kept.
func (m *machine) forget(x *node) {
	if x.gone {
		return
	}
	x.gone = true
	for i := range x.nsaved {
		m.release(m.kept(x, int(i)))
	}
	if x.seg != 0 {
		g := &m.segs[x.seg]
		if g.left--; g.left == 0 {
			m.drop(g.holds)
			for _, s := range g.cache[g.at:] {
				m.release(s)
			}
		}
	}
}

// remake runs a checkpointed layer's forward pass once more.
func (m *machine) remake(seg int32) {
	g := &m.segs[seg]
	g.done = true
	m.again, m.stopped = g, g.count == 0
	g.mms = 0
	phase, part := m.what, m.part
	if cap(g.made) < int(g.count) {
		g.made = make([]int32, 0, g.count)
	}
	before := m.casts
	m.casts = nil
	auto := m.auto
	m.auto = auto
	if !m.stopped {
		g.run()
	}
	m.uncast()
	m.casts = before
	m.again, m.stopped = nil, false
	m.what, m.part = phase, part
}
