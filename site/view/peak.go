package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/step"
	"llmsize/core/timeline"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// Peak is whether a run fits, decided by the fullest moment of a step; what that consists of, what a device shows meanwhile, and why
// the sum of all parts is another number. It is counted when somebody looks, by the program that lays steps out.
func Peak(r *report.Report) string {
	var w markup.Writer
	if r.Training.Memory == nil {
		return ""
	}
	need := timeline.Needs(r)
	judgedTraining(&w, r, &need, timeline.Changes)
	if need.Step == nil {
		w.Raw(`<p class="fact">The peak of a step is not known: `).Text(need.Why.Error()).Raw(`.</p>`)
		return w.String()
	}
	x := fullerThan(r, need.Step, false)
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
	peakFits(&w, r)
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

// leading are the places of the verdict and of the best layouts, before the sum of the parts: the verdict as the page is built, and the
// rest by a worker when a reader sees it.
func leading(w *markup.Writer, r *report.Report) {
	w.Raw(`<details class="peak" data-name="peak" open><summary>Memory of a step <span class="quiet said" role="status"></span></summary><div class="region peak" data-region="peak">`).Add(markup.Markup(peakLine(r))).Raw(`</div></details><details class="open unopened" open><summary><span class="label">Layouts that fit, ranked <span class="quiet said" role="status"></span></span></summary><div class="region layouts" data-region="layouts"></div></details>`)
}

// peakLine is the verdict without what would change it.
func peakLine(r *report.Report) string {
	if r.Training.Memory == nil {
		return ""
	}
	var w markup.Writer
	need := timeline.Needs(r)
	judgedTraining(&w, r, &need, nil)
	return w.String()
}

// judgedTraining is whether a run fits, in a sentence, what does so otherwise, and the fullest moment drawn to scale: of a run that no timeline
// follows the parts of the sum, which is said to be an estimate.
func judgedTraining(w *markup.Writer, r *report.Report, need *timeline.Need, changes func(*report.Report, int64) []timeline.Change) {
	d, unit := r.Subject.Device, unitOf(r)
	if d == nil || d.Memory <= 0 {
		return
	}
	in := func(n int64) string { return units.Bytes(n).In(unit) }
	fits, each, x := need.Bytes <= d.Memory, "", fullerThan(r, need.Step, false)
	if r.Training.Devices > 1 {
		each = " per GPU"
	}
	w.Raw(`<p class="lead">`)
	if fits {
		w.Raw(`<b class="yes">Fits</b>, with <b>`).Text(in(d.Memory - need.Bytes)).Raw(`</b> to spare`).Text(each)
	} else {
		w.Raw(`<b class="no">Needs `).Text(in(need.Bytes - d.Memory)).Raw(` more</b>`).Text(each)
	}
	bar := chart.Memory{Device: d.Name, Capacity: in(d.Memory), Unit: unit, Room: d.Memory}
	f := chart.Frame{Low: need.Bytes, High: need.Bytes}
	if x == nil {
		w.Raw(`, by the sum of its parts.`).Add(stamp("estimate"))
		for p, n := range r.Training.Memory.Parts {
			f.Held = append(f.Held, chart.Held{Class: trainingClasses[p], Name: train.Part(p).String(), Bytes: n, Estimate: train.Part(p) == train.Working})
		}
	} else {
		low, likely, high := timeline.Device(r, x)
		w.Raw(`. A step peaks at <b>`).Text(in(x.Peak)).Raw(`</b>`)
		if s := timeline.Status(r); s != "exact" {
			w.Add(stamp(s))
		}
		w.Raw(` `).Text(peakPlace(&x.At)).Raw(`; a device shows `).Text(in(low)).Raw(` to `).Text(in(high)).Raw(`, likely `).Text(in(likely)).Raw(`.`)
		f.Low, f.High = low, high
		for i := range stepBands {
			b := &stepBands[i]
			f.Held = append(f.Held, chart.Held{Class: b.class, Name: b.short, Bytes: b.held(&x.At.Live)})
		}
		f.Held = append(f.Held, chart.Held{Class: "m-working", Name: "runtime", Bytes: likely - x.Peak, Estimate: true})
	}
	if changes != nil && !fits && x != nil {
		w.Raw(` <span class="fixes">`)
		left := 3
		for _, c := range changes(r, d.Memory) {
			if c.Fits && left > 0 {
				left--
				apply(w, r, c.Set()+" fits", c.Pairs()...)
				w.Raw(` `)
			}
		}
		if left == 3 {
			w.Raw(`None of the changes tried makes it fit these devices: see the layouts over more.`)
		}
		w.Raw(`</span>`)
	}
	w.Raw(`</p>`)
	bar.Label = "Training memory of " + bar.Name() + ": "
	sep := ""
	shown := f.Held[:0]
	for _, h := range f.Held {
		if h.Bytes > 0 {
			bar.Label += sep + h.Name + " " + in(h.Bytes)
			sep = ", "
			shown = append(shown, h)
		}
	}
	f.Held = shown
	bar.Label += "."
	bar.Frames = append(bar.Frames, f)
	w.Raw(`<div class="fit">`).Add(markup.Markup(bar.SVG(1000, "wide"))).Add(markup.Markup(bar.SVG(360, "narrow"))).Raw(`</div>`)
}

// trainingClasses give what training holds the three colours of memory, and tints of them.
var trainingClasses = [train.NumParts]string{train.Weights: "m-weights", train.Gathered: "m-weights tint", train.Gradients: "m-cache tint", train.States: "m-cache", train.Activations: "m-working tint", train.Working: "m-working"}

// peakFits is whether a run fits by its peak, and what is the most that does.
func peakFits(w *markup.Writer, r *report.Report) {
	d := r.Subject.Device
	if d == nil || d.Memory <= 0 {
		return
	}
	x, ok := timeline.Solve(r, d.Memory)
	if !ok {
		return
	}
	verdict := "no"
	if x.Fits {
		verdict = "yes"
	}
	figure(w, "Fits by its peak", d.Name, verdict, func() { mostThatFits(w, r, &x) })
}

// mostThatFits lists what is the most that fits, each choice a link.
func mostThatFits(w *markup.Writer, r *report.Report, x *timeline.Inverse) {
	table(w, "What fits "+r.Subject.Device.Name+" by the peak, everything else unchanged", "Largest", "#Fits", "One more peaks in")
	row := func(p query.Param, words string, m timeline.Most) {
		w.Raw(`<tr><th scope="row">`).Text(words).Raw(`</th><td class="num">`)
		switch {
		case m.Any:
			w.Raw("any")
		case m.N == 0:
			w.Raw("none")
		default:
			q := r.Query
			if q.Put(p, units.Itoa(m.N)) == nil {
				w.Raw(`<a`).Attr("href", "/?"+q.String()).Raw(`>`).Count(m.N).Raw(`</a>`)
			}
		}
		w.Raw(`</td><td>`).Text(m.Then).Raw(`</td></tr>`)
	}
	row(query.MicroBatch, "micro-batch", x.Micro)
	row(query.Seq, "sequence", x.Seq)
	row(query.LoRARank, "rank of adapters", x.Rank)
	one := func(p query.Param, words, value string) {
		w.Raw(`<tr><th scope="row">`).Text(words).Raw(`</th><td class="num">`)
		q := r.Query
		if value == "" || q.Put(p, value) != nil {
			w.Raw("nothing fits")
		} else {
			w.Raw(`<a`).Attr("href", "/?"+q.String()).Raw(`>`).Text(value).Raw(`</a>`)
		}
		w.Raw(`</td><td></td></tr>`)
	}
	zero := ""
	if x.ZeroOK {
		zero = units.Itoa(x.Zero)
	}
	one(query.Zero, "least ZeRO stage", zero)
	one(query.Recompute, "least recomputation", x.Recompute)
	w.Raw(endLedger, `<p class="source">With the likely share of the runtime on top of the peak.</p>`)
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
