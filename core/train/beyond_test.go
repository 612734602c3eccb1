package train_test

import (
	"testing"

	"llmsize/core/train"
)

// TestPyTorch writes out what fully_shard takes beside what is counted, for
// Llama-3.1-8B on eight devices, and for Llama-3.1-70B in eight slices.
func TestPyTorch(t *testing.T) {
	const (
		small  = 128256 * 4096 // a table
		layer8 = 4096*(4096+2*1024+4096) + 3*4096*14336 + 2*4096
		big    = 128256 * 8192 / 8
		layer  = (8192*(8192+2*1024+8192)+3*8192*28672)/8 + 2*8192
	)
	llama70b := `{"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":128256,"hidden_size":8192,"intermediate_size":28672,"num_hidden_layers":80,"num_attention_heads":64,"num_key_value_heads":8}`
	for _, c := range []struct {
		config, precision string
		l                 train.Layout
		seq, micro        int64
		want              []float64
	}{
		{llama8b, "autocast", train.Layout{DP: 8, Zero: 3}, 8192, 2, []float64{2 * (small + 4096), 2 * layer8, 2 * (2*small + 4096), 2 * 16384 * 128256}},
		{llama8b, "bf16-mixed", train.Layout{CP: 8, Zero: 3}, 262144, 1, []float64{2 * (small + 4096), 2 * layer8, 2 * (2*small + 4096), 2 * 32768 * 128256}},
		{llama70b, "autocast", train.Layout{TP: 8, DP: 32, Zero: 3}, 8192, 16, []float64{2 * (big + 8192), 2 * layer, 2 * (2*big + 8192), 2 * 131072 * 128256 / 8, 4 * 131072 * 128256 / 8, 2 * 2 * 131072 * 8192}},
		{llama8b, "autocast", train.Layout{DP: 8, Zero: 2}, 8192, 2, nil},
		{llama8b, "fp32", train.Layout{DP: 8, Zero: 3}, 8192, 2, nil},
		{llama8b, "autocast", train.Layout{PP: 2, DP: 8, Zero: 3}, 8192, 2, nil},
	} {
		q := recipe(t, "adamw", c.precision, c.l)
		q.Saving.Seq, q.Saving.Micro = c.seq, c.micro
		list := train.PyTorch(describe(t, c.config), q)
		if len(list) != len(c.want) {
			t.Errorf("%+v: %+v, want %d terms", c.l, list, len(c.want))
			continue
		}
		for i, x := range list {
			if x.Bytes != c.want[i] || x.Formula == "" || x.Values == "" || x.Source == "" {
				t.Errorf("%+v: %+v, want %.0f bytes", c.l, x, c.want[i])
			}
		}
	}
}
