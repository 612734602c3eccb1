package view

import (
	"os"
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

// answered is the answer to a query about Llama 3.1 8B, on the H100 of the catalogue.
func answered(t *testing.T, link string) *report.Report {
	t.Helper()
	text, err := os.ReadFile("../../content/devices/h100-sxm-80gb.json")
	if err != nil {
		t.Fatal(err)
	}
	v, fault := config.ParseObject(string(text))
	if fault != nil {
		t.Fatal(fault)
	}
	d, fault := device.Parse(&v, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	cfg, fault := config.ParseObject(llama31)
	if fault != nil {
		t.Fatal(fault)
	}
	q, _, fault := query.Parse(link)
	if fault != nil {
		t.Fatal(fault)
	}
	r, fault := report.Answer(q, report.Subject{Name: "A model", Config: cfg, Device: d}, families.Library())
	if fault != nil {
		t.Fatal(fault)
	}
	return r
}

func TestDescribed(t *testing.T) {
	// 8,030,261,248 × 2 bytes = 16.1 GB. The cache of a token: 2 × 32 layers × 8 heads × 128 × 2 bytes = 131,072
	// bytes; × 8,192 tokens = 1.07 GB.
	const always = "8,030,261,248 parameters. Weights 16.1 GB in bf16, cache "
	for _, c := range []struct{ link, says string }{
		{"v=1", always + "1.07 GB for 8,192 tokens."},
		{"v=1&context=4096&batch=4&units=gib", strings.Replace(always, "16.1 GB", "15.0 GiB", 1) + "2.00 GiB for 4 × 4,096 tokens."},
		{"v=1&set.num_experts=3", "8,030,261,248 parameters (an estimate)."},
		{"v=1&devices=2", " On 2 × NVIDIA H100 SXM 80 GB: "},
		{"v=1&device=h100-sxm-80gb&devices=1", always + "1.07 GB for 8,192 tokens."}, // both are what is asked anyway
		{"v=1&context=2000000&tp=2", " on the fullest, does not fit, longest context "},
		{"v=1&optimizer=sgd", " Training takes "},
		{"v=1&lora-rank=8", " parameters of adapters."},
		{"v=1&program=torchtune", " Training takes "}, // keys of a run that came later
		{"v=1&loss=chunked", " Training takes "},
		{"v=1&optimizer-kernel=fused", " Training takes "},
		{"v=1&tp=7", always + "1.07 GB for 8,192 tokens."}, // no layout: nothing is said about it
	} {
		if got := Described(answered(t, c.link)); !strings.Contains(got, c.says) || strings.Contains(got, "  ") || !strings.HasSuffix(got, ".") {
			t.Errorf("%s: %q, want %q", c.link, got, c.says)
		}
	}
}

func TestHeadline(t *testing.T) {
	for link, want := range map[string]string{
		"v=1&context=4096": "A model: 8.03 B parameters",
		// 31 layers: one of 218,112,000 parameters less (4,096² × 2.5 + 3 × 4,096 × 14,336 + 2 × 4,096).
		"v=1&set.num_hidden_layers=31": "A model, changed: 7.81 B parameters",
	} {
		if got := Headline(answered(t, link)); got != want {
			t.Errorf("%s: %q, want %q", link, got, want)
		}
	}
}

func TestNote(t *testing.T) {
	for _, c := range []struct{ link, says string }{
		{"v=1", "16.1 GB in bf16"},
		{"v=1&weights=int8&units=gib", "7.48 GiB in int8"},      // 8,030,261,248 bytes
		{"v=1&context=4096&batch=4", "16.1 GB + 2.15 GB cache"}, // 4 × 4,096 × 131,072 bytes
		{"v=1&devices=2&context=4096", "fits 2 × NVIDIA H100 SXM 80 GB, up to "},
		{"v=1&context=2000000&tp=2", "too much for 2 × NVIDIA H100 SXM 80 GB, up to "},
		{"v=1&optimizer=sgd", "training takes "},
		{"v=1&kernels=fused", "training takes "},
	} {
		if got := Note(answered(t, c.link)); !strings.HasPrefix(got, c.says) || strings.Contains(got, "  ") {
			t.Errorf("%s: %q, want %q", c.link, got, c.says)
		}
	}
}
