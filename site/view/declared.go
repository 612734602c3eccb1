package view

import (
	figures "llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/report"
	"llmsize/site/markup"
)

// declared shows the figures that a lens declares, each with its formula and those of its terms.
func declared(w *markup.Writer, r *report.Report, lens string) {
	unit := unitOf(r)
	for i := range figures.Live {
		f := &figures.Live[i]
		v := 0.0
		if f.Lens == lens {
			v = r.Of(f.ID)
		}
		if !(v > 0) {
			continue
		}
		about := f.About
		if f.Status != "" {
			about += ", " + f.Status
		}
		figure(w, f.Label, about, f.Unit.Brief(v, unit), func() {
			derived(w, r, f.ID, f, unit)
			if f.Note != "" {
				w.Raw(`<p>`).Text(f.Note).Raw(`</p>`)
			}
			bound(w, r, f.ID)
			if f.Source != "" {
				w.Raw(`<p class="source">`).Text(capital(f.Source)).Raw(`.`)
				if lens == "running" {
					w.Raw(` <a href="/accuracy/">Measured runs</a>`)
				}
				w.Raw(`</p>`)
			}
		})
	}
}

// taken reports whether a lens can take a figure apart: whether it knows all that the formula names, and what is added up isn't a list.
func taken(r *report.Report, path string, f *figures.Figure) bool {
	e, _ := formula.Parse(f.Formula)
	any, all := false, true
	e.Names(func(name string) {
		at := r.PathOf(path, name)
		any, all = any || r.Of(at) > 0, all && (figures.Shown(at) != nil || figures.Shown(figures.Beside(path, name)) != nil)
	})
	return any && all
}

// derived writes the formulas under a figure, then its own: with names, with values, and what comes out. A figure that
// the lens shows by itself is not taken apart again.
func derived(w *markup.Writer, r *report.Report, path string, f *figures.Figure, unit string) {
	e, _ := formula.Parse(f.Formula)
	e.Names(func(name string) {
		at := r.PathOf(path, name)
		if g := figures.Shown(at); g != nil && g.Formula != "" && g.Lens == "" && r.Of(at) > 0 && taken(r, at, g) {
			derived(w, r, at, g, unit)
		}
	})
	// One of something says nothing in a product, and what is absent nothing in a list.
	with := func(text func(g *figures.Figure, v float64) string) string {
		return e.Format(formula.People, func(name string) string {
			at := r.PathOf(path, name)
			g, v := figures.Shown(at), r.Of(at)
			if g == nil || !(v > 0) || v == 1 && g.Unit == figures.Count {
				return ""
			}
			return text(g, v)
		})
	}
	w.Raw(`<p class="formula-line"><span class="symbols">`)
	if f.Lens == "" {
		w.Text(f.Label).Raw(`: `)
	}
	w.Text(with(func(g *figures.Figure, _ float64) string { return g.Label })).Raw(`</span> <span class="values">= `)
	w.Text(with(func(g *figures.Figure, v float64) string {
		s := g.Unit.Brief(v, unit)
		if g.Unit == figures.Rate || g.Unit == figures.FLOPRate {
			s = "(" + s + ")" // its own stroke is none of the formula's
		}
		return s
	})).Raw(`</span> <span class="sum">= <b>`)
	w.Text(f.Unit.Brief(r.Of(path), unit)).Raw(`</b></span></p>`)
}
