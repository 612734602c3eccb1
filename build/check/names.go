package check

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// names reports pictures, controls and links that a screen reader could not name.
func (r *run) names(d *document) {
	labelled := map[string]bool{}
	for _, label := range elements(d.root, "label") {
		if id, ok := attr(label, "for"); ok && words(label) != "" {
			labelled[id] = true
		}
	}
	for _, n := range elements(d.root) {
		if hidden(n) {
			continue
		}
		switch n.Data {
		case "img":
			if _, ok := attr(n, "alt"); !ok {
				src, _ := attr(n, "src")
				r.add(d.path, src, "%s has no alt: say what it shows, or alt=\"\" when the text does", describe(n))
			}
		case "svg":
			if role, _ := attr(n, "role"); role == "img" && !named(n) {
				r.add(d.path, "", "%s has role img and no name: give it aria-label or a title element", describe(n))
			}
		case "input", "select", "textarea":
			kind, _ := attr(n, "type")
			if kind == "hidden" || kind == "submit" && has(n, "value") {
				continue
			}
			id, _ := attr(n, "id")
			if !labelled[id] && !insideLabel(n) && !named(n) {
				r.add(d.path, "", "%s has no label", describe(n))
			}
		case "button", "a", "summary":
			if n.Data == "a" && !has(n, "href") {
				continue
			}
			if words(n) == "" && !named(n) && !namedInside(n) {
				r.add(d.path, "", "%s has no text and no name", describe(n))
			}
		case "iframe":
			if !has(n, "title") {
				r.add(d.path, "", "%s has no title", describe(n))
			}
		case "table":
			if len(elements(n, "th")) == 0 {
				r.add(d.path, "", "a table without a header cell: name its columns")
			}
		}
		if value, ok := attr(n, "tabindex"); ok && value != "0" && value != "-1" {
			r.add(d.path, "", "%s: tabindex=%q breaks the order of focus: 0 or -1", describe(n), value)
		}
	}
}

// named reports a name that stands on the element itself.
func named(n *html.Node) bool {
	if has(n, "aria-label") || has(n, "aria-labelledby") || has(n, "title") {
		return true
	}
	return n.Data == "svg" && n.FirstChild != nil && n.FirstChild.Data == "title" && words(n.FirstChild) != ""
}

func namedInside(n *html.Node) bool {
	return slices.ContainsFunc(elements(n), named)
}

func insideLabel(n *html.Node) bool {
	for p := range n.Ancestors() {
		if p.Data == "label" && words(p) != "" {
			return true
		}
	}
	return false
}

// hidden reports what no reader, seeing or not, is shown.
func hidden(n *html.Node) bool {
	isHidden := func(n *html.Node) bool {
		v, _ := attr(n, "aria-hidden")
		return v == "true" || n.Data == "template"
	}
	for p := range n.Ancestors() {
		if isHidden(p) {
			return true
		}
	}
	return isHidden(n)
}

// headings wants one h1, first, and no level skipped on the way down.
func (r *run) headings(d *document) {
	level, firsts := 0, 0
	for _, n := range elements(d.root, "h1", "h2", "h3", "h4", "h5", "h6") {
		if hidden(n) {
			continue
		}
		next := int(n.Data[1] - '0')
		if next == 1 {
			firsts++
		}
		if next > level+1 {
			r.add(d.path, strings.Repeat("#", next)+" ", "the heading %q is an h%d behind an h%d: levels may not be skipped", clip(words(n)), next, level)
		}
		level = next
	}
	if firsts != 1 {
		r.add(d.path, "", "%d headings of the first level: a page has one", firsts)
	}
}

func clip(s string) string {
	if runes := []rune(s); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return s
}
