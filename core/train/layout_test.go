package train_test

import (
	"testing"

	"llmsize/core/train"
)

// TestInterleaved is Korthikanti et al. 2022, section 4.2.3: with v pieces of
// layers on each of p stages, the first holds L·(1 + (p−1)/(p·v)) layers'
// activations, and L·1 with one piece.
func TestInterleaved(t *testing.T) {
	const layers, a, h = 96, 96, 12288
	m := describe(t, gpt(t, a, h, layers))
	one := int64(34 * 2048 * 1 * h / 8)
	for _, c := range []struct{ p, v, want int64 }{ // layers in flight on the first stage
		{8, 1, 96},
		{8, 2, 96 + 96*7/16},
		{8, 3, 96 + 96*7/24},
		{8, 12, 96 + 96*7/96},
		{4, 6, 96 + 96*3/24},
		{2, 2, 96 + 96*1/4},
	} {
		q := question(train.Saving{Seq: 2048, Micro: 1, Fused: true, Recompute: "selective", Sequence: true})
		q.Layout = train.Layout{TP: 8, PP: c.p, VP: c.v, EP: 1, DP: 1}
		x, err := train.Hold(m, q)
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		for _, s := range x.Saved {
			if s.Block == x.Saved[2].Block && !s.Again && s.Layers == layers/c.p {
				got += s.Bytes
			}
		}
		if x.Stage != 0 || got != float64(c.want*one) {
			t.Errorf("p %d, v %d: stage %d holds %.3f layers, want %d", c.p, c.v, x.Stage, got/float64(one), c.want)
		}
		if int64(len(x.Stages)) != c.p || x.Stages[0] != x.Bytes {
			t.Errorf("p %d, v %d: stages %v, the fullest has %d", c.p, c.v, x.Stages, x.Bytes)
		}
	}
}

// TestStages: the first of four stages has the embedding and four micro-batches in
// flight, the last the norm, the head, the loss and one; the two between have
// layers alone.
func TestStages(t *testing.T) {
	const (
		table = 128256 * 4096
		layer = 4096*(4096+2*1024+4096) + 3*4096*14336 + 2*4096
	)
	m := describe(t, llama8b)
	q := recipe(t, "adamw", "bf16-mixed", train.Layout{PP: 4})
	x, err := train.Hold(m, q)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0.0 // of one layer and one token
	for _, s := range x.Saved {
		if s.Layers == 8 {
			kept += s.Layer
		}
	}
	loss := x.Stages[3] - 16*(8*layer+4096+table) - int64(8*kept)
	for i, want := range []int64{
		16*(table+8*layer) + int64(8*4*kept),
		16*8*layer + int64(8*3*kept),
		16*8*layer + int64(8*2*kept),
		16*(8*layer+4096+table) + int64(8*kept) + loss,
	} {
		if x.Stages[i] != want {
			t.Errorf("stage %d: %d bytes, want %d", i, x.Stages[i], want)
		}
	}
	if loss < 128256*4 || loss > 128256*(4+8)+10*4096 { // log-probabilities, the logits with their gradients, a norm
		t.Errorf("the last stage has %d bytes for one token's loss", loss)
	}
}

// TestContext divides the tokens of a sequence over cp ranks, which share states
// under ZeRO as data-parallel ranks do.
func TestContext(t *testing.T) {
	m := describe(t, llama8b)
	q := recipe(t, "adamw", "bf16-mixed", train.Layout{CP: 4, DP: 2, Zero: 3})
	q.Saving.Seq = 32768
	x, err := train.Hold(m, q)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := states(x), [3]int64{2 * phi / 8, 2 * phi / 8, 12 * phi / 8}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	short := recipe(t, "adamw", "bf16-mixed", train.Layout{DP: 8, Zero: 3})
	short.Saving.Seq = 32768 / 4
	y, err := train.Hold(m, short)
	if err != nil {
		t.Fatal(err)
	}
	// A piece has all its tokens' losses, a sequence one less.
	if got, want := x.Parts[train.Activations]-y.Parts[train.Activations], int64(4*128256); got != want {
		t.Errorf("a piece of 8,192 keeps %d more than a sequence of 8,192, want %d", got, want)
	}
	q.Saving.Flash, short.Saving.Flash = false, false
	x, _ = train.Hold(m, q)
	y, _ = train.Hold(m, short)
	more := int64(32 * 32 * 6 * 8192 * (32768 - 8192)) // 32 layers, 32 heads, scores against all keys
	if got, want := x.Parts[train.Activations]-y.Parts[train.Activations], more+4*128256; got != want {
		t.Errorf("with the scores %d more, want %d", got, want)
	}
}

// TestOffload is ZeRO-Offload's 2Φ on the device and 14Φ with the host, and
// ZeRO-Infinity's layer at work; DeepSpeed's estimators say the same of the device:
// 2 bytes a parameter, and 4 for each of the largest layer.
func TestOffload(t *testing.T) {
	m := describe(t, llama8b)
	const unit = 128256 * 4096 // the embedding is larger than a layer
	for _, c := range []struct {
		offload     train.Offload
		l           train.Layout
		device      [3]int64
		gathered    int64
		host        int64
		description string
	}{
		{train.OffloadOptimizer, train.Layout{}, [3]int64{2 * phi, 2 * unit, 0}, 0, 14 * phi, "one device"},
		{train.OffloadOptimizer, train.Layout{DP: 8, Zero: 2}, [3]int64{2 * phi, 2 * unit, 0}, 0, 14 * phi / 8, "ZeRO-2"},
		{train.OffloadOptimizer, train.Layout{DP: 8, Zero: 1}, [3]int64{2 * phi, 2 * unit, 0}, 0, 2*phi + 12*phi/8, "ZeRO-1"},
		{train.OffloadOptimizer, train.Layout{DP: 8, Zero: 3}, [3]int64{2 * phi / 8, 2 * unit, 0}, 2 * unit, 14 * phi / 8, "ZeRO-3"},
		{train.OffloadAll, train.Layout{DP: 8, Zero: 3}, [3]int64{0, 2 * unit, 0}, 2 * unit, 16 * phi / 8, "ZeRO-3 with parameters"},
		{train.OffloadAll, train.Layout{Zero: 3}, [3]int64{0, 2 * unit, 0}, 2 * unit, 16 * phi, "one device, with parameters"},
	} {
		q := recipe(t, "adamw", "megatron", c.l)
		q.Offload = c.offload
		if x, err := train.Hold(m, q); err != nil || x.Parts[train.Gradients] != 4*unit {
			t.Errorf("%s: %d bytes of fp32 gradients on their way, want %d (%v)", c.description, x.Parts[train.Gradients], 4*unit, err)
		}
		q = recipe(t, "adamw", "bf16-mixed", c.l)
		q.Offload = c.offload
		x, err := train.Hold(m, q)
		if err != nil {
			t.Fatal(err)
		}
		if got := states(x); got != c.device || x.Host != c.host || x.Parts[train.Gathered] != c.gathered {
			t.Errorf("%s: device %v, gathered %d, host %d, want %v, %d, %d", c.description, got, x.Parts[train.Gathered], x.Host, c.device, c.gathered, c.host)
		}
		sum := int64(0)
		for _, r := range x.Terms {
			if r.Host {
				sum += int64(r.Bytes)
			}
		}
		if sum != x.Host {
			t.Errorf("%s: terms with the host add up to %d of %d", c.description, sum, x.Host)
		}
	}
}

// TestRefusedRuns names what a run cannot be beside its layout's sizes.
func TestRefusedRuns(t *testing.T) {
	m := describe(t, llama8b)
	for _, c := range []struct {
		l       train.Layout
		seq     int64
		offload train.Offload
		field   string
	}{
		{train.Layout{TP: 1, PP: 1, EP: 1, DP: 1, VP: 2}, 4096, 0, "vp"},
		{train.Layout{TP: 1, PP: 8, EP: 1, DP: 1, VP: 5}, 4096, 0, "vp"},
		{train.Layout{TP: 1, PP: 1, EP: 1, DP: 1, CP: 3}, 4096, 0, "cp"},
		{train.Layout{TP: 1, PP: 1, EP: 1, DP: 1, Zero: 2}, 4096, train.OffloadAll, "offload"},
		{train.Layout{TP: 1, PP: 1, EP: 1, DP: 1, CP: 1 << 30}, 4096, 0, "cp"},
	} {
		q := question(train.Saving{Seq: c.seq})
		q.Layout, q.Offload = c.l, c.offload
		err := q.Layout.Check(m, 0)
		if err == nil {
			err = q.Check()
		}
		if err == nil || err.Field != c.field || err.Given == "" || err.Allowed == "" {
			t.Errorf("%+v: %v, want an error about %s", c.l, err, c.field)
		}
	}
	mixtral := describe(t, `{"model_type":"mixtral","architectures":["MixtralForCausalLM"]}`)
	l := train.Layout{TP: 1, PP: 1, EP: 8, DP: 2, CP: 4}
	if err := l.Check(mixtral, 8); err != nil { // 8 ranks have the same weights
		t.Error(err)
	}
	l = train.Layout{TP: 1 << 20, PP: 1 << 20, EP: 1, DP: 1 << 20, CP: 1 << 20}
	if err := l.Check(m, 8); err == nil || err.Field != "devices" {
		t.Error(err)
	}
}

// TestEven refuses slices that do not divide what they cut: 5,120 channels of a state-space
// mixer, a feed-forward of 100 in a model of 6 heads, experts of 32; the search has none of them.
func TestEven(t *testing.T) {
	for _, c := range []struct {
		config  string
		tp      int64
		allowed string // empty: it can be
	}{
		{`{"model_type":"mamba","hidden_size":2560,"expand":2,"intermediate_size":5120,"num_hidden_layers":2}`, 7, "a divisor of 5120"},
		{`{"model_type":"mamba","hidden_size":2560,"expand":2,"intermediate_size":5120,"num_hidden_layers":2}`, 5, ""},
		{`{"model_type":"llama","hidden_size":96,"num_attention_heads":6,"intermediate_size":100,"num_hidden_layers":2}`, 3, "a divisor of 100"},
		{`{"model_type":"llama","hidden_size":96,"num_attention_heads":6,"intermediate_size":100,"num_hidden_layers":2}`, 2, ""},
		{`{"model_type":"mixtral","hidden_size":96,"num_attention_heads":6,"num_key_value_heads":6,"intermediate_size":32,"num_hidden_layers":2}`, 6, "a divisor of 32"},
	} {
		m := describe(t, c.config)
		l := train.Layout{TP: c.tp, PP: 1, EP: 1, DP: 1}
		if err := l.Check(m, 0); err != nil {
			t.Error(err)
		}
		err := l.Even(m, false)
		if (err == nil) != (c.allowed == "") || err != nil && (err.Field != "tp" || err.Allowed != c.allowed || err.Hint == "") {
			t.Errorf("%s: tp %d: %+v, want %q allowed", c.config, c.tp, err, c.allowed)
		}
		if experts := c.allowed == "a divisor of 32"; (l.Even(m, true) == nil) != (c.allowed == "" || experts) {
			t.Errorf("%s: tp %d, experts whole: %v", c.config, c.tp, l.Even(m, true))
		}
		q := recipe(t, "adamw", "bf16-mixed", train.Layout{})
		for part := int64(1); part < 12; part++ { // rooms that hold n twelfths of the states
			x, err := train.Hold(m, q)
			if err != nil {
				t.Fatal(err)
			}
			if f, ok := train.Fewest(m, q, x.Bytes*part/12, 8); ok && f.Even(m, false) != nil {
				t.Errorf("%s: the fewest devices are %+v", c.config, f)
			}
		}
		for _, x := range ranked(m, q, c.tp, 1<<20).List {
			if x.Layout.TP == c.tp && c.allowed != "" {
				t.Errorf("%s: %+v is listed", c.config, x.Layout)
			}
		}
	}
}

// TestFewBatches: of eight stages the first has eight micro-batches in flight, or as many as a
// step has; two pieces a stage hold no more of them each.
func TestFewBatches(t *testing.T) {
	m := describe(t, llama8b)
	first := func(vp, batches int64) int64 {
		q := question(train.Saving{Seq: 4096, Flash: true, Recompute: "full"})
		q.Layout = train.Layout{TP: 1, PP: 8, EP: 1, DP: 1, VP: vp, Batches: batches}
		x, err := train.Hold(m, q)
		if err != nil {
			t.Fatal(err)
		}
		return x.Stages[0]
	}
	for _, c := range []struct{ vp, batches, flying int64 }{
		{1, 0, 8}, {1, 100, 8}, {1, 8, 8}, {1, 3, 3}, {1, 1, 1},
		{2, 0, 23}, {2, 3, 3 + 3}, // 2·7 + 8 + 1 = 23 passes ahead, of both pieces
	} {
		inputs := 2 * 4096 * 4096 * 32 / 8 / c.vp // of a piece
		if got, want := first(c.vp, c.batches)-first(c.vp, 1), inputs*(c.flying-c.vp); got != want {
			t.Errorf("%+v: the first stage keeps %d bytes more than of one micro-batch, want %d", c, got, want)
		}
	}
}
