package report_test

import (
	"testing"

	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Keys and values by hand, two bytes each; full is what every head of every layer
// would keep.
func TestCacheCurve(t *testing.T) {
	for _, c := range []struct {
		link            string
		context         int64
		want, multihead int64
	}{
		// 32 layers of 8 heads of 128 that 32 heads of queries share.
		{"model=llama-3.1-8b", 1000, 2 * 32 * 8 * 128 * 2 * 1000, 2 * 32 * 32 * 128 * 2 * 1000},
		{"model=llama-3.1-8b&batch=3&kv=fp8", 1000, 3 * 2 * 32 * 8 * 128 * 1000, 3 * 2 * 32 * 32 * 128 * 1000},
		// 61 layers keep 512 + 64 numbers; 128 heads would keep keys of 192 and values of 128.
		{"model=deepseek-v3", 4096, 61 * (512 + 64) * 2 * 4096, 61 * 128 * (192 + 128) * 2 * 4096},
		// Half of 42 layers see 4,096 tokens only; 8 of 16 heads, 256 wide.
		{"model=gemma-2-9b", 8192, 2 * 8 * 256 * 2 * 21 * (4096 + 8192), 2 * 16 * 256 * 2 * 42 * 8192},
		{"model=gemma-2-9b", 2048, 2 * 8 * 256 * 2 * 42 * 2048, 2 * 16 * 256 * 2 * 42 * 2048},
		// llama.cpp rounds 1,000 cells up to 1,024; what is compared with is not rounded.
		{"model=llama-3.1-8b&kv-policy=llama.cpp", 1000, 131_072 * 1024, 4 * 131_072 * 1000},
		{"model=gpt2", 100, 2 * 12 * 768 * 2 * 100, 2 * 12 * 768 * 2 * 100},
	} {
		got := on(t, c.link).CacheCurve([]int64{c.context})
		if len(got) != 1 || got[0] != (report.CacheAt{Context: c.context, Bytes: c.want, Multihead: c.multihead}) {
			t.Errorf("%s at %d: %+v, want %d and %d", c.link, c.context, got, c.want, c.multihead)
		}
	}
	if got := on(t, "model=llama-3.1-8b").CacheCurve([]int64{1, 1 << 50}); len(got) != 1 {
		t.Errorf("a context that cannot be counted is in %+v", got)
	}
}

// Gemma 3's published config names no number of positions: its class does (transformers 5.23.0, Gemma3TextConfig).
func TestPositions(t *testing.T) {
	for model, want := range map[string]int64{"llama-3.1-8b": 131_072, "gpt2": 1024, "qwen3-32b": 40_960, "mamba-130m": 0, "gemma-3-27b": 131_072} {
		if got := on(t, "model="+model).Positions(); got != want {
			t.Errorf("%s: %d positions, want %d", model, got, want)
		}
	}
}

// A layer of Llama-3.1-8B is 2·4096² + 2·1024·4096 + 3·14336·4096 and two norms.
// At twice the width every matrix is four times as large, a norm twice.
func TestResized(t *testing.T) {
	r := on(t, "model=llama-3.1-8b")
	layers, rest := report.InLayers(r.Model)
	if want := units.Params(32 * (2*4096*4096 + 2*1024*4096 + 3*14336*4096 + 2*4096)); layers != want || layers+rest != r.Parameters.Total {
		t.Errorf("%d in layers and %d outside, want %d of %d", layers, rest, want, r.Parameters.Total)
	}
	twice := []query.Setting{{Key: "hidden_size", Value: "8192"}, {Key: "intermediate_size", Value: "28672"}, {Key: "num_attention_heads", Value: "64"}, {Key: "num_key_value_heads", Value: "16"}}
	wide, out, err := r.Resized(twice)
	if want := 32 * (4*(2*4096*4096+2*1024*4096+3*14336*4096) + 2*2*4096); err != nil || wide != units.Params(want) || out != 2*rest {
		t.Errorf("twice as wide: %d and %d (%v), want %d and %d", wide, out, err, want, 2*rest)
	}
	if len(r.Query.Set) != 0 || r.Parameters.Total != layers+rest {
		t.Error("the report has changed")
	}
	if _, _, err := r.Resized([]query.Setting{{Key: "num_attention_heads", Value: "0"}}); err == nil {
		t.Error("a model without heads is counted")
	}
}

// A step over one token of 4 sequences works with far less than a chunk of 512.
func TestStepActivations(t *testing.T) {
	r := on(t, "model=llama-3.1-8b&batch=4")
	whole := int64(0)
	for _, x := range r.Running.Terms {
		if x.What == "activations" || x.What == "logits" {
			whole += x.Bytes
		}
	}
	step := r.StepActivations()
	if logits := int64(4 * 128256 * 4); step < logits || step*4 > whole {
		t.Errorf("a step works with %d bytes, a chunk with %d, logits are %d", step, whole, logits)
	}
}

func BenchmarkCacheCurve(b *testing.B) {
	r := on(b, "model=deepseek-v3")
	at := make([]int64, 22)
	for i := range at {
		at[i] = 1 << i
	}
	for b.Loop() {
		r.CacheCurve(at)
	}
}
