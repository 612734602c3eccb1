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
	switch {
	case x.Accelerators > 1:
		w.Raw(`Each GPU holds at most <b>`)
	case r.Sides() != nil:
		w.Raw(`Device and host hold <b>`)
	default:
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

// outset is how long a training run takes.
func outset(r *report.Report) string {
	var w markup.Writer
	x, d := &r.Compute.Train.Time, r.Subject.Device
	if d == nil || r.Training.Memory == nil || x.Peak <= 0 {
		return ""
	}
	return w.Raw(`<p class="lead"><b>`).Text(longTime(float64(x.Seconds))).Raw(`</b> for `).Text(units.Params(r.Compute.Train.Tokens).Short()).Raw(` tokens on `).Text(units.Group(x.Devices)).Raw(` × `).Text(d.Name).Raw(` at `).Text(share(x.Share)).Raw(` of its peak.</p>`).String()
}

// applyLayout offers a layout of the ranking: its keys take the place of the query's.
func applyLayout(w *markup.Writer, r *report.Report, p *train.Placed) {
	n := p.Layout.Devices()
	if d := r.Subject.Device; d != nil && d.Count > 1 {
		n = (n + d.Count - 1) / d.Count
	}
	l := &p.Layout
	apply(w, r, "", "devices", units.Itoa(n), "tp", units.Itoa(l.TP), "pp", units.Itoa(l.PP), "ep", units.Itoa(l.EP), "dp", units.Itoa(l.DP), "cp", units.Itoa(l.CP), "vp", units.Itoa(l.VP),
		"zero", units.Itoa(l.Zero), "recompute", p.Recompute, "micro-batch", units.Itoa(p.Micro))
}
