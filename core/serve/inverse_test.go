package serve

import "testing"

// TestSolve: straight needs, stairs, bends both ways, what passes counting, and
// needs without a bound; never many questions.
func TestSolve(t *testing.T) {
	stairs := func(n int64) (int64, bool) { return (n + 15) / 16 * 16 * 131_072, true }
	for name, c := range map[string]struct {
		need func(n int64) (int64, bool)
		room int64
		want int64
		more bool
		asks int
	}{
		"nothing fits":  {func(n int64) (int64, bool) { return 100 + n, true }, 100, 0, false, 1},
		"straight":      {func(n int64) (int64, bool) { return 1000 + 7*n, true }, 1_000_000, 142_714, false, 8},
		"one":           {func(n int64) (int64, bool) { return 1000 * n, true }, 1999, 1, false, 12},
		"stairs":        {stairs, 131_072 * 100_000, 100_000, false, 30},
		"under a stair": {stairs, 131_072*100_000 - 1, 99_984, false, 30},
		"a window":      {func(n int64) (int64, bool) { return 1000*min(n, 4096) + 10*n, true }, 5_000_000, 90_400, false, 12},
		"a square":      {func(n int64) (int64, bool) { return n * n, n < 1<<31 }, 1 << 40, 1 << 20, false, 40},
		"too large":     {func(n int64) (int64, bool) { return 5, n <= 77_777 }, 10, 77_777, false, 60},
		"a state":       {func(n int64) (int64, bool) { return 5, true }, 10, most - 1, true, 12},
	} {
		asked := 0
		got, more := solve(c.room, func(n int64) (int64, bool) { asked++; return c.need(n) })
		if got != c.want || more != c.more || asked > c.asks {
			t.Errorf("%s: %d, %v after %d questions, want %d, %v after %d", name, got, more, asked, c.want, c.more, c.asks)
		}
	}
}

func TestLast(t *testing.T) {
	for _, want := range []int64{0, 1, 2, 3, 7, 8, 1000, 1_000_003} {
		if got := last(func(n int64) bool { return n <= want }); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
}
