package text

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// stated is a ::: formula directive: symbols, words and a worked line as one unit. Package
// threeways says what has to be in it.
type stated struct {
	directive
	id string
}

// worked is what follows the words.
type worked struct{ ast.BaseBlock }

var (
	kindStated = ast.NewNodeKind("Stated")
	kindWorked = ast.NewNodeKind("Worked")
)

func (*stated) Kind() ast.NodeKind              { return kindStated }
func (n *stated) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
func (*worked) Kind() ast.NodeKind              { return kindWorked }
func (n *worked) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// inWords is how the words begin.
const inWords = "In words:"

// stated takes the directive's id and labels its parts.
func (j *job) stated(n *stated) {
	if err := j.place(n); err != nil {
		j.report(n.at, err)
		return
	}
	var words *ast.Paragraph
	rest := &worked{}
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		switch {
		case words != nil:
			rest.AppendChild(rest, c)
		case begins(c, j.source):
			words = c.(*ast.Paragraph)
		}
		c = next
	}
	if words == nil {
		return
	}
	words.SetAttributeString("class", []byte("stated-words"))
	first := words.FirstChild().(*ast.Text)
	first.Segment.Start += len(inWords)
	first.Segment = first.Segment.TrimLeftSpace(j.source)
	words.InsertBefore(words, first, label(inWords))
	words.AppendChild(words, anchor(n.id, "formula"))
	if rest.HasChildren() {
		p, isText := rest.FirstChild().(*ast.Paragraph)
		if !isText {
			p = ast.NewParagraph()
			rest.InsertBefore(rest, rest.FirstChild(), p)
			p.AppendChild(p, label("Worked:"))
		} else {
			p.InsertBefore(p, p.FirstChild(), label("Worked:"))
		}
		n.AppendChild(n, rest)
	}
}

func (j *job) place(n *stated) error {
	_, rest, _ := strings.Cut(n.head, " ")
	options, err := parseOptions(rest)
	switch {
	case err != nil:
		return fmt.Errorf("::: formula: %w", err)
	case len(options) != 1 || options["id"] == "":
		return errors.New("::: formula takes an id and nothing else: ::: formula id=eq-short-name")
	case !n.closed:
		return errors.New("the formula is not closed by a line :::")
	}
	n.id = options["id"]
	return j.claim(n.id, n.at, "formula")
}

// begins reports a paragraph that is the words.
func begins(n ast.Node, source []byte) bool {
	t, ok := n.FirstChild().(*ast.Text)
	return ok && ast.IsParagraph(n) && strings.HasPrefix(string(t.Segment.Value(source)), inWords)
}

func label(words string) ast.Node {
	return &done{html: `<b class="stated-label">` + words + "</b> "}
}

// anchor is a link of a part of the page to itself.
func anchor(id, what string) ast.Node {
	return &done{html: fmt.Sprintf(` <a class="anchor" href="#%s" aria-label="Link to this %s">#</a>`, id, what)}
}

func renderStated(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprintf(w, `<div class="stated"%s role="group" aria-label="Formula, in words, worked">`+"\n", attribute("id", node.(*stated).id))
	} else {
		w.WriteString("</div>\n")
	}
	return ast.WalkContinue, nil
}
