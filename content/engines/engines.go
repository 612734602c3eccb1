// Package engines holds what is known of engines' speeds, as files of their own: for a program that predicts and nothing else of
// the catalogue.
package engines

import _ "embed" // as texts, so that the program needs no file system

//go:embed exllama.toml
var exllamaText string

//go:embed families.toml
var familiesText string

//go:embed gpt-fast.toml
var gptFastText string

//go:embed habana.toml
var habanaText string

//go:embed ik_llama.toml
var ikLlamaText string

//go:embed llama.cpp-cpu.toml
var llamaCppCpuText string

//go:embed llama.cpp-cuda.toml
var llamaCppCudaText string

//go:embed llama.cpp-metal.toml
var llamaCppMetalText string

//go:embed llama.cpp-rocm.toml
var llamaCppRocmText string

//go:embed llama.cpp-vulkan.toml
var llamaCppVulkanText string

//go:embed llamafile.toml
var llamafileText string

//go:embed llmq.toml
var llmqText string

//go:embed lmdeploy.toml
var lmdeployText string

//go:embed megatron.toml
var megatronText string

//go:embed mlx.toml
var mlxText string

//go:embed sglang.toml
var sglangText string

//go:embed tensorrt-llm.toml
var tensorrtLlmText string

//go:embed torchtitan.toml
var torchtitanText string

//go:embed training.toml
var trainingText string

//go:embed transformers-eager.toml
var transformersEagerText string

//go:embed transformers.toml
var transformersText string

//go:embed vllm.toml
var vllmText string

// Each calls with the name and the text of every file, in the order of names.
func Each(with func(name, text string)) {
	for _, f := range [...]struct{ name, text string }{
		{"exllama.toml", exllamaText},
		{"families.toml", familiesText},
		{"gpt-fast.toml", gptFastText},
		{"habana.toml", habanaText},
		{"ik_llama.toml", ikLlamaText},
		{"llama.cpp-cpu.toml", llamaCppCpuText},
		{"llama.cpp-cuda.toml", llamaCppCudaText},
		{"llama.cpp-metal.toml", llamaCppMetalText},
		{"llama.cpp-rocm.toml", llamaCppRocmText},
		{"llama.cpp-vulkan.toml", llamaCppVulkanText},
		{"llamafile.toml", llamafileText},
		{"llmq.toml", llmqText},
		{"lmdeploy.toml", lmdeployText},
		{"megatron.toml", megatronText},
		{"mlx.toml", mlxText},
		{"sglang.toml", sglangText},
		{"tensorrt-llm.toml", tensorrtLlmText},
		{"torchtitan.toml", torchtitanText},
		{"training.toml", trainingText},
		{"transformers-eager.toml", transformersEagerText},
		{"transformers.toml", transformersText},
		{"vllm.toml", vllmText},
	} {
		with(f.name, f.text)
	}
}
