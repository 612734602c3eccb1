package view

import (
	"strings"
	"testing"
)

// TestScalingChart: a run of 8 B parameters on 20 tokens for each of them. The
// budget is 6 · 8,030,261,248 · 160,605,224,960 = 7.738e21 FLOPs; Hoffmann's law
// has its least at (7.738e21 ⁄ 6)^0.4516 · 1.345 = 4.6 B parameters.
func TestScalingChart(t *testing.T) {
	html, ok := Chart("scaling", onCard(t, "v=1", llama31), 600)
	if !ok {
		t.Fatal("no chart")
	}
	text := digits(strings.NewReplacer("</td>", " </td>", "</th>", " </th>", "</text>", " </text>").Replace(html))
	for _, want := range []string{
		"7.74 ZFLOP", "Hoffmann: least at 4.60 B parameters", "Besiroglu: least at",
		"this run 8.03 B 161 B 20 ", "20 tokens for each parameter 8.03 B 161 B 20 ", "least by A", "least by B", "loss, nats a token",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, link := range []string{"v=1", "v=1&tokens=1", "v=1&tokens=1000000000000000", "v=1&days=30&devices=1024", "v=1&days=1000000&devices=1000000000&mfu=100"} {
		html, ok := Chart("scaling", onCard(t, link, llama31), 600)
		if !ok {
			t.Errorf("%s: no chart", link)
		}
		for _, never := range []string{"style=", " id=", "<model>", "NaN", "Inf", "-1"} {
			if strings.Contains(html, never) {
				t.Errorf("%s: %s in\n%s", link, never, html)
			}
		}
		// One reads the lines without their colours: each has a letter at its end and in the list below.
		if strings.Count(html, `class="mark"`) != 2 || strings.Count(html, `<b>A</b>`) != 1 || strings.Count(html, `<b>B</b>`) != 1 {
			t.Errorf("%s: letters are missing in\n%s", link, html)
		}
	}
}
