package units

import (
	"math"
	"math/bits"
)

// FLOPs is a number of floating-point operations: a whole number, exact below
// 2^53 and the nearest float64 above.
type FLOPs float64

// Short returns three significant digits: "133 TFLOP".
func (f FLOPs) Short() string {
	names := []string{" FLOP", " kFLOP", " MFLOP", " GFLOP", " TFLOP", " PFLOP", " EFLOP", " ZFLOP", " YFLOP", " RFLOP", " QFLOP"}
	x := float64(f)
	for x >= 1e18 && len(names) > 6 { // a step at a time, so that int64 holds it
		x /= 1000
		names = names[1:]
	}
	if x >= 1e18 {
		return "more than 1,000" + names[len(names)-1]
	}
	return scaled(int64(x), 1000, names)
}

// String returns every digit, grouped.
func (f FLOPs) String() string { return groupDigits(f.Digits()) + " FLOP" }

// Digits returns every digit of the whole number, as JSON wants it. Past 10^38,
// where no computation is, it is written with an exponent.
func (f FLOPs) Digits() string {
	x := float64(f)
	switch {
	case !(x >= 0):
		return "0"
	case x < 1<<63:
		return Itoa(int64(x))
	case x >= 1<<126:
		return "1e38"
	}
	// x = m · 2^e with m of 53 bits: 128-bit division by 10^18 gives the digits in two parts.
	b := math.Float64bits(x)
	m, e := b&(1<<52-1)|1<<52, int(b>>52&2047)-1075
	hi, lo := uint64(0), m
	for ; e > 0; e-- {
		hi, lo = hi<<1|lo>>63, lo<<1
	}
	var parts []uint64
	for hi != 0 || lo != 0 {
		var q1, r uint64
		q1, r = hi/1e18, hi%1e18
		q0, rest := bits.Div64(r, lo, 1e18)
		parts = append(parts, rest)
		hi, lo = q1, q0
	}
	s := Itoa(int64(parts[len(parts)-1]))
	for i := len(parts) - 2; i >= 0; i-- {
		d := Itoa(int64(parts[i]))
		for len(d) < 18 {
			d = "0" + d
		}
		s += d
	}
	return s
}
