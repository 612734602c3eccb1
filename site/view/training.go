package view

import (
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// trainingLens is what a device holds while the model is trained.
func trainingLens(r *report.Report) string {
	var w markup.Writer
	t := &r.Training
	m := t.Memory
	if m == nil {
		impossible(&w, t.Fault)
		return w.String()
	}
	unit := unitOf(r)
	figure(&w, "On the fullest device", layoutWords(&t.Question.Layout), units.Bytes(m.Bytes).In(unit), func() {
		w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="What the device holds"><table class="ledger"><thead><tr><th scope="col">What</th><th scope="col">How much</th><th scope="col" class="num">Bytes</th></tr></thead><tbody>`)
		for i := range m.Terms {
			x := &m.Terms[i]
			w.Raw(`<tr><th scope="row">`).Text(x.Title).Raw(`</th><td>`)
			if x.Formula != "" {
				w.Text(x.Formula)
			} else if x.Each > 0 {
				w.Count(x.Values).Raw(" × ").Int(x.Each)
			}
			if x.Over > 1 {
				w.Raw(", shared by ").Count(x.Over).Raw(" ranks")
			}
			w.Raw(`</td><td class="num">`).Count(int64(x.Bytes)).Raw(`</td></tr>`)
		}
		for i := range m.Saved {
			x := &m.Saved[i]
			w.Raw(`<tr><th scope="row">activations: `).Text(x.Title).Raw(", ").Text(x.What).Raw(`</th><td>`)
			w.Raw(plural(x.Layers, "layer"), `</td><td class="num">`).Count(int64(x.Bytes)).Raw(`</td></tr>`)
		}
		w.Raw(`</tbody><tfoot><tr><th scope="row">In all</th><td></td><td class="num">`).Count(m.Bytes).Raw(`</td></tr></tfoot></table></div>`)
		w.Raw(`<p class="source">`).Text(t.Question.Optimizer.Source).Raw("; ").Text(t.Question.Precision.Source).Raw(`. Activations as autograd keeps them, `)
		if r.Query.Get(query.Flash) == "on" {
			w.Raw("attention scores not stored.")
		} else {
			w.Raw("attention scores stored.")
		}
		w.Raw(` The runtime's own buffers are not in it.</p>`)
	})
	for p := train.Part(0); p < train.NumParts; p++ {
		if n := m.Parts[p]; n > 0 {
			part(&w, p.String(), units.Bytes(n).In(unit))
		}
	}
	if len(t.Adapters) > 0 {
		w.Raw(`<p class="fact">trained <b>`).Count(int64(t.Trainable)).Raw(`</b> parameters of adapters, `).Text(units.Percent(int64(t.Trainable), int64(r.Parameters.Total))).Raw(` of the model</p>`)
	}
	return w.String()
}

// impossible says why a run cannot be, beside the rest of the answer.
func impossible(w *markup.Writer, f *fault.Error) {
	if f != nil {
		w.Raw(`<p class="fact">`).Text(f.Error()).Raw(`.</p>`)
	}
}

// layoutWords says over how many devices a run is laid out.
func layoutWords(l *train.Layout) string {
	n := l.Devices()
	if n == 1 {
		return "one device"
	}
	return "of " + units.Group(n) + " devices"
}
