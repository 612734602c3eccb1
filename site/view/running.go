package view

import (
	"llmsize/core/memory"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/serve"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// runningLens is what running the model takes: in all, and on the query's device
// whether it fits, what would, and how fast it can be at best.
func runningLens(r *report.Report) string {
	var w markup.Writer
	x := &r.Running
	unit := unitOf(r)
	d := x.Device
	if d == nil {
		impossible(&w, x.Fault)
		figure(&w, "In all", "as if one device held it", units.Bytes(x.Total.Bytes).In(unit), func() { footprint(&w, x.Terms, unit) })
		return w.String()
	}
	where := d.Name
	if x.Accelerators > d.Count {
		where += " × " + units.Group(x.Accelerators/d.Count)
	}
	figure(&w, "On "+fullest(x.Accelerators), where, units.Bytes(x.Fullest.Total.Bytes).In(unit), func() {
		footprint(&w, x.Fullest.Terms, unit)
		w.Raw(`<p class="source">`).Text(d.Name).Raw(" has ").Count(d.Memory).Raw(" bytes, ").Text(d.Known).Raw(".")
		if d.Note != "" {
			w.Raw(" ").Text(d.Note)
		}
		w.Raw(`</p>`)
	})
	part(&w, "Fits", verdict(x.Fits))
	part(&w, "Longest context that fits", most(x.Context, x.AnyContext, "tokens"))
	part(&w, "Largest batch that fits", most(x.Batch, x.AnyBatch, "sequences"))
	if x.FewestOK {
		part(&w, "Fewest devices", units.Group(x.Fewest.Devices()))
	}
	if x.Format != "" {
		part(&w, "Largest format that fits", words(query.Weights, x.Format))
	}
	pass(&w, "Prefill", &x.Speed.Prefill, serve.PrefillEfficiency)
	pass(&w, "Next token", &x.Speed.Decode, serve.DecodeEfficiency)
	return w.String()
}

// fullest says of which device the figure is.
func fullest(n int64) string {
	if n == 1 {
		return "the device"
	}
	return "the fullest device"
}

// part is a small figure that does not open.
func part(w *markup.Writer, name, reading string) {
	w.Raw(`<p class="part"><span class="label">`, name, `</span> <b>`).Text(reading).Raw(`</b></p>`)
}

// verdict says whether it fits; between the bands nobody can say.
func verdict(fits string) string {
	if fits == "unclear" {
		return "perhaps"
	}
	return fits
}

func most(n int64, any bool, of string) string {
	switch {
	case any:
		return "any"
	case n == 0:
		return "none"
	}
	return units.Group(n) + " " + of
}

// footprint lists the terms of a footprint, each with how sure it is.
func footprint(w *markup.Writer, terms []memory.Term, unit string) {
	w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="What running it takes"><table class="ledger"><thead><tr><th scope="col">What</th><th scope="col">How sure</th><th scope="col" class="num">Bytes</th></tr></thead><tbody>`)
	for i := range terms {
		t := &terms[i]
		w.Raw(`<tr><th scope="row">`).Text(t.What).Raw(`</th><td>`, t.Status.String())
		if t.Status != memory.Exact && t.Low != t.High {
			w.Raw(": ", units.Bytes(t.Low).In(unit), " to ", units.Bytes(t.High).In(unit))
		}
		if t.Source != "" {
			w.Raw(`. `).Text(t.Source)
		}
		w.Raw(`</td><td class="num">`).Count(t.Bytes).Raw(`</td></tr>`)
	}
	w.Raw(`</tbody></table></div>`)
}

// pass is how fast one pass can be at best, and what binds it.
func pass(w *markup.Writer, name string, p *serve.Pass, e serve.Efficiency) {
	if !(p.Seconds > 0) {
		return
	}
	figure(w, name, "at best", units.Seconds(p.Seconds).Short(), func() {
		w.Raw(`<p>Bound by `).Text(p.Binds).Raw(`: a roofline, not a prediction. Measured runs reach `)
		w.Raw(units.Percent(int64(e.Low*100), 100), " to ", units.Percent(int64(e.High*100), 100), ` of it.</p><p class="source">Williams, Waterman and Patterson 2009, doi 10.1145/1498765.1498785; measured runs: docs/accuracy.md.</p>`)
	})
}
