package text

import (
	"regexp"
	"strings"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

var quoteMark = regexp.MustCompile(`\n[ \t]*>[ \t]?`)

// formula renders TeX, numbers filled in.
func (j *job) formula(n ast.Node, segment text.Segment, marks *passthrough.Delimiters, display bool) {
	tex := string(segment.Value(j.source))
	tex = tex[len(marks.Open) : len(tex)-len(marks.Close)]
	// A formula over several lines of a quote holds the quote's marks.
	for p := n.Parent(); p != nil; p = p.Parent() {
		_, isBox := p.(*box)
		if isBox || p.Kind() == ast.KindBlockquote {
			tex = quoteMark.ReplaceAllString(tex, "\n")
		}
	}
	tex, ok := j.fill(unmark(tex), segment.Start, Result.TeX)
	if !ok {
		return
	}
	if err := Adds(tex); err != nil {
		j.report(segment.Start, err)
		return
	}
	f, err := j.Maths.Render(tex, display)
	if err != nil {
		j.report(segment.Start+strings.Index(string(segment.Value(j.source)), strings.TrimSpace(tex)), err)
		return
	}
	html := j.glyphs.Add(f)
	if display {
		replace(n, &doneBlock{html: html})
	} else {
		replace(n, &done{html: html})
	}
}
