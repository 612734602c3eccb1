package compute

import (
	"math"
	"testing"
)

// TestPower holds the page's own power against math.Pow.
func TestPower(t *testing.T) {
	for _, x := range []float64{1e-3, 0.2, 0.999, 1, 1.5, 2, 10, 482.01, 1e6, 7e10, 1.5e13, 1e25, 1e30} {
		for _, y := range []float64{-0.3658, -0.34, 0.28, 0.4516, 0.5126, 1, 1.4013, 1.6129, 2} {
			got, want := power(x, y), math.Pow(x, y)
			if math.Abs(got/want-1) > 1e-12 {
				t.Errorf("%g^%g: %.17g, want %.17g", x, y, got, want)
			}
		}
	}
}
