package pages

import (
	"errors"
	"slices"
	"strings"

	"llmsize/build/assets"
)

const contentsPath = "/contents/"

// contents makes the page that lists everything: where a search leads without script.
func (b *Builder) contents(site *Site, listed []*Page) (*Page, error) {
	p := &Page{
		Site: site, Kind: "outline", Path: contentsPath, Title: "Contents", Query: "v=1",
		Description: "Every chapter and page with its sections, and every term with the place that explains it.",
	}
	var problems []error
	for _, l := range listed {
		if l.Kind != "chapter" && l.Kind != "page" {
			continue
		}
		sections, terms, err := b.readText(read(l))
		problems = append(problems, err)
		entry := Outline{Link: Link{Path: l.Path, Title: l.Title, Description: l.Description, Number: l.Number}}
		for _, s := range sections {
			if s.Level == 2 {
				entry.Sections = append(entry.Sections, Link{Path: l.Path + "#" + s.ID, Title: s.Heading})
			}
		}
		for _, t := range terms {
			if !strings.HasPrefix(t.ID, "key-") { // the keys have an index on their page
				p.Terms = append(p.Terms, Link{Path: l.Path + "#" + t.ID, Title: t.Name, Description: t.Text})
			}
		}
		p.Outline = append(p.Outline, entry)
	}
	slices.SortStableFunc(p.Terms, func(a, b Link) int {
		return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	})
	p.Prepare(b.prose, nil)
	return p, errors.Join(problems...)
}

// read is a page as the search reads it.
func read(p *Page) Searched {
	return Searched{Path: p.Path, Title: p.Title, Lead: p.Question + " " + p.Description, HTML: string(p.Body)}
}

// reading is what the search found in a page.
type reading struct {
	of       Searched
	sections []Section
	terms    []Term
}

// readText is [ReadText] of a page that may be as it was at the last build.
func (b *Builder) readText(p Searched) ([]Section, []Term, error) {
	if kept, ok := b.readings[p.Path]; ok && kept.of == p {
		return kept.sections, kept.terms, nil
	}
	sections, terms, err := ReadText(p)
	if err == nil {
		b.readings[p.Path] = reading{p, sections, terms}
	}
	return sections, terms, err
}

// index makes the file that the search loads. Models are listed elsewhere.
func (b *Builder) index(out *Output) error {
	var list []Searched
	for _, p := range out.Pages {
		if !p.Unlisted() && p.Kind != "model" {
			text := read(p)
			if p.Kind == "device" {
				text.HTML = "" // a hundred pages with the same sentences
			}
			list = append(list, text)
		}
	}
	data, err := SearchIndex(list, b.readText)
	out.Files[assets.SearchPath] = data
	return err
}
