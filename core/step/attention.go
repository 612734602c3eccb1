package step

import "llmsize/core/model"

// attention is a mixer: x is normed already.
func (r *program) attention(x tensor, a *attn, layer int) tensor {
	if a.latent > 0 {
		return r.latent(x, a, layer)
	}
	keys := x
	if a.cross {
		keys = r.memory
	}
	var q, k, v, all, gate tensor
	if a.qkv != nil {
		all = r.columns(x, a.qkv)
		nq, nk, nv := r.t*a.h*a.d, r.t*a.kv*a.d, r.t*a.kv*a.dv
		if fact(r.p.m, "pieces", 0) != 0 {
			q, k, v = r.slice(all, nq), r.slice(all, nk), r.slice(all, nv)
		} else {
			three := r.split(all, nq, nk, nv)
			q, k, v = three[0], three[1], three[2]
			if a.rope > 0 && (r.p.eager && r.b > 1 || a.own) { // nothing else keeps what they are views of
				v = r.clone(three[2])
				r.drop(three[2])
			}
		}
		if a.qNorm != nil && a.kNorm != nil {
			nq, nk := r.norm(q, a.qNorm), r.norm(k, a.kNorm)
			r.drop(q, k)
			q, k = nq, nk
		}
	} else {
		q = r.columns(x, a.q)
		if a.gate {
			two := r.split(q, r.t*a.h*a.d, r.t*a.h*a.d)
			gate = r.clone(two[1])
			r.drop(q, two[1])
			q = two[0]
		}
		if a.qNorm != nil {
			n := r.norm(q, a.qNorm)
			r.drop(q)
			q = n
		}
		if r.infer && a.cross && r.past > 0 {
			c := r.crossed(layer)
			k, v = r.same(c.k), r.same(c.v)
		} else {
			k = r.columns(keys, a.k)
			if a.v == nil {
				v = r.same(k)
			}
			if a.kNorm != nil {
				n := r.norm(k, a.kNorm)
				r.drop(k)
				k = n
			}
			if a.v != nil {
				v = r.columns(keys, a.v)
			}
		}
	}
	if a.door != nil {
		gate = r.columns(x, a.door)
	}
	if a.rope > 0 {
		in := [2]tensor{q, k}
		wide := fact(r.p.m, "turned", 0) == 4 && q.w == 2
		if wide {
			in = [2]tensor{r.cast(q, 4), r.cast(k, 4)}
		}
		tq := r.rotate(in[0], a)
		tk := r.rotate(in[1], a)
		if wide {
			r.drop(in[:]...)
		}
		if tq.w > q.w {
			lq, lk := r.cast(tq, 2), r.cast(tk, 2)
			r.drop(tq, tk)
			tq, tk = lq, lk
		}
		r.drop(q, k)
		q, k = tq, tk
	}
	if a.bare && a.rope > 0 {
		nq, nk := r.bareNorm(q, a.d, 2), r.bareNorm(k, a.d, 2)
		r.drop(q, k)
		q, k = nq, nk
	}
	if fact(r.p.m, "values", 0) != 0 {
		n := r.bareNorm(v, a.dv, 2)
		r.drop(v)
		v = n
	}
	if r.infer && layer >= r.p.bridge && !(a.cross && r.past > 0) {
		k, v = r.remember(k, v, a, layer)
	}
	var y tensor
	switch {
	case fact(r.p.m, "biased", 0) == 0:
		y = r.mix(q, k, v, a)
	case r.p.eager:
		r.near = *r.positions(a, layer)
		y = r.mix(q, k, v, a)
		r.near = tensor{}
	default:
		y = r.biased(q, k, v, a, layer)
	}
	if a.subNorm != nil {
		n := r.norm(y, a.subNorm)
		r.drop(y)
		y = n
	}
	if a.gate || a.door != nil {
		open := r.relu(gate)
		z := r.mul(y, open)
		r.drop(y, open)
		y = z
	}
	out := r.rows(y, a.o)
	r.drop(y, q, k, v, all, gate)
	return out
}

// rotate turns the heads of x by their positions.
func (r *program) rotate(x tensor, a *attn) tensor {
	if r.o.Fused {
		return r.each(opScale, x)
	}
	n := x.n / a.d * a.rope
	part := x
	rest := tensor{}
	if a.rope < a.d {
		part = r.slice(x, n)
		rest = r.slice(x, x.n-n)
	} else {
		r.hold(x.st)
	}
	halves := fact(r.p.m, "turned", 0) == 8 && x.w == 2
	widened := func(y tensor) tensor {
		if halves {
			return r.cast(y, 4)
		}
		return r.same(y)
	}
	first := widened(part)
	one := r.mul(first, r.cos)
	r.drop(first)
	half := r.make(n/2, x.w)
	turned := r.make(n, x.w)
	turned.from = r.record(opRotate, part.from, edge{}, edge{})
	r.sizes(turned.from, n, x.w)
	r.drop(half)
	second := widened(turned)
	r.drop(turned)
	two := r.mul(second, r.sin)
	r.drop(second)
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

// mask returns the mask that attention needs: none where a kernel knows what is causal, or where every token sees all.
func (r *program) mask(a *attn) tensor {
	window := a.window
	if window > r.s+r.past && !r.p.eager { // of written-out attention each kind of layer has a mask, however far it looks
		window = 0
	}
	given := fact(r.p.m, "masked", 0)
	if eager := r.p.eager && a.part.Get(model.Whole) == 0; window == 0 && !eager && given != 1 && (given != 2 || !r.training) || r.s == 1 {
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
	if slopes := r.p.slopes(); slopes || r.p.eager && fact(r.p.m, "sloped", 0) == 0 {
		wide := r.make(n, r.stream())
		r.drop(m)
		m = wide
		if slopes {
			m = r.make(n*a.h, r.stream())
			r.drop(wide)
		}
	}
	r.masks = append(r.masks, struct {
		window int64
		mask   tensor
	}{window, m})
	return m
}

// mix is the softmax of queries and keys, and the values' mix.
func (r *program) mix(q, k, v tensor, a *attn) tensor {
	mask := r.mask(a)
	times := a.h / max(a.kv, 1)
	keys := r.keys(a)
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
	r.hold(q.st)
	if fact(r.p.m, "qk", 0) == 4 && q.w == 2 { // queries and keys are multiplied in fp32
		wk, wq := r.cast(k, 4), r.cast(q, 4)
		r.drop(k, q)
		k, q = wk, wq
	}
	// Of several sequences a batch of products takes heads in order only, which repeated and remembered ones are. Others are
	// copied for it.
	mixed := r.b > 1 && (times == 1 && !r.infer || times > 1 && a.kv == 1)
	asking, read := r.ordered(q, r.b > 1 && r.s > 1), r.ordered(k, mixed)
	pairs := r.b * a.h * r.s * keys
	scores := r.product(asking, read, pairs)
	r.drop(asking, read)
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
	if r.near.st != 0 {
		sum := r.plus(sc, r.near)
		r.drop(sc)
		sc = sum
	}
	sloped := fact(r.p.m, "sloped", 0) != 0
	if sloped { // an fp32 number for each key
		sum := r.plus(sc, tensor{n: a.h * keys, w: 4})
		r.drop(sc)
		sc = sum
	}
	lingers := fact(r.p.m, "lingers", 0)
	var unmasked tensor
	if mask.st != 0 {
		var masked tensor
		if sloped {
			masked = r.ofMask(sc, mask)
		} else {
			masked = r.plus(sc, mask)
		}
		if lingers > 1 {
			unmasked = sc
		} else {
			r.drop(sc)
		}
		sc = masked
	}
	var probs tensor
	drops := r.training && r.p.chance
	switch {
	case a.sinks:
		probs = r.sunk(sc, a)
	case r.p.own && (!r.auto || fact(r.p.m, "chances", 0) == 1): // as older classes have it: in its own format
		wide := r.wide(sc)
		probs = r.softmax(wide)
		r.drop(wide)
		if drops {
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
		if drops {
			low := r.dropout(probs)
			r.drop(probs)
			probs = low
		}
	default:
		probs = r.softmax(sc)
		if probs.w > v.w {
			low := r.cast(probs, v.w)
			r.drop(probs)
			probs = low
		}
		if drops {
			low := r.dropout(probs)
			r.drop(probs)
			probs = low
		}
	}
	r.drop(sc)
	values := r.ordered(v, mixed)
	y := r.product(probs, values, r.t*a.h*a.dv)
	r.drop(values)
	flat := r.clone(y)
	if lingers != 0 && r.again == nil {
		r.shares[1] = r.same(probs)
	}
	r.drop(y, probs, unmasked, q, k, v)
	return flat
}

// keys is how many tokens of each sequence a token may see.
func (r *program) keys(a *attn) int64 {
	if a.cross {
		return r.read
	}
	return r.s + r.past
}

// ordered is a copy of x in the order of heads where its heads are mixed, else x itself.
func (r *program) ordered(x tensor, mixed bool) tensor {
	if mixed {
		return r.clone(x)
	}
	return r.same(x)
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
	if times > 1 && r.s > 1 && (mask.st != 0 || a.d != a.dv || a.d > 256) {
		k, v = r.repeatHeads(k, times, a), r.repeatHeads(v, times, a)
		own = true
	}
	if mask.st != 0 {
		wide := mask
		if mask.w == q.w { // as it is
			r.hold(mask.st)
		} else {
			wide = r.make(mask.n, q.w)
		}
		bias = r.padded(wide, r.s+r.past).st
	}
	sums := r.b * a.h * r.s
	if !flash { // of whole blocks of queries
		sums = r.b * a.h * ((r.s + 31) / 32 * 32)
	}
	if !flash && !r.grad {
		sums = 0
	}
	y := r.attend(q, k, v, r.t*a.h*a.dv, sums, bias, r.o.cp())
	r.release(bias)
	if own {
		r.drop(k, v)
	}
	if flash && a.joined && r.s > 1 { // flash attention gives its result in the order of its queries, the other kernel token by token
		z := r.clone(y)
		r.drop(y)
		y = z
	}
	return y
}

// padded is a mask as the memory-efficient kernel takes it: of rows of whole eights, copied where they are not (torch 2.15,
// aten/src/ATen/native/transformers/attention.cpp, preprocess_mask).
func (r *program) padded(mask tensor, keys int64) tensor {
	more := -keys & 7
	if more == 0 {
		return mask
	}
	y := r.clone(tensor{n: mask.n / keys * (keys + more), w: mask.w, from: mask.from})
	r.drop(mask)
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
		c, kr = r.remember(c, kr, a, layer)
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
