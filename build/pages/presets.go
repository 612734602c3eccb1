package pages

import (
	"fmt"
)

// presets makes a page for each question worth asking: a plain address, with a card of its own,
// which a query in the address bar cannot have.
func (b *Builder) presets(site *Site) ([]*Page, error) {
	var list []*Page
	for _, q := range b.Engine.Presets() {
		p := &Page{Site: site, Kind: "preset", Path: "/presets/" + q.Name + "/", Title: q.Title, Description: q.Shows, Question: q.Shows, Query: q.Query}
		p.Prepare(b.prose, nil)
		var err error
		if p.Calculator, err = b.calculator(q.Query); err != nil {
			return nil, fmt.Errorf("content/presets/%s.json: %w", q.Name, err)
		}
		if q.Lens == "" { // the others are in their lens
			site.Presets = append(site.Presets, Link{Path: p.Path, Title: p.Title, Description: p.Description})
		}
		list = append(list, p)
	}
	return list, nil
}
