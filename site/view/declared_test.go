package view

import (
	"strings"
	"testing"

	"llmsize/site/markup"
)

// TestDeclared: a pass shows what bounds it with names and with values; devices beside it are in the formula.
func TestDeclared(t *testing.T) {
	for link, want := range map[string][]string{
		"v=1": {"memory: (weights + cache) / bandwidth = (15.0 GB + 1.07 GB) / (3.35 TB/s) = 4.80 ms", "Energy for each token while decoding, at best, estimate 3.36 J",
			"Next token · power of a board", "Memory binds."},
		"v=1&device=hgx-h100-8&tp=8&batch=4": {"(tensor parallel · bandwidth)", "link: what a device sends / rate of the link", "what a device sends: all-reduce", "/ sequences"},
	} {
		html := runningOf(t, link)
		plain := markup.Plain(html)
		for _, w := range want {
			if !strings.Contains(plain, w) {
				t.Errorf("%s: no %q in %s", link, w, plain)
			}
		}
	}
	// No power is known of this one: a figure that does not apply is left out.
	if html := runningOf(t, "v=1&device=apple-m1-16gb&model=gpt2"); strings.Contains(html, "Energy for each token") {
		t.Error("energy without a board's power")
	}
}
