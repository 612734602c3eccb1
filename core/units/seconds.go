package units

// Seconds is a time.
type Seconds float64

// Short returns three significant digits: "5.34 ms"; from an hour on, whole hours.
func (s Seconds) Short() string {
	switch x := float64(s); {
	case !(x > 0):
		return "0 s"
	case x >= 3.6e18:
		return "more than 10^15 hours"
	case x >= 3600:
		return Group(int64(x/3600+0.5)) + " hours"
	case x >= 1:
		return scaled(int64(x*1e6+0.5), 1000, " µs, ms, s")
	default:
		return scaled(int64(x*1e12+0.5), 1000, " ps, ns, µs, ms, s")
	}
}
