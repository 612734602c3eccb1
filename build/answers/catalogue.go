package answers

import (
	"fmt"
	"time"

	"llmsize/build/pages"
	"llmsize/content/catalogue"
)

// Catalogue lists the models that have a page, sorted by slug: those that can be counted.
func (e *Engine) Catalogue() ([]pages.Entry, error) {
	e.uncounted = nil
	var list []pages.Entry
	for _, m := range e.catalogue.Models {
		entry, err := e.entry(m)
		if err != nil {
			e.uncounted = append(e.uncounted, fmt.Errorf("content/models/%s.json: %w", m.Slug, err))
			continue
		}
		list = append(list, entry)
	}
	return list, nil
}

// Uncounted is why models of the catalogue have no page. It is not an error of the build, so that
// a model's data can come before its family; it is a mistake for the check.
func (e *Engine) Uncounted() []error { return e.uncounted }

func (e *Engine) entry(m catalogue.Model) (pages.Entry, error) {
	q := "v=1&model=" + m.Slug
	r, err := e.report(q)
	if err != nil {
		return pages.Entry{}, err
	}
	read, err := time.Parse(time.DateOnly, m.Read)
	if err != nil {
		return pages.Entry{}, fmt.Errorf("read: %w", err)
	}
	sources := []pages.Source{{Title: m.Source.String(), Date: read}}
	if m.Published != nil {
		sources = append(sources, pages.Source{Title: m.Published.Source, Note: fmt.Sprintf("published count of %s: %s", m.Published.Of, m.Published.Counts)})
	}
	perToken := "–" // encoders keep no cache, and state does not grow
	if r.Cache.PerToken > 0 {
		perToken = r.Cache.PerToken.GB()
	}
	return pages.Entry{
		Info: pages.Model{
			Slug: m.Slug, Name: m.Name, Maker: m.Maker, Count: int64(r.Parameters.Total), Hub: m.Hub, Released: m.Released, Note: m.Note, Sources: sources,
		},
		Description: fmt.Sprintf("%s by %s has %s parameters. Every tensor, the bytes of its weights and of its cache, with their formulas.", m.Name, m.Maker, r.Parameters.Total),
		Query:       r.Query.String(),
		List: pages.ModelLink{
			Link: pages.Link{Number: r.Parameters.Total.String()},
			Type: r.Model.Type, Short: r.Parameters.Total.Short(), Weights: r.Weights.Bytes.GB(), Format: r.Weights.Format, PerToken: perToken,
		},
		Config: m.Config,
	}, nil
}
