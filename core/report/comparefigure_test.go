package report_test

import (
	"testing"

	"llmsize/core/report"
)

// TestCompareAt: steps lead from one side to the other, for every number that has a formula; a sum goes item by item, a
// product name by name.
func TestCompareAt(t *testing.T) {
	a, b := on(t, "v=1"), on(t, "v=1&context=16384&batch=2&weights=int8")
	for path, want := range map[string]string{
		"memory.total.bytes":               "cache",
		"memory.kv_cache.terms.0.bytes":    "tokens",
		"parameters.total":                 "",
		"memory.weights.bytes":             "bits of an element",
		"compute.prefill.flops":            "attention scores",
		"running.time.decode.seconds":      "memory",
		"memory.kv_cache.bytes":            "keys and values",
		"running.time.decode.sent_bytes":   "-",
		"running.largest_context":          "batch", // no formula: what is asked otherwise
		"running.fits":                     "-",     // words
		"memory.training.bytes":            "",
		"running.time.decode.weight_bytes": "weights",
	} {
		c, ok := report.CompareAt(a, b, path)
		if ok == (want == "-") {
			t.Errorf("%s: %v", path, ok)
			continue
		}
		sum, found := c.From, want == "" || want == "-"
		for _, s := range c.Steps {
			sum += s.Amount
			found = found || s.Name == want
		}
		if sum != c.To || !found {
			t.Errorf("%s: %+v", path, c)
		}
	}
	// A sum goes by its entries' formulas: each of 131,072 bytes, for as many tokens more, then for another sequence.
	c, _ := report.CompareAt(a, b, "memory.kv_cache.bytes")
	if want := (report.Step{Name: "keys and values", Note: "tokens 8,192 → 16,384", Amount: 2 * 8192 * 131072}); len(c.Steps) != 2 || c.Steps[1] != want {
		t.Errorf("%+v", c)
	}
	// 8,192 tokens more of 131,072 bytes, then a second sequence of as many.
	c, _ = report.CompareAt(a, b, "memory.kv_cache.terms.0.bytes")
	if len(c.Steps) != 2 || c.Steps[0].Amount+c.Steps[1].Amount != 3*8192*131072 {
		t.Errorf("%+v", c)
	}
}

// TestCompareByKeys: a figure without a formula is led to by asking for one thing after the other.
func TestCompareByKeys(t *testing.T) {
	per := func(c report.Comparison, ok bool) []report.Step {
		t.Helper()
		sum := c.From
		for _, s := range c.Steps {
			sum += s.Amount
		}
		if !ok || sum != c.To {
			t.Errorf("%v: %+v leads to %d", ok, c, sum)
		}
		return c.Steps
	}
	same := func(got []report.Step, want ...report.Step) {
		t.Helper()
		if len(got) != len(want) {
			t.Errorf("%+v, want %+v", got, want)
			return
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%+v, want %+v", got[i], want[i])
			}
		}
	}
	// A token of Llama 3.1 8B keeps 2·8·128 values in each of 32 layers: two bytes each, then one, then in half of the layers.
	const path, token = "memory.kv_cache.bytes_per_token", 2 * 8 * 128 * 32
	a := catalogued(t, "v=1")
	c, ok := report.CompareAt(a, catalogued(t, "v=1&kv=fp8&set.num_hidden_layers=16"), path)
	same(per(c, ok), report.Step{Name: "kv", Note: "bf16 → fp8", Amount: -token}, report.Step{Name: "num_hidden_layers", Note: "the config's → 16", Amount: -token / 2})
	// Back, what was set is the config's again.
	c, ok = report.CompareAt(catalogued(t, "v=1&set.num_hidden_layers=16"), a, path)
	same(per(c, ok), report.Step{Name: "num_hidden_layers", Note: "16 → the config's", Amount: token})
	// Another model first: GPT-2 keeps 2·768 values in each of 12 layers. What was set of the first's config is not the second's.
	const gpt2 = 2 * 768 * 12
	c, ok = report.CompareAt(catalogued(t, "v=1&set.num_hidden_layers=16"), catalogued(t, "v=1&model=gpt2&kv=fp8&context=512"), path)
	same(per(c, ok), report.Step{Name: "model", Note: "Llama 3.1 8B → GPT-2 124M", Amount: 2*gpt2 - token}, report.Step{Name: "kv", Note: "bf16 → fp8", Amount: -gpt2})
	// A width of 2,352 has no 32 heads, but 24 of 98: one step for both.
	c, ok = report.CompareAt(a, catalogued(t, "v=1&set.hidden_size=2352&set.num_attention_heads=24"), path)
	same(per(c, ok), report.Step{Name: "hidden_size, num_attention_heads", Note: "the config's → 2352, the config's → 24", Amount: 2 * 8 * (98 - 128) * 32 * 2})
	// Past 2^60 FLOPs are counted in thousands of millions: twice the tokens, three times the forward pass of each.
	c, ok = report.CompareAt(catalogued(t, "v=1&tokens=15T"), catalogued(t, "v=1&tokens=30T"), "compute.train.flops")
	if per(c, ok); c.Unit != "gflops" || c.To < 2*c.From-2 || c.To > 2*c.From+2 {
		t.Errorf("%+v", c)
	}
}
