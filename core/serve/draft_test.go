package serve_test

import (
	"testing"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/memory"
	"llmsize/core/quant"
	"llmsize/core/serve"
	"llmsize/core/train"
)

// TestExpected writes Leviathan et al. 2023, equation 1, out:
// (1 − 0.8^5) / (1 − 0.8) = (1 − 0.32768) / 0.2 = 3.3616.
func TestExpected(t *testing.T) {
	for _, c := range []struct {
		d    serve.Draft
		want float64
	}{{serve.Draft{Tokens: 4, Accept: 0.8}, 3.3616}, {serve.Draft{Tokens: 1, Accept: 0.85}, 1.85}, {serve.Draft{Tokens: 3, Accept: 1}, 4}, {serve.Draft{Tokens: 5, Accept: 0}, 1}, {serve.Draft{}, 1}} {
		if got := c.d.Expected(); got < c.want-1e-12 || got > c.want+1e-12 {
			t.Errorf("%+v: %v, want %v", c.d, got, c.want)
		}
	}
}

func TestPredictionLayers(t *testing.T) {
	for slug, want := range map[string]int64{"deepseek-v3": 1, "llama-3.1-8b": 0} {
		if got := serve.PredictionLayers(described(t, slug)); got != want {
			t.Errorf("%s: %d, want %d", slug, got, want)
		}
	}
}

// TestPredictionLayersOfTheClass: MiMo-7B's class builds its prediction layer, so
// that it is in the weights already; what drafting adds is its cache.
func TestPredictionLayersOfTheClass(t *testing.T) {
	cfg, err := config.ParseObject(`{"model_type":"mimo","num_hidden_layers":36,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,"hidden_size":4096,"intermediate_size":11008,"num_nextn_predict_layers":1}`)
	if err != nil {
		t.Fatal(err)
	}
	m, err := family.Describe(cfg, families.Library())
	if err != nil {
		t.Fatal(err)
	}
	r, _ := quant.Named("bf16")
	w, err := quant.Weigh(m, &r, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	ask := serve.Ask{Model: m, Weights: &w, Layout: train.Layout{TP: 1, PP: 1, EP: 1, DP: 1}, Flash: true, Draft: serve.Draft{Tokens: 1, Accept: 0.8},
		Cache: memory.CacheQuestion{Context: 1000, Batch: 1, Chunk: 512, State: 16, Format: bf16}}
	stages, err := serve.Prepare(&ask).Stages()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range stages[0].Terms {
		if x.What == "prediction layers" {
			if want := int64(2 * 8 * 128 * 2 * 1000); x.Bytes != want {
				t.Errorf("%d bytes, want the cache's %d", x.Bytes, want)
			}
			return
		}
	}
	t.Error("the prediction layer's cache is missing")
}
