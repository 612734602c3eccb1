package main

import (
	"fmt"

	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
	"llmsize/core/train"
	"llmsize/core/units"
)

// peak prints what is live at the fullest moment of a step, what a device shows meanwhile, and what of the run fits by it.
// It returns why the sum of the step's parts is an estimate.
func peak(t *table, r *report.Report, unit string) (unsure string) {
	put := func(label string, n int64, more string) {
		t.row(label, units.Bytes(n).String(), units.Bytes(n).In(unit)+more)
	}
	x, err := timeline.Training(r, false)
	if err != nil {
		t.row("peak of a training step: "+err.Error(), "", "")
		return r.SumUnsure()
	}
	unsure = timeline.SumUnsure(r, x)
	_, n := x.Fullest()
	where := x.At.Phase.String()
	if x.At.Part != "" {
		where += ", " + x.At.Part
	}
	sure := ""
	if timeline.Status(r) != "exact" {
		sure = ", an estimate"
	}
	put("peak of a training step, "+where, n, sure)
	low, likely, high := timeline.Device(r, x)
	put("  as a device shows it, likely", likely, ", an estimate")
	put("  at least", low, "")
	put("  at most", high, "")
	d := r.Subject.Device
	if d == nil || d.Memory <= 0 {
		return unsure
	}
	if y, ok := timeline.Solve(r, d.Memory); ok {
		verdict := "no"
		if y.Fits {
			verdict = "yes"
		}
		t.row("  fits "+d.Name+" by its peak", verdict, "")
		t.most("  largest micro-batch by the peak", y.Micro.N, y.Micro.Any, y.Micro.Then)
		t.most("  longest sequence by the peak", y.Seq.N, y.Seq.Any, y.Seq.Then)
	}
	for _, c := range timeline.Changes(r, d.Memory) {
		fits := ""
		if c.Fits {
			fits = ", fits"
		}
		t.row("  with "+c.Set(), units.Bytes(c.Peak).In(unit)+fits, "cost: "+c.Costs)
	}
	return unsure
}

// trainingFits prints what PyTorch takes beside a run, what of the run fits the device, and what binds.
func trainingFits(t *table, r *report.Report) {
	beyond(t, r.Beyond(), r.Query.Get(query.Units))
	x := r.Inverse()
	if x == nil {
		return
	}
	verdict := "no"
	if x.Fits {
		verdict = "yes"
	}
	t.row("  fits "+r.Subject.Device.Name, verdict, "most is "+x.Bound)
	most := func(label string, a train.Most) { t.most(label, a.N, a.Any, a.Binds) }
	most("  largest micro-batch that fits", x.Micro)
	most("  longest sequence that fits", x.Seq)
	least := func(label string, a train.Least, value string) {
		why := ""
		if a.Binds != "" {
			why = "less is bound by " + a.Binds
		}
		if !a.OK {
			value = "none"
			why = "bound by " + a.Binds
		}
		t.row(label, value, why)
	}
	least("  smallest ZeRO stage that fits", x.Zero, units.Itoa(x.Zero.N))
	least("  least recomputation that fits", x.Recompute, train.Recomputes[x.Recompute.N])
	if l := &r.Training.Fewest; r.Training.FewestOK {
		t.row("  fewest devices that hold it", units.Group(l.Devices()), fmt.Sprintf("tp %d × pp %d × cp %d × dp %d, ep %d", l.TP, l.PP, max(l.CP, 1), l.DP, l.EP))
	}
}

// beyond prints what is in no sum.
func beyond(t *table, list []train.Beyond, unit string) {
	sum := units.Bytes(0)
	for i := range list {
		sum += units.Bytes(list[i].Bytes)
	}
	if sum == 0 {
		return
	}
	t.row("  PyTorch's fully_shard takes beside it, in no sum", sum.String(), sum.In(unit))
	for i := range list {
		x := &list[i]
		t.row("    "+x.What+", "+x.Formula, units.Bytes(x.Bytes).String(), units.Bytes(x.Bytes).In(unit))
	}
}

// layouts prints the ranked layouts, and the rule that ranks them.
func layouts(t *table, r *report.Report, unit string) {
	x := r.Training.Ranking
	if x == nil {
		return
	}
	t.gap()
	t.row(fmt.Sprintf("layouts for training on %s devices: %s fit of %s, steps of %s sequences", units.Group(r.Training.Ranked), units.Group(x.Fit), units.Group(x.Tried), units.Group(r.Query.Int(query.GlobalBatch))), "", "")
	if x.Cut {
		t.row("  the search stopped there: that many ways would take more work than one answer may", "", "")
	}
	for i := range x.List {
		p := &x.List[i]
		l := &p.Layout
		label := fmt.Sprintf("  tp %d × pp %d × cp %d × dp %d, ep %d, ZeRO %d, recompute %s, micro-batch %d", l.TP, l.PP, max(l.CP, 1), l.DP, l.EP, l.Zero, p.Recompute, p.Micro)
		t.row(label, units.Bytes(p.Bytes).String(), fmt.Sprintf("sends %s a step; costs %.3f", units.Held(p.Total, unit), p.Cost))
	}
	if len(x.List) > 0 {
		t.row("  the order is a rule: "+train.Rule, "", "")
	}
}

// states prints what a part of training memory is made of, in multiples of Φ, the
// parameters that the device trains.
func states(t *table, m *train.Memory, p train.Part, unit string) {
	for i := range m.Terms {
		x := &m.Terms[i]
		if x.Part != p {
			continue
		}
		label := "    " + x.Title
		if x.Formula != "" {
			label += ", " + x.Formula
		} else if x.Each > 0 {
			label += ", " + units.Group(x.Values) + " × " + units.Itoa(x.Each)
		}
		if x.Host {
			label += ", with the host"
		}
		t.row(label, units.Bytes(x.Bytes).String(), units.Bytes(x.Bytes).In(unit))
	}
}
