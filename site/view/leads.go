package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// largest is the tensors' tab in a sentence: where most parameters are.
func largest(r *report.Report) string {
	most := 0
	for role, n := range r.Parameters.ByRole {
		if n > r.Parameters.ByRole[most] {
			most = role
		}
	}
	n, all := r.Parameters.ByRole[most], r.Parameters.Total
	var w markup.Writer
	return w.Raw(`<p class="lead">Most parameters are in `).Add(markup.Text(chart.RoleName(roleAt(most)))).Raw(`: <b>`).Text(n.Short()).Raw(`</b> of `).Text(all.Short()).Raw(`, <b>`).Text(chart.Share(int64(n), int64(all))).Raw(`</b>.</p>`).String()
}

// opening is how to run it in a sentence, and what a device reads for a step, to scale.
func opening(r *report.Report) string {
	var w markup.Writer
	x, unit := &r.Running, unitOf(r)
	s := &x.Speed
	if x.Device == nil || s.Decode.Seconds <= 0 {
		return ""
	}
	w.Raw(`<p class="lead">`)
	if x.Accelerators > 1 {
		w.Raw(`Each GPU holds at most <b>`)
	} else {
		w.Raw(`The device holds <b>`)
	}
	w.Text(units.Bytes(x.Fullest.Total.Bytes).In(unit)).Raw(`</b>. A prompt of `).Text(plural(r.Query.Int(query.Prompt), "token")).Raw(` takes at best <b>`).Text(units.Seconds(s.Prefill.Seconds).Short()).Raw(`</b>, each further token <b>`).Text(units.Seconds(s.Decode.Seconds).Short()).Raw(`</b>.</p>`)
	if s.Decode.Weights+s.Decode.Cache > 1<<61 {
		return w.String()
	}
	weights, cache := int64(s.Decode.Weights), int64(s.Decode.Cache)
	bar := chart.Memory{Device: "A step reads " + units.Bytes(weights+cache).In(unit), Unit: unit, Room: weights + cache}
	bar.Frames = []chart.Frame{{Held: []chart.Held{{Class: "m-weights", Name: "weights", Bytes: weights}, {Class: "m-cache", Name: "KV cache", Bytes: cache}}}}
	bar.Label = bar.Device + ": weights " + units.Bytes(weights).In(unit) + ", KV cache " + units.Bytes(cache).In(unit) + "."
	return w.Raw(`<div class="fit">`).Add(markup.Markup(bar.SVG(1000, "wide"))).Add(markup.Markup(bar.SVG(360, "narrow"))).Raw(`</div>`).String()
}

// computeLead is the tab's answer in a sentence.
func computeLead(w *markup.Writer, r *report.Report) {
	c := &r.Compute
	w.Raw(`<p class="lead">`)
	if c.Decode.FLOPs > 0 {
		w.Raw(`A new token takes <b>`).Text(c.Decode.FLOPs.Short()).Raw(`</b>, a`)
	} else {
		w.Raw(`A`)
	}
	w.Raw(` prompt of `).Text(plural(r.Query.Int(query.Prompt), "token")).Raw(` <b>`).Text(c.Prefill.FLOPs.Short()).Raw(`</b>, training on `).Text(units.Params(c.Train.Tokens).Short()).Raw(` tokens <b>`).Text(c.Train.FLOPs.Short()).Raw(`</b>.</p>`)
}

// outset is how long a training run takes, what a device holds meanwhile, drawn to scale, and, where that is too much, the
// smallest change that fits.
func outset(r *report.Report) string {
	var w markup.Writer
	t, unit, d := &r.Training, unitOf(r), r.Subject.Device
	m := t.Memory
	if d == nil || m == nil {
		return ""
	}
	n := max(t.Devices, 1)
	w.Raw(`<p class="lead">`)
	if x := &r.Compute.Train.Time; x.Peak > 0 {
		w.Raw(`<b>`).Text(longTime(float64(x.Seconds))).Raw(`</b> for `).Text(units.Params(r.Compute.Train.Tokens).Short()).Raw(` tokens on `).Text(units.Group(x.Devices)).Raw(` × `).Text(d.Name).Raw(` at `).Text(share(x.Share)).Raw(` of its peak. `)
	}
	room := d.Memory
	if m.Bytes <= room {
		w.Raw(`<b class="yes">Fits</b>, with <b>`).Text(units.Bytes(room - m.Bytes).In(unit)).Raw(`</b> to spare`)
	} else {
		w.Raw(`<b class="no">Needs `).Text(units.Bytes(m.Bytes - room).In(unit)).Raw(` more</b>`)
	}
	if n > 1 {
		w.Raw(` per GPU`)
	}
	w.Raw(`.`)
	if r.SumUnsure() != "" {
		w.Add(stamp("estimate"))
	}
	if m.Bytes > room {
		trainingFixes(&w, r)
	}
	w.Raw(`</p>`)
	bar := chart.Memory{Device: d.Name + " · " + units.Bytes(room).In(unit), Unit: unit, Room: room}
	f := chart.Frame{Low: m.Bytes, High: m.Bytes}
	bar.Label = "Training memory of " + bar.Device + ": "
	sep := ""
	for p := train.Part(0); p < train.NumParts; p++ {
		if b := m.Parts[p]; b > 0 {
			f.Held = append(f.Held, chart.Held{Class: trainingClasses[p], Name: p.String(), Bytes: b, Estimate: p == train.Working})
			bar.Label += sep + p.String() + " " + units.Bytes(b).In(unit)
			sep = ", "
		}
	}
	bar.Label += "."
	bar.Frames = append(bar.Frames, f)
	return w.Raw(`<div class="fit">`).Add(markup.Markup(bar.SVG(1000, "wide"))).Add(markup.Markup(bar.SVG(360, "narrow"))).Raw(`</div>`).String()
}

// trainingClasses give what training holds the three colours of memory, and tints of them.
var trainingClasses = [train.NumParts]string{train.Weights: "m-weights", train.Gathered: "m-weights tint", train.Gradients: "m-cache tint", train.States: "m-cache", train.Activations: "m-working", train.Working: "m-working"}

// trainingFixes offers the smallest changes that fit, each by itself.
func trainingFixes(w *markup.Writer, r *report.Report) {
	x := r.Inverse()
	if x == nil {
		return
	}
	w.Raw(` <span class="fixes">`)
	sep := ""
	offer := func(words, key, value string) {
		w.Text(sep)
		apply(w, r, words, key, value)
		sep = " "
	}
	if x.Zero.OK && x.Zero.N > r.Query.Int(query.Zero) {
		offer("ZeRO stage "+units.Itoa(x.Zero.N)+" fits", "zero", units.Itoa(x.Zero.N))
	}
	if x.Recompute.OK && train.Recomputes[x.Recompute.N] != r.Query.Get(query.Recompute) {
		offer("recomputation “"+train.Recomputes[x.Recompute.N]+"” fits", "recompute", train.Recomputes[x.Recompute.N])
	}
	if n := x.Micro.N; n > 0 && n < r.Query.Int(query.MicroBatch) {
		offer("micro-batches of "+units.Group(n)+" fit", "micro-batch", units.Itoa(n))
	}
	if n := x.Seq.N; n > 0 && n < r.Query.Int(query.Seq) {
		offer("sequences of "+plural(n, "token")+" fit", "seq", units.Itoa(n))
	}
	if sep == "" && r.Query.Int(query.LoRARank) == 0 {
		offer("None of these alone: more devices, or LoRA instead of all parameters.", "lora-rank", "16")
	}
	w.Raw(`</span>`)
}

// applyLayout offers a layout of the ranking: its keys take the place of the query's.
func applyLayout(w *markup.Writer, r *report.Report, p *train.Placed) {
	n := r.Training.Ranked
	if d := r.Subject.Device; d != nil && d.Count > 1 {
		n = (n + d.Count - 1) / d.Count
	}
	l := &p.Layout
	apply(w, r, "", "devices", units.Itoa(n), "tp", units.Itoa(l.TP), "pp", units.Itoa(l.PP), "ep", units.Itoa(l.EP), "dp", units.Itoa(l.DP), "cp", units.Itoa(l.CP), "vp", units.Itoa(l.VP),
		"zero", units.Itoa(l.Zero), "recompute", p.Recompute, "micro-batch", units.Itoa(p.Micro))
}
