package view

import (
	"llmsize/core/report"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// trainingFits is whether a run fits the device, and what would.
func trainingFits(w *markup.Writer, r *report.Report) {
	x := r.Training.Inverse
	if x == nil {
		return
	}
	d := r.Subject.Device
	fits := "no"
	if x.Fits {
		fits = "yes"
	}
	figure(w, "Fits", d.Name, fits, func() {
		ledger(w, "The run as asked, one choice at a time", "What", "What binds", "Fits")
		line := func(what, binds, answer string) {
			w.Raw(`<tr><th scope="row">`, what, `</th><td>`, binds, `</td><td class="num">`, answer, `</td></tr>`)
		}
		number := func(what string, a train.Most) {
			answer := units.Group(a.N)
			switch {
			case a.Any:
				answer = "any"
			case a.N == 0:
				answer = "none"
			}
			line(what, a.Binds, answer)
		}
		least := func(what string, a train.Least, answer string) {
			if !a.OK {
				answer = "none"
			}
			line(what, a.Binds, answer)
		}
		number("largest micro-batch", x.Micro)
		number("longest sequence", x.Seq)
		least("smallest ZeRO stage", x.Zero, units.Itoa(x.Zero.N))
		least("least recomputation", x.Recompute, train.Recomputes[x.Recompute.N])
		if x.DevicesOK {
			line("fewest devices", "tp "+units.Itoa(x.Devices.TP)+" × pp "+units.Itoa(x.Devices.PP)+" × dp "+units.Itoa(x.Devices.Ranks()), units.Group(x.Devices.Devices()))
		}
		w.Raw(endLedger, `<p class="source">`).Text(d.Name).Raw(" has ").Count(d.Memory).Raw(" bytes. One more, or one less, of these does not fit; the runtime's own memory is not counted.</p>")
	})
}

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
	figure(w, "Sent in a step", microBatches(batches)+" a rank", units.Bytes(total).In(unit), func() { collectives(w, list, unit) })
}

// collectives is each kind of traffic with its formula, values and source.
func collectives(w *markup.Writer, list []train.Sent, unit string) {
	for i := range list {
		x := &list[i]
		where := ""
		if x.Wide {
			where = ", between nodes"
		}
		w.Raw(`<p class="formula-line"><b>`, x.By, `</b> `, x.What, where, ` <span class="symbols">`, x.Formula, `</span> <span class="values">`).Text(x.Values).Raw(`</span> <span class="sum">= <b>`, units.Bytes(x.Bytes).In(unit), `</b></span></p><p class="source">`, x.Source, `</p>`)
	}
}
