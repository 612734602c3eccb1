package view

import (
	"llmsize/core/report"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// trainingFits is whether a run fits the device, and what would.
func trainingFits(w *markup.Writer, r *report.Report) {
	x := r.Inverse()
	if x == nil {
		return
	}
	d := r.Subject.Device
	fits := "no"
	if x.Fits {
		fits = "yes"
	}
	figure(w, "Fits", d.Name, fits, func() {
		ledger(w, "What fits", "Everything else unchanged", "What binds", "Fits")
		line := func(what, binds, answer string) {
			w.Raw(`<tr><th scope="row">`).Text(what).Raw(`</th><td>`).Text(binds).Raw(`</td><td class="num">`).Text(answer).Raw(`</td></tr>`)
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
		w.Raw(endLedger, `<p class="source">`).Text(d.Name).Raw(" has ").Count(d.Memory).Raw(" bytes. One more, or one less, of these does not fit; the runtime's own memory is not counted.</p>")
	})
}
