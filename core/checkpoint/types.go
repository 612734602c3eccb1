package checkpoint

import (
	"math/bits"

	"llmsize/core/units"
)

// Type is how the elements of a tensor are stored: a safetensors dtype or a
// type of ggml's, an index into one table.
type Type uint8

// kindOf groups types by what they hold.
type kindOf uint8

const (
	floats    kindOf = iota // 16 bits and more
	small                   // floats of eight bits and less, which need scales
	exponents               // eight bits of exponent and nothing else: scales
	whole                   // integers: packed weights, indices, masks
	blocks                  // ggml's blocks, scales included
)

// types of both formats. Sources: safetensors 0.8, src/tensor.rs, Dtype; ggml's
// include/ggml.h (numbers) and src/ggml-common.h (structs) as in llama.cpp.
var types = []struct {
	name  string
	plain string // the format's name in a query, for types that a config's dtype can name
	kind  kindOf
	block int64 // elements of a block
	bits  int64 // of a block
	ggml  int16 // its number in a GGUF file, -1 for none
}{
	{"F64", "", floats, 1, 64, 28},
	{"F32", "fp32", floats, 1, 32, 0},
	{"F16", "fp16", floats, 1, 16, 1},
	{"BF16", "bf16", floats, 1, 16, 30},
	{"C64", "", floats, 1, 64, -1},
	{"F8_E4M3", "fp8", small, 1, 8, -1},
	{"F8_E5M2", "fp8", small, 1, 8, -1},
	{"F8_E4M3FNUZ", "fp8", small, 1, 8, -1},
	{"F8_E5M2FNUZ", "fp8", small, 1, 8, -1},
	{"F8_E8M0", "", exponents, 1, 8, -1},
	{"F6_E2M3", "", small, 1, 6, -1},
	{"F6_E3M2", "", small, 1, 6, -1},
	{"F4", "", small, 1, 4, -1},
	{"I64", "", whole, 1, 64, 27},
	{"I32", "", whole, 1, 32, 26},
	{"I16", "", whole, 1, 16, 25},
	{"I8", "int8", whole, 1, 8, 24},
	{"U64", "", whole, 1, 64, -1},
	{"U32", "", whole, 1, 32, -1},
	{"U16", "", whole, 1, 16, -1},
	{"U8", "", whole, 1, 8, -1},
	{"BOOL", "", whole, 1, 8, -1},
	{"Q4_0", "", blocks, 32, 18 * 8, 2},
	{"Q4_1", "", blocks, 32, 20 * 8, 3},
	{"Q5_0", "", blocks, 32, 22 * 8, 6},
	{"Q5_1", "", blocks, 32, 24 * 8, 7},
	{"Q8_0", "", blocks, 32, 34 * 8, 8},
	{"Q8_1", "", blocks, 32, 36 * 8, 9},
	{"Q2_K", "", blocks, 256, 84 * 8, 10},
	{"Q3_K", "", blocks, 256, 110 * 8, 11},
	{"Q4_K", "", blocks, 256, 144 * 8, 12},
	{"Q5_K", "", blocks, 256, 176 * 8, 13},
	{"Q6_K", "", blocks, 256, 210 * 8, 14},
	{"Q8_K", "", blocks, 256, 292 * 8, 15},
	{"IQ2_XXS", "", blocks, 256, 66 * 8, 16},
	{"IQ2_XS", "", blocks, 256, 74 * 8, 17},
	{"IQ3_XXS", "", blocks, 256, 98 * 8, 18},
	{"IQ1_S", "", blocks, 256, 50 * 8, 19},
	{"IQ4_NL", "", blocks, 32, 18 * 8, 20},
	{"IQ3_S", "", blocks, 256, 110 * 8, 21},
	{"IQ2_S", "", blocks, 256, 82 * 8, 22},
	{"IQ4_XS", "", blocks, 256, 136 * 8, 23},
	{"IQ1_M", "", blocks, 256, 56 * 8, 29},
	{"Q4_0_4_4", "", blocks, 32, 18 * 8, 31}, // 31 to 33 and 36 to 38 are other orders of Q4_0 and IQ4_NL, no longer written
	{"Q4_0_4_8", "", blocks, 32, 18 * 8, 32},
	{"Q4_0_8_8", "", blocks, 32, 18 * 8, 33},
	{"TQ1_0", "", blocks, 256, 54 * 8, 34},
	{"TQ2_0", "", blocks, 256, 66 * 8, 35},
	{"IQ4_NL_4_4", "", blocks, 32, 18 * 8, 36},
	{"IQ4_NL_4_8", "", blocks, 32, 18 * 8, 37},
	{"IQ4_NL_8_8", "", blocks, 32, 18 * 8, 38},
	{"MXFP4", "", blocks, 32, 17 * 8, 39},
	{"NVFP4", "", blocks, 64, 36 * 8, 40},
	{"Q1_0", "", blocks, 128, 18 * 8, 41},
}

// NumTypes is how many types there are: a Type is below it.
var NumTypes = len(types)

// String returns the type's name in its format: "BF16", "Q4_K".
func (t Type) String() string { return types[t].name }

// typeNamed finds a safetensors dtype.
func typeNamed(name []byte) (Type, bool) {
	for i := range types {
		if is(name, types[i].name) && types[i].kind != blocks {
			return Type(i), true
		}
	}
	return 0, false
}

// typeNumbered finds a type of ggml's.
func typeNumbered(n uint32) (Type, bool) {
	for i := range types {
		if types[i].ggml >= 0 && uint32(types[i].ggml) == n {
			return Type(i), true
		}
	}
	return 0, false
}

// safetensorsTypes lists the dtypes of a format for a message.
func safetensorsTypes() string {
	s := ""
	for i := range types {
		if types[i].kind != blocks {
			s += ", " + types[i].name
		}
	}
	return s[2:]
}

// dataBytes is what elements of the type take; ok is false when a block or a byte
// does not come out whole, or the product passes int64.
func (t Type) dataBytes(elements int64) (int64, bool) {
	x := &types[t]
	if elements%x.block != 0 {
		return 0, false
	}
	n, ok := times(elements/x.block, x.bits)
	return n / 8, ok && n%8 == 0
}

// times multiplies what is not negative, with a check for overflow.
func times(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(lo), hi == 0 && lo < 1<<63 && a >= 0 && b >= 0
}

// product multiplies the sides of a shape.
func product(dims []int64) (int64, bool) {
	n, zero := int64(1), false
	ok := true
	for _, d := range dims {
		if d == 0 {
			zero = true
			continue
		}
		if n, ok = times(n, d); !ok {
			return 0, false
		}
	}
	if zero {
		n = 0
	}
	return n, true
}

// shapeText writes a shape for people: "4096x14336", "-" for a scalar.
func shapeText(dims []int64) string {
	if len(dims) == 0 {
		return "-"
	}
	s := ""
	for i, d := range dims {
		if i > 0 {
			s += "x"
		}
		s += units.Itoa(d)
	}
	return s
}
