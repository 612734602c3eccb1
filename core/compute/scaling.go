package compute

import "math"

// Law is a fit of the loss of a language model to its parameters N and the
// tokens D that it is trained on:
//
//	L(N, D) = E + A/N^α + B/D^β     in nats a token
//
// E is what no model gets below. It is a fit to models of at most 16 B parameters
// on one text corpus: elsewhere its shape holds better than its figures.
type Law struct {
	Name        string
	Source      string
	E, A, B     float64
	Alpha, Beta float64
}

// Laws are the two fits to the same runs. They disagree: the first one's rounded
// figures give more tokens to a large budget than its own authors' other methods.
var Laws = []Law{
	{Name: "hoffmann", Source: "Hoffmann et al. 2022, arXiv 2203.15556, equation 10", E: 1.69, A: 406.4, B: 410.7, Alpha: 0.34, Beta: 0.28},
	{Name: "besiroglu", Source: "Besiroglu et al. 2024, arXiv 2404.10102, equation 4", E: 1.8172, A: 482.01, B: 2085.43, Alpha: 0.3478, Beta: 0.3658},
}

// Loss is the law's loss for n parameters and d tokens.
func (l *Law) Loss(n, d float64) float64 {
	return l.E + float64(l.A*power(n, -l.Alpha)) + float64(l.B*power(d, -l.Beta))
}

// Optimum is where a budget of c FLOPs gives the least loss, with c = 6·N·D:
//
//	N = G·(c/6)^(β/(α+β)),  D = (c/6)/N,  G = (α·A / (β·B))^(1/(α+β))
//
// (Hoffmann et al. 2022, equation 4).
func (l *Law) Optimum(c float64) (n, d float64) {
	s := l.Alpha + l.Beta
	g := power(float64(l.Alpha*l.A)/float64(l.Beta*l.B), 1/s)
	n = float64(g * power(c/6, l.Beta/s))
	return n, c / 6 / n
}

// Rule is the rule of thumb of 20 tokens for each parameter: N = √(c/120), D = 20·N.
func Rule(c float64) (n, d float64) {
	n = math.Sqrt(c / 120)
	return n, 20 * n
}

// power is x^y for x > 0, to twelve digits. math.Pow costs the page 7 kB, and its
// last digit is another on processors that have it in hardware.
func power(x, y float64) float64 { return exp(float64(y * log(x))) }

const ln2 = 0.693147180559945309417232121458

// log is the natural logarithm of a normal positive number: x = m·2^k with m near
// 1, and ln m = 2·(z + z³/3 + z⁵/5 + …) with z = (m−1)/(m+1).
func log(x float64) float64 {
	b := math.Float64bits(x)
	k := int64(b>>52&0x7ff) - 1023
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	if m > 1.4142135623730951 {
		m, k = m/2, k+1
	}
	z := (m - 1) / (m + 1)
	zz := float64(z * z)
	sum := 0.0
	for i := 23.0; i >= 1; i -= 2 {
		sum = float64(sum*zz) + 1/i
	}
	return float64(float64(k)*ln2) + float64(2*float64(z*sum))
}

// exp is e^x for |x| < 700: e^x = 2^k·e^r with |r| ≤ ln 2 / 2, e^r by its series.
func exp(x float64) float64 {
	k := int64(x / ln2)
	if r := x - float64(float64(k)*ln2); r > ln2/2 {
		k++
	} else if r < -ln2/2 {
		k--
	}
	r := x - float64(float64(k)*ln2)
	sum := 1.0
	for i := 16.0; i >= 1; i-- {
		sum = 1 + float64(float64(r*sum)/i)
	}
	return sum * math.Float64frombits(uint64(1023+k)<<52)
}
