package pages

import (
	"fmt"
	"html/template"
)

// fullPath is where the home page's answer stands without script.
const fullPath = "/answer/"

// full makes the page that holds the home page's answer with its charts, layouts and rules: what a script shows there on
// use, for readers without one.
func (b *Builder) full(home *Page) (*Page, error) {
	p := &Page{
		Site: home.Site, Kind: "full", Path: fullPath, Title: "The whole answer", Query: home.Query,
		Description: "The calculator's first answer on one page, complete without script: every figure with its formula, the charts with their numbers, the layouts that fit, and what rules of thumb say.",
	}
	p.Prepare(b.prose, nil)
	html, err := b.Engine.Full(p.Query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Path, err)
	}
	p.Calculator = template.HTML(html)
	return p, nil
}
