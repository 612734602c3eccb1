package report

import (
	"llmsize/core/compute"
	"llmsize/core/device"
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/train"
	"llmsize/core/units"
)

// Listed is how many layouts a ranking lists.
const Listed = 20

// Sent lists what the busiest device of the run's layout sends in a step, and into how
// many micro-batches a rank divides its sequences. There is nothing on one device.
func (r *Report) Sent() (list []train.Sent, batches int64) {
	t := &r.Training
	if t.Memory == nil {
		return nil, 0
	}
	n := int64(8)
	if d := r.Subject.Device; d != nil {
		n = node(d)
	}
	return train.Volumes(r.Model, &t.Question, r.Query.Int(query.GlobalBatch), n)
}

// Beyond lists what PyTorch takes for a run of ZeRO stage 3 that is in no sum here.
func (r *Report) Beyond() []train.Beyond {
	if r.Training.Memory == nil {
		return nil
	}
	return train.PyTorch(r.Model, &r.Training.Question)
}

// Kept is the activations of the fullest device with the terms of each; none without a run.
func (r *Report) Kept() []train.Saved {
	if r.Training.Memory == nil {
		return nil
	}
	return train.Terms(r.Model, &r.Training.Question)
}

// Rank looks for the fewest devices that hold the run, and for the layouts of the
// query's devices that do; where there are none, for those of the fewest. It is not part of [Answer]: over a
// thousand devices it takes some milliseconds. Without a device nothing is looked for.
func (r *Report) Rank() {
	t := &r.Training
	d := r.Subject.Device
	if d == nil || d.Memory <= 0 || t.Question.Optimizer == nil || t.Question.Check() != nil || t.Ranking != nil {
		return
	}
	q, w, on := r.Placing()
	x := train.Rank(r.Model, &q, w, on, Listed)
	t.Fewest, t.FewestOK = train.Fewest(r.Model, &q, d.Memory, on.Node)
	if x.Fit == 0 && t.FewestOK && t.Fewest.Devices() > on.Devices {
		on.Devices = t.Fewest.Devices()
		x = train.Rank(r.Model, &q, w, on, Listed)
	}
	t.Ranking, t.Ranked = &x, on.Devices
}

// Placing is what layouts are ranked by: the run, a step's work, and the machine. The report has a device.
func (r *Report) Placing() (q train.Question, w train.Work, on train.Machine) {
	t, d := &r.Training, r.Subject.Device
	on = train.Machine{Devices: t.Devices, Memory: d.Memory, Node: node(d), Balance: balance(d, t.Question.Precision), Across: train.Across}
	f := &r.Compute.Train.Forward
	w = train.Work{Sequences: r.Query.Int(query.GlobalBatch), FLOPs: float64(3 * float64(f.FLOPs)), Forward: float64(f.FLOPs)}
	for i := range f.Terms {
		w.Scores = float64(w.Scores + f.Terms[i].Score)
	}
	seq := r.Query.Int(query.Seq)
	pass := compute.Pass{Tokens: seq, Encoder: seq, EncoderPass: true, Batch: 1}
	if r.Query.Get(query.Attention) == "full" {
		pass.Scores = compute.Full
	}
	w.Ops = compute.Alternate(r.Model, pass, t.Question.Saving.Flash)
	q = t.Question
	q.Layout.CP, q.Layout.VP = r.Query.Int(query.CP), r.Query.Int(query.VP)
	return q, w, on
}

// balance is how many operations a device does while it sends a byte over its link.
func balance(d *device.Device, p *train.Precision) float64 {
	format := "bf16"
	if p.Name == "fp32" {
		format = "fp32"
	}
	if peak, _ := d.Rate(format); peak > 0 && d.LinkRate > 0 {
		return float64(peak) / float64(d.LinkRate)
	}
	return train.Balance
}

// sentTree is traffic as JSON.
func sentTree(list []train.Sent) jsonout.Value {
	l := jsonout.List()
	for i := range list {
		x := &list[i]
		l = l.Append(object("by", text(x.By), "what", text(x.What), "bytes", flops(units.FLOPs(x.Bytes)), "between_nodes", boolean(x.Wide),
			"formula", text(x.Formula), "values", text(x.Values), "source", text(x.Source)))
	}
	return l
}

// layoutsTree is a ranking as JSON.
func layoutsTree(r *train.Ranking) jsonout.Value {
	l := jsonout.List()
	for i := range r.List {
		x := &r.List[i]
		o := layoutTree(&x.Layout).Set("cp", number(max(x.Layout.CP, 1))).Set("vp", number(max(x.Layout.VP, 1))).Set("zero", number(x.Layout.Zero)).
			Set("recompute", text(x.Recompute)).Set("micro_batch", number(x.Micro)).Set("micro_batches", number(x.Batches)).Set("bytes", number(x.Bytes))
		if x.Host > 0 {
			o = o.Set("host", number(x.Host))
		}
		l = l.Append(o.Set("sent_bytes", flops(units.FLOPs(x.Total))).Set("sent", sentTree(x.Sent)).
			Set("cost", object("all", millionths(x.Cost), "repeated", millionths(x.Again), "idle", millionths(x.Idle), "uneven", millionths(x.Uneven), "sending", millionths(x.Talk))))
	}
	return l
}

// inverseTree is what fits the device as JSON; what nothing bounds has no number.
func (r *Report) inverseTree(x *train.Inverse) jsonout.Value {
	d := r.Subject.Device
	most := func(a train.Most) jsonout.Value {
		if a.Any {
			return object("any", boolean(true))
		}
		return object("most", number(a.N), "binds", text(a.Binds), "stage", number(a.Stage))
	}
	least := func(a train.Least, value jsonout.Value) jsonout.Value {
		o := jsonout.Object()
		if a.OK {
			o = o.Set("least", value)
		}
		if a.Binds != "" {
			o = o.Set("binds", text(a.Binds))
		}
		return o
	}
	o := object("device", text(d.Slug), "memory", number(d.Memory), "fits", boolean(x.Fits), "binds", text(x.Bound),
		"micro_batch", most(x.Micro), "seq", most(x.Seq),
		"zero", least(x.Zero, number(x.Zero.N)), "recompute", least(x.Recompute, text(train.Recomputes[x.Recompute.N])))
	if l := r.Training.Fewest; r.Training.FewestOK {
		o = o.Set("devices", layoutTree(&l).Set("cp", number(max(l.CP, 1))))
	}
	return o
}

// taken lists the tensors with what an optimizer does with each, where it treats
// matrices in its own way: Muon's, Adafactor's rows and columns, 8-bit AdamW's blocks.
func (r *Report) taken() jsonout.Value {
	l := jsonout.List()
	q := &r.Training.Question
	if r.Training.Memory == nil || len(q.Adapters) > 0 {
		return l
	}
	r.Model.Each(func(b *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		if own, ok := q.Optimizer.Takes(t, b.Index != ""); ok && !t.Buffer {
			l = l.Append(object("name", text(t.Name), "elements", number(t.Elements), "tensors", number(t.Copies*layers), "own", boolean(own)))
		}
	})
	return l
}
