package train_test

import (
	"testing"

	"llmsize/core/train"
)

// layer is what one of Llama-3.1-8B's 32 layers keeps of a run, in bytes.
func layer(t *testing.T, s train.Saving) float64 {
	t.Helper()
	x, err := train.Hold(describe(t, llama8b), question(s))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, r := range x.Saved {
		if r.Layers == 32 && !r.Again {
			sum += r.Layer
		}
	}
	return sum
}

// TestWrongActivations are published wrong answers for what a layer keeps, each with
// the term that it misses: h = 4,096, f = 3.5·h, a = 32 heads, k = 8 of keys.
func TestWrongActivations(t *testing.T) {
	const s, h, a = 8192, 4096, 32
	const sums = 4 * a * s // what flash attention keeps of the scores
	fused := train.Saving{Seq: s, Flash: true, Fused: true}
	product := fused
	product.Act = 1 // the gate's product is made again
	full := fused
	full.Recompute = "full"
	stored := train.Saving{Seq: s}
	flash := stored
	flash.Flash = true
	for _, c := range []struct {
		why         string
		got, wrong  float64
		missing     float64
		description string
	}{
		// 12 + 4k/a + 6f/h or 8f/h against 18 + 4f/h
		{"Megatron's estimate takes the gated feed-forward for GELU's", layer(t, product), 32 * s * h, 2*s*h + sums, "6f/h + 12 + 4k/a of 4f/h + 18"},
		{"the same, nothing made again", layer(t, fused), 32 * s * h, 9*s*h + sums, "8f/h"},
		{"EleutherAI's checkpointed activations are those of selective recomputation", layer(t, full), 34 * s * h, -32 * s * h, "only the layer's input stays"},
		{"scores are always stored, 6 bytes a pair, and keys copied for every head", layer(t, flash), layer(t, stored), -(6*a*s*s - sums + 2*2*(32-8)*128*s), "flash attention"},
	} {
		if d := c.got - c.wrong - c.missing; d != 0 {
			t.Errorf("%s: %.0f bytes, %.0f more than %s explains", c.why, c.got, d, c.description)
		}
	}
}

// TestWrongStates are published wrong answers for weights, gradients and optimizer.
func TestWrongStates(t *testing.T) {
	m := describe(t, llama8b)
	hold := func(precision string, l train.Layout) *train.Memory {
		x, err := train.Hold(m, recipe(t, "adamw", precision, l))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	// An estimate for Adam in 16 bits is the largest of weights 4, gradients 6 and
	// optimizer 8 bytes; a device holds them all at once.
	x := hold("megatron", train.Layout{})
	if got := x.Parts[train.Weights] + x.Parts[train.Gradients] + x.Parts[train.States]; got != 18*phi || got-8*phi != 10*phi {
		t.Errorf("18 bytes a parameter are %d", got)
	}
	// ZeRO 3 divides by the ranks with the same weights, not by all devices, where
	// slices and stages have divided already: 1/(2·2)/(2·2·4) is a quarter of it.
	x = hold("bf16-mixed", train.Layout{TP: 2, PP: 2, DP: 4, Zero: 3})
	if got, want := x.Parts[train.Weights], 2*int64(x.Trained)/4; got != want || got == 2*int64(x.Trained)/16 {
		t.Errorf("ZeRO 3 over four ranks: %d bytes of weights, want %d", got, want)
	}
	// Gradients are sliced with their weights in stages 0 and 1 too.
	for zero := range int64(2) {
		x = hold("bf16-mixed", train.Layout{TP: 4, DP: 2, Zero: zero})
		if got := x.Parts[train.Gradients]; got != 2*int64(x.Trained) || got > 2*phi/4+2*65*4096 {
			t.Errorf("ZeRO %d: %d bytes of gradients of four slices", zero, got)
		}
	}
	// An estimator says 2Φ + 18Φ/N for ZeRO 2, the paper 2Φ + 14Φ/N: fp32 gradients.
	const n = 8
	code, paper := hold("deepspeed", train.Layout{DP: n, Zero: 2}), hold("bf16-mixed", train.Layout{DP: n, Zero: 2})
	sum := func(x *train.Memory) int64 {
		return x.Parts[train.Weights] + x.Parts[train.Gradients] + x.Parts[train.States]
	}
	if sum(code) != 2*phi+18*phi/n || sum(paper) != 2*phi+14*phi/n || sum(code)-sum(paper) != 4*phi/n {
		t.Errorf("ZeRO 2: %d and %d", sum(code), sum(paper))
	}
}

// TestWrongAdapters: LoRA of rank 8 on q, k, v and o is no pair of 8 × h matrices
// beside four of h × h: keys and values have 1,024 outputs here.
func TestWrongAdapters(t *testing.T) {
	list, _, err := train.Adapters(describe(t, llama8b), 8, "q,k,v,o")
	if err != nil {
		t.Fatal(err)
	}
	got := int64(0)
	for i := range list {
		got += list[i].Params()
	}
	const wrong, narrow = 32 * 4 * 2 * 8 * 4096, 32 * 2 * 8 * (4096 - 1024)
	if got != wrong-narrow {
		t.Errorf("%d parameters, want %d", got, wrong-narrow)
	}
}
