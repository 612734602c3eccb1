package text

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// directive is a part of the text between colons.
type directive struct {
	ast.BaseBlock
	head   string // what is behind the colons
	at     int
	closed bool
}

func (d *directive) close() { d.closed = true }

// figure is a ::: figure; its children are the caption.
type figure struct {
	directive
	id      string
	kind    string
	query   string
	options map[string]string // the other keys
	content string            // from the engine
}

var kindFigure = ast.NewNodeKind("Figure")

func (*figure) Kind() ast.NodeKind              { return kindFigure }
func (n *figure) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

var colons = []byte(":::")

type directiveParser struct{}

func (directiveParser) Trigger() []byte { return []byte{':'} }

func (directiveParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	head, ok := bytes.CutPrefix(line, colons)
	if !ok || len(bytes.TrimSpace(head)) == 0 {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	d := directive{head: string(bytes.TrimSpace(head)), at: segment.Start}
	if name, _, _ := strings.Cut(d.head, " "); name == "formula" {
		return &stated{directive: d}, parser.HasChildren
	}
	return &figure{directive: d}, parser.HasChildren
}

func (directiveParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if bytes.Equal(bytes.TrimSpace(line), colons) {
		node.(interface{ close() }).close()
		reader.AdvanceToEOL()
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

func (directiveParser) Close(ast.Node, text.Reader, parser.Context) {}
func (directiveParser) CanInterruptParagraph() bool                 { return true }
func (directiveParser) CanAcceptIndentedLine() bool                 { return false }

var option = regexp.MustCompile(`^([a-z][a-z0-9-]*)=(?:"([^"]*)"|(\S+))(?:\s+|$)`)

// parseOptions reads key=value and key="a value" up to the end.
func parseOptions(s string) (map[string]string, error) {
	options := map[string]string{}
	for s = strings.TrimSpace(s); s != ""; {
		m := option.FindStringSubmatch(s)
		if m == nil {
			return nil, fmt.Errorf("%q is not key=value or key=\"a value\"", s)
		}
		if _, twice := options[m[1]]; twice {
			return nil, fmt.Errorf("%s is given twice", m[1])
		}
		options[m[1]] = m[2] + m[3]
		s = s[len(m[0]):]
	}
	return options, nil
}

// figure asks for the drawing.
func (j *job) figure(n *figure) {
	if err := j.draw(n); err != nil {
		j.report(n.at, err)
	}
}

func (j *job) draw(n *figure) error {
	name, rest, _ := strings.Cut(n.head, " ")
	if name != "figure" {
		return fmt.Errorf("::: %s isn't a directive: there are ::: figure and ::: formula", name)
	}
	if !n.closed {
		return errors.New("the figure is not closed by a line :::")
	}
	options, err := parseOptions(rest)
	if err != nil {
		return fmt.Errorf("::: figure: %w", err)
	}
	n.kind, n.id = options["kind"], options["id"]
	if n.kind == "" {
		return errors.New("::: figure: kind=… is missing")
	}
	if n.id == "" { // a figure of its kind that is alone on its page
		n.id = strings.TrimSuffix(n.kind+"-"+options["of"], "-")
	}
	if err := j.claim(n.id, n.at, "figure"); err != nil {
		return err
	}
	n.link()
	n.query = Overlay(j.query, strings.FieldsFunc(options["query"], func(r rune) bool { return r == '&' })...)
	maps.DeleteFunc(options, func(key, _ string) bool { return slices.Contains([]string{"kind", "id", "query"}, key) })
	n.options = options
	n.content, err = j.Figures.Figure(n.kind, n.query, options)
	if err != nil {
		return fmt.Errorf("::: figure kind=%s query=%q: %w", n.kind, n.query, err)
	}
	return nil
}

// claim takes an id for a part of the text.
func (j *job) claim(id string, at int, what string) error {
	if first, taken := j.ids[id]; taken {
		return fmt.Errorf("the id %q is taken in line %d: give the %s one by id=…", id, first, what)
	}
	j.ids[id] = j.line(at)
	return nil
}

// link ends the caption with the figure's link to itself.
func (n *figure) link() {
	mark := anchor(n.id, "figure")
	if last := n.LastChild(); last != nil && ast.IsParagraph(last) {
		last.AppendChild(last, mark)
		return
	}
	p := ast.NewParagraph()
	p.AppendChild(p, mark)
	n.AppendChild(n, p)
}

func renderFigure(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*figure)
	if entering {
		fmt.Fprintf(w, "<figure class=\"figure %s\"%s%s%s>\n%s\n<figcaption>\n", n.kind, attribute("id", n.id), attribute("data-kind", n.kind), attribute("data-query", n.query), n.content)
	} else {
		w.WriteString("</figcaption>\n</figure>\n")
	}
	return ast.WalkContinue, nil
}
