package chart

import (
	"math"
	"slices"
	"testing"
)

func TestLog2(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 10, 1000, 4096, 131072, 1<<62 - 1, math.MaxInt64} {
		want := math.Log2(float64(n)) * 65536
		if got := float64(log2(n)); got > want+0.01 || got < want-1.01 {
			t.Errorf("log2(%d) = %v 65,536ths, want %v rounded down", n, got, want)
		}
	}
	if log2(0) != 0 || log2(-5) != 0 {
		t.Error("what has no logarithm is not at the axis's beginning")
	}
}

// On an axis from 1 to 10,000 of 400 px a factor of ten is 100 px.
func TestAxis(t *testing.T) {
	a := Axis{From: 1, To: 10_000}
	for v, want := range map[int64]px{1: 0, 10: 100_00, 100: 200_00, 10_000: 400_00, 20_000: 400_00, 0: 0} {
		if got := a.at(v, 400_00); got < want-1 || got > want+1 {
			t.Errorf("%d stands at %d, want %d", v, got, want)
		}
	}
	lin := Axis{To: 200, Linear: true}
	for v, want := range map[int64]px{0: 0, 50: 100_00, 200: 400_00, 900: 400_00} {
		if got := lin.at(v, 400_00); got != want {
			t.Errorf("linear: %d stands at %d, want %d", v, got, want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want []int64
	}{
		{"powers of ten", Powers(5, 2000, 10, 9), []int64{10, 100, 1000}},
		{"every other one", Powers(1, 64, 2, 4), []int64{1, 4, 16, 64}},
		{"up to the largest", Powers(1<<61, math.MaxInt64, 2, 9), []int64{1 << 61, 1 << 62}},
		{"none", Powers(11, 99, 10, 9), nil},
		{"steps of 5", Steps(23, 10, 6), []int64{0, 5, 10, 15, 20}},
		{"steps of 20", Steps(110, 10, 6), []int64{0, 20, 40, 60, 80, 100}},
		{"steps of 2,000", Steps(9999, 10, 6), []int64{0, 2000, 4000, 6000, 8000}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestBare(t *testing.T) {
	for in, want := range map[string]string{"1.00 GB": "1 GB", "12.50 GB": "12.5 GB", "100 GB": "100 GB", "0.10": "0.1", "3.0": "3"} {
		if got := Bare(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
