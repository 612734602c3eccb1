package train_test

import (
	"os"
	"path/filepath"
	"testing"

	"llmsize/build/fixtures/fixture"
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
	"pegasus": cross, "trocr": cross, "whisper": cross, "moshi": gates, "axk2": gates, "beam": gates, "flint": gates, "kolibri1": gates, "mimo_v2_flash": gates, "zaya": gates,
	"nanochat": bare, "olmo": bare, "deepseek_v4": streams, "hy_v4": streams, "llama4_text": every, "minimax_m3_vl_text": index, "cpmant": "it runs over 32 prompt tokens before the first",
	"hrm_text": "its layers run more than once, which counts once here",
}

// TestActivations holds what is kept for the backward pass against what autograd
// saves of transformers' modules, to 5%.
func TestActivations(t *testing.T) {
	for _, file := range []string{"../memory/testdata/activations.txt", "testdata/activations.txt"} {
		rows, err := fixture.LoadTable(os.DirFS(filepath.Dir(file)), filepath.Base(file))
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
			off := 100 * (float64(got)/float64(want) - 1)
			if why := unlike[m.Type]; (off > 5 || off < -5) != (why != "") {
				t.Errorf("%s, %d tokens: %d, want %d (%+.1f%%) %s", row["config"], n, got, want, off, why)
				for _, s := range x.Saved {
					t.Logf("  %s %s %s %s: %.1f a token in %d layers", s.Block, s.Kind, s.Title, s.What, s.Layer/float64(n), s.Layers)
				}
			}
		}
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
		}{
			{"no parallelism", 1, false, "none", 34*sbh + square},
			{"tensor parallel", tp, false, "none", 10*sbh + 24*sbh/tp + square/tp},
			{"tensor and sequence parallel", tp, true, "none", 34*sbh/tp + square/tp},
			{"tensor parallel, selective recomputation", tp, false, "selective", 10*sbh + 24*sbh/tp},
			{"tensor and sequence parallel, selective recomputation", tp, true, "selective", 34 * sbh / tp},
			{"full recomputation", 1, false, "full", 2 * sbh},
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
			if got != float64(c.want) {
				t.Errorf("h %d, %s: %.0f bytes a layer, want %d", h, c.name, got, c.want)
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
