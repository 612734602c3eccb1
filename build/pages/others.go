package pages

import (
	"errors"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"llmsize/build/assets"
)

// others reads content/pages: texts that aren't chapters.
func (b *Builder) others(out *Output, site *Site) ([]*Page, error) {
	files, err := filepath.Glob(filepath.Join(b.Root, "content", "pages", "*.md"))
	if err != nil {
		return nil, err
	}
	var list []*Page
	var problems []error
	for _, file := range files {
		name := filepath.Base(file)
		p := &Page{Site: site, Kind: "page", Path: "/" + strings.TrimSuffix(name, ".md") + "/", Query: "v=1"}
		if err := b.fill(out, p, "content/pages/"+name, false); err != nil {
			problems = append(problems, err)
			continue
		}
		list = append(list, p)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	order := func(p *Page) int { return b.texts[p.Source].doc.Front.Order }
	slices.SortStableFunc(list, func(a, b *Page) int { return order(a) - order(b) })
	for _, p := range list {
		site.Others = append(site.Others, Link{Path: p.Path, Title: p.Title, Description: p.Description})
	}
	return list, nil
}

// embed makes the page that frames on other sites show.
func (b *Builder) embed(site *Site) (*Page, error) {
	p := &Page{Site: site, Kind: "embed", Path: "/embed/", Title: "A model's parameters, counted", Description: "An answer of the calculator for a frame on another site.", Query: "v=1"}
	p.Prepare(b.prose, nil)
	html, err := b.Engine.Embed(p.Query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Path, err)
	}
	p.Calculator = template.HTML(html)
	return p, nil
}

// drawings puts the families' drawings on the site, each a picture with the colours of its own.
func (b *Builder) drawings(out *Output) error {
	style := "svg{background:var(--paper)}"
	for _, name := range []string{"palette.css", "drawing.css"} {
		text, err := os.ReadFile(filepath.Join(b.Root, "site", "styles", name))
		if err != nil {
			return err
		}
		style += string(text)
	}
	if open := strings.IndexAny(style, "<&"); open >= 0 {
		return fmt.Errorf("a stylesheet of drawings holds %q, which ends a picture's markup", style[open])
	}
	short, err := assets.MinifyStyle("site/styles/drawing.css", []byte(style))
	if err != nil {
		return err
	}
	all, err := b.Engine.Drawings(string(short))
	maps.Copy(out.Files, all)
	return err
}

// element is the script that other sites load, under a name that stays.
func (b *Builder) element() ([]byte, error) {
	file := filepath.Join("site", "root", "embed.js")
	text, err := os.ReadFile(filepath.Join(b.Root, file))
	if err != nil {
		return nil, err
	}
	return assets.MinifyScript(filepath.ToSlash(file), text)
}
