package answers

import (
	"slices"
	"testing"
)

// TestAlike: each file once, beginning with the first, and those that share the most beside each other, whatever stood
// between them.
func TestAlike(t *testing.T) {
	t.Parallel()
	file := func(s string) []byte { return []byte(s) }
	files := [][]byte{
		file("attention heads and head_dim"), // 0
		file("convolution kernel and stride"),
		file("attention heads and kv_heads"),
		file("a window of a series"),
		file("convolution kernel and groups"),
		file("attention heads or none"),
	}
	// 0, 2 and 5 share "attention heads", 1 and 4 "convolution kernel"; 2 shares " and " and what follows with 0 as well.
	got := alike(files)
	if want := []int{0, 2, 5}; !slices.Equal(got[:3], want) {
		t.Errorf("begins with %v, not %v", got[:3], want)
	}
	if d := slices.Index(got, 1) - slices.Index(got, 4); d != 1 && d != -1 {
		t.Errorf("convolutions are apart in %v", got)
	}
	sorted := slices.Sorted(slices.Values(got))
	if !slices.Equal(sorted, []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("not every file once: %v", got)
	}
	if !slices.Equal(got, alike(files)) {
		t.Error("another order for the same files")
	}
}
