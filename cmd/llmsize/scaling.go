package main

import (
	"fmt"

	"llmsize/core/report"
	"llmsize/core/units"
)

// trainingRun prints how papers count the run, how long it takes, and what its
// budget could do best.
func trainingRun(t *table, r *report.Report) {
	c := &r.Compute
	for i := range c.Conventions {
		x := &c.Conventions[i]
		reading := units.FLOPs(x.Total).Short()
		if u := c.Train.Utilisation(x); u > 0 {
			kind := "MFU"
			if x.Pass == "hardware" {
				kind = "HFU"
			}
			reading += fmt.Sprintf(", %.1f %% %s", 100*u, kind)
		}
		t.row("  "+x.Name+": "+x.Title, units.FLOPs(x.Token).Short()+" a token", reading)
	}
	t.gap()
	if d := &c.Train.Time; d.Peak > 0 {
		devices := "a device"
		if d.Devices > 1 {
			devices = units.Group(d.Devices) + " devices"
		}
		t.row(fmt.Sprintf("a training run on %s, %.1f %% of %s/s each", devices, 100*d.Share, units.FLOPs(d.Peak).Short()), fmt.Sprintf("%.1f days", float64(d.Seconds)/86400), units.Group(int64(d.Hours()+0.5))+" device hours")
		if d.Watts > 0 {
			t.row("  energy at most, boards alone", fmt.Sprintf("%.2f MWh", d.Energy()/1e6), units.Group(d.Watts)+" W each")
		}
	}
	s := &c.Scaling
	if len(s.Estimates) == 0 {
		return
	}
	budget := "the run's 6ND"
	if s.Asked {
		budget = "the days asked"
	}
	t.row("tokens for each parameter", fmt.Sprintf("%.1f", s.PerParam), "")
	t.row("best for "+budget+", 20 tokens each", s.RuleN.Short()+" parameters", units.Params(s.RuleD).Short()+" tokens")
	for i := range s.Estimates {
		e := &s.Estimates[i]
		t.row("  "+e.Law.Name+": loss at best "+fmt.Sprintf("%.3f", e.BestLoss), e.BestN.Short()+" parameters", units.Params(e.BestD).Short()+" tokens")
		if e.Least == 0 {
			continue
		}
		t.row("  "+e.Law.Name+": loss of the run "+fmt.Sprintf("%.3f", e.Loss), e.Least.Short()+" at least", fmt.Sprintf("it takes %.2f times as many", e.Over))
		if s.Served > 0 {
			t.row("  "+e.Law.Name+": over its life, "+e.Life.Short(), e.LeastLife.Short()+" at least", e.LifeN.Short()+" parameters on "+units.Params(e.LifeD).Short()+" tokens")
		}
	}
	t.gap()
}
