package train_test

import (
	"testing"

	"llmsize/core/train"
	"llmsize/core/units"
)

// TestAdaptersApart spreads LoRA's matrices: of a matrix that is divided by its outputs
// the way up is divided with it, of one divided by its inputs the way down; the
// others stand whole on every slice. Experts' adapters go with the experts, and
// under ZeRO stage 3 the frozen base is shared too.
func TestAdaptersApart(t *testing.T) {
	const (
		r       = 8
		q       = r*4096 + r*4096/2 // queries, by outputs: half of the way up
		o       = r*4096/2 + r*4096 // outputs, by inputs: half of the way down
		slices  = 32 * (q + o)
		norms   = (2*32 + 1) * 4096
		base    = (phi-norms)/2 + norms
		mixtral = 46_702_792_704
		routed  = 32 * 8 * 3 * 4096 * 14336
		// peft adapts all experts of a layer as two matrices, rank 8·8 for the way down and twice that for gate and up
		experts = 32 * (2*r*8*(4096+2*14336) + r*8*(14336+4096))
		others  = 32 * (2*r*(4096+4096) + 2*r*(4096+1024) + r*(4096+8)) // q and o, k and v, the router
	)
	for _, c := range []struct {
		config, targets string
		l               train.Layout
		trained, frozen int64 // of a device, before ZeRO
		weights         int64 // bytes
	}{
		{llama8b, "q,o", train.Layout{TP: 2}, slices, base, 2 * (slices + base)},
		{llama8b, "q,o", train.Layout{TP: 2, DP: 4, Zero: 2}, slices, base, 2 * (slices + base)},
		{llama8b, "q,o", train.Layout{TP: 2, DP: 4, Zero: 3}, slices, base, 2 * (slices + base) / 4},
		{`{"model_type":"mixtral","architectures":["MixtralForCausalLM"]}`, "all-linear", train.Layout{EP: 8, DP: 8}, others + experts/8, mixtral - routed + routed/8, 2 * (others + experts/8 + mixtral - routed + routed/8)},
	} {
		m := describe(t, c.config)
		ask := recipe(t, "adamw", "bf16-mixed", c.l)
		list, _, fail := train.Adapters(m, r, c.targets)
		if fail != nil {
			t.Fatal(fail)
		}
		ask.Adapters = list
		x, fail := train.Hold(m, ask)
		if fail != nil {
			t.Fatal(fail)
		}
		if x.Trained != units.Params(c.trained) || x.Frozen != units.Params(c.frozen) || x.Parts[train.Weights] != c.weights {
			t.Errorf("%s, %+v: %d trained, %d frozen, %d bytes of weights; want %d, %d, %d", c.targets, c.l, x.Trained, x.Frozen, x.Parts[train.Weights], c.trained, c.frozen, c.weights)
		}
	}
}

// TestWholeOnSlices is what every slice of tensor parallelism holds whole beside norms:
// MLA's matrices down to its latents, which all heads read, and learned positions.
func TestWholeOnSlices(t *testing.T) {
	const tp = 8
	for _, c := range []struct {
		name, config   string
		divided, whole int64
	}{
		{"mla", `{"model_type":"deepseek_v3","architectures":["DeepseekV3ForCausalLM"],"vocab_size":96,"hidden_size":64,"intermediate_size":128,"num_hidden_layers":1,"first_k_dense_replace":1,"num_attention_heads":8,"num_key_value_heads":8,"q_lora_rank":24,"kv_lora_rank":16,"qk_nope_head_dim":8,"qk_rope_head_dim":4,"v_head_dim":8,"num_nextn_predict_layers":0}`,
			2*96*64 + 8*(8+4)*24 + 8*(8+8)*16 + 64*64 + 3*64*128, // tables, queries and keys with values up from their latents, outputs, feed-forward
			24*64 + (16+4)*64 + 24 + 16 + 3*64},                  // down to the latents and the rotary key, norms
		{"positions", `{"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"vocab_size":96,"n_positions":32,"n_embd":64,"n_layer":1,"n_head":8}`,
			96*64 + 64*192 + 192 + 64*64 + 64*256 + 256 + 256*64, // the head is the embedding
			32*64 + 64 + 64 + 3*2*64},                            // positions, the biases of what is divided by inputs, three norms
	} {
		x, err := train.Hold(describe(t, c.config), recipe(t, "adamw", "bf16-mixed", train.Layout{TP: tp}))
		if err != nil {
			t.Fatal(err)
		}
		if want := c.divided/tp + c.whole; int64(x.Trained) != want {
			t.Errorf("%s: %d parameters on a slice, want %d", c.name, x.Trained, want)
		}
	}
}

// TestGathered is the largest layer's weights under ZeRO stage 3: of Mixtral a layer with all its
// eight experts, or with those that EP leaves.
func TestGathered(t *testing.T) {
	const rest, expert = 4096*(4096+2*1024+4096) + 8*4096 + 2*4096, 3 * 4096 * 14336
	for ep, want := range map[int64]int64{1: 2 * (rest + 8*expert), 4: 2 * (rest + 2*expert)} {
		x, err := train.Hold(describe(t, `{"model_type":"mixtral","architectures":["MixtralForCausalLM"]}`), recipe(t, "adamw", "bf16-mixed", train.Layout{DP: 8, EP: ep, Zero: 3}))
		if err != nil {
			t.Fatal(err)
		}
		if x.Parts[train.Gathered] != want {
			t.Errorf("ep %d: %d bytes gathered, want %d", ep, x.Parts[train.Gathered], want)
		}
	}
}

// TestFrozenVolume: under ZeRO stage 3 a frozen base is gathered for both passes of each micro-batch, and
// has no gradients to reduce; under stage 2 it is whole everywhere.
func TestFrozenVolume(t *testing.T) {
	const adapters = 32 * 8 * 2 * (4096 + 4096)
	m := describe(t, llama8b)
	list, _, fail := train.Adapters(m, 8, "q,o")
	if fail != nil {
		t.Fatal(fail)
	}
	for zero, want := range map[int64]float64{2: (2*2 + 2) * adapters * 7 / 8, 3: 2 * ((2+2*2)*adapters + 2*2*phi) * 7 / 8} {
		q := recipe(t, "adamw", "bf16-mixed", train.Layout{DP: 8, Zero: zero})
		q.Adapters = list
		sent, batches := train.Volumes(m, q, 16, 8)
		if batches != 2 || len(sent) != 1 || sent[0].Bytes != want {
			t.Errorf("ZeRO %d: %+v in %d micro-batches, want %.0f bytes", zero, sent, batches, want)
		}
	}
}
