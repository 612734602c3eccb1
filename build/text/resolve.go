package text

import (
	"errors"
	"regexp"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
)

var (
	errUnclosedNumber  = errors.New("{= is not closed by =} on its line")
	errUnclosedFormula = errors.New(`a formula is not closed, or not opened: inside a table a bar ends the cell (write \mid); a bracket that isn't a formula is \\( or \\[`)
)

// resolver runs when goldmark has built the tree. It turns every node that needs the
// engine, MathJax or the highlighter into settled HTML: all mistakes come to light here, with
// their lines, before anything is written.
type resolver struct {
	highlight renderer.NodeRendererFunc
}

// Transform is goldmark's hook.
func (r resolver) Transform(doc *ast.Document, _ text.Reader, pc parser.Context) {
	job := pc.Get(jobKey).(*job)
	// The tree changes under way, so the nodes are collected first. A heading comes behind what it holds.
	var nodes []ast.Node
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			nodes = append(nodes, n)
		}
		return ast.WalkContinue, nil
	})
	var links []*extension.FootnoteLink
	for _, n := range nodes {
		switch n := n.(type) {
		case *number:
			job.number(n)
		case *passthrough.PassthroughInline:
			job.formula(n, n.Segment, n.Delimiters, false)
		case *passthrough.PassthroughBlock:
			job.formula(n, n.Lines().At(0), n.Delimiters, true)
		case *ast.CodeSpan:
			job.codeSpan(n)
		case *ast.FencedCodeBlock:
			job.codeBlock(n, r.highlight)
		case *ast.Heading:
			job.heading(n)
		case *box:
			job.box(n)
		case *figure:
			job.figure(n)
		case *stated:
			job.stated(n)
		case *extension.FootnoteLink:
			links = append(links, n)
		case *extension.TableCell:
			align(n)
		case *ast.Text:
			job.strayFormula(n)
		}
	}
	job.drags(doc)
	job.placeNotes(doc, links)
}

// align says a column's alignment by a class; goldmark would write a style attribute.
func align(n *extension.TableCell) {
	if n.Alignment != extension.AlignNone {
		n.SetAttributeString("class", []byte("align-"+n.Alignment.String()))
		n.Alignment = extension.AlignNone
	}
}

var formulaMark = regexp.MustCompile(`(?:^|[^\\])(?:\\[()\[\]]|\$\$)`)

// strayFormula finds the mark of a formula that was not read as one. Markdown would drop its backslash.
func (j *job) strayFormula(n *ast.Text) {
	if at := formulaMark.FindIndex(n.Segment.Value(j.source)); at != nil {
		j.report(n.Segment.Start+at[0], errUnclosedFormula)
	}
}
