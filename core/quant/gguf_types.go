package quant

// ggml is a type of ggml's: how a block of a row's elements is packed, with its
// scales. An index into ggmlTypes.
type ggml uint8

// The types that files of llama.cpp use, the zero value standing for "the
// recipe's base".
const (
	same ggml = iota
	tF32
	tF16
	tBF16
	tQ80
	tQ6K
	tQ5K
	tQ51
	tQ50
	tQ4K
	tQ41
	tQ40
	tQ3K
	tQ2K
	tIQ4NL
	tIQ4XS
	tIQ3S
	tIQ3XXS
	tIQ2S
	tIQ2XS
	tIQ2XXS
	tIQ1M
	tIQ1S
	tTQ10
	tTQ20
	tMXFP4
	numGGML
)

// ggmlTypes gives each type its name, the elements of a block, the bytes that
// block takes, and the type that a row takes whose length the block does not
// divide (tensor_type_fallback in llama.cpp's src/llama-quant.cpp; when that one
// does not fit either, F16). Sizes are those of the structs in ggml's
// src/ggml-common.h: Q4_K, for instance, is 256 elements of 4 bits, 12 bytes of
// 6-bit scales and minima, and two F16 scales: 128 + 12 + 4 = 144 bytes.
// Source: llama.cpp as in llama-cpp-python 0.3.36.
var ggmlTypes = [numGGML]struct {
	name  string
	block int64 // elements
	bytes int64
	next  ggml
}{
	tF32:    {"F32", 1, 4, tF16},
	tF16:    {"F16", 1, 2, tF16},
	tBF16:   {"BF16", 1, 2, tF16},
	tQ80:    {"Q8_0", 32, 34, tF16},       // one F16 scale
	tQ6K:    {"Q6_K", 256, 210, tQ80},     // 6 bits, 16 scales of 8 bits, F16
	tQ5K:    {"Q5_K", 256, 176, tQ51},     // as Q4_K with a fifth bit
	tQ51:    {"Q5_1", 32, 24, tF16},       // F16 scale and minimum
	tQ50:    {"Q5_0", 32, 22, tF16},       // F16 scale
	tQ4K:    {"Q4_K", 256, 144, tQ50},     // 8 sub-blocks
	tQ41:    {"Q4_1", 32, 20, tF16},       // F16 scale and minimum
	tQ40:    {"Q4_0", 32, 18, tF16},       // F16 scale
	tQ3K:    {"Q3_K", 256, 110, tQ40},     // 3 bits, 16 scales of 6 bits, F16
	tQ2K:    {"Q2_K", 256, 84, tQ40},      // 2 bits, 16 scales and minima of 4 bits, two F16
	tIQ4NL:  {"IQ4_NL", 32, 18, tF16},     // 4 bits into a table of 16 values
	tIQ4XS:  {"IQ4_XS", 256, 136, tIQ4NL}, // the same with 6-bit scales
	tIQ3S:   {"IQ3_S", 256, 110, tIQ4NL},  // 3 bits into a codebook
	tIQ3XXS: {"IQ3_XXS", 256, 98, tIQ4NL}, // the same, smaller codebook
	tIQ2S:   {"IQ2_S", 256, 82, tIQ4NL},   // 2 bits into a codebook
	tIQ2XS:  {"IQ2_XS", 256, 74, tIQ4NL},  // the same, smaller codebook
	tIQ2XXS: {"IQ2_XXS", 256, 66, tIQ4NL}, // the same, smaller still
	tIQ1M:   {"IQ1_M", 256, 56, tIQ4NL},   // ternary codebook
	tIQ1S:   {"IQ1_S", 256, 50, tIQ4NL},   // the same, coarser scales
	tTQ10:   {"TQ1_0", 256, 54, tQ40},     // ternary, five digits a byte
	tTQ20:   {"TQ2_0", 256, 66, tQ40},     // ternary, two bits a digit
	tMXFP4:  {"MXFP4", 32, 17, tF16},      // 4-bit floats, one 8-bit exponent
}

// fits returns t, or what a row of that many elements takes instead.
func (t ggml) fits(row int64) ggml {
	if row%ggmlTypes[t].block == 0 {
		return t
	}
	if t = ggmlTypes[t].next; row%ggmlTypes[t].block == 0 {
		return t
	}
	return tF16
}
