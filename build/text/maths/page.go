package maths

import (
	"maps"
	"slices"
	"strings"
)

// Page collects the glyphs of one page's formulas. The zero value is ready.
type Page struct {
	glyphs map[string]string
}

// Add notes the glyphs of a formula and returns its HTML.
func (p *Page) Add(f Formula) string {
	if p.glyphs == nil {
		p.glyphs = map[string]string{}
	}
	maps.Copy(p.glyphs, f.Glyphs)
	return f.HTML
}

// Clone is a page of its own that starts with the same glyphs.
func (p *Page) Clone() *Page { return &Page{glyphs: maps.Clone(p.glyphs)} }

// Sprite is the hidden drawing that holds each glyph once; it stands anywhere in the
// page's body. It is empty when the page has no formula.
func (p *Page) Sprite() string {
	if len(p.glyphs) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<svg class="glyphs" aria-hidden="true" focusable="false"><defs>`)
	for _, id := range slices.Sorted(maps.Keys(p.glyphs)) {
		b.WriteString(`<path id="` + id + `" d="` + p.glyphs[id] + `"/>`)
	}
	b.WriteString("</defs></svg>")
	return b.String()
}
