package text

import (
	"bytes"
	"errors"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var errMark = errors.New("a marked number is {~said …~}, {~given …~} or {~known …~}, on one line")

// markParser reads a number that somebody vouches for: {~given 2,048~}. It becomes its text.
type markParser struct{}

func (markParser) Trigger() []byte { return []byte{'{'} }

func (markParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("{~")) {
		return nil
	}
	m := BareMark.FindSubmatchIndex(line)
	if m == nil || m[0] != 0 {
		pc.Get(jobKey).(*job).report(segment.Start, errMark)
		return nil
	}
	block.Advance(m[1])
	return ast.NewTextSegment(text.NewSegment(segment.Start+m[4], segment.Start+m[5]))
}

// unmark takes the marks out of a formula.
func unmark(tex string) string { return BareMark.ReplaceAllString(tex, "$2") }
