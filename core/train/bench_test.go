package train_test

import (
	"testing"

	"llmsize/core/train"
)

// BenchmarkHold is the memory of the fullest device.
func BenchmarkHold(b *testing.B) {
	for _, c := range []struct {
		name, config string
		l            train.Layout
	}{
		{"llama", llama8b, train.Layout{TP: 1, PP: 1, EP: 1, DP: 1}},
		{"llama-pp8", llama8b, train.Layout{TP: 8, PP: 8, EP: 1, DP: 16, Zero: 1}},
		{"deepseek-v3", `{"model_type":"deepseek_v3","architectures":["DeepseekV3ForCausalLM"]}`, train.Layout{TP: 1, PP: 16, EP: 64, DP: 64, Zero: 1}},
	} {
		m := describe(b, c.config)
		q := question(train.Saving{Seq: 4096, Flash: true})
		q.Layout = c.l
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := train.Hold(m, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
