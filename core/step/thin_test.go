package step_test

import (
	"os"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/step"
	"llmsize/core/train"
)

// TestThin: a step whose layers stand for others takes what one takes of which every layer is laid out, where layers of
// several kinds take turns, and whatever of a layer outlives it.
func TestThin(t *testing.T) {
	t.Parallel()
	list, err := catalogue.Load(os.DirFS("../../content"))
	if err != nil {
		t.Fatal(err)
	}
	lib, asked := families.Library(), 0
	for i := range list.Models {
		x := &list.Models[i]
		switch x.Slug {
		case "qwen3-next-80b-a3b", "qwen3.5-0.8b", "t5-v1.1-base", "gemma-3-1b", "gemma-2-2b", "gpt-oss-20b", "exaone-4.0-32b", "deepseek-v2-lite", "qwen3-30b-a3b", "llama-3.1-8b", "granite-3.1-1b-a400m", "olmo-3-7b", "llama-4-scout", "smollm3-3b", "glm-4.5", "jamba-v0.1":
		default:
			continue
		}
		for name, o := range map[string]*step.Options{
			"plain":       {Param: 2, Seq: 1024},
			"checkpoint":  {Param: 2, Seq: 1024, Checkpoint: true},
			"autocast":    {Param: 4, Auto: true, Seq: 640},
			"shards":      {Param: 2, Seq: 1024, Shard: &step.Shard{Ranks: 8, Held: 4, Sum: 4}},
			"many shards": {Param: 2, Seq: 1024, Checkpoint: true, Shard: &step.Shard{Ranks: 256, Held: 4, Sum: 4}},
			"kept shards": {Param: 2, Seq: 1024, Shard: &step.Shard{Ranks: 64, Held: 2, Sum: 2, Keep: true}},
			"adapters":    {Param: 2, Seq: 640, AdapterBytes: 4},
			"backward":    {Param: 2, Seq: 640, Kernel: step.Loop, InBackward: true},
		} {
			m := describe(t, lib, string(x.Config)) // whose budget is of one answer
			if name == "adapters" {
				list, _, fail := train.Adapters(m, 8, "all-linear")
				if fail != nil {
					t.Fatal(x.Slug, fail)
				}
				o.Adapters = list
			}
			o.Batch, o.Optimizer = 1, "adamw"
			got, fail := step.Train(m, o, false)
			if fail != nil && fail.Field == "model" {
				continue
			}
			o.Each()
			want, other := step.Train(m, o, false)
			if fail != nil || other != nil {
				t.Errorf("%s, %s: %v, %v", x.Slug, name, fail, other)
				continue
			}
			asked++
			for _, f := range []struct {
				what      string
				got, want int64
			}{{"after the forward pass", got.AfterForward, want.AfterForward}, {"peak_forward", got.PeakForward, want.PeakForward}, {"peak_backward", got.PeakBackward, want.PeakBackward},
				{"after the backward pass", got.AfterBackward, want.AfterBackward}, {"peak", got.Peak, want.Peak}} {
				if d := off(f.got, f.want); d > 0 {
					t.Errorf("%s, %s: %s is %d, %.2f%% from %d", x.Slug, name, f.what, f.got, 100*d, f.want)
				}
			}
		}
	}
	if asked < 60 {
		t.Errorf("%d steps were compared", asked)
	}
}
