package text

import (
	"bytes"
	"fmt"
	"html/template"

	"github.com/yuin/goldmark/ast"
)

// heading checks a heading's id, notes it for the contents and gives it a link to itself.
func (j *job) heading(n *ast.Heading) {
	at := n.Pos()
	if n.Lines().Len() > 0 {
		at = n.Lines().At(0).Start
	}
	value, ok := n.AttributeString("id")
	raw, isText := value.([]byte)
	if !ok || !isText || len(raw) == 0 {
		j.report(at, fmt.Errorf("the heading has no id: end its line with {#short-name}"))
		return
	}
	id := string(raw)
	if first, taken := j.ids[id]; taken {
		j.report(at, fmt.Errorf("the id %q is taken by the heading of line %d", id, first))
		return
	}
	j.ids[id] = j.line(at)
	if n.Level == 1 {
		j.report(at, fmt.Errorf("a heading of the first level is the page's title, from front matter: write ##"))
		return
	}
	if len(j.problems) > 0 {
		return // parts of the heading may not be settled
	}
	var out bytes.Buffer
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if err := j.md.Renderer().Render(&out, j.source, c); err != nil {
			j.report(at, err)
			return
		}
	}
	j.headings = append(j.headings, Heading{Level: n.Level, ID: id, HTML: template.HTML(out.String()), Line: j.line(at)})
	n.AppendChild(n, &done{html: fmt.Sprintf(` <a class="anchor" href="#%s" aria-label="Link to this section">#</a>`, id)})
}
