// Package view writes a report as HTML: what the page shows, at build and live.
//
// The answer is a list of regions ([Regions]), each a piece of HTML with an id.
// [Calculator] puts them into a whole with the question beside them; the page's
// script later replaces the inside of a region by the region's new HTML. Build
// and page call the same functions, so the first frame and the live frame are
// the same bytes.
//
// # Markup
//
// A region is an element with data-region="id". A figure that can be opened is
// a <details class="open"> whose summary is the figure. A number is
// <span class="n"> with its thousands in spans: the gap between them is the
// stylesheet's, a copy is plain digits. A dimension's letter is
// <var class="d-h">h</var>. What belongs to a role has the class r-ffn.
// There are no style attributes, no scripts and no ids that repeat.
//
// A derivation is a <p class="formula-line"> with .symbols, .values and .sum. The page sets what is there as
// a formula (site/scripts/typeset.js): "·" and "×" are products, " / " between spaces is a fraction, "^"
// an exponent, a letter by itself a variable, but a unit behind a number ("700 W"), all else words.
//
// All text that comes from a config or a link is escaped.
package view

import (
	"llmsize/core/report"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// Region is a piece of the answer. HTML writes it: a page that is edited asks for
// the pieces in sight first and for the others when it has time.
type Region struct {
	ID   string
	HTML func(r *report.Report) string
}

// Regions are the answer's pieces, in the order of the page.
func Regions() []Region {
	all := Live()
	return append([]Region{all[0], all[1], {"wide", wide}, {"narrow", narrow}, all[3]}, amounts()...)
}

// Live are those that an edit's first answer needs, as the page's smallest program writes them: in place of the drawings the
// plan that wasm/draw makes them of.
func Live() []Region {
	return []Region{{"keys", keys}, {"count", count}, {"plan", plan}, {"bar", bar}}
}

// amounts are the others: bytes, and the table of components.
func amounts() []Region {
	return []Region{{"bytes", bytes}, {"largest", largest}, {"parts", parts}}
}

// Name is what a report is about, in words: the catalogue's name, or what a
// pasted config says of itself.
func Name(r *report.Report) string {
	if r.Subject.Name != "" {
		return r.Subject.Name
	}
	return "a " + r.Model.Type + " config"
}

// Title is the page's title while the answer stands there.
func Title(r *report.Report) string {
	return Name(r) + ": " + r.Parameters.Total.Short() + " parameters"
}

// Spoken is the answer in a sentence, for those who hear the page.
func Spoken(r *report.Report) string {
	unit := unitOf(r)
	s := r.Parameters.Total.String() + " parameters, " + r.Counted() + ". Weights " + r.Weights.Bytes.In(unit)
	if r.Cache.Bytes > 0 {
		s += ", cache " + r.Cache.Bytes.In(unit)
	}
	return s + "."
}

// count is the answer's head: the exact number, how it reads, how sure it is.
func count(r *report.Report) string {
	var w markup.Writer
	w.Raw(`<p class="about"><b>`).Text(Name(r)).Raw(`</b> <span class="quiet">`).Text(r.Model.Class).Raw(`</span></p>`)
	w.Raw(`<p class="hero"><output class="exactly">`).Count(int64(r.Parameters.Total)).Raw(`</output> <span class="reading">`)
	w.Text(r.Parameters.Total.Short()).Raw(` parameters</span></p><p class="facts"><span class="status `).Text(r.Counted()).Raw(`">`).Text(r.Counted()).Raw(`</span>`)
	p := &r.Parameters
	if p.Active != p.Total {
		w.Raw(` <span class="fact">`).Count(int64(p.Active)).Raw(` active for each token (`).Text(p.Active.Short()).Raw(`)</span>`)
	}
	if p.Tied {
		w.Raw(` <span class="fact">the head is the embedding, counted once</span>`)
	}
	if p.Buffers > 0 {
		w.Raw(` <span class="fact">and `).Count(int64(p.Buffers)).Raw(` in buffers that a checkpoint stores</span>`)
	}
	w.Raw(`</p>`)
	if len(r.Warnings) > 0 {
		w.Raw(`<ul class="warnings">`)
		for _, x := range r.Warnings {
			w.Raw("<li>")
			if x.Field != "" {
				w.Raw("<code>").Text(x.Field).Raw("</code> ")
			}
			w.Text(x.Text).Raw(".</li>")
		}
		w.Raw(`</ul>`)
	}
	return w.String()
}

// bar is the breakdown by role, and what its colours mean.
func bar(r *report.Report) string {
	var w markup.Writer
	w.Add(markup.Markup(chart.Bar(&r.Parameters.ByRole)))
	if r.Weights.Bits > 0 {
		w.Raw(`<data hidden data-bits value="`).Int(r.Weights.Bits).Raw(`"></data>`)
	}
	w.Raw(`<ul class="legend">`)
	for role, n := range r.Parameters.ByRole {
		if n == 0 {
			continue
		}
		w.Raw("<li>")
		swatch(&w, role)
		w.Text(chart.RoleName(roleAt(role))).Raw(` <b>`).Text(chart.Share(int64(n), int64(r.Parameters.Total))).Raw(`</b> <span class="quiet">`).Text(n.Short()).Raw("</span></li>")
	}
	return w.Raw("</ul>").String()
}
