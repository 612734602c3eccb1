package compute

// Cheapest is the fewest FLOPs that reach a loss, and where they are spent. At a
// law's optimum both of its terms fall with the same power of the budget, so that
// it is solved for c:
//
//	L − E = K·(c/6)^(−αβ/(α+β)),  K = A·G^(−α) + B·G^β
//
// with G as in [Law.Optimum]. ok is false for a loss that no budget reaches.
func (l *Law) Cheapest(loss float64) (c float64, ok bool) {
	over := loss - l.E
	if over <= 0 {
		return 0, false
	}
	s := l.Alpha + l.Beta
	g := power(float64(l.Alpha*l.A)/float64(l.Beta*l.B), 1/s)
	k := float64(l.A*power(g, -l.Alpha)) + float64(l.B*power(g, l.Beta))
	return 6 * power(k/over, s/float64(l.Alpha*l.Beta)), true
}

// Tokens is how many tokens take a model of n parameters to a loss. ok is false
// where it has too few for it, however long it is trained.
func (l *Law) Tokens(n, loss float64) (d float64, ok bool) {
	over := loss - l.E - float64(l.A*power(n, -l.Alpha))
	if over <= 0 {
		return 0, false
	}
	return power(l.B/over, 1/l.Beta), true
}

// Lifetime is what a model costs that is trained on d tokens and then serves so
// many: 6·N·D + 2·N·S FLOPs (Sardana et al. 2023, arXiv 2401.00448, equation 2).
func Lifetime(n, d, served float64) float64 {
	return float64(float64(6*n)*d) + float64(float64(2*n)*served)
}

// Served finds the model that reaches a loss and costs least over its life: as
// Sardana et al. 2023, arXiv 2401.00448, section 3. It is smaller than the
// compute-optimal one and trained for longer, the more it serves. There is one
// minimum: the logarithm of N is searched by golden section between the smallest
// model that can reach the loss and the compute-optimal one. ok is false for a
// loss that no model reaches.
func (l *Law) Served(loss, served float64) (n, d float64, ok bool) {
	c, ok := l.Cheapest(loss)
	if !ok {
		return 0, 0, false
	}
	n, d = l.Optimum(c)
	if served <= 0 {
		return n, d, true
	}
	const golden = 0.6180339887498949
	low, high := log(l.A/(loss-l.E))/l.Alpha, log(n)
	cost := func(at float64) float64 {
		n := exp(at)
		d, ok := l.Tokens(n, loss)
		if !ok {
			return 1e300
		}
		return Lifetime(n, d, served)
	}
	a, b := high-float64(golden*(high-low)), low+float64(golden*(high-low))
	ca, cb := cost(a), cost(b)
	for range 48 { // each step leaves 0.618 of what was there: 1e-10 in the end
		if ca <= cb {
			high, b, cb = b, a, ca
			a = high - float64(golden*(high-low))
			ca = cost(a)
		} else {
			low, a, ca = a, b, cb
			b = low + float64(golden*(high-low))
			cb = cost(b)
		}
	}
	n = exp((low + high) / 2)
	d, ok = l.Tokens(n, loss)
	return n, d, ok
}
