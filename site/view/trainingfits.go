package view

import (
	"llmsize/core/report"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// trainingFits is what the sum of a step's parts leaves of the device. It decides nothing where a step is followed, and keeps what links to it show.
func trainingFits(w *markup.Writer, r *report.Report) {
	x := r.Inverse()
	if x == nil {
		return
	}
	d := r.Subject.Device
	left, unit := d.Memory-r.Training.Memory.Bytes, unitOf(r)
	reading := units.Bytes(max(left, -left)).In(unit)
	if left < 0 {
		reading += " short"
	} else {
		reading += " left"
	}
	figure(w, "By the sum of its parts", d.Name, reading, func() {
		w.Raw(`<p>An estimate: the peak decides.</p>`)
		ledger(w, "By the sum of its parts", "Everything else unchanged", "What binds", "By the sum")
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
		w.Raw(endLedger, `<p class="source">`).Text(d.Name).Raw(" has ").Count(d.Memory).Raw(" bytes. With one more, or one less, of these the sum is larger than that; the runtime's own memory is not counted.</p>")
	})
}
