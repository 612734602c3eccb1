package view

import (
	"llmsize/core/model"
	"llmsize/core/report"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// plan is what the drawings are made of (chart.Draw): in the page by a program of its own, once the figures stand there.
func plan(r *report.Report) string {
	sp := speaker{r.Model}
	return chart.Plan(r.Model, func(d model.Dim) string {
		var w markup.Writer
		if !sp.lettered(&w, d) {
			return ""
		}
		return markup.Plain(w.String())
	})
}

// The model to scale for a wide and a narrow column; the stylesheet shows the one that fits, and the page's script need
// not hurry with the other.
func wide(r *report.Report) string   { return chart.Draw(plan(r), chart.Wide, "wide") }
func narrow(r *report.Report) string { return chart.Draw(plan(r), chart.Narrow, "narrow") }

// Kinds are the figures that a chapter can show.
var Kinds = []string{"calculator", "drawing", "bar", "table", "kv", "timeline", "roofline", "step", "prefill", "size"}

// Widths of the sheets on which charts are drawn for a page, wide and narrow.
const wideChart, narrowChart = 600, 328

// Figure draws one figure of a report. ok is false when there is no such kind, or
// nothing for it to show.
func Figure(kind string, r *report.Report, o Options) (html string, ok bool) {
	switch kind {
	case "calculator":
		o.Whole = false
		return Calculator(r, o), true
	case "drawing":
		return `<div class="region drawing">` + wide(r) + narrow(r) + `</div>`, true
	case "bar":
		return `<div class="region bar">` + bar(r) + `</div>`, true
	case "table":
		return `<div class="region parts">` + parts(r) + `</div>`, true
	}
	return Chart(kind, r, wideChart, narrowChart)
}
