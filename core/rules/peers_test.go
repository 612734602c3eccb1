package rules

import (
	"testing"
)

const (
	billion = 1e9
	gib     = 1 << 30
)

// TestWrongAnswers reproduces answers that programs give, or gave when they were
// read in November 2026, each by the rule behind it, and holds the exact value
// beside it. says is the published figure and within half of its last digit; want
// is the rule's arithmetic written out.
//
// Not among them, because no rule of ours gives them: figures whose formula is not
// published (2.34 GB of cache for Llama-3.1-8B at 4,096 tokens) or whose inputs
// are not the model's (27 layers and heads of 8 for Gemma-3-27B), and counts of
// models whose shape is not published with them (a 27B read as 7.84 B).
func TestWrongAnswers(t *testing.T) {
	for _, c := range []struct {
		why          string
		rule, query  string
		want         int64
		says, within float64
		exact        int64
	}{
		{"hf-mem, safetensors: latents read as 128 heads of 7168/128 = 56", "divided-token", "model=deepseek-v3",
			2 * 61 * 128 * 56 * 2, 1_748_992, 0, 61 * (512 + 64) * 2},
		{"the same for R1, which is the same shape", "divided-token", "model=deepseek-r1", 2 * 61 * 128 * 56 * 2, 1_748_992, 0, 70_272},
		{"Kimi K2: 64 heads of 7168/64 = 112 are as many numbers", "divided-token", "model=kimi-k2.5", 2 * 61 * 64 * 112 * 2, 1_748_992, 0, 70_272},
		{"hf-mem, GGUF: the file names one head, read as 56 wide", "one-head", "model=deepseek-v3.1&context=163840&kv=fp16",
			2 * 61 * 56 * 2 * 163840, 2.08 * gib, .005 * gib, 61 * 576 * 2 * 163840},
		{"gguf-parser-go: one head of the expanded lengths, 192 + 128 = 320 numbers where 576 are kept", "lengths-token", "model=deepseek-v3",
			61 * 320 * 2, 61 * 320 * 2, 0, 61 * 576 * 2},
		{"a web estimator: 128 heads of v_head_dim = 128", "full-heads", "model=deepseek-v3&context=4096",
			2 * 61 * 128 * 128 * 2 * 4096, 15.25 * gib, .005 * gib, 61 * 576 * 2 * 4096}, // 0.268 GiB
		{"hf-mem: 48 layers where 12 attend and 36 carry a state", "2lkd-token", "model=qwen3-next-80b-a3b", 48 * 2 * 2 * 256 * 2, 98_304, 0, 12 * 2 * 2 * 256 * 2},
		{"a formula without windows and with heads of 5376/32 = 168", "divided", "model=gemma-3-27b&context=131072",
			2 * 62 * 16 * 168 * 2 * 131072, 81.4 * gib, .05 * gib, (10*131072 + 52*1024) * 2 * 16 * 128 * 2},
		{"the grouped-query formula, without windows", "2lkd", "model=gemma-3-27b&context=131072",
			2 * 62 * 16 * 128 * 2 * 131072, 62.0 * gib, .05 * gib, (10*131072 + 52*1024) * 2 * 16 * 128 * 2}, // 10.41 GiB
		{"heads of 1024/16 = 64 where the config says 128", "divided-token", "model=qwen3-0.6b", 2 * 28 * 8 * 64 * 2, 57_344, 0, 2 * 28 * 8 * 128 * 2},
		{"heads of 5120/64 = 80 where the config says 128", "divided-token", "model=qwen3-32b", 2 * 64 * 8 * 80 * 2, 163_840, 0, 2 * 64 * 8 * 128 * 2},
		{"a web page: 0.2 GB for Qwen3-0.6B at 4,096 tokens, where 0.47 GB is right", "divided", "model=qwen3-0.6b&context=4096",
			2 * 28 * 8 * 64 * 2 * 4096, .2 * billion, .05 * billion, 114_688 * 4096},
		{"heads of 5120/32 = 160 where the config says 128", "divided-token", "model=mistral-nemo-12b", 2 * 40 * 8 * 160 * 2, 204_800, 0, 2 * 40 * 8 * 128 * 2},
		{"gpu_poor: full heads, and twice", "4lh", "model=llama-3-70b&context=8192", 4 * 80 * 8192 * 2 * 8192, 40 * gib, .5 * gib, 2 * 80 * 8 * 128 * 2 * 8192}, // 2.5 GiB
		{"three calculators: full heads, 8 times what is kept", "2lh-token", "model=llama-3.1-70b", 8 * 327_680, 8 * 327_680, 0, 2 * 80 * 8 * 128 * 2},
		{"the cookbook: keys or values, not both", "lh", "model=llama-2-7b&context=4096", 32 * 4096 * 2 * 4096, 1.00 * gib, 0, 2 * 32 * 4096 * 2 * 4096},
		{"the same with grouped queries left out: half and four times", "lh", "model=llama-3.1-8b&context=131072", 32 * 4096 * 2 * 131072, 32 * gib, 0, 2 * 32 * 8 * 128 * 2 * 131072},
		{"36 layers of which 18 keep 128 tokens: what a program reserves before it groups them", "2lkd-token", "model=gpt-oss-120b", 36 * 2 * 8 * 64 * 2, 73_728, 0, 73_728},

		{"accelerate: the base class, which has no head", "no-head", "model=llama-3.1-8b", 8_030_261_248 - 128256*4096, 7.505 * billion, .0005 * billion, 8_030_261_248},
		{"the cookbook, from a hub id: a table of positions, two matrices of f, full heads", "neox-formula", "model=llama-3.1-8b",
			2*128256*4096 + 131072*4096 + 4*32*4096*4096 + 2*32*4096*14336 + 8*4096*32 + 2*4096, 7.49 * billion, .005 * billion, 8_030_261_248},
		{"gpu_poor: keys and values at full width", "llama-formula", "model=llama-2-70b",
			2*32000*8192 + 4*80*8192*8192 + 3*80*8192*28672, 78.4 * billion, .05 * billion, 68_976_648_192},
		{"gpu_poor: one expert of eight", "llama-formula", "model=mixtral-8x7b", 2*32000*4096 + 4*32*4096*4096 + 3*32*4096*14336, 8.05 * billion, .005 * billion, 46_702_792_704},
		{"a fit checker: the active parameters", "active-as-total", "model=mixtral-8x7b", 12_879_925_248, 13 * billion, .5 * billion, 46_702_792_704},
		{"gpu_poor: no experts, one feed-forward part of 18,432", "llama-formula", "model=deepseek-v3",
			2*129280*7168 + 4*61*7168*7168 + 3*61*7168*18432, 38.6 * billion, .05 * billion, 671_026_404_352},
		{"a web estimator: four matrices of 7168 × 128·128, experts in all 61 layers", "full-latents", "model=deepseek-v3",
			671_026_404_352 + 61*(4*7168*128*128-(7168*1536+1536*128*192+7168*576+512*128*256+128*128*7168)) + 3*(257*3*7168*2048+7168*256-3*7168*18432),
			721.0 * billion, .05 * billion, 671_026_404_352},
		{"a web estimator's preset: tied", "no-head", "model=qwen3-8b", 8_190_735_360 - 151936*4096, 7.57 * billion, .005 * billion, 8_190_735_360},
		{"gpu_poor: no tying, a gate, no positions", "llama-formula", "model=gpt2", 2*50257*768 + 4*12*768*768 + 3*12*768*3072, 190 * 1e6, .5 * 1e6, 124_439_808},
		{"a header's numbers added up, each of which holds eight weights", "packed-words", "model=llama-3.1-8b",
			2*128256*4096 + 65*4096 + 6_979_321_856/8 + 6_979_321_856/128 + 6_979_321_856/1024, 2 * billion, .5 * billion, 8_030_261_248},
		{"a model page: 685B, which is right for the files", "stored", "model=deepseek-v3", 684_531_386_000, 684.53 * billion, .005 * billion, 671_026_404_352},
		{"Mixtral's 12.9 B has embedding and head", "active-without-embedding", "model=mixtral-8x7b", 12_879_925_248 - 32000*4096, 12.75 * billion, .005 * billion, 12_879_925_248},
		{"gpt-oss-120b's 5.13 B leaves the embedding out", "active-without-embedding", "model=gpt-oss-120b", 5_711_982_912 - 201088*2880, 5.13 * billion, .005 * billion, 5_711_982_912},
		{"gpt-oss-20b's 3.61 B leaves the embedding out", "active-without-embedding", "model=gpt-oss-20b", 4_187_440_704 - 201088*2880, 3.61 * billion, .005 * billion, 4_187_440_704},
		{"DeepSeek-V3: 36.63 B without the embedding", "active-without-embedding", "model=deepseek-v3", 37_552_282_624 - 129280*7168, 36.63 * billion, .005 * billion, 37_552_282_624},

		{"a fit checker: the parameter count read as bytes", "byte-each", "model=llama-3.3-70b", 70_553_706_496, 70.6 * billion, .05 * billion, 2 * 70_553_706_496},
		{"LLM-Viewer: embedding and head left out", "layers-only", "model=llama-3.1-8b", 2 * (8_030_261_248 - 2*128256*4096), 13.96 * billion, .005 * billion, 16_060_522_496},
		{"accelerate's 4 bits, and most calculators': no scales", "half-byte", "model=llama-3.1-8b&weights=q4_k_m", 8_030_261_248 / 2, 4.0 * billion, .05 * billion, 0}, // 4.91 GB
		{"the same for AWQ", "half-byte", "model=llama-3.1-8b&weights=awq-g128", 8_030_261_248 / 2, 4.0 * billion, .05 * billion, 5_727_854_592},
		{"accelerate: 8 bytes for each of 7.505 billion would be 55.9 GiB; with the head 59.8", "largest-state", "model=llama-3.1-8b", 8 * 8_030_261_248, 59.8 * gib, .05 * gib, 0},
	} {
		a := apply(t, c.rule, "v=1&"+c.query)
		if a.Value != c.want {
			t.Errorf("%s of %s: %d, want %d (%s)", c.rule, c.query, a.Value, c.want, c.why)
		}
		if d := float64(a.Value) - c.says; d > c.within || -d > c.within {
			t.Errorf("%s of %s: %d is not the %.0f that was said (%s)", c.rule, c.query, a.Value, c.says, c.why)
		}
		if a.Exact != c.exact && c.exact != 0 {
			t.Errorf("%s: exact %d, want %d", c.query, a.Exact, c.exact)
		}
	}
}

// TestWrongAnswersOfTwo are answers behind which two rules stand, about different
// tensors, so that their differences add.
func TestWrongAnswersOfTwo(t *testing.T) {
	// A preset for Qwen3-235B says tied, and heads of 64: 4096/64, where they are 128.
	head := apply(t, "no-head", "v=1&model=qwen3-235b-a22b")
	narrow := apply(t, "divided-heads", "v=1&model=qwen3-235b-a22b")
	got := head.Exact - (head.Exact - head.Value) - (narrow.Exact - narrow.Value)
	want := int64(235_093_634_560 - 151936*4096 - 94*(2*4096*(64+4)*(128-64)))
	if got != want || got/1e8 != 2311 { // 231.1 billion
		t.Errorf("Qwen3-235B tied with heads of 64: %d, want %d", got, want)
	}
}

// TestWindowsOfGPTOSS: a program's log says 73,728 bytes for a token of
// gpt-oss-120b; past the window of 128 another token costs half of that.
func TestWindowsOfGPTOSS(t *testing.T) {
	at := func(context string) int64 {
		return int64(ask(t, "v=1&model=gpt-oss-120b&context="+context).Cache.Bytes)
	}
	if got := at("100001") - at("100000"); got != 18*2*8*64*2 {
		t.Errorf("one more token: %d, want 36,864", got)
	}
	if a := apply(t, "no-windows", "v=1&model=gpt-oss-120b&context=100000"); a.Value != 73_728*100_000 {
		t.Errorf("without windows: %d", a.Value)
	}
}
