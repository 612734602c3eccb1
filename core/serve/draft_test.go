package serve_test

import (
	"testing"

	"llmsize/core/serve"
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
		if got := serve.PredictionLayers(model(t, slug)); got != want {
			t.Errorf("%s: %d, want %d", slug, got, want)
		}
	}
}
