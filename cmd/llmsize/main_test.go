package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the command in this process.
func call(in string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(args, strings.NewReader(in), &o, &e)
	return code, o.String(), e.String()
}

// TestRuleOrPrediction: what runs reach as a rule is said of a pass that nothing is predicted of, and of no other.
func TestRuleOrPrediction(t *testing.T) {
	for _, c := range []struct {
		args []string
		rule string // passes with the rule, by their first letters
	}{
		{[]string{"llama-3.1-8b", "weights=q4_k_m", "device=rtx-4090-24gb", "context=1024"}, ""},
		{[]string{"llama-3.1-8b", "device=h100-sxm-80gb"}, ""},   // first tokens there say what a prefill takes
		{[]string{"llama-3.1-8b", "device=h200-sxm-141gb"}, "p"}, // nobody's first tokens there are in the data
		{[]string{"llama-3.1-70b", "device=rtx-4090-24gb"}, "pn"},
		{[]string{"llama-3.1-8b", "device=mi355x", "engine=mlx"}, "pn"},
	} {
		_, out, _ := call("", append([]string{"report"}, c.args...)...)
		rule := ""
		for line := range strings.Lines(out) {
			if strings.Contains(line, "runs reach") {
				rule += line[:1]
			}
		}
		if rule != c.rule || !strings.Contains(out, "\npredicted") {
			t.Errorf("%v: the rule stands at %q, want %q", c.args, rule, c.rule)
		}
	}
}

const tiny = `{"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":10,"hidden_size":4,"intermediate_size":6,"num_hidden_layers":2,"num_attention_heads":2}`

// tinyTotal: embedding and head 10·4 each; a layer has 4 matrices 4×4, 3 of 4×6, 2 norms of 4; a final norm of 4.
const tinyTotal = 2*10*4 + 2*(4*4*4+3*4*6+2*4) + 4

type answer struct {
	Query string
	Model struct {
		Model_type, Architecture, Status string
		Warnings                         []string
	}
	Parameters struct {
		Total, Buffers, Stored, Active int64
		By_role                        map[string]int64
	}
	Memory struct {
		Weights, KV_cache struct{ Bytes int64 }
	}
}

func ask(t *testing.T, in string, args ...string) answer {
	t.Helper()
	code, out, errs := call(in, args...)
	if code != 0 {
		t.Fatalf("%v: exit %d: %s", args, code, errs)
	}
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return a
}

// TestCount holds published totals (Touvron et al. 2023; the hub's safetensors
// counts that the catalogue names) against what the command says.
func TestCount(t *testing.T) {
	for slug, want := range map[string]int64{
		"llama-3.1-8b": 8_030_261_248, "llama-7b": 6_738_415_616, "llama-2-70b": 68_976_648_192, "llama-3.1-405b": 405_853_388_800,
		"qwen3-0.6b": 596_049_920, "gpt2": 124_439_808, "gpt2-xl": 1_557_611_200, "gemma-2-9b": 9_241_705_984, "mistral-7b-v0.1": 7_241_732_096,
		"meta-llama/Llama-3.2-1B": 1_235_814_400, "qwen2.5-7b": 7_615_616_512,
	} {
		a := ask(t, "", "count", "--json", slug)
		if a.Parameters.Total != want || a.Model.Status != "exact" {
			t.Errorf("%s: %d, %s; want %d, exact", slug, a.Parameters.Total, a.Model.Status, want)
		}
		sum := int64(0)
		for _, n := range a.Parameters.By_role {
			sum += n
		}
		if sum != want {
			t.Errorf("%s: the roles add up to %d", slug, sum)
		}
	}
}

func TestModelForms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(tiny), 0o644); err != nil {
		t.Fatal(err)
	}
	_, link, _ := call("", "link", file, "context=100")
	for name, args := range map[string][]string{
		"file": {file}, "standard input": {"-"}, "link": {strings.TrimSpace(link)}, "link with host": {"https://llmsize.example/" + strings.TrimSpace(link)},
	} {
		a := ask(t, tiny, append([]string{"count", "--json"}, args...)...)
		if a.Parameters.Total != tinyTotal {
			t.Errorf("%s: %d, want %d", name, a.Parameters.Total, tinyTotal)
		}
	}
	if a := ask(t, "", "count", "--json", "v=1&model=gpt2&context=10"); a.Query != "v=1&model=gpt2&context=10" {
		t.Errorf("query %s", a.Query)
	}
	// key=value overrides what the link says; one layer less.
	if a := ask(t, tiny, "count", "--json", "-", "set.num_hidden_layers=1"); a.Parameters.Total != tinyTotal-(4*4*4+3*4*6+2*4) {
		t.Errorf("one layer: %d", a.Parameters.Total)
	}
	if a := ask(t, "", "count", "--json", "?v=1&model=gpt2&colour=red"); len(a.Model.Warnings) != 1 || !strings.Contains(a.Model.Warnings[0], "colour") {
		t.Errorf("an unknown key in a link: %q", a.Model.Warnings)
	}
}

func TestReport(t *testing.T) {
	a := ask(t, "", "report", "--json", "llama-3.1-8b", "context=1000", "batch=3", "kv=fp8", "weights=fp32")
	// 32 layers × 8 heads × 128 × (key and value) × 1 byte; 4 bytes a parameter.
	if want := int64(32 * 8 * 128 * 2 * 1000 * 3); a.Memory.KV_cache.Bytes != want {
		t.Errorf("KV cache %d, want %d", a.Memory.KV_cache.Bytes, want)
	}
	if want := int64(8_030_261_248 * 4); a.Memory.Weights.Bytes != want {
		t.Errorf("weights %d, want %d", a.Memory.Weights.Bytes, want)
	}
	// Gemma 2 2B: 26 layers, every other one sees 4,096 of the 8,192 tokens; 4 heads of 256.
	a = ask(t, "", "report", "--json", "gemma-2-2b")
	if want := int64(4 * 256 * 2 * 2 * (13*4096 + 13*8192)); a.Memory.KV_cache.Bytes != want {
		t.Errorf("KV cache with windows %d, want %d", a.Memory.KV_cache.Bytes, want)
	}
	code, out, _ := call("", "report", "llama-3.1-8b")
	if code != 0 || !strings.Contains(out, "8,030,261,248") || !strings.Contains(out, "1,073,741,824 bytes") {
		t.Errorf("text report:\n%s", out)
	}
}

func TestTensors(t *testing.T) {
	code, out, errs := call(tiny, "tensors", "-")
	if code != 0 {
		t.Fatal(errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3+2*9 {
		t.Errorf("%d tensors, want 21", len(lines))
	}
	if !strings.Contains(out, "model.layers.1.mlp.down_proj.weight\t4x6\t24\tffn\n") || !strings.Contains(out, "model.norm.weight\t4\t4\tnorm\n") {
		t.Errorf("tensors:\n%s", out)
	}
}

func TestLink(t *testing.T) {
	t.Setenv("SITE", "https://llmsize.example/")
	// Typed, 32k is 32 × 1,024; in a link it is 32 × 1,000.
	if _, out, _ := call("", "link", "?v=1&context=32k"); out != "https://llmsize.example/?v=1&context=32000\n" {
		t.Errorf("a link: %s", out)
	}
	if _, out, _ := call("", "link", "llama-3.1-8b", "context=32k"); out != "https://llmsize.example/?v=1&context=32768\n" {
		t.Errorf("link %q", out)
	}
	_, out, _ := call(tiny, "link", "-")
	if !strings.HasPrefix(out, "https://llmsize.example/?v=1#config=") {
		t.Errorf("link of a config %q", out)
	}
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		in   string
		code int
		says []string
	}{
		{nil, "", 2, []string{"llmsize count"}},
		{[]string{"cuont", "gpt2"}, "", 2, []string{"cuont", "count"}},
		{[]string{"count"}, "", 2, []string{"MODEL"}},
		{[]string{"count", "--jsn", "gpt2"}, "", 2, []string{"--jsn"}},
		{[]string{"count", "gpt2", "context"}, "", 2, []string{"key=value"}},
		{[]string{"count", "gpt9"}, "", 1, []string{"gpt9", "slug"}},
		{[]string{"count", "gpt2", "colour=red"}, "", 1, []string{"colour"}},
		{[]string{"count", "gpt2", "context=0"}, "", 1, []string{"context", "1 to"}},
		{[]string{"count", "-"}, "", 1, []string{"empty"}},
		{[]string{"count", "-"}, "[1]", 1, []string{"object"}},
		{[]string{"count", "-"}, `{"hidden_size":1`, 1, []string{"too early"}},
		{[]string{"count", "-"}, `{"hidden_size":1}`, 1, []string{"model_type"}},
		{[]string{"count", "-"}, `{"model_type":"no_such_type"}`, 1, []string{"model_type", "no_such_type"}},
		{[]string{"count", "-"}, `{"model_type":"llama","hidden_size":-4}`, 1, []string{"hidden_size", "-4"}},
		{[]string{"count", "-"}, `{"model_type":"llama","hidden_size":0}`, 1, []string{"hidden_size", "1 or more"}},
		{[]string{"count", "-"}, `{"model_type":"llama","hidden_size":"4096"}`, 1, []string{"hidden_size", "quotes"}},
		{[]string{"count", "-"}, `{"model_type":"llama","hidden_size":40.5}`, 1, []string{"hidden_size", "40.5", "whole number"}},
		{[]string{"count", "-"}, `{"model_type":"llama","hidden_size":NaN}`, 1, []string{"hidden_size", "NaN"}},
		{[]string{"count", "-"}, `{"model_type":"llama","hidden_size":1099511627776,"intermediate_size":1099511627776}`, 1, []string{"too large"}},
		{[]string{"count", "-"}, `{"model_type":"llama","hidden_size":1e30}`, 1, []string{"hidden_size"}},
		{[]string{"count", "-"}, `{"model_type":"llama","num_hidden_layers":100000000}`, 1, []string{"num_hidden_layers", "4,096"}},
		{[]string{"count", "gemma-2-2b", `set.layer_types=["full_attention"]`}, "", 1, []string{"layer_types", "26"}},
		{[]string{"count", t.TempDir() + "/"}, "", 1, []string{"folder"}},
		{[]string{"count", "v=7"}, "", 1, []string{"version"}},
		{[]string{"count", "?v=1#config=%%%"}, "", 1, []string{"damaged"}},
		{[]string{"--help"}, "", 0, nil},
	} {
		code, out, errs := call(c.in, c.args...)
		if code != c.code {
			t.Errorf("%v: exit %d, want %d: %s", c.args, code, c.code, errs)
		}
		for _, s := range c.says {
			if !strings.Contains(errs, s) {
				t.Errorf("%v: %q does not say %q", c.args, errs, s)
			}
		}
		if code != 0 && out != "" {
			t.Errorf("%v: standard output holds %q", c.args, out)
		}
	}
}
