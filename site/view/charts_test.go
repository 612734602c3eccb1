package view

import (
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

const card = `{"slug":"card","name":"A card","memory":{"bytes":80000000000},"bandwidth":{"bytes_per_second":2000000000000},"peak":{"bf16":{"per_second":400000000000000}}}`

// onCard is the report for a query on a device of 80 GB, 2 TB/s and 400 TFLOP/s.
func onCard(t testing.TB, link, text string) *report.Report {
	t.Helper()
	q, issues, err := query.Parse(link)
	if err != nil || len(issues) > 0 {
		t.Fatal(err, issues)
	}
	cfg, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := config.ParseObject(card)
	if err != nil {
		t.Fatal(err)
	}
	d, err := device.Parse(&spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Answer(q, report.Subject{Name: "A <model>", Slug: "a", Config: cfg, Device: d}, families.Library())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const gpt2 = `{"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"n_embd":768,"n_layer":12,"n_head":12,"n_positions":1024}`

func TestCharts(t *testing.T) {
	long := strings.Replace(llama31, "{", `{"max_position_embeddings":131072,`, 1)
	for _, c := range []struct {
		kind, link, config string
		want               []string
	}{
		// 131,072 bytes a token; with 32 instead of 8 heads four times that.
		{"kv", "v=1", long, []string{"8,192: 1.07 GB", "A card, 80.0 GB", "config's limit: 131,072", "131,072 17.2 GB 68.7 GB 25.0%", "fits with weights"}},
		{"kv", "v=1&units=gib", long, []string{"8,192: 1.00 GiB", "131,072 16.0 GiB 64.0 GiB 25.0%"}},
		// Every head has keys and values already: there is nothing to compare with.
		{"kv", "v=1&context=1024", gpt2, []string{"config's limit: 1,024", "1,024 37.7 MB"}},
		// In the layers exactly four times but for the norms, which are twice; in all less, the embeddings being twice.
		{"size", "v=1", llama31, []string{"Twice the hidden size: 4.00 times the parameters in the layers, 3.74 times in all.", "Twice the layers: 1.87 times", "× 2 30.0 B 27.9 B 15.0 B"}},
		// 400 T ÷ 2 T = 200 FLOP per byte. A step reads weights without the embedding: 7.50 B · 2 bytes, and computes 2 FLOP for each 2 bytes.
		{"roofline", "v=1&context=1", llama31, []string{"200 FLOP per byte", "2 TB/s", "400 TFLOP/s in bf16", "decode 15.0 GFLOP 15.0 GB 1 "}},
		{"timeline", "v=1&context=32768&prompt=4096", llama31, []string{"prefill, 4,096 tokens", "decode, to 32,768", "A card, 80.0 GB", "16.1 GB", "4.29 GB"}},
		{"timeline", "v=1&kv-policy=llama.cpp", llama31, []string{"llama.cpp takes all of it before the first token", "loaded 16.1 GB"}},
		// 8.03 B parameters: 2 bytes of weights and 2 of gradients, 12 of states, and 4 that a step over lists of tensors makes.
		{"step", "v=1", llama31, []string{"forward", "backward", "optimizer, 161 GB", "optimizer's step 16.1 GB 96.4 GB 16.1 GB 0 B 32.1 GB 161 GB", "in the optimizer's step", "A card, 80.0 GB"}},
		// In one kernel it makes none.
		{"step", "v=1&optimizer-kernel=fused&recompute=full", llama31, []string{"embedding, 129 GB", "optimizer's step 16.1 GB 96.4 GB 16.1 GB 0 B 0 B 128 GB"}},
	} {
		html, ok := Chart(c.kind, onCard(t, c.link, c.config), 600)
		if !ok {
			t.Errorf("%s, %s: no chart", c.kind, c.link)
			continue
		}
		text := digits(strings.NewReplacer("</td>", " </td>", "</th>", " </th>", "</text>", " </text>").Replace(html))
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s, %s: no %q in\n%s", c.kind, c.link, want, text)
			}
		}
		for _, never := range []string{"style=", " id=", "<model>", "NaN", "Inf", "-1"} {
			if strings.Contains(html, never) {
				t.Errorf("%s, %s: %s in\n%s", c.kind, c.link, never, html)
			}
		}
	}
}

func TestChartsOfNothing(t *testing.T) {
	bert := `{"model_type":"bert","architectures":["BertForMaskedLM"],"hidden_size":768,"num_hidden_layers":12,"num_attention_heads":12,"intermediate_size":3072,"vocab_size":30522}`
	if _, ok := Chart("kv", onCard(t, "v=1", bert), 600); ok {
		t.Error("a model that keeps nothing has a cache's chart")
	}
	if _, ok := Chart("roofline", answer(t, "v=1", llama31), 600); ok {
		t.Error("without a device there is a roofline")
	}
	if _, ok := Chart("pie", answer(t, "v=1", llama31), 600); ok {
		t.Error("there is a pie")
	}
	if html, ok := Figure("kv", answer(t, "v=1", llama31), Options{}); !ok || strings.Count(html, "<svg class=\"chart\"") != 2 {
		t.Error("a figure is not drawn for wide and narrow columns")
	}
}

func BenchmarkCharts(b *testing.B) {
	r := onCard(b, "v=1", llama31)
	for i := range chartKinds {
		b.Run(chartKinds[i].kind, func(b *testing.B) {
			for b.Loop() {
				Chart(chartKinds[i].kind, r, 600)
			}
		})
	}
}
