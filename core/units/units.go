// Package units writes and reads quantities, one way each for the whole project.
//
// A count is exact and grouped ("8,030,261,248"); its short form has three
// significant digits ("8.03 B"). Bytes are exact too, and their short form
// comes in both systems, always spelled out: GB is 10^9 bytes, GiB is 2^30.
// Rounding is half away from zero on the decimal value, in integers, so every
// host prints the same digits.
package units

// Params is a number of parameters (or of elements of a tensor).
type Params int64

// Bytes is a number of bytes.
type Bytes int64

// String returns the exact count, grouped: "8,030,261,248".
func (p Params) String() string { return Group(int64(p)) }

// Short returns the count with three significant digits: "8.03 B".
func (p Params) Short() string {
	return scaled(int64(p), 1000, ", K, M, B, T, Q")
}

// String returns the exact number of bytes, grouped: "16,060,522,496 bytes".
func (b Bytes) String() string { return Group(int64(b)) + " bytes" }

// GB returns the decimal short form: "16.1 GB".
func (b Bytes) GB() string {
	return scaled(int64(b), 1000, " B, kB, MB, GB, TB, PB, EB")
}

// GiB returns the binary short form: "15.0 GiB".
func (b Bytes) GiB() string {
	return scaled(int64(b), 1024, " B, KiB, MiB, GiB, TiB, PiB, EiB")
}

// In returns GB or GiB by the query's unit name: "gb" or "gib".
func (b Bytes) In(unit string) string {
	if unit == "gib" {
		return b.GiB()
	}
	return b.GB()
}

// Group returns n with its thousands separated by commas.
func Group(n int64) string {
	s := Itoa(n)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	out := make([]byte, 0, len(s)+len(s)/3)
	for i := 0; i < len(s); i++ {
		if i > 0 && (len(s)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, s[i])
	}
	return sign + string(out)
}

// Itoa returns n in decimal.
func Itoa(n int64) string {
	if n == 0 {
		return "0"
	}
	var b [20]byte
	i := len(b)
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	for u > 0 {
		i--
		b[i] = byte('0' + u%10)
		u /= 10
	}
	if n < 0 {
		i--
		b[i] = '-'
	}
	return string(b[i:])
}

// Percent returns part of whole with one digit: "5.1%". A part that is not
// nothing never reads as 0.0%.
func Percent(part, whole int64) string {
	if whole == 0 {
		return "–"
	}
	s := fixed(part, whole, 100, 1)
	if part != 0 && s == "0.0" {
		return "<0.1%"
	}
	return s + "%"
}

// Fixed returns num/den with the given number of decimals, rounded half up, grouped.
func Fixed(num, den int64, decimals int) string { return fixed(num, den, 1, decimals) }

func fixed(num, den, scale int64, decimals int) string {
	sign := ""
	if (num < 0) != (den < 0) && num != 0 {
		sign = "-"
	}
	n, d := abs(num), abs(den)
	for i := 0; i < decimals; i++ {
		scale *= 10
	}
	// n·scale may pass 2^64: split n by d first, as whole·scale + rest·scale/d.
	whole, rest := n/d, n%d
	for rest > (1<<63)/uint64(scale) { // only when d itself is huge: the lost bits are past every printed digit
		rest >>= 1
		d >>= 1
	}
	v := whole*uint64(scale) + (rest*uint64(scale)*2+d)/(2*d)
	s := Itoa(int64(v))
	for len(s) <= decimals {
		s = "0" + s
	}
	cut := len(s) - decimals
	out := s[:cut]
	if cut > 3 {
		out = groupDigits(out)
	}
	if decimals > 0 {
		out += "." + s[cut:]
	}
	return sign + out
}

func groupDigits(s string) string {
	out := ""
	for i := 0; i < len(s); i++ {
		if i > 0 && (len(s)-i)%3 == 0 {
			out += ","
		}
		out += s[i : i+1]
	}
	return out
}

func abs(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// scaled divides by base until less than base is left, and prints three
// significant digits; what is below base is printed whole. Names have commas between.
func scaled(n int64, base uint64, names string) string {
	u := abs(n)
	sign := ""
	if n < 0 {
		sign = "-"
	}
	name, names := next(names)
	if u < base {
		return sign + groupDigits(Itoa(int64(u))) + name
	}
	div := base
	name, names = next(names)
	for names != "" && u/base >= div {
		div *= base
		name, names = next(names)
	}
	for {
		s, whole := threeDigits(u, div)
		// 999.7 M rounds to 1,000 M: say 1.00 B. But 1,000 MiB is not yet a GiB.
		if s == "" && whole >= base && names != "" {
			div *= base
			name, names = next(names)
			continue
		}
		if s == "" {
			s = groupDigits(Itoa(int64(whole)))
		}
		return sign + s + name
	}
}

// next is the first of names with commas between, and those behind it.
func next(names string) (name, rest string) {
	for i := range len(names) {
		if names[i] == ',' {
			return names[:i], names[i+1:]
		}
	}
	return names, ""
}

// threeDigits returns u/div with three significant digits, or "" and the rounded
// whole when that is 1,000 or more.
func threeDigits(u, div uint64) (string, uint64) {
	whole, rest := u/div, u%div
	for rest > (1<<63)/2000 {
		rest >>= 1
		div >>= 1
	}
	round := func(scale uint64) uint64 { return whole*scale + (rest*scale*2+div)/(2*div) }
	if v := round(100); v < 1000 {
		return Itoa(int64(v/100)) + "." + Itoa(int64(v/10%10)) + Itoa(int64(v%10)), 0
	}
	if v := round(10); v < 1000 {
		return Itoa(int64(v/10)) + "." + Itoa(int64(v%10)), 0
	}
	v := round(1)
	if v < 1000 {
		return Itoa(int64(v)), 0
	}
	return "", v
}
