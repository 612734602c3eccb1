package step

import (
	"math/bits"

	"llmsize/core/work"
)

// storage is one block of memory and how many hold it.
type storage struct {
	bytes int64
	refs  int32
	cat   Category
}

// tensor is a handle on a storage, as a variable of the program holds one: its elements, the bytes of
// each, and what made it. A view is another handle on the same storage.
type tensor struct {
	st   int32 // 0: nothing
	n    int64
	w    int64
	from edge
}

// machine lays tensors out as PyTorch does: storages counted by who holds them, a graph that keeps what a
// backward pass needs, and the walk back over it.
type machine struct {
	work  *work.Budget // the question's: what is written down is paid from it
	st    []storage
	free  []int32
	nodes []node
	leafs []leaf
	live  Split
	total int64
	over  bool // a size went past what an int64 holds

	phase   Phase
	layer   int32
	what    string
	part    part
	main    bool  // gradients are added to others that live between passes, and go
	sharers int64 // ranks that share each gradient once it is there

	legs    []leg
	late    []int64 // bytes of each layer that go at the end of the forward pass only
	mark    int64   // the highest total of the leg so far
	watched int64   // bytes that are live only because a sum of gradients is watched
	at      leg

	grad     bool // operators are written into the graph
	training bool
	auto     bool // autocast: products in 16 bits

	seg     int32 // the checkpointed layer whose forward pass runs, 0: none
	segs    []segment
	again   *segment // the layer that is being made again
	stopped bool     // it has made all that is needed

	shards *shards  // what is sharded; nil on one device
	casts  []castOf // autocast's copies of weights
	viewed bool     // but not of the layers' matrices: their products read views

	selective bool  // what attention and every second product gave is kept of layers that are made again
	quantized bool  // frozen matrices are made in the stream's format for each product
	host      bool  // gradients leave for the host as they come
	unkept    int32 // a storage that no node keeps: a kernel makes it again
	puts      bool  // gradients of weights are put off: what they need stays
	largest   int64 // bytes of the largest of them
}

// castOf is a weight's 16-bit copy and the graph's node that made it.
type castOf struct {
	layer int32
	leaf  int32
	copy  tensor
}

// What is written down of a step, in steps of the question's budget. A program that is asked for a picture counts
// some thirty steps and, compiled for the page, frees nothing: so these follow the bytes, not the time.
const (
	perNode   = 80
	perLeg    = 80
	perMoment = 30
	perTurn   = 4 // of a rank of a pipeline
)

func (m *machine) reset() {
	m.st = append(m.st[:0], storage{})
	m.nodes = append(m.nodes[:0], node{})
	m.leafs = m.leafs[:0]
	m.segs = append(m.segs[:0], segment{})
	m.layer = -1
}

// room makes room for what most layers write down, for that many layers, up to a number that is small beside any answer's
// memory.
func (m *machine) room(layers int) {
	layers = min(layers, 12)
	m.st = append(make([]storage, 0, 24*(layers+1)), m.st...)
	m.legs = make([]leg, 0, 2*(layers+3))
	if m.grad {
		m.nodes = append(make([]node, 0, 44*layers+16), m.nodes...)
	}
}

// bytes is elements times bytes of each, checked.
func (m *machine) bytes(n, w int64) int64 {
	hi, x := bits.Mul64(uint64(n), uint64(w))
	if n < 0 || w < 0 || hi != 0 || x > 1<<58 || m.total > 1<<61 {
		m.over = true
		return 0
	}
	return int64(x)
}

// alloc makes a storage, held once.
func (m *machine) alloc(n, w int64, cat Category) int32 {
	if m.stopped {
		return 0
	}
	b := m.bytes(n, w)
	var id int32
	if k := len(m.free); k > 0 {
		id = m.free[k-1]
		m.free = m.free[:k-1]
	} else {
		id = int32(len(m.st))
		m.st = append(m.st, storage{})
	}
	m.st[id] = storage{bytes: b, refs: 1, cat: cat}
	m.add(cat, b)
	return id
}

func (m *machine) add(cat Category, b int64) {
	m.live[cat] += b
	m.total += b
	m.at.alone = max(m.at.alone, m.total-m.watched)
	if m.total > m.mark {
		m.mark = m.total
		m.at.high, m.at.what, m.at.part = m.live, m.what, m.part
	}
}

// leg is a stretch of a step between two borders: a layer, or what is around the layers.
type leg struct {
	phase     Phase
	layer     int32
	what      string
	part      part
	high, end Split // at its highest point, and at its end
	alone     int64 // the highest total where sums are made in place
}

// begin starts the first leg of a phase.
func (m *machine) begin(p Phase, layer int32) {
	m.phase, m.layer = p, layer
	m.mark = m.total
	m.at = leg{phase: p, layer: layer, what: m.what, part: m.part, high: m.live, alone: m.total}
}

// enter ends a leg and starts the next.
func (m *machine) enter(layer int32) {
	m.at.end = m.live
	m.work.Spend(perLeg)
	m.legs = append(m.legs, m.at)
	m.begin(m.phase, layer)
}

func (m *machine) hold(st int32) {
	if st > 0 {
		m.st[st].refs++
	}
}

func (m *machine) release(st int32) {
	if st <= 0 {
		return
	}
	s := &m.st[st]
	if s.refs--; s.refs == 0 {
		m.live[s.cat] -= s.bytes
		m.total -= s.bytes
		m.free = append(m.free, st)
	}
}

// become moves a storage to another category.
func (m *machine) become(st int32, cat Category) {
	if st <= 0 {
		return
	}
	s := &m.st[st]
	if s.cat != cat {
		m.live[s.cat] -= s.bytes
		m.live[cat] += s.bytes
		s.cat = cat
	}
}

// drop ends a variable.
func (m *machine) drop(ts ...tensor) {
	for _, t := range ts {
		m.release(t.st)
	}
}

// same is another variable on a tensor.
func (m *machine) same(t tensor) tensor { m.hold(t.st); return t }

// make is a new tensor of n elements of w bytes.
func (m *machine) make(n, w int64) tensor {
	return tensor{st: m.alloc(n, w, Temporaries), n: n, w: w}
}

// temp is memory that an operator takes for a moment.
func (m *machine) temp(n, w int64) int32 { return m.alloc(n, w, Temporaries) }

// uncast ends autocast's cache of weights' copies.
func (m *machine) uncast() {
	for _, c := range m.casts {
		if m.again == nil && c.layer >= 0 && m.late != nil {
			before := m.total
			m.drop(c.copy)
			m.late[c.layer] += before - m.total
			continue
		}
		m.drop(c.copy)
	}
	m.casts = m.casts[:0]
}
