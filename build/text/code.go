package text

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	formatter "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
)

// capture takes the one function out of the highlighter's renderer, so that it can be run on
// code in which numbers have been filled in.
func capture(r renderer.NodeRenderer) renderer.NodeRendererFunc {
	var c captured
	r.RegisterFuncs(&c)
	return c.f
}

type captured struct{ f renderer.NodeRendererFunc }

func (c *captured) Register(_ ast.NodeKind, f renderer.NodeRendererFunc) { c.f = f }

// pre opens and closes a coloured block. It can be scrolled, so it takes the keyboard's focus.
type pre struct{}

// Start opens a block; code says whether it holds code.
func (pre) Start(code bool, style string) string {
	if !code {
		return "<pre" + style + ">"
	}
	return `<pre tabindex="0"` + style + "><code>"
}

// End closes what Start opened.
func (pre) End(code bool) string {
	if !code {
		return "</pre>"
	}
	return "</code></pre>"
}

// codeSpan fills numbers into code in a line.
func (j *job) codeSpan(n *ast.CodeSpan) {
	var b strings.Builder
	start := -1
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			if start < 0 {
				start = t.Segment.Start
			}
			b.Write(t.Segment.Value(j.source))
		}
	}
	if !strings.Contains(b.String(), Open) {
		return
	}
	if code, ok := j.fill(b.String(), start, Result.Plain); ok {
		replace(n, &done{html: "<code>" + html.EscapeString(code) + "</code>"})
	}
}

// codeBlock fills numbers into a block of code and colours it.
func (j *job) codeBlock(n *ast.FencedCodeBlock, highlight renderer.NodeRendererFunc) {
	var code strings.Builder
	start := n.Pos()
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		if i == 0 {
			start = line.Start
		}
		code.Write(line.Value(j.source))
	}
	info := "text"
	if n.Info != nil {
		info = string(n.Info.Segment.Value(j.source))
		start = n.Info.Segment.Start
	}
	language, _, _ := strings.Cut(info, " ")
	language, _, _ = strings.Cut(language, "{")
	if lexers.Get(language) == nil {
		j.report(start, fmt.Errorf("the highlighter knows no language %q; plain text is text", language))
		return
	}
	filled, ok := j.fill(code.String(), start, Result.Plain)
	if !ok {
		return
	}
	// The highlighter reads a node of a source: it gets one made for it.
	source := []byte(info + "\n" + filled)
	block := ast.NewFencedCodeBlock(ast.NewTextSegment(text.NewSegment(0, len(info))))
	for at := len(info) + 1; at < len(source); {
		end := bytes.IndexByte(source[at:], '\n')
		if end < 0 {
			end = len(source) - at - 1
		}
		block.Lines().Append(text.NewSegment(at, at+end+1))
		at += end + 1
	}
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	if _, err := highlight(w, source, block, true); err != nil {
		j.report(start, err)
		return
	}
	w.Flush()
	replace(n, &doneBlock{html: out.String()})
}

// codeToken is a rule for a kind of word. The ground, marked lines and their numbers are the site's.
var codeToken = regexp.MustCompile(`^\.chroma \.(?:[a-gi-z]|h[^l])\w* \{ (?:color|font|text)`)

//go:embed markdown.css
var arrangement string

// CSS is the stylesheet of what this package writes: how boxes, notes, tables and anchors are
// arranged, and the colours of code, light by default, dark where the reader's system or the page's
// data-theme says so.
func CSS() (string, error) {
	var b strings.Builder
	b.WriteString(arrangement)
	write := func(name string) (string, error) {
		var css bytes.Buffer
		style := styles.Get(name)
		// The ground and the plain ink are the site's.
		style, err := style.Builder().Add(chroma.Background, "").Build()
		if err != nil {
			return "", err
		}
		if err := formatter.New(formatter.WithClasses(true), formatter.WithCSSComments(false)).WriteCSS(&css, style); err != nil {
			return "", err
		}
		var tokens strings.Builder
		for rule := range strings.Lines(css.String()) {
			if codeToken.MatchString(rule) {
				tokens.WriteString(rule)
			}
		}
		return tokens.String(), nil
	}
	light, err := write("github")
	if err != nil {
		return "", fmt.Errorf("code colours: %w", err)
	}
	dark, err := write("github-dark")
	if err != nil {
		return "", fmt.Errorf("code colours: %w", err)
	}
	b.WriteString(light)
	// What the dark colours do not name would keep its light one.
	dark = ".chroma span { color: inherit }\n" + dark
	fmt.Fprintf(&b, "@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) {\n%s} }\n", dark)
	fmt.Fprintf(&b, "@media screen { :root[data-theme=dark] {\n%s} }\n", dark)
	return b.String(), nil
}
