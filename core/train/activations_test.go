package train_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/train"
	"llmsize/core/units"
)

// question is a run on one device with AdamW in bf16 mixed precision.
func question(s train.Saving) *train.Question {
	o, _ := train.OptimizerNamed("adamw")
	p, _ := train.PrecisionNamed("bf16-mixed")
	if s.Micro == 0 {
		s.Micro = 1
	}
	return &train.Question{Optimizer: o, Precision: p, Layout: train.Layout{TP: 1, PP: 1, EP: 1, DP: 1}, Saving: s}
}

// The reasons why activations are not within 5% of the plain modules'.
const (
	scan    = "a scan, a recurrence or a convolution over time, written out step by step; counted are the inputs and outputs of its matrices"
	cross   = "the config's layers are the encoder's, which does not run; the decoder keeps its own"
	bare    = "norms without weights"
	streams = "several residual streams are mixed around each step"
	every   = "every expert runs on every token"
	index   = "an index, or compressed entries, beside the scores"
	gates   = "gates and copies that the class writes out, up to 12% of a layer"
	experts = "the router and the way of tokens to experts are written out, up to 10%"
)

// unlike are the types whose activations are not within 5%.
var unlike = map[string]string{
	"bailing_hybrid": scan, "bamba": scan, "falcon_h1": scan, "falcon_mamba": scan, "granitemoehybrid": scan, "jamba": scan, "kimi_linear": scan,
	"mamba": scan, "mamba2": scan, "minimax": scan, "nemotron_h": scan, "olmo_hybrid": scan, "qwen3_5_moe_text": scan, "qwen3_5_text": scan,
	"qwen3_next": scan, "recurrent_gemma": scan, "rwkv": scan, "inkling_text": scan, "inkling2_text": scan,
	"bart": cross, "bigbird_pegasus": cross, "blenderbot": cross, "blenderbot-small": cross, "marian": cross, "mbart": cross, "mvp": cross,
	"pegasus": cross, "trocr": cross, "whisper": cross, "axk2": gates, "beam": gates, "flint": gates, "kolibri1": gates, "mimo_v2_flash": gates, "zaya": gates,
	"nanochat": bare, "olmo": bare, "deepseek_v4": streams, "hy_v4": streams, "llama4_text": every, "minimax_m3_vl_text": index, "cpmant": "it runs over 32 prompt tokens before the first",
	"hrm_text": "its layers run more than once, which counts once here",
}

// roughly are the types whose activations are within 5%, but not within half a percent.
var roughly = map[string]string{
	"deepseek_v3": matrix, "deepseek_v32": matrix, "exaone_moe": matrix, "glm4_moe": matrix, "glm_moe_dsa": matrix, "hy_v3": matrix, "solar_open": matrix, "axk1": matrix, "dots3_note_text": matrix,
	"bert": masks, "camembert": masks, "data2vec-text": masks, "ernie": masks, "roberta": masks, "roberta-prelayernorm": masks, "roc_bert": masks, "xlm-roberta": masks, "plbart": masks, "xlm-roberta-xl": masks, "xglm": masks, "git": masks,
	"gpt_neox": shared, "persimmon": shared, "lfm3": scan, "qwen2_moe": experts, "modernbert-decoder": gates,
	"apertus": gates, "diffllama": gates, "doge": gates, "ernie4_5": gates, "gemma4_text": gates, "gemma4_unified_text": gates, "granite_swa": gates, "granitemoe_swa": gates, "laguna": gates,
}

const (
	matrix = "a copy of the router's matrix in fp32, once for all tokens: 4·E·h bytes are much of so few tokens"
	shared = "two norms keep one input: that of the layer, or the matrix of queries and keys"
	masks  = "masks of attention and dropout that the class makes, once for all layers, and a pooler"
)

// TestActivations holds what is kept for the backward pass against what autograd
// saves of transformers' modules: to half a percent, to 5% for the types in roughly,
// and nothing is said of the types in unlike but that they keep more or less.
func TestActivations(t *testing.T) {
	for _, file := range []string{"../memory/testdata/activations.txt", "testdata/activations.txt"} {
		rows, err := oracle.LoadTable(os.DirFS(filepath.Dir(file)), filepath.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			n, _ := units.ParseCount(row["tokens"])
			want, _ := units.ParseCount(row["saved_bytes"])
			m := describe(t, row["config"])
			x, fail := train.Hold(m, question(train.Saving{Seq: n}))
			if fail != nil {
				t.Fatal(fail)
			}
			got := x.Parts[train.Activations]
			off := 100 * math.Abs(float64(got)/float64(want)-1)
			far, near := unlike[m.Type] != "", roughly[m.Type] != ""
			if far != (off > 5) || near != (off > 0.5 && off <= 5) {
				t.Errorf("%s, %d tokens: %d, want %d (%+.2f%%) %s%s", row["config"], n, got, want, 100*(float64(got)/float64(want)-1), unlike[m.Type], roughly[m.Type])
				for _, s := range x.Saved {
					t.Logf("  %s %s %s %s: %.1f a token in %d layers", s.Block, s.Kind, s.Title, s.What, s.Layer/float64(n), s.Layers)
				}
			}
		}
	}
}

// TestLayers is the same for what layers alone keep, without tables of positions and
// the loss: to the byte, but for types that TestActivations holds to half a percent.
func TestLayers(t *testing.T) {
	differ := map[string]bool{"gemma": true, "gemma2": true, "gemma3_text": true, "gptj": true, "gpt_neox": true, "falcon": true, "cohere": true, "glm4": true, "nemotron": true, "helium": true}
	rows, err := oracle.LoadTable(os.DirFS("../memory/testdata"), "activations.txt")
	if err != nil {
		t.Fatal(err)
	}
	type key struct{ config, tokens string }
	few, checked := map[key][2]int64{}, map[string]bool{}
	for _, row := range rows {
		m := describe(t, row["config"])
		n, _ := units.ParseCount(row["tokens"])
		want, _ := units.ParseCount(row["saved_bytes"])
		x, fail := train.Hold(m, question(train.Saving{Seq: n}))
		if fail != nil {
			t.Fatal(fail)
		}
		got := x.Parts[train.Activations]
		k := key{m.Type, row["tokens"]}
		before, ok := few[k]
		if few[k] = [2]int64{got, want}; !ok {
			continue
		}
		checked[m.Type] = true
		if g, w := got-before[0], want-before[1]; (g == w) == differ[m.Type] {
			t.Errorf("%s, %s tokens: two layers more keep %d bytes, want %d", m.Type, row["tokens"], g, w)
		}
	}
	if len(checked) < 20 {
		t.Errorf("%d types", len(checked))
	}
}

// gpt is a model of Korthikanti et al. 2022, table 3.
func gpt(t *testing.T, a, h, l int64) string {
	t.Helper()
	return `{"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"vocab_size":51200,"n_positions":2048,"n_embd":` + units.Itoa(h) + `,"n_layer":` + units.Itoa(l) + `,"n_head":` + units.Itoa(a) + `}`
}

// TestKorthikanti reproduces the table of activations of a transformer layer in
// Korthikanti et al. 2022, arXiv 2205.05198, section 4 and 5, to the byte.
func TestKorthikanti(t *testing.T) {
	const s, b = 2048, 4
	for _, model := range [][3]int64{{64, 6144, 48}, {96, 12288, 96}, {128, 20480, 105}, {160, 25600, 128}} { // 22B, 175B, 530B, 1T
		a, h, layers := model[0], model[1], model[2]
		m := describe(t, gpt(t, a, h, layers))
		sbh := int64(s * b * h)
		square := 5 * a * s * s * b
		const tp = 8
		for _, c := range []struct {
			name      string
			tp        int64
			sequence  bool
			recompute string
			want      int64
			again     int64 // made again for a layer at a time
		}{
			{"no parallelism", 1, false, "none", 34*sbh + square, 0},
			{"tensor parallel", tp, false, "none", 10*sbh + 24*sbh/tp + square/tp, 0},
			{"tensor and sequence parallel", tp, true, "none", 34*sbh/tp + square/tp, 0},
			{"tensor parallel, selective recomputation", tp, false, "selective", 10*sbh + 24*sbh/tp, square / tp},
			{"tensor and sequence parallel, selective recomputation", tp, true, "selective", 34 * sbh / tp, square / tp},
			{"full recomputation", 1, false, "full", 2 * sbh, 34*sbh + square},
			{"tensor and sequence parallel, full recomputation", tp, true, "full", 2 * sbh / tp, 34*sbh/tp + square/tp},
		} {
			q := question(train.Saving{Seq: s, Micro: b, Fused: true, Recompute: c.recompute, Sequence: c.sequence})
			q.Layout.TP = c.tp
			x, err := train.Hold(m, q)
			if err != nil {
				t.Fatal(err)
			}
			got := float64(0)
			for _, r := range x.Saved {
				if r.Layers == layers && !r.Again {
					got += r.Layer
				}
			}
			if got != float64(c.want) || x.Parts[train.Working] != c.again {
				t.Errorf("h %d, %s: %.0f bytes a layer and %d made again, want %d and %d", h, c.name, got, x.Parts[train.Working], c.want, c.again)
				for _, r := range x.Saved {
					t.Logf("  %s %s: %.3f sbh", r.Title, r.What, r.Layer/float64(sbh))
				}
			}
		}
	}
}

// TestFlash: with flash attention 6·a·s bytes a token go, 4·a come, and keys and
// values of 8 heads are no longer copied for 32.
func TestFlash(t *testing.T) {
	m := describe(t, `{"model_type":"mistral","num_hidden_layers":1,"sliding_window":null}`)
	const s, a, kv, d = 1024, 32, 8, 128
	plain, _ := train.Hold(m, question(train.Saving{Seq: s}))
	flash, err := train.Hold(m, question(train.Saving{Seq: s, Flash: true}))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := plain.Parts[train.Activations]-flash.Parts[train.Activations], int64(s*(6*a*s-4*a+2*2*(a-kv)*d)); got != want {
		t.Errorf("flash attention saves %d bytes, want %d", got, want)
	}
}

// kept is what a model's layers of one title keep of a token, in bytes.
func kept(t *testing.T, config, title, what string, s train.Saving) float64 {
	t.Helper()
	s.Seq = 1000
	x, err := train.Hold(describe(t, config), question(s))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range x.Saved {
		if r.Title == title && r.What == what && !r.Again {
			return r.Layer / 1000
		}
	}
	t.Fatalf("%s keeps no %s: %+v", title, what, x.Saved)
	return 0
}

// TestMixers writes out what mixers keep whose types are not in TestLayers. Latent attention of
// h = 48, 8 heads of 8 + 4 and values of 6, latents of 24 and 16. A state-space mixer of
// 128 channels, 16 states and a step of rank 4. Linear attention of two heads of 32
// for keys and four of 16 for values. All in 16 bits, scans made again.
func TestMixers(t *testing.T) {
	const mla = `{"model_type":"deepseek_v3","architectures":["DeepseekV3ForCausalLM"],"vocab_size":96,"hidden_size":48,"intermediate_size":128,"num_hidden_layers":1,"first_k_dense_replace":1,"num_attention_heads":8,"num_key_value_heads":8,"q_lora_rank":24,"kv_lora_rank":16,"qk_nope_head_dim":8,"qk_rope_head_dim":4,"v_head_dim":6,"num_nextn_predict_layers":0}`
	const picking = `{"model_type":"deepseek_v32","architectures":["DeepseekV32ForCausalLM"],"vocab_size":96,"hidden_size":48,"intermediate_size":128,"num_hidden_layers":1,"first_k_dense_replace":1,"num_attention_heads":8,"num_key_value_heads":8,"q_lora_rank":24,"kv_lora_rank":16,"qk_nope_head_dim":8,"qk_rope_head_dim":4,"v_head_dim":6,"num_nextn_predict_layers":0}`
	const mamba = `{"model_type":"mamba","architectures":["MambaForCausalLM"],"vocab_size":96,"hidden_size":64,"num_hidden_layers":1,"state_size":16,"expand":2,"intermediate_size":128,"time_step_rank":4}`
	const delta = `{"model_type":"qwen3_next","architectures":["Qwen3NextForCausalLM"],"vocab_size":96,"hidden_size":64,"num_hidden_layers":1,"linear_num_key_heads":2,"linear_key_head_dim":32,"linear_num_value_heads":4,"linear_value_head_dim":16,"layer_types":["linear_attention"]}`
	// Facts that shapes do not tell: two heads of 16 and one of keys and values make 64 values, as many as the way back gives; queries
	// have gates all the same. What gives as many values as queries and gates would is keys and values.
	const gated = `{"model_type":"qwen3_next","architectures":["Qwen3NextForCausalLM"],"vocab_size":96,"hidden_size":64,"num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,"head_dim":16,"layer_types":["full_attention"]}`
	const paired = `{"model_type":"telechat","architectures":["TelechatForCausalLM"],"vocab_size":96,"hidden_size":32,"num_hidden_layers":1,"num_attention_heads":2,"ffn_hidden_size":64}`
	const packed = `{"model_type":"gpt_neox","architectures":["GPTNeoXForCausalLM"],"vocab_size":96,"hidden_size":32,"num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":64}`
	// Four experts of width 48, three of them a token; a mixer whose 128 channels are two heads with matrices of their own, of 16 states and a step of rank 4.
	const chosen = `{"model_type":"mixtral","architectures":["MixtralForCausalLM"],"vocab_size":96,"hidden_size":32,"num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":2,"intermediate_size":48,"num_local_experts":4,"num_experts_per_tok":3}`
	const copied = `{"model_type":"deepseek_v3","architectures":["DeepseekV3ForCausalLM"],"vocab_size":96,"hidden_size":48,"intermediate_size":128,"num_hidden_layers":1,"first_k_dense_replace":0,"n_routed_experts":8,"num_experts_per_tok":2,"n_group":2,"topk_group":1,"moe_intermediate_size":20,"num_nextn_predict_layers":0}`
	const twins = `{"model_type":"zamba","architectures":["ZambaForCausalLM"],"vocab_size":96,"hidden_size":64,"num_hidden_layers":2,"mamba_expand":2,"n_mamba_heads":2,"mamba_d_state":16,"mamba_dt_rank":4,"layers_block_type":["linear_attention","linear_attention"]}`
	inputs := 48 + 24 + 16.0                               // of the layer once, though two matrices read it; of the ways up
	heads := 8*12 + 8*12 + 8*(8+6) + 8*6.0                 // queries, keys, the way up whole that values are a view of, what they sum to
	latents := (6*24 + 4) + (6*16 + 4.0)                   // two norms: fp32, 16 bits, and a deviation
	scan := 64 + 2*128 + 128 + 128 + 36 + 4.0              // in, its two halves, convolved, the same for the next matrix, what it gives, the step's rank
	scan += 128 + 128                                      // the step itself, and what goes out
	mixed := 64 + (2*64 + 2*64) + 2*4 + (2*64 + 64) + 64.0 // in, keys with queries and values with gates, two numbers a head, convolved, out
	for _, c := range []struct {
		config, title, what string
		flash               bool
		want                float64
	}{
		{mla, "attention", "projections", false, 2 * (inputs + heads)},
		{mla, "attention", "projections", true, 2 * (inputs + heads)},
		{mla, "attention", "norms", false, latents},
		{picking, "sparse latent attention", "projections", true, 2 * (inputs + heads)}, // an index picks, and learns nothing from it
		{picking, "sparse latent attention", "norms", true, latents},
		{mamba, "state-space mixer", "projections", true, 2 * scan},
		{delta, "gated delta rule", "projections", true, 2 * mixed},
		{gated, "gated attention", "projections", true, 2 * (64 + 3*32 + 32 + 16 + 16 + 32)}, // in, gates with their sigmoids and what they multiply, queries, keys, values, out
		{paired, "attention", "projections", true, 2 * (32 + 32 + 32 + 32 + 32)},
		{packed, "attention", "projections", true, 2 * (32 + 32 + 32 + 3*32 + 32)},            // queries and keys are turned, values a view of all three
		{delta, "gated delta rule", "norms", true, 4 * (6*16 + 4)},                            // one for each head
		{chosen, "experts", "experts", true, 2*32 + (4*4 + 8*3) + 2*2*3*32 + 2*4*3*48},        // in, probabilities with what was chosen, the token's copies there and back, the experts
		{copied, "experts", "experts", true, 4*48 + 2*48 + (4*8 + 8*2) + 2*2*2*48 + 2*4*2*20}, // the router has a copy in fp32
		{twins, "state-space mixer", "projections", true, 2 * (64 + 2*128 + 128 + 2*(64+4+2*16) + 2*(4+64) + 128)},
	} {
		if got := kept(t, c.config, c.title, c.what, train.Saving{Flash: c.flash}); got != c.want {
			t.Errorf("%s: %s of %s keep %.1f bytes a token, want %.1f", c.config, c.what, c.title, got, c.want)
		}
	}
}

// TestLoss: log-probabilities stay in fp32, one position less than there are tokens. While
// the loss goes back, their gradient and the logits' are there beside them: twelve bytes for
// each logit, whatever the model's format.
func TestLoss(t *testing.T) {
	const s, vocabulary = 1000, 128256
	for _, precision := range []string{"bf16-mixed", "fp32"} {
		q := recipe(t, "adamw", precision, train.Layout{TP: 2})
		q.Saving.Seq, q.Saving.Micro = s, 3
		x, err := train.Hold(describe(t, llama8b), q)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Parts[train.Working]; got != 3*8*s*vocabulary/2 {
			t.Errorf("%s: %d bytes of gradients of logits, want %d", precision, got, 3*8*s*vocabulary/2)
		}
		value := float64(2)
		if precision == "fp32" {
			value = 4
		}
		for _, r := range x.Saved {
			if want := 3 * (4*(s-1)*vocabulary/2 + value*4096*s/2); r.What == "logits and loss" && r.Layer != want {
				t.Errorf("%s: %.0f bytes of log-probabilities and the head's input, want %.0f", precision, r.Layer, want)
			}
		}
	}
}

// TestOps keeps of Llama-3.1-8B's layers what torchtitan's policy keeps, operation by operation:
// q, v, gate and down are the first, third, fifth and seventh product; k, o and up are made
// again. Two slices keep what down gives before it is summed, and the sums of o and down.
func TestOps(t *testing.T) {
	const s, h, kv, f, a = 4096, 4096, 1024, 14336, 32
	m := describe(t, llama8b)
	for _, c := range []struct {
		tp   int64
		want float64 // bytes of a token and layer beside the layer's input
	}{
		{1, 2*(h+kv+f+h) + 2*h + 4*a},
		{2, 2*(h/2+kv/2+f/2+h) + 2*(h/2+h/2) + (2*h+4*a)/2},
	} {
		q := recipe(t, "adamw", "bf16-mixed", train.Layout{TP: c.tp})
		q.Saving.Seq, q.Saving.Micro, q.Saving.Recompute = s, 2, "ops"
		x, err := train.Hold(m, q)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, r := range x.Saved {
			if r.Layers == 32 {
				got[r.What] += r.Layer / (2 * s)
			}
		}
		if in := got["layer inputs"]; in != 2*h/float64(c.tp) || got["every second product, and attention"] != c.want || len(got) != 2 {
			t.Errorf("tp %d: a layer keeps %v bytes a token, want %.0f and %.0f", c.tp, got, 2*h/float64(c.tp), c.want)
		}
		// More than full recomputation, less than none; the loss is the same.
		var held [3]int64
		for i, r := range []string{"full", "ops", "none"} {
			q.Saving.Recompute = r
			if x, err = train.Hold(m, q); err != nil {
				t.Fatal(err)
			}
			held[i] = x.Parts[train.Activations]
		}
		if !(held[0] < held[1] && held[1] < held[2]) {
			t.Errorf("tp %d: full, ops and none keep %v", c.tp, held)
		}
	}
}

// TestEnds is the rest of Korthikanti et al. 2022, section 4.3: s·b·h/t of masks where embeddings are dropped out,
// 4·s·b·h/t·(1 + V/h) of the last norm, the head's input and the logits. The last token has no next one.
func TestEnds(t *testing.T) {
	const s, b, h, V, tp = 2048, 4, 12288, 51200, 8
	q := question(train.Saving{Seq: s, Micro: b, Fused: true, Sequence: true})
	q.Layout.TP = tp
	x, err := train.Hold(describe(t, gpt(t, 96, h, 96)), q)
	if err != nil {
		t.Fatal(err)
	}
	got := 0.0
	for _, r := range x.Saved {
		if r.Layers == 1 {
			got += r.Bytes
		}
	}
	if want := float64(s*b*h/tp + 4*s*b*h/tp + 4*(s-1)*b*V/tp); got != want {
		t.Errorf("%.0f bytes outside of the layers, want %.0f", got, want)
	}
}
