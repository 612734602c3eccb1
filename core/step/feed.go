package step

// mlp multiplies what the activation function gives by the way up, and comes back down.
func (r *program) mlp(x tensor, f *mlp) tensor {
	var up tensor
	switch {
	case r.o.Fused && f.gated:
		var two [3]tensor
		var both tensor
		if f.fused {
			both = r.columns(x, f.up)
			two = r.split(both, both.n/2, both.n/2)
		} else {
			two[0], two[1] = r.columns(x, f.gate), r.columns(x, f.up)
		}
		up = r.gated(two[0], two[1])
		r.drop(two[0], two[1], both)
		if len(r.o.Adapters) > 0 { // the kernels of adapters make the product once more
			r.unkept = up.st
			defer func() { r.unkept = 0 }()
		}
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
	up = r.inside(up)
	if f.subNorm != nil {
		n := r.norm(up, f.subNorm)
		r.drop(up)
		up = n
	}
	y := r.rows(up, f.down)
	r.drop(up)
	return y
}

// inside drops out what a feed-forward takes down, and what a stack gives, in classes that do so everywhere.
func (r *program) inside(x tensor) tensor {
	if fact(r.p.m, "inside", 0) == 0 {
		return x
	}
	return r.residual(x)
}

// activate is the activation function: of one kernel, or GELU written out.
func (r *program) activate(x tensor, act int64) tensor {
	switch {
	case fact(r.p.m, "squared", 0) != 0:
		low := r.relu(x)
		in := r.wide(low)
		r.drop(low)
		y := r.pow2(in)
		r.drop(in)
		return y
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

// experts routes each token to its experts by what from says, sorts the copies by expert, and multiplies all of an expert's
// at once.
func (r *program) experts(x, from tensor, e *experts) tensor {
	if fact(r.p.m, "every", 0) != 0 {
		return r.everywhere(x, e)
	}
	if r.o.Jitter && r.training {
		for range fact(r.p.m, "jitter", 0) { // in place
			noise := r.make(x.n, x.w)
			x.from = r.record(opScale, x.from, edge{}, edge{}, noise.st)
			r.sizes(x.from, x.n, x.w)
			r.drop(noise)
		}
	}
	in := from
	if e.scale != nil {
		n := r.bareNorm(from, e.scale.n, 2)
		s := r.mul(n, e.scale.read())
		in = r.scaled(s)
		r.drop(n, s)
		defer r.drop(in)
	}
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
	rows = r.exchanged(rows, false)
	var biases tensor // of each row's expert, added in place
	if e.bias {
		biases = r.make(rows.n/e.up.p.in*e.up.p.out, e.up.p.w)
	}
	ways := [2]tensor{r.folded(e.up)}
	up := r.groups(rows, ways[0], e.up.p.in, e.up.p.out)
	var mid tensor
	if e.bias {
		mid = r.clamped(up, e)
		next := r.make(rows.n, e.down.p.w)
		r.drop(biases)
		biases = next
	} else {
		two := r.split(up, up.n/2, up.n/2)
		g := r.activate(two[0], e.act)
		mid = r.mul(g, two[1])
		r.drop(g, two[0], two[1])
	}
	ways[1] = r.folded(e.down)
	down := r.groups(mid, ways[1], e.down.p.in, e.down.p.out)
	r.drop(up, mid)
	down = r.exchanged(down, true)
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
	r.drop(sorted, probs, order, which, row, rows, down, ws, biases, ways[0], ways[1]) // variables of one function
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

// folded is the experts' weights as a pass takes them. With adapters they are made anew, since one product of all experts
// has no place for a second one beside it (peft 0.21.2, peft/tuners/lora/layer.py, ParamWrapper and _LoraFactorsProxy).
func (r *program) folded(x *matrix) tensor {
	if x.a == nil || r.bare {
		return r.same(x.p.read())
	}
	factors := [2]tensor{x.b.read(), x.a.read()}
	for i := range factors {
		f := &factors[i]
		if f.w == x.p.w {
			r.hold(f.st)
			continue
		}
		*f = r.cast(*f, x.p.w)
		r.become(f.st, Copies)
	}
	auto := r.auto
	r.auto = false // it is left aside for the sum
	y := r.product(factors[0], factors[1], x.p.n)
	r.auto = auto
	r.drop(factors[:]...)
	return y
}

// everywhere runs each expert on every token: tokens that did not choose it come weighed by nothing (transformers 5.23.0,
// models/llama4, Llama4TextMoe).
func (r *program) everywhere(x tensor, e *experts) tensor {
	logits := r.module(x, e.router)
	wide := r.cast(logits, 4)
	shares := r.relu(wide)
	r.drop(wide)
	low := r.cast(shares, x.w)
	r.drop(shares)
	share := r.clone(low)
	r.drop(low)
	all := r.repeat(x, e.e)
	rows := r.mul(all, share)
	r.drop(all)
	up := r.linear(rows, e.up.p, nil)
	two := r.split(up, up.n/2, up.n/2)
	g := r.activate(two[0], e.act)
	mid := r.mul(two[1], g)
	r.drop(g, two[0], two[1], up)
	down := r.linear(mid, e.down.p, nil)
	r.drop(mid)
	var out tensor
	if e.shared != nil {
		s := r.mlp(x, e.shared)
		sum := r.sum(down, e.e)
		out = r.plus(s, sum)
		r.drop(s, sum)
	} else {
		out = r.sum(down, e.e)
	}
	r.drop(down, rows, share, logits)
	return out
}

// exchanged sends each token's copies to the ranks that hold its experts, or brings them back. What arrives is put in
// the experts' order, and what leaves in the senders': a copy more each way. Ranks are taken to get as many as they
// send (pytorch/torchtitan, torchtitan/distributed/expert_parallel.py, ExpertParallel: all_to_all_single_autograd around
// the experts, and a permutation on either side).
func (r *program) exchanged(x tensor, home bool) tensor {
	if r.o.ep() == 1 {
		return x
	}
	order := r.make(x.n/r.p.h, 8)
	steps := [2]func(tensor) tensor{r.clone, func(y tensor) tensor { return r.gather(y, y.n, order.st) }}
	if home {
		steps[0], steps[1] = steps[1], steps[0]
	}
	for _, f := range steps {
		y := f(x)
		r.drop(x)
		x = y
	}
	r.drop(order)
	return x
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
