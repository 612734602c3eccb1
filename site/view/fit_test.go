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
		"v=1&model=llama-3.1-70b&weights=q4_k_m&device=rtx-4090-24gb&ngl=40": {"Fits in part, with ", " GB to spare", "With 40 of 80 layers on the device, the host holds ", "All of it on the device needs ", "on the host: weights ", "2 × NVIDIA GeForce RTX 4090 fit"},
		"v=1&model=llama-3.1-70b&weights=q4_k_m&device=rtx-4090-24gb&ngl=80": {"Needs ", " GB more", "With 80 of 80 layers on the device, the host holds "},
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

// TestTheBarIsTheDevicesSide: of Llama 3.1 8B in two bytes 16 of 32 layers are on a device. A layer has 2·4096² + 2·4096·1024 + 3·4096·14336 + 2·4096
// weights, so 16 take 6.98 GB; half of the cache of 8,192 tokens is 537 MB. The host has as much, and both tables of 128,256 · 4,096: 9.08 GB.
func TestTheBarIsTheDevicesSide(t *testing.T) {
	r := ofCatalogue(t, "v=1&memory=12000000000&bandwidth=1000000000000&ngl=16")
	m := held(r)
	if len(m.Frames) != 1 {
		t.Fatalf("%d devices", len(m.Frames))
	}
	f := &m.Frames[0]
	if f.Sum() > m.Room || f.Sum() != r.Sides().Holds.Bytes {
		t.Errorf("the device holds %d bytes of %d", f.Sum(), m.Room)
	}
	for _, want := range []string{"weights 6.98 GB", "KV cache 537 MB", "On the host: weights 9.08 GB, KV cache 537 MB."} {
		if !strings.Contains(m.Label, want) {
			t.Errorf("no %q in %s", want, m.Label)
		}
	}
	// The cache's end is where the first token's share begins, and what each adds: 2 · 8 · 128 · 2 bytes in each of 16 layers.
	if m.Grip.Per != 16*2*8*128*2 || m.Grip.From+m.Grip.Per*8192 != f.Held[0].Bytes+f.Held[1].Bytes {
		t.Errorf("%+v", m.Grip)
	}
	if s := slim(r); !strings.Contains(s, "Fits in part") || strings.Contains(s, `class="over"`) {
		t.Errorf("the strip at the foot: %s", s)
	}
	if s := markup.Plain(opening(r)); !strings.HasPrefix(s, "Device and host hold ") {
		t.Errorf("running begins with %s", s)
	}
}
