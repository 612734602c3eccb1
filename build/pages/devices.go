package pages

import "fmt"

// devices makes a page for each device: what it holds and how fast it is.
func (b *Builder) devices(site *Site) ([]*Page, error) {
	made, err := b.Engine.DevicePages()
	if err != nil {
		return nil, fmt.Errorf("devices: %w", err)
	}
	var list []*Page
	for _, d := range made {
		p := &Page{Site: site, Kind: "device", Path: "/devices/" + d.Slug + "/", Title: d.Name, Description: d.Description, Question: d.Question, Query: "v=1&device=" + d.Slug, Body: d.Body}
		p.Prepare(b.prose, nil)
		site.Devices = append(site.Devices, Link{Path: p.Path, Title: p.Title, Description: p.Description})
		list = append(list, p)
	}
	return list, nil
}
