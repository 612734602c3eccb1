package main

import (
	"fmt"

	"llmsize/core/device"
	"llmsize/core/figure"
	"llmsize/core/memory"
	"llmsize/core/predict"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// running prints what running the model takes, and the answers about its device. What is predicted follows, and takes the place of
// what runs reach as a rule.
func running(t *table, r *report.Report, a *predict.Answer) {
	x := &r.Running
	unit := r.Query.Get(query.Units)
	put := func(label string, n int64) { t.row(label, units.Bytes(n).String(), units.Bytes(n).In(unit)) }
	d := x.Device
	terms, total := x.Terms, x.Total
	t.gap()
	if len(terms) == 0 && x.Fault != nil {
		t.row("running: "+x.Fault.Error(), "", "")
		return
	}
	if d != nil {
		where := d.Name
		if x.Accelerators > 1 {
			l := &x.Layout
			where = fmt.Sprintf("%s × %s, tp %s, pp %s, ep %s, dp %s", where, units.Group(x.Accelerators/d.Count), units.Group(l.TP), units.Group(l.PP), units.Group(max(l.EP, x.ExpertsOver)), units.Group(l.DP))
			if x.Assumed {
				where += " (assumed)"
			}
		}
		t.row("running on "+where+unsure(r), "", "")
		terms, total = x.Fullest.Terms, x.Fullest.Total
	} else {
		t.row("running"+unsure(r), "", "")
	}
	for i := range terms {
		s := &terms[i]
		label := "  " + s.What + ", " + s.Status.String()
		if s.Status != memory.Exact && s.Low != s.High {
			label += ": " + units.Bytes(s.Low).In(unit) + " to " + units.Bytes(s.High).In(unit)
		}
		put(label, s.Bytes)
	}
	if d == nil {
		put("  in all", total.Bytes)
		return
	}
	put("  in all, on the fullest device", total.Bytes)
	put("  a device has ("+d.Known+")", d.Memory)
	if s := r.Sides(); s == nil {
		t.row("  fits", x.Fits, "")
	} else {
		t.row("  fits, all of it on the device", x.Fits, "")
		free, short := s.Free(d.Memory)
		left := units.Bytes(free).In(unit) + " free"
		if short > 0 {
			left = units.Bytes(short).In(unit) + " short"
		}
		put("  with "+s.How()+", estimated, the device holds "+units.Bytes(s.Holds.Low).In(unit)+" to "+units.Bytes(s.Holds.High).In(unit), s.Holds.Bytes)
		put("  and the host", int64(s.Host))
		t.row("  fits so", s.Fits, left)
	}
	t.most("  longest context that fits", x.Context, x.AnyContext, x.ContextBinds)
	t.most("  largest batch that fits", x.Batch, x.AnyBatch, x.BatchBinds)
	if x.FewestOK {
		t.row(fmt.Sprintf("  fewest devices, tp %d × pp %d", x.Fewest.TP, x.Fewest.PP), units.Group(x.Fewest.Devices()), "")
	}
	if x.Format != "" {
		t.row("  largest format that fits", x.Format, "")
	}
	t.gap()
	declared(t, r, "running", a)
	if g := &x.Speed.Drafting; g.Seconds > 0 {
		t.row(fmt.Sprintf("  with %d guesses, %.0f %% kept: %.3f tokens a step, each at best", x.Draft.Tokens, 100*x.Draft.Accept, g.Expected), units.Seconds(g.Token).Short(), "")
	}
	if p := x.Speed.Peak; p > 0 {
		note := ""
		if f := device.Wanted(r.Weights.Format); f != x.Speed.Rate {
			note = "no rate for " + f.String() + " is known: weights are widened"
		}
		t.row("  multiplied in "+x.Speed.Rate.String(), fmt.Sprintf("%.4g TFLOPS", float64(p)/1e12), note)
	}
	if x.Speed.Peak == 0 {
		t.row("  no peak of this device is known: bandwidth alone bounds it", "", "")
	}
	if x.Speed.Critical > 0 {
		t.row("  critical batch", units.Group(x.Speed.Critical), "")
	}
}

// predicted prints what runs of such engines and devices reach, and on how many runs that rests.
func predicted(t *table, r *report.Report, a *predict.Answer) {
	t.gap()
	title := "predicted"
	if a.Title != "" {
		title += ", " + a.Title
	}
	if title += unsure(r); a.Decode != nil || a.Prefill != nil || a.Load != nil || a.Training != nil {
		title += "; eight of ten runs lie between"
	}
	t.row(title, "", "")
	put := func(label string, x *predict.Range, unit string) {
		switch {
		case x != nil && unit == "s":
			t.row("  "+label, units.Seconds(x.Low).Short()+" to "+units.Seconds(x.High).Short(), "likely "+units.Seconds(x.Likely).Short())
		case x != nil:
			t.row("  "+label, units.Three(x.Low)+" to "+units.Three(x.High)+" "+unit, "likely "+units.Three(x.Likely))
		}
	}
	put("decode, each sequence", a.Decode, "tokens/s")
	put("prefill", a.Prefill, "tokens/s")
	if l := a.Load; l != nil {
		put("time to first token", l.First, "s")
		put("time per output token", l.Token, "s")
		put("output of all devices", l.Output, "tokens/s")
	}
	if p := a.Promise; p != nil {
		t.row("  users within the promise", units.Group(p.Likely), "surely "+units.Group(p.Sure))
	}
	if c := a.Cost; c != nil {
		put("a million tokens read cost", c.Input, "")
		put("a million tokens generated cost", c.Output, "")
	}
	if a.Energy > 0 {
		t.row("  energy of a generated token, boards alone", "at most "+units.Three(a.Energy)+" J", "")
	}
	if m := a.Measured; m != nil {
		note := ""
		if m.Faster >= 0 && m.Place != predict.Impossible {
			note = fmt.Sprintf("%.0f %% of %d runs of %s %s reach less of theirs", 100*m.Faster, m.Among.Rows, m.Among.Level, m.Among.Of)
		}
		t.row("  measured, of the bound", fmt.Sprintf("%.0f %%", 100*m.Share), note)
		switch m.Place {
		case predict.Impossible:
			t.row("  no run passes the bound: it was another question's", "", "")
		case predict.Above, predict.Inside, predict.Below:
			t.row("  "+string(m.Place)+" what is predicted", "", "")
		}
		for _, text := range m.Causes {
			t.row("  perhaps "+text, "", "")
		}
	}
	if f := a.Offloaded; f != nil {
		t.row("  weights and cache on the device, estimated", bytesText(f.Device), f.How())
		t.row("  weights and cache on the host, estimated", bytesText(f.Host), "embedding "+bytesText(f.Embedding))
		t.row("  decode, at most", units.Three(f.Bound)+" tokens/s", "likely "+units.Three(f.Likely))
	}
	trainer := a.Trainer
	if trainer == "training" {
		trainer = "any program"
	}
	put("training by "+trainer+", each device", a.Training, "tokens/s")
	for i := range a.Basis {
		b := &a.Basis[i]
		runs, of := "runs", b.Level+" "+b.Of
		if b.Firsts {
			runs = "first tokens under load"
		}
		if b.Of == "" {
			of = fmt.Sprintf("%d devices of several makers", b.Devices)
		}
		t.row(fmt.Sprintf("  %s: %d %s of %s", b.Part, b.Rows, runs, of), "", "")
	}
	for _, text := range a.Beyond {
		t.row("  extrapolated: "+text, "", "")
	}
	for _, text := range a.Missing {
		t.row("  not predicted: "+text, "", "")
	}
}

// bytesText is an estimated number of bytes in short.
func bytesText(n float64) string { return units.Bytes(int64(n)).GB() }

// declared prints the figures that a lens declares.
func declared(t *table, r *report.Report, lens string, a *predict.Answer) {
	for i := range figure.Live {
		f := &figure.Live[i]
		v := 0.0
		if f.Lens == lens {
			v = r.Of(f.ID)
		}
		if v <= 0 {
			continue
		}
		label, note := f.Name(), ""
		if f.Status != "" {
			label += ", " + f.Status
		}
		if binds, reach, ok := r.Bound(f.ID); ok {
			label += ", bound by " + binds
			stands := a.Decode
			if f.ID == "running.time.prefill.seconds" {
				stands = a.Prefill
			}
			if stands == nil {
				note = fmt.Sprintf("runs reach %.0f to %.0f %% of the bound", 100*reach.Low, 100*reach.High)
			}
		}
		t.row(label, f.Unit.Brief(v, r.Query.Get(query.Units)), note)
	}
}
