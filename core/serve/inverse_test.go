package serve

import "testing"

func TestLargest(t *testing.T) {
	for _, want := range []int64{0, 1, 2, 3, 7, 8, 1000, 1_000_003} {
		asked := 0
		got, more := largest(func(n int64) bool { asked++; return n <= want })
		if got != want || more || asked > 45 {
			t.Errorf("%d, %v after %d questions, want %d", got, more, asked, want)
		}
	}
	if n, more := largest(func(int64) bool { return true }); !more || n < 1<<38 {
		t.Errorf("no bound: %d, %v", n, more)
	}
}
