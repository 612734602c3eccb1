package family_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/fault"
)

// TestRefusals: what transformers' classes refuse is an error that names the key,
// or one that the rule joins with it; what they build is counted as they build it,
// or refused by a rule, never counted otherwise.
func TestRefusals(t *testing.T) {
	text, err := os.ReadFile("testdata/refusals.txt")
	if err != nil {
		t.Fatal(err)
	}
	list, err := oracle.ParseRefusals(string(text))
	if err != nil {
		t.Fatal(err)
	}
	lib := families.Library()
	for _, r := range list {
		cfg, fail := config.ParseObject(r.Config())
		if fail != nil {
			t.Fatal(fail)
		}
		m, fail := family.Describe(cfg, lib)
		switch {
		case fail != nil && (fail.Field == "" || fail.Problem == "" || fail.File != ""):
			t.Errorf("%s: the error names no key: %v", r.Config(), fail)
		case fail != nil:
		case !r.Built:
			t.Errorf("%s: the class refuses it, counted as exact: %v", r.Config(), m.Exact())
		default:
			if p, _ := sums(m); p != r.Parameters {
				t.Errorf("%s: %d parameters, want %d", r.Config(), p, r.Parameters)
			}
		}
	}
}

// twice reports whether an entry is in a list more than once, as a kind of
// layer does and a name doesn't.
func twice(list []string) bool {
	for i := range list {
		if slices.Contains(list[:i], list[i]) {
			return true
		}
	}
	return false
}

// TestKinds: no list of kinds of layer, in any family, takes an entry that nobody
// knows. The lists are those that a type has by default, and those that a family
// declares.
func TestKinds(t *testing.T) {
	lib := families.Library()
	lists := 0
	for _, typ := range lib.Types() {
		base := config.Value{Kind: config.Object}.Set("model_type", config.Value{Kind: config.String, Text: typ})
		names := map[string]int{} // with how many entries
		if m, err := family.Describe(base, lib); err == nil {
			for _, k := range m.Keys {
				var list []string
				if k.Path == "" && json.Unmarshal([]byte(k.Value), &list) == nil && twice(list) {
					names[k.Name] = len(list)
				}
			}
		}
		f, err := lib.Declared(typ)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range f.Keys {
			if (k.Kinds != "" || k.Name == "layer_types" || k.Name == "mlp_layer_types") && k.Path == "" && names[k.Name] == 0 {
				names[k.Name] = 1
			}
		}
		for name, n := range names {
			items := make([]config.Value, n)
			for i := range items {
				items[i] = config.Value{Kind: config.String, Text: "no_such_kind"}
			}
			lists++
			_, err := family.Describe(base.Set(name, config.Value{Kind: config.List, Items: items}), lib)
			if err == nil || err.File != "" {
				t.Errorf("%s: %s takes a kind that nobody knows: %v", typ, name, err)
			}
		}
	}
	if lists < 50 {
		t.Errorf("only %d lists", lists)
	}
}

// TestUneven: heads that do not come out even are counted as the class builds
// them, and said to be an estimate; what a class refuses is an error.
func TestUneven(t *testing.T) {
	lib := families.Library()
	for _, c := range []struct {
		src   string
		field string
		error bool
	}{
		{`{"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":4097}`, "num_attention_heads", true},
		{`{"model_type":"mistral","architectures":["MistralForCausalLM"],"num_key_value_heads":3}`, "num_key_value_heads", false},
		{`{"model_type":"qwen2","architectures":["Qwen2ForCausalLM"],"hidden_size":4097}`, "num_attention_heads", false},
		{`{"model_type":"qwen3","architectures":["Qwen3ForCausalLM"],"hidden_size":4097}`, "", false}, // its heads have a width of their own
		{`{"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"n_embd":769}`, "n_head", true},
		{`{"model_type":"gpt_neo","architectures":["GPTNeoForCausalLM"],"num_heads":17}`, "num_heads", true},
		{`{"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_act":"bogus"}`, "hidden_act", true},
		{`{"model_type":"recurrent_gemma","architectures":["RecurrentGemmaForCausalLM"],"block_types":["recurrent","bogus"]}`, "block_types", true},
	} {
		cfg, _ := config.ParseObject(c.src)
		m, fail := family.Describe(cfg, lib)
		var w []fault.Warning
		if m != nil {
			w = m.Warnings
		}
		switch {
		case c.error && (fail == nil || fail.Field != c.field || fail.Given == ""):
			t.Errorf("%s: %v, want an error about %s", c.src, fail, c.field)
		case c.error:
		case fail != nil:
			t.Errorf("%s: %v", c.src, fail)
		case (c.field == "") != m.Exact() || c.field != "" && (len(w) != 1 || w[0].Field != c.field || !strings.Contains(w[0].Text, "divide")):
			t.Errorf("%s: exact %v, %v; want a warning about %q", c.src, m.Exact(), w, c.field)
		}
	}
}

// TestTiedWidths: BLT's head takes the place of the encoder's embedding when the two
// are tied, whatever the encoder's width. 3,084,929,280 parameters untied, less
// 260 · 512 of the embedding that goes.
func TestTiedWidths(t *testing.T) {
	m, err := describe(t, families.Library(), `{"model_type":"blt","architectures":["BltForCausalLM"],"encoder_config":{"hidden_size":512},"tie_word_embeddings":true}`)
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := sums(m); n != 3_084_929_280-260*512 || m.Exact() {
		t.Errorf("%d parameters, exact %v", n, m.Exact())
	}
}
