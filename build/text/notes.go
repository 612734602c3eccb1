package text

import (
	"errors"
	"fmt"

	"github.com/yuin/goldmark/ast"
	notes "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// note is a footnote in the place of its reference, to stand beside the text.
type note struct {
	ast.BaseInline
	index int
}

var kindNote = ast.NewNodeKind("Note")

func (*note) Kind() ast.NodeKind              { return kindNote }
func (n *note) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// placeNotes moves the text of every footnote to where it is referred to, and drops the list.
func (j *job) placeNotes(doc *ast.Document, links []*notes.FootnoteLink) {
	list, ok := doc.LastChild().(*notes.FootnoteList)
	if !ok {
		return
	}
	text := map[int]*notes.Footnote{}
	for c := list.FirstChild(); c != nil; c = c.NextSibling() {
		text[c.(*notes.Footnote).Index] = c.(*notes.Footnote)
	}
	for _, link := range links {
		foot := text[link.Index]
		paragraph := foot.FirstChild()
		at := foot.Pos()
		if ast.IsParagraph(paragraph) && paragraph.Lines().Len() > 0 {
			at = paragraph.Lines().At(0).Start
		}
		switch {
		case link.RefCount > 1:
			if link.RefIndex == 0 {
				j.report(at, fmt.Errorf("the note %s is referred to %d times: it stands beside one place", foot.Ref, link.RefCount))
			}
			continue
		case !ast.IsParagraph(paragraph) || paragraph.NextSibling() != nil:
			j.report(at, errors.New("a note is one paragraph without displayed formulas: it stands beside a line"))
			continue
		}
		n := &note{index: link.Index}
		for c := paragraph.FirstChild(); c != nil; {
			next := c.NextSibling()
			if _, back := c.(*notes.FootnoteBacklink); !back {
				n.AppendChild(n, c)
			}
			c = next
		}
		replace(link, n)
	}
	doc.RemoveChild(doc, list)
}

func renderNote(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*note)
	if entering {
		fmt.Fprintf(w, `<a class="sidenote-mark" id="note-mark-%d" href="#note-%d" role="doc-noteref" aria-label="Note %d">%d</a>`, n.index, n.index, n.index, n.index)
		fmt.Fprintf(w, `<span class="sidenote" id="note-%d" role="note"><span class="sidenote-number" aria-hidden="true">%d</span> `, n.index, n.index)
	} else {
		w.WriteString("</span>")
	}
	return ast.WalkContinue, nil
}
