package step

import (
	"llmsize/core/fault"
	"llmsize/core/model"
)

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
	if why == "" && p.bridge > 0 && p.turned() {
		why = "an encoder whose decoder turns heads"
	}
	if why != "" {
		return nil, cannot(m, why)
	}
	p.thin()
	mc := &machine{work: m.Work}
	mc.reset()
	mc.room(len(p.pattern))
	r := &program{machine: mc, p: p, o: o, b: o.Batch, s: o.Seq, t: o.Batch * o.Seq, infer: true, caches: make([]held, 2*len(p.pattern))}
	x := &Served{}
	n := p.count()
	if x.Model = o.Model; x.Model == 0 {
		x.Model = mc.bytes(n.trained+n.frozen+n.idle, o.Param) + n.buffers
	}
	shared := mc.alloc(x.Model, 1, Weights)
	p.place(mc, shared)
	r.ids = mc.alloc(r.t, 8, Inputs)
	x.Inputs = mc.st[r.ids].bytes
	start := mc.live
	mc.begin(Prefill, -1)
	of := r.s
	if o.Logits || p.bridge > 0 {
		of = 1
	}
	logits := r.pass(of)
	mc.enter(-1)
	mc.drop(logits)
	mc.release(r.ids)
	if r.past = o.Seq; p.bridge > 0 {
		r.past = 1
	}
	r.s, r.t = 1, o.Batch
	r.ids = mc.alloc(r.t, 8, Inputs)
	// what goes and comes between the passes belongs to neither: it is the second one's first leg
	mc.begin(Decode, -1)
	logits = r.pass(1)
	mc.enter(-1)
	mc.drop(logits)
	if mc.work.Times(int64(len(p.all)), 2*perMoment); m.Work.Err() != nil {
		return nil, m.Work.Err()
	}
	ends, ok := p.assemble(mc.legs, nil, start, &x.Curve, &x.High, new(int64))
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

// pass is a forward pass up to the logits, of one in some of the positions. An encoder runs in the first alone.
func (r *program) pass(of int64) tensor {
	p, s := r.p, r.shards
	if s != nil {
		s.enterRoot(r.machine)
	}
	var h tensor
	if p.bridge > 0 && r.past > 0 {
		h = r.layers(r.open(), p.bridge)
	} else {
		h = r.layers(r.start(), 0)
	}
	h = r.transformed(h)
	r.part = headPart
	stream := h
	h = r.narrow(h)
	in := tensor{st: h.st, n: h.n / of, w: h.w}
	logits := r.capped(r.linear(in, p.head, p.headBias))
	r.drop(h, stream)
	if s != nil {
		s.leaveRoot(r.machine)
	}
	return logits
}

// held is a layer's cache.
type held struct {
	k, v tensor
}

// remember joins keys and values to what a layer's cache holds, which makes both anew. A window's cache is a
// view of what was joined: its storage is as long as that. Those of an encoder's tokens are the same for all that is written.
func (r *program) remember(k, v tensor, a *attn, layer int) (tensor, tensor) {
	c, past, window := &r.caches[layer], r.past, a.window
	s := r.s
	if a.cross {
		c, past, s = r.crossed(layer), 0, r.read
	}
	if window > 0 {
		past = min(past, window-1)
	}
	join := func(x tensor) tensor {
		y := r.make(x.n/s*(past+s), x.w)
		r.become(y.st, Cache)
		return y
	}
	replace := func(old *tensor, y tensor) {
		r.drop(*old)
		*old = r.same(y)
	}
	nk := join(k)
	if window == 0 { // a window's keys are replaced with its values
		replace(&c.k, nk)
	}
	nv := join(v)
	if window > 0 {
		replace(&c.k, nk)
	}
	replace(&c.v, nv)
	r.drop(k, v)
	return nk, nv
}

// crossed is a layer's cache of what an encoder has read.
func (r *program) crossed(layer int) *held { return &r.caches[len(r.p.pattern)+layer] }
