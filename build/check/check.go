// Package check reads a built site as a strict visitor would and reports what is wrong.
//
// It looks at every page for broken links and anchors, ids that repeat, pictures and controls
// without a name, headings that skip a level, text that was escaped twice, what the content policy would
// block, numbers in prose without a source, formulas without words or a worked line, and metadata that is missing or contradicts itself; over the whole site for pages that no
// link leads to, for a sitemap that differs from the pages' canonical links, for files under hashed
// names, and for sizes past the [Budgets]. HTMLValidate adds an outside opinion on the markup.
//
// A [Finding] names the page, the text's file and line where it can be told, what is wrong and what to do.
package check

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"llmsize/build/text"
)

// Finding is one mistake.
type Finding struct {
	Page   string // path on the site: "/memory/", "/_headers"
	Source string // "content/chapters/memory.md:12"; empty when the place is not known
	What   string // what is wrong and what to do about it
}

// String is the line that is printed.
func (f Finding) String() string {
	if f.Source != "" {
		return fmt.Sprintf("%s: %s: %s", f.Source, f.Page, f.What)
	}
	return fmt.Sprintf("%s: %s", f.Page, f.What)
}

// Text is the file that a page's prose comes from.
type Text struct {
	File    string // relative to the repository
	Content []byte
}

// Site is what is checked.
type Site struct {
	Files map[string][]byte // by path: "/memory/index.html"
	URL   string            // scheme and host without a final slash
	Texts map[string]Text   // by page: "/memory/"
	Bare  *text.Bare        // finds numbers without a source in texts; nil looks for none
	// Formulas finds rules of texts without words or a worked line; nil looks for none.
	Formulas *text.Rules
}

// document is a parsed page.
type document struct {
	path  string // "/memory/"
	root  *html.Node
	ids   map[string]int
	links map[string]bool // pages it links to
}

// run collects findings.
type run struct {
	Site
	documents map[string]*document
	findings  []Finding
}

// Run checks a site. The findings are in the order of pages.
func Run(site Site) []Finding {
	r := &run{Site: site, documents: map[string]*document{}}
	for _, file := range slices.Sorted(maps.Keys(site.Files)) {
		if path.Ext(file) != ".html" {
			continue
		}
		root, err := html.Parse(bytes.NewReader(site.Files[file]))
		if err != nil {
			r.add(file, "", "cannot be read as HTML: %v", err)
			continue
		}
		d := &document{path: strings.TrimSuffix(file, "index.html"), root: root, ids: map[string]int{}, links: map[string]bool{}}
		for n := range root.Descendants() {
			if id, ok := attr(n, "id"); ok {
				d.ids[id]++
			}
		}
		r.documents[d.path] = d
	}
	for _, name := range slices.Sorted(maps.Keys(r.documents)) {
		d := r.documents[name]
		r.ids(d)
		r.references(d)
		r.names(d)
		r.headings(d)
		r.text(d)
		r.policy(d)
		r.metadata(d)
		r.card(d)
		r.book(d)
	}
	r.titles()
	r.orphans()
	r.sitemap()
	r.numbers()
	r.formulas()
	r.hashedFiles()
	r.offline()
	r.manifest()
	slices.SortStableFunc(r.findings, func(a, b Finding) int { return cmp.Compare(a.Page, b.Page) })
	return r.findings
}

// add notes a finding; needle is text that is in the page's source where the mistake is.
func (r *run) add(page, needle, format string, values ...any) {
	f := Finding{Page: page, What: fmt.Sprintf(format, values...)}
	if text, ok := r.Texts[page]; ok && needle != "" {
		if at := bytes.Index(text.Content, []byte(needle)); at >= 0 {
			f.Source = fmt.Sprintf("%s:%d", text.File, 1+bytes.Count(text.Content[:at], []byte("\n")))
		}
	}
	r.findings = append(r.findings, f)
}

// attr is the value of an attribute.
func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// has reports whether an attribute is there and not empty.
func has(n *html.Node, name string) bool {
	v, _ := attr(n, name)
	return strings.TrimSpace(v) != ""
}

// words is the text inside a node, spaces folded.
func words(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data + " ")
		}
		if c.Type == html.ElementNode && c.Data == "img" {
			alt, _ := attr(c, "alt")
			b.WriteString(alt + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// describe shows an element's start, for messages.
func describe(n *html.Node) string {
	var b strings.Builder
	b.WriteString("<" + n.Data)
	for _, a := range n.Attr {
		if slices.Contains([]string{"id", "name", "class", "href", "src", "type"}, a.Key) {
			fmt.Fprintf(&b, " %s=%q", a.Key, a.Val)
		}
	}
	return b.String() + ">"
}

// elements lists the elements of some names, in order; without names, all.
func elements(root *html.Node, names ...string) []*html.Node {
	var list []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && (len(names) == 0 || slices.Contains(names, n.Data)) {
			list = append(list, n)
		}
	}
	return list
}

// unlisted reports a page that no list holds: the one for what is not there, and frames for other sites.
func unlisted(path string) bool { return path == "/404.html" || strings.HasPrefix(path, "/embed/") }
