package view

import (
	"strings"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/markup"
)

// ofCatalogue is the report for a link about a catalogue model on its device.
func ofCatalogue(t *testing.T, link string) *report.Report {
	t.Helper()
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	q, issues, fail := query.Parse(link)
	if fail != nil || len(issues) > 0 {
		t.Fatal(fail, issues)
	}
	m, _ := models.Find(q.Get(query.Model))
	s, err := m.Subject()
	if err != nil {
		t.Fatal(err)
	}
	d, _ := devices.Find(q.Get(query.Device))
	s.Device = d.Spec()
	r, fail := report.Answer(q, s, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	return r
}

// runningOf is the lens for a link.
func runningOf(t *testing.T, link string) string {
	t.Helper()
	return runningLens(ofCatalogue(t, link))
}

// TestForty: somebody who asks for the cache of Llama-3.1-70B at 8,192 tokens sees
// 2.5 GiB, and why others say 40.
func TestForty(t *testing.T) {
	html := runningOf(t, "v=1&model=llama-3.1-70b&context=8192&units=gib&device=hgx-h100-8")
	for _, want := range []string{"<b>2.50 GiB</b>", "<b>20.0 GiB</b>", "<b>40.0 GiB</b>", "64 query heads share 8 key and value heads", `href="/the-kv-cache/#forty"`, `href="/devices/hgx-h100-8/"`} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestEveryFigureOpens: each figure of the lens opens to more than its reading.
func TestEveryFigureOpens(t *testing.T) {
	for link, want := range map[string][]string{
		"v=1": {"KV cache", "Fits", "Longest context", "Largest batch that fits", "Fewest devices", "Prefill", "Next token", "Batch where compute becomes the limit"},
		"v=1&model=deepseek-v3&device=hgx-h200-8&draft=1": {"Layout", "latents expanded", "with draft tokens", "Experts that a step reads", "(1 − α^(γ+1)) / (1 − α)"},
		"v=1&draft=4":            {"tokens a step: (1 − α^(γ+1)) / (1 − α)", "(1 − 0.85^(4+1)) / (1 − 0.85)"},
		"v=1&draft=4&accept=100": {"tokens a step: γ + 1", "4 + 1"},
		"v=1&model=gemma-3-27b&device=rtx-4090-24gb&kv-policy=llama.cpp": {"by who lays it out"},
		"v=1&weights=fp8&device=a100-sxm4-80gb":                          {"not known to multiply in fp8"},
	} {
		html := runningOf(t, link)
		if first := opening(ofCatalogue(t, link)); !strings.HasPrefix(first, `<p class="lead">`) {
			t.Errorf("%s: the tab begins with %.200s", link, first)
		}
		for _, w := range want {
			if !strings.Contains(html, w) && !strings.Contains(markup.Plain(html), w) {
				t.Errorf("%s: no %s", link, w)
			}
		}
		for i, figure := range strings.Split(html, `<details class="open">`) {
			if i == 0 { // the tab's first sentence is in a region of its own
				if figure != "" {
					t.Errorf("%s: %q does not open", link, figure)
				}
				continue
			}
			_, inside, _ := strings.Cut(figure, "</summary>")
			if inside, _, _ = strings.Cut(inside, "</details>"); len(inside) < 30 {
				t.Errorf("%s: a figure opens to nothing: %s", link, figure)
			}
		}
	}
	if plain := markup.Plain(runningOf(t, "v=1&model=llama-3.1-70b&tp=16&devices=16")); !strings.Contains(plain, "each of 8 key and value heads is on 2 devices") {
		t.Errorf("heads below tensor parallelism: %s", plain)
	}
}

// TestHeadWidth: Qwen3-32B sets head_dim to 128 where 5,120 / 64 is 80. Programs that
// do not read the key make 80/128 of 8,589,934,592 bytes: 5,368,709,120.
func TestHeadWidth(t *testing.T) {
	html := runningOf(t, "v=1&model=qwen3-32b&context=32768")
	for _, want := range []string{"<b>5.37 GB</b>", "5,120 / 64 = 80 instead of 128", "The cache is 1.6 times that"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s", want)
		}
	}
	if !strings.Contains(markup.Plain(html), "Longest context (trained for 40,960)") {
		t.Error("more tokens fit than Qwen3-32B has positions for, and nothing says so")
	}
	// Where the quotient is the width, nobody goes wrong.
	if html := runningOf(t, "v=1"); strings.Contains(html, "do not read <code>head_dim") {
		t.Error("Llama 3.1 8B has heads of h / a")
	}
}
