// Numbers of a question that a reader can drag.
//
//	{~drag context 1024 2048 4096 *8192 16384~}      8,192, which goes from 1,024 to 16,384
//	{~drag weights fp32 *auto=bf16 q4_k_m=Q4_K_M~}   a value, and behind = how the text writes it
//
// A key of the query and its values in order; the star marks the one that the text is written with, which the query has to ask
// for. What follows are the engine's numbers of the same paragraph. In a figure's caption it is all of the caption, and the figure.
//
// Everything is worked out when the site is built, for each value: dragging loads no counting program. The paragraph ends in
// what its script needs,
//
//	<script type="application/json" data-scrub>{"drag": [{"label": …, "key": …, "values": […], "shown": […], "at": 3}], "numbers": [[…]], "figure": […]}</script>
//
// where numbers are the texts of the paragraph's <data> elements, and of [data-follows] for fields in words, in order, and figure is what is before the caption, each for
// every combination of the dragged values, of which the last changes fastest; null where a number follows none of them. A figure
// that is a calculator has none: the script asks it (site/scripts/scrub.js). Without script a dragged number is a number.

package text

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"llmsize/core/query"
	"llmsize/core/units"
)

// dragMark is the syntax of a dragged number.
var dragMark = regexp.MustCompile(`\{~drag ([^~\n]+)~\}`)

// mostDragged is how many combinations a paragraph's dragged numbers may have: each is worked out when the site is built.
const mostDragged = 100

// dragged is a number that can be dragged.
type dragged struct {
	ast.BaseInline
	at     int
	Label  string   `json:"label"` // what its key means
	Key    string   `json:"key"`
	Values []string `json:"values"` // as a query has them
	Shown  []string `json:"shown"`  // as the text has them
	At     int      `json:"at"`     // the one that the text is written with
}

var kindDragged = ast.NewNodeKind("Dragged")

func (*dragged) Kind() ast.NodeKind              { return kindDragged }
func (n *dragged) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// parseDrag reads what is behind "drag".
func parseDrag(s string) (*dragged, error) {
	words := strings.Fields(s)
	n := &dragged{Key: words[0], At: -1}
	p, ok := query.ParamNamed(n.Key)
	if !ok {
		return nil, fmt.Errorf("{~drag %s~}: %q isn't a key of a query", s, n.Key)
	}
	n.Label = query.Meaning(p)
	for i, word := range words[1:] {
		if start, ok := strings.CutPrefix(word, "*"); ok {
			if n.At >= 0 {
				return nil, fmt.Errorf("{~drag %s~}: two values have a star", s)
			}
			n.At, word = i, start
		}
		value, shown, ok := strings.Cut(word, "=")
		if whole, err := strconv.ParseInt(value, 10, 64); !ok && err == nil {
			shown = units.Group(whole)
		} else if !ok {
			shown = value
		}
		n.Values, n.Shown = append(n.Values, value), append(n.Shown, shown)
	}
	if n.At < 0 || len(n.Values) < 3 {
		return nil, fmt.Errorf("{~drag %s~}: it takes three values at least, and a star at the one that the text is written with", s)
	}
	return n, nil
}

// dragParser reads dragged numbers.
type dragParser struct{}

func (dragParser) Trigger() []byte { return []byte{'{'} }

func (dragParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	m := dragMark.FindSubmatchIndex(line)
	if m == nil || m[0] != 0 {
		return nil
	}
	n, err := parseDrag(string(line[m[2]:m[3]]))
	if err != nil {
		pc.Get(jobKey).(*job).report(segment.Start, err)
		return nil
	}
	n.at = segment.Start
	block.Advance(m[1])
	return n
}

// scope is what follows the dragged numbers of a paragraph, or of a figure's caption.
type scope struct {
	block   ast.Node
	figure  *figure
	drags   []*dragged
	numbers []*done
}

// drags works out everything that follows a dragged number.
func (j *job) drags(doc ast.Node) {
	var scopes []*scope
	of := map[ast.Node]*scope{}
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if d, ok := n.(*dragged); ok && entering {
			s := &scope{}
			for s.block = d.Parent(); s.block.Type() != ast.TypeBlock; {
				s.block = s.block.Parent()
			}
			for up := s.block; up != nil && s.figure == nil; up = up.Parent() {
				s.figure, _ = up.(*figure)
			}
			if s.figure != nil {
				s.block = s.figure
			}
			if of[s.block] == nil {
				of[s.block] = s
				scopes = append(scopes, s)
			}
			of[s.block].drags = append(of[s.block].drags, d)
		}
		return ast.WalkContinue, nil
	})
	for _, s := range scopes {
		ast.Walk(s.block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if d, ok := n.(*done); ok && entering && d.asks != nil {
				s.numbers = append(s.numbers, d)
			}
			return ast.WalkContinue, nil
		})
		if err := j.follow(s); err != nil {
			j.report(s.drags[0].at, err)
		}
	}
}

// follow answers what follows the dragged numbers of a scope, for each of their values.
func (j *job) follow(s *scope) error {
	combinations := 1
	for _, d := range s.drags {
		combinations *= len(d.Values)
	}
	if combinations > mostDragged {
		return fmt.Errorf("the dragged numbers here have %d combinations, more than %d", combinations, mostDragged)
	}
	out := struct {
		Drag    []*dragged `json:"drag"`
		Numbers [][]string `json:"numbers"`
		Figure  []string   `json:"figure,omitempty"`
	}{Drag: s.drags, Numbers: make([][]string, len(s.numbers))}
	for _, n := range s.numbers {
		if !strings.HasPrefix(n.html, "<data") { // a field in words
			n.html = "<span data-follows>" + n.html + "</span>"
		}
	}
	drawn := s.figure != nil && s.figure.kind != "calculator"
	follows := false
	for c := range combinations {
		var keys []string
		start := true
		for i, left := len(s.drags)-1, c; i >= 0; i-- {
			d := s.drags[i]
			at := left % len(d.Values)
			left /= len(d.Values)
			keys = append(keys, d.Key+"="+d.Values[at])
			start = start && at == d.At
		}
		for i, n := range s.numbers {
			r, err := n.asks.Eval(j.Numbers, Overlay(j.query, keys...))
			if err != nil {
				return err
			}
			text := r.inside()
			if start && !strings.Contains(n.html, ">"+text+"<") {
				return fmt.Errorf("with %s it is %s, but the text has %s: the star stands at another value than the query's", strings.Join(keys, " and "), text, n.html)
			}
			out.Numbers[i] = append(out.Numbers[i], text)
		}
		if drawn {
			content, err := j.Figures.Figure(s.figure.kind, Overlay(s.figure.query, keys...), s.figure.options)
			if err != nil {
				return fmt.Errorf("the figure with %s: %w", strings.Join(keys, " and "), err)
			}
			if start && content != s.figure.content {
				return fmt.Errorf("with %s the figure is another: the star stands at another value than the figure's query", strings.Join(keys, " and "))
			}
			out.Figure = append(out.Figure, content)
		}
	}
	for i, texts := range out.Numbers {
		if len(slices.Compact(slices.Clone(texts))) == 1 {
			out.Numbers[i] = nil
		} else {
			follows = true
		}
	}
	if len(slices.Compact(slices.Clone(out.Figure))) == 1 {
		out.Figure = nil
	}
	if !follows && out.Figure == nil && (s.figure == nil || drawn) {
		return errors.New("nothing follows the dragged number: no number of its paragraph or caption, and no figure, changes with it")
	}
	data, err := json.Marshal(out) // no "<" is left in it, which could end the script
	if err != nil {
		return err
	}
	for _, d := range s.drags {
		replace(d, &done{html: `<span class="drag">` + html.EscapeString(d.Shown[d.At]) + `</span>`})
	}
	last := s.block
	for !ast.IsParagraph(last) && last.Kind() != ast.KindTextBlock {
		last = last.LastChild()
	}
	last.AppendChild(last, &done{html: `<script type="application/json" data-scrub>` + string(data) + `</script>`})
	return nil
}
