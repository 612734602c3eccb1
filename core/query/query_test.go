package query_test

import (
	"errors"
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/query"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "v=1"},
		{"v=1", "v=1"},
		{"?v=1&model=llama-3.1-8b&context=8192&batch=1&weights=auto", "v=1"}, // defaults are left out
		{"context=32k&model=GPT2", "v=1&model=gpt2&context=32000"},           // order, case and spelling are put right
		{"https://llmsize.example/?v=1&model=gpt2#parameters", "v=1&model=gpt2"},
		{"https://llmsize.example/models/", "v=1"},
		{"set.num_hidden_layers=40&set.hidden_act=silu&model=gpt2", "v=1&model=gpt2&set.hidden_act=silu&set.num_hidden_layers=40"},
		{"set.layer_types=%5B%22a%22%2C%20%22b%22%5D", "v=1&set.layer_types=%5B%22a%22,%22b%22%5D"},
		{"prompt=8192", "v=1"}, {"prompt=100", "v=1&prompt=100"}, {"context=100&prompt=100", "v=1&context=100"},
		{"tokens=15T&units=GiB", "v=1&tokens=15000000000000&units=gib"},
		// What the second side asks otherwise is behind vs, by key, and stays when both say the same.
		{"vs.kv=FP8&vs.context=8k&vs=GPT2&context=8000", "v=1&context=8000&vs=gpt2&vs.context=8000&vs.kv=fp8"},
		{"vs.set.b=1&vs.set.a=[1,%202]&vs.batch=1", "v=1&vs.batch=1&vs.set.a=%5B1,2%5D&vs.set.b=1"},
		{"vs.cp=2&vs.mfu=30", "v=1&vs.cp=2&vs.mfu=30"},
		{"mine=7.5B,12lh2&vs=gpt2", "v=1&vs=gpt2&mine=7.5b,12lh2"},
		{"cp=1&vp=1&sp=on&offload=none&global-batch=1024", "v=1"},
		{"global-batch=512&offload=all&sp=off&vp=2&cp=4&units=gib&zero=3", "v=1&zero=3&units=gib&cp=4&vp=2&sp=off&offload=all&global-batch=512"},
		{"tokens=20x", "v=1"}, {"tokens=100x", "v=1&tokens=100x"},
	} {
		q, issues, err := query.Parse(c.in)
		if err != nil || len(issues) > 0 {
			t.Errorf("%q: %v %v", c.in, issues, err)
			continue
		}
		if got := q.String(); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

func TestIssues(t *testing.T) {
	for _, c := range []struct{ in, field, problem, hint string }{
		{"contxt=4096", "contxt", "not a key", "context"},
		{"context=0", "context", "out of range", ""},
		{"context=-5", "context", "not a number", ""},
		{"context=4096.5", "context", "whole number", ""},
		{"context=99999999999999999999", "context", "too large", ""},
		{"weights=q9", "weights", "choices", ""},
		{"batch=two", "batch", "not a number", ""},
		{"engine=vlm", "engine", "choices", "vllm"},
		{"users=none", "users", "not a number", ""},
		{"model=a b", "model", "not a name", "slug"}, {"model=a/b/c", "model", "not a model of the hub", ""},
		{"set.=1", "set.", "not the name", ""},
		{"set.a..b=1", "set.a..b", "not the name", ""},
		{"context=1&context=2", "context", "twice", ""},
		{"vs.contxt=4096", "vs.contxt", "not a key of the second", "vs.context"},
		{"vs.model=gpt2", "vs.model", "not a key of the second", ""},
		{"vs.units=gib", "vs.units", "not a key of the second", ""},
		{"vs.mine=7b", "vs.mine", "not a key of the second", ""},
		{"vs.vs.context=1", "vs.vs.context", "not a key of the second", ""},
		{"vs.context=many", "vs.context", "not a number", ""},
		{"vs.set.=1", "vs.set.", "not the name", ""},
		{"tokens=x", "tokens", "not a number", ""},
		{"mfu=101", "mfu", "out of range", ""},
		{"mfu=0", "mfu", "out of range", ""},
		{"served=lots", "served", "not a number", ""},
	} {
		q, issues, err := query.Parse(c.in)
		if err != nil || len(issues) != 1 {
			t.Errorf("%q: %v, %v", c.in, issues, err)
			continue
		}
		i := issues[0]
		if i.Field != c.field || !strings.Contains(i.Problem, c.problem) || !strings.Contains(i.Hint, c.hint) {
			t.Errorf("%q: %+v", c.in, i)
		}
		if c.problem != "twice" && q.String() != "v=1" {
			t.Errorf("%q: what is wrong was kept: %s", c.in, q.String())
		}
	}
	if _, _, err := query.Parse("v=2&model=gpt2"); err == nil || err.Field != "v" {
		t.Errorf("version 2: %v", err)
	}
	if _, _, err := query.Parse("model=" + strings.Repeat("a", 10_000)); err == nil {
		t.Error("a link of 10,000 characters is accepted")
	}
}

func TestApply(t *testing.T) {
	var q query.Query
	for _, kv := range [][2]string{{"hidden_size", "1024"}, {"part.layers", "[1,2]"}, {"act", "silu"}} {
		if err := q.PutSet(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	cfg, _ := config.Parse(`{"hidden_size":4096,"x":1}`)
	got, err := q.Apply(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"hidden_size":1024,"x":1,"act":"silu","part":{"layers":[1,2]}}`; got.JSON() != want {
		t.Errorf("%s, want %s", got.JSON(), want)
	}
	if set, list := got.Get("hidden_size"), got.Get("part").Get("layers"); set.Line != 0 || list.Line != 0 {
		t.Errorf("what a link sets is in no file, and has lines %d and %d", set.Line, list.Line)
	}
	if kept := got.Get("x"); kept.Line != 1 {
		t.Errorf("what the file says is on line %d, want 1", kept.Line)
	}
	q.Unset("act")
	if strings.Contains(q.String(), "act") {
		t.Errorf("the override is still there: %s", q.String())
	}
}

// links that were once given out open for ever; a new format adds lines.
var links = []struct{ link, asks string }{
	{"v=1", "v=1"},
	{"?v=1&model=llama-3.1-70b&context=131072&batch=4&weights=int8&kv=fp8&units=gib", "v=1&model=llama-3.1-70b&context=131072&batch=4&weights=int8&kv=fp8&units=gib"},
	{"v=1&set.num_hidden_layers=40", "v=1&set.num_hidden_layers=40"},
	{"v=1&device=hgx-h100-8&tp=8&zero=1&recompute=full&seq=8192&lora-rank=16&units=gib", "v=1&device=hgx-h100-8&tp=8&zero=1&recompute=full&seq=8192&lora-rank=16&units=gib"},
	{"v=1&tokens-per-second=5762&mfu=45&days=30&served=2T", "v=1&tokens-per-second=5762&mfu=45&days=30&served=2000000000000"},
	{"v=1&tp=8&cp=2&vp=4&sp=off&offload=optimizer&global-batch=2048", "v=1&tp=8&cp=2&vp=4&sp=off&offload=optimizer&global-batch=2048"},
}

func TestOldLinks(t *testing.T) {
	for _, l := range links {
		q, issues, err := query.Parse(l.link)
		if err != nil || len(issues) > 0 || q.String() != l.asks {
			t.Errorf("%s: %s, %v, %v", l.link, q.String(), issues, err)
		}
	}
}

// A model of the hub is a model's name too: owner/name, @revision, :file.
func TestOnHub(t *testing.T) {
	for text, ok := range map[string]bool{
		"Qwen/Qwen2.5-Coder-32B-Instruct": true, "a/b@main": true, "a/b@refs/pr/1": true, "a/b:Q4_K_M": true, "a/b@v1.0:sub/x.gguf": true,
		"a/b@0123456789abcdef0123456789abcdef01234567": true,
		"a/": false, "/b": false, "a/b/c": false, "a/b@": false, "a/b@x@y": false, "a/b:": false, "a/b:c:d": false, "a/b:c@d": false, "a/../b": false, "../b/c": false,
		"a/b@../c": false, "a/b c": false, "a/b?c": false, "a/.b": false, "a/b.": false, "a//b": false, "ä/b": false,
	} {
		var q query.Query
		err := q.PutKey("model", text)
		if (err == nil) != ok || ok && q.Get(query.Model) != text {
			t.Errorf("%s: %v, %q", text, err, q.Get(query.Model))
		}
		if !ok {
			continue
		}
		if again, issues, err := query.Parse(q.String()); err != nil || len(issues) > 0 || again.Get(query.Model) != text {
			t.Errorf("%s: %s reads %q, %v, %v", text, q.String(), again.Get(query.Model), issues, err)
		}
	}
	if q, _, err := query.Parse("v=1&model=Qwen%2FQwen3-8B%40main"); err != nil || q.String() != "v=1&model=Qwen/Qwen3-8B@main" {
		t.Errorf("%s, %v", q.String(), err)
	}
}

// FuzzParse: nothing crashes, and the canonical form is a fixed point.
func FuzzParse(f *testing.F) {
	for _, l := range links {
		f.Add(l.link)
	}
	f.Add("set.a=%7B%22b%22%3A1%7D&set.b=x%20y&%zz=%&a=%ff")
	f.Fuzz(func(t *testing.T, s string) {
		q, _, err := query.Parse(s)
		if err != nil {
			return
		}
		once := q.String()
		again, issues, err := query.Parse(once)
		if err != nil || len(issues) > 0 {
			if len(once) > 8192 {
				return
			}
			t.Fatalf("%q is written as %q, which is refused: %v %v", s, once, issues, err)
		}
		if again.String() != once {
			t.Fatalf("%q: %q is read as %q", s, once, again.String())
		}
	})
}

// TestApplyFlat: a part that the config does not have must not take the place of
// the sizes at its top.
func TestApplyFlat(t *testing.T) {
	for _, c := range []struct{ cfg, key, hint string }{
		{`{"model_type":"qwen2_5_vl","hidden_size":3584,"vocab_size":152064}`, "text_config.vocab_size", "set.vocab_size"},
		{`{"model_type":"qwen2_5_vl","num_hidden_layers":28,"text_config":null}`, "text_config.head_dim", "set.head_dim"},
		{`{"model_type":"qwen2_5_vl","text_config":{"vocab_size":152064},"hidden_size":1}`, "text_config.vocab_size", ""},
		{`{"model_type":"llava"}`, "text_config.vocab_size", ""},
		{`{"model_type":"llama","hidden_size":64}`, "quantization_config.quant_method", ""},
		{`{"model_type":"qwen2_vl","hidden_size":64}`, "vision_config.depth", ""},
	} {
		cfg, fail := config.ParseObject(c.cfg)
		if fail != nil {
			t.Fatal(fail)
		}
		var q query.Query
		if err := q.PutSet(c.key, "7"); err != nil {
			t.Fatal(err)
		}
		got, err := q.Apply(cfg)
		switch {
		case c.hint == "" && err != nil:
			t.Errorf("%s of %s: %v", c.key, c.cfg, err)
		case c.hint != "" && (err == nil || err.Field != "set."+c.key || !strings.Contains(err.Hint, c.hint)):
			t.Errorf("%s of %s: %v, %s; want a hint at %s", c.key, c.cfg, err, got.JSON(), c.hint)
		}
	}
}

// TestPrograms: every preset can be named, and sets what its keys allow.
func TestPrograms(t *testing.T) {
	allowed := query.About(query.Program).Allowed
	if len(allowed) != len(query.Programs)+1 {
		t.Errorf("%d names for %d presets", len(allowed), len(query.Programs))
	}
	for i, p := range query.Programs {
		if _, source := p.About(); allowed[i+1] != p.Name || source == "" {
			t.Errorf("preset %d is %s, its name in the table %s", i, p.Name, allowed[i+1])
		}
		for _, k := range p.Keys {
			var q query.Query
			if err := q.Put(k.Param, k.Value); err != nil || q.Get(k.Param) != k.Value {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	}
}

// TestDefaultsOverProgram: a default that is asked for holds against the program's own value, in whatever order the two come,
// and is no part of a link without a program.
func TestDefaultsOverProgram(t *testing.T) {
	for _, c := range []struct{ link, canonical, recompute string }{
		{"v=1&program=torchtune", "v=1&program=torchtune", "full"},
		{"v=1&program=torchtune&recompute=none", "v=1&recompute=none&program=torchtune", "none"},
		{"v=1&recompute=none&program=torchtune", "v=1&recompute=none&program=torchtune", "none"},
		{"v=1&recompute=none", "v=1", "none"},
		{"v=1&recompute=none&program=none", "v=1", "none"},
	} {
		q, _, err := query.Parse(c.link)
		if err != nil {
			t.Fatal(err)
		}
		preset := q.Preset()
		if q.String() != c.canonical || preset.Get(query.Recompute) != c.recompute {
			t.Errorf("%s is %s with recompute=%s, want %s with %s", c.link, q.String(), preset.Get(query.Recompute), c.canonical, c.recompute)
		}
	}
	programs := map[query.Param]bool{}
	for _, p := range query.Programs {
		for _, k := range append(p.Keys, p.LoRA...) {
			programs[k.Param] = true
		}
	}
	for p := range programs { // each key that a program sets can be set back
		var q query.Query
		if err := errors.Join(put(&q, query.Program, "torchtune"), put(&q, p, query.About(p).Default)); err != nil || !q.Has(p) {
			t.Errorf("%s cannot be set back to %s: %v", query.About(p).Name, query.About(p).Default, err)
		}
	}
}

func put(q *query.Query, p query.Param, value string) error {
	if fail := q.Put(p, value); fail != nil {
		return fail
	}
	return nil
}

// TestTyped: a person's k is 1,024 where a length in tokens is asked for, and nowhere else.
func TestTyped(t *testing.T) {
	for _, c := range [][3]string{
		{"context", "32k", "v=1&context=32768"}, {"context", "32K", "v=1&context=32768"}, {"context", "32 k", "v=1&context=32768"}, {"context", "1.5k", "v=1&context=1536"},
		{"context", "1M", "v=1&context=1048576"}, {"context", "32,000", "v=1&context=32000"}, {"context", "32Ki", "v=1&context=32768"}, {"context", "32kb", "v=1&context=32000"},
		{"prompt", "4k", "v=1&prompt=4096"}, {"seq", "8k", "v=1&seq=8192"}, {"vs.context", "32k", "v=1&vs.context=32768"},
		{"tokens", "15k", "v=1&tokens=15000"}, {"batch", "1k", "v=1&batch=1000"},
	} {
		var q query.Query
		if err := q.PutTyped(c[0], c[1]); err != nil {
			t.Errorf("%s=%s: %v", c[0], c[1], err)
		} else if q.String() != c[2] {
			t.Errorf("%s=%s is %s, want %s", c[0], c[1], q.String(), c[2])
		}
	}
	for _, bad := range []string{"k", " k", "xk", "1.23456k"} {
		var q query.Query
		if err := q.PutTyped("context", bad); err == nil {
			t.Errorf("context=%s is %s", bad, q.String())
		}
	}
}
