package quant

// Floats in small blocks that share a scale.

// mx is a format of the OCP Microscaling specification 1.0, section 5: 32
// elements and a scale of eight bits, a power of two: 4.25 bits a weight for
// MXFP4, 8.25 for MXFP8. gpt-oss stores its experts so: *_blocks and *_scales
// (OpenAI 2025, arXiv 2508.10925, section 2.1).
func mx(name string, bits int64) scheme {
	return scheme{name: name, bits: bits, spread: perGroup, size: 32, scale: 8, in: 32}
}

// nvfp4 is four-bit floats (E2M1) with a scale of eight bits (E4M3) for 16 of
// them and one of 32 for the matrix: 4 + 8/16 = 4.5 bits a weight. Source:
// NVIDIA, TensorRT Model Optimizer, weight, weight_scale, weight_scale_2. The
// scale of the inputs that stands beside them isn't a weight and left out.
var nvfp4 = scheme{name: "nvfp4", bits: 4, spread: perGroup, size: 16, scale: 8, once: 32, in: 16}
