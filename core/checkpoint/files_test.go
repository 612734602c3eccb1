package checkpoint_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
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
var sizes = map[string]int64{"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "F8_E4M3": 8, "F8_E8M0": 8, "F4": 4, "I64": 64, "I32": 32, "U32": 32, "I16": 16, "I8": 8, "U8": 8, "BOOL": 8}

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

// summary writes a verdict in one line: what each difference comes to.
func summary(v *checkpoint.Verdict) string {
	s := v.Verdict
	for _, d := range v.Differences {
		s += fmt.Sprintf("; %s %s %d/%d", d.Kind, d.Reason, d.Tensors, d.Parameters)
	}
	return s
}

func asError(f *fault.Error) error {
	if f == nil {
		return nil
	}
	return f
}
