package rules

import "llmsize/core/report"

// Programs and papers that the table names more than once. Programs as read in
// November 2026.
const (
	kaplan     = "Kaplan et al. 2020, arXiv 2001.08361, section 2.1"
	poor       = "gpu_poor, src/App.js"
	cookbook   = "EleutherAI cookbook, calc/calc_transformer_mem.py"
	hfmem      = "hf-mem, src/hf_mem/safetensors/kv_cache.py"
	accelerate = "accelerate, commands/estimate.py"
	analysis   = "llm-analysis, llm_analysis/analysis.py"
	ggufparser = "gguf-parser-go, file_estimate__llamacpp.go"
)

// table lists the rules, quantity by quantity.
var table = [...]Rule{
	{
		Name: "12lh2", Title: "Twelve L h squared", Of: Parameters, Formula: "12·L·h²",
		Says:  "Each layer has four square matrices for attention and eight for the feed-forward part.",
		Right: "for the weights inside the layers of a model with full heads and a feed-forward part of 8·h²",
		Users: []string{kaplan, "scaling-law papers and most introductions"},
		by:    &shape{attention: square, channels: byFormula, matrices: 2, wide: 4, tables: -1, positions: -1, norms: -1, bare: true},
	},
	{
		Name: "12lh2-vh", Title: "Twelve L h squared and the embedding", Of: Parameters, Formula: "12·L·h² + V·h",
		Says:  "The same, and one table of the vocabulary.",
		Right: "for GPT-2's plan with a tied head, up to positions, biases and norms",
		Users: []string{"introductions that add the embedding"},
		by:    &shape{attention: square, channels: byFormula, matrices: 2, wide: 4, tables: 1, positions: -1, norms: -1, bare: true},
	},
	{
		Name: "llama-formula", Title: "One formula for every model", Of: Parameters, Formula: "2·V·h + 4·L·h² + 3·L·h·f",
		Says:  "Two tables of the vocabulary, four square matrices and three of width f in each layer.",
		Right: "for the first LLaMA and Llama 2 up to 13B, up to their norms",
		Users: []string{poor},
		by:    &shape{attention: square, channels: byFormula, matrices: 3, tables: 2, positions: -1, norms: -1, bare: true},
	},
	{
		Name: "neox-formula", Title: "GPT-NeoX's formula for every model", Of: Parameters, Formula: "2·V·h + s·h + 4·L·h² + 2·L·h·f + 8·L·h + 2·h",
		Says:  "Two tables of the vocabulary, one of positions, square attention, two matrices of width f, and norms.",
		Right: "for models with learned positions, full heads and no gate",
		Users: []string{cookbook},
		by:    &shape{attention: square, channels: byFormula, matrices: 2, tables: 2, positions: 1, norms: 1, bare: true},
	},
	{
		Name: "no-head", Title: "Without the output head", Of: Parameters, Formula: "exact − V·h",
		Says:  "The base class is counted, or the head is taken to be the embedding.",
		Right: "for models whose head is tied to the embedding, and for encoders",
		Users: []string{accelerate + " (the base class)", analysis + " (a shared table)"},
		by:    &shape{noHead: true},
	},
	{
		Name: "divided-heads", Title: "Heads of h/a", Of: Parameters, Formula: "exact with d = h/a",
		Says:  "The width of a head is worked out from hidden size and heads, whatever the config says.",
		Right: "for models that leave head_dim out, or where a·d is h",
		Users: []string{analysis, "presets that list hidden size and heads only"},
		by:    &shape{attention: divided},
	},
	{
		Name: "one-expert", Title: "One expert", Of: Parameters, Formula: "exact with E = 1",
		Says:  "One feed-forward part is counted where there are many.",
		Right: "for models without experts",
		Users: []string{poor + " (by its formula)"},
		by:    &shape{channels: oneExpert},
	},
	{
		Name: "active-as-total", Title: "Active parameters for all", Of: Parameters, Formula: "active",
		Says:  "The active parameters are taken for the whole model.",
		Right: "for the work of one token; never for memory",
		Users: []string{"estimates of memory that start from the active count"},
		by:    function(activeAsTotal),
	},
	{
		Name: "full-latents", Title: "Latent attention as full heads, experts in every layer", Of: Parameters, Formula: "exact with 4·h·a·d for attention",
		Says:  "Low-rank attention is counted as four full matrices, and the first dense layers as if they had experts.",
		Right: "for models with ordinary attention and experts in every layer",
		Users: []string{"calculators with one form for attention and one for layers"},
		by:    &shape{attention: fullHeads, channels: everySparse},
	},
	{
		Name: "packed-words", Title: "Packed words for weights", Of: Parameters, Formula: "packed ⁄ 8 + the rest",
		Says:  "The numbers that a 4-bit checkpoint stores are counted, though each holds eight weights.",
		Right: "for checkpoints that are not packed",
		Users: []string{"counts that add up a safetensors header"},
		by:    function(packedRule),
	},
	{
		Name: "stored", Title: "Everything in the files", Of: Parameters, Formula: "exact + all else in the published files",
		Says:  "What the published files hold: buffers, layers that predict further tokens, a tied head stored again, scales.",
		Right: "for what the files hold, where somebody has read them",
		Users: []string{"the hub's own counter", "model pages that add up the files"},
		by:    function(storedRule),
	},
	{
		Name: "active-without-embedding", Title: "Active without the embedding", Of: ActiveParameters, Formula: "active − V·h",
		Says:  "The embedding is looked up, not multiplied by, and is left out.",
		Right: "where that is the convention, as on the cards of gpt-oss",
		Users: []string{"gpt-oss model card, arXiv 2508.10925, table 1"},
		by:    &activeRule{embedding: false, head: true},
	},
	{
		Name: "active-layers", Title: "Active in the layers alone", Of: ActiveParameters, Formula: "active − embedding − head",
		Says:  "Neither embedding nor head is counted.",
		Right: "where that is the convention",
		Users: []string{"comparisons by work in the layers"},
		by:    &activeRule{embedding: false, head: false},
	},
	{
		Name: "name-16", Title: "The number in the name, times two", Of: Weights, Formula: "billions × 2 GB",
		Says:  "The name's number of billions, two bytes each.",
		Right: "for 16-bit weights, as far as the name is right",
		Users: []string{"rules of thumb for GPU memory"},
		by:    &weightRule{named: true, bits: 16, sixteen: true},
	},
	{
		Name: "byte-each", Title: "One GB for each billion", Of: Weights, Formula: "1 byte · P",
		Says:  "The parameter count is read as bytes.",
		Right: "for 8-bit weights without scales",
		Users: []string{"rules of thumb for 8 bits; tables that take a count for a size"},
		by:    &weightRule{bits: 8},
	},
	{
		Name: "half-byte", Title: "Half a byte for four bits", Of: Weights, Formula: "½ byte · P",
		Says:  "Four bits for every parameter, no scales, nothing left in 16 bits.",
		Right: "for the packed part alone",
		Users: []string{accelerate + " (int4)", "most calculators"},
		by:    &weightRule{bits: 4, half: true},
	},
	{
		Name: "layers-only", Title: "The layers alone", Of: Weights, Formula: "(P − embedding − head) · bytes",
		Says:  "Embedding and head are left out.",
		Right: "for what is split over the layers of a pipeline, less its ends",
		Users: []string{"analyses by layer"},
		by:    &weightRule{layers: true},
	},
	{
		Name: "2lh-token", Title: "Two L h for a token", Of: CachePerToken, Formula: "2·L·h · bytes",
		Says:  "Keys and values as wide as the hidden size, in every layer.",
		Right: "for full heads (GPT-3, Llama 2 up to 13B) with h = a·d",
		Users: []string{"LLM-System-Requirements, memory_utils.py", "vllm-calculator, src/lib/memory/kvCache.js"},
		by:    &cacheRule{edits: plainKeys | hiddenWide | fullKeys, num: 1, den: 1},
	},
	{
		Name: "divided-token", Title: "Heads of h/a for a token", Of: CachePerToken, Formula: "2·L·k·(h/a) · bytes",
		Says:  "The right number of heads, but as wide as h/a, and latents read as heads.",
		Right: "for models that leave head_dim out and have ordinary attention in every layer",
		Users: []string{hfmem + " (where a config has no head_dim)", "calculators that read no head_dim"},
		by:    &cacheRule{edits: plainKeys | dividedHead, num: 1, den: 1},
	},
	{
		Name: "one-head-token", Title: "One head of h/a for a token", Of: CachePerToken, Formula: "2·L·(h/a) · bytes",
		Says:  "The single head that a GGUF file names for latent attention, as wide as h/a.",
		Right: "for multi-query attention without head_dim",
		Users: []string{"hf-mem, src/hf_mem/gguf/kv_cache.py"},
		by:    &cacheRule{edits: plainKeys | dividedHead | oneHead, num: 1, den: 1, latents: true},
	},
	{
		Name: "lengths-token", Title: "Key and value lengths for a token", Of: CachePerToken, Formula: "L·(d_k + d_v) · bytes",
		Says:  "One head of the expanded key and value widths, in place of the latent.",
		Right: "nowhere that we know of: either the latent is kept or all heads are",
		Users: []string{ggufparser},
		by:    &cacheRule{edits: plainKeys | oneHead, num: 1, den: 1, latents: true},
	},
	{
		Name: "2lkd-token", Title: "Two L k d for a token", Of: CachePerToken, Formula: "2·L·k·d · bytes",
		Says:  "Every layer keeps keys and values of its own heads.",
		Right: "for grouped-query models whose layers are all alike",
		Users: []string{"Pope et al. 2022, arXiv 2211.05102, section 3.3", "most calculators since 2024"},
		by:    &cacheRule{edits: plainKeys, num: 1, den: 1},
	},
	{
		Name: "2lh", Title: "Two L h", Of: Cache, Formula: "2·L·h·s·b · bytes",
		Says:  "Keys and values as wide as the hidden size, of every token in every layer.",
		Right: "for full heads (GPT-3, Llama 2 up to 13B) with h = a·d",
		Users: []string{"LLM-System-Requirements, memory_utils.py", "vllm-calculator, src/lib/memory/kvCache.js"},
		by:    &cacheRule{edits: plainKeys | hiddenWide | fullKeys, num: 1, den: 1},
	},
	{
		Name: "lh", Title: "L h: keys or values", Of: Cache, Formula: "L·h·s·b · bytes",
		Says:  "One of keys and values is counted, as wide as the hidden size.",
		Right: "never for both; half of two L h",
		Users: []string{cookbook + " (with --infer)"},
		by:    &cacheRule{edits: plainKeys | hiddenWide | fullKeys, num: 1, den: 2},
	},
	{
		Name: "4lh", Title: "Four L h", Of: Cache, Formula: "4·L·h·s·b · bytes",
		Says:  "Keys and values as wide as the hidden size, counted twice.",
		Right: "never: twice two L h",
		Users: []string{poor},
		by:    &cacheRule{edits: plainKeys | hiddenWide | fullKeys, num: 2, den: 1},
	},
	{
		Name: "divided", Title: "Heads of h/a, every token in every layer", Of: Cache, Formula: "2·L·k·(h/a)·s·b · bytes",
		Says:  "The right number of heads, but as wide as h/a; no windows.",
		Right: "for models that leave head_dim out and attend to everything in every layer",
		Users: []string{"calculators that read no head_dim"},
		by:    &cacheRule{edits: plainKeys | dividedHead, num: 1, den: 1},
	},
	{
		Name: "full-heads", Title: "Latent attention as full heads", Of: Cache, Formula: "2·L·a·d_v·s·b · bytes",
		Says:  "Keys and values of every head, as if no latent were kept.",
		Right: "for a program that expands the latent, with keys as wide as values",
		Users: []string{"calculators that read v_head_dim as the width of a head"},
		by:    &cacheRule{edits: plainKeys | valueHead, num: 1, den: 1, latents: true},
	},
	{
		Name: "one-head", Title: "Latent attention as one narrow head", Of: Cache, Formula: "2·L·(h/a)·s·b · bytes",
		Says:  "The single head that a GGUF file names, as wide as h/a.",
		Right: "for multi-query attention without head_dim",
		Users: []string{"hf-mem, src/hf_mem/gguf/kv_cache.py"},
		by:    &cacheRule{edits: plainKeys | dividedHead | oneHead, num: 1, den: 1, latents: true},
	},
	{
		Name: "2lkd", Title: "Two L k d", Of: Cache, Formula: "2·L·k·d·s·b · bytes",
		Says:  "Every layer keeps keys and values of every token, in its own heads.",
		Right: "for grouped-query models whose layers all attend to everything",
		Users: []string{"Pope et al. 2022, arXiv 2211.05102, section 3.3", "most calculators since 2024"},
		by:    &cacheRule{edits: plainKeys, num: 1, den: 1},
	},
	{
		Name: "no-windows", Title: "Windows left out", Of: Cache, Formula: "exact without windows",
		Says:  "Layers with a window are counted with the whole context.",
		Right: "while the context is no longer than the window",
		Users: []string{"calculators with one kind of layer", "programs that allocate the whole context for each layer"},
		by:    &cacheRule{edits: windowless, num: 1, den: 1, windows: true},
	},
	{
		Name: "every-layer", Title: "Every layer attends", Of: Cache, Formula: "exact with attention in L layers",
		Says:  "Layers that carry a state are counted as if they kept keys and values.",
		Right: "for models without such layers",
		Users: []string{"calculators with one kind of layer"},
		by:    &cacheRule{edits: everyLayer | stateless, num: 1, den: 1, hybrids: true},
	},
	{
		Name: "fifth", Title: "A fifth on top", Of: Memory, Formula: "1.2 · weights",
		Says:  "The weights, and twenty percent for everything else.",
		Right: "where cache and buffers happen to take a fifth of the weights",
		Users: []string{"rules of thumb for serving"},
		by:    function(flatRule),
	},
	{
		Name: "16p", Title: "Sixteen bytes for each parameter", Of: TrainingBytes, Formula: "16·P",
		Says:  "Weights and gradients in 16 bits, fp32 weights and two fp32 values of Adam: 2 + 2 + 4 + 8.",
		Right: "for the states of mixed precision on one device; activations come on top",
		Users: []string{"ZeRO, Rajbhandari et al. 2019, arXiv 1910.02054, section 3.1", "most introductions"},
		by:    &trainRule{2, 2, 12},
	},
	{
		Name: "18p", Title: "Eighteen bytes for each parameter", Of: TrainingBytes, Formula: "18·P",
		Says:  "The same with gradients in fp32: 2 + 4 + 4 + 8.",
		Right: "for the states of a run that accumulates gradients in fp32, as Megatron-LM does",
		Users: []string{"Megatron-LM, theoretical_memory_usage.py", cookbook},
		by:    &trainRule{2, 4, 12},
	},
	{
		Name: "20p", Title: "Twenty bytes for each parameter", Of: TrainingBytes, Formula: "20·P",
		Says:  "The same with gradients in both: 2 + 2 + 4 + 4 + 8.",
		Right: "for the states of a run that keeps 16-bit and fp32 gradients, as DeepSpeed's ZeRO-2 does",
		Users: []string{"DeepSpeed, runtime/zero/stage_1_and_2.py (its estimator)", "Smith et al. 2022, arXiv 2201.11990"},
		by:    &trainRule{2, 6, 12},
	},
	{
		Name: "8p", Title: "Four times the weights", Of: TrainingBytes, Formula: "8·P",
		Says:  "Weights, gradients and two values of Adam, all in 16 bits: 2 + 2 + 4.",
		Right: "for the states of a run in pure 16 bits, without fp32 weights",
		Users: []string{poor + " (full training with Adam)", "“training takes four times as much”"},
		by:    &trainRule{2, 2, 4},
	},
	{
		Name: "largest-state", Title: "The largest of three", Of: TrainingBytes, Formula: "8·P",
		Says:  "Of weights, gradients and optimizer only the largest is shown, not their sum.",
		Right: "for the optimizer's two fp32 values alone",
		Users: []string{accelerate + " (training with Adam in 16 bits)"},
		by:    &trainRule{0, 0, 8},
	},
	{
		Name: "6nd", Title: "Six N D", Of: TrainingFLOPs, Formula: "6·N·D",
		Says:  "Two operations for each parameter and token forward, four backward, with every parameter counted.",
		Right: "for dense models with short sequences, where embedding and attention scores happen to cancel",
		Users: []string{kaplan + " (without embeddings)", "Hoffmann et al. 2022, arXiv 2203.15556"},
		by:    &flopsRule{factor: 6, embedding: true, head: true, resting: true},
	},
	{
		Name: "6nd-kaplan", Title: "Six N D without embeddings", Of: TrainingFLOPs, Formula: "6·(N − embedding − head)·D",
		Says:  "The same, with neither embedding nor head.",
		Right: "for large models with a small vocabulary and short sequences",
		Users: []string{kaplan},
		by:    &flopsRule{factor: 6, resting: true},
	},
	{
		Name: "6nd-active", Title: "Six N D with active parameters", Of: TrainingFLOPs, Formula: "6·active·D",
		Says:  "The same, with the experts that work.",
		Right: "for models with experts, as six N D is for dense ones",
		Users: []string{"reports on models with experts"},
		by:    &flopsRule{factor: 6, embedding: true, head: true, sparse: true},
	},
	{
		Name: "palm", Title: "Six N D and the whole square", Of: TrainingFLOPs, Formula: "6·N·D + 12·L·a·d·s·D",
		Says:  "Six N D and the scores of every pair of tokens, seen or not.",
		Right: "as a convention for utilisation; a causal pass needs half of the scores",
		Users: []string{"PaLM, arXiv 2204.02311, appendix B", "nanoGPT, model.py (estimate_mfu)"},
		by:    &flopsRule{factor: 6, embedding: true, head: true, scores: true},
	},
	{
		Name: "8nd", Title: "Eight N D", Of: TrainingFLOPs, Formula: "8·N·D",
		Says:  "Six N D and one more forward pass, because activations are computed again.",
		Right: "for what the hardware does under full recomputation; not for the model's own work",
		Users: []string{"EleutherAI cookbook, calc/calc_transformer_flops.py (four passes by default; it adds scores)"},
		by:    &flopsRule{factor: 6, embedding: true, head: true, resting: true, again: 1},
	},
	{
		Name: "2n", Title: "Two N for a token", Of: DecodeFLOPs, Formula: "2·N·b",
		Says:  "Two operations for each parameter.",
		Right: "for dense models and short contexts",
		Users: []string{kaplan, "most introductions"},
		by:    &flopsRule{factor: 2, embedding: true, head: true, resting: true},
	},
	{
		Name: "2n-active", Title: "Two active N for a token", Of: DecodeFLOPs, Formula: "2·active·b",
		Says:  "Two operations for each parameter that works.",
		Right: "for short contexts; long ones add the scores, with latent attention many",
		Users: []string{"reports on models with experts"},
		by:    &flopsRule{factor: 2, embedding: true, head: true, sparse: true},
	},
}

// activeAsTotal takes what one token goes through for the whole.
func activeAsTotal(r *report.Report, _ Quantity) (int64, []Term, bool) {
	p := &r.Parameters
	return int64(p.Active), []Term{{InactiveExperts, int64(p.Total - p.Active)}}, p.Active != p.Total
}
