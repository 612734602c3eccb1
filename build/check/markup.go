package check

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// looks are what should not be left in a text. A pattern takes longer than a look for its signs, one of which each match has.
var looks = []struct {
	signs   []string
	pattern *regexp.Regexp
	what    string
}{
	{[]string{"&"}, regexp.MustCompile(`&(?:amp|lt|gt|quot|#39|#34|nbsp|ldquo|rdquo|ndash|mdash|hellip);`), "is an escape that was escaped again"},
	{[]string{"{{", "}}", "{=", "=}", "<no", "Zgot", "%!", "NaN", "undefined"}, regexp.MustCompile(`\{\{|\}\}|\{=|=\}|<no value>|ZgotmplZ|%!\w?\(|\bNaN\b|\bundefined\b`), "is left over from a template or a failed number"},
	{[]string{"$$", `\`}, regexp.MustCompile(`\$\$|\\\(|\\frac|\\text\{`), "is TeX that was not rendered"},
}

// text reports what should have been turned into something else before it reached a page.
func (r *run) text(d *document) {
	for n := range d.root.Descendants() {
		if n.Type != html.TextNode || n.Parent != nil && slices.Contains([]string{"script", "style", "code", "pre", "textarea"}, n.Parent.Data) || insideCode(n) {
			continue
		}
		for _, look := range looks {
			if !slices.ContainsFunc(look.signs, func(sign string) bool { return strings.Contains(n.Data, sign) }) {
				continue
			}
			if found := look.pattern.FindString(n.Data); found != "" {
				r.add(d.path, found, "%q in %q %s", found, clip(strings.TrimSpace(n.Data)), look.what)
			}
		}
	}
}

func insideCode(n *html.Node) bool {
	for p := range n.Ancestors() {
		if p.Data == "code" || p.Data == "pre" {
			return true
		}
	}
	return false
}

// policy reports what the content policy makes a browser refuse.
func (r *run) policy(d *document) {
	for _, n := range elements(d.root) {
		for _, a := range n.Attr {
			switch {
			case a.Key == "style":
				r.add(d.path, "style=", "%s has an inline style (%s), which the content policy blocks: use a class", describe(n), clip(a.Val))
			case strings.HasPrefix(a.Key, "on"):
				r.add(d.path, a.Key+"=", "%s has an inline script (%s), which the content policy blocks", describe(n), a.Key)
			}
		}
		switch n.Data {
		case "style":
			r.add(d.path, "<style", "a style element, which the content policy blocks: use the stylesheet")
		case "script":
			kind, _ := attr(n, "type")
			if has(n, "src") {
				continue
			}
			if kind == "" || kind == "module" || strings.Contains(kind, "javascript") {
				r.add(d.path, "<script", "an inline script, which the content policy blocks: make it a file")
			} else if strings.HasSuffix(kind, "json") && n.FirstChild != nil && !json.Valid([]byte(n.FirstChild.Data)) {
				r.add(d.path, "", "the %s data is not valid JSON", kind)
			}
		}
	}
}

// metadata checks the head of a page.
func (r *run) metadata(d *document) {
	found := map[string]string{}
	for _, n := range elements(d.root, "html", "title", "meta", "link") {
		switch n.Data {
		case "html":
			found["lang"], _ = attr(n, "lang")
		case "title":
			if n.Parent != nil && n.Parent.Data == "head" {
				found["title"] = words(n)
			}
		case "link":
			if rel, _ := attr(n, "rel"); rel == "canonical" {
				found["canonical"], _ = attr(n, "href")
			}
		case "meta":
			name, _ := attr(n, "name")
			if property, ok := attr(n, "property"); ok {
				name = property
			}
			if charset, ok := attr(n, "charset"); ok {
				name, found["charset"] = "", charset
			}
			if name != "" {
				found[name], _ = attr(n, "content")
			}
		}
	}
	wanted := []string{"lang", "title", "description", "charset", "viewport", "theme-color"}
	if !unlisted(d.path) {
		wanted = append(wanted, "canonical", "og:title", "og:description", "og:url", "og:type", "twitter:card")
	}
	for _, name := range wanted {
		if strings.TrimSpace(found[name]) == "" {
			r.add(d.path, "", "%s is missing in the head", name)
		}
	}
	if want := r.URL + d.path; found["canonical"] != "" && found["canonical"] != want {
		r.add(d.path, "", "the canonical link is %s, the page is %s", found["canonical"], want)
	}
	if found["og:url"] != found["canonical"] {
		r.add(d.path, "", "og:url %s is not the canonical link", found["og:url"])
	}
	if strings.Contains(found["viewport"], "user-scalable") || strings.Contains(found["viewport"], "maximum-scale") {
		r.add(d.path, "", "the viewport keeps readers from zooming")
	}
	if n := len([]rune(found["description"])); n > 200 {
		r.add(d.path, "description", "the description has %d characters: at most 200 are shown", n)
	}
}

// titles reports pages that cannot be told apart in a list.
func (r *run) titles() {
	first := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(r.documents)) {
		for _, n := range elements(r.documents[path].root, "title") {
			if n.Parent == nil || n.Parent.Data != "head" {
				continue
			}
			title := words(n)
			if other, taken := first[title]; taken {
				r.add(path, "title", "has the title of %s: %q", other, title)
			}
			first[title] = path
		}
	}
}

// sitemap compares the sitemap with the pages.
func (r *run) sitemap() {
	var m struct {
		URLs []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(r.Files["/sitemap.xml"], &m); err != nil {
		r.add("/sitemap.xml", "", "cannot be read: %v", err)
		return
	}
	listed := map[string]bool{}
	for _, u := range m.URLs {
		if listed[u.Loc] {
			r.add("/sitemap.xml", "", "lists %s twice", u.Loc)
		}
		listed[u.Loc] = true
		if r.documents[strings.TrimPrefix(u.Loc, r.URL)] == nil {
			r.add("/sitemap.xml", "", "lists %s, which isn't a page", u.Loc)
		}
	}
	for path := range r.documents {
		if !unlisted(path) && !listed[r.URL+path] {
			r.add("/sitemap.xml", "", "does not list %s", path)
		}
	}
}
