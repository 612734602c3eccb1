// Package timeline answers what is live in each moment of a training step, and of a prefill and a step of decoding:
// it reads the run from a report's question, has package step lay it out, and gives the report its part of the JSON.
//
// It stands apart from core/report, so that the page's first programs do without it: a host that shows timelines, or
// prints the whole JSON, calls [Add] first.
package timeline

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/step"
	"llmsize/core/train"
	"llmsize/core/units"
)

// Add counts both timelines and puts them into the report's JSON, under memory.training.timeline and
// memory.inference.timeline. A run that cannot be followed is said there instead. What takes some hundred steps is left to AddInverse
// and AddChanges.
func Add(r *report.Report) {
	t := object()
	if r.Training.Fault == nil {
		if x, err := Training(r, false); err == nil {
			t = trainingTree(r, x)
			if why := SumUnsure(r, x); why != "" {
				t = t.Set("unlike_sum", jsonout.Text(why))
			}
		} else {
			t = t.Set("problem", problem(err))
		}
		r.Timelines.Training = t
	}
	if x, err := Inference(r, false); err == nil {
		r.Timelines.Inference = inferenceTree(r, x)
	} else {
		r.Timelines.Inference = object().Set("problem", problem(err))
	}
}

// AddChanges adds what would lower the peak, ranked, and the layouts that fit by their peak, to a report whose timelines
// are there: it asks a dozen questions, and lays some hundred steps out.
func AddChanges(r *report.Report) {
	room := int64(0)
	if d := r.Subject.Device; d != nil {
		room = d.Memory
	}
	if list := Changes(r, room); len(list) > 0 {
		r.Timelines.Training = r.Timelines.Training.Set("changes", changesTree(list))
	}
	if x, _ := Layouts(r); len(x.List) > 0 {
		r.Timelines.Layouts = layoutsTree(x.List)
	}
}

func object() jsonout.Value { return jsonout.Object() }

func number(n int64) jsonout.Value { return jsonout.Int(n) }

func problem(f *fault.Error) jsonout.Value {
	return object().Set("field", jsonout.Text(f.Field)).Set("given", jsonout.Text(f.Given)).Set("problem", jsonout.Text(f.Problem)).
		Set("allowed", jsonout.Text(f.Allowed)).Set("hint", jsonout.Text(f.Hint))
}

// trainingTree is a step's timeline as JSON.
func trainingTree(r *report.Report, x *step.Timeline) jsonout.Value {
	low, likely, high := Device(r, x)
	o := object().Set("status", jsonout.Text(Status(r)))
	for _, f := range []struct {
		name string
		n    int64
	}{
		{"model", x.Model}, {"after_forward", x.AfterForward}, {"peak_forward", x.PeakForward}, {"peak_backward", x.PeakBackward},
		{"after_backward", x.AfterBackward}, {"peak_optimizer", x.PeakOptimizer}, {"steady", x.Steady}, {"peak", x.Peak},
	} {
		o = o.Set(f.name, number(f.n))
	}
	if len(x.Ranks) > 0 {
		list := jsonout.List()
		for i := range x.Ranks {
			k := &x.Ranks[i]
			list = list.Append(object().Set("model", number(k.Model)).Set("passes_held", number(k.Flight)).Set("peak", number(k.Peak)).Set("peak_at", moment(&k.At)))
		}
		at, _ := x.Fullest()
		o = o.Set("stages", list).Set("fullest_stage", number(at))
	}
	if x.Reference > 0 {
		o = o.Set("reference_model", number(x.Reference))
	}
	for _, ph := range [...]step.Phase{step.Reference, step.Rollout} {
		if n := x.High[ph].Live.Total(); n > 0 {
			o = o.Set("peak_"+ph.String(), number(n))
		}
	}
	return way(o, r).Set("peak_at", moment(&x.At)).Set("peak_split", split(&x.At.Live)).
		Set("device", object().Set("low", number(low)).Set("likely", number(likely)).Set("high", number(high)).Set("source", jsonout.Text(BandSource)))
}

// Status is how sure the timeline of a training step is: "exact" where one of the type was compared with its class's own
// run, "estimate" where nobody has compared it, or the model itself is one.
func Status(r *report.Report) string { return status(r, trained(r)) }

// trained reports whether the step was compared in the way of attention that is asked for.
func trained(r *report.Report) bool {
	return step.Checked(r.Model) && (r.Training.Question.Saving.Flash || step.CheckedStored(r.Model))
}

// served reports the same of a prefill.
func served(r *report.Report) bool {
	return step.CheckedServing(r.Model) && (r.Query.Get(query.Flash) != "off" || step.CheckedStored(r.Model))
}

// ServedStatus is the same of a prefill.
func ServedStatus(r *report.Report) string { return status(r, served(r)) }

func status(r *report.Report, compared bool) string {
	if compared {
		return r.Status()
	}
	return "estimate"
}

// Unsure says why the timeline of a step is an estimate; empty where it is none.
func Unsure(r *report.Report) string { return unsure(r, trained(r)) }

// Unlike is the part of what a followed step keeps by which a sum has to differ to be an estimate, as one in how many. Of the types that a
// sum is right about it is within that of what autograd keeps (package train's TestActivations), and as much is expected above a
// peak (shown).
const Unlike = 20

// SumUnsure says why the sum of a step's parts is an estimate: because of how its activations are counted, or because the
// step, followed from moment to moment, keeps something else, be the reason known or not. Empty where neither holds. Of a
// pipeline the stage is looked at that the sum is of.
func SumUnsure(r *report.Report, x *step.Timeline) string {
	m := r.Training.Memory
	if m.Stage > 0 {
		if y, err := TrainingOf(r, m.Stage, false); err == nil {
			x = y
		}
	}
	why := train.Unsure(r.Model, &r.Training.Question)
	sum, kept := m.Parts[train.Activations], x.Kept[step.Activations]
	if max(sum-kept, kept-sum) <= kept/Unlike {
		return why
	}
	if why != "" {
		why += "; "
	}
	return why + "the sum has " + units.Group(sum) + " bytes of activations, and a step, followed from moment to moment, keeps " + units.Group(kept) + " after its forward pass"
}

// ServedUnsure is the same of a prefill.
func ServedUnsure(r *report.Report) string { return unsure(r, served(r)) }

func unsure(r *report.Report, compared bool) string {
	switch {
	case !compared:
		return "An estimate: what this class holds was not compared with a run of its own code"
	case !r.Exact():
		return "An estimate, as the model is"
	}
	return ""
}

// way says in which of its ways a class was laid out.
func way(o jsonout.Value, r *report.Report) jsonout.Value {
	if s := step.Way(r.Model); s != "" {
		return o.Set("way", jsonout.Text(s))
	}
	return o
}

func inferenceTree(r *report.Report, x *step.Served) jsonout.Value {
	at := x.High[step.Prefill]
	return way(object().Set("status", jsonout.Text(ServedStatus(r))), r).Set("model", number(x.Model)).Set("peak_prefill", number(x.PeakPrefill)).Set("after_prefill", number(x.AfterPrefill)).
		Set("peak_decode", number(x.PeakDecode)).Set("peak_at", moment(&at)).Set("peak_split", split(&at.Live))
}

func moment(m *step.Moment) jsonout.Value {
	o := object().Set("phase", jsonout.Text(m.Phase.String())).Set("operator", jsonout.Text(m.Op))
	if m.Part != "" {
		o = o.Set("part", jsonout.Text(m.Part))
	}
	if m.Layer >= 0 {
		o = o.Set("layer", number(int64(m.Layer)))
	}
	return o
}

func split(s *step.Split) jsonout.Value {
	o := object()
	for c, n := range s {
		if n > 0 {
			o = o.Set(step.Category(c).String(), number(n))
		}
	}
	return o
}

// Training lays out the step that a report's question asks for: on rank 0, and each rank's peak where there is a pipeline.
func Training(r *report.Report, curve bool) (*step.Timeline, *fault.Error) {
	o, err := options(r, &r.Training.Question)
	if err != nil {
		return nil, err
	}
	return step.Train(r.Model, o, curve)
}

// TrainingOf is the same of one rank of a pipeline.
func TrainingOf(r *report.Report, rank int64, curve bool) (*step.Timeline, *fault.Error) {
	o, err := options(r, &r.Training.Question)
	if err != nil {
		return nil, err
	}
	if o.Pipe != nil {
		o.Pipe.Rank = rank
	}
	return step.Train(r.Model, o, curve)
}

// options are how a run is laid out: what the question's keys say, in the layout and with the micro-batch of run.
func options(r *report.Report, run *train.Question) (*step.Options, *fault.Error) {
	q := r.Query.Preset()
	if run.Precision == nil || run.Optimizer == nil {
		return nil, r.Training.Fault
	}
	o := &step.Options{Batch: run.Saving.Micro, Seq: run.Saving.Seq, Eager: !run.Saving.Flash, Optimizer: run.Optimizer.Name,
		Kept: q.Get(query.Outputs) == "kept", Adapters: run.Adapters, TP: run.Layout.TP, Sequence: run.Saving.Sequence}
	dropouts(r, o)
	if err := precision(o, run); err != nil {
		return nil, err
	}
	switch q.Get(query.Loss) {
	case "whole":
		o.Loss = step.LossWhole
	case "chunked":
		o.Loss = step.LossChunked
	case "fused":
		o.Loss = step.LossFused
	case "parallel":
		o.Loss = step.LossParallel
	}
	switch q.Get(query.OptimizerKernel) {
	case "fused":
		o.Kernel = step.Fused
	case "loop":
		o.Kernel = step.Loop
	case "backward":
		o.Kernel, o.InBackward = step.Loop, true
	}
	known, fused := step.Steps(o.Optimizer)
	switch {
	case !known:
		held, err := train.Hold(r.Model, run)
		if err != nil {
			return nil, err
		}
		o.States = held.Parts[train.States]
	case o.Kernel == step.Fused && !fused:
		return nil, cannot("optimizer-kernel", "fused", "is not a kernel that PyTorch has for "+run.Optimizer.Title, "foreach, loop")
	}
	if q.Get(query.LoRADtype) == "fp32" {
		o.AdapterBytes = 4
	} else {
		o.AdapterBytes = 2
	}
	if run.Frozen < run.FrozenOf+run.FrozenOf/2 { // fewer than 12 bits each
		o.Frozen = run.Frozen
	}
	if len(o.Adapters) > 0 { // trained in their own format, whatever the base model's is
		o.State, o.Master, o.Main, o.Copy = 0, 0, 0, 0
	}
	o.AdapterDropout = q.Has(query.LoRADropout)
	switch run.Saving.Recompute {
	case "full", "ops", "host":
		o.Checkpoint, o.Selective, o.HostInputs = true, run.Saving.Recompute == "ops", run.Saving.Recompute == "host"
	case "none":
	case "selective":
		if !run.Saving.Flash {
			return nil, cannot("recompute", "selective", "is not laid out in time where the scores are stored", "none, full, or flash=on")
		}
	default:
		return nil, cannot("recompute", run.Saving.Recompute, "is not laid out in time", "none, full")
	}
	o.Fused = run.Saving.Fused
	o.HostStates, o.HostWeights = run.Offload != train.OffloadNone, run.Offload == train.OffloadAll
	l := &run.Layout
	switch method := q.Get(query.Method); {
	case method == "sft":
	case l.PP > 1:
		return nil, cannot("method", method, "is not laid out in time on a pipeline", "sft, or pp=1")
	default:
		o.Policy = &step.Policy{Reference: q.Get(query.Reference) == "on", First: method == "grpo"}
		if method == "grpo" {
			o.Policy.Rollouts = q.Int(query.Rollouts)
		}
		if o.Loss == step.LossFP32 && !q.Has(query.Loss) { // log-probabilities are of the logits as they are
			o.Loss = step.LossWhole
		}
	}
	o.EP, o.CP = l.EP, max(l.CP, 1)
	if l.PP > 1 {
		o.Pipe = &step.Pipe{Ranks: l.PP, Pieces: max(l.VP, 1), Batches: l.Batches}
		switch q.Get(query.Schedule) {
		case "gpipe":
			o.Pipe.Schedule = step.AllForward
		case "zero-bubble":
			o.Pipe.Schedule = step.ZeroBubble
		}
	}
	ranks := l.Ranks()
	switch {
	case l.Zero == 3 && ranks > 1:
		p := run.Precision
		o.Shard = &step.Shard{Ranks: ranks, Held: p.Weight, Sum: max(p.Grad, p.Main), Keep: q.Get(query.Reshard) == "off"}
		if p.Low {
			o.Param = 2
		}
	case l.Zero == 0 && ranks > 1:
		o.Buckets = o.Main == 0
	case ranks > 1:
		o.StateRanks = ranks
		if l.Zero == 2 {
			o.GradientRanks = ranks
		}
	}
	return o, nil
}

// dropouts reads what the config says of numbers that only training draws: where a class drops something out, or multiplies
// by random numbers.
func dropouts(r *report.Report, o *step.Options) {
	said := func(keys ...string) step.Dropout {
		for _, key := range keys {
			if v := r.Config.Get(key); v.Kind == config.Number {
				if v.Text == "0" || v.Text == "0.0" {
					return step.Kept
				}
				return step.Dropped
			}
		}
		return step.DropoutOfClass
	}
	o.Residuals = said("resid_pdrop", "hidden_dropout_prob", "dropout_rate", "residual_dropout", "resid_dropout", "dropout", "hidden_dropout")
	if o.Embedded = said("embd_pdrop", "embedding_dropout", "embed_dropout"); o.Embedded == step.DropoutOfClass {
		o.Embedded = o.Residuals
	}
	o.Chances = said("attention_dropout", "attn_pdrop", "attention_probs_dropout_prob", "attn_dropout", "dropout_rate")
	o.Jitter = said("input_jitter_noise", "router_jitter_noise") == step.Dropped
}

// precision reads a recipe's formats.
func precision(o *step.Options, run *train.Question) *fault.Error {
	p := run.Precision
	o.Param, o.State, o.Master, o.Main, o.Copy = p.Weight, p.State, p.Master, p.Main, p.Copy
	if p.Cast > 0 || p.Low {
		o.Auto = true
	}
	if p.Low && (run.Layout.Zero < 3 || run.Layout.Ranks() <= 1) {
		return cannot("precision", p.Name, "needs shards to gather", "zero=3 and dp above 1")
	}
	if p.Low {
		o.Auto = false
	}
	return nil
}

// cannot is a part of a run that no timeline follows.
func cannot(field, given, why, allowed string) *fault.Error {
	return &fault.Error{Field: field, Given: given, Problem: why, Allowed: allowed, Hint: "memory.training.bytes is answered all the same"}
}

// Inference lays out one pass over the prompt, and the first token after it, on one device.
func Inference(r *report.Report, curve bool) (*step.Served, *fault.Error) {
	q := &r.Query
	switch p := q.Get(query.KVPolicy); p {
	case "paged", "llama.cpp":
		return nil, cannot("kv-policy", p, "is not laid out in time", "minimum, transformers")
	}
	if n := q.Int(query.TP) * q.Int(query.PP); n > 1 {
		return nil, cannot("tp", units.Itoa(q.Int(query.TP)), "is not laid out in time for inference", "1")
	}
	o := &step.Options{Batch: q.Int(query.Batch), Seq: q.Int(query.Prompt), Param: 2, Eager: q.Get(query.Flash) == "off", Logits: q.Get(query.Logits) == "all", NoDropout: true}
	if r.Weights.Asked == "fp32" {
		o.Param = 4
	} else {
		o.Model = int64(r.Weights.Bytes)
	}
	return step.Serve(r.Model, o, curve)
}

// The runtime's own memory beside live tensors. The CUDA context with its loaded kernels takes 0.3 to 1.3 GiB, cuBLAS
// 8 MiB a handle up to Ampere and 32 MiB on Hopper; the allocator's rounding and unused blocks come to 1 to 13% of what
// lives (transformers' documentation, "Methods and tools for efficient training on a single GPU": bert-large on a V100,
// 13,606, 7,338 and 5,432 MiB reserved where 11,803, 6,798 and 5,352 live); NCCL's buffers to 1 GiB or so.

// BandSource is where the device's band is from.
const BandSource = "transformers' documentation, Methods and tools for efficient training on a single GPU: bert-large on a V100 has 13,606, 7,338 and 5,432 MiB reserved where 11,803, 6,798 and 5,352 MiB live, and 1,343 MiB of context; PyTorch, CUDA semantics: cuBLAS workspaces"

const (
	contextLow    = 3 << 30 / 10
	contextLikely = 7 << 30 / 10
	contextHigh   = 13 << 30 / 10
	blasLow       = 8 << 20
	blasHigh      = 64 << 20
	ncclHigh      = 1 << 30
)

// Device is what a device shows while a step's peak lives, as a band: an estimate of what the runtime adds. Of a
// pipeline it is the fullest rank's.
func Device(r *report.Report, x *step.Timeline) (low, likely, high int64) {
	_, peak := x.Fullest()
	low, likely, high = shown(peak, r.Training.Question.Layout.Devices() > 1)
	if x.InPlace > 0 { // the low end is where sums of gradients take no room of their own
		low, _, _ = shown(x.InPlace, false)
	}
	return low, likely + x.Apart, high + x.Apart + x.Hole
}

// shown is a device's band around a peak of live tensors.
func shown(peak int64, several bool) (low, likely, high int64) {
	low = peak + peak/100 + contextLow + blasLow
	likely = peak + peak/20 + contextLikely + blasHigh/2
	high = peak + peak/100*13 + contextHigh + blasHigh
	if several {
		likely += ncclHigh / 2
		high += ncclHigh
	}
	return low, likely, high
}
