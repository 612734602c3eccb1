package units

// Three is a number with three digits: "1,230", "45.6", "0.0123".
func Three(x float64) string {
	switch {
	case !(x > 0) || !Finite(x):
		return "0"
	case x >= 100:
		n, unit := x, 1.0
		for n >= 1000 {
			n, unit = n/10, float64(unit*10)
		}
		return Group(int64(float64(float64(int64(n+0.5))*unit) + 0.5))
	}
	decimals, y := 0, x
	for y < 100 && decimals < 6 {
		y = float64(y * 10)
		decimals++
	}
	den := int64(1)
	for range decimals {
		den *= 10
	}
	s := Fixed(int64(y+0.5), den, decimals)
	for len(s) > 0 && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if len(s) > 0 && s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}
