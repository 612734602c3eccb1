// Package query reads and writes the question: what a share link holds after
// its "?", and what the command takes as key=value.
//
// A query is a list of parameters with defaults that belong to its version, and
// overrides of config keys (set.KEY). Its canonical form begins with "v=1",
// keeps the table's order, leaves defaults out, and is readable: two queries ask
// the same when their canonical forms are equal. A second question, to compare
// with, is in vs and vs.KEY ([Query.Second]). The table below is the only
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
	Kernels
	Engine
	Users
	Output
	Program
	Loss
	Outputs
	Logits
	OptimizerKernel
	Reshard
	LoRADtype
	LoRADropout
	Schedule
	Method
	Reference
	Rollouts
	Memory
	Bandwidth
	Peak
	OnDevice
	ExpertsOnHost
	HostBandwidth
	FirstWithin
	EachWithin
	Price
	Measured
	Image
	Sound
	NumParams // how many there are
)

// kind is how a parameter's value is read.
type kind uint8

const (
	name    kind = iota // a slug: letters, digits, "-", ".", "_"
	count               // 1 or more
	length              // a count of one sequence's tokens: see [Query.PutTyped]
	whole               // 0 or more
	percent             // 1 to 100
	choice              // one of Allowed
	tokens              // a count, or a number followed by "x"
	free                // a comma-separated list of names
	vast                // a count of what devices have, up to 10^18
	amount              // a number with up to four decimals
	share               // a decimal fraction from 0 up to 1, itself left out
	picture             // pixels across and down: "1024x768"
)

// Info describes a parameter: what a page shows beside its field.
type Info struct {
	Name    string
	Default string   // in version 1; empty: see [Meaning]
	Allowed []string // for choices
	kind    kind
}

// MaxCount bounds every count in a query: past it no machine and no dataset is.
const MaxCount = 1 << 50

var onOff = []string{"on", "off"}

var params = [NumParams]Info{
	Model:       {Name: "model", Default: "llama-3.1-8b", kind: name},
	Context:     {Name: "context", Default: "8192", kind: length},
	Prompt:      {Name: "prompt", kind: length},
	Batch:       {Name: "batch", Default: "1", kind: count},
	Chunk:       {Name: "chunk", Default: "512", kind: length},
	Weights:     {Name: "weights", Default: "auto", kind: choice, Allowed: WeightFormats},
	KV:          {Name: "kv", Default: "bf16", kind: choice, Allowed: KVFormats},
	KVPolicy:    {Name: "kv-policy", Default: "minimum", kind: choice, Allowed: []string{"minimum", "transformers", "paged", "llama.cpp"}},
	Attention:   {Name: "attention", Default: "causal", kind: choice, Allowed: []string{"causal", "full"}},
	Flash:       {Name: "flash", Default: "on", kind: choice, Allowed: onOff},
	Device:      {Name: "device", Default: "h100-sxm-80gb", kind: name},
	Devices:     {Name: "devices", Default: "1", kind: count},
	TP:          {Name: "tp", Default: "1", kind: count},
	PP:          {Name: "pp", Default: "1", kind: count},
	EP:          {Name: "ep", Default: "1", kind: count},
	DP:          {Name: "dp", Default: "1", kind: count},
	Optimizer:   {Name: "optimizer", Default: "adamw", kind: choice, Allowed: []string{"adamw", "adam", "adamw-8bit", "adafactor", "lion", "muon", "sgd", "sgd-momentum", "shampoo", "soap", "adagrad", "nadam", "radam", "rmsprop", "adamw-amsgrad", "adafactor-transformers"}},
	Precision:   {Name: "precision", Default: "bf16-mixed", kind: choice, Allowed: []string{"bf16-mixed", "fp16-mixed", "fp32", "autocast", "megatron", "deepspeed", "bf16", "fsdp-mixed"}},
	Zero:        {Name: "zero", Default: "0", kind: choice, Allowed: []string{"0", "1", "2", "3"}},
	Recompute:   {Name: "recompute", Default: "none", kind: choice, Allowed: []string{"none", "selective", "ops", "full", "host"}},
	Seq:         {Name: "seq", Default: "4096", kind: length},
	MicroBatch:  {Name: "micro-batch", Default: "1", kind: count},
	Tokens:      {Name: "tokens", Default: "20x", kind: tokens},
	LoRARank:    {Name: "lora-rank", Default: "0", kind: whole},
	LoRATargets: {Name: "lora-targets", Default: "all-linear", kind: free},
	Units:       {Name: "units", Default: "gb", kind: choice, Allowed: []string{"gb", "gib"}},
	Versus:      {Name: "vs", kind: name},
	Mine:        {Name: "mine", kind: free},
	CP:          {Name: "cp", Default: "1", kind: count},
	VP:          {Name: "vp", Default: "1", kind: count},
	SP:          {Name: "sp", Default: "on", kind: choice, Allowed: onOff},
	Offload:     {Name: "offload", Default: "none", kind: choice, Allowed: []string{"none", "optimizer", "all"}},
	GlobalBatch: {Name: "global-batch", Default: "1024", kind: count},
	Draft:       {Name: "draft", Default: "0", kind: whole},
	Accept:      {Name: "accept", Default: "85", kind: whole},
	Rate:        {Name: "tokens-per-second", Default: "0", kind: whole},
	MFU:         {Name: "mfu", Default: "40", kind: percent},
	Days:        {Name: "days", Default: "0", kind: whole},
	Served:      {Name: "served", Default: "0", kind: whole},
	Kernels:     {Name: "kernels", Default: "plain", kind: choice, Allowed: []string{"plain", "fused"}},

	Engine: {Name: "engine", kind: choice, Allowed: Engines},
	Users:  {Name: "users", kind: count},
	Output: {Name: "output", kind: count},

	Program:         {Name: "program", Default: "none", kind: choice, Allowed: programNames},
	Loss:            {Name: "loss", Default: "fp32", kind: choice, Allowed: []string{"fp32", "whole", "chunked", "fused", "parallel"}},
	Outputs:         {Name: "outputs", Default: "freed", kind: choice, Allowed: []string{"freed", "kept"}},
	Logits:          {Name: "logits", Default: "last", kind: choice, Allowed: []string{"last", "all"}},
	OptimizerKernel: {Name: "optimizer-kernel", Default: "foreach", kind: choice, Allowed: []string{"foreach", "fused", "loop", "backward"}},
	Reshard:         {Name: "reshard", Default: "on", kind: choice, Allowed: onOff},
	LoRADtype:       {Name: "lora-dtype", Default: "fp32", kind: choice, Allowed: []string{"fp32", "bf16", "fp16"}},
	LoRADropout:     {Name: "lora-dropout", Default: "0", kind: share},
	Method:          {Name: "method", Default: "sft", kind: choice, Allowed: []string{"sft", "dpo", "grpo"}},
	Reference:       {Name: "reference", Default: "on", kind: choice, Allowed: onOff},
	Rollouts:        {Name: "rollouts", Default: "8", kind: count},
	Schedule:        {Name: "schedule", Default: "1f1b", kind: choice, Allowed: []string{"1f1b", "gpipe", "zero-bubble"}},
	Image:           {Name: "image", kind: picture},
	Sound:           {Name: "seconds", kind: amount},

	Memory:        {Name: "memory", kind: vast},
	Bandwidth:     {Name: "bandwidth", kind: vast},
	Peak:          {Name: "peak", kind: vast},
	OnDevice:      {Name: "ngl", kind: whole},
	ExpertsOnHost: {Name: "ncmoe", Default: "0", kind: whole},
	HostBandwidth: {Name: "host-bandwidth", Default: "89600000000", kind: vast},
	FirstWithin:   {Name: "ttft-ms", kind: count},
	EachWithin:    {Name: "tpot-ms", kind: amount},
	Price:         {Name: "price", kind: amount},
	Measured:      {Name: "measured", kind: amount},
}

// Engines are what runs models; llama.cpp alone is its usual backend on the device, and llamafile what LocalScore measures.
var Engines = []string{"llama.cpp", "llama.cpp-cuda", "llama.cpp-metal", "llama.cpp-rocm", "llama.cpp-vulkan", "llama.cpp-cpu", "ollama", "llamafile", "ik_llama",
	"vllm", "sglang", "tensorrt-llm", "lmdeploy", "transformers", "mlx", "exllama", "gpt-fast", "habana", "neuron"}

// WeightFormats are the recipes of the weights that a query may name: auto, the
// plain formats, in which every parameter takes the same, those of the hub's
// checkpoints, and llama.cpp's. Package quant knows what each does.
var WeightFormats = []string{"auto", "fp32", "bf16", "fp16", "fp8", "int8",
	"llm-int8", "fp8-block", "mxfp8", "w4a16-g128", "w4a16", "w8a8", "awq-g128", "gptq-g32", "gptq-g64", "gptq-g128", "gptq-g128-gidx", "gptq8-g128",
	"nf4", "nf4-dq", "mxfp4", "nvfp4", "mlx-q4", "mlx-q8",
	"f16", "gguf-bf16", "q8_0", "q6_k", "q5_k_m", "q5_k_s", "q5_1", "q5_0", "q4_k_m", "q4_k_s", "q4_1", "q4_0",
	"q3_k_l", "q3_k_m", "q3_k_s", "q2_k", "q2_k_s", "iq4_nl", "iq4_xs", "iq3_m", "iq3_s", "iq3_xs", "iq3_xxs",
	"iq2_m", "iq2_s", "iq2_xs", "iq2_xxs", "iq1_m", "iq1_s", "tq1_0", "tq2_0", "mxfp4_moe"}

// KVFormats are the formats of the cache.
var KVFormats = []string{"fp32", "bf16", "fp16", "fp8", "int8", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl", "fp8-ds-mla"}

// About returns what is known of a parameter.
func About(p Param) Info { return params[p] }

// Worded reports whether a parameter's value is a word of whoever wrote the link: a name, or a list of
// names. All others are numbers, or one of the words that the table allows.
func (p Param) Worded() bool { k := params[p].kind; return k == name || k == free }

// Length reports whether a parameter is a length in tokens, of which a person's "32k" is 32,768.
func (p Param) Length() bool { return params[p].kind == length }

// ParamNamed returns the parameter with that key.
func ParamNamed(key string) (Param, bool) {
	for p := Param(0); p < NumParams; p++ {
		if params[p].Name == key {
			return p, true
		}
	}
	return 0, false
}
