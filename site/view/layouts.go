package view

import (
	"llmsize/core/report"
	"llmsize/core/timeline"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// Layouts looks for the layouts of the query's devices that hold the run, by their peak, and shows them in order. A page asks for it when somebody
// opens it: it takes some milliseconds over a thousand devices.
func Layouts(r *report.Report) string {
	var w markup.Writer
	t := &r.Training
	x, ok := timeline.Layouts(r)
	stepSends(&w, r)
	switch {
	case !ok && t.Fault != nil:
		impossible(&w, t.Fault)
		return w.String()
	case !ok:
		return w.Raw(`<p class="quiet">The device's memory is not known.</p>`).String()
	}
	w.Raw(`<p>`)
	if x.Devices != t.Devices {
		w.Raw(`Nothing fits `).Text(plural(t.Devices, "device")).Raw(`. `)
	}
	if x.Cut && len(x.List) > 0 {
		w.Raw(`At least `)
	}
	w.Int(int64(len(x.List))).Raw(` of `).Count(x.Tried).Raw(` ways to divide the model over `).Text(plural(x.Devices, "device")).Raw(` fit, with the likely share of the runtime on top of the peak.</p>`)
	if len(x.List) == 0 {
		return w.String()
	}
	unit := unitOf(r)
	const head = `<div class="scroll" tabindex="0" role="group" aria-label="Layouts that fit"><table class="parts"><thead><tr><th scope="col">Layout</th><th scope="col">ZeRO</th><th scope="col">Recompute</th><th scope="col" class="num">Micro-batch</th><th scope="col" class="num">A device shows</th><th scope="col" class="num">It sends in a step</th><th scope="col" class="num">Cost</th><td></td></tr></thead>`
	w.Raw(head)
	for i := range x.List {
		if i == best {
			w.Raw(`</table></div><details class="numbers"><summary>`).Text(plural(int64(len(x.List)-best), "more layout")).Raw(`</summary>`, head)
		}
		p := &x.List[i]
		w.Raw(`<tbody><tr><th scope="row"><details><summary>`).Text(sizes(&p.Layout)).Raw(`</summary></details></th><td>`).Int(p.Layout.Zero).Raw(`</td><td>`).Text(p.Recompute).Raw(`</td><td class="num">`).Int(p.Micro)
		w.Raw(`</td><td class="num">`).Text(units.Bytes(p.Likely).In(unit))
		if p.Peak == 0 {
			w.Add(stamp("estimate"))
		}
		w.Raw(`</td><td class="num">`).Text(units.Held(p.Total, unit)).Raw(`</td><td class="num">`).Text(thousandths(p.Cost)).Raw(`</td><td>`)
		applyLayout(&w, r, &p.Placed)
		w.Raw(`</td></tr><tr class="more"><td colspan="8">`)
		w.Raw(`<p class="formula-line"><b>cost</b> <span class="symbols">(1 + repeated)(1 + idle)·uneven + sending</span> <span class="values">= (1 + `).Text(thousandths(p.Again)).Raw(`)(1 + `).Text(thousandths(p.Idle)).Raw(`)·`).Text(thousandths(p.Uneven)).Raw(` + `).Text(thousandths(p.Talk)).Raw(`</span> <span class="sum">= <b>`).Text(thousandths(p.Cost)).Raw(`</b></span></p>`)
		w.Raw(`<p class="quiet">`).Text(microBatches(p.Batches)).Raw(` for each rank in a step. `)
		if p.Peak > 0 {
			w.Raw(`A step peaks at `).Count(p.Peak).Raw(` bytes; the sum of its parts is `)
		} else {
			w.Raw(`No timeline follows it, so the sum of its parts decides, an estimate: `)
		}
		w.Count(p.Bytes).Raw(` bytes.</p>`)
		collectives(&w, p.Sent, unit)
		w.Raw(`</td></tr></tbody>`)
	}
	w.Raw(`</table></div>`)
	if len(x.List) > best {
		w.Raw(`</details>`)
	}
	return w.Raw(`<p class="source">The order is a rule: `, train.Rule, `.</p>`).String()
}

// best is how many layouts are shown at once.
const best = 3

// sizes is a layout in the keys of the query, those of 1 left out.
func sizes(l *train.Layout) string {
	s := ""
	for _, x := range [...]struct {
		name string
		n    int64
	}{{"tp", l.TP}, {"pp", l.PP}, {"vp", l.VP}, {"cp", l.CP}, {"dp", l.DP}, {"ep", l.EP}} {
		if x.n > 1 {
			if s != "" {
				s += " "
			}
			s += x.name + "=" + units.Itoa(x.n)
		}
	}
	if s == "" {
		return "one device"
	}
	return s
}

// thousandths writes a part to three digits.
func thousandths(x float64) string { return units.Fixed(int64(float64(x*1000)+0.5), 1000, 3) }

// stepSends is what the busiest device sends in a step.
func stepSends(w *markup.Writer, r *report.Report) {
	list, batches := r.Sent()
	if len(list) == 0 {
		return
	}
	total := 0.0
	for i := range list {
		total = float64(total + list[i].Bytes)
	}
	unit := unitOf(r)
	figure(w, "Network traffic per step", microBatches(batches)+" a rank", units.Bytes(total).In(unit), func() { collectives(w, list, unit) })
}

// collectives is each kind of traffic with its formula, values and source.
func collectives(w *markup.Writer, list []train.Sent, unit string) {
	for i := range list {
		x := &list[i]
		where := ""
		if x.Wide {
			where = ", between nodes"
		}
		w.Raw(`<p class="formula-line"><b>`).Text(x.By).Raw(`</b> `).Text(x.What).Text(where).Raw(` <span class="symbols">`).Text(x.Formula).Raw(`</span> <span class="values">`).Text(x.Values).Raw(`</span> <span class="sum">= <b>`).Text(units.Held(x.Bytes, unit)).Raw(`</b></span></p><p class="source">`).Text(x.Source).Raw(`</p>`)
	}
}
