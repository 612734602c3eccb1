package step

import (
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/train"
	"llmsize/core/units"
)

// Options are how a step is run.
type Options struct {
	Batch, Seq int64
	Param      int64 // bytes of a parameter as the passes read it, and of a value of the residual stream: 2 or 4
	State      int64 // bytes of a value of the optimizer; 0: those of a trained parameter
	Master     int64 // bytes of an fp32 master weight beside it; 0: none
	Main       int64 // bytes of a value of gradients that are accumulated beside those of a pass; 0: none
	Copy       int64 // bytes of a gradient that the optimizer's step makes for itself; 0: none
	Model      int64 // bytes of the weights in inference, where they are not Param each; 0: they are
	Auto       bool  // autocast: parameters in fp32, products in 16 bits
	Checkpoint bool  // every layer is made again in the backward pass
	Eager      bool  // attention is written out
	NoDropout  bool
	Kept       bool // the output object lives through the backward pass, and its logits with it
	Loss       Loss
	Optimizer  string // its name in a query
	Kernel     Kernel
	States     int64 // bytes of the states of an optimizer that is not known here

	Adapters       []train.Adapter // LoRA's: all else is frozen
	AdapterBytes   int64
	AdapterDropout bool

	StateRanks    int64 // ranks that share the optimizer's states; 0 or 1: each has all (ZeRO 1)
	GradientRanks int64 // ranks that share the gradients, each as it comes (ZeRO 2)

	Shard    *Shard // FSDP2; nil on one device
	TP       int64  // ranks of tensor parallelism
	Sequence bool   // and of sequence parallelism: norms and the stream are divided by tokens

	Logits bool // in inference: for every position
}

// Loss is how the loss is worked out.
type Loss uint8

// The ways: LossFP32 copies all logits to fp32, as transformers does; LossWhole works in their format;
// LossChunked copies a piece at a time, LossFused never has more than a piece.
const (
	LossFP32 Loss = iota
	LossWhole
	LossChunked
	LossFused
	LossParallel // each rank of tensor parallelism keeps its part of the vocabulary
)

// Kernel is how an optimizer's step is written.
type Kernel uint8

// The kernels of PyTorch's optimizers: over lists of tensors, in one kernel, tensor by tensor.
const (
	Foreach Kernel = iota
	Fused
	Loop
)

// param is the bytes of a parameter in the passes, and of the stream.
func (o *Options) param() int64 { return o.Param }

// held is the bytes of a trained parameter between steps.
func (o *Options) held() int64 {
	switch {
	case len(o.Adapters) > 0:
		return o.AdapterBytes
	case o.Shard != nil:
		return o.Shard.Held
	}
	return o.Param
}

// state is the bytes of a value of the optimizer.
func (o *Options) state() int64 {
	if o.State > 0 {
		return o.State
	}
	return o.held()
}

func (o *Options) tp() int64 { return max(o.TP, 1) }

// adapter returns what LoRA puts beside a tensor.
func (o *Options) adapter(t *model.Tensor) *train.Adapter {
	for i := range o.Adapters {
		if o.Adapters[i].Base == t {
			return &o.Adapters[i]
		}
	}
	return nil
}

// Timeline is what is live in each moment of a step, in bytes. All moments are those of the second step,
// when the optimizer's states exist.
type Timeline struct {
	Model         int64 // parameters and buffers
	Inputs        int64
	AfterForward  int64
	PeakForward   int64
	PeakBackward  int64
	AfterBackward int64
	PeakOptimizer int64
	Steady        int64 // between steps
	Peak          int64
	At            Moment            // the moment of the peak
	High          [NumPhases]Moment // and of each phase's
	Kept          Split             // after the forward pass
	Curve         []Moment          // each leg's highest moment, in order
}

// Train lays out a training step.
func Train(m *model.Model, o *Options, curve bool) (*Timeline, *fault.Error) {
	p, why := prepare(m, o)
	if why != "" {
		return nil, cannot(m, why)
	}
	p.thin()
	mc := &machine{training: true, grad: true, auto: o.Auto}
	mc.reset()
	r := &program{machine: mc, p: p, o: o, b: o.Batch, s: o.Seq, t: o.Batch * o.Seq}
	t := &Timeline{}
	n := p.count()
	if o.Shard != nil {
		mc.shards = p.groups(*o.Shard)
		n.trained = mc.shards.own(p.all)
	}
	t.Model = mc.bytes(n.frozen, o.Param) + mc.bytes(n.trained, o.held()) + n.buffers
	shared := mc.alloc(t.Model, 1, Weights)
	r.ids = mc.alloc(r.t, 8, Inputs)
	t.Inputs = mc.st[r.ids].bytes
	opt := p.optimizer(mc, &n)
	mc.alloc(opt.states, 1, States)
	mc.main, mc.sharers = o.Main > 0, max(o.GradientRanks, 1)
	mc.alloc(mc.bytes(n.trained, o.Main)/mc.sharers, 1, Gradients)
	p.place(mc, shared)
	steady := mc.live
	t.Steady = mc.total

	mc.late = make([]int64, len(p.pattern))
	mc.begin(Forward, -1)
	loss, logits := r.forward()
	mc.enter(-1)

	mc.begin(Backward, -1)
	one := mc.make(1, 4)
	if mc.shards != nil {
		mc.shards.back(mc)
	}
	mc.send(loss.from, mc.same(one))
	mc.walk()
	r.unshare()
	if mc.shards != nil {
		mc.shards.end(mc)
	}
	mc.drop(one, loss, logits)
	mc.enter(-1)

	mc.what = "optimizer"
	mc.begin(Optimize, -1)
	mc.release(mc.alloc(opt.moment, 1, Temporaries))
	mc.enter(-1)

	ends, ok := p.assemble(mc.legs, mc.late, steady, &t.Curve, &t.High)
	if !ok || mc.over {
		return nil, tooLarge(o)
	}
	t.AfterForward, t.Kept = ends[Forward].Total(), ends[Forward]
	t.AfterBackward = ends[Backward].Total()
	t.PeakForward, t.PeakBackward, t.PeakOptimizer = t.High[Forward].Live.Total(), t.High[Backward].Live.Total(), t.High[Optimize].Live.Total()
	for ph := Forward; ph <= Optimize; ph++ {
		if x := t.High[ph].Live.Total(); x > t.Peak {
			t.Peak, t.At = x, t.High[ph]
		}
	}
	if !curve {
		t.Curve = nil
	}
	return t, nil
}

// thin leaves three layers of each kind to be laid out, where there are more: the first of its kind, the last,
// and one between them for all the others, which take the same to the byte. Collectives overlap from layer to
// layer, so the last but one has its own, too.
func (p *plan) thin() {
	p.all = p.pattern
	n := len(p.kinds)
	rounds := 3
	if p.o.Shard != nil {
		rounds = 4
	}
	if len(p.all) <= rounds*n {
		return
	}
	order := func(back bool) (out []uint16) {
		seen := make([]bool, n)
		for i := range p.all {
			k := p.all[i]
			if back {
				k = p.all[len(p.all)-1-i]
			}
			if !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
		return out
	}
	first, last := order(false), order(true)
	p.pattern = append([]uint16{}, first...)
	for range rounds - 2 {
		p.pattern = append(p.pattern, first...)
	}
	for i := len(last) - 1; i >= 0; i-- {
		p.pattern = append(p.pattern, last[i])
	}
}

// stands is the layer of the thinned pattern that a layer is laid out as.
func (p *plan) stands(i int) int {
	if len(p.pattern) == len(p.all) {
		return i
	}
	n := len(p.kinds)
	from := n // the second round
	switch i {
	case 0:
		return 0
	case len(p.all) - 1:
		return len(p.pattern) - 1
	case len(p.all) - 2:
		from = len(p.pattern) - 2*n
	}
	for j := from; j < from+n; j++ {
		if p.pattern[j] == p.all[i] {
			return j
		}
	}
	return from
}

// assemble puts the legs of all layers together: each adds to what is live what it added where it was laid out.
// Late is what goes of each layer at the end of the forward pass. It returns what is live at the end of each phase.
func (p *plan) assemble(legs []leg, late []int64, start Split, curve *[]Moment, high *[NumPhases]Moment) (ends [NumPhases]Split, ok bool) {
	live := start
	before := start // of the leg that is replayed
	out := make([]Moment, 0, 2*len(p.all)+6)
	ok = true
	play := func(l *leg, from *Split, layer int32) {
		x := Moment{Phase: l.phase, Layer: layer, Op: l.what}
		for c := range live {
			x.Live[c] = live[c] + l.high[c] - from[c]
			live[c] += l.end[c] - from[c]
		}
		total := x.Live.Total()
		if total < 0 || total > 1<<60 {
			ok = false
		}
		if total >= high[l.phase].Live.Total() {
			high[l.phase] = x
		}
		ends[l.phase] = live
		out = append(out, x)
	}
	for i := 0; i < len(legs); {
		l := &legs[i]
		if l.layer < 0 || len(p.pattern) == len(p.all) {
			play(l, &before, l.layer)
			before = l.end
			if l.phase == Forward && i > 0 && len(late) < len(p.all) {
				for _, n := range late {
					live[Copies] += n
				}
				for at := range p.all {
					live[Copies] -= late[p.stands(at)]
				}
				ends[Forward] = live
			}
			i++
			continue
		}
		j := i // the layers of one pass, in its order
		for j < len(legs) && legs[j].layer >= 0 && legs[j].phase == l.phase {
			j++
		}
		back := l.layer != 0
		for n := range p.all {
			at := n
			if back {
				at = len(p.all) - 1 - n
			}
			s := p.stands(at)
			if back {
				s = len(p.pattern) - 1 - s
			}
			from := &before
			if s > 0 {
				from = &legs[i+s-1].end
			}
			play(&legs[i+s], from, int32(at))
			if !ok {
				return ends, false
			}
		}
		before = legs[j-1].end
		i = j
	}
	*curve = out
	return ends, ok
}

// Served is what is live in inference, in bytes: one pass over the prompt, then tokens one by one.
type Served struct {
	Model        int64
	Inputs       int64
	PeakPrefill  int64
	AfterPrefill int64
	PeakDecode   int64
	CacheBytes   int64 // after the prefill
	High         [NumPhases]Moment
	Curve        []Moment
}

// Serve lays out a prefill and one step of decoding.
func Serve(m *model.Model, o *Options, curve bool) (*Served, *fault.Error) {
	p, why := prepare(m, o)
	if why != "" {
		return nil, cannot(m, why)
	}
	p.thin()
	mc := &machine{}
	mc.reset()
	r := &program{machine: mc, p: p, o: o, b: o.Batch, s: o.Seq, t: o.Batch * o.Seq, infer: true, caches: make([]held, len(p.pattern))}
	x := &Served{}
	n := p.count()
	if x.Model = o.Model; x.Model == 0 {
		x.Model = mc.bytes(n.trained+n.frozen, o.Param) + n.buffers
	}
	shared := mc.alloc(x.Model, 1, Weights)
	p.place(mc, shared)
	r.ids = mc.alloc(r.t, 8, Inputs)
	x.Inputs = mc.st[r.ids].bytes
	start := mc.live
	mc.begin(Prefill, -1)
	logits := r.pass(o.Logits)
	mc.enter(-1)
	mc.drop(logits)
	mc.release(r.ids)
	r.past, r.s, r.t = o.Seq, 1, o.Batch
	r.ids = mc.alloc(r.t, 8, Inputs)
	// what goes and comes between the passes belongs to neither: it is the second one's first leg
	mc.begin(Decode, -1)
	logits = r.pass(false)
	mc.enter(-1)
	mc.drop(logits)
	ends, ok := p.assemble(mc.legs, nil, start, &x.Curve, &x.High)
	if !ok || mc.over {
		return nil, tooLarge(o)
	}
	x.AfterPrefill, x.CacheBytes = ends[Prefill].Total(), ends[Prefill][Cache]
	x.PeakPrefill, x.PeakDecode = x.High[Prefill].Live.Total(), x.High[Decode].Live.Total()
	if !curve {
		x.Curve = nil
	}
	return x, nil
}

// pass is a forward pass up to the logits: of the last position, or of all.
func (r *program) pass(all bool) tensor {
	p := r.p
	h := r.start()
	for i, ki := range p.pattern {
		r.enter(int32(i))
		h = r.run(h, &p.kinds[ki], i)
	}
	r.enter(-1)
	if p.final != nil {
		n := r.norm(h, p.final)
		r.drop(h)
		h = n
	}
	r.end()
	h = r.transformed(h)
	in := h
	if !all {
		in = tensor{st: h.st, n: h.n / r.s, w: h.w}
	}
	logits := r.capped(r.linear(in, p.head, p.headBias))
	r.drop(h)
	return logits
}

// capped is the logits between two bounds, where the class has them.
func (r *program) capped(logits tensor) tensor {
	if !r.p.headCap {
		return logits
	}
	a := r.scaled(logits)
	b := r.tanh(a)
	r.drop(a, logits)
	c := r.scaled(b)
	r.drop(b)
	return c
}

// chunks is how many pieces a chunked loss works in, as torchtune's does
// (pytorch/torchtune, torchtune/modules/loss/cross_entropy_loss.py: num_output_chunks = 8).
const chunks = 8

// chunked makes the logits of a piece of the tokens at a time: all pieces' are kept in the model's format, but
// only one piece's fp32 copy is there at once.
func (r *program) chunked(h tensor) tensor {
	var sum tensor
	part := (r.t + chunks - 1) / chunks
	for at := int64(0); at < r.t; at += part {
		n := min(part, r.t-at)
		in := r.slice(h, h.n/r.t*n)
		l := r.capped(r.linear(in, r.p.head, r.p.headBias))
		one := r.loss(l)
		r.drop(in, l)
		if sum.st == 0 {
			sum = one
			continue
		}
		both := r.plus(sum, one)
		r.drop(sum, one)
		sum = both
	}
	return sum
}

// fused works out the gradients with the loss, a piece of the tokens at a time, so that no more than a piece's
// logits are ever there: what is kept is the gradients of the hidden states and of the head's matrix (Hsu et al.
// 2024, arXiv 2410.10989, section 3.2; linkedin/Liger-Kernel, fused_linear_cross_entropy.py: pieces of as many
// tokens as make logits as large as the hidden states).
func (r *program) fused(h tensor) tensor {
	p := r.p
	gh := r.make(h.n, h.w)
	var gw tensor
	if p.head.leaf != 0 {
		gw = r.make(p.head.n, p.head.w)
	}
	parts := (p.head.out + p.head.in - 1) / p.head.in
	rows := (r.t + parts - 1) / parts
	logits := r.make(rows*p.head.out, h.w)
	copied := r.make(logits.n, 4)
	r.drop(logits, copied)
	loss := r.make(1, 4)
	loss.from = r.record(opGiven, h.from, p.head.edge(), edge{}, gh.st, gw.st)
	r.sizes(loss.from, gh.n, gh.w, gw.n, gw.w)
	r.drop(gh, gw)
	return loss
}

// cannot is the fault of a model that no program follows.
func cannot(m *model.Model, why string) *fault.Error {
	return &fault.Error{Field: "model", Given: m.Type, Problem: "has " + why + ", which a timeline cannot follow yet", Allowed: "decoders of attention and feed-forward layers", Hint: "the sum of the parts is answered all the same"}
}

func tooLarge(o *Options) *fault.Error {
	return &fault.Error{Field: "seq", Given: units.Itoa(o.Seq), Problem: "a pass's tensors are too large to count", Allowed: "shorter sequences, or fewer of them"}
}

// forward runs the pass up to the loss; what it returns is what the caller holds.
func (r *program) forward() (loss, logits tensor) {
	p, s := r.p, r.shards
	if s != nil {
		s.enterRoot(r.machine)
	}
	h := r.start()
	r.border(-1)
	for i, ki := range p.pattern {
		k := &p.kinds[ki]
		r.enter(int32(i))
		if s != nil {
			s.enterLayer(r.machine, i)
		}
		h = r.run(h, k, i)
		if s != nil {
			s.leaveLayer(r.machine, i)
		}
		r.border(int32(i))
	}
	r.enter(-1)
	if p.final != nil {
		n := r.norm(h, p.final)
		r.drop(h)
		h = n
	}
	r.end()
	h = r.transformed(h)
	r.what = "loss"
	switch tp := r.o.tp(); {
	case r.o.Loss == LossChunked && tp == 1:
		loss = r.chunked(h)
	case r.o.Loss == LossFused && tp == 1:
		loss = r.fused(h)
	case tp > 1:
		in := h
		if r.o.Sequence {
			in = r.spread(h, tp)
		} else {
			in = r.copyIn(h)
		}
		own := r.linear(in, p.head, p.headBias)
		r.drop(h)
		h = in
		if r.o.Loss == LossParallel {
			logits = own
		} else { // each rank gathers all logits
			flat := r.make(own.n*tp, own.w)
			logits = r.make(own.n*tp, own.w)
			logits.from = r.record(opClone, own.from, edge{}, edge{})
			r.sizes(logits.from, own.n, own.w)
			r.drop(flat, own)
		}
	default:
		logits = r.linear(h, p.head, p.headBias)
	}
	if loss.st == 0 {
		logits = r.capped(logits)
		loss = r.loss(logits)
	}
	r.drop(h)
	if s != nil {
		s.leaveRoot(r.machine)
	}
	r.uncast()
	if !r.o.Kept {
		r.drop(logits)
		logits = tensor{}
	}
	return loss, logits
}

// start is what comes before the layers.
func (r *program) start() tensor {
	p := r.p
	h := r.summed(r.embed(p.embed, r.ids, r.t))
	r.first[0] = r.same(h)
	if p.types != nil {
		kind := r.embed(p.types, r.ids, r.t)
		sum := r.plus(h, kind)
		r.drop(h, kind)
		h = sum
	}
	if p.position != nil {
		pos := r.embed(p.position, r.ids, r.s)
		sum := r.plus(h, pos)
		r.drop(h)
		r.first[1] = pos
		h = sum
	}
	for i := range p.first {
		n := r.norm(h, &p.first[i])
		r.drop(h)
		h = n
	}
	if p.dropFirst && r.training {
		y := r.dropout(h)
		r.drop(h)
		h = y
	}
	width := int64(0)
	for i := range p.kinds {
		for j := range p.kinds[i].branches {
			if a := p.kinds[i].branches[j].attn; a != nil {
				width = max(width, a.rope)
				r.mask(a.window)
			}
		}
	}
	r.tables(width)
	return h
}

// end drops what the layers shared. What a layer is made again with lives until that is done.
func (r *program) end() {
	r.drop(r.first[0], r.first[1])
	r.first = [2]tensor{}
	if !r.o.Checkpoint || !r.training {
		r.unshare()
	}
}

// unshare drops the tables of positions, and the masks.
func (r *program) unshare() {
	r.drop(r.cos, r.sin)
	r.cos, r.sin = tensor{}, tensor{}
	for i := range r.masks {
		r.drop(r.masks[i].mask)
	}
	r.masks = r.masks[:0]
}

// run is a layer of the stream; a checkpointed one keeps its input alone.
func (r *program) run(h tensor, k *kind, at int) tensor {
	if !r.o.Checkpoint || !r.training {
		y := r.layer(h, k, at)
		r.drop(h)
		return y
	}
	seg := int32(len(r.segs))
	r.segs = append(r.segs, segment{})
	in := h
	r.segs[seg] = segment{holds: r.same(h)}
	if in.st > 0 && r.st[in.st].cat == Temporaries {
		r.become(in.st, Activations)
	}
	r.seg = seg
	y := r.layer(h, k, at)
	r.seg = 0
	r.drop(h)
	r.segs[seg].run = func() {
		r.drop(r.layer(in, k, at))
	}
	return y
}

// transformed is what a masked language model does before its head.
func (r *program) transformed(h tensor) tensor {
	if r.p.dense == nil {
		return h
	}
	d := r.module(h, r.p.dense)
	a := r.activate(d, r.p.act)
	r.drop(d, h)
	if r.p.headNorm == nil {
		return a
	}
	n := r.norm(a, r.p.headNorm)
	r.drop(a)
	return n
}

// gathered is how many ranks' logits stand side by side.
func (r *program) gathered() int64 {
	if r.o.Loss == LossParallel {
		return 1
	}
	return r.o.tp()
}

// loss is the cross-entropy of all positions.
func (r *program) loss(logits tensor) tensor {
	in := logits
	own := false
	// causal classes copy their logits to fp32; under autocast others do that with the log-probabilities
	if logits.w < 4 && r.o.Loss == LossFP32 && r.p.m.Kind == "causal" {
		in, own = r.cast(logits, 4), true
	}
	labels := r.make(logits.n/(r.p.head.out*r.gathered())+r.b, 8)
	y := r.logSoftmax(in)
	if r.auto && y.w < 4 {
		z := r.cast(y, 4)
		r.drop(y)
		y = z
	}
	out := r.make(1, 4)
	weight := r.make(1, 4)
	out.from = r.record(opLoss, y.from, edge{}, edge{}, y.st, labels.st, weight.st)
	r.sizes(out.from, y.n, y.w)
	r.drop(y, weight, labels)
	if own {
		r.drop(in)
	}
	return out
}

// sliced is how many parameters a rank of tensor parallelism holds.
func (p *plan) sliced() int64 {
	total := int64(0)
	l := train.Layout{TP: p.o.tp(), PP: 1, EP: 1, DP: 1}
	for bi := range p.m.Blocks {
		for ki := range p.m.Blocks[bi].Kinds {
			k := &p.m.Blocks[bi].Kinds[ki]
			for pi := range k.Parts {
				for _, n := range l.Elements(&k.Parts[pi]) {
					total += n * k.Count
				}
			}
		}
	}
	if p.headTied {
		total += p.head.n
	}
	return total
}

// place gives the program's weights their storage and their leaves.
func (p *plan) place(m *machine, shared int32) {
	m.leafs = append(m.leafs, leaf{}) // once
	frozen := len(p.o.Adapters) > 0
	set := func(w *weight, adapter bool) {
		if w == nil {
			return
		}
		w.st = shared
		if frozen && !adapter {
			w.leaf = 0
		}
	}
	mat := func(x *matrix) {
		if x == nil {
			return
		}
		set(x.p, false)
		set(x.bias, false)
		set(x.a, true)
		set(x.b, true)
	}
	nor := func(n *norm) {
		if n != nil {
			set(n.p, false)
			set(n.bias, false)
		}
	}
	ffn := func(f *mlp) {
		if f != nil {
			mat(f.up)
			mat(f.gate)
			mat(f.down)
		}
	}
	for i := range p.kinds {
		for j := range p.kinds[i].branches {
			b := &p.kinds[i].branches[j]
			nor(b.pre)
			nor(b.post)
			if a := b.attn; a != nil {
				for _, x := range [...]*matrix{a.q, a.k, a.v, a.qkv, a.o, a.qa, a.qb, a.kva, a.kvb} {
					mat(x)
				}
				for _, n := range [...]*norm{a.qaNorm, a.kvNorm, a.qNorm, a.kNorm} {
					nor(n)
				}
			}
			ffn(b.mlp)
			if e := b.experts; e != nil {
				mat(e.router)
				mat(e.sgate)
				set(e.up, false)
				set(e.down, false)
				ffn(e.shared)
			}
		}
	}
	nor(p.final)
	nor(p.headNorm)
	mat(p.dense)
	for i := range p.first {
		nor(&p.first[i])
	}
	own := func(w *weight) {
		set(w, false)
		if w != nil && w.leaf != 0 {
			m.leafs = append(m.leafs, leaf{n: w.n, w: w.w})
			w.leaf = int32(len(m.leafs))
		}
	}
	own(p.embed)
	own(p.position)
	own(p.types)
	if p.tied { // one parameter, read two ways
		p.head.st, p.head.leaf = p.embed.st, p.embed.leaf
	} else {
		own(p.head)
	}
	own(p.headBias)
}
