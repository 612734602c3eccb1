package report_test

import (
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

var library = families.Library()

// models is the catalogue.
func models(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// catalogued answers a query about the catalogue.
func catalogued(t *testing.T, text string) *report.Report {
	t.Helper()
	c := models(t)
	q, issues, fail := query.Parse(text)
	if fail != nil || len(issues) > 0 {
		t.Fatal(text, fail, issues)
	}
	m, ok := c.Find(q.Get(query.Model))
	if !ok {
		t.Fatal(text)
	}
	s, err := m.Subject()
	if err != nil {
		t.Fatal(err)
	}
	r, fail := report.Answer(q, s, library)
	if fail != nil {
		t.Fatal(text, fail)
	}
	return r
}

// TestCompareAddsUp: the steps lead from every model to every next one, exactly.
func TestCompareAddsUp(t *testing.T) {
	c := models(t)
	var last *report.Report
	for i, m := range c.Models {
		q, issues, bad := query.Parse("v=1&model=" + m.Slug)
		if i%3 == 1 {
			q, issues, bad = query.Parse("v=1&model=" + m.Slug + "&context=65536&batch=7&kv=q8_0&kv-policy=paged&weights=int8&devices=8")
		}
		if i%3 == 2 {
			q, issues, bad = query.Parse("v=1&model=" + m.Slug + "&weights=q4_k_m")
		}
		if bad != nil || len(issues) > 0 {
			t.Fatal(bad, issues)
		}
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		s.Device = accelerator(t, []string{"2", "3"}[i%2])
		r, fail := report.Answer(q, s, library)
		if fail != nil {
			continue
		}
		if last == nil {
			last = r
		}
		for _, x := range report.Compare(last, r) {
			sum := x.From
			for _, step := range x.Steps {
				if sum += step.Amount; step.Amount == 0 {
					t.Errorf("%s: %s stands for nothing", m.Slug, step.Name)
				}
			}
			if sum != x.To {
				t.Errorf("%s to %s, %s: the steps lead to %d, not to %d", last.Subject.Slug, m.Slug, x.Name, sum, x.To)
			}
		}
		last = r
	}
}

// TestCompareLlamas goes from Llama 2 7B to Llama 3.1 8B: 32 layers and a width of
// 4,096 in both.
func TestCompareLlamas(t *testing.T) {
	got := report.Compare(catalogued(t, "v=1&model=llama-2-7b&context=4096"), catalogued(t, "v=1&model=llama-3.1-8b&context=8192"))
	want := []report.Comparison{
		{Name: "parameters", Unit: "params", From: 6_738_415_616, To: 8_030_261_248, Steps: []report.Step{
			{"embedding", "32,000 → 128,256 rows", (128256 - 32000) * 4096},
			// 4·h² = 67,108,864 with full heads; 2·h² + 2·h·1,024 = 41,943,040 with eight of keys and values.
			{"attention", "67,108,864 → 41,943,040 in each layer", -32 * 2 * 4096 * (32 - 8) * 128},
			{"ffn", "135,266,304 → 176,160,768 in each layer", 32 * 3 * 4096 * (14336 - 11008)},
			{"head", "32,000 → 128,256 rows", (128256 - 32000) * 4096},
		}},
		{Name: "bytes of the weights", Unit: "bytes", From: 2 * 6_738_415_616, To: 2 * 8_030_261_248, Steps: []report.Step{
			{"embedding", "32,000 → 128,256 rows", 2 * (128256 - 32000) * 4096},
			{"attention", "134,217,728 → 83,886,080 in each layer", -2 * 32 * 2 * 4096 * (32 - 8) * 128},
			{"ffn", "270,532,608 → 352,321,536 in each layer", 2 * 32 * 3 * 4096 * (14336 - 11008)},
			{"head", "32,000 → 128,256 rows", 2 * (128256 - 32000) * 4096},
		}},
		{Name: "bytes of the cache", Unit: "bytes", From: 32 * 16384 * 4096, To: 32 * 4096 * 8192, Steps: []report.Step{
			{"keys and values", "16,384 → 4,096 bytes of a token in a layer", 32 * (4096 - 16384) * 4096},
			{"keys and values", "4,096 → 8,192 tokens", 32 * 4096 * (8192 - 4096)},
		}},
	}
	for i, w := range want {
		if w.Name == "" {
			continue
		}
		g := got[i]
		if g.Name != w.Name || g.Unit != w.Unit || g.From != w.From || g.To != w.To || len(g.Steps) != len(w.Steps) {
			t.Errorf("got %+v, want %+v", g, w)
			continue
		}
		for j := range w.Steps {
			if g.Steps[j] != w.Steps[j] {
				t.Errorf("%s: %+v, want %+v", w.Name, g.Steps[j], w.Steps[j])
			}
		}
	}
	// Layers and what is in a layer are two steps: GPT-2 has 12 layers of 12·768² in matrices, its XL
	// 48 of 12·1,600². Biases go with them: 4·h of attention's.
	each := func(h int64) int64 { return 4*h*h + 4*h }
	x := report.Compare(catalogued(t, "v=1&model=gpt2"), catalogued(t, "v=1&model=gpt2-xl"))[0].Steps
	if want := []report.Step{
		{"attention", "12 → 48 layers", (48 - 12) * each(768)},
		{"attention", "2,362,368 → 10,246,400 in each layer", 48 * (each(1600) - each(768))},
	}; len(x) < 5 || x[2] != want[0] || x[3] != want[1] {
		t.Errorf("GPT-2 to its XL: %+v, want %+v as the third and fourth", x, want)
	}
	// Twice the prompt: every product with weights twice, 2·32·2·h² and so on for 8,192 tokens more.
	for _, x := range report.Compare(catalogued(t, "v=1&model=llama-2-7b"), catalogued(t, "v=1&model=llama-2-7b&prompt=16384")) {
		if want := (report.Step{"attention", "8,192 → 16,384 tokens", 2 * 32 * 4 * 4096 * 4096 * 8192}); x.Name == "FLOPs of the prefill" && x.Steps[0] != want {
			t.Errorf("prefill of twice the tokens: %+v, want %+v first", x.Steps, want)
		}
	}
	// A recipe by role: Q8_0 takes 34 bytes for 32 weights in matrices, and leaves norms in fp32. Llama's
	// matrices all divide into 32.
	for _, x := range report.Compare(catalogued(t, "v=1"), catalogued(t, "v=1&weights=q8_0")) {
		if x.Name != "bytes of the weights" {
			continue
		}
		attention := int64(32 * (2*4096*4096 + 2*1024*4096))
		table := int64(128256 * 4096)
		for i, want := range []report.Step{
			{"embedding", "bf16 → q8_0", table*34/32 - 2*table},
			{"attention", "bf16 → q8_0", attention*34/32 - 2*attention},
			{"ffn", "bf16 → q8_0", 32 * 3 * 4096 * 14336 / 32 * (34 - 64)},
			{"norm", "bf16 → q8_0", 65 * 4096 * 2},
			{"head", "bf16 → q8_0", table*34/32 - 2*table},
		} {
			if i >= len(x.Steps) || x.Steps[i] != want {
				t.Errorf("bf16 to Q8_0, step %d: %+v, want %+v", i, x.Steps, want)
			}
		}
	}
	// The same model under two queries: int8 halves the bytes of every role.
	for _, x := range report.Compare(catalogued(t, "v=1&model=gpt2"), catalogued(t, "v=1&model=gpt2&weights=int8")) {
		if x.Name == "bytes of the weights" && (x.To*2 != x.From || len(x.Steps) != 5) {
			t.Errorf("got %+v", x)
		}
	}
}
