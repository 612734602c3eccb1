package query

// Preset is what a training program does otherwise than a plain PyTorch loop over transformers' class: values of other
// keys, which hold where a question leaves these keys at their defaults.
type Preset struct {
	Name   string
	Title  string
	Source string
	Keys   []PresetKey
}

// PresetKey is one key of a preset.
type PresetKey struct {
	Param Param
	Value string
}

// Programs are the presets that program= names. Each row follows the program's own recipe for training all parameters;
// a layout, recomputation where the recipe leaves it open, and sizes are the question's.
var Programs = []Preset{
	{"torchtitan", "torchtitan", "pytorch/torchtitan, torchtitan/config/job_config.py and distributed/parallel_dims.py: FSDP2 with bf16 gathered and fp32 reduced, fused AdamW",
		[]PresetKey{{Precision, "fsdp-mixed"}, {Zero, "3"}, {OptimizerKernel, "fused"}}},
	{"torchtune", "torchtune", "pytorch/torchtune, recipes/configs/llama3_1/8B_full.yaml: bf16 throughout, checkpointed layers, loss in chunks, fused AdamW",
		[]PresetKey{{Precision, "bf16"}, {Recompute, "full"}, {Loss, "chunked"}, {OptimizerKernel, "fused"}}},
	{"llama-factory", "LLaMA-Factory", "hiyouga/LLaMA-Factory, src/llamafactory/model/adapter.py and model_utils/checkpointing.py: fp32 parameters under autocast, checkpointed layers",
		[]PresetKey{{Precision, "autocast"}, {Recompute, "full"}}},
	{"unsloth", "Unsloth", "unslothai/unsloth, unsloth/models/_utils.py: bf16 throughout, checkpointed layers, fused loss, 8-bit AdamW",
		[]PresetKey{{Precision, "bf16"}, {Recompute, "full"}, {Loss, "fused"}, {Optimizer, "adamw-8bit"}}},
	{"nanotron", "nanotron", "huggingface/nanotron, src/nanotron/optim/gradient_accumulator.py: bf16 parameters, gradients accumulated in fp32, ZeRO 1, loss over slices of the vocabulary",
		[]PresetKey{{Precision, "megatron"}, {Zero, "1"}, {Loss, "parallel"}, {OptimizerKernel, "fused"}}},
	{"megatron", "Megatron-LM", "NVIDIA/Megatron-LM, megatron/core/optimizer: bf16 parameters, gradients accumulated in fp32, distributed optimizer, loss over slices of the vocabulary",
		[]PresetKey{{Precision, "megatron"}, {Zero, "1"}, {Loss, "parallel"}, {OptimizerKernel, "fused"}}},
	{"deepspeed", "DeepSpeed", "microsoft/DeepSpeed, deepspeed/runtime/bf16_optimizer.py: 16-bit parameters, fp32 weights and gradients with the optimizer, ZeRO 2",
		[]PresetKey{{Precision, "deepspeed"}, {Zero, "2"}, {OptimizerKernel, "fused"}}},
}

// programNames are the presets' names, for the table of parameters: apart from what they do, so that the page's first
// program does not carry that.
var programNames = []string{"none", "torchtitan", "torchtune", "llama-factory", "unsloth", "nanotron", "megatron", "deepspeed"}

// Running returns the preset that a question asks for; nil for a plain loop.
func (q *Query) Running() *Preset {
	name := q.Get(Program)
	for i := range Programs {
		if Programs[i].Name == name {
			return &Programs[i]
		}
	}
	return nil
}

// Preset is the question with its program's values in place of defaults.
func (q *Query) Preset() Query {
	out := *q
	if p := q.Running(); p != nil {
		for _, k := range p.Keys {
			if !out.Has(k.Param) {
				out.vals[k.Param] = k.Value
			}
		}
	}
	return out
}
