package units

import "testing"

func TestThree(t *testing.T) {
	for x, want := range map[float64]string{1234: "1,230", 50: "50", 45.67: "45.7", 0.01234: "0.0123", 999.6: "1,000", 99.96: "100", 46.17: "46.2", 5.1: "5.1", 0: "0"} {
		if got := Three(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}
