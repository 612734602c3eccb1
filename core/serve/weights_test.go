package serve_test

import (
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/quant"
	"llmsize/core/serve"
	"llmsize/core/train"
)

var bf16, _ = memory.FormatNamed("bf16")

// TestStagesHoldEverything: the stages of every catalogue model in the recipe of
// its own config, in a recipe for linear layers and in one of llama.cpp's weigh
// what the model weighs, and a tied head's copy.
func TestStagesHoldEverything(t *testing.T) {
	c, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Models {
		s, err := c.Models[i].Subject()
		if err != nil {
			t.Fatal(err)
		}
		m, fail := family.Describe(s.Config, families.Library())
		if fail != nil {
			t.Fatal(fail)
		}
		layers := 0
		for bi := range m.Blocks {
			if m.Blocks[bi].Index != "" {
				layers += len(m.Blocks[bi].Pattern)
			}
		}
		if layers < 3 {
			continue
		}
		reads := false // a model of pictures or sound alone is not run in stages
		m.EachUsed(func(_ *model.Block, _ *model.Kind, p *model.Part, x *model.Tensor, _ int64) {
			reads = reads || p.Stream == "" && x.Op == model.MatMul
		})
		if !reads {
			continue
		}
		own, _, _ := quant.Own(&s.Config)
		awq, _ := quant.Named("awq-g128")
		q4, _ := quant.Named("q4_k_m")
		for _, r := range []quant.Recipe{own, awq, q4} {
			w, fail := quant.Weigh(m, &r, &s.Config)
			if fail != nil {
				t.Fatal(fail)
			}
			ask := serve.Ask{Model: m, Weights: &w, Layout: train.Layout{TP: 1, PP: 3, EP: 1, DP: 1}, Cache: memory.CacheQuestion{Context: 1, Encoder: 1, Batch: 1, Chunk: 1, State: 16, Format: bf16}}
			stages, fail := serve.Prepare(&ask).Stages()
			if fail != nil {
				t.Fatal(fail)
			}
			got, copies := int64(0), int64(0)
			for i := range stages {
				got += stages[i].Terms[0].Bytes
			}
			m.EachUsed(func(b *model.Block, k *model.Kind, p *model.Part, x *model.Tensor, n int64) {
				if x.TiedTo == "" || x.Role != model.Head || r.GGUF() {
					return
				}
				for j := range w.Runs {
					if w.Runs[j].Name == x.TiedTo {
						copies += w.Runs[j].Bytes
					}
				}
				if len(w.Runs) == 0 {
					copies += int64(float64(x.Elements) * float64(w.Bytes) / float64(w.Elements))
				}
			})
			if r.GGUF() {
				head := false
				rows := int64(0)
				for j := range w.Runs {
					head = head || w.Runs[j].Role == model.Head
					if w.Runs[j].Name == "token_embd.weight" {
						rows = w.Runs[j].Bytes
					}
				}
				if !head {
					copies = rows
				}
			}
			if d := got - w.Bytes - copies; d < -8 || d > 8 {
				t.Errorf("%s in %s: stages hold %d, the model %d and %d of copies: off by %d", c.Models[i].Slug, r.Name, got, w.Bytes, copies, d)
			}
		}
	}
}
