package family_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
)

// TestRefused: what the class cannot be built from is an error that names the key.
func TestRefused(t *testing.T) {
	lib := families.Library()
	for _, c := range []struct{ src, field, says string }{
		{`{}`, "model_type", "must be given"},
		{`{"model_type":7}`, "model_type", "text"},
		{`{"model_type":"nope"}`, "model_type", "not known"},
		{`{"model_type":"llama","architectures":"LlamaForCausalLM"}`, "architectures", "list"},
		{`{"model_type":"llama","vocab_size":null}`, "vocab_size", "null"},
		{`{"model_type":"llama","vocab_size":true}`, "vocab_size", "true or false"},
		{`{"model_type":"llama","vocab_size":[1]}`, "vocab_size", "list"},
		{`{"model_type":"llama","hidden_size":4096.0}`, "hidden_size", "whole number"},
		{`{"model_type":"llama","hidden_size":-4096}`, "hidden_size", "1 or more"},
		{`{"model_type":"llama","num_attention_heads":0}`, "num_attention_heads", "1 or more"},
		{`{"model_type":"llama","tie_word_embeddings":"yes"}`, "tie_word_embeddings", "true or false"},
		{`{"model_type":"llama","hidden_size":Infinity}`, "hidden_size", "Infinity"},
		{`{"model_type":"llama","hidden_size":99999999999999999999}`, "hidden_size", "whole number"},
		{`{"model_type":"llama","vocab_size":1000000000000,"hidden_size":100000000000}`, "vocab_size", "too large"},
		{`{"model_type":"gemma2","layer_types":["full_attention"]}`, "layer_types", "does not fit"},
		{`{"model_type":"gemma2","num_hidden_layers":2,"layer_types":["full_attention","half_attention"]}`, "layer_types", "entry 1"},
	} {
		m, err := describe(t, lib, c.src)
		if err == nil {
			t.Errorf("%s: counted as %s", c.src, m.Class)
			continue
		}
		f, ok := err.(interface{ Error() string })
		if !ok || !strings.HasPrefix(f.Error(), "") || !strings.Contains(err.Error(), c.field) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q does not name %q and %q", c.src, err, c.field, c.says)
		}
	}
}

// TestWarnings: what is counted, but not as the reader may think, is said.
func TestWarnings(t *testing.T) {
	lib := families.Library()
	for _, c := range []struct {
		src, says string
		exact     bool
	}{
		{`{"model_type":"llama"}`, "counted as LlamaForCausalLM", true},
		{`{"model_type":"llama","architectures":["LlavaLlamaForCausalLM"]}`, "not a class known for llama", false},
		{`{"model_type":"llama","architectures":["LlamaForCausalLM"],"num_experts":8}`, "num_experts", false},
	} {
		m, err := describe(t, lib, c.src)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0].String(), c.says) || m.Exact() != c.exact {
			t.Errorf("%s: %v, exact %v", c.src, m.Warnings, m.Exact())
		}
	}
	m, err := describe(t, lib, `{"model_type":"llama","architectures":["LlamaForCausalLM"],"_name_or_path":"x","rope_theta":1e4,"torch_dtype":"bfloat16","temperature":0.6}`)
	if err != nil || len(m.Warnings) != 0 {
		t.Errorf("keys without effect: %v, %v", m.Warnings, err)
	}
}

// TestClasses: architectures[0] decides what is counted. LLaMA-7B's base has no
// head (32,000 · 4,096 less); a classifier has one of num_labels rows.
func TestClasses(t *testing.T) {
	lib := families.Library()
	const causal, head = 6_738_415_616, 32_000 * 4_096
	for src, want := range map[string]int64{
		`"architectures":["LlamaForCausalLM"]`:                                                    causal,
		`"architectures":["LlamaModel"]`:                                                          causal - head,
		`"architectures":["LlamaForSequenceClassification"]`:                                      causal - head + 2*4096,
		`"architectures":["LlamaForSequenceClassification"],"num_labels":5`:                       causal - head + 5*4096,
		`"architectures":["LlamaForSequenceClassification"],"id2label":{"0":"a","1":"b","2":"c"}`: causal - head + 3*4096,
		`"architectures":["LlamaForTokenClassification"]`:                                         causal - head + 2*4096 + 2,
		`"architectures":["LlamaForQuestionAnswering"]`:                                           causal - head + 2*4096 + 2,
	} {
		m, err := describe(t, lib, `{"model_type":"llama",`+src+`}`)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got, _ := sums(m); got != want || !m.Exact() {
			t.Errorf("%s: %d, want %d; %v", src, got, want, m.Warnings)
		}
	}
}

// TestLayers: a stack keeps one copy of each kind of layer, and the pattern.
func TestLayers(t *testing.T) {
	m, err := describe(t, families.Library(), `{"model_type":"gemma2","num_hidden_layers":5}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range m.Blocks {
		if b.Index == "" {
			continue
		}
		if len(b.Kinds) != 2 || b.Kinds[0].Count != 3 || b.Kinds[1].Count != 2 || model.SpanText(b.Spans(0)) != "{0,2,4}" {
			t.Errorf("kinds %d, layers %s", len(b.Kinds), model.SpanText(b.Spans(0)))
		}
		if w := b.Kinds[0].Parts[1].Get(model.Window); w != 4096 {
			t.Errorf("window %d of the first kind, want 4096", w)
		}
	}
}

// TestRanksThatAreNoNumbers: the rank of Mamba's step size is named where it is neither a number nor "auto", though blocks that
// families share multiply with it.
func TestRanksThatAreNoNumbers(t *testing.T) {
	for _, c := range [][2]string{{"mamba", "time_step_rank"}, {"falcon_mamba", "time_step_rank"}, {"jamba", "mamba_dt_rank"}, {"zamba", "mamba_dt_rank"}} {
		for _, value := range []string{"[1]", `"wide"`} {
			cfg, fail := config.ParseObject(`{"model_type":"` + c[0] + `","` + c[1] + `":` + value + `}`)
			if fail != nil {
				t.Fatal(fail)
			}
			if _, fail = family.Describe(cfg, families.Library()); fail == nil || fail.Field != c[1] {
				t.Errorf("%s with %s %s: %v", c[0], c[1], value, fail)
			}
		}
	}
}

// TestListsThatCallTooDeep: a family's function that goes through a list calls itself for each entry. A list that is too
// long for that is named, and one as long as what is allowed isn't.
func TestListsThatCallTooDeep(t *testing.T) {
	list := func(entry string, n int) string { return "[" + entry + strings.Repeat(","+entry, n-1) + "]" }
	for _, c := range []struct{ kind, field, each string }{
		{"wav2vec2", "conv_dim", `"conv_dim":2,"conv_kernel":1,"conv_stride":1`},
		{"univnet", "resblock_stride_sizes", `"resblock_stride_sizes":1,"resblock_kernel_sizes":1,"resblock_dilation_sizes":[1]`},
		{"florence_vision", "patch_stride", `"patch_stride":1,"patch_size":1,"patch_padding":0,"depths":1,"embed_dim":2,"num_heads":1,"num_groups":1,"patch_prenorm":true`},
	} {
		for _, n := range []int{60, 70} {
			text := `{"model_type":"` + c.kind + `"`
			for _, key := range strings.Split(c.each, ",") {
				name, entry, _ := strings.Cut(key, ":")
				text += "," + name + ":" + list(entry, n)
			}
			if c.kind == "wav2vec2" {
				text += `,"num_feat_extract_layers":` + strconv.Itoa(n)
			}
			cfg, fail := config.ParseObject(text + "}")
			if fail != nil {
				t.Fatal(fail)
			}
			_, fail = family.Describe(cfg, families.Library())
			if n == 60 && fail != nil {
				t.Errorf("%s: %v", c.kind, fail)
			}
			if n == 70 && (fail == nil || fail.Field != c.field || fail.Given != "70 entries" || fail.Allowed != "at most 60 entries") {
				t.Errorf("%s: %v", c.kind, fail)
			}
		}
	}
}

// TestLanguageErrors: a slip in a family file is named with file and line.
func TestLanguageErrors(t *testing.T) {
	for _, c := range []struct{ body, says string }{
		{"blok model\n", "x.arch:5: this line does not begin with a known word: blok"},
		{"block model\n  linear a 1 -> 2\n", "x.arch:6: a linear stands outside a part"},
		{"block model\n  ffn\n    linear a 1 2\n", "x.arch:7: linear NAME IN -> OUT"},
		{"block model\n  ffn\n    linear a 1 -> nope\n", "x.arch:7: the name is not known: nope"},
		{"block model\n  ffn colour=3\n", "x.arch:6: this property is not known: colour"},
		{"block model\n  use nothing\n", "x.arch:6: there is no block named nothing"},
		{"block model\n  use model\n", "without end"},
		{"let a = b\nlet b = a\nblock model\n  ffn\n    linear x a -> 1\n", "depends on itself"},
		{"block model\n  ffn\n   linear a 1 -> 2\n     bias\n", "nothing can be indented"},
		{"block model\n\tffn\n", "tabs"},
		{"key n : size? =\nblock model\n", "an expression is missing"},
		{"block model\n  ffn\n    linear a 1 -> -\"wide\"\n", "x.arch:7: must be a number, not text"},
		{"block model\n  ffn\n    linear a 1 -> -(-9223372036854775807 - 1)\n", "x.arch:7: the sizes are too large"},
		{"block model\n  ffn\n    linear a 1 -> [1, 2][-3]\n", "x.arch:7: the list is too short"},
		{"let three = [1, 2][-3]\nblock model\n  ffn\n    linear a 1 -> three\n", "x.arch:5: the list is too short"},
		{"block model\n  ffn\n    linear a 1 -> -null\n", "x.arch:7: must be a number, not null"},
		{"block model\n  ffn\n    linear a 1 -> 2^3\n", "x.arch:7: a family file has no powers"},
		{"block model\n  ffn\n    linear a 1 -> 1 / 0\n", "x.arch:7: dividing by zero"},
		{"block model\n  ffn\n    linear a 1 -> 0 - 1\n", "x.arch:7: 0 - 1 must be a whole number"},
	} {
		lib := family.NewLibrary()
		lib.Add("x", "type x\ntitle X\nclasses X base\nlet two = 2\n"+c.body)
		cfg, _ := config.Parse(`{"model_type":"x","architectures":["XModel"]}`)
		_, err := family.Describe(cfg, lib)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.body, err, c.says)
		}
	}
}

// TestBareClass: a base class that a family does not name is its language model with the head left out, and exact; that of a class
// for another task may be less than the model, or more, so that it is an estimate.
func TestBareClass(t *testing.T) {
	for _, c := range []struct {
		class, asked string
		exact        bool
		parameters   int64
	}{
		{"XForConditionalGeneration causal", "XModel", true, 16*8 + 8*8},
		{"XForConditionalGeneration causal", "YModel", false, 16*8 + 8*8 + 8*16},
		{"XForMaskedLM masked", "XModel", false, 16*8 + 8*8 + 8*16},
		{"XForTextToText seq2seq", "XModel", false, 16*8 + 8*8 + 8*16},
	} {
		lib := family.NewLibrary()
		lib.Add("x", "type x\ntitle X\nclass "+c.class+`
block model
  embed words 16, 8
  ffn
    linear step 8 -> 8
  if class != "base"
    head
      linear out 8 -> 16
`)
		m, err := describe(t, lib, `{"model_type":"x","architectures":["`+c.asked+`"]}`)
		if err != nil {
			t.Fatal(err)
		}
		if p, _ := sums(m); p != c.parameters || m.Exact() != c.exact {
			t.Errorf("%s of %s: %d parameters, exact %v; want %d, %v", c.asked, c.class, p, m.Exact(), c.parameters, c.exact)
		}
	}
}

func TestBundle(t *testing.T) {
	lib := families.Library()
	files, err := lib.Closure("qwen3")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(files, " "); got != "decoder qwen2 qwen3" {
		t.Errorf("closure %s", got)
	}
	part := family.NewLibrary()
	packed, err := lib.Pack(files)
	if err != nil {
		t.Fatal(err)
	}
	part.AddPacked(packed)
	m, fail := describe(t, part, `{"model_type":"qwen3"}`)
	if fail != nil {
		t.Fatal(fail)
	}
	if m.Class != "Qwen3ForCausalLM" {
		t.Error(m.Class)
	}
	cfg, _ := config.Parse(`{"model_type":"gpt2"}`)
	if _, err := family.Describe(cfg, part); err == nil || err.Need != "gpt2" {
		t.Errorf("a family that is not there: %v", err)
	}
}

// FuzzDescribe changes real and default configs. Nothing crashes or hangs, and
// whatever is counted adds up: the total is the sum over single tensors.
func FuzzDescribe(f *testing.F) {
	lib := families.Library()
	for _, typ := range []string{"llama", "gemma2", "gpt2", "gpt_neo", "qwen2", "smollm3", "phi3"} {
		f.Add(typ, "num_hidden_layers", "3", "hidden_size", "96")
	}
	if cases, err := oracle.LoadReal(os.DirFS("testdata"), "real.txt"); err == nil {
		for _, c := range cases {
			var m map[string]json.RawMessage
			if json.Unmarshal(c.Config, &m) == nil {
				for k, v := range m {
					f.Add(c.ModelType, k, string(v), "num_hidden_layers", "2")
					break
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, typ, k1, v1, k2, v2 string) {
		cfg := config.Value{Kind: config.Object}
		for _, kv := range [][2]string{{"model_type", string(config.AppendQuoted(nil, typ))}, {k1, v1}, {k2, v2}} {
			v, err := config.Parse(kv[1])
			if err != nil {
				return
			}
			cfg = cfg.Set(kv[0], v)
		}
		m, err := family.Describe(cfg, lib)
		if err != nil {
			if err.File != "" {
				t.Fatalf("%s: an error of the file, not of the config: %v", cfg.JSON(), err)
			}
			return
		}
		params, buffers := sums(m)
		var n, count int64
		for _, r := range m.Runs() {
			each := int64(1)
			for _, d := range r.Tensor.Dims {
				each *= d.Size
			}
			if r.Count > 100_000 {
				return
			}
			r.Names(func(string) { n += each; count++ })
		}
		if n != params+buffers {
			t.Fatalf("%s: %d by tensor, %d by run", cfg.JSON(), n, params+buffers)
		}
	})
}

func benchmark(b *testing.B, text string) {
	lib := families.Library()
	cfg, err := config.ParseObject(text)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := family.Describe(cfg, lib); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLlama took 56 µs on two cores on 2026-11-21; at most 150 µs is wanted.
func BenchmarkLlama(b *testing.B) {
	benchmark(b, `{"model_type":"llama","num_hidden_layers":80}`)
}

func BenchmarkGemma2(b *testing.B) { benchmark(b, `{"model_type":"gemma2"}`) }

func BenchmarkDeepSeekV3(b *testing.B) { benchmark(b, `{"model_type":"deepseek_v3"}`) }

// Those with most kinds of layer and most keys.
func BenchmarkDeepSeekV4(b *testing.B) { benchmark(b, `{"model_type":"deepseek_v4"}`) }

func BenchmarkGemma4(b *testing.B) { benchmark(b, `{"model_type":"gemma4"}`) }

// TestFamiliar: a config of an unknown type is read as the known type that it is
// like, and says so; one that is like nothing is refused.
func TestFamiliar(t *testing.T) {
	lib := families.Library()
	const dims = `"vocab_size":32000,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,`
	for src, like := range map[string]string{
		`{"model_type":"newllm",` + dims + `"num_key_value_heads":32,"rms_norm_eps":1e-6}`:                                         "llama",
		`{"model_type":"newmoe",` + dims + `"num_key_value_heads":8,"num_local_experts":8,"num_experts_per_tok":2,"head_dim":128}`: "mixtral",
	} {
		m, err := describe(t, lib, src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if m.Exact() || len(m.Warnings) == 0 || !strings.Contains(m.Warnings[0].Text, "read as "+like) {
			t.Errorf("%s: exact %v, %v; want read as %s", src, m.Exact(), m.Warnings, like)
		}
	}
	if _, err := describe(t, lib, `{"model_type":"nothing","colour":"red","size":3}`); err == nil || !strings.Contains(err.Error(), "not known") {
		t.Errorf("a config that is like nothing: %v", err)
	}
}
