package step_test

import (
	"testing"

	"llmsize/core/step"
	"llmsize/core/train"
)

// TestPolicy: a reference model is held once more, unless the model without its adapters is it; it reads beside what the
// policy keeps, or before; and what the policy writes fills a cache of keys and values of every token but the last.
func TestPolicy(t *testing.T) {
	m := models(t)["llama-3.1-8b"]
	run := func(p *step.Policy, set func(*step.Options)) *step.Timeline {
		o := &step.Options{Batch: 2, Seq: 2048, Param: 2, Optimizer: "adamw", Loss: step.LossWhole, Policy: p}
		if set != nil {
			set(o)
		}
		x, err := step.Train(m, o, true)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	at := func(x *step.Timeline, p step.Phase) int64 { return x.High[p].Live.Total() }
	alone := run(nil, nil)
	pairs := run(&step.Policy{Reference: true}, nil)
	if pairs.Model != 2*alone.Model || pairs.Reference != alone.Model {
		t.Errorf("policy and reference hold %d bytes, want twice %d", pairs.Model, alone.Model)
	}
	if got := at(pairs, step.Reference); got <= pairs.AfterForward {
		t.Errorf("the reference's pass peaks at %d, below the %d that the policy keeps", got, pairs.AfterForward)
	}
	if pairs.PeakBackward != alone.PeakBackward+alone.Model || pairs.AfterForward != alone.AfterForward+alone.Model {
		t.Error("the policy's own passes take something else beside a reference")
	}
	first := run(&step.Policy{Reference: true, First: true}, nil)
	if got := at(first, step.Reference); got >= at(pairs, step.Reference) || got <= first.Steady {
		t.Errorf("before the policy's pass the reference peaks at %d", got)
	}
	lora := func(o *step.Options) {
		list, _, err := train.Adapters(m, 16, "q,v")
		if err != nil {
			t.Fatal(err)
		}
		o.Adapters, o.AdapterBytes = list, 4
	}
	if a, b := run(&step.Policy{Reference: true}, lora), run(nil, lora); a.Model != b.Model || at(a, step.Reference) == 0 {
		t.Errorf("beside adapters a reference is held: %d bytes, want %d", a.Model, b.Model)
	}
	const tokens, layers, row = 8 * 2047, 32, 2 * 8 * 128 * 2 // keys and values of 8 heads in bf16
	written := run(&step.Policy{First: true, Rollouts: 8}, nil)
	cache := written.High[step.Rollout].Live[step.Cache]
	if want := int64(tokens * layers * row); cache < want || cache > want+want/20 { // and one layer's, once more
		t.Errorf("the cache takes %d bytes, want %d and little more", cache, want)
	}
	if at(written, step.Reference) != 0 {
		t.Error("a reference reads that is not there")
	}
	shard := func(o *step.Options) { o.Shard = &step.Shard{Ranks: 8, Held: 2, Sum: 2} }
	if got := run(&step.Policy{First: true, Rollouts: 8}, shard).High[step.Rollout].Live[step.Gathered]; off(got, alone.Model) > 0.001 {
		t.Errorf("%d bytes are gathered to write, want all %d", got, alone.Model)
	}
	for _, set := range []func(*step.Options){nil, shard, func(o *step.Options) { o.Checkpoint = true }, func(o *step.Options) { o.Auto, o.Param = true, 4 }} {
		for _, x := range run(&step.Policy{Reference: true}, set).Curve {
			for c, n := range x.Live {
				if n < 0 {
					t.Errorf("%+v: %d bytes of %s", x, n, step.Category(c))
				}
			}
		}
	}
}
