package text

import (
	"fmt"
	"html"

	"github.com/yuin/goldmark/ast"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// done is a node whose HTML is settled: what numbers, formulas and code become.
type done struct {
	ast.BaseInline
	html string
	asks *Expr // of a number
}

// doneBlock is done as a block.
type doneBlock struct {
	ast.BaseBlock
	html string
}

var (
	kindDone      = ast.NewNodeKind("Done")
	kindDoneBlock = ast.NewNodeKind("DoneBlock")
)

func (*done) Kind() ast.NodeKind                 { return kindDone }
func (n *done) Dump(source []byte, level int)    { ast.DumpHelper(n, source, level, nil, nil) }
func (*doneBlock) Kind() ast.NodeKind            { return kindDoneBlock }
func (*doneBlock) IsRaw() bool                   { return true }
func (n *doneBlock) Dump(source []byte, lvl int) { ast.DumpHelper(n, source, lvl, nil, nil) }

// nodeRenderer writes the nodes that this package adds, and tables in a box that scrolls.
type nodeRenderer struct{}

// RegisterFuncs is goldmark's way to ask which nodes a renderer writes.
func (nodeRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindDone, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(n.(*done).html)
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(kindDoneBlock, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(n.(*doneBlock).html + "\n")
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(table.KindTable, wrap(`<div class="table" tabindex="0" role="group" aria-label="table"><table>`+"\n", "</table></div>\n"))
	r.Register(kindNote, renderNote)
	r.Register(kindBox, renderBox)
	r.Register(kindBoxTitle, renderBoxTitle)
	r.Register(kindFigure, renderFigure)
	r.Register(kindStated, renderStated)
	r.Register(kindWorked, wrap(`<div class="stated-worked">`+"\n", "</div>\n"))
}

// wrap writes fixed text before and behind a node's children.
func wrap(before, behind string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(before)
		} else {
			w.WriteString(behind)
		}
		return ast.WalkContinue, nil
	}
}

// attribute writes ` name="value"`, or nothing for an empty value.
func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(` %s="%s"`, name, html.EscapeString(value))
}

// replace puts a node in another's place.
func replace(old, by ast.Node) {
	parent := old.Parent()
	parent.ReplaceChild(parent, old, by)
}
