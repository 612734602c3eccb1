package site

import (
	"errors"
	"slices"
	"strings"

	"llmsize/build/pages"
	"llmsize/build/search"
)

const contentsPath = "/contents/"

// contents makes the page that lists everything: where a search leads without script.
func (b *Builder) contents(site *pages.Site, listed []*pages.Page) (*pages.Page, error) {
	p := &pages.Page{
		Site: site, Kind: "outline", Path: contentsPath, Title: "Contents", Query: "v=1",
		Description: "Every chapter and page with its sections, and every term with the place that explains it.",
	}
	var problems []error
	for _, l := range listed {
		if l.Kind != "chapter" && l.Kind != "page" {
			continue
		}
		sections, terms, err := search.Read(read(l))
		problems = append(problems, err)
		entry := pages.Outline{Link: pages.Link{Path: l.Path, Title: l.Title, Description: l.Description, Number: l.Number}}
		for _, s := range sections {
			if s.Level == 2 {
				entry.Sections = append(entry.Sections, pages.Link{Path: l.Path + "#" + s.ID, Title: s.Heading})
			}
		}
		for _, t := range terms {
			if !strings.HasPrefix(t.ID, "key-") { // the keys have an index on their page
				site.Terms = append(site.Terms, pages.Link{Path: l.Path + "#" + t.ID, Title: t.Name, Description: t.Text})
			}
		}
		site.Outline = append(site.Outline, entry)
	}
	slices.SortStableFunc(site.Terms, func(a, b pages.Link) int {
		return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	})
	p.Prepare(b.prose, nil)
	return p, errors.Join(problems...)
}

// read is a page as the search reads it.
func read(p *pages.Page) search.Page {
	return search.Page{Path: p.Path, Title: p.Title, Lead: p.Question + " " + p.Description, HTML: string(p.Body)}
}

// index makes the file that the search loads. Models are listed elsewhere.
func (b *Builder) index(out *Output) error {
	var list []search.Page
	for _, p := range out.Pages {
		if !p.Unlisted() && p.Kind != "model" {
			list = append(list, read(p))
		}
	}
	data, err := search.Index(list)
	out.Files[search.Path] = data
	return err
}
