package view

import (
	"strings"
	"testing"

	"llmsize/site/markup"
)

// TestFlow: what sets each model apart is said in the flow and its table.
func TestFlow(t *testing.T) {
	for slug, want := range map[string][]string{
		"llama-3.1-8b":   {"layers 0–31", "× 32", "32 heads, 128 wide; 4 at a time share keys and values (8)", "4,096 → 14,336 → 4,096", "128,256 × 4,096", "5,637,144,576"},
		"deepseek-v3":    {"A: layers 0–2", "B: layers 3–60", "a latent of 576 numbers", "8 of 256 experts for each token, 2,048 wide each"},
		"gemma-3-12b":    {"sees 1,024 tokens back", "whole context", "1,152 → 4,304 → 1,152", "image", "3,840 → 15,360 → 3,840"},
		"nemotron-h-56b": {"numbers for a text, however long", "state"},
		"t5-v1.1-base":   {"tokens of the encoder", "looks at the encoder", "a score for each token of the vocabulary"},
		"gpt2":           {"12 heads, 64 wide, each with keys and values of its own"},
		"mamba-130m":     {"× 24"},
	} {
		html, ok := Chart("flow", ofCatalogue(t, "v=1&model="+slug), wideChart)
		if !ok {
			t.Errorf("%s: no flow", slug)
		}
		text := markup.Plain(html)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in %s", slug, w, text)
			}
		}
	}
}
