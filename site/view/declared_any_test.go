package view

import (
	"slices"
	"strings"
	"testing"

	figures "llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/report"
	"llmsize/site/markup"
)

// TestOneDeclarationIsEnough: a figure of any lens that is declared, and nothing else, is in the JSON, in its lens with
// its formula, and in a comparison. Llama 3.1 8B keeps 2 · 32 layers · 8 heads · 128 values of two bytes for a token: 131,072.
func TestOneDeclarationIsEnough(t *testing.T) {
	was := figures.Live
	t.Cleanup(func() { figures.Live = was })
	for _, c := range []struct {
		figure      figures.Figure
		other       string // a question with another value
		lens        string // what the lens shows
		json, moved string
	}{
		{figures.Figure{ID: "memory.kv_cache.bytes_per_position", At: "running.cache-of-a-position", Lens: "running", Label: "Cache of a position", About: "of all sequences", Unit: figures.Bytes, Own: true, Formula: "bytes / ask.context", Source: "arithmetic"},
			"v=1&kv=fp32", "Cache of a position of all sequences 131 kBKV cache / tokens of each = 1.07 GB / 8,192 = 131 kBArithmetic.", "131072", "bytes"},
		{figures.Figure{ID: "memory.training.bytes_per_parameter", At: "training.bytes-for-each-parameter", Lens: "training", Label: "Bytes for each parameter", About: "on the fullest device", Unit: figures.Ratio, Own: true, Formula: "bytes / parameters.total", Source: "arithmetic"},
			"v=1&zero=0&optimizer=sgd", "Memory to train, fullest device / Parameters = ", "", "millionths"},
		{figures.Figure{ID: "compute.decode.flops_per_parameter", At: "compute.flops-for-each-parameter", Lens: "compute", Label: "FLOPs for each parameter", About: "of the next token", Unit: figures.Ratio, Own: true, Formula: "flops / parameters.total", Source: "arithmetic"},
			"v=1&context=100000", "FLOPs of the next token / Parameters = ", "", "millionths"},
	} {
		figures.Live = append(slices.Clip(was), c.figure)
		a, b := ofCatalogue(t, "v=1"), ofCatalogue(t, c.other)
		v, ok := a.Field(c.figure.ID)
		if !ok || c.json != "" && v.Text != c.json {
			t.Errorf("%s is %q in the JSON, want %q", c.figure.ID, v.Text, c.json)
		}
		html := map[string]func(*report.Report) string{"running": runningLens, "training": trainingLens, "compute": computeLens}[c.figure.Lens](a)
		if plain := markup.Plain(html); !strings.Contains(plain, c.figure.Label) || !strings.Contains(plain, c.lens) {
			t.Errorf("%s shows no %q: %s", c.figure.Lens, c.lens, plain)
		}
		if !slices.ContainsFunc(report.Compare(a, b), func(x report.Comparison) bool { return x.Unit == c.moved && x.Name == c.figure.Name() }) {
			t.Errorf("%s is not compared", c.figure.ID)
		}
	}
}

// TestTermsAreShown: a figure that a lens takes apart names all that is in it. A sum without one of its terms would not come to the figure.
func TestTermsAreShown(t *testing.T) {
	seen := 0
	for _, question := range []string{"v=1", "v=1&zero=3&devices=8&dp=8", "v=1&tp=4&devices=8&pp=2&batch=16&draft=3"} {
		r := ofCatalogue(t, question)
		numbers := r.Numbers()
		for i := range figures.Live {
			f := &figures.Live[i]
			e, problem := formula.Parse(f.Formula)
			if problem != "" || f.Formula == "" || strings.Contains(f.ID, "*") || !taken(r, f.ID, f) {
				continue
			}
			seen++
			e.Names(func(name string) {
				path := numbers.Path(f.ID, name)
				if v := numbers.Value(path); v.OK() && v.Float() > 0 && figures.Shown(path) == nil {
					t.Errorf("%s: %s has %s, %v, which the page cannot show", question, f.ID, path, v.Float())
				}
			})
		}
	}
	if seen < 15 {
		t.Errorf("only %d figures are taken apart", seen)
	}
}
