package main

import (
	"fmt"

	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
	"llmsize/core/train"
	"llmsize/core/units"
)

// peak prints whether a run fits, by what is live at the fullest moment of a step and what a device shows meanwhile, and what of it does:
// by the sum of its parts, said to be an estimate, where no timeline follows the step. It returns why that sum is an estimate.
func peak(t *table, r *report.Report, unit string) (unsure string) {
	put := func(label string, n int64, more string) {
		t.row(label, units.Bytes(n).String(), units.Bytes(n).In(unit)+more)
	}
	d, need := r.Subject.Device, timeline.Needs(r)
	verdict := func(how string) {
		fits := "no"
		if need.Bytes <= d.Memory {
			fits = "yes"
		}
		t.row("  fits "+d.Name+how, fits, "")
	}
	known := d != nil && d.Memory > 0
	x := need.Step
	if x == nil {
		t.row("peak of a training step: "+need.Why.Error(), "", "")
		if known {
			verdict(" by the sum of its parts, an estimate")
			sumFits(t, r)
		}
		return r.SumUnsure()
	}
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
	if !known {
		return timeline.SumUnsure(r, x)
	}
	verdict(" by its peak")
	if y, ok := timeline.Solve(r, d.Memory); ok {
		t.most("  largest micro-batch by the peak", y.Micro.N, y.Micro.Any, y.Micro.Then)
		t.most("  longest sequence by the peak", y.Seq.N, y.Seq.Any, y.Seq.Then)
		least := "none"
		if y.ZeroOK {
			least = units.Itoa(y.Zero)
		}
		t.row("  smallest ZeRO stage by the peak", least, "")
		if least = y.Recompute; least == "" {
			least = "none fits"
		}
		t.row("  least recomputation by the peak", least, "")
	}
	for _, c := range timeline.Changes(r, d.Memory) {
		fits := ""
		if c.Fits {
			fits = ", fits"
		}
		t.row("  with "+c.Set(), units.Bytes(c.Peak).In(unit)+fits, "cost: "+c.Costs)
	}
	return timeline.SumUnsure(r, x)
}

// sumFits prints what of a run fits the device by the sum of its parts, and what binds.
func sumFits(t *table, r *report.Report) {
	x := r.Inverse()
	if x == nil {
		return
	}
	most := func(label string, a train.Most) { t.most(label, a.N, a.Any, a.Binds) }
	most("  largest micro-batch by the sum", x.Micro)
	most("  longest sequence by the sum", x.Seq)
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
	least("  smallest ZeRO stage by the sum", x.Zero, units.Itoa(x.Zero.N))
	least("  least recomputation by the sum", x.Recompute, train.Recomputes[x.Recompute.N])
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

// layouts prints the layouts that fit, ranked, and the rule that ranks them.
func layouts(t *table, r *report.Report, unit string) {
	x, ok := timeline.Layouts(r)
	if !ok {
		return
	}
	t.gap()
	found := units.Group(int64(len(x.List)))
	if x.Cut && len(x.List) > 0 {
		found = "at least " + found
	}
	t.row(fmt.Sprintf("layouts for training on %s devices: %s fit of %s, steps of %s sequences", units.Group(x.Devices), found, units.Group(x.Tried), units.Group(r.Query.Int(query.GlobalBatch))), "", "")
	for i := range x.List {
		p := &x.List[i]
		l := &p.Layout
		label := fmt.Sprintf("  tp %d × pp %d × cp %d × dp %d, ep %d, ZeRO %d, recompute %s, micro-batch %d", l.TP, l.PP, max(l.CP, 1), l.DP, l.EP, l.Zero, p.Recompute, p.Micro)
		how := "likely"
		if p.Peak == 0 {
			how = "the sum of its parts, an estimate"
		}
		t.row(label, units.Bytes(p.Likely).String(), fmt.Sprintf("%s; sends %s a step; costs %.3f", how, units.Held(p.Total, unit), p.Cost))
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
