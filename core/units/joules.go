package units

// Joules is an energy.
type Joules float64

// Short returns three significant digits: "3.36 J", "12.0 kJ"; past 10^15 J as a power of ten.
func (j Joules) Short() string {
	switch x := float64(j); {
	case !(x > 0):
		return "0 J"
	case x >= 1e12:
		return "more than 10^12 J"
	default:
		return scaled(int64(x*1e6+0.5), 1000, " µJ, mJ, J, kJ, MJ, GJ")
	}
}
