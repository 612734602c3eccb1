package view

import (
	"strings"
	"testing"

	"llmsize/core/rules"
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

// TestWaterfallBarsMeet: a step's bar begins where the last one ended, and no bar
// leaves the drawing, whatever the signs.
func TestWaterfallBarsMeet(t *testing.T) {
	var w markup.Writer
	waterfall(&w, fall{what: "bytes", unit: "bytes", from: "a", to: "b", first: 1000_00, last: 500_00, steps: []fallStep{{"down", "", -1500_00}, {"up", "", 1000_00}}}, "gb")
	html := w.String()
	// From −50,000 to 100,000: nothing is a third of the way.
	for _, want := range []string{`class="whole" x="333.33" width="666.67"`, `class="minus" x="0" width="1000"`, `class="plus" x="0" width="666.66"`} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in %s", want, html)
		}
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
