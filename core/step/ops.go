package step

// opcode names an operator of the graph.
type opcode uint8

const (
	opLayer opcode = iota
	opLinear
	opCast
	opMul
	opScale
	opAdd
	opPow
	opMean
	opRsqrt
	opAct
	opTanh
	opRotate
	opSplit
	opSlice
	opCat
	opClone
	opRepeat
	opAttend
	opProduct
	opSoftmax
	opDropout
	opEmbed
	opLayerNorm
	opGather
	opSum
	opLogSoftmax
	opLoss
	opSpread
	opCollect
	opCopyIn
	opGiven
	opGate
	opMask
	opReceive
	opCarry
	opCumulate
	opSolve
	opDelta
	numOps
)

var opNames = [numOps]string{"layer", "product", "cast", "multiply", "scale", "add", "square", "mean", "rsqrt", "activation", "tanh",
	"rotate", "split", "slice", "concatenate", "copy", "repeat", "attention", "product", "softmax", "dropout", "embedding", "norm",
	"gather", "sum", "loss", "loss", "all-gather", "reduce-scatter", "all-reduce", "loss", "gate", "mask", "receive", "scan", "cumulate", "solve", "delta rule"}

// weight is a parameter in a program.
type weight struct {
	st      int32
	n, w    int64
	in, out int64
	leaf    int32 // its leaf + 1; 0: frozen
	whole   bool  // an embedding or a head, which no format of few bits holds
}

// read is a parameter as an operator takes it.
func (p *weight) read() tensor { return tensor{st: p.st, n: p.n, w: p.w, from: p.edge()} }

func (p *weight) edge() edge {
	if p.leaf == 0 {
		return edge{}
	}
	return edge{node: -p.leaf}
}

// only returns a storage if a gradient will be asked that needs it.
func only(st int32, e edge) int32 {
	if e.needs() {
		return st
	}
	return 0
}

// cast16 is a weight as a product takes it: under autocast a 16-bit copy, made once a pass.
func (m *machine) cast16(p *weight) (st int32, e edge, w int64) {
	if !m.auto || p.w <= 2 {
		return p.st, p.edge(), p.w
	}
	for i := range m.casts {
		if p.leaf > once && m.casts[i].leaf == p.leaf {
			c := &m.casts[i].copy
			return c.st, c.from, 2
		}
	}
	from := m.record(opCast, p.edge(), edge{}, edge{})
	m.sizes(from, p.n, p.w)
	t := m.make(p.n, 2)
	m.become(t.st, Copies)
	t.from = from
	if p.leaf == 0 || !m.grad || m.viewed && p.leaf <= once { // only what is trained is kept for the pass
		return t.st, from, -2
	}
	m.casts = append(m.casts, castOf{layer: m.layer, leaf: p.leaf, copy: t})
	return t.st, from, 2
}

// linear multiplies rows of x by a weight. A bias is added by the same operator.
func (m *machine) linear(x tensor, p, bias *weight) tensor {
	return m.times(x, p, bias, x.n/p.in*p.out, true)
}

// times multiplies x by a weight, which gives n values: a matrix, or the kernel of a convolution.
func (m *machine) times(x tensor, p, bias *weight, n int64, matrix bool) tensor {
	m.what = opNames[opLinear]
	st, we, w := m.cast16(p)
	var own, copied tensor
	if w < 0 {
		w, copied = -w, tensor{st: st}
	}
	if m.quantized && p.leaf == 0 && !p.whole {
		copied = m.make(p.n, w)
	}
	if m.auto && x.w > 2 {
		x = m.cast(x, 2)
		own = x
		m.what = opNames[opLinear]
	}
	var be edge
	if bias != nil {
		var b int32
		var bw int64
		if b, be, bw = m.cast16(bias); bw < 0 {
			m.release(b)
		}
	}
	e := m.record(opLinear, x.from, we, be, only(x.st, we), only(st, x.from))
	again := int64(0)
	if copied.st > 0 && m.quantized {
		again = 1
	}
	m.sizes(e, x.n, p.n, n, w, p.out, again)
	var y tensor
	if bias == nil && matrix {
		y = m.result(n, w, false)
	} else { // another operator
		y = m.make(n, w)
	}
	y.from = e
	m.drop(own, copied)
	return y
}

// gives is the tensor of n values of w bytes that an operator makes of x. It keeps what is saved for the backward pass, which works with
// the size of x and, of some operators, with one more.
func (m *machine) gives(op opcode, x tensor, n, w, more int64, saved ...int32) tensor {
	m.what = opNames[op]
	e := m.record(op, x.from, edge{}, edge{}, saved...)
	m.sizes(e, x.n, x.w, more)
	y := m.make(n, w)
	y.from = e
	return y
}

func (m *machine) cast(x tensor, w int64) tensor { return m.gives(opCast, x, x.n, w, 0) }

// mul multiplies elementwise; the smaller one is repeated.
func (m *machine) mul(a, b tensor) tensor { return m.outer(a, b, max(a.n, b.n)) }

// outer is the same where both are repeated, to n values.
func (m *machine) outer(a, b tensor, n int64) tensor {
	m.what = opNames[opMul]
	w := max(a.w, b.w)
	e := m.record(opMul, a.from, b.from, edge{}, only(b.st, a.from), only(a.st, b.from))
	m.sizes(e, n, a.n, b.n, w, a.w, b.w)
	y := m.make(n, w)
	y.from = e
	return y
}

// each makes one value of another, and keeps neither.
func (m *machine) each(op opcode, x tensor) tensor { return m.gives(op, x, x.n, x.w, 0) }

// ofInput is the same of an operator that keeps what it is given.
func (m *machine) ofInput(op opcode, x tensor) tensor { return m.gives(op, x, x.n, x.w, 0, x.st) }

// ofResult is the same of one that keeps what it gives.
func (m *machine) ofResult(op opcode, x tensor) tensor {
	m.what = opNames[op]
	y := m.make(x.n, x.w)
	y.from = m.record(op, x.from, edge{}, edge{}, y.st)
	m.sizes(y.from, x.n, x.w)
	return y
}

// scaled multiplies by a number, or adds one that gradients do not see.
func (m *machine) scaled(x tensor) tensor { return m.each(opScale, x) }

// clone is a copy in another order.
func (m *machine) clone(x tensor) tensor { return m.each(opClone, x) }

func (m *machine) pow2(x tensor) tensor { return m.ofInput(opPow, x) }

// act is an activation function of one kernel that keeps its input.
func (m *machine) act(x tensor) tensor { return m.ofInput(opAct, x) }

// relu is one that keeps its result.
func (m *machine) relu(x tensor) tensor { return m.ofResult(opAct, x) }

func (m *machine) rsqrt(x tensor) tensor { return m.ofResult(opRsqrt, x) }

func (m *machine) tanh(x tensor) tensor { return m.ofResult(opTanh, x) }

// gated is an activation function and the product with the other way up, in one kernel that keeps both, and whose
// gradients take their place.
func (m *machine) gated(gate, up tensor) tensor {
	m.what = opNames[opGate]
	e := m.record(opGate, gate.from, up.from, edge{}, up.st, gate.st)
	m.sizes(e, gate.n, gate.n, up.n, gate.w, gate.w, up.w)
	y := m.make(gate.n, gate.w)
	y.from = e
	return y
}

func (m *machine) softmax(x tensor) tensor { return m.ofResult(opSoftmax, x) }

func (m *machine) logSoftmax(x tensor) tensor { return m.ofResult(opLogSoftmax, x) }

func (m *machine) plus(a, b tensor) tensor {
	m.what = opNames[opAdd]
	n, w := max(a.n, b.n), max(a.w, b.w)
	e := m.record(opAdd, a.from, b.from, edge{})
	m.sizes(e, n, a.n, b.n, w, a.w, b.w)
	y := m.make(n, w)
	y.from = e
	return y
}

// shift adds a number: gradients pass through as they are.
func (m *machine) shift(x tensor) tensor {
	y := m.make(x.n, x.w)
	y.from = x.from
	return y
}

func (m *machine) mean(x tensor, over int64) tensor { return m.gives(opMean, x, x.n/over, x.w, 0) }

// dropout keeps a mask of one byte.
func (m *machine) dropout(x tensor) tensor {
	m.what = opNames[opDropout]
	y := m.make(x.n, x.w)
	mask := m.make(x.n, 1)
	y.from = m.record(opDropout, x.from, edge{}, edge{}, mask.st)
	m.sizes(y.from, x.n, x.w)
	m.drop(mask)
	return y
}

// split makes views of pieces, in elements; their gradients are put together again.
func (m *machine) split(x tensor, pieces ...int64) [3]tensor {
	e := m.record(opSplit, x.from, edge{}, edge{})
	m.sizes(e, x.n, x.w)
	var out [3]tensor
	for i, n := range pieces {
		out[i] = tensor{st: x.st, n: n, w: x.w, from: edge{e.node, uint8(i)}}
		m.hold(x.st)
	}
	return out
}

// slice is a view of a part, whose gradient is as large as the whole.
func (m *machine) slice(x tensor, n int64) tensor {
	e := m.record(opSlice, x.from, edge{}, edge{})
	m.sizes(e, x.n, x.w)
	m.hold(x.st)
	return tensor{st: x.st, n: n, w: x.w, from: e}
}

// cat joins two tensors anew; their gradients are views.
func (m *machine) cat(a, b tensor) tensor {
	m.what = opNames[opCat]
	e := m.record(opCat, a.from, b.from, edge{})
	m.sizes(e, a.n, b.n, a.w)
	y := m.make(a.n+b.n, a.w)
	y.from = e
	return y
}

// repeat copies each head a number of times; its gradient is the sum of the copies'.
func (m *machine) repeat(x tensor, times int64) tensor {
	return m.gives(opRepeat, x, x.n*times, x.w, times)
}

// product multiplies two tensors that are both made by the pass, and keeps both.
func (m *machine) product(a, b tensor, n int64) tensor {
	m.what = opNames[opProduct]
	var own, other tensor
	if m.auto && a.w > 2 {
		a = m.cast(a, 2)
		own = a
	}
	if m.auto && b.w > 2 {
		b = m.cast(b, 2)
		other = b
	}
	e := m.record(opProduct, a.from, b.from, edge{}, only(b.st, a.from), only(a.st, b.from))
	m.sizes(e, a.n, b.n, a.w)
	y := m.make(n, a.w)
	y.from = e
	m.drop(own, other)
	return y
}

// attend is a fused attention kernel: flash attention, or the memory-efficient one. It keeps queries, keys,
// values, its result, one fp32 sum for each query and head, and a mask where there is one. Ring is how many ranks
// pass keys and values round.
func (m *machine) attend(q, k, v tensor, n, sums int64, mask int32, ring int64) tensor {
	m.what = opNames[opAttend]
	if ring > 1 {
		m.round(k, v, n, q.w, ring)
	}
	y := m.result(n, q.w, true)
	lse := m.result(sums, 4, true)
	y.from = m.record(opAttend, q.from, k.from, v.from, q.st, k.st, v.st, y.st, lse.st, mask)
	m.sizes(y.from, q.n, k.n, v.n, q.w, ring)
	m.drop(lse)
	return y
}

// ofMask keeps a mask of one byte by which some values are put in another's place.
func (m *machine) ofMask(x, mask tensor) tensor { return m.gives(opMask, x, x.n, x.w, 0, mask.st) }

// round is what attention takes for a moment where ranks hold pieces of a sequence: the keys and values of all, the
// result so far in fp32, and a piece's own (torch 2.15, torch/distributed/tensor/experimental/_context_parallel,
// _templated_ring_attention with its all-gather, and _SDPAMerger).
func (m *machine) round(k, v tensor, n, w, ring int64) {
	sent := m.make(k.n+v.n, w)
	all := m.make((k.n+v.n)*ring, w)
	m.drop(sent)
	piece := m.make(n, w)
	sum, next := m.make(n, 4), m.make(n, 4)
	m.drop(all, piece, sum, next)
}

// layerNorm is PyTorch's own kernel: it keeps its input and two fp32 numbers a row.
func (m *machine) layerNorm(x tensor, p, bias *weight) tensor {
	m.what = opNames[opLayerNorm]
	rows := x.n / p.n
	w := x.w
	in, own := x, false
	if m.auto && x.w == 2 { // autocast runs it in fp32
		in, own = m.cast(x, 4), true
		w = 4
	}
	y := m.make(x.n, w)
	st := m.make(2*rows, 4)
	be := edge{}
	if bias != nil {
		be = bias.edge()
	}
	y.from = m.record(opLayerNorm, in.from, p.edge(), be, in.st, st.st)
	m.sizes(y.from, x.n, p.n, w, p.w)
	m.drop(st)
	if own {
		m.drop(in)
	}
	return y
}

// embed looks rows up.
func (m *machine) embed(p *weight, ids int32, rows int64) tensor {
	m.what = opNames[opEmbed]
	e := m.record(opEmbed, p.edge(), edge{}, edge{}, ids)
	m.sizes(e, p.n, p.w)
	y := m.make(rows*p.out, p.w)
	y.from = e
	return y
}

// groups multiplies each expert's rows, of that many values, by its matrix.
func (m *machine) groups(x, w tensor, in, out int64) tensor {
	m.what = opNames[opLinear]
	rows := x.n / in
	e := m.record(opLinear, x.from, w.from, edge{}, only(x.st, w.from), only(w.st, x.from))
	m.sizes(e, x.n, w.n, rows*out, x.w, out)
	y := m.make(rows*out, x.w)
	y.from = e
	return y
}

// gather copies rows by an index; its gradient is made of zeros and of what is put in.
func (m *machine) gather(x tensor, n int64, index int32) tensor {
	return m.gives(opGather, x, n, x.w, 0, index)
}

// sum adds up groups of that size; the gradient is copied for each.
func (m *machine) sum(x tensor, over int64) tensor { return m.gives(opSum, x, x.n/over, x.w, 0) }

// spread gathers the tokens that other ranks hold; its gradient is summed over the ranks and cut again.
func (m *machine) spread(x tensor, ranks int64) tensor {
	return m.gives(opSpread, x, x.n*ranks, x.w, ranks)
}

// collect sums what ranks gave and keeps this rank's tokens; its gradient is gathered.
func (m *machine) collect(x tensor, ranks int64) tensor {
	m.what = opNames[opCollect]
	e := m.record(opCollect, x.from, edge{}, edge{})
	m.sizes(e, x.n, x.w)
	flat := m.make(x.n, x.w)
	y := m.make(x.n/ranks, x.w)
	m.drop(flat)
	y.from = e
	return y
}

// allReduce sums what ranks gave; its gradient is the same on all of them.
func (m *machine) allReduce(x tensor) tensor {
	m.what = opNames[opCopyIn]
	y := m.make(x.n, x.w)
	y.from = x.from
	return y
}

// copyIn is what all ranks read alike: its gradient is summed over them.
func (m *machine) copyIn(x tensor) tensor {
	e := m.record(opCopyIn, x.from, edge{}, edge{})
	m.sizes(e, x.n, x.w)
	m.hold(x.st)
	return tensor{st: x.st, n: x.n, w: x.w, from: e}
}
