package units

import "llmsize/core/fault"

// suffixes that a person may write after a number, and what they multiply by.
var suffixes = []struct {
	name string
	mul  int64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12},
	{"ki", 1 << 10}, {"mi", 1 << 20}, {"gi", 1 << 30},
	{"k", 1e3}, {"m", 1e6}, {"b", 1e9}, {"g", 1e9}, {"t", 1e12},
}

// ParseCount reads a whole number as a person writes it: "8192", "8,192",
// "8 192", "8k" (8,000), "8Ki" (8,192), "1.5M", "1e9". The result is exact or an error.
func ParseCount(s string) (int64, *fault.Error) {
	bad := func(problem string) (int64, *fault.Error) {
		return 0, &fault.Error{Given: fault.Clip(s, 40), Problem: problem, Allowed: "digits, with k, M, B, T or Ki, Mi, Gi after them", Hint: "8192, 8,192, 8k and 8Ki all work"}
	}
	var n int64
	digits, decimals, point := 0, 0, false
	i := 0
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			if n > (1<<63-1-int64(c-'0'))/10 {
				return bad("the number is too large")
			}
			n = n*10 + int64(c-'0')
			digits++
			if point {
				decimals++
			}
			continue
		case c == '.' && !point:
			point = true
			continue
		case (c == ',' || c == '_' || c == ' ') && digits > 0 && !point:
			continue
		}
		break
	}
	if digits == 0 {
		return bad("this is not a number")
	}
	unit := lower(trim(s[i:]))
	mul := int64(1)
	if unit != "" {
		mul = power(unit)
		for _, x := range suffixes {
			if x.name == unit {
				mul = x.mul
				break
			}
		}
		if mul == 0 {
			return bad("the unit is not known")
		}
	}
	for ; decimals > 0 && n%10 == 0; decimals-- {
		n /= 10
	}
	for ; decimals > 0 && mul%10 == 0; decimals-- {
		mul /= 10
	}
	for ; decimals > 0 && mul%2 == 0 && n%5 == 0; decimals-- {
		mul /= 2
		n /= 5
	}
	if decimals > 0 {
		return bad("must be a whole number")
	}
	if n != 0 && mul > (1<<63-1)/n {
		return bad("the number is too large")
	}
	return n * mul, nil
}

// power is what an exponent stands for, "e9" for a thousand million; 0 where a text is none, or one that no count reaches.
func power(s string) int64 {
	if len(s) < 2 || len(s) > 3 || s[0] != 'e' {
		return 0
	}
	n := 0
	for _, c := range []byte(s[1:]) {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	if n > 18 {
		return 0
	}
	mul := int64(1)
	for ; n > 0; n-- {
		mul *= 10
	}
	return mul
}

func trim(s string) string {
	for s != "" && s[0] == ' ' {
		s = s[1:]
	}
	for s != "" && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// lower lower-cases ASCII.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 32
		}
	}
	return string(b)
}
