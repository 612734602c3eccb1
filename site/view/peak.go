package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/step"
	"llmsize/core/timeline"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// Peak is what a training step takes at its fullest moment: what it consists of, what a device shows meanwhile, and why
// the sum of all parts is another number. It is counted when somebody looks, by the program that lays steps out.
func Peak(r *report.Report) string {
	var w markup.Writer
	x := fullest(r, false)
	if x == nil {
		if why := unfollowed(r); why != "" {
			w.Raw(`<p class="fact">The peak of a step is not known: `).Text(why).Raw(`.</p>`)
		}
		return w.String()
	}
	unit := unitOf(r)
	in := func(n int64) string { return units.Bytes(n).In(unit) }
	low, likely, high := timeline.Device(r, x)
	where := peakPlace(&x.At)
	if timeline.Status(r) != "exact" {
		where += ", an estimate"
	}
	figure(&w, "Peak of a step", where, in(x.Peak), func() {
		table(&w, "What is live at the peak", "Part", "#Bytes")
		for i := range stepBands {
			if n := stepBands[i].held(&x.At.Live); n > 0 {
				row(&w, n, stepBands[i].name)
			}
		}
		row(&w, x.Peak, "In all")
		w.Raw(endLedger)
		table(&w, "The highest moment of each pass", "Pass", "Where", "#Bytes")
		for ph := step.Forward; ph <= step.Rollout; ph++ {
			if h := &x.High[ph]; h.Live.Total() > 0 {
				row(&w, h.Live.Total(), ph.String(), peakWords(h))
			}
		}
		row(&w, x.Steady, "between steps", "")
		w.Raw(endLedger)
		ranks(&w, x)
		w.Raw(`<p>`).Text(whyNotSum(r, x, unit)).Raw(`</p>`)
		if s := timeline.Unsure(r); s != "" {
			w.Raw(`<p>`).Text(s).Raw(`.</p>`)
		}
		if s := step.Way(r.Model); s != "" {
			w.Raw(`<p>Laid out: `).Text(s).Raw(`.</p>`)
		}
	})
	if d := r.Subject.Device; d != nil && d.Memory > 0 && (likely <= d.Memory) != (r.Training.Memory.Bytes <= d.Memory) {
		w.Raw(`<p class="fact">By its peak it `)
		if likely <= d.Memory {
			w.Raw(`<b class="yes">fits</b> `)
		} else {
			w.Raw(`does <b class="no">not fit</b> `)
		}
		w.Text(d.Name).Raw(`, whatever the sum of its parts says.</p>`)
	}
	figure(&w, "Likely on the device", in(low)+" to "+in(high), in(likely), func() {
		w.Raw(`<p>An estimate. On top of live tensors come the CUDA context with its kernels (0.3 to 1.3 GiB), cuBLAS's workspaces (8 to 64 MiB), `)
		if r.Training.Question.Layout.Devices() > 1 {
			w.Raw(`NCCL's buffers (up to 1 GiB), `)
		}
		w.Raw(`and the allocator's rounding and unused blocks: 1% of what lives at the low end, 5% in the middle, 13% at the high end.`)
		if n := x.Peak - x.InPlace; x.InPlace > 0 && n > 0 {
			w.Raw(` The low end is without `).Text(in(n)).Raw(`: where gradients meet, PyTorch adds one to the other in place; the peak, as tensors without data show it, has their sum beside both.`)
		}
		w.Raw(`</p><p class="source">`, timeline.BandSource, `</p>`)
	})
	if p := r.Query.Running(); p != nil {
		title, source := p.About()
		figure(&w, "Program", title, units.Group(int64(len(p.For(&r.Query))))+" keys", func() {
			w.Raw(`<p>`)
			for i, k := range p.For(&r.Query) {
				if i > 0 {
					w.Raw(` `)
				}
				w.Raw(`<code>`).Text(query.About(k.Param).Name).Raw(`=`).Text(k.Value).Raw(`</code>`)
			}
			w.Raw(`</p><p class="source">`).Text(source).Raw(`. A key that the question sets itself stays as it is.</p>`)
		})
	}
	return w.String()
}

// leading are the places of the peak and of the best layouts, before the sum of the parts: of the peak the number alone as the page
// is built, and the rest by a worker when a reader sees it.
func leading(w *markup.Writer, r *report.Report) {
	w.Raw(`<details class="peak unopened" data-name="peak" open><summary>At the peak of a step <span class="quiet said" role="status"></span></summary><div class="region peak" data-region="peak">`).Add(markup.Markup(peakLine(r))).Raw(`</div></details><details class="open unopened" open><summary><span class="label">Layouts that fit, ranked <span class="quiet said" role="status"></span></span></summary><div class="region layouts" data-region="layouts"></div></details>`)
}

// peakLine is the peak in a sentence.
func peakLine(r *report.Report) string {
	x := fullest(r, false)
	if x == nil {
		return ""
	}
	var w markup.Writer
	unit := unitOf(r)
	low, _, high := timeline.Device(r, x)
	w.Raw(`<p class="fact">Peak <b>`).Text(units.Bytes(x.Peak).In(unit)).Raw(`</b>`)
	if s := timeline.Status(r); s != "exact" {
		w.Add(stamp(s))
	}
	return w.Raw(` `).Text(peakPlace(&x.At)).Raw(`; a device shows `).Text(units.Bytes(low).In(unit)).Raw(` to `).Text(units.Bytes(high).In(unit)).Raw(`</p>`).String()
}

// unfollowed says why no timeline follows a run.
func unfollowed(r *report.Report) string {
	if r.Training.Memory == nil {
		return ""
	}
	if _, err := timeline.Training(r, false); err != nil {
		return err.Error()
	}
	return ""
}

// ranks are the peaks along a pipeline.
func ranks(w *markup.Writer, x *step.Timeline) {
	if len(x.Ranks) == 0 {
		return
	}
	table(w, "The ranks of the pipeline", "Rank", "Passes held", "Where its peak is", "#Bytes")
	for i := range x.Ranks {
		k := &x.Ranks[i]
		row(w, k.Peak, units.Group(int64(i)), units.Group(k.Flight), peakPlace(&k.At))
	}
	w.Raw(endLedger)
}

// whyNotSum says what makes the peak another number than the sum of all parts.
func whyNotSum(r *report.Report, x *step.Timeline, unit string) string {
	m := r.Training.Memory
	in := func(n int64) string { return units.Bytes(n).In(unit) }
	s := "The sum of its parts is " + in(m.Bytes) + "."
	if m.Bytes >= x.Peak {
		s = "The sum of all that a step ever holds is " + in(m.Bytes) + ", and no moment holds all of it."
	}
	live := &x.At.Live
	gone := func(what string, part int64, held int64) {
		if d := part - held; d > part/50 && d > 0 {
			s += " Of " + in(part) + " of " + what + ", " + in(max(held, 0)) + " are there at the peak."
		}
	}
	gone("activations", m.Parts[train.Activations], live[step.Activations])
	gone("gradients", m.Parts[train.Gradients], live[step.Gradients])
	if n := live[step.Temporaries] - m.Parts[train.Working]; n > x.Peak/100 {
		s += " What lives for a moment only takes " + in(live[step.Temporaries]) + ", of which the sum has " + in(m.Parts[train.Working]) + "."
	}
	if n := live[step.Gathered] + live[step.Copies] - m.Parts[train.Gathered]; n > x.Peak/100 {
		s += " Copies of weights and the buffers of collectives take " + in(live[step.Gathered]+live[step.Copies]) + "."
	}
	if why := timeline.SumUnsure(r, x); why != "" {
		s += " That sum is an estimate: " + why + "."
	}
	return s
}
