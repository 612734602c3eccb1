package view

import (
	figures "llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/report"
	"llmsize/site/markup"
)

// declared shows the figures that a lens declares, each with its formula and those of its terms.
func declared(w *markup.Writer, r *report.Report, lens string) {
	n, unit := r.OfRunning(), unitOf(r)
	for i := range figures.Running {
		f := &figures.Running[i]
		v := n.Value(f.ID)
		if f.Lens != lens || !v.OK() {
			continue
		}
		about := f.About
		if f.Status != "" {
			about += ", " + f.Status
		}
		figure(w, f.Label, about, f.Unit.Short(v, unit), func() {
			derived(w, n, f.ID, f, unit)
			if f.Note != "" {
				w.Raw(`<p>`).Text(f.Note).Raw(`</p>`)
			}
			bound(w, r, n, f.ID)
			if f.Source != "" {
				w.Raw(`<p class="source">`).Text(capital(f.Source)).Raw(`. <a href="/accuracy/">Measured runs</a></p>`)
			}
		})
	}
}

// derived writes the formulas under a figure, then its own: with names, with values, and what comes out. A figure that
// the lens shows by itself is not taken apart again.
func derived(w *markup.Writer, n *report.Numbers, path string, f *figures.Figure, unit string) {
	e, _ := formula.Parse(f.Formula)
	e = e.Slim(n.At(path))
	e.Names(func(name string) {
		at := n.Path(path, name)
		if g := figures.Shown(at); g != nil && g.Formula != "" && g.Lens == "" && n.Value(at).OK() {
			derived(w, n, at, g, unit)
		}
	})
	w.Raw(`<p class="formula-line"><span class="symbols">`)
	if f.Lens == "" {
		w.Text(f.Label).Raw(`: `)
	}
	w.Text(e.Format(formula.People, func(name string) string {
		if g := figures.Shown(n.Path(path, name)); g != nil {
			return g.Label
		}
		return name
	})).Raw(`</span> <span class="values">= `).Text(e.Format(formula.People, func(name string) string {
		at := n.Path(path, name)
		if g := figures.Shown(at); g != nil {
			return g.Unit.Short(n.Value(at), unit)
		}
		return figures.Count.Short(n.Value(at), unit)
	})).Raw(`</span> <span class="sum">= <b>`).Text(f.Unit.Short(n.Value(path), unit)).Raw(`</b></span></p>`)
}
