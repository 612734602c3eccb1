package checkpoint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"llmsize/core/checkpoint"
)

// TestDifferences takes a plain checkpoint and changes one thing.
func TestDifferences(t *testing.T) {
	edit := func(f func(list []one) []one) []one { return f(llamaTensors()) }
	prefixed := func(from, to string) []one {
		return edit(func(list []one) []one {
			for i := range list {
				if rest, ok := strings.CutPrefix(list[i].name, from); ok {
					list[i].name = to + rest
				}
			}
			return list
		})
	}
	add := func(more ...one) []one { return append(llamaTensors(), more...) }
	tied := `,"tie_word_embeddings":true`
	for _, c := range []struct {
		name, more string
		list       []one
		want       string
	}{
		{"equal", "", llamaTensors(), "equal"},
		{"a head that is tied", tied, llamaTensors(), fmt.Sprintf("extra; extra tied 1/%d", 320*64)},
		{"the head instead of the embedding", tied, edit(func(l []one) []one { return slices.Delete(l, 1, 2) }), "equal"},
		{"a norm is missing", "", edit(func(l []one) []one { return slices.Delete(l, 2, 3) }), "differs; missing other 1/64"},
		{"a longer embedding", "", edit(func(l []one) []one { l[1].shape = []int64{384, 64}; return l }), fmt.Sprintf("differs; shape other 1/%d", 384*64)},
		{"turned round", "", edit(func(l []one) []one { l[1].shape = []int64{64, 320}; return l }), fmt.Sprintf("differs; shape other 1/%d", 320*64)},
		{"norms in 32 bits", "", edit(func(l []one) []one { l[2].dtype = "F32"; return l }), "precision; precision other 1/64"},
		{"all in 16-bit floats", "", edit(func(l []one) []one {
			for i := range l {
				l[i].dtype = "F16"
			}
			return l
		}), fmt.Sprintf("precision; precision other 21/%d", llamaParameters)},
		{"old frequencies", "", add(one{"model.layers.0.self_attn.rotary_emb.inv_freq", "F32", []int64{8}}), "extra; extra buffer 1/8"},
		{"a mask", "", add(one{"model.layers.0.self_attn.bias", "BOOL", []int64{1, 1, 32, 32}}), "extra; extra buffer 1/1024"},
		{"position ids", "", add(one{"model.position_ids", "I64", []int64{1, 32}}), "extra; extra buffer 1/32"},
		{"adapters", "", add(one{"model.layers.0.self_attn.q_proj.lora_A.weight", "BF16", []int64{8, 64}}, one{"model.layers.0.self_attn.q_proj.lora_B.weight", "BF16", []int64{64, 8}}), "extra; extra adapter 2/1024"},
		{"a layer more", "", add(one{"model.layers.2.input_layernorm.weight", "BF16", []int64{64}}), "extra; extra other 1/64"},
		{"a layer that the config announces", `,"num_nextn_predict_layers":1`, add(one{"model.layers.2.input_layernorm.weight", "BF16", []int64{64}}), "extra; extra prediction 1/64"},
		{"a layer that names itself so", "", add(one{"model.layers.2.input_layernorm.weight", "BF16", []int64{64}}, one{"model.layers.2.eh_proj.weight", "BF16", []int64{64, 128}}), "extra; extra prediction 2/8256"},
		{"prediction layers of their own", "", add(one{"mtp.fc.weight", "BF16", []int64{64, 128}}), "extra; extra prediction 1/8192"},
		{"a scale that is learnt", "", add(one{"model.layers.0.mlp.down_proj.scale", "BF16", []int64{64}}), "extra; extra other 1/64"},
		{"a beginning less", "", prefixed("model.", ""), "equal"},
		{"a beginning more", "", prefixed("", "language_model."), "equal"},
		{"another beginning", "", prefixed("model.", "backbone.decoder."), "equal"},
		{"an unknown name is no renaming", "", edit(func(l []one) []one {
			i := slices.IndexFunc(l, func(t one) bool { return t.name == "model.layers.1.self_attn.q_proj.weight" })
			l[i].name = "model.layers.1.self_attn.query.weight"
			return l
		}), "differs; missing other 1/4096; extra other 1/4096"},
		{"gamma and beta", "", edit(func(l []one) []one {
			for i := range l {
				if strings.HasSuffix(l[i].name, "norm.weight") {
					l[i].name = strings.TrimSuffix(l[i].name, "weight") + "gamma"
				}
			}
			return l
		}), "equal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg, m := describe(t, fmt.Sprintf(llama, c.more))
			v := checkpoint.Verify(mustRead(t, c.list), cfg, m)
			if got := summary(&v); got != c.want {
				t.Errorf("%s, want %s: %+v", got, c.want, v.Differences)
			}
		})
	}
}
