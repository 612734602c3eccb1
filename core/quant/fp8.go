package quant

// fp8Block is DeepSeek-V3's layout: eight-bit floats, weight_scale_inv in 32 bits
// for each square of 128×128: 8 + 32/16384 = 8.002 bits a weight; what is left
// over at the edges has a scale too. Embedding, head, norms and routers stay in
// 16 bits. Source: DeepSeek-AI 2024, arXiv 2412.19437, section 3.3; the
// checkpoint's README_WEIGHTS.md.
func fp8Block(size, scale int64) scheme {
	return scheme{name: "fp8 " + itoa(size) + "×" + itoa(size), bits: 8, spread: perBlock, size: size, scale: scale}
}

// fp8Tensor is eight-bit floats with one scale of 32 bits a matrix.
var fp8Tensor = scheme{name: "fp8 scaled", bits: 8, scale: 32}
