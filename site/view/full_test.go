package view

import (
	"strings"
	"testing"

	"llmsize/core/rules"
	"llmsize/site/markup"
)

// TestFull: what a calculator shows at once, and what its scripts show on use.
func TestFull(t *testing.T) {
	long := strings.Replace(llama31, "{", `{"max_position_embeddings":131072,`, 1)
	r := onCard(t, "v=1&context=4096", long)
	html := Full(r, "", func(key string) string { return map[string]string{"vocab_size": "rows of the <embedding>"}[key] })
	for _, x := range All() {
		if x.ID == "keys" || x.ID == "slim" {
			continue // the first as a table without fields; the other says what count says
		}
		if !strings.Contains(html, x.HTML(r)) {
			t.Errorf("no region %s", x.ID)
		}
	}
	if !strings.Contains(html, Layouts(r)) || !strings.Contains(html, Rules(r, rules.Applying(r))) {
		t.Error("no layouts, or no rules")
	}
	text := markup.Plain(html)
	for _, want := range []string{
		"context4,096tokens held per sequence", "prompt4,096", "kv-policyminimum", "unitsGB", // what is asked
		"vocab_size V128256the configvocabulary: rows of the <embedding>", "head_dim d128default: hidden_size // num_attention_heads", // the config
		"KV cache by context", "131,07217.2 GB", "Layouts that fit, ranked",
	} {
		if !strings.Contains(strings.ReplaceAll(text, "  ", " "), want) {
			t.Errorf("no %q in %s", want, text[:min(len(text), 6000)])
		}
	}
	for _, bad := range []string{"<input", "<button", "<select", "<script", "<embedding>"} {
		if strings.Contains(html, bad) {
			t.Errorf("%s stands on a page that needs no script", bad)
		}
	}
	if n := strings.Count(html, `<section aria-labelledby="`); n != 3+len(chartKinds)+1 { // three parts, the charts, the layouts
		t.Errorf("%d sections", n)
	}
}
