package units_test

import (
	"testing"

	"llmsize/core/units"
)

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{0: "0 s", 5.34e-3: "5.34 ms", 0.1426: "143 ms", 1.5: "1.50 s", 999.96: "1,000 s", 59e-6: "59.0 µs", 7200: "2 hours", 3.6e9: "1,000,000 hours"} {
		if got := units.Seconds(s).Short(); got != want {
			t.Errorf("%g: %q, want %q", s, got, want)
		}
	}
}
