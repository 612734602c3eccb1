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
			r.part = normPart
			h = r.norm(residual, b.pre)
		}
		y := r.body(h, b, at)
		if b.pre != nil {
			r.drop(h)
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
		r.part = attentionPart
		return r.residual(r.attention(h, b.attn, at))
	case b.mlp != nil:
		r.part = feedPart
		return r.residual(r.mlp(h, b.mlp))
	}
	r.part = expertsPart
	return r.experts(h, b.experts)
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
