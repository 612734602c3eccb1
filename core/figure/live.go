package figure

const (
	roofline = "Williams, Waterman and Patterson 2009, doi 10.1145/1498765.1498785"
	longest  = "max(compute_seconds, memory_seconds, link_seconds)"
)

// Live are the figures that lenses show by their declarations, in the order in which they show them; behind them those that
// only stand in their formulas. The page's programs know these alone, and read the numbers of those that nothing works
// out from the report itself (report.Report.Of).
var Live = []Figure{
	{ID: "running.time.prefill.seconds", At: "running.prefill", Lens: "running", Label: "Prefill", About: "at best", Unit: Seconds, Formula: longest, Source: roofline,
		Note: "Only the last token needs the LM head, as runtimes run it. The prefill's FLOPs below have it at every position."},
	{ID: "running.time.decode.seconds", At: "running.next-token", Lens: "running", Label: "Next token", About: "at best", Unit: Seconds, Formula: longest, Source: roofline},
	{ID: "running.time.decode_expanded.seconds", At: "running.next-token-latents-expanded", Lens: "running", Label: "Next token, latents expanded", About: "at best", Unit: Seconds, Formula: longest, Source: roofline},
	{ID: "running.time.decode.tokens_per_second", At: "running.tokens-a-second", Lens: "running", Label: "Tokens a second", About: "of all sequences, at best", Unit: Ratio, Own: true, Formula: "ask.batch / seconds", Source: roofline},
	{ID: "running.time.decode.joules_per_token", At: "running.energy-for-each-token", Lens: "running", Label: "Energy for each token", About: "while decoding, at best", Unit: Joules, Own: true, Status: "estimate",
		Formula: "seconds * running.accelerators * running.device.board_watts / ask.batch",
		Note:    "The boards' power is the most that they may draw, and the time the least that a step takes. Hosts, network and cooling are not in it.",
		Source:  "energy is power times time; the power is the maker's figure for the board"},
	{ID: "running.time.critical_batch", At: "running.critical-batch", Label: "Critical batch", Unit: Count, Source: "Williams, Waterman and Patterson 2009, doi 10.1145/1498765.1498785"},
	{ID: "running.time.experts_read", At: "running.experts-that-a-step-reads", Label: "Experts that a step reads", Unit: Ratio},
	{ID: "running.time.draft.seconds_per_token", At: "running.next-token-with-guesses", Label: "Next token, with guesses", Unit: Seconds, Formula: "seconds / expected", Source: "Leviathan, Kalman and Matias 2023, arXiv 2211.17192"},
	{ID: "running.time.draft.seconds", Label: "a step with guesses", Unit: Seconds, Formula: "check.seconds + tokens * max(guess.seconds, 0)"},
	{ID: "running.time.draft.expected", Label: "tokens a step", Unit: Ratio, Formula: "tokens + 1 if accept >= 1 else (1 - accept ^ (tokens + 1)) / (1 - accept)"},
	{ID: "running.time.draft.accept", Label: "guesses kept", Unit: Ratio, Formula: "ask.accept / 100"},
	{ID: "running.time.draft.tokens", Label: "guesses a step", Unit: Count, Formula: "ask.draft"},
	{ID: "running.time.draft.prediction_layers", Label: "prediction layers", Unit: Count},
	{ID: "running.time.*.compute_seconds", Label: "compute", Unit: Seconds, Formula: "flops / (running.layout.tp * running.device.peak)"},
	{ID: "running.time.*.memory_seconds", Label: "memory", Unit: Seconds, Formula: "(weight_bytes + cache_bytes) / (running.layout.tp * running.device.bandwidth)"},
	{ID: "running.time.*.link_seconds", Label: "link", Unit: Seconds, Formula: "sent_bytes / running.device.link_rate"},
	{ID: "running.time.*.flops", Label: "FLOPs", Unit: FLOPs},
	{ID: "running.time.*.weight_bytes", Label: "weights", Unit: Bytes},
	{ID: "running.time.*.cache_bytes", Label: "cache", Unit: Bytes},
	{ID: "running.time.*.sent_bytes", Label: "what a device sends", Unit: Bytes, Formula: "sum(all_reduce_bytes, stage_bytes, expert_bytes)"},
	{ID: "running.time.*.all_reduce_bytes", Label: "all-reduce", Unit: Bytes},
	{ID: "running.time.*.stage_bytes", Label: "between stages", Unit: Bytes},
	{ID: "running.time.*.expert_bytes", Label: "to experts and back", Unit: Bytes},
	{ID: "running.time.*.seconds", Label: "time", Unit: Seconds, Formula: longest},
	{ID: "running.device.peak", Label: "peak", Unit: FLOPRate},
	{ID: "running.device.bandwidth", Label: "bandwidth", Unit: Rate},
	{ID: "running.device.link_rate", Label: "rate of the link", Unit: Rate},
	{ID: "running.device.board_watts", Label: "power of a board", Unit: Watts},
	{ID: "running.accelerators", Label: "devices", Unit: Count},
	{ID: "running.layout.tp", Label: "tensor parallel", Unit: Count},
	{ID: "ask.batch", Label: "sequences", Unit: Count},
	{ID: "ask.context", Label: "tokens of each", Unit: Count},
	{ID: "ask.devices", Label: "devices", Unit: Count},
	{ID: "parameters.total", Label: "Parameters", Unit: Params, Formula: "sum(by_role.*)"},
	{ID: "parameters.active", Label: "Active parameters", Unit: Params},
	{ID: "training.trainable", Label: "Trainable parameters", Unit: Params},
	{ID: "memory.weights.bytes", At: "bytes.weights", Label: "Weights", Unit: Bytes, Formula: "elements * bits / 8 if bits > 0 else sum(types.*.bytes)"},
	{ID: "memory.kv_cache.bytes", At: "bytes.cache", Label: "KV cache", Unit: Bytes, Formula: "sum(terms.*.bytes)", Source: "Pope et al. 2022, arXiv 2211.05102, section 3.3"},
	{ID: "memory.total.bytes", At: "running.in-all", Label: "Memory to run", Unit: Bytes, Formula: "sum(terms.*.bytes)"},
	{ID: "compute.prefill.flops", At: "compute.prefill", Label: "FLOPs of the prefill", Unit: FLOPs, Formula: "sum(matmul, scores, convolution, scan)"},
	{ID: "compute.decode.flops", At: "compute.next-token", Label: "FLOPs of the next token", Unit: FLOPs, Formula: "sum(matmul, scores, convolution, scan)"},
	{ID: "compute.train.flops", At: "compute.training", Label: "FLOPs to train", Unit: FLOPs, Formula: "3 * forward.flops * tokens / ask.seq", Source: "Kaplan et al. 2020, arXiv 2001.08361, section 2.1: forward 1, backward 2"},
	{ID: "compute.train.tokens", Label: "Training tokens", Unit: Count},
	{ID: "memory.training.bytes", At: "training.on-the-fullest-device", Label: "Memory to train, fullest device", Unit: Bytes, Formula: "sum(weights, gathered, gradients, optimizer, activations, working)"},
	{ID: "memory.training.weights", Label: "weights", Unit: Bytes},
	{ID: "memory.training.gradients", Label: "gradients", Unit: Bytes},
	{ID: "memory.training.optimizer", Label: "optimizer states", Unit: Bytes},
	{ID: "memory.training.activations", Label: "activations", Unit: Bytes},
}
