package units

import "math"

// FLOPs is a number of floating-point operations: a whole number, exact below
// 2^53 and the nearest float64 above.
type FLOPs float64

// Short returns three significant digits: "133 TFLOP".
func (f FLOPs) Short() string {
	names := " FLOP, kFLOP, MFLOP, GFLOP, TFLOP, PFLOP, EFLOP, ZFLOP, YFLOP, RFLOP, QFLOP"
	x := float64(f)
	for len(names) > 41 && x >= 1e18 { // all but six; a step at a time, so that int64 holds it
		x /= 1000
		_, names = next(names)
	}
	if x >= 1e18 {
		return "more than 1,000 QFLOP"
	}
	return scaled(int64(x), 1000, names)
}

// String returns every digit, grouped.
func (f FLOPs) String() string { return groupDigits(f.Digits()) + " FLOP" }

// Digits returns every digit of the whole number, as JSON wants it.
func (f FLOPs) Digits() string { return Digits(float64(f)) }

// Finite reports whether x is neither NaN nor infinite.
func Finite(x float64) bool { return x-x == 0 }

// Digits returns every digit of x without its fraction; "0" of what is negative
// or not finite.
func Digits(x float64) string {
	switch {
	case !(x >= 1) || !Finite(x):
		return "0"
	case x < 1<<63:
		return Itoa(int64(x))
	}
	// x = m · 2^e with m of 53 bits, in limbs of nine digits, the lowest first.
	b := math.Float64bits(x)
	m, e := b&(1<<52-1)|1<<52, int(b>>52&2047)-1075
	const limb = 1e9
	n := []uint64{m % limb, m / limb}
	for ; e > 0; e -= min(e, 30) {
		carry := uint64(0)
		for i := range n {
			carry += n[i] << min(e, 30)
			n[i], carry = carry%limb, carry/limb
		}
		if carry > 0 {
			n = append(n, carry%limb)
			if carry >= limb {
				n = append(n, carry/limb)
			}
		}
	}
	s := ""
	for i := len(n) - 1; i >= 0; i-- {
		d := Itoa(int64(n[i]))
		for s != "" && len(d) < 9 {
			d = "0" + d
		}
		if s != "" || n[i] != 0 {
			s += d
		}
	}
	return s
}
