package units

import "math/bits"

// Exact is the number of bytes up to which float64 counts each one. What is added
// up in float64 is refused above.
const Exact = 1 << 53

// Mul is a·b of counts; ok is false where it passes int64, or one is negative.
func Mul(a, b int64) (n int64, ok bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if a < 0 || b < 0 || hi != 0 || lo > 1<<63-1 {
		return 0, false
	}
	return int64(lo), true
}

// Add is a+b of counts; ok is false where it passes int64, or one is negative.
func Add(a, b int64) (n int64, ok bool) {
	if a < 0 || b < 0 || a > 1<<63-1-b {
		return 0, false
	}
	return a + b, true
}

// Held is a number of bytes that may pass int64, in the query's unit.
func Held(x float64, unit string) string {
	if !(x < 1<<62) {
		return "more than " + Bytes(1<<62).In(unit)
	}
	return Bytes(int64(x)).In(unit)
}

// Whole is x without its fraction, grouped, every digit.
func Whole(x float64) string { return groupDigits(Digits(x)) }
