package step

// decode is what is between an encoder's layers and a decoder's: the encoder's final norm, if it has one, whose result all
// layers of the decoder read, and what comes before these. A pass over a prompt writes one token.
func (r *program) decode(h tensor) tensor {
	r.memory = h
	if r.p.encoded != nil {
		r.part = normPart
		r.memory = r.inside(r.norm(h, r.p.encoded))
		r.drop(h)
	}
	r.drop(r.first[0], r.first[1])
	r.first = [2]tensor{}
	if !r.o.Checkpoint || !r.training { // no layer of the encoder reads its positions again
		r.drop(r.biases[0])
		r.biases[0] = tensor{}
	}
	if r.read = r.s; r.infer {
		r.s, r.t = 1, r.b
	}
	return r.open()
}

// open is what comes before a decoder's layers: the embedding of its tokens, which are those of the labels one place later, with
// their positions and a norm as the encoder's.
func (r *program) open() tensor {
	r.part = embedding
	ids := r.make(r.t, 8)
	h := r.embed(r.p.embed, ids.st, r.t)
	r.drop(ids)
	if fact(r.p.m, "scaled", 0) != 0 {
		y := r.scaled(h)
		r.drop(h)
		h = y
	}
	r.first[0] = r.same(h)
	if x := &r.p.opening; x.position != nil {
		r.first[1] = r.embed(x.position, r.ids, r.s)
		sum := r.plus(h, r.first[1])
		r.drop(h)
		h = sum
		for i := range x.norms {
			n := r.norm(h, &x.norms[i])
			r.drop(h)
			h = n
		}
	}
	if r.p.dropFirst && r.training {
		y := r.dropout(h)
		r.drop(h)
		return y
	}
	return h
}

// positions are what attention adds to its scores: numbers that the first layer of a stack looks up by the distance of two
// tokens, for all of the stack; none between a decoder and its encoder (transformers 5.23.0, models/t5, compute_bias).
func (r *program) positions(a *attn, layer int) *tensor {
	pairs := r.s * r.keys(a)
	at := &r.biases[0]
	switch {
	case a.cross:
		w := r.stream()
		if r.auto { // in the format of the queries
			w = 2
		}
		switch at = &r.biases[2]; {
		case at.st == 0:
			*at = r.make(a.h*pairs, w)
			if r.o.Checkpoint && r.training { // the class asks for their gradient, so that its layers have one to give
				at.from = r.passing(*at)
			}
		case r.again != nil && layer == r.p.bridge:
			r.lent = append(r.lent, r.make(a.h*pairs, w))
		}
		return at
	case layer >= r.p.bridge:
		at = &r.biases[1]
	}
	if a.table == nil {
		return at
	}
	if r.again != nil { // the layers after it, which read what it made the first time, are done
		r.drop(*at)
		*at = tensor{}
	}
	whole := int64(5) // distances, those taken as they are and those on a scale, with its steps and its end
	if layer < r.p.bridge {
		whole++ // which way they go
	}
	apart, near := r.make(pairs*whole, 8), r.make(pairs, 1)
	r.drop(apart, near)
	buckets := r.make(pairs, 8)
	y := r.embed(a.table, buckets.st, pairs)
	r.drop(buckets)
	if r.again == nil {
		r.drop(*at)
		*at = y
		return at
	}
	r.lent = append(r.lent, y)
	return &r.lent[len(r.lent)-1]
}

// biased is the memory-efficient kernel with positions in its mask, made anew for each layer, whose gradient it gives back.
func (r *program) biased(q, k, v tensor, a *attn, layer int) tensor {
	bias := *r.positions(a, layer)
	own := tensor{}
	switch {
	case a.cross: // as it is
	case layer >= r.p.bridge: // what is later is masked out of it
		seen := r.make(r.s*(r.s+r.past), 1)
		masked := r.ofMask(bias, seen)
		r.drop(seen)
		own = r.clone(masked)
		r.drop(masked)
	default:
		own = r.clone(bias)
	}
	if own.st != 0 {
		bias = own
	}
	low := tensor{}
	if r.auto && bias.w > 2 {
		low = r.cast(bias, 2)
		r.drop(own)
		bias, own = low, low
	}
	if keys := r.keys(a); keys&7 != 0 {
		r.hold(bias.st)
		wide := r.padded(bias, keys)
		r.drop(own)
		bias, own = wide, wide
	}
	ck, cq := k, q
	if r.auto && q.w > 2 {
		ck, cq = r.cast(k, 2), r.cast(q, 2)
	} else {
		r.hold(k.st)
		r.hold(q.st)
	}
	sums := r.b * a.h * ((r.s + 31) / 32 * 32)
	if !r.grad {
		sums = 0
	}
	y := r.attend(cq, ck, v, r.t*a.h*a.dv, sums, bias.st, -r.b)
	if e := y.from; e.node > 0 && e.node != remade && bias.from.needs() {
		r.nodes[e.node].in[3] = bias.from
		if bias.from.node < 0 {
			r.leafs[-bias.from.node-1].uses++
		}
	}
	r.sizes5(y.from, bias.n)
	r.drop(ck, cq, own)
	return y
}
