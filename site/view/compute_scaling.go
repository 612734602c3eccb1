package view

import (
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// trainingTime is how long a run takes on the query's devices, and what they draw.
func trainingTime(w *markup.Writer, run *report.TrainingRun) {
	t := &run.Time
	if t.Peak == 0 {
		return
	}
	sum := longTime(float64(t.Seconds))
	if t.Rate > 0 {
		result(w, "tokens / (devices · rate)", units.Group(run.Tokens)+" / ("+units.Group(t.Devices)+" · "+units.Group(t.Rate)+" a second), "+share(t.Share)+" MFU, "+share(t.Hardware)+" HFU", sum)
	} else {
		result(w, "FLOPs / (devices · peak · MFU)", run.FLOPs.Short()+" / ("+units.Group(t.Devices)+" · "+units.FLOPs(t.Peak).Short()+"/s in "+t.Format+" · "+share(t.Share)+")", sum)
	}
	if t.Watts > 0 {
		result(w, "device hours · watts", thousands(t.Hours())+" h · "+units.Group(t.Watts)+" W at most, without hosts and cooling", wattHours(t.Energy()))
	}
}

// scaling sets the run beside what its budget could do best.
func scaling(w *markup.Writer, s *report.Scaling) {
	if len(s.Estimates) == 0 {
		return
	}
	figure(w, "Tokens for each parameter", units.Params(s.D).Short()+" for "+units.Params(s.N).Short(), thousands(s.PerParam), func() {
		w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="Laws of scaling"><table class="ledger"><caption>`)
		if s.Asked {
			w.Raw("Best for these days, ")
		} else {
			w.Raw("Best for the same 6ND, ")
		}
		w.Text(s.Budget.Short()).Raw(`</caption><thead><tr><th scope="col">What</th>`)
		for i := range s.Estimates {
			w.Raw(`<th scope="col" class="num">`).Text(surname(s.Estimates[i].Law.Source)).Raw(`</th>`)
		}
		w.Raw(`<th scope="col" class="num">20 each</th></tr></thead><tbody>`)
		row := func(name, rule string, cell func(e *report.Estimate) string) {
			w.Raw(`<tr><th scope="row">`).Text(name).Raw(`</th>`)
			for i := range s.Estimates {
				w.Raw(`<td class="num">`).Text(cell(&s.Estimates[i])).Raw(`</td>`)
			}
			w.Raw(`<td class="num">`).Text(rule).Raw(`</td></tr>`)
		}
		row("parameters", s.RuleN.Short(), func(e *report.Estimate) string { return e.BestN.Short() })
		row("tokens", units.Params(s.RuleD).Short(), func(e *report.Estimate) string { return units.Params(e.BestD).Short() })
		row("loss", "", func(e *report.Estimate) string { return nats(e.BestLoss) })
		row("this run’s loss", "", func(e *report.Estimate) string { return nats(e.Loss) })
		row("this run takes, of the least", "", func(e *report.Estimate) string {
			if e.Least > 0 {
				return "× " + thousands(e.Over)
			}
			return ""
		})
		w.Raw(`</tbody></table></div>`)
		if s.Served > 0 {
			for i := range s.Estimates {
				e := &s.Estimates[i]
				if e.LifeN == 0 {
					continue
				}
				result(w, markup.Text("6ND + 2NS, "+surname(e.Law.Source)), e.Life.Short()+"; the same loss with "+e.LifeN.Short()+" parameters on "+units.Params(e.LifeD).Short()+" tokens", e.LeastLife.Short())
			}
			w.Raw(`<p class="source">S = `).Count(s.Served).Raw(` tokens served: Sardana et al. 2023, arXiv 2401.00448.</p>`)
		}
		w.Raw(`<p class="source">`)
		for i := range s.Estimates {
			if i > 0 {
				w.Raw("; ")
			}
			w.Text(s.Estimates[i].Law.Source)
		}
		w.Raw(`</p>`)
	})
}

// surname is the first word of a source: its first author.
func surname(source string) string {
	for i := range len(source) {
		if source[i] == ' ' {
			return source[:i]
		}
	}
	return source
}

// share is a part of one in percent: "40%".
func share(x float64) string { return thousands(100*x) + "%" }

// longTime is a time in days from two on.
func longTime(s float64) string {
	if s < 2*86400 {
		return units.Seconds(s).Short()
	}
	return thousands(s/86400) + " days"
}

// wattHours is an energy.
func wattHours(x float64) string {
	for _, unit := range [...]string{" Wh", " kWh", " MWh"} {
		if x < 1000 {
			return thousands(x) + unit
		}
		x /= 1000
	}
	return thousands(x) + " GWh"
}
