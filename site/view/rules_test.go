package view

import (
	"strings"
	"testing"

	"llmsize/core/rules"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

func TestSignedAmounts(t *testing.T) {
	for _, c := range []struct {
		n              int64
		of, unit, want string
	}{
		{1_879_048_192, "params", "gb", "+1.88 B"}, {-805_306_368, "params", "gb", "−805 M"}, {-1 << 30, "bytes", "gib", "−1.00 GiB"},
		{1_073_741_824, "bytes", "gb", "+1.07 GB"}, {-6_543_114_240, "flops", "gb", "−6.54 GFLOP"},
	} {
		if got := signed(c.n, c.of, c.unit); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.of, got, c.want)
		}
	}
}

func TestRatioOfARule(t *testing.T) {
	for _, c := range []struct {
		value, exact int64
		want         string
	}{{4, 1, "4.000"}, {249, 10, "24.9"}, {1, 3, "0.333"}, {7, 7, "exact"}, {7, 0, "–"}} {
		if got := ratio(&rules.Answer{Value: c.value, Exact: c.exact}); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.value, c.exact, got, c.want)
		}
	}
}

// TestFallTable: the table behind a drawing has the exact amounts, and says what changed.
func TestFallTable(t *testing.T) {
	var w markup.Writer
	f := fall{what: "parameters", unit: "params", from: "a", to: "b<", first: 1_000_000_000, last: 999_999_999, steps: []chart.FallStep{{Name: "gate", Note: "3 → 2 matrices", Amount: -1}}}
	f.write(&w, "gb")
	text := markup.Plain(w.String())
	for _, want := range []string{"Parameters, step by step", "a1000000000", "gate 3 → 2 matrices-1", "b<999999999", "−1"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	w = markup.Writer{}
	(&fall{what: "parameters", unit: "params", first: 5, last: 5}).write(&w, "gb")
	if got := markup.Plain(w.String()); got != "Parameters: the same, 5." {
		t.Errorf("no difference is told as %q", got)
	}
}

// TestLargestFirst keeps equal terms in their order and does not change its argument.
func TestLargestFirst(t *testing.T) {
	in := []rules.Term{{Cause: rules.Norms, Amount: 1}, {Cause: rules.Head, Amount: -5}, {Cause: rules.Gate, Amount: 5}}
	out := largestFirst(in)
	if out[0].Cause != rules.Head || out[1].Cause != rules.Gate || out[2].Cause != rules.Norms || in[0].Cause != rules.Norms {
		t.Errorf("got %v of %v", out, in)
	}
}
