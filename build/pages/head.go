package pages

import (
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"strings"
	"time"
)

// Addresses of files that are not pages.
const (
	FeedPath    = "/feed.xml"
	SitemapPath = "/sitemap.xml"
	RobotsPath  = "/robots.txt"
	HeadersPath = "/_headers"
	// RedirectsPath is the file of addresses that pages once had.
	RedirectsPath = "/_redirects"
	EmbedPath     = "/embed.js" // the script that other sites load
)

// SetHead fills in Canonical and Head from the other fields.
func (p *Page) SetHead() error {
	p.Canonical = p.Site.URL + p.Path
	title := p.Title
	if p.Kind != "home" {
		title += " · " + p.Site.Name
	}
	var b strings.Builder
	tag := func(format string, values ...any) {
		for i, v := range values {
			values[i] = html.EscapeString(fmt.Sprint(v))
		}
		fmt.Fprintf(&b, format+"\n", values...)
	}
	tag(`<title>%s</title>`, title)
	tag(`<meta name="description" content="%s">`, p.Description)
	if icons := p.Site.Icons; icons.SVG != "" {
		tag(`<link rel="icon" href="%s" type="image/svg+xml">`, icons.SVG)
		tag(`<link rel="apple-touch-icon" href="%s">`, icons.Touch)
	}
	if p.Unlisted() {
		// The first answers for addresses that do not exist; the other is a part of pages elsewhere.
		tag(`<meta name="robots" content="noindex">`)
		p.Head = template.HTML(b.String())
		return nil
	}
	if p.Site.Icons.Manifest != "" {
		tag(`<link rel="manifest" href="%s">`, p.Site.Icons.Manifest)
	}
	kind := "website"
	if p.Kind == "chapter" || p.Dated() {
		kind = "article"
	}
	tag(`<link rel="canonical" href="%s">`, p.Canonical)
	tag(`<link rel="alternate" type="application/atom+xml" title="%s" href="%s">`, p.Site.Name, FeedPath)
	tag(`<meta property="og:site_name" content="%s">`, p.Site.Name)
	tag(`<meta property="og:type" content="%s">`, kind)
	tag(`<meta property="og:title" content="%s">`, p.Title)
	tag(`<meta property="og:description" content="%s">`, p.Description)
	tag(`<meta property="og:url" content="%s">`, p.Canonical)
	if p.Image == "" {
		tag(`<meta name="twitter:card" content="summary">`)
	} else {
		tag(`<meta property="og:image" content="%s">`, p.Image)
		tag(`<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">`)
		tag(`<meta property="og:image:alt" content="%s">`, p.ImageAlt)
		tag(`<meta name="twitter:card" content="summary_large_image">`)
	}
	if kind == "article" && !p.Date.IsZero() {
		tag(`<meta property="article:published_time" content="%s">`, p.Date.Format(time.DateOnly))
		tag(`<meta property="article:modified_time" content="%s">`, p.updated().Format(time.DateOnly))
	}
	for _, m := range p.citation() {
		tag(`<meta name="%s" content="%s">`, m[0], m[1])
	}
	for _, thing := range []map[string]any{p.linked(), p.crumbs()} {
		if thing == nil {
			continue
		}
		data, err := json.Marshal(thing) // escapes < and >, so it cannot end the element
		if err != nil {
			return fmt.Errorf("%s: JSON-LD: %w", p.Path, err)
		}
		fmt.Fprintf(&b, `<script type="application/ld+json">%s</script>`+"\n", data)
	}
	p.Head = template.HTML(b.String())
	return nil
}

// updated is when the page's facts were last looked at.
func (p *Page) updated() time.Time {
	if p.Checked.After(p.Date) {
		return p.Checked
	}
	return p.Date
}
