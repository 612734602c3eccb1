package text

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// box is a quote that starts with a marker.
type box struct {
	ast.BaseBlock
	name string
	at   int
}

// boxTitle is the first line of a box, behind the marker.
type boxTitle struct {
	ast.BaseBlock
	word string // what the kind of box is called
}

var (
	kindBox      = ast.NewNodeKind("Box")
	kindBoxTitle = ast.NewNodeKind("BoxTitle")
)

func (*box) Kind() ast.NodeKind                   { return kindBox }
func (n *box) Dump(source []byte, level int)      { ast.DumpHelper(n, source, level, nil, nil) }
func (*boxTitle) Kind() ast.NodeKind              { return kindBoxTitle }
func (n *boxTitle) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// boxWords are the kinds of boxes and what a reader sees as their name.
var boxWords = map[string]string{"TAKEAWAY": "Takeaway", "NOTE": "Note", "CAUTION": "Caution", "ANSWER": "Answer", guessBox: "Show the answer"}

// guessBox is an answer that the reader first guesses: its title is the answer, so it is folded away with the
// rest, and the script guess.js sets the guess beside the title's first number.
const guessBox = "GUESS"

var boxMarker = regexp.MustCompile(`^ {0,3}> ?\[!([A-Za-z]+)\][ \t]*(.*?)[ \t]*\n?$`)

// quote is goldmark's own parser: a box goes on as long as a quote would.
var quote = parser.NewBlockquoteParser()

type boxParser struct{}

func (boxParser) Trigger() []byte { return []byte{'>'} }

func (boxParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	m := boxMarker.FindSubmatchIndex(line)
	if m == nil {
		return nil, parser.NoChildren
	}
	name := string(line[m[2]:m[3]])
	n := &box{name: name, at: segment.Start}
	title := &boxTitle{word: boxWords[name]}
	if m[5] > m[4] {
		title.Lines().Append(text.NewSegment(segment.Start+m[4], segment.Start+m[5]))
	}
	n.AppendChild(n, title)
	reader.AdvanceToEOL()
	return n, parser.HasChildren
}

func (boxParser) Continue(n ast.Node, reader text.Reader, pc parser.Context) parser.State {
	return quote.Continue(n, reader, pc)
}

func (boxParser) Close(ast.Node, text.Reader, parser.Context) {}
func (boxParser) CanInterruptParagraph() bool                 { return true }
func (boxParser) CanAcceptIndentedLine() bool                 { return false }

// box checks that the kind is one of ours.
func (j *job) box(n *box) {
	if boxWords[n.name] == "" {
		j.report(n.at, fmt.Errorf("[!%s] isn't a box: there are TAKEAWAY, NOTE, CAUTION, ANSWER and GUESS", n.name))
	}
}

func renderBox(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*box)
	if n.name == "ANSWER" || n.name == guessBox {
		if entering && n.name == guessBox {
			w.WriteString(`<details class="answer" data-guess>` + "\n")
		} else if entering {
			w.WriteString(`<details class="answer">` + "\n")
		} else {
			w.WriteString("</details>\n")
		}
		return ast.WalkContinue, nil
	}
	if entering {
		fmt.Fprintf(w, `<div class="box %s" role="note" aria-label="%s">`+"\n", strings.ToLower(n.name), html.EscapeString(boxWords[n.name]))
	} else {
		w.WriteString("</div>\n")
	}
	return ast.WalkContinue, nil
}

func renderBoxTitle(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*boxTitle)
	folded := n.word == boxWords["ANSWER"] || n.word == boxWords[guessBox]
	switch {
	case folded && entering: // the title says the answer, so it is folded away too
		w.WriteString("<summary>" + n.word + "</summary>\n")
		if n.HasChildren() {
			w.WriteString(`<p class="guessed"><b>`)
		}
	case folded:
		if n.HasChildren() {
			w.WriteString("</b></p>\n")
		}
	case entering:
		fmt.Fprintf(w, `<p class="box-title"><span class="box-word">%s</span>`, n.word)
		if n.HasChildren() {
			w.WriteString(" ")
		}
	default:
		w.WriteString("</p>\n")
	}
	return ast.WalkContinue, nil
}
