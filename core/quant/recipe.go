package quant

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/model"
)

// Recipe says how each tensor of a model is stored.
type Recipe struct {
	Name string // as queries name it: "q4_k_m", "awq-g128"
	Text string // for people
	Bits int64  // of every element, when all are alike; 0 otherwise

	mix  *mix // llama.cpp's
	plan plan
}

// plan is a recipe of the hub's: a scheme for the linear layers, and what else
// it reaches. What it does not reach keeps rest; buffers of routers, the biases
// that steer the choice of experts, are in 32 bits.
type plan struct {
	linear  *scheme
	router  *scheme // of routers; nil leaves them
	outer   bool    // embedding and head too
	head    bool    // a head with a matrix of its own too
	towers  bool    // towers for images and sound too
	experts bool    // only routed experts
	own     *own    // a config's lists of modules; nil: every linear layer
	rest    Plain

	refused int64 // matrices that the scheme cannot take, counted while weighing
}

// The schemes of the named recipes.
var (
	awq128      = awq(4, 128)
	gptq32      = gptq(4, 32, false)
	gptq64      = gptq(4, 64, false)
	gptq128     = gptq(4, 128, false)
	gptq128gidx = gptq(4, 128, true)
	gptq8       = gptq(8, 128, false)
	w4a16Rows   = packed(4, 0, true, false)
	w4a16       = packed(4, 128, true, false)
	w8a8        = rows8("int8 rows", 16)
	nf4Plain    = nf4("nf4", false)
	nf4Double   = nf4("nf4", true)
	fp8b128     = fp8Block(128, 32)
	mxfp4       = mx("mxfp4", 4)
	mxfp8       = mx("mxfp8", 8)
	mlx4        = mlx(4, 64)
	mlx8        = mlx(8, 64)
)

// hub are the recipes of checkpoints on the hub.
var hub = []Recipe{
	{Name: "llm-int8", Text: "bitsandbytes 8-bit: one scale a row", plan: plan{linear: &llmInt8}},
	{Name: "fp8-block", Text: "8-bit float, one scale for 128×128, as DeepSeek-V3", plan: plan{linear: &fp8b128}},
	{Name: "mxfp8", Text: "8-bit float, one scale for 32 (OCP MX)", plan: plan{linear: &mxfp8}},
	{Name: "w4a16-g128", Text: "compressed-tensors 4-bit, symmetric, groups of 128", plan: plan{linear: &w4a16}},
	{Name: "w4a16", Text: "compressed-tensors 4-bit, symmetric: one scale a row", plan: plan{linear: &w4a16Rows}},
	{Name: "w8a8", Text: "compressed-tensors 8-bit: one scale a row", plan: plan{linear: &w8a8}},
	{Name: "awq-g128", Text: "AWQ 4-bit, groups of 128", plan: plan{linear: &awq128}},
	{Name: "gptq-g32", Text: "GPTQ 4-bit, groups of 32", plan: plan{linear: &gptq32}},
	{Name: "gptq-g64", Text: "GPTQ 4-bit, groups of 64", plan: plan{linear: &gptq64}},
	{Name: "gptq-g128", Text: "GPTQ 4-bit, groups of 128", plan: plan{linear: &gptq128}},
	{Name: "gptq-g128-gidx", Text: "GPTQ 4-bit, groups of 128, act-order with its group indices", plan: plan{linear: &gptq128gidx}},
	{Name: "gptq8-g128", Text: "GPTQ 8-bit, groups of 128", plan: plan{linear: &gptq8}},
	{Name: "nf4", Text: "bitsandbytes NormalFloat 4-bit, blocks of 64", plan: plan{linear: &nf4Plain}},
	{Name: "nf4-dq", Text: "the same with double quantization, as QLoRA", plan: plan{linear: &nf4Double}},
	{Name: "mxfp4", Text: "4-bit float, one scale for 32 (OCP MX); experts only, as gpt-oss", plan: plan{linear: &mxfp4, experts: true}},
	{Name: "nvfp4", Text: "4-bit float, one scale for 16", plan: plan{linear: &nvfp4}},
	{Name: "mlx-q4", Text: "MLX 4-bit, groups of 64, embedding and head too, routers in 8", plan: plan{linear: &mlx4, router: &mlx8, outer: true}},
	{Name: "mlx-q8", Text: "MLX 8-bit, groups of 64, embedding and head too", plan: plan{linear: &mlx8, router: &mlx8, outer: true}},
}

// Recipes lists every recipe: the plain formats first, then those of the hub,
// then llama.cpp's.
func Recipes() []Recipe {
	var all []Recipe
	for _, p := range plains {
		all = append(all, plainRecipe(p))
	}
	all = append(all, hub...)
	for i := range mixes {
		all = append(all, mixRecipe(&mixes[i]))
	}
	return all
}

// Named returns a recipe by the name that queries use.
func Named(name string) (Recipe, bool) {
	if p, ok := PlainNamed(name); ok {
		return plainRecipe(p), true
	}
	for _, r := range hub {
		if r.Name == name {
			return r, true
		}
	}
	for i := range mixes {
		if mixes[i].name == name {
			return mixRecipe(&mixes[i]), true
		}
	}
	return Recipe{}, false
}

func plainRecipe(p Plain) Recipe {
	return Recipe{Name: p.Name, Text: p.Text, Bits: p.Bits, plan: plan{rest: p}}
}

func mixRecipe(m *mix) Recipe {
	t := &ggmlTypes[m.base]
	return Recipe{Name: m.name, Text: "GGUF, mostly " + t.name + " (" + itoa(t.bytes) + " bytes for " + itoa(t.block) + ")", mix: m}
}

// GGUF reports whether the recipe is one of llama.cpp's.
func (r *Recipe) GGUF() bool { return r.mix != nil }

// Weigh works out the bytes of every tensor of a model in a recipe. cfg is the
// model's config: its rotary scaling tells which vectors a GGUF file adds, and
// its dtype in which 16 bits a recipe leaves what it does not reach.
//
// Bytes is the sum over tensors, each to the byte: data, scales, zero points and
// group indices; no file header, no padding, and no Metadata. A tensor that a
// recipe cannot take keeps 16 bits, in GGUF the type that ggmlTypes says.
// The error is an overflow.
func Weigh(m *model.Model, r *Recipe, cfg *config.Value) (Weights, *fault.Error) {
	return (&Weigher{Model: m, Config: cfg}).Weigh(r)
}

// Weigher weighs one model in several recipes: what GGUF files of it have in common is laid out once.
type Weigher struct {
	Model  *model.Model
	Config *config.Value
	file   *file
}

// Weigh is what the package's Weigh returns.
func (w *Weigher) Weigh(r *Recipe) (Weights, *fault.Error) {
	if r.mix != nil {
		return w.weighGGUF(r.mix)
	}
	p := r.plan
	if p.linear == nil {
		return WeighPlain(w.Model, p.rest)
	}
	if p.rest.Bits == 0 {
		p.rest = sixteen(w.Config)
	}
	return p.weigh(w.Model, r.Name)
}

// sixteen is the 16-bit format that a config's dtype names, else bf16.
func sixteen(cfg *config.Value) Plain {
	name, _ := DType(cfg)
	if name != "fp16" {
		name = "bf16"
	}
	p, _ := PlainNamed(name)
	return p
}
