package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
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
		{"explain llama-3.1-8b context=5", "FIGURE stands behind MODEL", 2},
		{"explain llama-3.1-8b memory.kv_cashe.bytes", "near it are memory.kv_cache.bytes", 1},
		{"explain llama-3.1-8b memory", "the answer has no figure of that name", 1},
		{"explain llama-3.1-8b running.fits", "device = \"h100-sxm-80gb\"", 0},
		{"explain llama-3.1-8b running.time.decode.joules_per_token", "power of a board", 0},
		{"explain llama-3.1-8b parameters.by_role.attention", "num_attention_heads · head_dim", 0},
		{"explain llama-3.1-8b running.time.decode.seconds", "num_key_value_heads = 8, line", 0},
		{"report llama-3.1-8b contxt=5", "did you mean context", 1},
		{"report llama-3.1-8b num_key_value_heads=4", "did you mean set.num_key_value_heads", 1},
		{"keys all", "takes no arguments", 2},
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(c.args), nil, &out, &errs); code != c.code || !strings.Contains(out.String()+errs.String(), c.says) {
			t.Errorf("%s: exit %d, no %q in\n%s%s", c.args, code, c.says, out.String(), errs.String())
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
