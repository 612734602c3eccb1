package report

import (
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/train"
	"llmsize/core/units"
)

// Training is what training the model takes.
type Training struct {
	Trainable units.Params    // parameters that get a gradient; 0 when the adapters that are asked for cannot be
	Adapters  []train.Adapter // LoRA's, by matrix; none when everything is trained
	Question  train.Question  // the run, as the query spells it
	Memory    *train.Memory   // of the fullest device; nil with a Fault
	Fault     *fault.Error    // why the model cannot be trained so; nil when it can
	Devices   int64           // as many as the query asks for, or its layout takes
	Ranking   *train.Ranking  // of layouts for that many; nil until [Report.Rank] looks
	Ranked    int64           // the devices that Ranking is for: the fewest that hold the run, when Devices do not
	Fewest    train.Layout    // the fewest devices that hold the run, beside Ranking
	FewestOK  bool
}

// training finds out what is trained, and what a device holds meanwhile.
func (r *Report) training() *fault.Error {
	t := &r.Training
	t.Trainable = r.Parameters.Total
	if rank := r.Query.Int(query.LoRARank); rank > 0 {
		if err := r.adapt(rank); err != nil {
			return err
		}
	}
	if err := r.run(); err != nil {
		return err
	}
	var err *fault.Error
	if t.Memory, err = train.Hold(r.Model, &t.Question); err != nil {
		t.Memory = nil
	}
	return err
}

// Inverse is what fits the subject's device; nil where the host has given none, or where nothing is trained. It is worked out
// at each call: an edit's own frame shows nothing of it.
func (r *Report) Inverse() *train.Inverse {
	if !r.trainsOnDevice() {
		return nil
	}
	x := train.Solve(r.Model, &r.Training.Question, r.Subject.Device.Memory)
	return &x
}

// trainsOnDevice reports whether something is trained, on a device whose memory is known.
func (r *Report) trainsOnDevice() bool {
	d := r.Subject.Device
	return r.Training.Memory != nil && d != nil && d.Memory > 0
}

// node is how many devices are close enough to share a layer: a board's eight, or all of a larger system.
func node(d *device.Device) int64 { return max(8, d.Count) }

// adapt counts LoRA's adapters; targets that the model lacks become a warning.
func (r *Report) adapt(rank int64) *fault.Error {
	t := &r.Training
	list, missing, err := train.Adapters(r.Model, rank, r.Query.Get(query.LoRATargets))
	if t.Trainable = 0; err != nil {
		return err
	}
	for _, name := range missing {
		r.Warnings = append(r.Warnings, fault.Warning{Field: query.About(query.LoRATargets).Name, Text: "the model has no " + name + "; the other targets are adapted"})
	}
	t.Adapters = list
	beside := 0.0
	for i := range list {
		a := &list[i]
		t.Trainable += units.Params(a.Params())
		beside = float64(beside + float64(a.In*a.Out)*float64(a.Layers*a.Copies))
	}
	if float64(t.Trainable) > beside {
		r.Warnings = append(r.Warnings, fault.Warning{Field: query.About(query.LoRARank).Name, Text: "adapters of rank " + units.Group(rank) + " have more parameters than the matrices that they stand beside; 8 to 64 are usual"})
	}
	return nil
}

// run reads the run from the query. Devices that no part of the layout names work
// on parts of the batch: without dp there are devices ÷ (tp × pp × cp) of these.
func (r *Report) run() *fault.Error {
	preset := r.Query.Preset() // what the program does, where the question says nothing else
	q, t := &preset, &r.Training.Question
	unknown := func(p query.Param) *fault.Error {
		in := query.About(p)
		e := &fault.Error{Field: in.Name, Given: q.Get(p), Problem: "is not known"}
		for i, a := range in.Allowed {
			if i > 0 {
				e.Allowed += " "
			}
			e.Allowed += a
		}
		return e
	}
	var ok bool
	if t.Optimizer, ok = train.OptimizerNamed(q.Get(query.Optimizer)); !ok {
		return unknown(query.Optimizer)
	}
	if t.Precision, ok = train.PrecisionNamed(q.Get(query.Precision)); !ok {
		return unknown(query.Precision)
	}
	l := &t.Layout
	l.TP, l.PP, l.EP, l.DP, l.Zero = q.Int(query.TP), q.Int(query.PP), q.Int(query.EP), q.Int(query.DP), q.Int(query.Zero)
	l.CP, l.VP = q.Int(query.CP), q.Int(query.VP)
	devices := int64(0)
	if q.Has(query.Devices) {
		devices = q.Int(query.Devices)
		if d := r.Subject.Device; d != nil {
			devices *= d.Count
		}
	}
	if each := min(l.TP, 1<<20) * min(l.PP, 1<<20) * min(l.CP, 1<<20); !q.Has(query.DP) {
		switch {
		case devices == 0:
			l.DP = parts(q)
		case devices%each == 0:
			l.DP = devices / each
		}
	}
	if r.Training.Devices = devices; devices == 0 {
		r.Training.Devices = max(l.Devices(), 1)
		if d := r.Subject.Device; d != nil && l.Devices() == 1 {
			r.Training.Devices = d.Count
		}
	}
	t.Adapters = r.Training.Adapters
	if len(t.Adapters) > 0 && r.Weights.Asked != "auto" {
		t.Frozen, t.FrozenOf = int64(r.Weights.Bytes), int64(r.Parameters.Stored)
	}
	t.Saving = train.Saving{Seq: q.Int(query.Seq), Micro: q.Int(query.MicroBatch), Flash: q.Get(query.Flash) == "on", Recompute: q.Get(query.Recompute),
		Sequence: l.TP > 1 && q.Get(query.SP) == "on", Split: q.Get(query.SP) == "on", Act: activation(&r.Config), Fused: q.Get(query.Kernels) == "fused"}
	if q.Get(query.Method) == "dpo" { // an answer that is preferred and one that is not
		t.Saving.Micro *= 2
	}
	t.Reference = q.Get(query.Method) != "sft" && q.Get(query.Reference) == "on" && len(t.Adapters) == 0
	if t.Saving.Fused {
		t.Saving.Act = 0 // one kernel, however the config's function is written out
	}
	switch q.Get(query.Offload) {
	case "optimizer":
		t.Offload = train.OffloadOptimizer
	case "all":
		t.Offload = train.OffloadAll
	}
	if err := l.Check(r.Model, devices); err != nil {
		return err
	}
	if err := l.Even(r.Model, false); err != nil {
		return err
	}
	if q.Has(query.GlobalBatch) { // else the pipeline is taken to be full
		l.Batches = max(1, ((q.Int(query.GlobalBatch)+l.DP-1)/l.DP+t.Saving.Micro-1)/t.Saving.Micro)
	}
	return t.Check()
}

// parts is how many parts of the batch a query without devices has: what dp says, or as many as experts
// need beside the pieces of a sequence.
func parts(q *query.Query) int64 {
	ep, cp := q.Int(query.EP), q.Int(query.CP)
	switch {
	case q.Has(query.DP):
		return q.Int(query.DP)
	case ep%cp == 0:
		return ep / cp
	}
	return ep
}

// activations are the widths that an activation function keeps for a backward pass, its result
// with them: of one kernel its input and its result, of ReLU the result alone, which tells the gradient; of
// one that is written out (transformers, activations.py) the operands of each product, and what tanh and sigmoid give.
var activations = []struct {
	name string
	n    int64
}{{"relu", 1}, {"relu2", 2}, {"gelu", 2}, {"gelu_pytorch_tanh", 2}, {"quick_gelu", 3}, {"gelu_new", 5}, {"gelu_fast", 8}}

// activation is how many widths the config's activation function keeps, 0 when it names none that is known.
func activation(cfg *config.Value) int64 {
	for _, where := range [...]*config.Value{cfg, cfg.Get("text_config")} {
		for _, key := range []string{"hidden_activation", "hidden_act", "activation_function"} {
			for _, a := range activations {
				if where.Get(key).Text == a.name {
					return a.n
				}
			}
		}
	}
	return 0
}

// trainingTree is what is trained as JSON.
func (r *Report) trainingTree() jsonout.Value {
	o := jsonout.Object()
	if r.Training.Trainable > 0 {
		o = o.Set("trainable", number(int64(r.Training.Trainable)))
	}
	if f := r.Training.Fault; f != nil {
		o = o.Set("problem", faultTree(f))
	}
	if list := r.taken(); list.Len() > 0 {
		o = o.Set("optimizer_tensors", list)
	}
	if x := r.Inverse(); x != nil {
		o = o.Set("inverse", r.inverseTree(x))
	}
	if r.Timelines.Inverse.Len() > 0 {
		o = o.Set("inverse_by_peak", r.Timelines.Inverse)
	}
	if r.Timelines.Layouts.Len() > 0 {
		o = o.Set("layouts_by_peak", r.Timelines.Layouts)
	}
	if list, _ := r.Sent(); len(list) > 0 {
		o = o.Set("sent", sentTree(list))
	}
	if x := r.Training.Ranking; x != nil {
		ranking := object("devices", number(r.Training.Ranked), "tried", number(x.Tried), "fit", number(x.Fit), "rule", text(train.Rule))
		if x.Cut {
			ranking = ranking.Set("stopped", boolean(true)) // the steps of an answer were spent
		}
		o = o.Set("layouts", layoutsTree(x)).Set("ranking", ranking)
	}
	if len(r.Training.Adapters) == 0 {
		return o
	}
	list := jsonout.List()
	for i := range r.Training.Adapters {
		a := &r.Training.Adapters[i]
		list = list.Append(object("module", text(a.Module), "in", number(a.In), "out", number(a.Out), "rank", number(a.Rank),
			"layers", number(a.Layers*a.Copies), "parameters", number(a.Params())))
	}
	return o.Set("lora", object("rank", number(r.Query.Int(query.LoRARank)), "targets", text(r.Query.Get(query.LoRATargets)), "adapters", list))
}

// faultTree is why a part of the answer is missing.
func faultTree(f *fault.Error) jsonout.Value {
	return object("field", text(f.Field), "given", text(f.Given), "problem", text(f.Problem), "allowed", text(f.Allowed), "hint", text(f.Hint))
}

// SumUnsure says why the sum of a step's parts is an estimate where the model is none; empty where nothing is known.
func (r *Report) SumUnsure() string {
	if why := r.Timelines.Training.Get("unlike_sum").Read().Text; why != "" {
		return why
	}
	return train.Unsure(r.Model, &r.Training.Question)
}

// trainingMemory is what the fullest device holds as JSON.
func (r *Report) trainingMemory() jsonout.Value {
	t := &r.Training
	m := t.Memory
	o := object("bytes", number(m.Bytes))
	for p := train.Part(0); p < train.NumParts; p++ {
		if n := m.Parts[p]; n > 0 || p != train.Gathered && p != train.Working {
			o = o.Set(p.String(), number(n))
		}
	}
	o = o.Set("trained_on_device", number(int64(m.Trained)))
	if m.Frozen > 0 {
		o = o.Set("frozen_on_device", number(int64(m.Frozen)))
	}
	terms := jsonout.List()
	for i := range m.Terms {
		x := &m.Terms[i]
		e := object("part", text(x.Part.String()), "what", text(x.Title), "bytes", number(int64(x.Bytes)))
		if x.Each > 0 {
			e = e.Set("values", number(x.Values)).Set("bytes_each", number(x.Each))
		}
		if x.Formula != "" {
			e = e.Set("formula", text(x.Formula))
		}
		if x.Over > 1 {
			e = e.Set("ranks", number(x.Over))
		}
		if x.Host {
			e = e.Set("host", boolean(true))
		}
		terms = terms.Append(e)
	}
	saved := jsonout.List()
	for i := range m.Saved {
		x := &m.Saved[i]
		part := train.Activations
		if x.Again {
			part = train.Working
		}
		e := object("part", text(part.String()), "block", text(x.Block), "title", text(x.Title), "what", text(x.What),
			"layers", number(x.Layers), "layer_bytes", number(int64(x.Layer)), "bytes", number(int64(x.Bytes)))
		if x.Kind != "" {
			e = e.Set("kind", text(x.Kind))
		}
		saved = saved.Append(e)
	}
	l := &t.Question.Layout
	left := jsonout.List(text("buffers for communication"), text("the framework's own memory and fragmentation"))
	if anyPart(r.Model, func(p *model.Part) bool { return p.Role == model.Vision || p.Role == model.Audio }) {
		left = left.Append(text("activations of image and audio towers"))
	}
	if m.Host > 0 {
		o = o.Set("host", number(m.Host))
	}
	if list := r.Beyond(); len(list) > 0 {
		beyond := jsonout.List()
		for i := range list {
			x := &list[i]
			beyond = beyond.Append(object("what", text(x.What), "bytes", number(int64(x.Bytes)), "formula", text(x.Formula), "values", text(x.Values), "source", text(x.Source)))
		}
		o = o.Set("beyond", beyond)
	}
	stages := jsonout.List()
	for _, n := range m.Stages {
		stages = stages.Append(number(n))
	}
	return o.Set("left_out", left).Set("terms", terms).Set("saved", saved).Set("stages", stages).
		Set("layout", layoutTree(l).Set("cp", number(l.CP)).Set("vp", number(l.VP)).Set("zero", number(l.Zero)).
			Set("stage", number(m.Stage)).Set("micro_batches", number(m.Flight))).
		Set("optimizer_source", text(t.Question.Optimizer.Source)).Set("precision_source", text(t.Question.Precision.Source))
}
