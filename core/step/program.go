package step

// program runs a model's forward pass on a machine.
type program struct {
	*machine
	p        *plan
	o        *Options
	b, s     int64 // sequences and tokens of each that pass through
	past     int64 // tokens of each that the cache holds already
	t        int64 // b·s
	cos, sin tensor
	masks    map2
	ids      int32
	first    [2]tensor // embeddings, which are variables to the end of the pass
	caches   []held    // of every layer, in inference
	infer    bool
}

// remember joins keys and values to what a layer's cache holds, which makes both anew. A window's cache is a
// view of what was joined: its storage is as long as that.
func (r *program) remember(k, v tensor, layer int, window int64) (tensor, tensor) {
	c := &r.caches[layer]
	past := r.past
	if window > 0 {
		past = min(past, window-1)
	}
	join := func(old *tensor, x tensor) tensor {
		y := r.make(x.n/r.s*(past+r.s), x.w)
		r.become(y.st, Cache)
		r.drop(*old)
		*old = r.same(y)
		return y
	}
	nk := join(&c.k, k)
	nv := join(&c.v, v)
	r.drop(k, v)
	return nk, nv
}

// held is a layer's cache.
type held struct {
	k, v tensor
}

// map2 is the masks that were made, by window.
type map2 []struct {
	window int64
	mask   tensor
}

// stream is the bytes of a value of the residual stream.
func (r *program) stream() int64 { return r.o.param() }

// norm is a norm of rows of x.
func (r *program) norm(x tensor, n *norm) tensor {
	if n.bias != nil || n.each == 2 {
		return r.layerNorm(x, n.p, n.bias)
	}
	in := x
	half := x.w == 2
	if half {
		in = r.cast(x, 4)
	} else {
		r.hold(in.st)
	}
	sq := r.pow2(in)
	mean := r.mean(sq, n.p.n)
	r.drop(sq)
	eps := r.shift(mean)
	dev := r.rsqrt(eps)
	r.drop(eps)
	y := r.mul(in, dev)
	p := tensor{st: n.p.st, n: n.p.n, w: n.p.w, from: n.p.edge()}
	var out tensor
	switch {
	case n.each >= 8: // the weight is multiplied in fp32
		p.w = max(p.w, y.w)
		wide := r.mul(y, p)
		r.drop(y, in, dev, mean)
		if !half {
			return wide
		}
		out = r.cast(wide, x.w)
		r.drop(wide)
		return out
	case half:
		low := r.cast(y, x.w)
		out = r.mul(p, low)
		r.drop(low)
	default:
		out = r.mul(p, y)
	}
	r.drop(y, in, dev, mean)
	return out
}

// columns is a linear module whose outputs the ranks of tensor parallelism divide among them.
func (r *program) columns(x tensor, l *matrix) tensor {
	if r.o.tp() == 1 || r.o.Sequence {
		return r.module(x, l)
	}
	in := r.copyIn(x)
	y := r.module(in, l)
	r.drop(in)
	return y
}

// rows is one whose inputs they divide: what each gives is summed.
func (r *program) rows(x tensor, l *matrix) tensor {
	y := r.module(x, l)
	return r.summed(y)
}

// summed adds up what the ranks have.
func (r *program) summed(y tensor) tensor {
	tp := r.o.tp()
	if tp == 1 {
		return y
	}
	z := y
	if r.o.Sequence {
		z = r.collect(y, tp)
	} else {
		z = r.allReduce(y)
	}
	r.drop(y)
	return z
}

// module is a linear module, with what LoRA puts beside it.
func (r *program) module(x tensor, l *matrix) tensor {
	y := r.linear(x, l.p, l.bias)
	if l.a == nil {
		return y
	}
	in, own := x, false
	if x.w < l.a.w || x.w != l.a.w && !r.auto {
		in, own = r.cast(x, l.a.w), true
	}
	low := in
	if r.o.AdapterDropout {
		low = r.dropout(in)
		if own {
			r.drop(in)
		}
		own = true
	}
	a := r.linear(low, l.a, nil)
	b := r.linear(a, l.b, nil)
	scaled := r.scaled(b)
	r.drop(b)
	sum := r.plus(y, scaled)
	r.drop(scaled, y)
	out := sum
	if sum.w != y.w {
		out = r.cast(sum, y.w)
		r.drop(sum)
	}
	if own {
		r.drop(low)
	}
	r.drop(a)
	return out
}

// rotate turns the heads of x by their positions.
func (r *program) rotate(x tensor, a *attn) tensor {
	n := x.n / a.d * a.rope
	part := x
	rest := tensor{}
	if a.rope < a.d {
		part = r.slice(x, n)
		rest = r.slice(x, x.n-n)
	} else {
		r.hold(x.st)
	}
	one := r.mul(part, r.cos)
	half := r.make(n/2, x.w)
	turned := r.make(n, x.w)
	turned.from = r.record(opRotate, part.from, edge{}, edge{})
	r.sizes(turned.from, n, x.w)
	r.drop(half)
	two := r.mul(turned, r.sin)
	r.drop(turned)
	y := r.plus(one, two)
	r.drop(one, two, part)
	if rest.st != 0 {
		z := r.cat(y, rest)
		r.drop(y, rest)
		return z
	}
	return y
}

// tables makes the cosines and sines of all positions.
func (r *program) tables(width int64) {
	if width == 0 {
		return
	}
	n := r.s * width
	freqs := r.make(n/2, 4)
	emb := r.make(n, 4)
	c := r.make(n, 4)
	cs := r.make(n, 4)
	r.drop(c)
	sn := r.make(n, 4)
	ss := r.make(n, 4)
	r.drop(sn)
	if r.stream() == 2 {
		r.cos, r.sin = r.cast(cs, 2), r.cast(ss, 2)
		r.drop(cs, ss)
	} else {
		r.cos, r.sin = cs, ss
	}
	r.drop(freqs, emb)
}

// mask returns the mask that attention of a window needs: none where a kernel knows what is causal.
func (r *program) mask(window int64) tensor {
	if window >= r.s+r.past {
		window = 0
	}
	if window == 0 && !r.p.eager || r.s == 1 {
		return tensor{}
	}
	for i := range r.masks {
		if r.masks[i].window == window {
			return r.masks[i].mask
		}
	}
	n := r.b * r.s * (r.s + r.past)
	m := r.make(n, 1)
	if window > 0 {
		two := r.make(n, 1)
		three := r.make(n, 1)
		r.drop(two, three)
	}
	if r.p.eager {
		wide := r.make(n, r.stream())
		r.drop(m)
		m = wide
	}
	r.masks = append(r.masks, struct {
		window int64
		mask   tensor
	}{window, m})
	return m
}

// attention is a mixer: x is normed already.
func (r *program) attention(x tensor, a *attn, layer int) tensor {
	if a.latent > 0 {
		return r.latent(x, a, layer)
	}
	var q, k, v, all tensor
	if a.qkv != nil {
		all = r.columns(x, a.qkv)
		nq, nk, nv := r.t*a.h*a.d, r.t*a.kv*a.d, r.t*a.kv*a.dv
		if fact(r.p.m, "pieces", 0) != 0 {
			q, k, v = r.slice(all, nq), r.slice(all, nk), r.slice(all, nv)
		} else {
			three := r.split(all, nq, nk, nv)
			q, k, v = three[0], three[1], three[2]
		}
	} else {
		q = r.columns(x, a.q)
		if a.qNorm != nil {
			n := r.norm(q, a.qNorm)
			r.drop(q)
			q = n
		}
		k = r.columns(x, a.k)
		if a.kNorm != nil {
			n := r.norm(k, a.kNorm)
			r.drop(k)
			k = n
		}
		v = r.columns(x, a.v)
	}
	if a.rope > 0 {
		tq := r.rotate(q, a)
		tk := r.rotate(k, a)
		r.drop(q, k)
		q, k = tq, tk
	}
	if r.infer {
		k, v = r.remember(k, v, layer, a.window)
	}
	y := r.mix(q, k, v, a)
	if a.copied && !r.p.eager {
		z := r.clone(y)
		r.drop(y)
		y = z
	}
	out := r.rows(y, a.o)
	r.drop(y, q, k, v, all)
	return out
}

// residual drops out what a branch gives, where the class does.
func (r *program) residual(x tensor) tensor {
	if r.p.drop == 0 || !r.training {
		return x
	}
	y := r.dropout(x)
	r.drop(x)
	return y
}

// mix is the softmax of queries and keys, and the values' mix.
func (r *program) mix(q, k, v tensor, a *attn) tensor {
	mask := r.mask(a.window)
	times := a.h / max(a.kv, 1)
	keys := r.s + r.past
	if a.window > 0 {
		keys = r.s + min(r.past, a.window-1)
	}
	if !r.p.eager {
		half := q.w == 2 || r.auto
		if r.auto && q.w > 2 { // autocast: keys first, as they are given
			ck, cq := r.cast(k, 2), r.cast(q, 2)
			y := r.kernel(cq, ck, v, a, mask, times, half)
			r.drop(ck, cq)
			return y
		}
		return r.kernel(q, k, v, a, mask, times, half)
	}
	if times > 1 {
		k, v = r.repeatHeads(k, times, a), r.repeatHeads(v, times, a)
	} else {
		r.hold(k.st)
		r.hold(v.st)
	}
	pairs := r.b * a.h * r.s * keys
	scores := r.product(q, k, pairs)
	sc := r.scaled(scores)
	r.drop(scores)
	if a.softcap {
		d := r.scaled(sc)
		r.drop(sc)
		t := r.tanh(d)
		r.drop(d)
		sc = r.scaled(t)
		r.drop(t)
	}
	if mask.st != 0 {
		masked := r.plus(sc, mask)
		r.drop(sc)
		sc = masked
	}
	var probs tensor
	switch {
	case a.sinks:
		probs = r.sunk(sc, a)
	case r.p.drop > 0 && fact(r.p.m, "scores", 0) == 0 && !r.auto: // as older classes have it: in its own format, and dropped out
		probs = r.softmax(sc)
		if r.training {
			low := r.dropout(probs)
			r.drop(probs)
			probs = low
		}
	case sc.w == 2 && (r.auto || fact(r.p.m, "scores", 6) >= 6):
		wide := r.cast(sc, 4)
		soft := r.softmax(wide)
		r.drop(wide)
		probs = soft
		if q.w == 2 {
			probs = r.cast(soft, 2)
			r.drop(soft)
		}
	default:
		probs = r.softmax(sc)
	}
	r.drop(sc)
	y := r.product(probs, v, r.t*a.h*a.dv)
	flat := r.clone(y)
	r.drop(y, probs, k, v)
	return flat
}

// sunk is the softmax over the scores and one learned number a head.
func (r *program) sunk(sc tensor, a *attn) tensor {
	rows := r.b * a.h * r.s
	all := r.cat(sc, tensor{n: rows, w: sc.w})
	most := r.make(rows, sc.w)
	less := r.make(all.n, sc.w)
	less.from = all.from
	r.drop(all)
	at := r.make(rows, 8)
	wide := r.wide(less)
	probs := r.softmax(wide)
	r.drop(less, most, at, wide)
	return probs
}

func (r *program) repeatHeads(x tensor, times int64, a *attn) tensor {
	if a.kv == 1 { // one head is read by all as it is
		e := r.record(opRepeat, x.from, edge{}, edge{})
		r.sizes(e, x.n, x.w, times)
		r.hold(x.st)
		return tensor{st: x.st, n: x.n * times, w: x.w, from: e}
	}
	return r.repeat(x, times)
}

// kernel is one fused attention kernel: flash attention for 16 bits without a mask and heads of one width,
// else the memory-efficient one, which is given a copy of keys and values for every query head under a mask.
func (r *program) kernel(q, k, v tensor, a *attn, mask tensor, times int64, half bool) tensor {
	flash := half && mask.st == 0 && a.d == a.dv && a.d <= 256
	bias := int32(0)
	own := false
	if times > 1 && mask.st != 0 {
		k, v = r.repeatHeads(k, times, a), r.repeatHeads(v, times, a)
		own = true
	}
	if mask.st != 0 {
		wide := r.make(mask.n, q.w)
		bias = wide.st
	}
	sums := r.b * a.h * r.s
	if !flash && !r.grad {
		sums = 0
	}
	y := r.attend(q, k, v, r.t*a.h*a.dv, sums, bias)
	r.release(bias)
	if own {
		r.drop(k, v)
	}
	return y
}

// latent is multi-head latent attention, as the class writes it: keys and values are made for all heads.
func (r *program) latent(x tensor, a *attn, layer int) tensor {
	rope := a.rope
	nope := a.d - rope
	var q tensor
	if a.qa != nil {
		low := r.module(x, a.qa)
		n := r.norm(low, a.qaNorm)
		q = r.module(n, a.qb)
		r.drop(low, n)
	} else {
		q = r.columns(x, a.q)
	}
	qs := r.split(q, r.t*a.h*nope, r.t*a.h*rope)
	down := r.module(x, a.kva)
	ds := r.split(down, r.t*a.latent, r.t*rope)
	c := r.norm(ds[0], a.kvNorm)
	head := *a
	head.d, head.rope = rope, rope
	qr := r.rotate(qs[1], &head)
	kr := r.rotate(ds[1], &head)
	r.drop(ds[0], ds[1], qs[1])
	if r.infer {
		c, kr = r.remember(c, kr, layer, 0)
	}
	all := r.cat(qs[0], qr)
	r.drop(qs[0])
	keys := r.b * (r.past + r.s)
	up := r.module(c, a.kvb)
	r.drop(c)
	ups := r.split(up, keys*a.h*nope, keys*a.h*a.dv)
	r.drop(up)
	wide := tensor{n: keys * a.h * rope, w: kr.w}
	wide.from = r.record(opRepeat, kr.from, edge{}, edge{})
	r.sizes(wide.from, kr.n, kr.w, a.h)
	k := r.cat(ups[0], wide)
	r.drop(ups[0])
	v := ups[1]
	y := r.mix(all, k, v, a)
	out := r.rows(y, a.o)
	r.drop(y, all, k, v, qr, kr, q, down)
	return out
}

// gate multiplies what the activation function gives by the way up, and comes back down.
func (r *program) mlp(x tensor, f *mlp) tensor {
	var up tensor
	switch {
	case f.fused:
		both := r.columns(x, f.up)
		two := r.split(both, both.n/2, both.n/2)
		g := r.activate(two[0], f.act)
		up = r.mul(two[1], g)
		r.drop(g, two[0], two[1])
		y := r.rows(up, f.down)
		r.drop(up, both) // the gate's half is a variable to the end
		return y
	case f.gated:
		g := r.columns(x, f.gate)
		s := r.activate(g, f.act)
		r.drop(g)
		u := r.columns(x, f.up)
		up = r.mul(s, u)
		r.drop(s, u)
	default:
		h := r.columns(x, f.up)
		up = r.activate(h, f.act)
		r.drop(h)
	}
	y := r.rows(up, f.down)
	r.drop(up)
	return y
}

// activate is the activation function: of one kernel, or GELU written out.
func (r *program) activate(x tensor, act int64) tensor {
	switch {
	case act == 1:
		return r.relu(x)
	case act < 5:
		return r.act(x)
	}
	half := r.scaled(x)
	in3 := r.wide(x)
	cube := r.pow2(in3)
	r.drop(in3)
	third := r.scaled(cube)
	r.drop(cube)
	sum := r.plus(x, third)
	r.drop(third)
	in := r.scaled(sum)
	r.drop(sum)
	t := r.tanh(in)
	r.drop(in)
	one := r.shift(t)
	r.drop(t)
	y := r.mul(half, one)
	r.drop(half, one)
	return y
}

// wide is x as autocast gives it to what it runs in fp32.
func (r *program) wide(x tensor) tensor {
	if r.auto && x.w == 2 {
		return r.cast(x, 4)
	}
	return r.same(x)
}

// experts routes each token to its experts, sorts the copies by expert, and multiplies all of an expert's
// at once.
func (r *program) experts(x tensor, e *experts) tensor {
	in := x
	own := e.own == 4 && x.w == 2
	if own {
		in = r.cast(x, 4)
	}
	router := e.router
	if own {
		c := *e.router.p
		c.w = 4
		copied := r.make(c.n, 4)
		r.become(copied.st, Copies)
		c.st = copied.st
		router = &matrix{p: &c, bias: e.router.bias}
		defer r.drop(copied)
	}
	logits := r.module(in, router)
	if own {
		r.drop(in)
	}
	scores := logits
	if logits.w == 2 && !e.bias {
		scores = r.cast(logits, 4)
	} else {
		r.hold(scores.st)
	}
	copies := r.t * e.k
	probs := scores
	if !e.bias {
		probs = r.softmax(scores)
	} else {
		r.hold(probs.st)
	}
	r.drop(scores)
	index := r.make(copies, 8)
	top := r.make(copies, probs.w)
	top.from = r.record(opGather, probs.from, edge{}, edge{}, index.st)
	r.sizes(top.from, probs.n, probs.w)
	if top.w == 4 && x.w == 2 && fact(r.p.m, "weigh", 4) == 2 {
		low := r.cast(top, 2)
		r.drop(top)
		top = low
	}
	order, which := r.make(copies, 8), r.make(copies, 8)
	row := r.make(copies, 8)
	rows := r.gather(x, copies*x.n/r.t, row.st)
	ws := r.gather(top, copies, which.st)
	r.drop(top, index)
	up := r.groups(rows, e.up, e.up.out)
	var mid tensor
	if e.bias {
		mid = r.clamped(up, e)
	} else {
		two := r.split(up, up.n/2, up.n/2)
		g := r.activate(two[0], e.act)
		mid = r.mul(g, two[1])
		r.drop(g, two[0], two[1])
	}
	down := r.groups(mid, e.down, e.down.out)
	r.drop(up, mid)
	weighed := r.mul(down, ws)
	back := r.make(copies, 8)
	sorted := r.gather(weighed, weighed.n, back.st)
	r.drop(weighed, back)
	sum := r.sum(sorted, e.k)
	out := sum
	if sum.w != x.w && !(r.auto && x.w == 4) {
		out = r.cast(sum, x.w)
		r.drop(sum)
	}
	r.drop(sorted, probs, order, which, row, rows, down, ws) // variables of one function
	if e.shared != nil {
		s := r.mlp(x, e.shared)
		if e.sgate != nil {
			g := r.module(x, e.sgate)
			w := r.act(g)
			both := r.mul(w, s)
			r.drop(g, w, s)
			s = both
		}
		total := r.plus(out, s)
		r.drop(out, s)
		out = total
	}
	r.drop(logits)
	return out
}

// clamped is an expert's gate whose both sides are clamped, with a linear part, as gpt-oss has it.
func (r *program) clamped(up tensor, e *experts) tensor {
	two := r.split(up, up.n/2, up.n/2)
	gate, lin := r.act(two[0]), r.act(two[1])
	r.drop(two[0], two[1])
	in := r.scaled(gate)
	s := r.relu(in)
	r.drop(in)
	glu := r.mul(gate, s)
	one := r.shift(lin)
	r.drop(lin)
	y := r.mul(one, glu)
	r.drop(gate, s, glu, one)
	return y
}

// layer is one layer: branches with their residual sums.
func (r *program) layer(x tensor, k *kind, at int) tensor {
	if k.parallel {
		return r.beside(x, k, at)
	}
	residual := r.same(x)
	for i := range k.branches {
		b := &k.branches[i]
		h := residual
		if b.pre != nil {
			h = r.norm(residual, b.pre)
		}
		y := r.body(h, b, at)
		if b.pre != nil {
			r.drop(h)
		}
		if b.post != nil && k.summed {
			sum := r.plus(y, residual)
			r.drop(y, residual)
			residual = r.norm(sum, b.post)
			r.drop(sum)
			continue
		}
		if b.post != nil {
			z := r.norm(y, b.post)
			r.drop(y)
			y = z
		}
		sum := r.plus(residual, y)
		r.drop(y, residual)
		residual = sum
	}
	return residual
}

// body is what a branch does between its norms.
func (r *program) body(h tensor, b *branch, at int) tensor {
	if r.o.Sequence && r.o.tp() > 1 {
		h = r.spread(h, r.o.tp())
		defer r.drop(h)
	}
	switch {
	case b.attn != nil:
		return r.residual(r.attention(h, b.attn, at))
	case b.mlp != nil:
		return r.residual(r.mlp(h, b.mlp))
	}
	return r.experts(h, b.experts)
}

// beside is a layer whose branches read the same stream.
func (r *program) beside(x tensor, k *kind, at int) tensor {
	var n, sum tensor
	for i := range k.branches {
		b := &k.branches[i]
		if b.pre != nil {
			r.drop(n)
			n = r.norm(x, b.pre)
		}
		y := r.body(n, b, at)
		if sum.st == 0 && i == 0 {
			sum = y
			continue
		}
		both := r.plus(y, sum)
		r.drop(y, sum)
		sum = both
	}
	out := r.plus(sum, x)
	r.drop(sum, n)
	return out
}
