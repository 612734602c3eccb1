package content_test

import (
	"math"
	"strconv"
	"testing"

	"llmsize/content/asked"
)

// claimed is a number of the answer to a link.
func claimed(t *testing.T, link, path string) float64 {
	t.Helper()
	found, ok := asked.Answer(t, link).Field(path)
	if !ok {
		t.Fatalf("%s: no %s", link, path)
	}
	n, err := strconv.ParseFloat(found.Text, 64)
	if err != nil {
		t.Fatalf("%s: %s is %q", link, path, found.Text)
	}
	return n
}

// TestClaims works out by hand what the chapters say in a sentence and once had wrong. Sizes are those of the models'
// configurations; a device's rates are those of its data sheet.
func TestClaims(t *testing.T) {
	const (
		width, layers, wide, vocabulary = 4096.0, 32.0, 14336.0, 128256.0 // Llama 3.1 8B: 8 of 32 heads of 128 have keys
		inLayers                        = layers * (2*width*width + 2*width*1024 + 3*width*wide)
		peak, bandwidth                 = 989e12, 3.35e12 // an H100 SXM, dense bf16; 1,979 in fp8
	)
	const two, latent, heads = 2.0, 512.0 + 64, 128.0 // DeepSeek-V3: a latent with its rotary part, for 128 heads
	layer := 4*width*width + 3*width*11008            // LLaMA 7B
	// What works on a token of DeepSeek-V3: latent attention in 61 layers, 3 of them with a wide feed-forward part, 58 with
	// one shared expert, eight of 256 and their router, and the LM head.
	active := 61*(7168*1536+1536*heads*192+7168*latent+512*heads*256+heads*128*7168) + 3*3*7168*18432 + 58*(9*3*7168*2048+7168*256) + 129280*7168

	for _, c := range []struct {
		where, link, path string
		want              float64
	}{
		// the-whole-pipeline#four-times: scores are linear in the width, so a layer's work for a token that looks back on s
		// tokens grows (2·16·layer + 4·4·h·s) / (2·layer + 4·h·s) times: 15.1 at 2,048, 13.0 at 8,192.
		{"scores", "model=llama-7b&context=2048", "compute.decode.scores", layers * 4 * width * 2048},
		{"scores of four times the width", "model=llama-7b&context=2048&set.hidden_size=16384&set.intermediate_size=44032&set.num_attention_heads=128&set.num_key_value_heads=128", "compute.decode.scores", layers * 4 * 4 * width * 2048},
		{"weights of four times the width", "model=llama-7b&set.hidden_size=16384&set.intermediate_size=44032&set.num_attention_heads=128&set.num_key_value_heads=128", "parameters.by_role.attention", 16 * 4 * width * width * layers},

		// time-and-serving#time: the work beside a prefill's time counts the LM head once, that of compute.prefill everywhere.
		{"head once", "context=8192", "running.time.prefill.flops", 2*8192*inLayers + 2*vocabulary*width + 4*layers*width*8192*8193/2},
		{"head everywhere", "context=8192", "compute.prefill.flops", 2*8192*(inLayers+vocabulary*width) + 4*layers*width*8192*8193/2},

		// time-and-serving#critical-cache: 500 users of 1,024 tokens; a cache is 131,072 bytes a token.
		{"one maximum", "context=1024&batch=500", "running.time.decode.seconds", (two*(inLayers+vocabulary*width+65*width) + 500*1024*131072) / bandwidth},

		// mixture-of-experts#active: 37.55 billion with both tables, 36.63 without the embedding; the norms count as parameters.
		{"without embedding", "model=deepseek-v3", "parameters.active_without_embedding", active + 61*(2*7168+1536+512) + 7168},
		{"with both", "model=deepseek-v3", "parameters.active", active + 61*(2*7168+1536+512) + 7168 + 129280*7168},

		// time-and-serving#critical-sparse: the weights that are read over those that work.
		{"experts", "model=deepseek-v3&devices=16", "running.time.critical_batch", math.Ceil(1979e12 / bandwidth * claimed(t, "model=deepseek-v3&devices=16", "running.time.prefill.weight_bytes") / (2 * active))},

		// attention-counted#mla, flops#experts: absorbed, a head compares 576 numbers and mixes 512; a prefill makes keys of 192, values of 128.
		{"absorbed", "model=deepseek-v3&context=1000", "compute.decode.scores", 61 * heads * (two*latent + two*512) * 1000},
		{"not absorbed", "model=deepseek-v3&context=1000", "compute.prefill.scores", 61 * heads * (two*192 + two*128) * 1000 * 1001 / 2},
		{"cache that the absorbed scores read", "model=deepseek-v3&context=1000", "memory.kv_cache.bytes", 61 * latent * 2 * 1000},

		// state-space-and-hybrid-models#state: 24 layers of 1,536 channels; vLLM keeps 16 bits and one input less.
		{"state", "model=mamba-130m", "memory.kv_cache.bytes", 24 * 1536 * (16*4 + 4*2)},
		{"state in vLLM", "model=mamba-130m&kv-policy=paged", "memory.kv_cache.bytes", 24 * 1536 * (16*2 + 3*2)},

		// encoders-and-encoder-decoders#t5: the files store V·h more, 247,577,856 in all.
		{"T5 v1.1 base as it is built", "model=t5-v1.1-base", "parameters.total", 247577856 - 32128*768},
	} {
		if got := claimed(t, c.link, c.path); math.Abs(got-c.want) > 1e-9*c.want+1e-9 { // seconds are printed to nine decimals
			t.Errorf("%s: %s of %s is %.17g, and the arithmetic gives %.17g", c.where, c.path, c.link, got, c.want)
		}
	}

	for _, c := range []struct {
		what, said string
		ratio      float64
	}{
		{"a layer's work at 2,048 tokens", "15.1", (2*16*layer + 16*width*2048) / (2*layer + 4*width*2048)},
		{"a layer's work at 8,192 tokens", "13.0", (2*16*layer + 16*width*8192) / (2*layer + 4*width*8192)},
		{"operations for a byte of a latent", "241.8", heads * (two*latent + two*512) / (latent * 2)},
		{"operations for a byte of an H100", "295.2", peak / bandwidth},
		{"ms of a step, one maximum", "25.0", 1000 * (two*(inLayers+vocabulary*width) + 512*1024*131072) / bandwidth},
		{"ms of a step, phase by phase", "28.3", 1000 * (512*two*(inLayers+vocabulary*width)/peak + 512*1024*131072/bandwidth)},
	} {
		digits := len(c.said) - 1 - len(strconv.Itoa(int(c.ratio)))
		if got := strconv.FormatFloat(c.ratio, 'f', digits, 64); got != c.said {
			t.Errorf("%s: %s, not %s", c.what, got, c.said)
		}
	}
}
