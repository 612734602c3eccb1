package view

import (
	"llmsize/core/memory"
	"llmsize/core/query"
	"llmsize/core/report"
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
		if len(x.Terms) == 0 {
			return w.String()
		}
		if r.Subject.Device == nil {
			w.Raw(`<p class="fact">No device of the catalogue is called `).Text(r.Query.Get(query.Device)).Raw(`. Choose one to see whether the model fits and how fast it can be.</p>`)
		}
		figure(&w, "In all", "as if one device held it", units.Bytes(x.Total.Bytes).In(unit), func() { footprint(&w, x.Terms, unit) })
		policies(&w, r)
		return w.String()
	}
	where := d.Name
	if x.Accelerators > d.Count {
		where += " × " + units.Group(x.Accelerators/d.Count)
	}
	figure(&w, perDevice(x.Accelerators), where, units.Bytes(x.Fullest.Total.Bytes).In(unit), func() {
		footprint(&w, x.Fullest.Terms, unit)
		w.Raw(`<p class="source">`).Text(d.Name).Raw(" has ").Count(d.Memory).Raw(" bytes, ").Text(d.Known).Raw(".")
		if d.Note != "" {
			w.Raw(" ").Text(d.Note)
		}
		w.Raw(` <a href="/devices/`).Text(d.Slug).Raw(`/">What it holds, and how fast it is</a></p>`)
	})
	policies(&w, r)
	if x.Accelerators > 1 {
		layout(&w, r)
	}
	t := &x.Fullest.Total
	figure(&w, "Fits", "", verdict(x.Fits), func() {
		result(&w, "what it takes ≤ memory of the device", units.Bytes(t.Low).In(unit)+" to "+units.Bytes(t.High).In(unit)+" ≤ "+units.Bytes(d.Memory).In(unit), verdict(x.Fits))
		w.Raw(`<p class="source">Yes, if the upper end of every band fits; no, if the lower does not.</p>`)
	})
	if !x.AnyContext {
		w.Raw(`<data hidden data-longest value="`).Int(x.Context).Raw(`"></data>`) // for the field's own button
	}
	mostOf(&w, r, "Longest context", "tokens", x.Context, x.AnyContext, x.ContextBinds, x.ContextNeed)
	mostOf(&w, r, "Largest batch that fits", "sequences", x.Batch, x.AnyBatch, x.BatchBinds, x.BatchNeed)
	if x.FewestOK {
		figure(&w, "Fewest devices", "", units.Group(x.Fewest.Devices()), func() {
			result(&w, "tensor parallel × stages", units.Itoa(x.Fewest.TP)+" × "+units.Itoa(x.Fewest.PP), units.Group(x.Fewest.Devices()))
			w.Raw(`<p class="source">Each number of devices is tried with every tensor parallelism up to eight that divides the heads, the rest in stages.</p>`)
		})
	}
	if x.Format != "" {
		figure(&w, "Best precision that fits", "", words(query.Weights, x.Format), func() {
			w.Raw(`<p>With this question and layout, tried from fp32 down to two bits.</p>`)
		})
	}
	passes(&w, r)
	return w.String()
}

// perDevice says of which device a figure is.
func perDevice(n int64) string {
	if n == 1 {
		return "On the device"
	}
	return "Per GPU (worst case)"
}

// part is a small figure that does not open.
func part(w *markup.Writer, name, reading string) {
	w.Raw(`<p class="part"><span class="label">`).Text(name).Raw(`</span> <b>`).Text(reading).Raw(`</b></p>`)
}

// verdict says whether it fits; between the bands nobody can say.
func verdict(fits string) string {
	if fits == "unclear" {
		return "perhaps"
	}
	return fits
}

// most words the most of something that fits.
func most(n int64, any bool, of string) string {
	switch {
	case any:
		return "any"
	case n == 0:
		return "none"
	}
	return units.Group(n) + " " + of + " fit"
}

// mostOf is the most of something that fits, and what leaves no room for more.
func mostOf(w *markup.Writer, r *report.Report, name, of string, n int64, any bool, binds string, need [3]int64) {
	reading, about := most(n, any, of), ""
	if p := r.Positions(); of == "tokens" && p > 0 && n > p {
		about = "(trained for " + units.Group(p) + ")"
	}
	figure(w, name, about, reading, func() {
		switch {
		case any:
			w.Raw(`<p>Nothing that the device holds grows with it.</p>`)
		case n == 0:
			w.Raw(`<p>Not even one fits. What takes most of the room: `).Text(binds).Raw(`.</p>`)
		default:
			memory := units.Bytes(r.Running.Device.Memory).String()
			result(w, "what it takes with one", "upper end of every band", units.Bytes(need[0]).String())
			result(w, markup.Text("with "+reading), "fits in "+memory, units.Bytes(need[1]).String())
			result(w, "with the next more", "does not fit in "+memory, units.Bytes(need[2]).String())
			w.Raw(`<p>What limits it: `).Text(binds).Raw(`. Everything else stays the same`)
			if of == "tokens" {
				w.Raw(`, the prompt being the context`)
			}
			w.Raw(`.</p>`)
		}
	})
}

// footprint lists the terms of a footprint, each with how sure it is.
func footprint(w *markup.Writer, terms []memory.Term, unit string) {
	w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="Memory of inference"><table class="ledger"><thead><tr><th scope="col">What</th><th scope="col">How sure</th><th scope="col" class="num">Bytes</th></tr></thead><tbody>`)
	for i := range terms {
		t := &terms[i]
		w.Raw(`<tr><th scope="row">`).Text(t.What).Raw(`</th><td>`).Text(t.Status.String())
		if t.Status != memory.Exact && t.Low != t.High {
			w.Raw(": ").Text(units.Bytes(t.Low).In(unit)).Raw(" to ").Text(units.Bytes(t.High).In(unit))
		}
		if t.Source != "" {
			w.Raw(`. `).Text(t.Source)
		}
		w.Raw(`</td><td class="num">`).Count(t.Bytes).Raw(`</td></tr>`)
	}
	w.Raw(`</tbody></table></div>`)
}
