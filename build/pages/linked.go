package pages

import (
	"strings"
	"time"
)

// linked is the page for machines, in schema.org's words.
func (p *Page) linked() map[string]any {
	d := map[string]any{
		"@context":    "https://schema.org",
		"url":         p.Canonical,
		"name":        p.Title,
		"description": p.Description,
		"inLanguage":  "en",
	}
	if p.Image != "" {
		d["image"] = p.Image
	}
	switch p.Kind {
	case "home":
		d["@type"] = "WebApplication"
		d["name"] = p.Site.Name
		d["applicationCategory"] = "DeveloperApplication"
		d["operatingSystem"] = "any"
	case "chapter":
		p.linkedChapter(d)
	case "outline":
		d["@type"] = "CollectionPage"
	case "models":
		d["@type"] = "CollectionPage"
		d["mainEntity"] = map[string]any{"@type": "ItemList", "numberOfItems": len(p.Site.Models)}
	case "model":
		p.linkedModel(d)
	default:
		d["@type"] = "WebPage"
		if p.Dated() {
			p.linkedChapter(d)
		}
	}
	return d
}

// organization is the site as author and publisher.
func (p *Page) organization() map[string]any {
	return map[string]any{"@type": "Organization", "name": p.Site.Name, "url": p.Site.URL + "/"}
}

// linkedChapter says that a text is an article, from whom and from what.
func (p *Page) linkedChapter(d map[string]any) {
	d["@type"] = "TechArticle"
	d["headline"] = p.Title
	d["author"], d["publisher"] = p.organization(), p.organization()
	d["isPartOf"] = map[string]any{"@type": "CreativeWorkSeries", "name": p.Site.Name, "url": p.Site.URL + "/"}
	if p.Number != "" {
		d["position"] = p.Number
	}
	if !p.Date.IsZero() {
		d["datePublished"] = p.Date.Format(time.DateOnly)
		d["dateModified"] = p.updated().Format(time.DateOnly)
	}
	var cited []any
	for _, s := range p.Sources {
		work := map[string]any{"@type": "CreativeWork", "name": s.Title}
		if s.URL != "" {
			work["url"] = s.URL
		}
		cited = append(cited, work)
	}
	if cited != nil {
		d["citation"] = cited
	}
}

// linkedModel says that a model's page is data: what is counted, and where the files are.
func (p *Page) linkedModel(d map[string]any) {
	d["@type"] = "Dataset"
	d["creator"] = p.organization()
	d["isAccessibleForFree"] = true
	m := p.Model
	if m == nil {
		return
	}
	d["name"] = m.Name + ": tensors, parameters and bytes"
	about := map[string]any{"@type": "CreativeWork", "name": m.Name, "author": map[string]any{"@type": "Organization", "name": m.Maker}}
	if m.Hub != "" {
		about["identifier"] = m.Hub
	}
	d["about"] = about
	if m.Count > 0 {
		d["variableMeasured"] = map[string]any{"@type": "PropertyValue", "name": "parameters", "value": m.Count}
	}
	var files []any
	for _, file := range []struct{ name, path string }{{"the answer", m.JSON}, {"config.json as counted", m.Config}} {
		if file.path != "" {
			files = append(files, map[string]any{"@type": "DataDownload", "name": file.name, "encodingFormat": "application/json", "contentUrl": p.Site.URL + file.path})
		}
	}
	if files != nil {
		d["distribution"] = files
	}
}

// crumbs is the way from the home page to this one; nil where there is nothing between.
func (p *Page) crumbs() map[string]any {
	way := []Link{{Path: "/", Title: p.Site.Name}}
	switch {
	case p.Kind == "home" || p.Unlisted():
		return nil
	case strings.HasPrefix(p.Path, "/models/") && p.Kind == "model":
		way = append(way, Link{Path: "/models/", Title: "Models"})
	}
	way = append(way, Link{Path: p.Path, Title: p.Title})
	var items []any
	for i, l := range way {
		items = append(items, map[string]any{"@type": "ListItem", "position": i + 1, "name": l.Title, "item": p.Site.URL + l.Path})
	}
	return map[string]any{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items}
}
