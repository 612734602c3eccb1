package pages

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"llmsize/core/units"
)

// compose makes the pages, without their templates.
func (b *Builder) compose(out *Output, look Icons) error {
	site := &Site{Name: b.Name, Description: b.Description, URL: strings.TrimSuffix(b.URL, "/"), Icons: look}
	if n, err := b.Engine.Number("v=1", "reference.cases"); err == nil { // an engine without the tests' data knows nothing of it
		site.Checked = units.Group(n.Int)
	}
	home := &Page{Site: site, Kind: "home", Path: "/", Title: b.Name, Description: b.Description, Query: "v=1"}
	models := &Page{Site: site, Kind: "models", Path: "/models/", Title: "Models", Description: "Every model of the catalogue, with its exact parameter count.", Query: "v=1"}
	lost := &Page{Site: site, Kind: "notfound", Path: "/404.html", Title: "No such page", Description: "There is no page at this address."}

	var problems []error
	note := func(err error) {
		if err != nil {
			problems = append(problems, err)
		}
	}
	note(b.fill(out, home, "content/home.md", true))
	note(b.fill(out, models, "content/models.md", true))
	lost.Prepare(b.prose, nil)
	chapters, err := b.chapters(out, site)
	note(err)
	entries, err := b.models(site)
	note(err)
	presets, err := b.presets(site)
	note(err)
	others, err := b.others(out, site)
	note(err)
	devices, err := b.devices(site)
	note(err)
	frame, err := b.embed(site)
	note(err)
	out.Files[EmbedPath], err = b.element()
	note(err)
	note(b.drawings(out))
	if err := errors.Join(problems...); err != nil {
		return err
	}
	for _, p := range chapters {
		site.Chapters = append(site.Chapters, Link{Path: p.Path, Title: p.Title, Description: p.Description, Number: p.Number})
	}
	turn(chapters, others)
	if err := b.moved(slices.Concat(chapters, others)); err != nil {
		return err
	}
	if home.Calculator, err = b.calculator(home.Query); err != nil {
		return fmt.Errorf("content/home.md: %w", err)
	}
	out.Pages = slices.Concat([]*Page{home}, chapters, []*Page{models})
	for _, e := range entries {
		p, err := b.model(out, site, e)
		if err != nil {
			return err
		}
		out.Pages = append(out.Pages, p)
	}
	full, err := b.full(home)
	if err != nil {
		return err
	}
	contents, err := b.contents(site, slices.Concat(chapters, others))
	if err != nil {
		return err
	}
	out.Pages = slices.Concat(out.Pages, presets, others, devices, []*Page{full, contents, frame, lost})
	return nil
}

// moved tells each page where sections went that older links look for there.
func (b *Builder) moved(texts []*Page) error {
	for _, p := range texts {
		for _, section := range b.texts[p.Source].doc.Front.Moved {
			id, to, _ := strings.Cut(section, " ")
			path, at, _ := strings.Cut(to, "#")
			i := slices.IndexFunc(texts, func(other *Page) bool { return other.Path == path })
			if i < 0 {
				return fmt.Errorf("%s: front matter: moved: there is no page %s", p.Source, path)
			}
			m := Moved{ID: id, Path: to, Page: texts[i].Title}
			for _, h := range texts[i].Contents {
				if h.ID == at {
					m.HTML = h.HTML
				}
			}
			p.Moved = append(p.Moved, m)
		}
	}
	return nil
}

// turn links each text with the one before and after it: the chapters, then the pages beside them.
func turn(lists ...[]*Page) {
	var before *Page
	for _, p := range slices.Concat(lists...) {
		if before != nil {
			p.Previous = &Link{Path: before.Path, Title: before.Title}
			before.Next = &Link{Path: p.Path, Title: p.Title}
		}
		before = p
	}
}

var chapterNumber = regexp.MustCompile(`^\d+-`)

// chapters reads content/chapters, in order.
func (b *Builder) chapters(out *Output, site *Site) ([]*Page, error) {
	files, err := filepath.Glob(filepath.Join(b.Root, "content", "chapters", "*.md"))
	if err != nil {
		return nil, err
	}
	var list []*Page
	orders := map[*Page]int{}
	var problems []error
	for _, file := range files {
		name := filepath.Base(file)
		slug := chapterNumber.ReplaceAllString(strings.TrimSuffix(name, ".md"), "")
		p := &Page{Site: site, Kind: "chapter", Path: "/" + slug + "/", Query: "v=1"}
		if err := b.fill(out, p, "content/chapters/"+name, false); err != nil {
			problems = append(problems, err)
			continue
		}
		orders[p] = b.texts[p.Source].doc.Front.Order
		if p.Date.IsZero() {
			problems = append(problems, fmt.Errorf("%s:1: front matter: date is missing: the feed needs it", p.Source))
		}
		list = append(list, p)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b *Page) int { return orders[a] - orders[b] })
	for i, p := range list {
		p.Number = strconv.Itoa(i + 1)
	}
	return list, nil
}

// fill renders a page's text into it. A file that may be missing leaves the page as it is.
func (b *Builder) fill(out *Output, p *Page, file string, optional bool) error {
	p.Prepare(b.prose, nil)
	source, err := os.ReadFile(filepath.Join(b.Root, filepath.FromSlash(file)))
	if optional && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	kept, ok := b.texts[file]
	if !ok || kept.source != string(source) || kept.query != p.Query {
		doc, err := b.prose.Convert(file, source, p.Query)
		if err != nil {
			return err
		}
		kept = written{source: string(source), query: p.Query, doc: doc}
		b.texts[file] = kept
	}
	doc := kept.doc
	f := doc.Front
	p.Title, p.Description, p.Question = f.Title, f.Description, f.Question
	p.Date, p.Checked, p.Source = f.Date, f.Checked, file
	p.Was = f.Was
	if f.Query != "" {
		p.Query = f.Query
	}
	p.Drawn = f.Card
	for _, s := range f.Sources {
		p.Sources = append(p.Sources, Source(s))
	}
	p.Body = doc.HTML
	lines := map[string]int{}
	for _, h := range doc.Headings {
		lines[h.ID] = h.Line
		if h.Level <= 3 {
			p.Contents = append(p.Contents, Heading{Level: h.Level, ID: h.ID, HTML: h.HTML})
		}
	}
	out.Lines[p.Path] = lines
	p.Prepare(b.prose, doc.Glyphs.Clone()) // templates may add to the page's own
	return nil
}

// models asks the engine for the catalogue and lists it on the site.
func (b *Builder) models(site *Site) ([]Entry, error) {
	entries, err := b.Engine.Catalogue()
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	for _, e := range entries {
		link := e.List
		link.Path, link.Title, link.Description = modelPath(e), e.Info.Name, e.Description
		site.Models = append(site.Models, link)
	}
	return entries, nil
}

func modelPath(e Entry) string { return "/models/" + e.Info.Slug + "/" }

// model makes a model's page and the files beside it.
func (b *Builder) model(out *Output, site *Site, e Entry) (*Page, error) {
	info := e.Info
	path := modelPath(e)
	info.JSON = path + "report.json"
	report, ok := b.reports[e.Query]
	if !ok {
		var err error
		if report, err = b.Engine.Report(e.Query); err != nil {
			return nil, fmt.Errorf("model %s: %w", info.Slug, err)
		}
		b.reports[e.Query] = report
	}
	out.Files[info.JSON] = report
	if len(e.Config) > 0 {
		info.Config = path + "config.json"
		out.Files[info.Config] = e.Config
	}
	p := &Page{Site: site, Kind: "model", Path: path, Title: info.Name, Description: e.Description, Query: e.Query, Model: &info, Sources: info.Sources}
	p.Prepare(b.prose, nil)
	var err error
	if p.Calculator, err = b.calculator(e.Query); err != nil {
		return nil, fmt.Errorf("model %s: %w", info.Slug, err)
	}
	return p, nil
}

// calculator asks the engine once per query.
func (b *Builder) calculator(query string) (template.HTML, error) {
	html, ok := b.answers[query]
	if !ok {
		var err error
		if html, err = b.Engine.Calculator(query); err != nil {
			return "", err
		}
		b.answers[query] = html
	}
	return template.HTML(html), nil
}
