// Package query reads and writes the question: what a share link holds after
// its "?", and what the command takes as key=value.
//
// A query is a list of parameters with defaults that belong to its version, and
// overrides of config keys (set.KEY). Its canonical form begins with "v=1",
// keeps the table's order, leaves defaults out, and is readable: two queries ask
// the same when their canonical forms are equal. A second question, to compare
// with, stands in vs and vs.KEY ([Query.Second]). The table below is the only
// place that knows the parameters.
package query

// Param names a parameter of the query.
type Param uint8

// The parameters, in canonical order. set.KEY stands after Model, vs.KEY after
// Versus.
const (
	Model Param = iota
	Context
	Prompt
	Batch
	Chunk
	Weights
	KV
	KVPolicy
	Attention
	Flash
	Device
	Devices
	TP
	PP
	EP
	DP
	Optimizer
	Precision
	Zero
	Recompute
	Seq
	MicroBatch
	Tokens
	LoRARank
	LoRATargets
	Units
	Versus
	Mine
	CP
	VP
	SP
	Offload
	GlobalBatch
	Draft
	Accept
	Rate
	MFU
	Days
	Served
	NumParams // how many there are
)

// kind is how a parameter's value is read.
type kind uint8

const (
	name   kind = iota // a slug: letters, digits, "-", ".", "_"
	count              // 1 or more
	whole              // 0 or more
	percent            // 1 to 100
	choice             // one of Allowed
	tokens             // a count, or a number followed by "x"
	free               // a comma-separated list of names
)

// Info describes a parameter: what a page shows beside its field.
type Info struct {
	Name    string
	Default string // in version 1; empty: see Meaning
	Meaning string
	Allowed []string // for choices
	kind    kind
}

// MaxCount bounds every count in a query: past it no machine and no dataset is.
const MaxCount = 1 << 50

var onOff = []string{"on", "off"}

var params = [NumParams]Info{
	Model:       {Name: "model", Default: "llama-3.1-8b", Meaning: "catalogue slug", kind: name},
	Context:     {Name: "context", Default: "8192", Meaning: "tokens held per sequence", kind: count},
	Prompt:      {Name: "prompt", Meaning: "tokens prefilled per sequence; the context when left out", kind: count},
	Batch:       {Name: "batch", Default: "1", Meaning: "sequences", kind: count},
	Chunk:       {Name: "chunk", Default: "512", Meaning: "tokens processed at once", kind: count},
	Weights:     {Name: "weights", Default: "auto", Meaning: "format of the weights; auto is the config's own", kind: choice, Allowed: WeightFormats},
	KV:          {Name: "kv", Default: "bf16", Meaning: "format of the KV cache", kind: choice, Allowed: KVFormats},
	KVPolicy:    {Name: "kv-policy", Default: "minimum", Meaning: "who lays the cache out", kind: choice, Allowed: []string{"minimum", "transformers", "paged", "llama.cpp"}},
	Attention:   {Name: "attention", Default: "causal", Meaning: "which attention scores are counted", kind: choice, Allowed: []string{"causal", "full"}},
	Flash:       {Name: "flash", Default: "on", Meaning: "whether the scores are never stored", kind: choice, Allowed: onOff},
	Device:      {Name: "device", Default: "h100-sxm-80gb", Meaning: "accelerator or machine", kind: name},
	Devices:     {Name: "devices", Default: "1", Meaning: "how many devices", kind: count},
	TP:          {Name: "tp", Default: "1", Meaning: "tensor parallel size", kind: count},
	PP:          {Name: "pp", Default: "1", Meaning: "pipeline parallel size", kind: count},
	EP:          {Name: "ep", Default: "1", Meaning: "expert parallel size", kind: count},
	DP:          {Name: "dp", Default: "1", Meaning: "data parallel size", kind: count},
	Optimizer:   {Name: "optimizer", Default: "adamw", Meaning: "optimizer recipe", kind: choice, Allowed: []string{"adamw", "adam", "adamw-8bit", "adafactor", "lion", "muon", "sgd", "sgd-momentum", "shampoo", "soap"}},
	Precision:   {Name: "precision", Default: "bf16-mixed", Meaning: "training precision recipe", kind: choice, Allowed: []string{"bf16-mixed", "fp16-mixed", "fp32", "autocast", "megatron", "deepspeed", "bf16"}},
	Zero:        {Name: "zero", Default: "0", Meaning: "ZeRO stage", kind: choice, Allowed: []string{"0", "1", "2", "3"}},
	Recompute:   {Name: "recompute", Default: "none", Meaning: "activation recomputation", kind: choice, Allowed: []string{"none", "selective", "full"}},
	Seq:         {Name: "seq", Default: "4096", Meaning: "training sequence length", kind: count},
	MicroBatch:  {Name: "micro-batch", Default: "1", Meaning: "sequences of a device's micro-batch", kind: count},
	Tokens:      {Name: "tokens", Default: "20x", Meaning: "training tokens; 20x is 20 for each parameter", kind: tokens},
	LoRARank:    {Name: "lora-rank", Default: "0", Meaning: "rank of LoRA adapters; 0 trains everything", kind: whole},
	LoRATargets: {Name: "lora-targets", Default: "all-linear", Meaning: "what LoRA adapts", kind: free},
	Units:       {Name: "units", Default: "gb", Meaning: "decimal or binary bytes", kind: choice, Allowed: []string{"gb", "gib"}},
	Versus:      {Name: "vs", Meaning: "a second model to compare with", kind: name},
	Mine:        {Name: "mine", Meaning: "a number to explain, a rule, or both", kind: free},
	CP:          {Name: "cp", Default: "1", Meaning: "context parallel size", kind: count},
	VP:          {Name: "vp", Default: "1", Meaning: "pieces of layers on each pipeline stage", kind: count},
	SP:          {Name: "sp", Default: "on", Meaning: "sequence parallel, with tp", kind: choice, Allowed: onOff},
	Offload:     {Name: "offload", Default: "none", Meaning: "training states with the host", kind: choice, Allowed: []string{"none", "optimizer", "all"}},
	GlobalBatch: {Name: "global-batch", Default: "1024", Meaning: "sequences of a training step", kind: count},
	Draft:       {Name: "draft", Default: "0", Meaning: "tokens guessed before each step", kind: whole},
	Accept:      {Name: "accept", Default: "85", Meaning: "percent of guesses that are kept", kind: whole},
	Rate:        {Name: "tokens-per-second", Default: "0", Meaning: "measured in training, of one device", kind: whole},
	MFU:         {Name: "mfu", Default: "40", Meaning: "percent of peak in training", kind: percent},
	Days:        {Name: "days", Default: "0", Meaning: "a budget: days of the devices", kind: whole},
	Served:      {Name: "served", Default: "0", Meaning: "tokens served over the model's life", kind: whole},
}

// WeightFormats are the recipes of the weights that a query may name: auto, the
// plain formats, in which every parameter takes the same, those of the hub's
// checkpoints, and llama.cpp's. Package quant knows what each does.
var WeightFormats = []string{"auto", "fp32", "bf16", "fp16", "fp8", "int8",
	"llm-int8", "fp8-block", "mxfp8", "w4a16-g128", "w8a8", "awq-g128", "gptq-g32", "gptq-g64", "gptq-g128", "gptq-g128-gidx",
	"nf4", "nf4-dq", "mxfp4", "nvfp4", "mlx-q4", "mlx-q8",
	"f16", "gguf-bf16", "q8_0", "q6_k", "q5_k_m", "q5_k_s", "q5_1", "q5_0", "q4_k_m", "q4_k_s", "q4_1", "q4_0",
	"q3_k_l", "q3_k_m", "q3_k_s", "q2_k", "q2_k_s", "iq4_nl", "iq4_xs", "iq3_m", "iq3_s", "iq3_xs", "iq3_xxs",
	"iq2_m", "iq2_s", "iq2_xs", "iq2_xxs", "iq1_m", "iq1_s", "tq1_0", "tq2_0", "mxfp4_moe"}

// KVFormats are the formats of the cache.
var KVFormats = []string{"fp32", "bf16", "fp16", "fp8", "int8", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl", "fp8-ds-mla"}

// About returns what is known of a parameter.
func About(p Param) Info { return params[p] }

// ParamNamed returns the parameter with that key.
func ParamNamed(key string) (Param, bool) {
	for p := Param(0); p < NumParams; p++ {
		if params[p].Name == key {
			return p, true
		}
	}
	return 0, false
}
