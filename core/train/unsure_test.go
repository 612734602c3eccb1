package train_test

import (
	"strings"
	"testing"

	"llmsize/core/train"
)

// TestUnsure: what is known of a class says that its plain modules keep something else, unless layers keep their input alone.
func TestUnsure(t *testing.T) {
	const sizes = `,"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":128,"vocab_size":100`
	for config, want := range map[string]string{
		`{"model_type":"llama"` + sizes + `}`:                           "",
		`{"model_type":"mixtral","num_key_value_heads":4` + sizes + `}`: "",
		`{"model_type":"mamba"` + sizes + `}`:                           "fused kernels",
		`{"model_type":"qwen3_next"` + sizes + `}`:                      "fused kernels",
		`{"model_type":"llama4_text"` + sizes + `}`:                     "every expert on every token",
		`{"model_type":"gpt_oss","num_key_value_heads":4` + sizes + `}`: "the class stores them",
		`{"model_type":"gemma4","audio_config":{}}`:                     "", // its tower for sounds scans
	} {
		m := describe(t, config)
		q := question(train.Saving{Seq: 128, Flash: true, Recompute: "none"})
		if got := train.Unsure(m, q); got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("%s: %q, want %q", config, got, want)
		}
		q.Saving.Recompute = "full"
		if got := train.Unsure(m, q); got != "" {
			t.Errorf("%s, each layer's input alone: %q", config, got)
		}
	}
	m, q := describe(t, `{"model_type":"gpt_oss","num_key_value_heads":4`+sizes+`}`), question(train.Saving{Seq: 128})
	if got := train.Unsure(m, q); got != "" {
		t.Errorf("scores that are stored: %q", got)
	}
	q.Adapters = []train.Adapter{{}}
	if got := train.Unsure(m, q); !strings.Contains(got, "frozen") {
		t.Errorf("adapters: %q", got)
	}
}
