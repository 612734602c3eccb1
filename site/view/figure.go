package view

import (
	"llmsize/core/arch"
	"llmsize/core/report"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// drawing is the model to scale, once for wide and once for narrow columns; the
// stylesheet shows the one that fits.
func drawing(r *report.Report) string {
	sp := newSpeaker(r.Model)
	letters := func(d arch.Dim) string {
		var w markup.Writer
		if !sp.lettered(&w, d) {
			return ""
		}
		return markup.Plain(w.String())
	}
	return chart.Drawing(r.Model, 880, "wide", letters) + chart.Drawing(r.Model, 360, "narrow", letters)
}

// Kinds are the figures that a chapter can show.
var Kinds = []string{"calculator", "drawing", "bar", "table"}

// Figure draws one figure of a report. ok is false when there is no such kind.
func Figure(kind string, r *report.Report, o Options) (html string, ok bool) {
	switch kind {
	case "calculator":
		o.Choices = nil
		return Calculator(r, o), true
	case "drawing":
		return `<div class="region drawing">` + drawing(r) + `</div>`, true
	case "bar":
		return `<div class="region bar">` + bar(r) + `</div>`, true
	case "table":
		return `<div class="region parts">` + parts(r) + `</div>`, true
	}
	return "", false
}
