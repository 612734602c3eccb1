package family

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLn: the logarithm of the standard library to one unit in the last place; for products of small numbers, which families
// ask for, and for all others.
func TestLn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200_000 {
		x := math.Exp(r.Float64()*1400 - 700)
		if n%2 == 0 {
			x = float64(1 + r.IntN(50_000))
		}
		got, want := ln(x), math.Log(x)
		if math.Abs(got-want) > math.Abs(math.Nextafter(want, math.Inf(1))-want) {
			t.Fatalf("ln %v = %v, want %v", x, got, want)
		}
	}
	for k := range 60 {
		if x := float64(int64(1) << k); ln(x) != math.Log(x) {
			t.Errorf("ln %v = %v, want %v", x, ln(x), math.Log(x))
		}
	}
	if ln(1) != 0 {
		t.Errorf("ln 1 = %v", ln(1))
	}
}
