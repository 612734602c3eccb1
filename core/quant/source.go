package quant

// SourceOf says where a recipe's layout was read.
func SourceOf(r *Recipe) string {
	if r.GGUF() {
		return "llama.cpp as in llama-cpp-python 0.3.36, src/llama-quant.cpp, ggml/src/ggml-common.h"
	}
	for i := range sources {
		if s := &sources[i]; begins(r.Name, s.name) {
			return s.text
		}
	}
	return "IEEE 754-2019; OCP 8-bit Floating Point Specification 1.0"
}

// sources are by what a recipe's name begins with.
var sources = []struct{ name, text string }{
	{"llm-int8", "Dettmers et al. 2022, arXiv 2208.07339, section 3; bitsandbytes, nn/modules.py"},
	{"fp8-block", "DeepSeek-AI 2024, arXiv 2412.19437, section 3.3"},
	{"mx", "OCP Microscaling Formats Specification 1.0, section 5"},
	{"w4a16", "compressed-tensors, pack-quantized"},
	{"w8a8", "Xiao et al. 2022, arXiv 2211.10438; compressed-tensors, int-quantized"},
	{"awq", "Lin et al. 2023, arXiv 2306.00978, section 3; AutoAWQ, modules/linear/gemm.py"},
	{"gptq", "Frantar et al. 2022, arXiv 2210.17323, section 3; AutoGPTQ, qlinear_cuda.py"},
	{"nf4", "Dettmers et al. 2023, arXiv 2305.14314, section 3; bitsandbytes, functional.py"},
	{"nvfp4", "NVIDIA TensorRT Model Optimizer, NVFP4"},
	{"mlx", "mlx, nn/layers/quantized.py; mlx-lm, utils.py"},
}
