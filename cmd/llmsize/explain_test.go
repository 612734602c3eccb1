package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"llmsize/core/figure"
)

// derivation is what explain prints, as programs read it.
type derivation struct {
	Figure, Label, Unit, Status, Formula string
	Value                                any
	Terms                                []derivation
	Keys                                 []struct {
		Key, From, Try string
		Value, Becomes any
		Given          bool
		Line           int
	}
}

// ends are the keys at the bottom.
func (d *derivation) ends(into map[string]int) map[string]int {
	for _, k := range d.Keys {
		into[k.Key] = k.Line
	}
	for i := range d.Terms {
		d.Terms[i].ends(into)
	}
	return into
}

func TestExplain(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(strings.Fields("explain --json llama-3.1-8b memory.kv_cache.bytes context=1000 batch=2"), nil, &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	var got struct {
		Query      string
		Derivation derivation
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	d := got.Derivation
	if got.Query != "v=1&context=1000&batch=2" || d.Figure != "memory.kv_cache.bytes" || d.Unit != "bytes" || d.Value != float64(32*2000*4096) {
		t.Errorf("%+v", got)
	}
	ends := d.ends(map[string]int{})
	for _, key := range []string{"num_hidden_layers", "num_key_value_heads", "hidden_size"} {
		if ends[key] == 0 {
			t.Errorf("%s has no line: %v", key, ends)
		}
	}
	if _, ok := ends["context"]; !ok {
		t.Errorf("no context: %v", ends)
	}
	// A file's own lines.
	in := "{\n \"model_type\": \"gpt2\",\n \"n_layer\": 3\n}"
	out.Reset()
	if code := run(strings.Fields("explain - parameters.total"), strings.NewReader(in), &out, &errs); code != 0 || !strings.Contains(out.String(), "n_layer = 3, line 3 of the config") || !strings.Contains(out.String(), "n_embd = 768, the class's default") {
		t.Errorf("%d %s %s", code, out.String(), errs.String())
	}
	for _, c := range []struct {
		args, says string
		code       int
	}{
		{"explain llama-3.1-8b", "FIGURE are needed", 2},
		{"explain", "FIGURE are needed", 2},
		{"explain llama-3.1-8b context=5", "FIGURE follows MODEL", 2},
		{"explain llama-3.1-8b memory.kv_cashe.bytes", "near it are memory.kv_cache.bytes", 1},
		{"explain llama-3.1-8b memory", "the answer has no figure of that name", 1},
		{"explain llama-3.1-8b running.fits", "device = \"h100-sxm-80gb\"", 0},
		{"explain llama-3.1-8b running.time.decode.joules_per_token", "power of a board", 0},
		{"explain llama-3.1-8b parameters.by_role.attention", "num_attention_heads · head_dim", 0},
		{"explain llama-3.1-8b running.time.decode.seconds", "num_key_value_heads = 8, line", 0},
		{"report llama-3.1-8b contxt=5", "did you mean context", 1},
		{"report llama-3.1-8b num_key_value_heads=4", "did you mean set.num_key_value_heads", 1},
		{"report llama-3.1-8b set.num_hiden_layers=3", "did you mean num_hidden_layers", 0},
		{"keys all", "takes no arguments", 2},
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(c.args), nil, &out, &errs); code != c.code || !strings.Contains(out.String()+errs.String(), c.says) {
			t.Errorf("%s: exit %d, no %q in\n%s%s", c.args, code, c.says, out.String(), errs.String())
		}
	}
}

// TestDeclaredRows: a figure that is declared, and nothing else, has a row of the command in its lens. Llama 3.1 8B keeps
// 2 · 32 layers · 8 heads · 128 values of two bytes for a token, AdamW holds 4 + 4 + 4 bytes for each parameter, and a
// training token takes three times 15,009,316,864 FLOPs of products with weights and 32 · 4 · 4,096 · 2,049 / 2 of scores.
func TestDeclaredRows(t *testing.T) {
	was := figure.Live
	t.Cleanup(func() { figure.Live = was })
	figure.Live = append(slices.Clip(was),
		figure.Figure{ID: "memory.kv_cache.bytes_per_position", Lens: "running", Label: "KV cache of a position", About: "of all sequences", Unit: figure.Bytes, Own: true, Formula: "bytes / ask.context"},
		figure.Figure{ID: "memory.training.optimizer_bytes_per_parameter", Lens: "training", Label: "Optimizer for each parameter", Unit: figure.Ratio, Own: true, Formula: "optimizer / parameters.total"},
		figure.Figure{ID: "compute.train.flops_of_a_token", Lens: "compute", Label: "FLOPs of a token", Status: "estimate", Unit: figure.FLOPs, Own: true, Formula: "compute.train.flops / compute.train.tokens"})
	var out, errs bytes.Buffer
	if code := run(strings.Fields("report llama-3.1-8b device=h100-sxm-80gb seq=2048"), nil, &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	for _, want := range []string{"KV cache of a position, of all sequences +131 kB", "optimizer for each parameter +12", "FLOPs of a token, estimate +46\\.6 GFLOP"} {
		if !regexp.MustCompile(`(?m)^ *` + want + `$`).MatchString(out.String()) {
			t.Errorf("no row %q in\n%s", want, out.String())
		}
	}
}

// TestKeys: every key of the question, with what it takes.
func TestKeys(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"keys", "--json"}, nil, &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	var list []struct {
		Key, Default, Meaning string
		Allowed               []string
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i, k := range list {
		if seen[k.Key] = i; k.Meaning == "" || len(k.Allowed) == 0 || k.Allowed[0] == "" {
			t.Errorf("%+v", k)
		}
	}
	if i, ok := seen["weights"]; !ok || list[i].Default != "auto" || !strings.Contains(strings.Join(list[i].Allowed, " "), "q4_k_m") {
		t.Errorf("%v", list)
	}
	if i := seen["context"]; list[i].Default != "8192" || len(list) < 40 {
		t.Errorf("%v", list[i])
	}
}

// TestEnergy: an H100 SXM board may draw 700 W (NVIDIA's data sheet), and a step reads 15,009,849,344 bytes of weights and
// 1,073,741,824 of cache for each sequence at 3.35 TB/s: what two boards' worth of a step comes to for each token. A
// device whose board's power nobody gives has no figure.
func TestEnergy(t *testing.T) {
	joules := func(args string) float64 {
		t.Helper()
		var out, errs bytes.Buffer
		if code := run(strings.Fields("report --json llama-3.1-8b "+args), nil, &out, &errs); code != 0 {
			t.Fatal(errs.String())
		}
		var r struct {
			Running struct {
				Device struct {
					Watts int64 `json:"board_watts"`
				}
				Time struct {
					Decode struct {
						Joules float64 `json:"joules_per_token"`
					}
				}
			}
		}
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if (r.Running.Device.Watts > 0) != (r.Running.Time.Decode.Joules > 0) {
			t.Errorf("%s: %+v", args, r)
		}
		return r.Running.Time.Decode.Joules
	}
	const weights, cache, rate, watts = 15_009_849_344.0, 1_073_741_824.0, 3.35e12, 700.0
	for args, want := range map[string]float64{
		"batch=1": (weights + cache) / rate * watts,
		"batch=8": (weights + 8*cache) / rate * watts / 8,
		// Two replicas read the weights each, for half of the sequences, and draw twice as much.
		"batch=8 devices=2 dp=2": 2 * (weights + 4*cache) / rate * watts / 8,
	} {
		if got := joules(args); got < want*0.99999 || got > want*1.00001 {
			t.Errorf("%s: %g J, want %g", args, got, want)
		}
	}
	if got := joules("device=apple-m1-16gb"); got != 0 {
		t.Errorf("%g J without a board's power", got)
	}
	for args, want := range map[string]string{
		"report llama-3.1-8b":            "energy for each token, while decoding, at best, estimate",
		"report llama-3.1-8b vs.batch=8": "sequences: 1 → 8",
	} {
		var out, errs bytes.Buffer
		if run(strings.Fields(args), nil, &out, &errs); !strings.Contains(out.String(), want) {
			t.Errorf("%s: no %s", args, want)
		}
	}
}

// TestTokensASecond: a step gives each sequence a token, and reads the weights of TestEnergy once and a cache for each. Two replicas
// read the weights each, at the same time.
func TestTokensASecond(t *testing.T) {
	const weights, cache, rate = 15_009_849_344.0, 1_073_741_824.0, 3.35e12
	for args, want := range map[string]float64{"batch=1": rate / (weights + cache), "batch=8": 8 * rate / (weights + 8*cache), "batch=8 devices=2 dp=2": 8 * rate / (weights + 4*cache)} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields("report --json llama-3.1-8b "+args), nil, &out, &errs); code != 0 {
			t.Fatal(errs.String())
		}
		var r struct {
			Running struct {
				Time struct {
					Decode struct {
						Tokens float64 `json:"tokens_per_second"`
					}
				}
			}
		}
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if got := r.Running.Time.Decode.Tokens; got < want*0.99999 || got > want*1.00001 {
			t.Errorf("%s: %g, want %g", args, got, want)
		}
	}
}
