package step

// program runs a model's forward pass on a machine.
type program struct {
	*machine
	p        *plan
	o        *Options
	b, s     int64 // sequences and tokens of each that pass through
	past     int64 // tokens of each that the cache holds already
	read     int64 // tokens of each that an encoder has read
	t        int64 // b·s
	cos, sin tensor
	masks    map2
	ids      int32
	first    [2]tensor // embeddings, which are variables to the end of the pass
	caches   []held    // of every layer, in inference
	infer    bool
	bare     bool      // without adapters
	memory   tensor    // what an encoder gives
	biases   [3]tensor // positions added to the scores: of the encoder, the decoder, and none between them
	near     tensor    // those of the layer at work, where scores are stored
	shares   [2]tensor // what the softmax gave in the layer before, where it lives on, and in the one at work
	lent     []tensor  // what a layer that is made again makes for those after it, until it ends
	inbound  tensor    // what the stage before has sent
	asked    tensor    // embeddings of which a gradient is asked
}

// map2 is the masks that were made, by window.
type map2 []struct {
	window int64
	mask   tensor
}

// stream is the bytes of a value of the residual stream.
func (r *program) stream() int64 { return r.o.param() }

// forward runs the pass up to the loss; what it returns is what the caller holds.
func (r *program) forward() (loss, logits tensor) {
	p, s := r.p, r.shards
	if s != nil {
		s.enterRoot(r.machine)
	}
	h := r.receive()
	r.border(-1)
	h = r.layers(h, 0)
	if r.o.inner.last { // the next stage takes it; it is held until its gradient comes
		if s != nil {
			s.leaveRoot(r.machine)
		}
		r.uncast()
		return h, tensor{}
	}
	h = r.transformed(h)
	r.part = headPart
	stream := h
	h = r.narrow(h)
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
	r.drop(h, stream)
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

// layers runs the layers from one on, and the norm behind the last.
func (r *program) layers(h tensor, from int) tensor {
	p, s := r.p, r.shards
	for i := from; i < len(p.pattern); i++ {
		if i == p.bridge && i > from {
			h = r.decode(h)
		}
		r.enter(int32(i))
		if s != nil {
			s.enterLayer(r.machine, i)
		}
		h = r.run(h, &p.kinds[p.pattern[i]], i)
		if s != nil {
			s.leaveLayer(r.machine, i)
		}
		r.border(int32(i))
	}
	r.enter(-1)
	if p.final != nil {
		r.part = normPart
		n := r.norm(h, p.final)
		r.drop(h)
		h = r.inside(n)
	}
	r.end()
	return h
}

// narrow is a wide stream in the head's format.
func (r *program) narrow(h tensor) tensor {
	if r.p.wide && h.w > r.p.head.w {
		return r.cast(h, r.p.head.w)
	}
	return r.same(h)
}

// receive is what a pass begins with: embedded tokens, or what the stage before has sent, which is held until the
// backward pass has made its gradient.
func (r *program) receive() tensor {
	if !r.o.inner.first {
		return r.start()
	}
	h := r.make(r.t/r.among()*r.p.h, r.stream())
	r.become(h.st, Activations)
	r.nodes = append(r.nodes, node{op: opReceive})
	h.from = edge{node: int32(len(r.nodes) - 1)}
	r.inbound = r.same(h)
	r.shared()
	return h
}

// passing is where the gradient of a tensor goes that is asked for and nobody's.
func (r *program) passing(x tensor) edge {
	r.leafs = append(r.leafs, leaf{n: x.n, w: x.w, passing: true})
	return edge{node: -int32(len(r.leafs))}
}

// among is how many ranks share the stream's tokens.
func (r *program) among() int64 {
	if r.o.Sequence {
		return r.o.tp()
	}
	return 1
}

// start is what comes before the layers.
func (r *program) start() tensor {
	p := r.p
	r.part = embedding
	h := r.summed(r.embed(p.embed, r.ids, r.t))
	if r.o.Checkpoint && !r.o.HostInputs && r.grad && len(r.o.Adapters) > 0 { // asked for a gradient, so that layers that are made again have one to give; the graph holds it
		h.from = r.passing(h)
		r.hold(h.st)
		r.become(h.st, Activations)
		r.asked = h
	}
	if fact(p.m, "scaled", 0) != 0 {
		y := r.scaled(h)
		r.drop(h)
		h = y
	}
	r.first[0] = r.same(h)
	if p.types != nil {
		kind := r.embed(p.types, r.ids, r.t/r.among())
		sum := r.plus(h, kind)
		r.drop(h, kind)
		h = sum
	}
	if p.position != nil {
		rows := r.s
		if p.encodes { // of every sequence
			rows = r.t
		}
		pos := r.embed(p.position, r.ids, rows/r.among()) // of the tokens that this rank holds
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
	r.shared()
	return h
}

// shared makes what all layers read: tables of positions, and masks.
func (r *program) shared() {
	p := r.p
	width := int64(0)
	for i := range p.kinds {
		for j := range p.kinds[i].branches {
			if a := p.kinds[i].branches[j].attn; a != nil {
				width = max(width, a.rope)
				if p.bridge == 0 || !r.infer { // a decoder writes token by token, and an encoder's tokens see all
					r.mask(a)
				}
			}
		}
	}
	r.tables(width)
}

// end drops what the layers shared. What a layer is made again with lives until that is done.
func (r *program) end() {
	r.drop(r.first[0], r.first[1], r.shares[0])
	r.first, r.shares = [2]tensor{}, [2]tensor{}
	if !r.o.Checkpoint || !r.training {
		r.unshare()
	}
}

// unshare drops the tables of positions, and the masks.
func (r *program) unshare() {
	r.drop(r.cos, r.sin)
	r.cos, r.sin = tensor{}, tensor{}
	if !r.infer { // else the caller holds it
		r.drop(r.memory)
		r.memory = tensor{}
	}
	r.drop(r.biases[:]...)
	r.biases = [3]tensor{}
	for i := range r.masks {
		r.drop(r.masks[i].mask)
	}
	r.masks = r.masks[:0]
}

// run is a layer of the stream.
func (r *program) run(h tensor, k *kind, at int) tensor {
	y := r.once(h, k, at)
	r.drop(r.shares[0])
	r.shares = [2]tensor{r.shares[1]}
	return y
}

// once runs a layer, or lets its checkpoint do that, which keeps its input alone.
func (r *program) once(h tensor, k *kind, at int) tensor {
	if !r.o.Checkpoint || !r.training {
		y := r.layer(h, k, at)
		r.drop(h)
		return y
	}
	seg := int32(len(r.segs))
	r.segs = append(r.segs, segment{})
	in := h
	if !r.o.HostInputs { // else it is copied away, and back when it is asked for (pytorch/torchtune, torchtune/training/_activation_offloading.py)
		r.segs[seg] = segment{holds: r.same(h)}
		if in.st > 0 && r.st[in.st].cat == Temporaries {
			r.become(in.st, Activations)
		}
	}
	r.seg = seg
	y := r.layer(h, k, at)
	r.seg = 0
	r.drop(h)
	r.segs[seg].run = func() {
		if r.o.HostInputs {
			in.st = r.alloc(in.n, in.w, Activations)
			r.segs[seg].holds = in
		}
		r.drop(r.layer(in, k, at))
		r.drop(r.lent...)
		r.lent = r.lent[:0]
	}
	return y
}
