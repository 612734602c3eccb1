package step

// norm is a norm of rows of x.
func (r *program) norm(x tensor, n *norm) tensor {
	if n.p == nil {
		return r.bareNorm(x, n.n, n.each)
	}
	if n.bias != nil || n.each == 2 || r.o.Fused {
		return r.layerNorm(x, n.p, n.bias)
	}
	if fact(r.p.m, "stream", 0) != 0 && x.w == 2 {
		return r.streamNorm(x, n)
	}
	in := x
	half := x.w == 2
	if half {
		in = r.cast(x, 4)
	} else {
		r.hold(in.st)
	}
	if n.each == 12 { // a layer norm that is written out: what is squared is less its mean, and so is what is scaled
		less := r.each(opScale, in)
		sq := r.pow2(less)
		r.drop(less)
		less = r.each(opScale, in)
		r.drop(in)
		in = less
		return r.weighed(in, sq, x, n)
	}
	return r.weighed(in, r.pow2(in), x, n)
}

// weighed is the rest of a norm that is written out: x scaled by the mean of its squares, and multiplied by the weight.
func (r *program) weighed(in, sq, x tensor, n *norm) tensor {
	half := x.w == 2
	mean, dev := r.length(sq, n.p.n)
	y := r.mul(in, dev)
	r.drop(in, dev) // the variable holds the result from here on
	p := n.p.read()
	var out tensor
	switch {
	case n.each >= 8: // the weight is multiplied in fp32
		if p.w < y.w {
			p = r.cast(p, y.w)
			defer r.drop(p)
		}
		wide := r.mul(y, p)
		r.drop(y, mean)
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
	r.drop(y, mean)
	return out
}

// bareNorm is a norm without a parameter, of rows of n values: 1 PyTorch's own kernel, 2 a root-mean-square norm written out.
func (r *program) bareNorm(x tensor, n, way int64) tensor {
	in := x
	if x.w == 2 {
		in = r.cast(x, 4)
	} else {
		r.hold(in.st)
	}
	var y tensor
	if way == 1 {
		y = r.make(x.n, 4)
		st := r.make(2*x.n/n, 4)
		y.from = r.record(opLayerNorm, in.from, edge{}, edge{}, in.st, st.st)
		r.sizes(y.from, x.n, n, 4, 4)
		r.drop(st)
	} else {
		mean, dev := r.length(r.pow2(in), n)
		r.drop(mean)
		y = r.mul(in, dev)
		r.drop(dev)
	}
	r.drop(in)
	if x.w == 4 {
		return y
	}
	out := r.cast(y, x.w)
	r.drop(y)
	return out
}

// streamNorm is a norm that multiplies the stream as it is: only its mean square is of an fp32 copy.
func (r *program) streamNorm(x tensor, n *norm) tensor {
	in := r.cast(x, 4)
	mean, dev := r.length(r.pow2(in), n.p.n)
	r.drop(in)
	y := r.mul(x, dev)
	low := r.cast(y, x.w)
	r.drop(y)
	out := r.mul(n.p.read(), low)
	r.drop(low, mean, dev)
	return out
}

// length is the mean of the squares in each row of n values, and one over its root. It ends sq.
func (r *program) length(sq tensor, n int64) (mean, dev tensor) {
	mean = r.mean(sq, n)
	r.drop(sq)
	eps := r.shift(mean)
	dev = r.rsqrt(eps)
	r.drop(eps)
	return mean, dev
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
	if l.a == nil || r.bare {
		return y
	}
	in, own := x, false
	if !r.o.Fused && (x.w < l.a.w || x.w != l.a.w && !r.auto) {
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
	if r.o.Fused { // its gradient is added where that of the product stands
		low.from = edge{}
	}
	a := r.linear(low, l.a, nil)
	b := r.linear(a, l.b, nil)
	if r.o.Fused { // added where the product stands, which needs neither
		y.from = r.record(opAdd, y.from, b.from, edge{})
		r.sizes(y.from, y.n, y.n, b.n, y.w, y.w, b.w)
		if own {
			r.drop(low)
		}
		r.drop(a, b)
		return y
	}
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

// residual drops out what a branch gives, where the class does.
func (r *program) residual(x tensor) tensor {
	if r.p.drop == 0 || !r.training {
		return x
	}
	y := r.dropout(x)
	r.drop(x)
	return y
}

// wide is x as autocast gives it to what it runs in fp32.
func (r *program) wide(x tensor) tensor {
	if r.auto && x.w == 2 {
		return r.cast(x, 4)
	}
	return r.same(x)
}
