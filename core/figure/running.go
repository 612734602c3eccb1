package figure

const (
	roofline = "Williams, Waterman and Patterson 2009, doi 10.1145/1498765.1498785"
	longest  = "max(compute_seconds, memory_seconds, link_seconds)"
)

// Running are the figures of the lens on running, in the order in which it shows them; behind them those that only
// stand in their formulas.
var Running = []Figure{
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
}
