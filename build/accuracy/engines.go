package accuracy

import "llmsize/core/predict"

// engine is what is declared of one: its name, those that it shares constants with, and those that its constants are drawn to.
type engine struct {
	name, title, group, kin string
	chunk                   float64
	alone                   bool   // what one device shows holds for no other
	on                      string // makers whose devices it runs on, or a kind of device, as its documentation says; empty: not looked at
}

// engines are all, in the order in which they are fitted.
// Engines of a group share their constants, because each was measured on few devices; their factors differ.
//
// chunk is how many tokens of a prompt an engine reads at once unless it is told otherwise, by its own defaults: llama.cpp's n_ubatch,
// mlx_lm's prefill_step_size, ExLlama's max_chunk_size, vLLM's max_num_batched_tokens, SGLang's chunked_prefill_size, TensorRT-LLM's
// max_num_tokens. The others read all of it.
//
// Optimum Habana's public runs here are of Gaudi 1. What an older list of the same tests has for the next generation (Llama 2 7B at 141
// tokens a second) is half as much again as Gaudi 1's constants give there, outside any band that other engines would lend.
// ik_llama.cpp's runs are of one processor; how it does on others by its kernels' instructions nobody here measured.
var engines = []engine{
	{"exllama", "ExLlama", "", "", 2048, false, "NVIDIA AMD"},
	{"gpt-fast", "gpt-fast", "", "", 0, false, "NVIDIA AMD"},
	{"habana", "Optimum Habana", "", "", 0, true, "Intel"},
	{"ik_llama", "ik_llama.cpp on the processor", "", "", 512, true, "cpu"},
	{"llama.cpp-cpu", "llama.cpp and llamafile on the processor", "", "", 512, false, "cpu"},
	{"llama.cpp-cuda", "llama.cpp, CUDA", "", "llama", 512, false, "NVIDIA"},
	{"llama.cpp-metal", "llama.cpp, Metal", "", "llama", 512, false, "Apple"},
	{"llama.cpp-rocm", "llama.cpp, ROCm", "", "llama", 512, false, "AMD"},
	{"llama.cpp-vulkan", "llama.cpp, Vulkan", "", "llama", 512, false, "NVIDIA AMD Intel Apple"},
	{"llmq", "llmq", "", "", 0, false, ""},
	{"megatron", "Megatron", "", "", 0, false, ""},
	{"torchtitan", "torchtitan", "", "", 0, false, ""},
	{"llamafile", "llamafile, as LocalScore runs it", "", "llama", 512, false, "NVIDIA AMD Apple"},
	{"lmdeploy", "LMDeploy", "servers", "", 0, false, "NVIDIA"},
	{"mlx", "MLX", "", "llama", 2048, false, "Apple"},
	{"neuron", "Neuron", "", "", 0, false, "AWS"},
	{"sglang", "SGLang", "servers", "", 8192, false, "NVIDIA AMD Intel Google"},
	{"tensorrt-llm", "TensorRT-LLM", "servers", "", 8192, false, "NVIDIA"},
	{"transformers", "transformers, with AutoAWQ's fused layers", "", "", 0, false, "NVIDIA AMD"},
	{predict.Eager, "transformers, eager", "", "", 0, false, "NVIDIA AMD Intel Apple"},
	{"vllm", "vLLM", "servers", "", 2048, false, "NVIDIA AMD Intel Google AWS"},
	{everyProgram, "programs for training, taken together", "", "", 0, false, ""},
}

// everyProgram is what all programs for training have in common: for those that nobody measured. It is fitted to runs that others are
// fitted to as well, and its errors count once, in its own line.
const everyProgram = "training"

// engineOf is an engine by its name; empty where there is none.
func engineOf(name string) engine {
	for _, t := range engines {
		if t.name == name {
			return t
		}
	}
	return engine{}
}

// party is an engine with its runs, those that share its constants, and those of its relatives.
type party struct {
	engine
	runs, group, relatives []*run
}

// partiesOf are the engines of which a run may be fitted to.
func partiesOf(runs []*run) (out []party) {
	for _, t := range engines {
		p := party{engine: t, runs: without(runs, func(x *run) bool { return x.engine != t.name })}
		if t.name == everyProgram {
			p.runs = together(of(runs, training))
		}
		if len(fits(p.runs)) == 0 {
			continue
		}
		p.group = p.runs
		if t.group != "" {
			p.group = without(runs, func(x *run) bool { return engineOf(x.engine).group != t.group })
		}
		p.relatives = p.group
		if t.kin != "" {
			p.relatives = without(runs, func(x *run) bool { return engineOf(x.engine).kin != t.kin })
		}
		out = append(out, p)
	}
	return out
}
