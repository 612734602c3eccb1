package compute_test

import (
	"os"
	"strconv"
	"testing"

	"llmsize/build/oracle"
	"llmsize/build/oracle/oracletest"
	"llmsize/core/compute"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/memory"
	"llmsize/core/model"
)

// exceptions lists every type whose count is not the counter's, with the reason. Most
// are scans: the plain form in transformers multiplies matrices, or convolves padded
// sequences, where the algorithm has a recurrence; the counter sees the
// implementation, the formula the algorithm. A type that has become equal must
// leave the list.
func exceptions(t *testing.T) map[string]string {
	t.Helper()
	rows, err := oracle.LoadTable(os.DirFS("testdata"), "exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, r := range rows {
		list[r["type"]] = r["reason"]
	}
	return list
}

// TestFLOPs holds the forward pass against torch's counter for every type.
func TestFLOPs(t *testing.T) {
	differs := exceptions(t)
	seen := oracletest.Runs(t, "../family/testdata", func(t *testing.T, modelType string, m *model.Model, run *oracle.Runtime) {
		for _, pass := range run.Passes {
			terms, got := compute.Forward(m, compute.Pass{Tokens: pass.Tokens, Encoder: pass.Tokens, EncoderPass: true, Batch: 1, Scores: compute.Full})
			why, listed := differs[modelType]
			if listed && got == float64(pass.FLOPs) {
				t.Errorf("equal; take it off the list (%s)", why)
			}
			if !listed && got != float64(pass.FLOPs) {
				t.Errorf("%d tokens: %.0f, want %d (%+.3f%%) %v", pass.Tokens, got, pass.FLOPs, 100*(got/float64(pass.FLOPs)-1), pass.ByOp)
				for _, x := range terms {
					t.Logf("  %s %s %s: matmul %.0f score %.0f conv %.0f scan %.0f", x.Block, x.Kind, x.Title, x.Matmul, x.Score, x.Conv, x.Scan)
				}
				return
			}
			// A type may be excused for a scan only where it has one.
			if listed && why == scanned {
				rest := 0.0
				for i := range terms {
					rest += terms[i].Conv + terms[i].Scan
				}
				if rest == 0 {
					t.Errorf("%d tokens: no scan and no convolution, so that is not the reason", pass.Tokens)
				}
			}
		}
	})
	for name, why := range differs {
		if why == "" || !seen[name] {
			t.Errorf("%s is excused (%q), and there is no pass of it", name, why)
		}
	}
}

// scanned is the reason of most exceptions.
const scanned = "a scan or a convolution over time, written out as matrix products"

// inBatches are the excused types whose products with weights are not all of torch's mm and
// addmm: some run in batches, one for each head or block, or run more often.
var inBatches = map[string]bool{"cpmant": true, "gemma3n": true, "inkling_text": true, "pegasus_x": true, "zamba": true, "zaya": true}

// TestProducts holds the types that TestFLOPs excuses for scans and convolutions to the
// counter in the rest: their products with weights, but for the routed experts', are torch's mm and addmm.
func TestProducts(t *testing.T) {
	differs, checked := exceptions(t), 0
	oracletest.Runs(t, "../family/testdata", func(t *testing.T, modelType string, m *model.Model, run *oracle.Runtime) {
		if differs[modelType] == "" {
			return
		}
		for _, pass := range run.Passes {
			terms, _ := compute.Forward(m, compute.Pass{Tokens: pass.Tokens, Encoder: pass.Tokens, EncoderPass: true, Batch: 1, Scores: compute.Full})
			got, want := 0.0, 0.0
			for i := range terms {
				got += terms[i].Matmul
			}
			m.EachUsed(func(_ *model.Block, _ *model.Kind, _ *model.Part, x *model.Tensor, layers int64) {
				if x.Op == model.MatMul && x.ActiveOf > 1 {
					got -= 2 * float64(x.Elements*x.Copies*x.Uses*layers*pass.Tokens) * float64(x.Active) / float64(x.ActiveOf)
				}
			})
			for _, op := range pass.ByOp {
				if op.Name == "mm" || op.Name == "addmm" || op.Name == "baddbmm" {
					want += float64(op.FLOPs)
				}
			}
			checked++
			if (got == want) == inBatches[modelType] {
				t.Errorf("%d tokens: %.0f FLOPs of products with weights, %.0f by the counter", pass.Tokens, got, want)
			}
		}
	})
	if checked < 40 {
		t.Errorf("%d passes", checked)
	}
}

// TestChanged holds passes of configs with some keys changed against torch's counter, and the cache that they leave
// against the class's.
func TestChanged(t *testing.T) {
	rows, err := oracle.LoadTable(os.DirFS("testdata"), "changed.txt")
	if err != nil {
		t.Fatal(err)
	}
	bf16, _ := memory.FormatNamed("bf16")
	for _, r := range rows {
		cfg, fail := config.ParseObject(r["config"])
		if fail != nil {
			t.Fatal(fail)
		}
		m, fail := family.Describe(cfg, families.Library())
		if fail != nil {
			t.Errorf("%s: %v", r["config"], fail)
			continue
		}
		var n [3]int64
		for i, name := range []string{"tokens", "flops", "cache"} {
			if n[i], err = strconv.ParseInt(r[name], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		if _, got := compute.Forward(m, compute.Pass{Tokens: n[0], Encoder: n[0], EncoderPass: true, Batch: 1, Scores: compute.Full}); got != float64(n[1]) {
			t.Errorf("%s, %d tokens: %.0f FLOPs, want %d", r["config"], n[0], got, n[1])
		}
		if _, got, _ := memory.Cache(m, memory.CacheQuestion{Policy: memory.Transformers, Context: n[0], Encoder: n[0], Batch: 1, Format: bf16, State: 16}); got != n[2] {
			t.Errorf("%s, %d tokens: a cache of %d bytes, want %d", r["config"], n[0], got, n[2])
		}
	}
}

// TestTwoExperts: Phi-3.5-MoE's router picks two experts whatever the config says. The figure is torch's counter over 24 tokens.
func TestTwoExperts(t *testing.T) {
	cfg, fail := config.ParseObject(`{"architectures":["PhimoeForCausalLM"],"model_type":"phimoe","num_hidden_layers":5,"hidden_size":8192,"num_experts_per_tok":4}`)
	if fail != nil {
		t.Fatal(fail)
	}
	m, fail := family.Describe(cfg, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	if _, got := compute.Forward(m, compute.Pass{Tokens: 24, Batch: 1, Scores: compute.Full}); got != 128_496_697_344 {
		t.Errorf("%.0f FLOPs", got)
	}
}

// TestSpeechPairs: an encoder of speech before a decoder is counted for its frames, of which there are as many as tokens here; torch's counter on the classes
// (FlopCounterMode, meta device, eager attention, frames of eight spectra). The formula leaves out the scores of relative positions, of which T tokens have
// 2T - 1, and counts the matrix that makes these for 2T.
func TestSpeechPairs(t *testing.T) {
	t.Parallel()
	lib := families.Library()
	for _, c := range []struct {
		kind                   string
		tokens, layers, hidden int64
		want                   float64
	}{
		{"canary", 24, 32, 1024, 48_137_437_184},
		{"canary", 64, 32, 1024, 129_317_208_064},
		{"cohere_asr", 24, 48, 1280, 102_410_158_080},
		{"cohere_asr", 64, 48, 1280, 274_781_962_240},
	} {
		m := asked(t, lib, `{"model_type": "`+c.kind+`"}`, family.Unit{})
		_, got := compute.Forward(m, compute.Pass{Tokens: c.tokens, Encoder: c.tokens, EncoderPass: true, Batch: 1, Scores: compute.Full})
		left := c.layers * (2*c.tokens*(2*c.tokens-1)*c.hidden - 2*c.hidden*c.hidden)
		if got+float64(left) != c.want {
			t.Errorf("%s, %d tokens: %.0f + %d, want %.0f", c.kind, c.tokens, got, left, c.want)
		}
	}
}
