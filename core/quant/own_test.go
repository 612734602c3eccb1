package quant_test

import (
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/quant"
)

// own weighs Llama-3.1-8B, or the config that begins with {, under the recipe
// that a quantization_config gives.
func own(t *testing.T, base, q string) (quant.Recipe, quant.Weights, string) {
	t.Helper()
	var cfg config.Value
	if base[0] == '{' {
		var bad any
		if cfg, bad = parse(t, base); bad != nil {
			t.Fatal(bad)
		}
	} else {
		_, cfg = describe(t, base)
	}
	v, _ := parse(t, q)
	cfg = cfg.Set("quantization_config", v)
	m, err := family.Describe(cfg, families.Library())
	if err != nil {
		t.Fatal(err)
	}
	r, why, warnings := quant.Own(&cfg)
	if why != "quantization_config" && len(warnings) == 0 {
		t.Errorf("%s: decided by %q without a warning", q, why)
	}
	w, err := quant.Weigh(m, &r, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, x := range append(warnings, w.Notes...) {
		said += x.String() + "\n"
	}
	return r, w, said
}

func parse(t *testing.T, text string) (config.Value, any) {
	t.Helper()
	v, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	return v, nil
}

// A config's own method picks the recipe of the same name, or words for one.
func TestOwn(t *testing.T) {
	const layer = linear / 32
	const gate = 4096 * 14336
	for _, c := range []struct {
		q, name string
		want    int64
	}{
		{`{"quant_method":"awq","bits":4,"group_size":128,"zero_point":true,"version":"gemm"}`, "awq-g128", 5_727_854_592},
		{`{"quant_method":"awq","bits":4,"group_size":64}`, "awq-g64", left + linear/2 + linear/64*2 + linear/64/2},
		{`{"quant_method":"gptq","bits":4,"group_size":128,"desc_act":false,"sym":true}`, "gptq-g128", 5_727_854_592},
		{`{"quant_method":"gptq","bits":4,"group_size":128,"desc_act":true}`, "gptq-g128-gidx", 5_727_854_592 + 4*inputs},
		{`{"quant_method":"gptq","bits":8,"group_size":-1,"desc_act":false}`, "gptq 8-bit g-1", left + linear + rows*2 + rows},
		{`{"quant_method":"bitsandbytes","load_in_4bit":true,"bnb_4bit_quant_type":"nf4","bnb_4bit_use_double_quant":true}`, "nf4-dq", left + linear/2 + linear/64 + linear/64/256*4},
		{`{"quant_method":"bitsandbytes","load_in_4bit":true,"bnb_4bit_quant_type":"nf4"}`, "nf4", left + linear/2 + linear/64*4},
		{`{"quant_method":"bitsandbytes","load_in_8bit":true}`, "llm-int8", left + linear + 4*rows},
		{`{"load_in_8bit":true}`, "llm-int8", left + linear + 4*rows},
		{`{"quant_method":"fp8","weight_block_size":[128,128]}`, "fp8-block", left + linear + linear/(128*128)*4},
		{`{"quant_method":"fp8","weight_block_size":null,"activation_scheme":"static"}`, "fp8 scaled", left + linear + 4*224},
		{`{"quant_method":"fbgemm_fp8","activation_scale_ub":1200.0}`, "fp8 rows", left + linear + 4*rows},
		// one layer's down_proj, and all of another layer, stay in 16 bits
		{`{"quant_method":"fp8","weight_block_size":[128,128],"modules_to_not_convert":["lm_head","model.layers.3.mlp.down_proj","model.layers.10"]}`,
			"fp8-block", left + (linear - gate - layer) + (linear-gate-layer)/(128*128)*4 + 2*(gate+layer)},
		// compressed-tensors: the scheme of a group; ignore by regular expression
		{`{"quant_method":"compressed-tensors","format":"pack-quantized","ignore":["lm_head"],"config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"type":"int","strategy":"group","group_size":128,"symmetric":true}}}}`,
			"w4a16-g128", left + linear/2 + linear/128*2},
		{`{"quant_method":"compressed-tensors","format":"pack-quantized","ignore":["lm_head","re:.*mlp\\.(gate|up)_proj$"],"config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"type":"int","strategy":"group","group_size":32,"symmetric":false}}}}`,
			"compressed-tensors int4 g32", left + 2*64*gate + (linear-64*gate)/2 + (linear-64*gate)/32*2 + (linear-64*gate)/32/2},
		{`{"quant_method":"compressed-tensors","format":"int-quantized","ignore":["lm_head"],"config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":8,"type":"int","strategy":"channel","symmetric":true}}}}`,
			"w8a8", left + linear + 2*rows},
		{`{"quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":8,"type":"float","strategy":"tensor"}}}}`,
			"compressed-tensors fp8 scaled", left + linear + 2*224 - outer/2 + 2}, // the head too: nothing ignores it
		// Model Optimizer: a glob ends in a star, 1* is layers 1 and 10 to 19
		{`{"quant_method":"modelopt","quant_algo":"NVFP4","ignore":["lm_head","model.layers.1*"]}`,
			"nvfp4", left + 2*11*layer + 21*layer/2 + 21*layer/16 + 21*7*4},
		{`{"quant_method":"modelopt","quant_algo":"MIXED_PRECISION","quantized_layers":{"model.layers.0.self_attn.q_proj":{"quant_algo":"FP8"},"model.layers.0.mlp.gate_proj":{"quant_algo":"NVFP4"}}}`,
			"modelopt, mixed", left + 2*(linear-4096*4096-gate) + 4096*4096 + 4 + gate/2 + gate/16 + 4},
	} {
		r, w, said := own(t, "llama-3.1-8b", c.q)
		if r.Name != c.name || w.Bytes != c.want {
			t.Errorf("%s:\n%s, %d bytes; want %s, %d (%+d)\n%v\n%s", c.q, r.Name, w.Bytes, c.name, c.want, w.Bytes-c.want, w.Types, said)
		}
	}
}

// What is not understood is a warning, and the bytes are those of the tensors.
func TestOwnUnknown(t *testing.T) {
	for q, want := range map[string]string{
		`{"quant_method":"aqlm","nbits_per_codebook":16}`:                                                         "aqlm is not a method that is known here",
		`{"quant_method":"modelopt","quant_algo":"W3A3"}`:                                                         "W3A3 is not an algorithm that is known here",
		`{"quant_method":"compressed-tensors","config_groups":{"group_0":{"targets":["Linear"],"weights":null}}}`: "is not understood",
		`{}`: "is not a method that is known here",
	} {
		r, w, said := own(t, "llama-3.1-8b", q)
		if r.Name != "bf16" || w.Bytes != 2*(linear+outer+norms) || !strings.Contains(said, want) {
			t.Errorf("%s: %s, %d bytes, %q; want bf16 and a warning with %q", q, r.Name, w.Bytes, said, want)
		}
	}
	_, _, said := own(t, "llama-3.1-8b", `{"quant_method":"compressed-tensors","format":"pack-quantized","ignore":["re:(?!model).*"],"config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"type":"int","strategy":"group","group_size":128}}}}`)
	if !strings.Contains(said, "could not be read") {
		t.Errorf("a lookahead: %q", said)
	}
}

// Experts of DeepSeek-V4 are MXFP4 inside an FP8 checkpoint: expert_dtype says so.
func TestOwnExperts(t *testing.T) {
	m, cfg := describe(t, "deepseek-v4-flash")
	r, _, _ := quant.Own(&cfg)
	w, err := quant.Weigh(m, &r, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range w.Types {
		if x.Type == "mxfp4" {
			if want := int64(43 * 256 * 3 * 4096 * 2048); x.Elements != want {
				t.Errorf("%d elements in mxfp4, want 43 layers of 256 experts: %d", x.Elements, want)
			}
			return
		}
	}
	t.Errorf("no mxfp4 among %v", w.Types)
}

// A quantization_config that is in the language model's part speaks for that
// part: Kimi-K2.5's takes 60 layers of 384 experts, and nothing of the tower.
func TestOwnPart(t *testing.T) {
	m, cfg := describe(t, "kimi-k2.5")
	text := cfg.Get("text_config")
	v, _ := parse(t, `{"quant_method":"compressed-tensors","format":"pack-quantized","ignore":["lm_head","re:.*self_attn.*","re:.*shared_experts.*","re:.*mlp\\.(gate|up|gate_up|down)_proj.*"],"config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"type":"int","strategy":"group","group_size":32,"symmetric":true}}}}`)
	part := cfg.Set("text_config", text.Set("quantization_config", v))
	r, why, _ := quant.Own(&part)
	w, err := quant.Weigh(m, &r, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	const experts = 60 * 384 * 3
	for _, x := range w.Types {
		if x.Type == "int4 g32" && (x.Tensors != experts || x.Bytes != experts*7168*2048*18/32) {
			t.Errorf("%d tensors and %d bytes in int4, want %d and %d", x.Tensors, x.Bytes, experts, int64(experts*7168*2048*18/32))
		}
	}
	if why != "text_config.quantization_config" || len(w.Types) != 3 {
		t.Errorf("decided by %q: %v", why, w.Types)
	}
}

// A list of exceptions that names nothing of the model says so.
func TestOwnMissed(t *testing.T) {
	_, _, said := own(t, "llama-3.1-8b", `{"quant_method":"fp8","weight_block_size":[128,128],"modules_to_not_convert":["a","b","c","d","e","f","g","h.7.i"]}`)
	if !strings.Contains(said, "none of the 8 modules") {
		t.Errorf("said %q", said)
	}
}

// An fp32 checkpoint keeps 32 bits in what is left.
func TestOwnRest(t *testing.T) {
	_, cfg := describe(t, "llama-3.1-8b")
	cfg = cfg.Set("torch_dtype", config.Value{Kind: config.String, Text: "float32"})
	v, _ := parse(t, `{"quant_method":"gptq","bits":4,"group_size":128}`)
	cfg = cfg.Set("quantization_config", v)
	m, err := family.Describe(cfg, families.Library())
	if err != nil {
		t.Fatal(err)
	}
	r, _, _ := quant.Own(&cfg)
	w, _ := quant.Weigh(m, &r, &cfg)
	if want := int64(2*left + linear/2 + linear/128*2 + linear/128/2); w.Bytes != want {
		t.Errorf("%d bytes, want %d", w.Bytes, want)
	}
}

// FuzzOwn gives any quantization_config to a small model: no panic, no total
// that types do not add up to.
func FuzzOwn(f *testing.F) {
	for _, q := range []string{
		`{"quant_method":"awq","bits":4,"group_size":128}`,
		`{"quant_method":"gptq","bits":3,"group_size":-1,"desc_act":true,"dynamic":{"-:x":{}}}`,
		`{"quant_method":"bitsandbytes","load_in_4bit":true,"bnb_4bit_use_double_quant":true,"llm_int8_skip_modules":["lm_head"]}`,
		`{"quant_method":"fp8","weight_block_size":[128,64],"modules_to_not_convert":["model.layers.1*","gate"]}`,
		`{"quant_method":"compressed-tensors","ignore":["re:.*a(b|c)"],"config_groups":{"g":{"targets":["Linear"],"weights":{"num_bits":4,"type":"float","strategy":"group","group_size":16}}}}`,
		`{"quant_method":"modelopt","quant_algo":"MIXED_PRECISION","quantized_layers":{"model.layers.0":{"quant_algo":"FP8"}}}`,
		`{"quant_method":"mxfp4","modules_to_not_convert":["lm_head"]}`,
	} {
		f.Add(q)
	}
	base, err := config.ParseObject(`{"model_type":"mixtral","architectures":["MixtralForCausalLM"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":3,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":100}`)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, q string) {
		v, bad := config.ParseObject(q)
		if bad != nil {
			return
		}
		cfg := base.Set("quantization_config", v)
		m, err := family.Describe(cfg, families.Library())
		if err != nil {
			t.Fatal(err)
		}
		r, _, _ := quant.Own(&cfg)
		w, err := quant.Weigh(m, &r, &cfg)
		if err != nil {
			return
		}
		var n, elements int64
		for _, x := range w.Types {
			n, elements = n+x.Bytes, elements+x.Elements
		}
		if n != w.Bytes || elements != w.Elements || n <= 0 {
			t.Errorf("%s: types add up to %d bytes of %d elements, want %d of %d", q, n, elements, w.Bytes, w.Elements)
		}
	})
}
