package step_test

import (
	"testing"

	"llmsize/core/step"
)

// piped is a step of Llama 3.1 8B in bf16 on a pipeline.
func piped(t *testing.T, p step.Pipe, change func(*step.Options)) *step.Timeline {
	t.Helper()
	o := &step.Options{Batch: 1, Seq: 2048, Param: 2, Optimizer: "adamw", Pipe: &p}
	if change != nil {
		change(o)
	}
	x, err := step.Train(models(t)["llama-3.1-8b"], o, true)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestFlight: how many passes a rank holds. One forward and one backward pass in turn: p − i (Narayanan et al. 2021,
// arXiv 2104.04473, section 2.2). Interleaved: 2(p−i−1) + (v−1)p + 1. Gradients of weights put off: a forward pass a
// hop, p − i with one piece (Qi et al. 2023, arXiv 2401.10241: ZB-H1 holds what 1F1B does). All forward passes first: all.
func TestFlight(t *testing.T) {
	for _, c := range []struct {
		pipe step.Pipe
		want []int64
	}{
		{step.Pipe{Ranks: 4}, []int64{4, 3, 2, 1}},
		{step.Pipe{Ranks: 4, Batches: 3}, []int64{3, 3, 2, 1}},
		{step.Pipe{Ranks: 4, Pieces: 2}, []int64{6 + 4 + 1, 4 + 4 + 1, 2 + 4 + 1, 4 + 1}},
		{step.Pipe{Ranks: 2, Pieces: 4}, []int64{2 + 6 + 1, 6 + 1}},
		{step.Pipe{Ranks: 4, Schedule: step.ZeroBubble}, []int64{4, 3, 2, 1}},
		{step.Pipe{Ranks: 4, Schedule: step.AllForward, Batches: 7}, []int64{7, 7, 7, 7}},
	} {
		x := piped(t, c.pipe, nil)
		for i, n := range c.want {
			if got := x.Ranks[i].Flight; got != n {
				t.Errorf("%+v: rank %d holds %d passes, want %d", c.pipe, i, got, n)
			}
		}
	}
}

// TestStages: the stages' parameters are the model's, which ties nothing; one micro-batch on one rank is the step of a
// device alone; and what a rank keeps grows by the same with each micro-batch in flight.
func TestStages(t *testing.T) {
	const all = 2 * 8_030_261_248 // bf16 parameters (published count)
	for _, p := range []step.Pipe{{Ranks: 2}, {Ranks: 5}, {Ranks: 4, Pieces: 3}, {Ranks: 32}} {
		sum := int64(0)
		for _, r := range piped(t, p, nil).Ranks {
			sum += r.Model
		}
		if d := sum - all; d < 0 || d > 1<<20 { // and a table of frequencies
			t.Errorf("%+v: stages hold %d bytes, want %d", p, sum, all)
		}
	}
	alone, err := step.Train(models(t)["llama-3.1-8b"], &step.Options{Batch: 1, Seq: 2048, Param: 2, Optimizer: "adamw"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if x := piped(t, step.Pipe{Ranks: 1, Batches: 1}, nil); x.Peak != alone.Peak || x.AfterForward != alone.AfterForward || x.AfterBackward != alone.AfterBackward {
		t.Errorf("one stage peaks at %d and keeps %d, a device alone %d and %d", x.Peak, x.AfterForward, alone.Peak, alone.AfterForward)
	}
	kept := func(batches int64) int64 {
		x := piped(t, step.Pipe{Ranks: 4, Batches: batches, Schedule: step.AllForward}, nil)
		return x.AfterForward - x.Steady
	}
	if a, b, c := kept(1), kept(2), kept(5); b != 2*a || c != 5*a {
		t.Errorf("1, 2 and 5 micro-batches keep %d, %d and %d bytes", a, b, c)
	}
}

// TestPutOff: with the gradients of weights put off a rank peaks no lower, ends with the same gradients, and on the
// first rank holds no more than a tenth above what it holds otherwise (Qi et al. 2023, figure 2: H1 within 1F1B's limit),
// unless layers are made again, whose products' inputs then stay.
func TestPutOff(t *testing.T) {
	for _, checkpoint := range []bool{false, true} {
		set := func(o *step.Options) { o.Checkpoint, o.Optimizer = checkpoint, "sgd" }
		plain := piped(t, step.Pipe{Ranks: 4, Rank: 3}, set)
		put := piped(t, step.Pipe{Ranks: 4, Rank: 3, Schedule: step.ZeroBubble}, set)
		if put.AfterBackward != plain.AfterBackward {
			t.Errorf("gradients are %d bytes, want %d", put.AfterBackward, plain.AfterBackward)
		}
		if put.Peak < plain.Peak {
			t.Errorf("the last rank peaks at %d, in turn at %d", put.Peak, plain.Peak)
		}
		if a, b := put.Ranks[0].Peak, plain.Ranks[0].Peak; !checkpoint && a > b+b/10 {
			t.Errorf("the first rank peaks at %d, in turn at %d", a, b)
		}
		for _, x := range put.Curve {
			for c, n := range x.Live {
				if n < 0 {
					t.Errorf("%+v: %d bytes of %s", x, n, step.Category(c))
				}
			}
		}
	}
}

// TestRing: pieces of a sequence keep a part of the activations each, and pass keys round for a moment.
func TestRing(t *testing.T) {
	m := models(t)["llama-3.1-8b"]
	kept := func(cp int64) int64 {
		x, err := step.Train(m, &step.Options{Batch: 1, Seq: 8192, Param: 2, Optimizer: "adamw", CP: cp}, false)
		if err != nil {
			t.Fatal(err)
		}
		return x.AfterForward - x.Steady
	}
	if one, four := kept(1), kept(4); off(4*four, one) > 0.001 {
		t.Errorf("a quarter of the tokens keeps %d bytes, all of them %d", four, one)
	}
	if _, err := step.Train(models(t)["gemma-3-1b"], &step.Options{Batch: 1, Seq: 8192, Param: 2, Optimizer: "adamw", CP: 4}, false); err == nil || err.Field != "model" {
		t.Errorf("windows are passed round: %v", err)
	}
}

// TestExperts: a rank of expert parallelism holds its part of the experts, and what leaves and arrives beside.
func TestExperts(t *testing.T) {
	m := models(t)["qwen3-30b-a3b"]
	at := func(ep int64) *step.Timeline {
		x, err := step.Train(m, &step.Options{Batch: 1, Seq: 2048, Param: 2, Optimizer: "adamw", EP: ep}, false)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	const experts = 48 * 128 * 3 * 2048 * 768 // layers, experts, matrices of h × f
	one, eight := at(1), at(8)
	if got := one.Model - eight.Model; got != 2*experts*7/8 {
		t.Errorf("seven eighths of the experts are %d bytes, want %d", got, 2*experts*7/8)
	}
	if eight.AfterForward-eight.Steady <= one.AfterForward-one.Steady {
		t.Error("nothing is kept of what arrives")
	}
}
