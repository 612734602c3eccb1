package report

import (
	"testing"

	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
)

// answer asks about a config in text.
func answer(t *testing.T, text string) *Report {
	t.Helper()
	cfg, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Answer(query.Query{}, Subject{Config: cfg}, families.Library())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// LLaMA 7B: 32 layers of 4·4096² + 3·4096·11008 + 2·4096, embedding and head of
// 32000·4096, and a last norm.
const llama7B = `{"model_type": "llama", "architectures": ["LlamaForCausalLM"]}`

func TestField(t *testing.T) {
	r := answer(t, llama7B)
	for _, c := range []struct {
		path string
		want string // as text; empty when there is no such number
	}{
		{"parameters.total", "6738415616"},
		{"parameters.by_role.embedding", "131072000"},                            // 32,000 · 4,096
		{"layer.attention", "67108864"},                                          // 4 · 4,096²
		{"layers.0.count", "32"},                                                 //
		{"layers.0.tensors.mlp.up_proj.weight", "45088768"},                      // 4,096 · 11,008
		{"config.hidden_size", "4096"},                                           //
		{"rules.12lh2.total", "6442450944"},                                      // 12 · 32 · 4,096²
		{"12*config.num_hidden_layers*config.hidden_size^2", "6442450944"},       //
		{"config.hidden_size/config.num_attention_heads", "128"},                 //
		{"config.hidden_size/3", ""},                                             // does not come out even
		{"2*4*config.hidden_size//3", "10922"},                                   // 32,768 / 3 rounded down
		{"2+3*4^2", "50"},                                                        // 2 + 3·16
		{"(2+3)*4-1", "19"},                                                      //
		{"1-2-3", "-4"},                                                          // from the left
		{"2-5*2", "-8"},                                                          //
		{"parameters.total-rules.12lh2.total-rules.12lh2.missing", "0"},          //
		{"32*766*2048*4096", "205621559296"},                                     // 32·766 = 24,512; · 2^23
		{"9223372036854775807", "9223372036854775807"},                           // 2^63 − 1
		{"9223372036854775807+1", ""},                                            // passes int64
		{"4294967296*2147483648", ""},                                            // 2^32 · 2^31 = 2^63
		{"0-9223372036854775807-1", "-9223372036854775808"},                      // −2^63 is inside
		{"0-9223372036854775807-2", ""},                                          //
		{"compute.conventions.2n.per_token", "13476831232"},                      // 2 · 6,738,415,616, the item named 2n
		{"memory.training.terms.0.bytes", "13476831232"},                         // the first item: 16-bit weights
		{"compute.conventions.2m.per_token", ""},                                 // no item of that name
		{"parameters.totl", ""}, {"parameters", `{`}, {"model.model_type+1", ""}, // gone; no number
		{"", ""}, {"2*", ""}, {"(2", ""}, {"2)", ""}, {"2^", ""}, {"2^x", ""}, {"4/0", ""}, {"parameters*2", ""}, {"1 + 2", "3"},
	} {
		v, ok := r.Field(c.path)
		switch {
		case ok != (c.want != ""):
			t.Errorf("%q: found %v", c.path, ok)
		case ok && v.Kind == config.Number && v.Text != c.want:
			t.Errorf("%q is %s, want %s", c.path, v.Text, c.want)
		}
	}
}

func TestLayersStandUnderTheFirstOfTheirKind(t *testing.T) {
	// Local layers look back 256 tokens, so the two kinds differ in no tensor: 12·2048² + 10·2048 = 50,331,648 + 20,480.
	r := answer(t, `{"model_type": "gpt_neo"}`)
	for _, c := range []struct{ path, want string }{
		{"layers.0.count", "12"}, {"layers.1.count", "12"},
		{"layers.0.total", "50352128"}, {"layers.1.total", "50352128"},
	} {
		if v, _ := r.Field(c.path); v.Text != c.want {
			t.Errorf("%s is %q, want %s", c.path, v.Text, c.want)
		}
	}
}

func TestLayersOfASecondStackStandUnderTheirPath(t *testing.T) {
	// T5 small: a decoder layer has attention twice, 8·512², and 2·512·2048 of feed-forward;
	// the first of each stack also has the bias of 32 distances for 8 heads.
	r := answer(t, `{"model_type": "t5"}`)
	for _, c := range []struct{ path, want string }{
		{"layers.0.total", "3147008"},               // 1,048,576 + 2,097,152 + 2·512 + 32·8
		{"layers.decoder.block.0.total", "4196096"}, // 2,097,152 + 2,097,152 + 3·512 + 32·8
		{"layers.decoder.block.1.total", "4195840"}, // without the bias
	} {
		if v, _ := r.Field(c.path); v.Text != c.want {
			t.Errorf("%s is %q, want %s", c.path, v.Text, c.want)
		}
	}
}
