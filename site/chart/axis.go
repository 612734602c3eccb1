package chart

import (
	"math/bits"

	"llmsize/core/units"
)

// Axis is a side of a chart: the values between From and To, and what is written
// along it. On a logarithmic axis equal factors are equal lengths; a linear one
// begins at 0.
type Axis struct {
	Title    string
	From, To int64 // at least 1 where the axis is logarithmic
	Linear   bool
	Ticks    []Tick
}

// Tick is a value on an axis, in words.
type Tick struct {
	At   int64
	Text string
}

// at is how far along a length a value stands, kept inside of it.
func (a *Axis) at(v int64, length px) px {
	if a.Linear {
		return mulDiv(min(max(v, 0), a.To), length, a.To)
	}
	from := log2(a.From)
	return mulDiv(log2(min(max(v, a.From), a.To))-from, length, log2(a.To)-from)
}

// log2 is the binary logarithm of n in 65,536ths, rounded down: by squaring, in
// integers, so that every host draws the same.
func log2(n int64) int64 {
	if n < 1 {
		return 0
	}
	k := bits.Len64(uint64(n)) - 1
	m, out := uint64(n)<<(63-k), int64(k) // m is in [1, 2), with 63 bits after the point
	for range 16 {
		m, _ = bits.Mul64(m, m)
		out <<= 1
		if m>>63 == 1 {
			out |= 1
		} else {
			m <<= 1
		}
	}
	return out
}

// Powers lists the powers of a base between two values, every few that at
// most most are left.
func Powers(from, to, base int64, most int) []int64 {
	var all []int64
	for n := int64(1); n <= to; n *= base {
		if n >= from {
			all = append(all, n)
		}
		if n > to/base {
			break
		}
	}
	if most < 1 || len(all) <= most {
		return all
	}
	step := (len(all) + most - 1) / most
	out := all[:0]
	for i := 0; i < len(all); i += step {
		out = append(out, all[i])
	}
	return out
}

// Steps lists 0 and the multiples of a round step up to a value: the step is 1,
// 2 or 5 times a power of a base, and there are at most most of them.
func Steps(to, base int64, most int64) []int64 {
	step := int64(1)
	for to/step > most {
		for _, f := range [...]int64{2, 5, 10} {
			if to/(step*f) <= most {
				step *= f
				break
			}
			if f == 10 {
				step *= base
			}
		}
	}
	var out []int64
	for n := int64(0); n <= to; n += step {
		out = append(out, n)
	}
	return out
}

// ByteTicks writes bytes along an axis: "1 GB", or "1 GiB" by the query's unit.
func ByteTicks(values []int64, unit string) []Tick {
	out := make([]Tick, len(values))
	for i, n := range values {
		out[i] = Tick{n, Bare(units.Bytes(n).In(unit))}
	}
	return out
}

// CountTicks writes whole numbers along an axis, grouped.
func CountTicks(values []int64) []Tick {
	out := make([]Tick, len(values))
	for i, n := range values {
		out[i] = Tick{n, units.Group(n)}
	}
	return out
}

// Bare drops the zeros behind a point: "1.00 GB" is "1 GB".
func Bare(s string) string {
	for i := range len(s) {
		if s[i] != '.' {
			continue
		}
		j := i
		for j < len(s) && s[j] != ' ' {
			j++
		}
		k := j
		for k > i+1 && s[k-1] == '0' {
			k--
		}
		if k == i+1 {
			k = i
		}
		return s[:k] + s[j:]
	}
	return s
}
