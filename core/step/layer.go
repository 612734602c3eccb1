package step

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
			h = r.before(residual, b.pre)
		}
		if r.p.wide {
			w := r.float(residual)
			r.drop(residual)
			if b.pre == nil {
				h = w
			}
			residual = w
		}
		y := r.body(h, b, at)
		if b.pre != nil {
			r.drop(h)
		}
		if b.also != nil {
			y = r.both(residual, y, b)
		}
		if b.post != nil && k.summed {
			sum := r.plus(y, residual)
			r.drop(y, residual)
			r.part = normPart
			residual = r.norm(sum, b.post)
			r.drop(sum)
			continue
		}
		if b.post != nil {
			r.part = normPart
			z := r.norm(y, b.post)
			r.drop(y)
			y = z
		}
		sum := r.plus(residual, y)
		r.drop(y, residual)
		residual = sum
	}
	if k.scaled {
		residual.from = r.record(opScale, residual.from, edge{}, edge{})
		r.sizes(residual.from, residual.n, residual.w)
	}
	return residual
}

// before is the norm before a branch, of the stream in the layers' format.
func (r *program) before(x tensor, n *norm) tensor {
	r.part = normPart
	if r.p.wide && x.w > n.p.w {
		low := r.cast(x, n.p.w)
		defer r.drop(low)
		x = low
	}
	return r.norm(x, n)
}

// body is what a branch does between its norms.
func (r *program) body(h tensor, b *branch, at int) tensor {
	if r.o.Sequence && r.o.tp() > 1 {
		h = r.spread(h, r.o.tp())
		defer r.drop(h)
	}
	switch {
	case b.attn != nil:
		r.part = attentionPart
		y := r.attention(h, b.attn, at)
		if r.p.half {
			return y
		}
		return r.residual(y)
	case b.mlp != nil:
		r.part = feedPart
		return r.residual(r.mlp(h, b.mlp))
	case b.scan != nil:
		r.part = scanPart
		return r.mixed(h, b.scan, at)
	}
	r.part = expertsPart
	return r.experts(h, h, b.experts)
}

// both is a feed-forward's result and that of the experts beside it, which read the stream.
func (r *program) both(x, y tensor, b *branch) tensor {
	r.part = normPart
	own, in := r.norm(y, b.own), r.norm(x, b.also.pre)
	r.part = expertsPart
	z := r.experts(in, x, b.also.experts)
	r.drop(in)
	r.part = normPart
	other := r.norm(z, b.also.post)
	r.drop(z)
	sum := r.plus(own, other)
	r.drop(y, own, other)
	return sum
}

// beside is a layer whose branches read the same stream.
func (r *program) beside(x tensor, k *kind, at int) tensor {
	var n, sum tensor
	for i := range k.branches {
		b := &k.branches[i]
		if b.pre != nil {
			r.drop(n)
			r.part = normPart
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
