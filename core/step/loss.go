package step

// transformed is what a masked language model does before its head.
func (r *program) transformed(h tensor) tensor {
	if r.p.dense == nil {
		return h
	}
	r.part = headPart
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

// capped is the logits as the class gives them: in fp32, or between two bounds.
func (r *program) capped(logits tensor) tensor {
	if fact(r.p.m, "logits", 0) == 4 && logits.w < 4 && r.p.m.Kind == "causal" {
		low := logits
		logits = r.cast(low, 4)
		r.drop(low)
	}
	if r.p.headSum { // numbers that only change by hand
		low := logits
		logits = r.plus(low, tensor{n: r.p.head.out, w: r.p.head.w})
		r.drop(low)
	}
	if !r.p.headCap {
		return logits
	}
	a := r.scaled(logits)
	r.drop(logits)
	b := r.tanh(a)
	r.drop(a)
	c := r.scaled(b)
	r.drop(b)
	return c
}

// chunks is how many pieces a chunked loss works in, as torchtune's does
// (pytorch/torchtune, torchtune/modules/loss/cross_entropy_loss.py: num_output_chunks = 8).
const chunks = 8

// chunked makes the logits of a piece of the tokens at a time, and copies one piece's to fp32 at once. What is kept of all
// pieces is their log-probabilities in fp32, or, where one kernel does both, their logits.
func (r *program) chunked(h tensor) tensor {
	var sum tensor
	part := (r.t + chunks - 1) / chunks
	for at := int64(0); at < r.t; at += part {
		n := min(part, r.t-at)
		in := r.slice(h, h.n/r.t*n)
		r.part = headPart
		l := r.capped(r.linear(in, r.p.head, r.p.headBias))
		var one tensor
		if r.o.Fused {
			one = r.compiled(l)
		} else {
			one = r.loss(l)
		}
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

// compiled is the cross-entropy of a piece of the logits in one kernel: it copies nothing to fp32, and keeps the logits as
// they are with two numbers a row, of which the gradients are made (pytorch/torchtune, torchtune/modules/loss/
// ce_chunked_output_loss.py: "the CE and upcasting have to be compiled together"; its pull request 1390).
func (r *program) compiled(logits tensor) tensor {
	r.part, r.what = lossPart, "loss"
	rows := logits.n / r.p.head.out
	labels, most := r.make(rows, 8), r.make(2*rows, 4)
	out := r.make(1, 4)
	out.from = r.record(opLoss, logits.from, edge{}, edge{}, logits.st, labels.st, most.st)
	r.sizes(out.from, logits.n, logits.w)
	r.drop(labels, most)
	return out
}

// fused works out the gradients with the loss, a piece of the tokens at a time, so that no more than a piece's
// logits are ever there: what is kept is the gradients of the hidden states and of the head's matrix (Hsu et al.
// 2024, arXiv 2410.10989, section 3.2; linkedin/Liger-Kernel, fused_linear_cross_entropy.py: pieces of as many
// tokens as make logits as large as the hidden states).
func (r *program) fused(h tensor) tensor {
	p := r.p
	r.part, r.what = lossPart, "loss"
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

// gathered is how many ranks' logits stand side by side.
func (r *program) gathered() int64 {
	if r.o.Loss == LossParallel {
		return 1
	}
	return r.o.tp()
}

// loss is the cross-entropy of all positions.
func (r *program) loss(logits tensor) tensor {
	r.part = lossPart
	in := logits
	own := false
	// causal classes copy their logits to fp32, and newer masked ones; under autocast others do that with the log-probabilities
	if logits.w < 4 && (r.o.Loss == LossFP32 || r.o.Loss == LossParallel || r.o.Loss == LossChunked) && (r.p.m.Kind == "causal" || fact(r.p.m, "logits", 0) == 4) {
		in, own = r.cast(logits, 4), true
	}
	r.what = "labels"
	labels := r.make(logits.n/(r.p.head.out*r.gathered())+r.b, 8)
	sliced := r.o.Loss == LossParallel && r.o.tp() > 1
	if sliced { // the logits less their largest, and their exponentials (torch/distributed/tensor/parallel/loss.py, _log_softmax)
		less := r.make(in.n, in.w)
		exp := r.make(in.n, in.w)
		r.drop(less, exp)
	}
	y := r.logSoftmax(in)
	if sliced { // the exponentials once more, beside the sum (the same, _nll_loss_and_log_softmax_backward)
		r.sizes(y.from, y.n, y.w, 1)
	}
	if r.auto && y.w < 4 {
		z := r.cast(y, 4)
		r.drop(y)
		y = z
	}
	r.what = "loss"
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
