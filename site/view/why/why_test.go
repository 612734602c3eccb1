package why_test

import (
	"strings"
	"testing"

	"llmsize/content/asked"
	"llmsize/content/catalogue"
	"llmsize/core/explain"
	"llmsize/core/model"
	"llmsize/core/report"
	"llmsize/site/markup"
	"llmsize/site/view/why"
)

// answer is the report for a link, and what its host knows.
func answer(t *testing.T, link string) (*report.Report, *explain.Host) {
	t.Helper()
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	h := &explain.Host{}
	for i := range devices.List {
		h.Devices = append(h.Devices, devices.List[i].Spec())
	}
	return asked.Answer(t, link), h
}

func TestDerivation(t *testing.T) {
	r, h := answer(t, "v=1&set.num_hidden_layers=16")
	for name, want := range map[string][]string{
		"running.next-token":            {`data-figure="running.time.decode.memory_seconds"`, "num_key_value_heads", "of config.json", "set in the question", "set.num_key_value_heads"},
		"bytes.cache":                   {"sequences · layers · tokens · bytes of a token in a layer", "context"},
		"bytes.together":                {"Weights + KV cache"},
		"running.energy-for-each-token": {"power of a board", "device"},
		"compute.training":              {"FLOPs of a training sequence, forward"},
		"parts.attention":               {"num_attention_heads · head_dim"},
		"memory.kv_cache.bytes":         {"sequences"},
	} {
		row := 0
		for r.Parameters.Components[row].Role != model.Attention {
			row++
		}
		path, ok := why.Path(r, name, row)
		if !ok {
			t.Errorf("%s is no figure", name)
			continue
		}
		html := why.Derivation(r, h, path)
		plain := markup.Plain(html)
		for _, w := range want {
			if !strings.Contains(html, w) && !strings.Contains(plain, w) {
				t.Errorf("%s: no %s in %s", name, w, plain)
			}
		}
		if strings.Contains(html, "style=") || strings.Contains(html, " id=") {
			t.Errorf("%s: %s", name, html)
		}
	}
	if _, ok := why.Path(r, "running.nothing", -1); ok {
		t.Error("a name that nothing has")
	}
}

// TestDifference: a number of a comparison says how the other side comes to its own, by its formula or key by key.
func TestDifference(t *testing.T) {
	r, h := answer(t, "v=1&vs.context=16384&vs.batch=2")
	if err := r.CompareWith(r.Subject); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"memory.kv_cache.bytes":   {"tokens 8,192 → 16,384", "+2147483648"}, // two sequences of 8,192 tokens more, 131,072 bytes each
		"running.largest_context": {"batch 1 → 2"},
	} {
		html := why.Derivation(r, h, path)
		for _, w := range append(want, "From one side to the other", `<svg class="waterfall"`) {
			if !strings.Contains(html, w) && !strings.Contains(markup.Plain(html), w) {
				t.Errorf("%s: no %s in %s", path, w, markup.Plain(html))
			}
		}
	}
	if html := why.Derivation(r, h, "running.fits"); strings.Contains(html, "waterfall") {
		t.Errorf("a word has a way to another: %s", html)
	}
}

func TestMovesAndGoal(t *testing.T) {
	r, h := answer(t, "v=1")
	html := why.Moves(r, h, "memory.kv_cache.bytes")
	for _, want := range []string{`href="/?v=1&amp;context=16384"`, "8,192 → 16,384", `href="/?v=1&amp;kv=fp8"`, "bf16 → fp8", "2.00"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in %s", want, html)
		}
	}
	for _, c := range []struct{ path, key, goal, want string }{
		{"memory.kv_cache.bytes", "context", "10 GB", "context 76,293"},
		{"memory.kv_cache.bytes", "set.num_hidden_layers", "0.5 GB", ">num_hidden_layers 14<"}, // 32 layers hold 2^30 bytes
		{"memory.kv_cache.bytes", "context", "10 parsec", "isn't a number with a unit"},
		{"memory.kv_cache.bytes", "weights", "1 GB", "No value does"},
		{"memory.kv_cache.bytes", "<b>", "1 GB", "&lt;b&gt;"},
		{"running.fits", "context", "1 GB", "no goal can be set"},
	} {
		if got := why.Goal(r, h, c.path, c.key, c.goal); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
