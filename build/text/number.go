package text

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// number is {= … =} in a text, not yet answered.
type number struct {
	ast.BaseInline
	segment text.Segment // what is between the marks
}

var kindNumber = ast.NewNodeKind("Number")

func (*number) Kind() ast.NodeKind              { return kindNumber }
func (n *number) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// numberParser finds expressions before any other syntax can touch their inside.
type numberParser struct{}

func (numberParser) Trigger() []byte { return []byte{'{'} }

func (numberParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte(Open)) {
		return nil
	}
	end := bytes.Index(line[len(Open):], []byte(Close))
	if end < 0 {
		job := pc.Get(jobKey).(*job)
		job.report(segment.Start, errUnclosedNumber)
		return nil
	}
	start := segment.Start + len(Open)
	block.Advance(len(Open) + end + len(Close))
	n := &number{segment: text.NewSegment(start, start+end)}
	n.SetPos(segment.Start)
	return n
}

// number answers an expression.
func (j *job) number(n *number) {
	e, err := ParseNumber(string(n.segment.Value(j.source)))
	if err == nil {
		var result Result
		if result, err = e.Eval(j.Numbers, j.query); err == nil {
			replace(n, &done{html: result.HTML(), asks: &e})
			return
		}
	}
	j.report(n.segment.Start, err)
}

// fill answers the expressions inside a formula or code that starts at an offset.
func (j *job) fill(s string, offset int, write func(Result) string) (string, bool) {
	out, err := ReplaceNumbers(s, j.Numbers, j.query, write)
	if err != nil {
		j.report(offset, err)
		return "", false
	}
	return out, true
}
