package quant

// Whole numbers of eight bits, one scale for each output.

// rows8 is eight bits with a scale for each row, whose bits are given: compressed-
// tensors' int-quantized and float-quantized layouts with the strategy channel,
// weight_scale [out, 1] in 16 bits (W8A8: Xiao et al. 2022, arXiv 2211.10438);
// FBGEMM's FP8 has 32.
func rows8(name string, scale int64) scheme {
	return scheme{name: name, bits: 8, spread: perRow, scale: scale}
}

// llmInt8 is bitsandbytes' Linear8bitLt: CB in eight bits and SCB [out] in 32.
// The columns of outliers that it multiplies in 16 bits are taken from CB as
// needed, not stored (Dettmers et al. 2022, arXiv 2208.07339, section 3).
var llmInt8 = rows8("int8 rows", 32)
