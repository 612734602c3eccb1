package chart

import (
	"strings"
	"testing"

	"llmsize/core/units"
)

func figures(first, last int64, steps ...FallStep) *Fall {
	return &Fall{From: "a<b", To: "b", First: first, Last: last, Steps: steps, Figure: units.Itoa, Signed: units.Itoa}
}

// TestWaterfallBarsMeet: a step's bar begins where the last one ended, and no bar
// leaves the drawing, whatever the signs.
func TestWaterfallBarsMeet(t *testing.T) {
	// From −500 to 1,000: nothing is a third of the way, and 1,000 − 1,500 ends at the left edge.
	got := Waterfall(figures(1000, 500, FallStep{Name: "down", Note: "6 → 3 layers", Amount: -1500}, FallStep{Name: "up", Note: "", Amount: 1000}))
	for _, want := range []string{
		`class="whole" x="33.33%" width="66.67%" y="18"`, `class="minus" x="0%" width="100%" y="54"`,
		`class="plus" x="0%" width="66.67%" y="90"`, `class="whole" x="33.33%" width="33.34%" y="126"`,
		`class="thread" x1="100%" x2="100%" y1="29" y2="54"`, `class="thread" x1="0%" x2="0%" y1="65" y2="90"`,
		`class="zero" x1="33.33%"`, `height="144"`, `a&lt;b`, `<tspan class="note" dx="4">6 → 3 layers</tspan>`,
		`aria-label="a&lt;b 1000, down -1500, up 1000, b 500"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestWaterfallAxis: it begins at nothing unless the amounts lie close together; then the drawing says so.
func TestWaterfallAxis(t *testing.T) {
	if got := Waterfall(figures(100, 400, FallStep{Name: "up", Note: "", Amount: 300})); strings.Contains(got, "cut") || !strings.Contains(got, `class="whole" x="0%" width="25%"`) {
		t.Errorf("an axis from nothing: %s", got)
	}
	// 9,000 to 9,300: a third of 300 below is 8,900, so 9,000 is a quarter of the way to 9,300.
	got := Waterfall(figures(9000, 9300, FallStep{Name: "up", Note: "", Amount: 300}))
	for _, want := range []string{`begins at 8900`, `class="whole" x="0%" width="25%"`, `class="plus" x="25%" width="75%"`, `class="cut"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	// Nothing to draw is drawn all the same.
	for _, f := range []*Fall{figures(0, 0), figures(5, 5), figures(-5, -5), figures(1<<62, -1<<61, FallStep{Name: "", Note: "", Amount: -1<<62 - 1<<61})} {
		if got := Waterfall(f); strings.Contains(got, "-") && strings.Contains(got, `width="-`) {
			t.Errorf("a bar of negative width: %s", got)
		}
	}
}

func TestShorten(t *testing.T) {
	for name, want := range map[string]string{
		"attention":                "attention|",
		"2·V·h + 4·L·h² + 3·L·h·f": "2·V·h + 4·L·h² + 3·L·h·f|", // 24 letters
		"2·V·h + s·h + 4·L·h² + 2·L·h·f + 8·L·h": "2·V·h + s·h + 4·L·h² +| 2·L·h·f + 8·L·h",
		"averyveryverylongnamewithoutanyspace":   "averyveryverylongnamewithoutanyspace|",
	} {
		if head, rest := shorten(name); head+"|"+rest != want {
			t.Errorf("%s is parted as %s|%s", name, head, rest)
		}
	}
}
