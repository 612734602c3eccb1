package family

import "math"

// ln2High is ln 2 in 32 bits, so that its multiples are exact, and ln2Low what is left of it.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 0.693147180559945309417232121458 - ln2High
)

// ln is the natural logarithm of a normal positive number, to a unit in its last place and the same on every processor; what
// the page's compiler takes for math.Log is a table of 4 kB. x = (1+f)·2^k with 1+f near 1, and with s = f/(2+f)
//
//	ln(1+f) = f − s·(f − R),  R = 2·(s²/3 + s⁴/5 + …)
func ln(x float64) float64 {
	b := math.Float64bits(x)
	k := int64(b>>52&0x7ff) - 1023
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m, k = m/2, k+1
	}
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	r := 0.0
	for i := 25.0; i >= 3; i -= 2 {
		r = float64(z * (r + 2/i))
	}
	return float64(float64(k)*ln2High) - (float64(s*(f-r)) - float64(float64(k)*ln2Low) - f)
}
