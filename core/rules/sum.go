package rules

import (
	"math/bits"

	"llmsize/core/report"
)

// checked multiplies and adds with a check for overflow; bad sticks.
type checked struct{ bad bool }

// product multiplies; the factors may be negative.
func (c *checked) product(factors ...int64) int64 {
	n, negative := uint64(1), false
	for _, f := range factors {
		u := uint64(f)
		if f < 0 {
			u, negative = -u, !negative
		}
		hi, lo := bits.Mul64(n, u)
		c.bad = c.bad || hi != 0 || lo > 1<<62
		n = lo
	}
	if negative {
		return -int64(n)
	}
	return int64(n)
}

// sum adds.
func (c *checked) sum(terms ...int64) int64 {
	n := int64(0)
	for _, t := range terms {
		s := n + t
		c.bad = c.bad || (s > n) != (t > 0) && t != 0
		n = s
	}
	return n
}

// wholeFLOPs is a pass as a whole number, times a factor, summed part by part.
func wholeFLOPs(w *report.Work, factor int64) (n int64, ok bool) {
	for i := range w.Terms {
		t := &w.Terms[i]
		for _, x := range [...]float64{t.Matmul, t.Score, t.Conv, t.Scan} {
			if !(x < 1<<60) {
				return 0, false
			}
			if n += int64(x); n > 1<<60 {
				return 0, false
			}
		}
	}
	return n * factor, n > 0
}
