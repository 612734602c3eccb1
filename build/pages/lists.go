package pages

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Robots is robots.txt: everything may be read, and the sitemap is named.
func Robots(site *Site) []byte {
	return []byte("User-agent: *\nAllow: /\n\nSitemap: " + site.URL + SitemapPath + "\n")
}

type sitemap struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Loc     string `xml:"loc"`
	Lastmod string `xml:"lastmod,omitempty"`
}

// Sitemap lists the canonical address of every page that may be indexed.
func Sitemap(pages []*Page) ([]byte, error) {
	var m sitemap
	for _, p := range pages {
		if p.Unlisted() {
			continue
		}
		u := sitemapURL{Loc: p.Canonical}
		if t := p.updated(); !t.IsZero() {
			u.Lastmod = t.Format(time.DateOnly)
		}
		m.URLs = append(m.URLs, u)
	}
	slices.SortFunc(m.URLs, func(a, b sitemapURL) int { return strings.Compare(a.Loc, b.Loc) })
	return encode(m)
}

type feed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Title   string      `xml:"title"`
	ID      string      `xml:"id"`
	Links   []feedLink  `xml:"link"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Entries []feedEntry `xml:"entry"`
}

type feedLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type feedEntry struct {
	Title     string   `xml:"title"`
	ID        string   `xml:"id"`
	Link      feedLink `xml:"link"`
	Published string   `xml:"published"`
	Updated   string   `xml:"updated"`
	Summary   string   `xml:"summary"`
}

// Feed is an Atom feed of the chapters and the dated pages, the newest first.
func Feed(site *Site, pages []*Page) ([]byte, error) {
	f := feed{
		Title: site.Name, ID: site.URL + "/", Author: site.Name,
		Links: []feedLink{{Href: site.URL + "/"}, {Rel: "self", Href: site.URL + FeedPath}},
	}
	var newest time.Time
	chapters := slices.DeleteFunc(slices.Clone(pages), func(p *Page) bool { return !p.Dated() })
	slices.SortStableFunc(chapters, func(a, b *Page) int { return b.Date.Compare(a.Date) })
	for _, p := range chapters {
		if p.updated().After(newest) {
			newest = p.updated()
		}
		f.Entries = append(f.Entries, feedEntry{
			Title: p.Title, ID: p.Canonical, Link: feedLink{Href: p.Canonical},
			Published: p.Date.Format(time.RFC3339), Updated: p.updated().Format(time.RFC3339), Summary: p.Description,
		})
	}
	f.Updated = newest.Format(time.RFC3339)
	return encode(f)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", " ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode XML: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
