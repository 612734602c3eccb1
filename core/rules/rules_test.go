package rules

import (
	"runtime"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/work"
)

var (
	known   = load()
	library = families.Library()
)

func load() *catalogue.Catalogue {
	c, err := catalogue.AllModels()
	if err != nil {
		panic(err)
	}
	return c
}

// ask answers a query about a model of the catalogue.
func ask(t testing.TB, text string) *report.Report {
	t.Helper()
	q, issues, fail := query.Parse(text)
	if fail != nil || len(issues) > 0 {
		t.Fatal(text, fail, issues)
	}
	m, ok := known.Find(q.Get(query.Model))
	if !ok {
		t.Fatal("the catalogue has no " + q.Get(query.Model))
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

// apply works a rule out that must have something to say.
func apply(t testing.TB, rule, text string) Answer {
	t.Helper()
	r, ok := Named(rule)
	if !ok {
		t.Fatal("no rule " + rule)
	}
	a, ok := r.Apply(ask(t, text))
	if !ok {
		t.Fatalf("%s says nothing about %s", rule, text)
	}
	return a
}

// fourBitQuery is a query for a 4-bit recipe.
const fourBitQuery = "&weights=q4_k_m"

// TestTermsAddUp: for every rule and every model of the catalogue the terms add
// up to the difference, each has a name, and none is nothing.
func TestTermsAddUp(t *testing.T) {
	applied := map[string]int{}
	for _, m := range known.Models {
		for _, more := range []string{"", "&context=200000&batch=3&kv-policy=paged&kv=fp8", fourBitQuery} {
			s, err := m.Subject()
			if err != nil {
				t.Fatal(err)
			}
			q, issues, bad := query.Parse("v=1&model=" + m.Slug + more)
			if bad != nil || len(issues) > 0 {
				continue
			}
			r, fail := report.Answer(q, s, library)
			if fail != nil {
				t.Log(m.Slug, fail)
				continue
			}
			for _, a := range Applying(r) {
				applied[a.Rule.Name]++
				sum := a.Value
				seen := map[Cause]bool{}
				for _, x := range a.Terms {
					if sum += x.Amount; x.Amount == 0 || seen[x.Cause] {
						t.Errorf("%s of %s: %s stands for nothing or twice", a.Rule.Name, m.Slug, x.Cause)
					}
					seen[x.Cause] = true
					if x.Cause == Unexplained {
						t.Errorf("%s of %s: %d is not taken apart", a.Rule.Name, m.Slug, x.Amount)
					}
				}
				if sum != a.Exact {
					t.Errorf("%s of %s: terms lead from %d to %d, not to %d", a.Rule.Name, m.Slug, a.Value, sum, a.Exact)
				}
			}
		}
	}
	for _, r := range All() {
		if _, issues, bad := query.Parse(fourBitQuery); applied[r.Name] == 0 && !(r.Name == "half-byte" && (bad != nil || len(issues) > 0)) {
			t.Errorf("%s says nothing about any model", r.Name)
		}
	}
	t.Log(applied)
}

// TestTwelve takes Llama-3.1-8B apart: 32 layers, h 4096, f 14336, 32 heads of
// 128, 8 of them with keys and values, a vocabulary of 128,256.
func TestTwelve(t *testing.T) {
	const L, h, f, a, k, d, V = 32, 4096, 14336, 32, 8, 128, 128256
	got := apply(t, "12lh2", "v=1&model=llama-3.1-8b")
	want := Answer{Value: 12 * L * h * h, Exact: 8_030_261_248, Terms: []Term{
		{GroupedQueries, L * 2 * h * (k - a) * d},
		{FFNWidth, L * 2 * h * (f - 4*h)},
		{Gate, L * h * f},
		{Embedding, V * h},
		{Head, V * h},
		{Norms, (2*L + 1) * h},
	}}
	if got.Value != want.Value || got.Exact != want.Exact || len(got.Terms) != len(want.Terms) {
		t.Fatalf("got %+v", got)
	}
	for i, x := range want.Terms {
		if got.Terms[i] != x {
			t.Errorf("%s: %d, want %d", got.Terms[i].Cause, got.Terms[i].Amount, x.Amount)
		}
	}
}

// TestTwelveIsTheReports: the report has the rule as a field, for prose.
func TestTwelveIsTheReports(t *testing.T) {
	for _, m := range known.Models {
		text := "v=1&model=" + m.Slug
		r := ask(t, text)
		rule, _ := Named("12lh2")
		a, ok := rule.Apply(r)
		v, has := r.Field("rules.12lh2.total")
		if n, _ := v.Int(); ok && has && n != a.Value {
			t.Errorf("%s: %d here, %d there", m.Slug, a.Value, n)
		}
	}
}

// TestRightWhereItSays: rules that are exact under their condition.
func TestRightWhereItSays(t *testing.T) {
	for _, c := range []struct{ rule, query string }{
		{"2lh", "model=gpt2"},                            // full heads, h = a·d
		{"2lh", "model=llama-2-13b"},                     // the same
		{"2lkd", "model=llama-3.1-70b"},                  // layers all alike
		{"divided", "model=llama-2-70b"},                 // no head_dim in the config
		{"no-head", "model=llama-3.2-1b"},                // tied
		{"no-windows", "model=gemma-3-27b&context=1024"}, // as long as the window
		{"2lh-token", "model=gpt3-175b"},
	} {
		if a := apply(t, c.rule, "v=1&"+c.query); len(a.Terms) != 0 || a.Value != a.Exact {
			t.Errorf("%s of %s: %d, exact %d, %v", c.rule, c.query, a.Value, a.Exact, a.Terms)
		}
	}
}

// TestLatentsAreOneCause: whatever a rule thinks of the heads of latent attention,
// the difference is the latent's. DeepSeek-V3 keeps 512 + 64 numbers a token and layer.
func TestLatentsAreOneCause(t *testing.T) {
	for _, rule := range []string{"2lh-token", "divided-token", "one-head-token", "lengths-token", "2lkd-token"} {
		a := apply(t, rule, "v=1&model=deepseek-v3")
		if len(a.Terms) != 1 || a.Terms[0].Cause != LatentAttention || a.Exact != 61*(512+64)*2 {
			t.Errorf("%s: %+v", rule, a)
		}
	}
}

func TestInName(t *testing.T) {
	for name, want := range map[string]int64{
		"Llama-3.1-8B": 8e9, "Qwen2.5-0.5B": 5e8, "Mixtral-8x7B": 56e9, "Qwen3-30B-A3B": 30e9, "gpt-oss-120b": 120e9, "SmolLM-135M": 135e6,
		"Phi-3.5-MoE": 0, "DeepSeek-V3": 0, "GPT-2": 0, "Llama 3.1 405B": 405e9, "OPT-1.3b": 13e8, "Gemma 3 27B": 27e9, "T5-3B x": 3e9, "": 0,
		"Falcon3-10B-Base": 10e9, "OLMo-2-1124-7B": 7e9, "3BB": 0, "Qwen3.8-2.4T-A95B": 2.4e12, "LFM2.5-VL-1.6B": 16e8, "9.1234B": 9123e6,
	} {
		if got, ok := inName(name); got != want || ok != (want > 0) {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}

// TestTableIsComplete: every rule says what it is in the same manner.
func TestTableIsComplete(t *testing.T) {
	seen := map[string]bool{}
	last := Parameters
	for _, r := range All() {
		if seen[r.Name] || r.Name == "" || r.Title == "" || r.Formula == "" || len(r.Users) == 0 || r.by == nil {
			t.Errorf("%s: incomplete, or there twice", r.Name)
		}
		seen[r.Name] = true
		if n := len(r.Says); n == 0 || r.Says[n-1] != '.' {
			t.Errorf("%s: %q is no sentence", r.Name, r.Says)
		}
		if n := len(r.Right); n == 0 || r.Right[n-1] == '.' || r.Right[0] < 'a' {
			t.Errorf("%s: %q does not continue “right …”", r.Name, r.Right)
		}
		if r.Of < last {
			t.Errorf("%s: stands behind a later quantity", r.Name)
		}
		last = r.Of
	}
	for c := Cause(0); c < numCauses; c++ {
		if c.String() == "" || c.Text() == "" {
			t.Errorf("cause %d has no words", c)
		}
	}
}

// TestRulesTakeFromTheBudget: a model with thousands of parts in a layer is edited for each rule anew; that ends with the
// question's budget, and does not fill the memory of a page's program.
func TestRulesTakeFromTheBudget(t *testing.T) {
	cfg, fail := config.ParseObject(`{"model_type":"hrm_text","L_cycles":1900}`)
	if fail != nil {
		t.Fatal(fail)
	}
	q, _, _ := query.Parse("v=1")
	r, fail := report.Answer(q, report.Subject{Config: cfg, Work: work.New(0)}, library)
	if fail != nil {
		t.Fatal(fail)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 4 {
		Applying(r)
	}
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 128 {
		t.Errorf("four lists of rules take %d MB", took)
	}
	if r.Model.Work.Err() == nil {
		t.Error("four lists of rules are within the budget")
	}
	for i := range known.Models {
		r := ask(t, "v=1&model="+known.Models[i].Slug)
		before := r.Model.Work.Used()
		if Applying(r); r.Model.Work.Used()-before > work.Standard/4 {
			t.Errorf("%s: a list of rules takes %d steps", known.Models[i].Slug, r.Model.Work.Used()-before)
		}
	}
}
