package units_test

import (
	"math"
	"math/big"
	"testing"

	"llmsize/core/units"
)

func TestFLOPs(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0 FLOP"}, {999, "999 FLOP"}, {1500, "1.50 kFLOP"}, {16_060_522_496, "16.1 GFLOP"}, {3.14e23, "314 ZFLOP"}, {3.8e25, "38.0 YFLOP"}, {1e18, "1.00 EFLOP"}, {9.995e17, "1.00 EFLOP"},
	} {
		if got := units.FLOPs(c.f).Short(); got != c.want {
			t.Errorf("%g: %q, want %q", c.f, got, c.want)
		}
	}
}

// TestDigits holds the digits against exact arithmetic.
func TestDigits(t *testing.T) {
	for _, f := range []float64{0, 1, 4503599627370497, 9.2e18, 1 << 63, 1.5 * (1 << 64), 3.14e23, 3.8e25, 6.02214076e23, 1e30, 1.7e37, 1e38, 1e300, math.MaxFloat64} {
		want, _ := new(big.Float).SetFloat64(f).Int(nil)
		if got := units.FLOPs(f).Digits(); got != want.String() {
			t.Errorf("%g: %s, want %s", f, got, want)
		}
	}
}
