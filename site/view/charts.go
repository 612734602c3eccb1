package view

import (
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// graph is a chart with all that stands beside it: what its letters mean, what
// it assumes, and the numbers behind it as a table.
type graph struct {
	svg  func(width int64) string
	keys []string // of its lines or bands, in the order of their letters
	fill bool     // they are bands
	// classes are the bands' colours, where they mean something
	classes []string
	note    string
	head    []string
	rows    [][]string
	more    func(w *markup.Writer) // what follows from it; nil for nothing
	// Each row is a moment of the picture, over which a reader can go; at is the one to begin with.
	moments bool
	at      int
}

// chartKind is a chart, and how it is made of a report. A report without
// what a chart is about (no cache, no device) has none.
type chartKind struct {
	kind string
	make func(r *report.Report) *graph
	none string                        // why there may be none
	why  func(r *report.Report) string // the same of a report, where that says more; nil otherwise
}

var chartKinds = []chartKind{
	{"flow", flowChart, "It has no parts.", nil},
	{"kv", kvChart, "Nothing is kept from one token to the next.", nil},
	{"timeline", servingChart, "Its memory is not known.", nil},
	{"step", stepChart, "This run has no timeline.", unfollowed},
	{"prefill", prefillChart, "This way of reading a prompt has no timeline.", unread},
	{"roofline", rooflineChart, "What the device computes in a second is not known.", nil},
	{"size", sizeChart, "It has no layers.", nil},
	{"scaling", scalingChart, "It has no parameters that are active.", nil},
}

// OnUse are the charts, the ranked layouts and the peak of a training step as regions, for hosts that count with report.Answer. A page has them written
// in a worker when somebody opens one: the programs that answer its edits do not hold them.
func OnUse() []Region {
	out := []Region{{"layouts", Layouts}, {"peak", Peak}}
	for i := range chartKinds {
		k := &chartKinds[i]
		out = append(out, Region{k.kind, func(r *report.Report) string {
			if g := k.make(r); g != nil {
				return g.html([]int64{wideChart, narrowChart})
			}
			if k.why != nil {
				if why := k.why(r); why != "" {
					var w markup.Writer
					return w.Raw(`<p class="quiet">`).Text(why).Raw(`.</p>`).String()
				}
			}
			return `<p class="quiet">There is nothing to draw. ` + k.none + `</p>`
		}})
	}
	return out
}

// Chart draws a chart of a report on sheets of several widths in pixels, of which
// the stylesheet shows one. ok is false when there is no such kind, or nothing to
// draw; a report of [report.Sizes] has no charts but of the cache and of sizes.
func Chart(kind string, r *report.Report, widths ...int64) (html string, ok bool) {
	for i := range chartKinds {
		if chartKinds[i].kind != kind {
			continue
		}
		g := chartKinds[i].make(r)
		if g == nil {
			return "", false
		}
		g.more = nil // what follows from it belongs to an answer
		return g.html(widths), true
	}
	return "", false
}

// mostRowsOfChart are listed below a chart; known models have some sixty.
const mostRowsOfChart = 300

func (g *graph) html(widths []int64) string {
	var w markup.Writer
	w.Raw(`<div class="graph`)
	if g.moments {
		w.Raw(` moments`)
	}
	w.Raw(`">`)
	for i, width := range widths {
		if len(widths) > 1 {
			w.Raw(`<div class="`).Text([...]string{"wide", "narrow"}[i]).Raw(`">`).Add(markup.Markup(g.svg(width))).Raw(`</div>`)
		} else {
			w.Add(markup.Markup(g.svg(width)))
		}
	}
	if g.moments { // a script puts a slider here, and what lives at the moment that it is at
		w.Raw(`<p class="moment" data-at="`).Int(int64(g.at)).Raw(`"></p>`)
	}
	w.Raw(`<ul class="key">`)
	for i, name := range g.keys {
		w.Raw(`<li><svg class="sample" viewBox="0 0 28 14" width="28" height="14" aria-hidden="true"><path class="`)
		if g.fill {
			w.Raw("fill f-").Text(chart.Letter(i))
			if i < len(g.classes) {
				w.Raw(" ").Text(g.classes[i])
			}
			w.Raw(`" d="M1 1h26v12h-26z"/></svg> <b>`)
		} else {
			w.Raw("line l-").Text(chart.Letter(i)).Raw(`" d="M0 7h28"/></svg> <b>`)
		}
		w.Text(chart.Letter(i)).Raw("</b> ").Text(name).Raw("</li>")
	}
	w.Raw(`</ul>`)
	if g.note != "" {
		w.Raw(`<p class="source">`).Text(g.note).Raw(`</p>`)
	}
	w.Raw(`<details class="numbers"><summary>The numbers</summary><div class="scroll" tabindex="0" role="group" aria-label="The numbers of the chart"><table class="ledger"><thead><tr>`)
	for i, s := range g.head {
		if w.Raw(`<th scope="col"`); i > 0 {
			w.Raw(` class="num"`)
		}
		w.Raw(`>`).Text(s).Raw("</th>")
	}
	w.Raw(`</tr></thead><tbody>`)
	more := max(0, len(g.rows)-mostRowsOfChart)
	for _, row := range g.rows[:len(g.rows)-more] {
		w.Raw(`<tr>`)
		for i, s := range row {
			if i == 0 {
				w.Raw(`<th scope="row">`).Text(s).Raw("</th>")
			} else {
				w.Raw(`<td class="num">`).Text(s).Raw("</td>")
			}
		}
		w.Raw(`</tr>`)
	}
	if more > 0 {
		w.Raw(`<tr><td>and `).Text(plural(int64(more), "row")).Raw(` more</td></tr>`)
	}
	w.Raw(`</tbody></table></div></details>`)
	if g.more != nil {
		g.more(&w)
	}
	return w.Raw(`</div>`).String()
}

// multiple is a ratio in words: "4.00 times".
func multiple(n, of int64) string {
	if of == 0 {
		return "–"
	}
	return units.Fixed(n, of, 2) + " times"
}

// byteTicks are ticks for bytes between two values: powers of ten, or of two.
func byteTicks(from, to int64, unit string) []chart.Tick {
	base := int64(10)
	if unit == "gib" {
		base = 2
	}
	return chart.ByteTicks(chart.Powers(from, to, base, 6), unit)
}

// byteSteps are ticks for bytes from 0 to a value.
func byteSteps(to int64, unit string) []chart.Tick {
	if unit != "gib" {
		return chart.ByteTicks(chart.Steps(to, 10, 6), unit)
	}
	step := int64(1)
	for to/step > 6 {
		step *= 2
	}
	var at []int64
	for n := int64(0); n <= to; n += step {
		at = append(at, n)
	}
	return chart.ByteTicks(at, unit)
}

// places are the places of the charts behind a part of the answer, of the ranked layouts and of predicted speeds: there from the start, so
// that nothing moves when the script comes that fills them (site/scripts/charts.js).
func places(w *markup.Writer, place string) {
	if place == "running" {
		w.Raw(`<details class="open unopened"><summary><span class="label">How fast it will really be <span class="quiet said" role="status"></span></span></summary><div class="region speed" data-region="speed" hidden></div></details>`)
	}
	for _, x := range beside {
		if x.place == place {
			w.Raw(`<details class="chart unopened" data-name="`).Text(x.kind).Raw(`"><summary>`).Text(x.words).Raw(` <span class="quiet said" role="status"></span></summary><div class="region `).Text(x.kind).Raw(`" data-region="`).Text(x.kind).Raw(`" hidden></div></details>`)
		}
	}
}
