// The search of the book loads an index of what its pages say.
//
// # What is found
//
// A page falls into sections at its headings. A section has the text under its heading, without
// drawings, displayed formulas, code, the engine's numbers and folded answers, which nobody searches for in words. A
// term is a dt with an id: a key of a config, a word of the glossary. Both are read from the finished
// HTML, so whatever stands on a page is found, whoever wrote it.
//
// # The file
//
// [assets.SearchPath] is JSON, made for a quick parse: lists of lists, pages by their number.
//
//	{"pages":    [[path, title], …],
//	 "sections": [[page, id, heading, text], …],    id and heading are empty for what is first
//	 "terms":    [[page, id, name, text], …]}
//
// The models are not in it: the page has a list of them already. Of a device's page there is what it begins with, of
// problems the heading, of a long section the beginning and what its tables name.

package pages

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Searched is a page to be read.
type Searched struct {
	Path, Title string
	Lead        string // in front of the text: the page's question and description
	HTML        string
}

// Section is the text under one heading.
type Section struct {
	ID, Heading string // both empty for what is before the first heading
	Level       int
	Text        string
}

// Term is a name with its meaning.
type Term struct{ ID, Name, Text string }

// ReadText takes a page apart.
func ReadText(p Searched) ([]Section, []Term, error) {
	root, err := html.Parse(strings.NewReader(p.HTML))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.Path, err)
	}
	r := reader{sections: []Section{{}}}
	r.text.WriteString(p.Lead + " ")
	r.walk(root)
	r.close()
	return r.sections, r.terms, nil
}

// SearchIndex puts what read finds in all pages into the file that the search loads.
func SearchIndex(list []Searched, read func(Searched) ([]Section, []Term, error)) ([]byte, error) {
	out := struct {
		Pages    [][2]string `json:"pages"`
		Sections [][4]any    `json:"sections"`
		Terms    [][4]any    `json:"terms"`
	}{[][2]string{}, [][4]any{}, [][4]any{}} // a list without entries isn't null
	for i, p := range list {
		out.Pages = append(out.Pages, [2]string{p.Path, p.Title})
		sections, terms, err := read(p)
		if err != nil {
			return nil, err
		}
		for _, s := range sections {
			out.Sections = append(out.Sections, [4]any{i, s.ID, s.Heading, s.Text})
		}
		for _, t := range terms {
			out.Terms = append(out.Terms, [4]any{i, t.ID, t.Name, t.Text})
		}
	}
	return json.Marshal(out)
}

// reader walks over a page.
type reader struct {
	sections []Section
	terms    []Term
	text     strings.Builder // of the last section
	prose    int             // bytes of it that no table holds
	table    int             // tables around the place
	mute     bool            // the section asks the reader: its words answer no search
}

// most is how much of a section's prose is found, in bytes: the index travels whole when somebody searches. Names in
// tables are found wherever they stand.
const most = 1_000

// close ends the last section.
func (r *reader) close() {
	r.sections[len(r.sections)-1].Text = fold(r.text.String())
	r.text.Reset()
	r.prose = 0
}

func (r *reader) walk(n *html.Node) {
	if n.Type == html.ElementNode {
		switch {
		case skipped(n):
			return
		case len(n.Data) == 2 && n.Data[0] == 'h' && '2' <= n.Data[1] && n.Data[1] <= '6' && attr(n, "id") != "":
			r.close()
			r.mute = attr(n, "id") == "problems"
			r.sections = append(r.sections, Section{ID: attr(n, "id"), Heading: FoundText(n), Level: int(n.Data[1] - '0')})
			return
		case n.Data == "dt" && attr(n, "id") != "":
			r.terms = append(r.terms, term(n))
			return
		case n.Data == "dd" && len(r.terms) > 0 && ofTerm(n):
			return
		}
	}
	if n.Type == html.TextNode && !r.mute && (r.table > 0 || r.prose < most) {
		r.text.WriteString(n.Data)
		if r.table == 0 {
			r.prose += len(n.Data)
		}
	}
	if n.Data == "table" {
		r.table++
		defer func() { r.table-- }()
	}
	for c := range n.ChildNodes() {
		r.walk(c)
	}
	if block(n) {
		r.text.WriteByte(' ')
	}
}

// term reads a dt with the dd behind it. Its name is the first code in it, or all of it.
func term(dt *html.Node) Term {
	t := Term{ID: attr(dt, "id"), Name: FoundText(dt)}
	for c := range dt.ChildNodes() {
		if c.Data == "code" {
			t.Name = FoundText(c)
			break
		}
	}
	for next := dt.NextSibling; next != nil && next.Data != "dt"; next = next.NextSibling {
		if next.Data == "dd" {
			t.Text = clip(FoundText(next), 240)
			break
		}
	}
	return t
}

// ofTerm reports whether a dd follows a dt with an id.
func ofTerm(dd *html.Node) bool {
	for p := dd.PrevSibling; p != nil; p = p.PrevSibling {
		if p.Data == "dt" {
			return attr(p, "id") != ""
		}
	}
	return false
}

// FoundText is what an element says, spaces folded, without what a search skips.
func FoundText(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && (skipped(n) || n.Data == "ul" || n.Data == "details") {
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		if block(n) {
			b.WriteByte(' ')
		}
	}
	for c := range n.ChildNodes() {
		walk(c)
	}
	return fold(b.String())
}

// skipped reports what is not words: drawings, code, numbers, controls, marks.
func skipped(n *html.Node) bool {
	if slices.Contains([]string{"svg", "pre", "script", "style", "form", "button", "select", "input", "iframe", "template", "llm-size", "data"}, n.Data) {
		return true
	}
	for _, class := range strings.Fields(attr(n, "class")) {
		if slices.Contains([]string{"formula", "anchor", "sidenote-mark", "num", "align-right", "from", "quiet", "calc", "key-index", "tools", "answer", "goal", "walk", "sources"}, class) {
			return true
		}
	}
	if n.Data == "p" && n.Parent != nil && attr(n.Parent, "class") == "tree" {
		return true // what a family is built on, which its own line says
	}
	if n.Data == "td" && !hasCode(n) {
		for p := range n.Ancestors() {
			if p.Data == "table" {
				return attr(p, "class") == "reference" // long lists: their names are enough
			}
		}
	}
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "data-calculator" })
}

func hasCode(n *html.Node) bool {
	for c := range n.Descendants() {
		if c.Data == "code" {
			return true
		}
	}
	return false
}

func block(n *html.Node) bool {
	return n.Type == html.ElementNode && !slices.Contains([]string{"a", "b", "code", "data", "em", "i", "kbd", "span", "strong", "sub", "sup", "var", "mi", "mn", "mo", "mrow", "math", "msub", "msup"}, n.Data)
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// clip cuts a text behind a word.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return s[:max(strings.LastIndexByte(s[:most], ' '), 0)] + " …"
}
