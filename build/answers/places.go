package answers

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

var titleLine = regexp.MustCompile(`(?m)^title = "(.+)"$`)

// place writes a link to a page of the book, called by the page's title, or to a model's page.
func (r *Reference) place(p *page, address string) error {
	path, _, _ := strings.Cut(address, "#")
	slug := strings.Trim(path, "/")
	for _, folder := range []string{"chapters", "pages"} {
		text, err := fs.ReadFile(r.Content, folder+"/"+slug+".md")
		if err != nil {
			continue
		}
		m := titleLine.FindSubmatch(text)
		if m == nil {
			return fmt.Errorf("content/%s/%s.md has no title", folder, slug)
		}
		p.raw(`<a href="`).text(address).raw(`">`).text(string(m[1])).raw(`</a>`)
		return nil
	}
	if name, ok := strings.CutPrefix(slug, "models/"); ok {
		if m, ok := r.Catalogue.Find(name); ok && m.Slug == name {
			p.raw(`<a href="`).text(address).raw(`">`).text(m.Name).raw(`</a>`)
			return nil
		}
	}
	return fmt.Errorf("%s isn't a chapter, a page or a model", address)
}
