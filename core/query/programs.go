package query

// Preset is what a training program does otherwise than a plain PyTorch loop over transformers' class: values of other
// keys, which hold where a question leaves these keys at their defaults.
type Preset struct {
	Name string
	Keys []PresetKey
	LoRA []PresetKey // what it sets where adapters are trained; the same where it says nothing
}

// About is the program as people write it, and where its recipe is read.
func (p *Preset) About() (title, source string) {
	for i := range described {
		if d := &described[i]; d[0] == p.Name {
			return d[1], d[2]
		}
	}
	return p.Name, ""
}

// PresetKey is one key of a preset.
type PresetKey struct {
	Param Param
	Value string
}

// Programs are the presets that program= names. Each row follows the program's own recipe for training all parameters;
// a layout, recomputation where the recipe leaves it open, and sizes are the question's.
var Programs = []Preset{
	{"torchtitan",
		[]PresetKey{{Precision, "fsdp-mixed"}, {Zero, "3"}, {Loss, "parallel"}, {OptimizerKernel, "fused"}}, nil},
	{"torchtune",
		[]PresetKey{{Precision, "bf16"}, {Recompute, "full"}, {Loss, "chunked"}, {OptimizerKernel, "fused"}},
		[]PresetKey{{Precision, "bf16"}, {Recompute, "full"}, {Loss, "chunked"}, {OptimizerKernel, "fused"}, {LoRADtype, "bf16"}}},
	{"llama-factory",
		[]PresetKey{{Precision, "autocast"}, {Recompute, "full"}},
		[]PresetKey{{Precision, "bf16"}, {Recompute, "full"}}},
	{"unsloth",
		[]PresetKey{{Precision, "bf16"}, {Recompute, "host"}, {Loss, "fused"}, {Kernels, "fused"}, {Optimizer, "adamw-8bit"}},
		[]PresetKey{{Precision, "bf16"}, {Recompute, "host"}, {Loss, "fused"}, {Kernels, "fused"}, {Optimizer, "adamw-8bit"}, {LoRADtype, "bf16"}}},
	{"nanotron",
		[]PresetKey{{Precision, "megatron"}, {Zero, "1"}, {Loss, "parallel"}, {OptimizerKernel, "fused"}}, nil},
	{"megatron",
		[]PresetKey{{Precision, "megatron"}, {Zero, "1"}, {Loss, "parallel"}, {OptimizerKernel, "fused"}}, nil},
	{"deepspeed",
		[]PresetKey{{Precision, "deepspeed"}, {Zero, "2"}, {OptimizerKernel, "fused"}}, nil},
}

// described are the presets' names, titles and sources: apart from what they do, which an answer needs without these.
var described = [...][3]string{
	{"torchtitan", "torchtitan", "pytorch/torchtitan, torchtitan/config/job_config.py and distributed/parallel_dims.py: FSDP2 with bf16 gathered and fp32 reduced, a loss over slices of the vocabulary where tensors are sliced, fused AdamW"},
	{"torchtune", "torchtune", "pytorch/torchtune, recipes/configs/llama3_1/8B_full.yaml: bf16 throughout, checkpointed layers, loss in chunks, fused AdamW"},
	{"llama-factory", "LLaMA-Factory", "hiyouga/LLaMA-Factory, src/llamafactory/model/adapter.py and model_utils/checkpointing.py: what is trained in fp32 under autocast, a frozen base in bf16, checkpointed layers"},
	{"unsloth", "Unsloth", "unslothai/unsloth, unsloth/models/_utils.py: bf16 throughout, checkpointed layers whose inputs wait with the host, fused loss and kernels, 8-bit AdamW"},
	{"nanotron", "nanotron", "huggingface/nanotron, src/nanotron/optim/gradient_accumulator.py: bf16 parameters, gradients accumulated in fp32, ZeRO 1, loss over slices of the vocabulary"},
	{"megatron", "Megatron-LM", "NVIDIA/Megatron-LM, megatron/core/optimizer: bf16 parameters, gradients accumulated in fp32, distributed optimizer, loss over slices of the vocabulary"},
	{"deepspeed", "DeepSpeed", "microsoft/DeepSpeed, deepspeed/runtime/bf16_optimizer.py: 16-bit parameters, fp32 weights and gradients with the optimizer, ZeRO 2"},
}

// For is what the program sets for a question: its keys for adapters where these are trained.
func (p *Preset) For(q *Query) []PresetKey {
	if q.Has(LoRARank) && len(p.LoRA) > 0 {
		return p.LoRA
	}
	return p.Keys
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
		for _, k := range p.For(q) {
			if !out.Has(k.Param) {
				out.put(k.Param, k.Value)
			}
		}
	}
	return out
}
