package checkpoint_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/fault"
	"llmsize/core/model"
)

// one is a tensor of a safetensors file that a test writes.
type one struct {
	name  string
	dtype string
	shape []int64
}

// sizes of the dtypes that tests write, in bits.
var sizes = map[string]int64{"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "F8_E4M3": 8, "F8_E8M0": 8, "F4": 4, "I64": 64, "I32": 32, "U32": 32, "I8": 8, "U8": 8, "BOOL": 8}

// safetensors writes a header, and says how long the file with its data would be.
func safetensors(list []one) (header []byte, size int64) {
	var b strings.Builder
	b.WriteString(`{"__metadata__":{"format":"pt"}`)
	at := int64(0)
	for _, t := range list {
		n := sizes[t.dtype]
		for _, d := range t.shape {
			n *= d
		}
		shape, _ := json.Marshal(append([]int64{}, t.shape...))
		fmt.Fprintf(&b, `,%q:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, t.name, t.dtype, shape, at, at+n/8)
		at += n / 8
	}
	b.WriteString("}")
	return raw(b.String()), int64(8+b.Len()) + at
}

// raw puts the length before a header.
func raw(text string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
}

// read reads one header, in pieces of a given size.
func read(l *checkpoint.List, name string, header []byte, size int64, piece int) *fault.Error {
	r := checkpoint.NewReader(l, name, size)
	for len(header) > 0 && !r.Done() {
		n := min(piece, len(header))
		if err := r.Write(header[:n]); err != nil {
			return err
		}
		header = header[n:]
	}
	return r.End()
}

func mustRead(t *testing.T, list []one) *checkpoint.List {
	t.Helper()
	header, size := safetensors(list)
	l := &checkpoint.List{}
	if err := read(l, "model.safetensors", header, size, 1<<16); err != nil {
		t.Fatal(err)
	}
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	return l
}

// describe reads a config and its model.
func describe(t *testing.T, text string) (config.Value, *model.Model) {
	t.Helper()
	cfg, fail := config.ParseObject(text)
	if fail != nil {
		t.Fatal(fail)
	}
	m, fail := family.Describe(cfg, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	return cfg, m
}

// llama is a config with matrices of 64 and 160, and the tensors of its class, as the
// class's own code names and shapes them (transformers, models/llama).
const llama = `{"architectures":["LlamaForCausalLM"],"model_type":"llama","dtype":"bfloat16","vocab_size":320,"hidden_size":64,"intermediate_size":160,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":16%s}`

func llamaTensors() []one {
	list := []one{{"lm_head.weight", "BF16", []int64{320, 64}}, {"model.embed_tokens.weight", "BF16", []int64{320, 64}}, {"model.norm.weight", "BF16", []int64{64}}}
	for i := range 2 {
		p := fmt.Sprintf("model.layers.%d.", i)
		list = append(list, one{p + "input_layernorm.weight", "BF16", []int64{64}}, one{p + "post_attention_layernorm.weight", "BF16", []int64{64}})
		for _, m := range llamaMatrices {
			list = append(list, one{p + m.name + ".weight", "BF16", m.shape})
		}
	}
	return list
}

// llamaMatrices are [out, in].
var llamaMatrices = []one{
	{"self_attn.q_proj", "", []int64{64, 64}}, {"self_attn.k_proj", "", []int64{32, 64}}, {"self_attn.v_proj", "", []int64{32, 64}}, {"self_attn.o_proj", "", []int64{64, 64}},
	{"mlp.gate_proj", "", []int64{160, 64}}, {"mlp.up_proj", "", []int64{160, 64}}, {"mlp.down_proj", "", []int64{64, 160}},
}

// llamaParameters: two vocabulary matrices, a norm, and two layers of two norms and the matrices above.
const (
	llamaMatrix     = 64*64 + 2*32*64 + 64*64 + 3*64*160
	llamaParameters = 2*320*64 + 64 + 2*(2*64+llamaMatrix)
)

// replaced packs every matrix of the layers.
func replaced(pack func(module string, out, in int64) []one) []one {
	var list []one
	for _, t := range llamaTensors() {
		if len(t.shape) == 2 && strings.HasPrefix(t.name, "model.layers.") {
			list = append(list, pack(strings.TrimSuffix(t.name, ".weight"), t.shape[0], t.shape[1])...)
		} else {
			list = append(list, t)
		}
	}
	return list
}

// summary writes a verdict in one line: what each difference comes to.
func summary(v *checkpoint.Verdict) string {
	s := v.Verdict
	for _, d := range v.Differences {
		s += fmt.Sprintf("; %s %s %d/%d", d.Kind, d.Reason, d.Tensors, d.Parameters)
	}
	return s
}

// TestPacked holds what quantizers write against the class: the formats' own
// shapes, written out beside each.
func TestPacked(t *testing.T) {
	const modules, layers = 7, 2
	const q = modules * layers
	// Elements of packing data, by what there is one of for so many.
	groups := func(size int64) (n int64) { // rows × groups of the inputs
		for _, m := range llamaMatrices {
			n += m.shape[0] * ((m.shape[1] + size - 1) / size)
		}
		return layers * n
	}
	ins, outs := int64(layers*(6*64+160)), int64(layers*(64+32+32+64+160+160+64))
	group := func(in, size int64) int64 { return (in + size - 1) / size }
	for _, c := range []struct {
		name, quant string
		pack        func(b string, out, in int64) []one
		want        string
	}{
		{"gptq 4 bits", `,"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}`, func(b string, out, in int64) []one {
			return []one{{b + ".qweight", "I32", []int64{in * 4 / 32, out}}, {b + ".qzeros", "I32", []int64{group(in, 32), out * 4 / 32}}, {b + ".scales", "F16", []int64{group(in, 32), out}}, {b + ".g_idx", "I32", []int64{in}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, groups(32)/8+groups(32)+ins)},
		{"gptq 3 bits, nothing said", `,"quantization_config":{"quant_method":"gptq"}`, func(b string, out, in int64) []one {
			return []one{{b + ".qweight", "I32", []int64{in * 3 / 32, out}}, {b + ".qzeros", "I32", []int64{group(in, 32), out * 3 / 32}}, {b + ".scales", "F16", []int64{group(in, 32), out}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, groups(32)*3/32+groups(32))},
		{"awq", `,"quantization_config":{"quant_method":"awq","bits":4,"group_size":32}`, func(b string, out, in int64) []one {
			return []one{{b + ".qweight", "I32", []int64{in, out * 4 / 32}}, {b + ".qzeros", "I32", []int64{group(in, 32), out * 4 / 32}}, {b + ".scales", "F16", []int64{group(in, 32), out}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, groups(32)/8+groups(32))},
		{"bitsandbytes nf4", `,"quantization_config":{"quant_method":"bitsandbytes","load_in_4bit":true}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "U8", []int64{out * in / 2, 1}}, {b + ".weight.absmax", "F32", []int64{out * in / 64}}, {b + ".weight.quant_map", "F32", []int64{16}}, {b + ".weight.quant_state.bitsandbytes__nf4", "U8", []int64{80}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, layers*llamaMatrix/64+q*96)},
		{"bitsandbytes int8", `,"quantization_config":{"quant_method":"bitsandbytes","load_in_8bit":true}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "I8", []int64{out, in}}, {b + ".SCB", "F32", []int64{out}}, {b + ".weight_format", "U8", nil}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, outs+q)},
		{"compressed-tensors w4a16", `,"quantization_config":{"quant_method":"compressed-tensors","format":"pack-quantized","config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"group_size":32,"strategy":"group"}}}}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight_packed", "I32", []int64{out, in * 4 / 32}}, {b + ".weight_scale", "BF16", []int64{out, group(in, 32)}}, {b + ".weight_shape", "I64", []int64{2}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, groups(32)+2*q)},
		{"compressed-tensors nvfp4", `,"quantization_config":{"quant_method":"compressed-tensors","format":"nvfp4-pack-quantized","config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"type":"float","group_size":16}}}}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight_packed", "U8", []int64{out, in / 2}}, {b + ".weight_scale", "F8_E4M3", []int64{out, in / 16}}, {b + ".weight_global_scale", "F32", []int64{1}}, {b + ".input_global_scale", "F32", []int64{1}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, groups(16)+2*q)},
		{"model optimizer nvfp4", `,"quantization_config":{"quant_method":"modelopt","quant_algo":"NVFP4"}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "U8", []int64{out, in / 2}}, {b + ".weight_scale", "F8_E4M3", []int64{out, in / 16}}, {b + ".weight_scale_2", "F32", nil}, {b + ".input_scale", "F32", nil}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, groups(16)+2*q)},
		{"fp8 in blocks", `,"quantization_config":{"quant_method":"fp8","weight_block_size":[128,128]}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "F8_E4M3", []int64{out, in}}, {b + ".weight_scale_inv", "F32", []int64{group(out, 128), group(in, 128)}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", q, layers*(4+2+2+2))},
		{"mx floats with exponents", `,"quantization_config":{"quant_method":"fp8"}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "I8", []int64{out, in / 2}}, {b + ".scale", "F8_E8M0", []int64{out, in / 32}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", q, groups(32))},
		{"mlx 4 bits", `,"quantization":{"bits":4,"group_size":32}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "U32", []int64{out, in * 4 / 32}}, {b + ".scales", "BF16", []int64{out, in / 32}}, {b + ".biases", "BF16", []int64{out, in / 32}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, 2*groups(32))},
		{"mlx, a module in 8 bits", `,"quantization":{"bits":4,"group_size":32,"model.layers.1.mlp.down_proj":{"bits":8,"group_size":32}}`, func(b string, out, in int64) []one {
			bits := int64(4)
			if b == "model.layers.1.mlp.down_proj" {
				bits = 8
			}
			return []one{{b + ".weight", "U32", []int64{out, in * bits / 32}}, {b + ".scales", "BF16", []int64{out, in / 32}}, {b + ".biases", "BF16", []int64{out, in / 32}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, 2*groups(32))},
		{"fp8 that the config does not name", "", func(b string, out, in int64) []one {
			return []one{{b + ".weight", "F8_E4M3", []int64{out, in}}}
		}, fmt.Sprintf("precision; precision other %d/%d", q, layers*llamaMatrix)},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg, m := describe(t, fmt.Sprintf(llama, c.quant))
			l := mustRead(t, replaced(c.pack))
			v := checkpoint.Verify(l, cfg, m)
			if got := summary(&v); got != c.want || v.Parameters != llamaParameters || v.Config != llamaParameters {
				t.Errorf("%s; %d parameters of %d, want %s; %d\n%+v", got, v.Parameters, v.Config, c.want, llamaParameters, v.Differences)
			}
		})
	}
}

// TestDifferences takes a plain checkpoint and changes one thing.
func TestDifferences(t *testing.T) {
	edit := func(f func(list []one) []one) []one { return f(llamaTensors()) }
	prefixed := func(from, to string) []one {
		return edit(func(list []one) []one {
			for i := range list {
				if rest, ok := strings.CutPrefix(list[i].name, from); ok {
					list[i].name = to + rest
				}
			}
			return list
		})
	}
	add := func(more ...one) []one { return append(llamaTensors(), more...) }
	tied := `,"tie_word_embeddings":true`
	for _, c := range []struct {
		name, more string
		list       []one
		want       string
	}{
		{"equal", "", llamaTensors(), "equal"},
		{"a head that is tied", tied, llamaTensors(), fmt.Sprintf("extra; extra tied 1/%d", 320*64)},
		{"the head instead of the embedding", tied, edit(func(l []one) []one { return slices.Delete(l, 1, 2) }), "equal"},
		{"a norm is missing", "", edit(func(l []one) []one { return slices.Delete(l, 2, 3) }), "differs; missing other 1/64"},
		{"a longer embedding", "", edit(func(l []one) []one { l[1].shape = []int64{384, 64}; return l }), fmt.Sprintf("differs; shape other 1/%d", 384*64)},
		{"turned round", "", edit(func(l []one) []one { l[1].shape = []int64{64, 320}; return l }), fmt.Sprintf("differs; shape other 1/%d", 320*64)},
		{"norms in 32 bits", "", edit(func(l []one) []one { l[2].dtype = "F32"; return l }), "precision; precision other 1/64"},
		{"all in 16-bit floats", "", edit(func(l []one) []one {
			for i := range l {
				l[i].dtype = "F16"
			}
			return l
		}), fmt.Sprintf("precision; precision other 21/%d", llamaParameters)},
		{"old frequencies", "", add(one{"model.layers.0.self_attn.rotary_emb.inv_freq", "F32", []int64{8}}), "extra; extra buffer 1/8"},
		{"a mask", "", add(one{"model.layers.0.self_attn.bias", "BOOL", []int64{1, 1, 32, 32}}), "extra; extra buffer 1/1024"},
		{"position ids", "", add(one{"model.position_ids", "I64", []int64{1, 32}}), "extra; extra buffer 1/32"},
		{"adapters", "", add(one{"model.layers.0.self_attn.q_proj.lora_A.weight", "BF16", []int64{8, 64}}, one{"model.layers.0.self_attn.q_proj.lora_B.weight", "BF16", []int64{64, 8}}), "extra; extra adapter 2/1024"},
		{"a layer more", "", add(one{"model.layers.2.input_layernorm.weight", "BF16", []int64{64}}), "extra; extra other 1/64"},
		{"a layer that the config announces", `,"num_nextn_predict_layers":1`, add(one{"model.layers.2.input_layernorm.weight", "BF16", []int64{64}}), "extra; extra prediction 1/64"},
		{"a layer that names itself so", "", add(one{"model.layers.2.input_layernorm.weight", "BF16", []int64{64}}, one{"model.layers.2.eh_proj.weight", "BF16", []int64{64, 128}}), "extra; extra prediction 2/8256"},
		{"prediction layers of their own", "", add(one{"mtp.fc.weight", "BF16", []int64{64, 128}}), "extra; extra prediction 1/8192"},
		{"a scale that is learnt", "", add(one{"model.layers.0.mlp.down_proj.scale", "BF16", []int64{64}}), "extra; extra other 1/64"},
		{"a beginning less", "", prefixed("model.", ""), "equal"},
		{"a beginning more", "", prefixed("", "language_model."), "equal"},
		{"another beginning", "", prefixed("model.", "backbone.decoder."), "equal"},
		{"an unknown name is no renaming", "", edit(func(l []one) []one {
			i := slices.IndexFunc(l, func(t one) bool { return t.name == "model.layers.1.self_attn.q_proj.weight" })
			l[i].name = "model.layers.1.self_attn.query.weight"
			return l
		}), "differs; missing other 1/4096; extra other 1/4096"},
		{"gamma and beta", "", edit(func(l []one) []one {
			for i := range l {
				if strings.HasSuffix(l[i].name, "norm.weight") {
					l[i].name = strings.TrimSuffix(l[i].name, "weight") + "gamma"
				}
			}
			return l
		}), "equal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg, m := describe(t, fmt.Sprintf(llama, c.more))
			v := checkpoint.Verify(mustRead(t, c.list), cfg, m)
			if got := summary(&v); got != c.want {
				t.Errorf("%s, want %s: %+v", got, c.want, v.Differences)
			}
		})
	}
}

// TestBadSafetensors: every slip is named with its file, and nothing is read past it.
func TestBadSafetensors(t *testing.T) {
	entry := func(name, dtype, shape, offsets string) string {
		return fmt.Sprintf(`%q:{"dtype":%q,"shape":%s,"data_offsets":%s}`, name, dtype, shape, offsets)
	}
	good := entry("a", "F32", "[2]", "[0,8]")
	for _, c := range []struct {
		name   string
		header []byte
		size   int64
		want   string
	}{
		{"a header of 10 GB", binary.LittleEndian.AppendUint64(nil, 10<<30), -1, "says that its header has 10,737,418,240 bytes"},
		{"a header past all numbers", []byte("\xff\xff\xff\xff\xff\xff\xff\xff"), 20, "more than 9,223,372,036,854,775,807"},
		{"a header past the file", binary.LittleEndian.AppendUint64(nil, 5000), 100, "but the file has 100"},
		{"nothing", nil, 0, "the file is empty"},
		{"too short for a length", []byte("abc"), 3, "ends inside its header"},
		{"a cut header", raw("{" + good + "}")[:20], -1, "ends inside its header, after 20 bytes"},
		{"a file cut in its data", raw("{" + good + "}"), int64(len(good)) + 2 + 8 + 4, "the file ends too early"},
		{"a file with more", raw("{" + good + "}"), int64(len(good)) + 2 + 8 + 9, "longer than its tensors"},
		{"overlapping", raw("{" + good + "," + entry("b", "F32", "[2]", "[4,12]") + "}"), -1, "overlap"},
		{"a hole", raw("{" + good + "," + entry("b", "F32", "[2]", "[12,20]") + "}"), -1, "hole"},
		{"descending offsets", raw("{" + entry("b", "F32", "[2]", "[8,0]") + "}"), -1, "before they begin"},
		{"a wrong size", raw("{" + entry("b", "F32", "[3]", "[0,8]") + "}"), -1, "takes 12"},
		{"half a byte", raw("{" + entry("b", "F4", "[3]", "[0,1]") + "}"), -1, "whole bytes"},
		{"twice", raw("{" + good + "," + entry("a", "F32", "[2]", "[8,16]") + "}"), -1, "stands twice"},
		{"a shape that overflows", raw("{" + entry("b", "F32", "[4294967296,4294967296]", "[0,0]") + "}"), -1, "more elements than can be counted"},
		{"a side that overflows", raw("{" + entry("b", "F32", "[99999999999999999999]", "[0,0]") + "}"), -1, "something else than sizes"},
		{"a negative side", raw("{" + entry("b", "F32", "[-1]", "[0,0]") + "}"), -1, "something else than sizes"},
		{"a fraction", raw("{" + entry("b", "F32", "[1.5]", "[0,0]") + "}"), -1, "something else than sizes"},
		{"a list in a shape", raw("{" + entry("b", "F32", "[[1]]", "[0,0]") + "}"), -1, "holds more than numbers"},
		{"many sides", raw("{" + entry("b", "F32", "["+strings.Repeat("1,", 99)+"1]", "[0,4]") + "}"), -1, "too many sides"},
		{"three offsets", raw("{" + entry("b", "F32", "[1]", "[0,4,8]") + "}"), -1, "more than two numbers"},
		{"an unknown dtype", raw("{" + entry("b", "Q9", "[1]", "[0,4]") + "}"), -1, "dtype is not known"},
		{"no shape", raw(`{"b":{"dtype":"F32","data_offsets":[0,4]}}`), -1, "is missing"},
		{"a name that is not UTF-8", raw("{" + strings.Replace(good, "a", "\xff\xfe", 1) + "}"), -1, "not UTF-8"},
		{"a very long name", raw("{" + entry(strings.Repeat("n", 5000), "F32", "[2]", "[0,8]") + "}"), -1, "longer than 4,096"},
		{"nested", raw(`{"b":` + strings.Repeat(`{"x":`, 40) + "1" + strings.Repeat("}", 40) + "}"), -1, "nested too deep"},
		{"a list", raw(`[1,2]`), -1, "header is a list"},
		{"no JSON", raw(`hello`), -1, "not a JSON object"},
		{"more behind", raw(`{} {}`), -1, "more text"},
		{"a comma too many", raw("{" + good + ",}"), -1, "not JSON"},
		{"a web page", []byte("<!doctype html><title>Sign in</title>"), -1, "web page"},
		{"a pickle", []byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20"), -1, "runs code"},
		{"a zipped pickle", []byte("PK\x03\x04\x00\x00\x08\x08\x00\x00"), -1, "runs code"},
		{"a pointer", []byte("version https://git-lfs.github.com/spec/v1\n"), -1, "pointer"},
		{"a config", []byte(`{"model_type": "llama"}`), -1, "this is JSON"},
	} {
		for _, piece := range []int{1, 7, 1 << 16} {
			l := &checkpoint.List{}
			err := read(l, "x.safetensors", c.header, c.size, piece)
			if err == nil {
				err = l.Finish()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.safetensors: ") {
				t.Errorf("%s, in pieces of %d: %v, want %q", c.name, piece, err, c.want)
			}
		}
	}
}

// TestOrder: the reader takes data in any order, as the format does.
func TestOrder(t *testing.T) {
	text := `{"b":{"data_offsets":[8,16],"shape":[2],"dtype":"F32","more":{"x":[1,{}]}},"a\u00e9\ud83d\ude00":{"dtype":"F32","shape":[],"data_offsets":[16,20]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"e":{"dtype":"BF16","shape":[0,4],"data_offsets":[20,20]}}`
	for _, piece := range []int{1, 3, 1000} {
		l := &checkpoint.List{}
		if err := read(l, "x", raw(text), int64(len(text))+8+20, piece); err != nil {
			t.Fatal(err)
		}
		if err := l.Finish(); err != nil {
			t.Fatal(err)
		}
		if l.Len() != 4 || l.Bytes != 20 || l.Find("aé😀") < 0 || l.Find("b") < 0 || l.Find("c") >= 0 || l.Elements(l.Find("e")) != 0 || l.Elements(l.Find("aé😀")) != 1 {
			t.Errorf("%d tensors, %d bytes", l.Len(), l.Bytes)
		}
	}
}

func TestIndex(t *testing.T) {
	files := map[string][]one{"1.safetensors": {{"a.0.x", "F32", []int64{2}}}, "2.safetensors": {{"a.1.x", "F32", []int64{2}}}}
	l := &checkpoint.List{}
	for _, name := range []string{"1.safetensors", "2.safetensors"} {
		header, size := safetensors(files[name])
		if err := read(l, name, header, size, 100); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{`{"metadata":{"total_size":16},"weight_map":{"a.0.x":"1.safetensors","a.1.x":"2.safetensors"}}`, ""},
		{`{"weight_map":{"a.0.x":"1.safetensors"}}`, "does not name it"},
		{`{"weight_map":{"a.0.x":"2.safetensors","a.1.x":"2.safetensors"}}`, "in another file"},
		{`{"weight_map":{"a.0.x":"1.safetensors","a.1.x":"2.safetensors","a.2.x":"2.safetensors"}}`, "does not hold it"},
		{`{"weight_map":{"a.0.x":"1.safetensors","a.0.x":"1.safetensors"}}`, "stands twice"},
		{`{"weight_map":{"a":"../../secret"}}`, "outside its folder"},
		{`{"weight_map":{"a":"/etc/passwd"}}`, "outside its folder"},
		{`{"weight_map":{"a":1}}`, "is not a text"},
		{`{"weight_map":{}}`, "names no file"},
		{`{"weight_map":[]}`, "not what it has to be"},
		{`{"weight_map":{"a":"b"`, "ends too early"},
		{`<html>`, "web page"},
		{``, "ends too early"},
	} {
		x := checkpoint.NewIndex("x.index.json")
		err := x.Write([]byte(c.text))
		if err == nil {
			err = x.End()
		}
		if err == nil {
			err = x.Check(l)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// gguf writes a header: metadata as pairs, tensors in F32 one behind the other.
type ggufFile struct {
	b       []byte
	meta    [][]byte
	tensors [][]byte
	at      uint64
}

func text(s string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), s...)
}

func (g *ggufFile) put(key string, v any) {
	b := text(key)
	switch v := v.(type) {
	case string:
		b = append(binary.LittleEndian.AppendUint32(b, 8), text(v)...)
	case uint32:
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 4), v)
	case []uint32:
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 9), 4)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(v)))
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
	case []string:
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 9), 8)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(v)))
		for _, x := range v {
			b = append(b, text(x)...)
		}
	}
	g.meta = append(g.meta, b)
}

// tensor adds one in F32; sides outermost first.
func (g *ggufFile) tensor(name string, dims ...uint64) {
	b := binary.LittleEndian.AppendUint32(text(name), uint32(len(dims)))
	n := uint64(4)
	for _, d := range slices.Backward(dims) {
		b = binary.LittleEndian.AppendUint64(b, d)
		n *= d
	}
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(b, 0), g.at)
	g.at += (n + 31) / 32 * 32
	g.tensors = append(g.tensors, b)
}

func (g *ggufFile) bytes() (header []byte, size int64) {
	b := binary.LittleEndian.AppendUint32([]byte("GGUF"), 3)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(g.tensors)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(g.meta)))
	for _, x := range append(g.meta, g.tensors...) {
		b = append(b, x...)
	}
	return b, int64(len(b)+31)/32*32 + int64(g.at)
}

// layered is a model whose layers have different heads, and keys wider than values.
func layered() *ggufFile {
	g := &ggufFile{}
	g.put("general.architecture", "llama")
	g.put("llama.block_count", uint32(2))
	g.put("llama.embedding_length", uint32(64))
	g.put("llama.feed_forward_length", []uint32{96, 128})
	g.put("llama.attention.head_count", []uint32{4, 4})
	g.put("llama.attention.head_count_kv", []uint32{2, 1})
	g.put("llama.attention.key_length", uint32(24))
	g.put("llama.attention.value_length", uint32(16))
	g.put("tokenizer.ggml.tokens", slices.Repeat([]string{"token"}, 320))
	g.tensor("token_embd.weight", 320, 64)
	g.tensor("output_norm.weight", 64)
	for i, x := range []struct{ kv, ff uint64 }{{2, 96}, {1, 128}} {
		p := fmt.Sprintf("blk.%d.", i)
		g.tensor(p+"attn_norm.weight", 64)
		g.tensor(p+"attn_q.weight", 4*24, 64)
		g.tensor(p+"attn_k.weight", x.kv*24, 64)
		g.tensor(p+"attn_v.weight", x.kv*16, 64)
		g.tensor(p+"attn_output.weight", 64, 4*16)
		g.tensor(p+"ffn_norm.weight", 64)
		g.tensor(p+"ffn_gate.weight", x.ff, 64)
		g.tensor(p+"ffn_up.weight", x.ff, 64)
		g.tensor(p+"ffn_down.weight", 64, x.ff)
	}
	return g
}

func TestGGUF(t *testing.T) {
	header, size := layered().bytes()
	// Vocabulary, norms, and in each layer queries, keys, values, output and three sides of a feed-forward.
	want := int64(320*64 + 64 + 2*(64+64+4*24*64+64*64) + (2+1)*(24+16)*64 + (96+128)*3*64)
	for _, piece := range []int{1, 5, 1 << 16} {
		l := &checkpoint.List{}
		if err := read(l, "m.gguf", header, size, piece); err != nil {
			t.Fatal(err)
		}
		if err := l.Finish(); err != nil {
			t.Fatal(err)
		}
		cfg := l.Config()
		m, fail := family.Describe(cfg, families.Library())
		if fail != nil {
			t.Fatal(fail, cfg.JSON())
		}
		v := checkpoint.Verify(l, cfg, m)
		if v.Verdict != "equal" || v.Parameters != want || v.Config != want || v.Bytes != 4*want || !m.Exact() {
			t.Errorf("%+v, want %d; %v", v, want, m.Warnings)
		}
	}
	other := layered()
	other.meta[5] = nil
	other.meta = slices.DeleteFunc(other.meta, func(b []byte) bool { return b == nil })
	other.put("llama.attention.head_count_kv", uint32(2))
	header, size = other.bytes()
	l := &checkpoint.List{}
	if err := errors.Join(asError(read(l, "m.gguf", header, size, 99)), asError(l.Finish())); err != nil {
		t.Fatal(err)
	}
	m, fail := family.Describe(l.Config(), families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	v := checkpoint.Verify(l, l.Config(), m)
	if got := summary(&v); got != fmt.Sprintf("differs; shape other 2/%d", (24+16)*64) {
		t.Error(got)
	}
}

func asError(f *fault.Error) error {
	if f == nil {
		return nil
	}
	return f
}

func TestBadGGUF(t *testing.T) {
	good, size := layered().bytes()
	edit := func(f func(b []byte) []byte) []byte { return f(slices.Clone(good)) }
	first := slices.Index(good, 'g') - 8 // the length of the first key
	name := strings.Index(string(good), "token_embd.weight")
	for _, c := range []struct {
		name string
		b    []byte
		size int64
		want string
	}{
		{"cut in the metadata", good[:60], 60, "ends inside its header"},
		{"cut in the tensors", good[:len(good)-9], int64(len(good) - 9), "ends inside its header"},
		{"cut in the data", good, size - 64, "the file ends too early"},
		{"another version", edit(func(b []byte) []byte { b[4] = 9; return b }), size, "version of GGUF"},
		{"too many tensors", edit(func(b []byte) []byte { binary.LittleEndian.PutUint64(b[8:], 1<<60); return b }), size, "1,152,921,504,606,846,976 tensors"},
		{"too many entries", edit(func(b []byte) []byte { binary.LittleEndian.PutUint64(b[16:], 1<<60); return b }), size, "entries of metadata"},
		{"a key without end", edit(func(b []byte) []byte { binary.LittleEndian.PutUint64(b[first:], 1<<62); return b }), size, "key of the metadata is said"},
		{"a text without end", edit(func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[first+8+len("general.architecture")+4:], 1<<62)
			return b
		}), size, "a text is said"},
		{"an unknown kind of metadata", edit(func(b []byte) []byte { b[first+8+len("general.architecture")] = 77; return b }), size, "not known: 77"},
		{"sides without end", edit(func(b []byte) []byte { b[name+len("token_embd.weight")] = 200; return b }), size, "200 sides"},
		{"a shape that overflows", edit(func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[name+len("token_embd.weight")+4:], 1<<60)
			return b
		}), size, "more elements than can be counted"},
		{"an unknown type", edit(func(b []byte) []byte { b[name+len("token_embd.weight")+4+16] = 99; return b }), size, "type of tensor is not known: 99"},
		{"uneven blocks", edit(func(b []byte) []byte {
			b[name+len("token_embd.weight")+4+16] = 12 // Q4_K has blocks of 256, the row has 64
			return b
		}), size, "blocks of Q4_K"},
		{"an offset that is not aligned", edit(func(b []byte) []byte { b[name+len("token_embd.weight")+4+16+4] = 3; return b }), size, "data are said to begin"},
		{"a name that is not UTF-8", edit(func(b []byte) []byte { b[name] = 0xff; return b }), size, "not UTF-8"},
		{"overlapping", edit(func(b []byte) []byte {
			at := strings.Index(string(b), "output_norm.weight") + len("output_norm.weight") + 4 + 8 + 4
			binary.LittleEndian.PutUint64(b[at:], 32)
			return b
		}), size, "overlap"},
	} {
		for _, piece := range []int{1, 11, 1 << 16} {
			l := &checkpoint.List{}
			err := read(l, "x.gguf", c.b, c.size, piece)
			if err == nil {
				err = l.Finish()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.gguf: ") {
				t.Errorf("%s, in pieces of %d: %v, want %q", c.name, piece, err, c.want)
			}
		}
	}
}

// FuzzHeader: no bytes make the reader panic, and what is read in pieces is what is read whole.
func FuzzHeader(f *testing.F) {
	header, _ := safetensors(llamaTensors())
	f.Add(header, int64(-1), 7)
	good, size := layered().bytes()
	f.Add(good, size, 13)
	f.Add(raw(`{"a":{"dtype":"F8_E4M3","shape":[2,3],"data_offsets":[0,6]},"a_scale":{"dtype":"F32","shape":[],"data_offsets":[6,10]}}`), int64(-1), 1)
	f.Add([]byte("GGUF\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"), int64(-1), 3)
	cfg, _ := config.ParseObject(fmt.Sprintf(llama, `,"quantization_config":{"quant_method":"gptq","bits":3}`))
	m, fail := family.Describe(cfg, families.Library())
	if fail != nil {
		f.Fatal(fail)
	}
	f.Fuzz(func(t *testing.T, b []byte, size int64, piece int) {
		whole, pieces := &checkpoint.List{}, &checkpoint.List{}
		errA := read(whole, "x", b, size, len(b)+1)
		errB := read(pieces, "x", b, size, max(piece%64, 1))
		if (errA == nil) != (errB == nil) || whole.Len() != pieces.Len() || whole.Bytes != pieces.Bytes {
			t.Fatalf("whole: %v, %d tensors; in pieces: %v, %d", errA, whole.Len(), errB, pieces.Len())
		}
		if errA != nil || whole.Finish() != nil {
			return
		}
		v := checkpoint.Verify(whole, cfg, m)
		sum := int64(0)
		for _, d := range v.Differences {
			if d.Tensors < 0 || d.Parameters < 0 {
				t.Fatalf("%+v", d)
			}
			if d.Kind == checkpoint.Extra {
				sum += d.Tensors
			}
		}
		if v.Parameters < 0 || sum > v.Tensors {
			t.Fatalf("%+v", v)
		}
		whole.Config()
	})
}
