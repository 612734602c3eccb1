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
		"running.largest_context":          "-",
		"compute.train.flops":              "-", // past 2^62
		"memory.training.bytes":            "",
		"running.time.decode.weight_bytes": "-",
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
	// 8,192 tokens more of 131,072 bytes, then a second sequence of as many.
	c, _ := report.CompareAt(a, b, "memory.kv_cache.terms.0.bytes")
	if len(c.Steps) != 2 || c.Steps[0].Amount+c.Steps[1].Amount != 3*8192*131072 {
		t.Errorf("%+v", c)
	}
}
