package view

import (
	"strings"
	"testing"

	"llmsize/site/markup"
)

// Llama 3.1 8B has 8,030,261,248 parameters; in two bytes each they take 16.06 GB, in four 32.12.
func TestVerdicts(t *testing.T) {
	for link, want := range map[string][]string{
		"v=1":                                   {"Fits, with ", "weights 16.1 GB", "KV cache 1.07 GB", "tokens fit"},
		"v=1&weights=fp32&device=rtx-4090-24gb": {"Needs ", " GB more", "Apply", "× NVIDIA GeForce RTX 4090 fit", "weights 32.1 GB"},
		"v=1&model=llama-3.1-70b&devices=4&context=131072": {"on the fullest device", "4 × NVIDIA H100"},
		// 40,960 is the config's max_position_embeddings.
		"v=1&model=qwen3-32b":                                {" tokens fit (trained for 40,960)"},
		"v=1&memory=24000000000&bandwidth=100000000000":      {"Fits, with ", "a device of your own · 24.0 GB"},
		"v=1&model=llama-3.1-70b&device=h100-sxm-80gb&tp=64": {"and 56 devices more"},
		// In part it fits, and the whole is said too.
		"v=1&model=llama-3.1-70b&weights=q4_k_m&device=rtx-4090-24gb&ngl=40": {"Needs ", " GB more", "With 40 of 80 layers on the device, the device's side fits: ", " GB free. The host holds "},
		"v=1&model=llama-3.1-70b&weights=q4_k_m&device=rtx-4090-24gb&ngl=80": {"the device's side does not fit: ", " GB too much. The host holds "},
	} {
		html := fit(ofCatalogue(t, link))
		plain := markup.Plain(html) + html
		for _, w := range want {
			if !strings.Contains(plain, w) {
				t.Errorf("%s: no %q in %s", link, w, markup.Plain(html))
			}
		}
	}
}

// The changes that a verdict offers are links to questions that fit.
func TestAFixFits(t *testing.T) {
	html := fit(ofCatalogue(t, "v=1&weights=fp32&device=rtx-4090-24gb"))
	n := 0
	for rest := html; ; n++ {
		_, after, ok := strings.Cut(rest, `class="apply" href="/?`)
		if !ok {
			break
		}
		link, next, _ := strings.Cut(after, `"`)
		link = strings.ReplaceAll(link, "&amp;", "&")
		if again := fit(ofCatalogue(t, link)); !strings.Contains(again, `class="verdict yes"`) {
			t.Errorf("%s does not fit: %s", link, markup.Plain(again))
		}
		rest = next
	}
	if n < 2 {
		t.Errorf("%d changes are offered", n)
	}
}
