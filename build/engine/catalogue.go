package engine

import (
	"fmt"
	"time"

	"llmsize/build/catalogue"
	"llmsize/build/pages"
	"llmsize/build/site"
)

// Catalogue lists the models that have a page, sorted by slug.
func (e *Engine) Catalogue() ([]site.Entry, error) {
	var list []site.Entry
	for _, m := range e.catalogue.Models {
		entry, err := e.entry(m)
		if err != nil {
			return nil, fmt.Errorf("content/models/%s.json: %w", m.Slug, err)
		}
		list = append(list, entry)
	}
	return list, nil
}

func (e *Engine) entry(m catalogue.Model) (site.Entry, error) {
	q := "v=1&model=" + m.Slug
	r, err := e.report(q)
	if err != nil {
		return site.Entry{}, err
	}
	read, err := time.Parse(time.DateOnly, m.Read)
	if err != nil {
		return site.Entry{}, fmt.Errorf("read: %w", err)
	}
	sources := []pages.Source{{Title: m.Source.String(), Date: read}}
	if m.Published != nil {
		sources = append(sources, pages.Source{Title: m.Published.Source, Note: fmt.Sprintf("published count of %s: %s", m.Published.Of, m.Published.Counts)})
	}
	return site.Entry{
		Info: pages.Model{
			Slug: m.Slug, Name: m.Name, Maker: m.Maker, Hub: m.Hub, Released: m.Released, Note: m.Note, Sources: sources,
		},
		Description: fmt.Sprintf("%s by %s has %s parameters. Every tensor, the bytes of its weights and of its cache, with their formulas.", m.Name, m.Maker, r.Parameters.Total),
		Query:       r.Query.String(),
		Count:       r.Parameters.Total.String(),
		Short:       r.Parameters.Total.Short(),
		Config:      m.Config,
	}, nil
}
