package check

import (
	"encoding/xml"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// book checks what every text of the book has besides its words: a link of its own for each heading and
// figure, contents, the texts before and after it, how to cite it, a place in the feed.
func (r *run) book(d *document) {
	body := elements(d.root, "body")
	if len(body) == 0 {
		return
	}
	kind, _ := attr(body[0], "class")
	if kind != "chapter" && kind != "page" {
		return
	}
	own := map[string]bool{} // ids that a link of the text leads to
	turns := map[string]bool{}
	contents, cite := false, false
	for _, n := range elements(d.root, "a", "nav", "details") {
		switch n.Data {
		case "a":
			if href, _ := attr(n, "href"); strings.HasPrefix(href, "#") && hasClass(n, "anchor") {
				own[href[1:]] = true
			}
			if rel, ok := attr(n, "rel"); ok {
				turns[rel] = true
			}
		case "nav":
			contents = contents || hasClass(n, "contents")
		default:
			cite = cite || hasClass(n, "cite")
		}
	}
	sections := 0
	for _, article := range elements(d.root, "article") {
		for _, n := range elements(article, "h2", "h3", "h4", "figure") {
			if insideFigure(n) {
				continue // what the engine draws has headings of its own
			}
			id, _ := attr(n, "id")
			switch {
			case id == "":
				r.add(d.path, words(n), "<%s> %q has no id", n.Data, clip(words(n)))
			case !own[id]:
				r.add(d.path, "{#"+id+"}", "<%s id=%q> has no link to itself", n.Data, id)
			}
			if n.Data == "h2" {
				sections++
			}
		}
	}
	if sections > 2 && !contents {
		r.add(d.path, "", "%d sections and no contents", sections)
	}
	if !turns["prev"] && !turns["next"] {
		r.add(d.path, "", "no link to the text before or after it")
	}
	if !cite {
		r.add(d.path, "title", "does not say how to cite it: give it a date")
	}
	if !r.inFeed(d.path) {
		r.add(d.path, "title", "is not in the feed")
	}
}

// inFeed reports whether the feed has an entry for a page.
func (r *run) inFeed(page string) bool {
	var feed struct {
		Entries []struct {
			ID string `xml:"id"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(r.Files["/feed.xml"], &feed); err != nil {
		return false
	}
	for _, e := range feed.Entries {
		if e.ID == r.URL+page {
			return true
		}
	}
	return false
}

func hasClass(n *html.Node, name string) bool {
	value, _ := attr(n, "class")
	return slices.Contains(strings.Fields(value), name)
}

// insideFigure reports an element that is in a figure.
func insideFigure(n *html.Node) bool {
	for p := range n.Ancestors() {
		if p.Data == "figure" {
			return true
		}
	}
	return false
}
