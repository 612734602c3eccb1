package view_test

import (
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/markup"
	"llmsize/site/view"
)

// trained answers a query about Llama-3.1-8B on an accelerator of 80 GB.
func trained(t *testing.T, link string) *report.Report {
	t.Helper()
	q, issues, err := query.Parse(link)
	if err != nil || len(issues) > 0 {
		t.Fatal(link, issues, err)
	}
	cfg, _ := config.ParseObject(`{"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":128256,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8}`)
	d := &device.Device{Slug: "a", Name: "An <accelerator>", Count: 1, Memory: 85_520_809_984, Known: "label", Bandwidth: 3_350_000_000_000}
	r, fail := report.Answer(q, report.Subject{Name: "Llama", Config: cfg, Device: d}, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	return r
}

// region is the text of a region.
func region(t *testing.T, r *report.Report, id string) string {
	t.Helper()
	for _, x := range append(view.All(), view.OnUse()...) {
		if x.ID == id {
			return markup.Plain(strings.ReplaceAll(x.HTML(r), "<td", " <td"))
		}
	}
	t.Fatal("no region ", id)
	return ""
}

// TestStates is the table of states in multiples of Φ: 2Φ + 4Φ weights, 2Φ + 4Φ
// gradients and 8Φ moments are 20 bytes; 16 in the ZeRO paper; shared by 8 ranks, the
// optimizer's part is 12/8; with the host it is not the device's.
func TestStates(t *testing.T) {
	for link, want := range map[string][]string{
		"precision=deepspeed":                {"16-bit weights and fp32 weights 2Φ + 4Φ 6 48181567488", "16-bit gradients and fp32 gradients 2Φ + 4Φ 6 48181567488", "AdamW: two moments 8Φ 8 64242089984", "In all 20Φ 20 160605224960", "Φ = 8,030,261,248"},
		"":                                   {"16-bit weights and fp32 weights 2Φ + 4Φ 6", "16-bit gradients 2Φ 2", "8Φ 8", "In all 16Φ 16 128484179968"},
		"dp=8&zero=1":                        {"2Φ + 4Φ ÷ 8 2.5", "8Φ ÷ 8 1", "In all  5.5 44166436864"},
		"dp=8&zero=3":                        {"2Φ ÷ 8 + 4Φ ÷ 8 0.75", "the largest layer's weights, gathered 525,336,576 × 2 0.131", "the buffer that a group is gathered into w·max(R, L): w = 2, R = 1,050,677,248, L = 218,112,000 2101354496", "In all, in no figure here"},
		"recompute=ops":                      {"layer: layer inputs 32 8,192 1073741824", "layer: every second product, and attention 32 55,424 7264534528"}, // 2·(2·4,096 + 1,024 + 14,336) + 2·4,096 + 4·32
		"optimizer=adafactor":                {"Adafactor: fp32 sums of rows"},
		"optimizer=muon":                     {"Muon: momentum of matrices in layers 6,979,321,856 × 4 3.477", "AdamW: two moments of the rest 1,050,939,392 × 8"},
		"offload=optimizer":                  {"16-bit weights 2Φ 2", "AdamW: two moments, with the host 8Φ 8", "offloaded to CPU 112 GB"},
		"lora-rank=8&lora-targets=q,o":       {"Φ = 4,194,304", "frozen weights"},
		"pp=4&optimizer=sgd&recompute=none":  {"1 × 4,096 tokens, 4 micro-batches in flight"},
		"pp=4&micro-batch=2&recompute=full":  {"2 × 4,096 tokens, 1 micro-batch in flight"},
		"tp=3":                               {"tp: does not divide the 32 heads of attention (given 3); allowed: a divisor of 32; tp=2 and tp=4 do."},
		"tp=4&devices=8&zero=1":              {"largest micro-batch activations 7", "longest sequence activations", "An <accelerator> has 85520809984 bytes"},
		"zero=1":                             {"largest micro-batch optimizer none", "smallest ZeRO stage optimizer none"},
		"optimizer=sgd&precision=bf16&seq=8": {"smallest ZeRO stage  0", "least recomputation  none", "16-bit gradients 2Φ 2", "In all 4Φ 4 "},
	} {
		got := region(t, trained(t, link), "training")
		for _, s := range want {
			if !strings.Contains(got, s) {
				t.Errorf("%q: no %q in\n%s", link, s, got)
			}
		}
	}
}

// TestLayouts: the list says of how many, what each shows and sends, and its rule. AdamW over lists peaks at 20 bytes a parameter, 80.3 GB on each
// of two devices however they are used, and 5% more don't fit; over four devices six divisions do.
func TestLayouts(t *testing.T) {
	for link, want := range map[string][]string{
		"devices=8":      {"ways to divide the model over 8 devices fit", "tp=2", "Korthikanti et al. 2022", "The order is a rule"},
		"":               {"Nothing fits 1 device.", "over 4 devices fit", "tp=2"},
		"devices=8&tp=3": {"over 8 devices fit"},
		"cp=3":           {"cp: does not divide"},
	} {
		got := region(t, trained(t, link), "layouts")
		for _, s := range want {
			if !strings.Contains(got, s) {
				t.Errorf("%q: no %q in\n%s", link, s, got)
			}
		}
	}
}

// TestWork: products show their values, and a convention its source and what it
// gives for a token.
func TestWork(t *testing.T) {
	for link, want := range map[string][]string{
		"context=8192":         {"2 · weights · tokens = 2 · 7,504,658,432 · 8,192 = 122,956,323,749,888 FLOP", "2 · weights = 2 · 7,504,658,432 = 15,009,316,864 FLOP"}, // all but the embedding and norms
		"context=8192&batch=3": {"2 · weights · sequences = 2 · 7,504,658,432 · 3 = 45,027,950,592 FLOP"},
		"seq=8192":             {"Chowdhery et al. 2022, arXiv 2204.02311, appendix B", "6N + 12·L·s·a·d = 61.1 GFLOP"}, // 6 · 8.03e9 + 12 · 32 · 8,192 · 4,096
	} {
		got := region(t, trained(t, link), "compute")
		for _, s := range want {
			if !strings.Contains(got, s) {
				t.Errorf("%s: no %q in %s", link, s, got)
			}
		}
	}
}
