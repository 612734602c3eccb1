package timeline_test

import (
	"strings"
	"testing"

	"llmsize/content/asked"
	"llmsize/core/report"
	"llmsize/core/timeline"
	"llmsize/core/units"
)

// TestSizesAlike: where one size happens to be as large as another, nothing happens. What is held grows by as much for
// the last step up to that size as for the first beyond it.
func TestSizesAlike(t *testing.T) {
	t.Parallel()
	const activations, states = "memory.training.activations", "memory.training.weights"
	const buffer = "memory.total.terms.2.bytes" // llama.cpp's compute buffer
	const after, prefill = "memory.training.timeline.after_forward", "memory.inference.timeline.peak_prefill"
	for _, c := range []struct {
		model, key, sizes, alike, figures string
		step                              int64
	}{
		{"deepseek-v3", "q_lora_rank", "192 512 576 7168 24576", "a head, the other latent, that and its positions, the stream, all heads", activations + " " + after + " " + prefill, 1},
		{"deepseek-v3", "kv_lora_rank", "192 1536 7168", "a head, the other latent, the stream", activations + " " + after + " " + prefill, 1},
		{"deepseek-v3&tp=2&devices=2", "q_lora_rank", "16384 24576 32768", "all heads' values, queries, keys and values", activations + " " + states, 1},
		{"deepseek-v3.2&tp=2&devices=2", "index_n_heads", "128 192", "times their width: all heads' values, queries", states, 1},
		{"deepseek-v4-flash", "o_groups", "64", "a group of heads as wide as one", activations, 1},
		{"deepseek-v4-flash&set.o_groups=8", "o_lora_rank", "512", "all groups as wide as the stream", activations, 1},
		{"minicpm3-4b", "q_lora_rank", "96 288 2560 3840", "a head, the other latent with its positions, the stream, all heads", activations + " " + after + " " + prefill, 1},
		{"qwen3.5-0.8b&set.text_config.num_key_value_heads=2", "text_config.num_attention_heads", "4", "queries and gates as wide as queries, keys and values", after, 1},
		{"llama-3.1-8b&kv-policy=llama.cpp&set.head_dim=128", "hidden_size", "6144", "the stream as wide as queries, keys and values", buffer, 32},
		{"minicpm3-4b&kv-policy=llama.cpp", "q_lora_rank", "288 3840", "the other latent with its positions, all heads", buffer, 1},
	} {
		for _, size := range strings.Fields(c.sizes) {
			n, err := units.ParseCount(size)
			if err != nil {
				t.Fatal(err)
			}
			var held [3][]int64
			for i := range held {
				r := asked.Answer(t, "model="+c.model+"&set."+c.key+"="+units.Itoa(n+(int64(i)-1)*c.step))
				timeline.Add(r)
				for _, path := range strings.Fields(c.figures) {
					held[i] = append(held[i], figure(t, r, path))
				}
			}
			for j, path := range strings.Fields(c.figures) {
				low, at, high := held[0][j], held[1][j], held[2][j]
				// A hundred thousandth is for what is rounded up to blocks, and for products of the key with itself.
				if bend := max(2*at-low-high, low+high-2*at); bend > at/100_000 {
					t.Errorf("%s, %s: %d, %d, %d around %d (%s)", c.model, path, low, at, high, n, c.alike)
				}
			}
		}
	}
}

// figure is one whole number of a report.
func figure(t *testing.T, r *report.Report, path string) int64 {
	t.Helper()
	v, ok := r.Field(path)
	n, isInt := v.Int()
	if !ok || !isInt || n <= 0 {
		t.Fatalf("%s: no %s: %s", r.Query.String(), path, v.JSON())
	}
	return n
}

// TestMoreGroupsThanValues: a mixer's norm of more groups than it has values is refused, and stops nothing.
func TestMoreGroupsThanValues(t *testing.T) {
	t.Parallel()
	r := asked.Answer(t, "model=nemotron-3-nano-30b-a3b&set.n_groups=1048576")
	timeline.Add(r)
	if v, ok := r.Field("memory.training.timeline.problem.problem"); !ok {
		t.Errorf("a step is followed, or nothing says why not: %s", v.JSON())
	}
}
