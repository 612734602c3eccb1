// Package quant knows number formats: how many bytes a tensor takes in each.
//
// [Recipe] is how each tensor of a model is stored, under the names that queries
// use; [Recipes] lists them, [Weigh] works one out for a model, [Own] finds the
// one that a config names for itself. There are three kinds.
//
// A plain format gives every parameter the same number of bits, with no scales
// beside them (plain.go).
//
// A recipe of the hub's checkpoints has a scheme for linear layers and leaves the
// rest in 16 bits: [scheme] is its arithmetic, one file for each kind of scheme
// (int4.go, int8.go, nf4.go, fp8.go, micro.go), plan.go applies it. A config's
// quantization_config (own.go, own_methods.go) may name single modules, by words,
// globs or regular expressions (modules.go, regex.go).
//
// A recipe of llama.cpp's picks one of ggml's block types (gguf_types.go) for each
// tensor of a GGUF file (gguf_layout.go, gguf_names.go), by what the tensor is for
// and where its layer stands (gguf_rules.go); gguf.go adds up.
package quant

import (
	"llmsize/core/fault"
	"llmsize/core/model"
)

// Plain is a format in which every element takes the same number of bits.
type Plain struct {
	Name string // as queries name it
	Bits int64  // per element
	Text string // for people
}

var plains = []Plain{
	{"fp32", 32, "32-bit float (IEEE 754 binary32)"},
	{"bf16", 16, "bfloat16: 8 bits of exponent, 7 of fraction"},
	{"fp16", 16, "16-bit float (IEEE 754 binary16)"},
	{"fp8", 8, "8-bit float, without scales"},
	{"int8", 8, "8-bit integer, without scales"},
}

// PlainNamed returns a plain format.
func PlainNamed(name string) (Plain, bool) {
	for _, p := range plains {
		if p.Name == name {
			return p, true
		}
	}
	return Plain{}, false
}

// FromDType returns the plain format for a config's torch_dtype ("bfloat16",
// "torch.float16"), and whether it names one.
func FromDType(dtype string) (string, bool) {
	if len(dtype) > 6 && dtype[:6] == "torch." {
		dtype = dtype[6:]
	}
	switch dtype {
	case "float32", "float":
		return "fp32", true
	case "bfloat16":
		return "bf16", true
	case "float16", "half":
		return "fp16", true
	case "float8_e4m3fn", "float8_e5m2":
		return "fp8", true
	}
	return "", false
}

// WeighPlain works out the bytes of a model whose elements all take the same:
// elements · bits / 8, buffers included, tied tensors once. The error is an
// overflow.
func WeighPlain(m *model.Model, p Plain) (Weights, *fault.Error) {
	w := Weights{Types: []Of{{Type: p.Name}}}
	t := &w.Types[0]
	m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, x *model.Tensor, layers int64) {
		t.Tensors += x.Copies * layers
		t.Elements += x.Elements * x.Copies * layers
	})
	n, ok := product(t.Elements, p.Bits)
	if !ok {
		return w, tooLarge(p.Name)
	}
	t.Bytes = up(n, 8)
	w.Elements, w.Bytes = t.Elements, t.Bytes
	return w, nil
}
