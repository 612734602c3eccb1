package step

import "llmsize/core/fault"

// refer is the reference model's pass over the sequences that the policy learns from: no gradients, no adapters, and of
// the logits only the log-probabilities of the tokens that are there stay (huggingface/trl, trl/trainer/dpo_trainer.py,
// compute_ref_log_probs, and grpo_trainer.py, _get_per_token_logps).
func (r *program) refer() {
	if !r.o.Policy.Reference {
		return
	}
	mc := r.machine
	grad, training, late, casts, shards := mc.grad, mc.training, mc.late, mc.casts, mc.shards
	cos, sin, masks, first := r.cos, r.sin, r.masks, r.first
	mc.grad, mc.training, mc.late, mc.casts = false, false, nil, nil
	r.masks, r.bare = nil, true
	if shards != nil {
		own := *r.o.Shard
		own.Keep = false
		mc.shards = r.p.groups(own)
	}
	mc.begin(Reference, -1)
	take := int64(1)
	if r.o.Loss == LossChunked || r.o.Loss == LossFused {
		take = chunks
	}
	logits := r.pass(take)
	r.part = lossPart
	probs := r.logSoftmax(logits)
	own := r.make(r.t, probs.w)
	r.drop(logits, probs, own)
	mc.enter(-1)
	mc.grad, mc.training, mc.late, mc.casts, mc.shards = grad, training, late, casts, shards
	r.cos, r.sin, r.masks, r.first, r.bare = cos, sin, masks, first, false
}

// write is the policy writing the sequences that it learns from: what lives with the last token, when the cache is
// full. Where weights are sharded, all of them are gathered for it (trl, unwrap_model_for_generation).
func (r *program) write(t *Timeline, steady Split) *fault.Error {
	o := r.o
	if o.Policy == nil || o.Policy.Rollouts == 0 {
		return nil
	}
	ask := Options{Batch: o.Policy.Rollouts, Seq: max(o.Seq-1, 1), Param: o.Param, Eager: o.Eager, NoDropout: true, TP: o.TP}
	x, err := Serve(r.p.m, &ask, false)
	if err != nil {
		return err
	}
	at := x.High[Decode]
	at.Phase = Rollout
	for c := range steady {
		at.Live[c] += steady[c]
	}
	at.Live[Weights] -= x.Model
	if o.Shard != nil {
		at.Live[Gathered] += x.Model
	}
	t.High[Rollout] = at
	t.Curve = append(t.Curve, at)
	return nil
}
