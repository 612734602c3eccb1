package report_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"llmsize/build/oracle"
	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/work"
)

// spent answers a query about a config and returns the steps that it took.
func spent(t testing.TB, link, text string) (int64, *fault.Error) {
	t.Helper()
	budget := work.New(0)
	q, _, err := query.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.ParseObjectWithin(text, budget)
	if err == nil {
		_, err = report.Answer(q, report.Subject{Config: cfg, Work: budget}, library)
	}
	return budget.Used(), err
}

// known are all configs of models that are known: name to text.
func known(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	dir := os.DirFS("../family/testdata")
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder", "vlm"} {
		files, err := oracle.LoadDir(dir, folder)
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range files {
			for _, c := range f.Cases {
				all[folder+" "+name+" "+c.Name] = string(c.Config)
			}
		}
	}
	real, err := oracle.LoadReal(dir, "real.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range real {
		all["real "+c.Name] = string(c.Config)
	}
	models, err := catalogue.Load(os.DirFS("../../content"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models.Models {
		all["catalogue "+m.Slug] = string(m.Config)
	}
	return all
}

// TestEveryKnownConfigTakesATenth holds what is known against the budget: nobody
// who asks about a model that exists may meet it.
func TestEveryKnownConfigTakesATenth(t *testing.T) {
	all := known(t)
	if len(all) < 5000 {
		t.Fatalf("only %d configs", len(all))
	}
	most, which := int64(0), ""
	for name, text := range all {
		n, err := spent(t, "v=1", text)
		if err != nil && strings.Contains(err.Problem, "more work") {
			t.Errorf("%s: %v", name, err)
		}
		if n > most {
			most, which = n, name
		}
	}
	t.Logf("%d configs; %s takes most: %d steps of %d", len(all), which, most, work.Standard)
	if most > work.Standard/10 {
		t.Errorf("%s takes %d steps, more than a tenth of %d", which, most, work.Standard)
	}
}

// TestHostileConfigsEnd asks what once took seconds to hours. Each is answered, or
// refused by a fault that names the key.
func TestHostileConfigsEnd(t *testing.T) {
	many := func(n int, f func(i int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = f(i)
		}
		return strings.Join(list, ",")
	}
	number := func(i int) string {
		return string(config.AppendQuoted(nil, "k"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strconv.Itoa(i)))
	}
	llama := `{"model_type":"llama","quantization_config":{"quant_method":"fp8","ignore":[`
	for _, c := range []struct {
		name, link, config string
		field              string // of the fault; empty when it is answered
	}{
		{"keys that nobody reads", "v=1", `{"model_type":"llama",` + many(20_000, func(i int) string { return number(i) + ":1" }) + `}`, ""},
		{"names of modules", "v=1", llama + many(45_000, number) + `]}}`, "quantization_config"},
		{"numbered modules", "v=1", llama + many(30_000, func(i int) string { return `"layers.` + strconv.Itoa(i) + `*.mlp"` }) + `]}}`, ""},
		{"kinds of layer", "v=1", `{"model_type":"gemma3n_text","num_hidden_layers":4096,"layer_types":[` + many(4096, func(int) string { return `"full_attention"` }) + `],"intermediate_size":[` + many(4096, func(i int) string { return strconv.Itoa(i + 1) }) + `]}`, "*"},
		{"lists in a list", "v=1", `{"model_type":"llama","layer_types":[` + many(300_000, func(int) string { return "[]" }) + `]}`, "layer_types"},
		{"an expression with 2^n ways", `v=1&set.quantization_config={"quant_method":"fp8","ignore":["(.*)*[0-9]z","((a*)*)*b","(x+x+)+y"]}`, `{"model_type":"llama"}`, ""},
		{"many expressions", "v=1", llama + many(9_000, func(i int) string { return `"re:.*\\d+.*(a|b|c)*` + strconv.Itoa(i) + `(.*)*z$"` }) + `]}}`, "quantization_config"},
		{"parentheses", "v=1", llama + `"` + strings.Repeat("(", 500_000) + strings.Repeat(")", 500_000-100) + `"]}}`, ""},
		{"mergers", "v=1&set.merger_times=4096", `{"model_type":"minicpmv4_6"}`, "merger_times"},
	} {
		start := time.Now()
		_, err := spent(t, c.link, c.config)
		took := time.Since(start)
		switch {
		case c.field == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.field != "" && err == nil:
			t.Errorf("%s: is answered, in %v", c.name, took)
		case c.field != "" && (err.Field == "" || c.field != "*" && !strings.HasPrefix(err.Field, c.field)):
			t.Errorf("%s: the fault is about %q: %v", c.name, err.Field, err)
		}
		t.Logf("%s: %v, %v", c.name, took, err)
		if took > 3*time.Second { // minutes before; the budget itself is held by steps
			t.Errorf("%s takes %v", c.name, took)
		}
	}
}
