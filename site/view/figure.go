package view

import (
	"llmsize/core/model"
	"llmsize/core/report"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// drawing is the model to scale for a wide or a narrow column; the stylesheet
// shows the one that fits, and the page's script need not hurry with the other.
func drawing(r *report.Report, width int64, class string) string {
	sp := speaker{r.Model}
	return chart.Drawing(r.Model, width, class, func(d model.Dim) string {
		var w markup.Writer
		if !sp.lettered(&w, d) {
			return ""
		}
		return markup.Plain(w.String())
	})
}

func wide(r *report.Report) string   { return drawing(r, 880, "wide") }
func narrow(r *report.Report) string { return drawing(r, 300, "narrow") }

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
