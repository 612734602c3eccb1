// A chapter's text becomes HTML.
//
// # The language
//
// CommonMark with GitHub's tables and bare links, definition lists and
// typographic quotes and dashes. Beyond that:
//
//	+++ … +++              front matter in TOML, see [Front]
//	## Title {#id}         every heading has an id set by hand; it gets a link to itself
//	\( … \)                TeX in a line          \[ … \] or $$ … $$    TeX on its own
//	{= field … =}          a number of the engine, see numbers.go; works in text, headings,
//	                       tables, formulas, code spans and code blocks
//	{~given 2,048~}        a number that somebody vouches for, see bare.go; works in text and formulas
//	{~drag context 1024 *2048 4096~}
//	                       a number of the question that a reader can drag, see drag.go
//	```json {hl_lines=[2,"4-5"]}
//	                       code with colours and marked lines
//	text[^1] … [^1]: …     a note; it stands beside the text, so it is one paragraph, used once
//
// Boxes are quotes whose first line says what they are; the rest of that line is a title:
//
//	> [!TAKEAWAY]          a rule with its condition
//	> [!NOTE] What is left out
//	> [!CAUTION]           where a number misleads
//	> [!ANSWER] How many bytes?
//	                       folded; the title is what one opens
//
// A figure is drawn by the engine for a query, and what is inside is its caption:
//
//	::: figure kind=drawing query="model=llama-2-7b&context=4096" id=fig-block
//	One layer, **to scale**: {= parameters.total short =} in all.
//	:::
//
// The keys id and query may be left out; other keys go to the figure as options. Without an id it is
// called after its kind and its option of: accuracy-classes. A figure has a link to itself at the
// end of its caption.
//
// A rule, its words and a worked line are one unit, under an id of its own; rules.go
// has the details, and holds every formula to it:
//
//	::: formula id=eq-head
//	\[ d = \frac{h}{a} \]
//
//	In words: hidden size divided by the number of heads.
//
//	For LLaMA 7B:
//
//	\[ {= config.hidden_size =} / {= config.num_attention_heads =} = {= config.head_dim =} \text{ numbers} \]
//	:::
//
// The numbers of a formula have to come out: where both sides of a sign of equality are numbers, of
// the engine or typed, they are worked out and compared.
//
// Markdown does not see the inside of a formula, but a table does see its bars: write \mid
// or \vert in a table, never |.
//
// # Classes
//
// What a stylesheet has to know, beside those of package maths (maths, formula, glyphs):
//
//	a.anchor                      the link of a heading, figure or formula to itself
//	div.table                     a box that scrolls around each table; align-left, -center, -right on cells
//	pre.chroma                    code; the colours come from generated:code.css
//	div.box.takeaway|note|caution with p.box-title > span.box-word first
//	details.answer > summary      a folded answer
//	figure.figure.KIND > figcaption
//	div.stated > p.stated-words, div.stated-worked
//	                              a rule, its words and its worked line; b.stated-label begins both
//	a.sidenote-mark               the number in the text
//	span.sidenote > span.sidenote-number
//	                              the note behind it: beside the text where there is room, else a block
//	data[data-field][data-query]  a number of the engine
//	span.drag                     a number that can be dragged
//
// # Errors
//
// Every mistake of a file is reported at once, each as file:line: what is wrong. Nothing is
// rendered half: a file with a mistake gives no HTML.

package text

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"

	chroma "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark"
	highlighting "github.com/yuin/goldmark-highlighting/v2"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"llmsize/build/text/maths"
)

// Figures draws figures: kind is the figure's name, query a whole query, options the other
// keys of its directive. The answer is HTML. An error says which kinds or options there are.
type Figures interface {
	Figure(kind, query string, options map[string]string) (string, error)
}

// Renderer renders texts. It is safe for several goroutines.
type Renderer struct {
	Maths   *maths.Renderer
	Numbers Resolver
	Figures Figures

	md goldmark.Markdown
}

// Heading is a heading for a table of contents.
type Heading struct {
	Level int
	ID    string
	HTML  template.HTML // without the link to itself
	Line  int
}

// Document is a rendered text.
type Document struct {
	Front    Front
	HTML     template.HTML
	Headings []Heading
	Glyphs   *maths.Page
}

// NewRenderer makes a renderer from its three sources.
func NewRenderer(m *maths.Renderer, n Resolver, f Figures) *Renderer {
	r := &Renderer{Maths: m, Numbers: n, Figures: f}
	highlight := highlighting.NewHTMLRenderer(highlighting.WithFormatOptions(chroma.WithClasses(true), chroma.WithPreWrapper(pre{})))
	r.md = goldmark.New(
		goldmark.WithExtensions(
			extension.Table, extension.Linkify,
			extension.Footnote, extension.DefinitionList, extension.Typographer,
			passthrough.New(passthrough.Config{
				InlineDelimiters: []passthrough.Delimiters{{Open: `\(`, Close: `\)`}, {Open: `\[`, Close: `\]`}, {Open: "$$", Close: "$$"}},
				BlockDelimiters:  []passthrough.Delimiters{{Open: `\[`, Close: `\]`}, {Open: "$$", Close: "$$"}},
			}),
		),
		goldmark.WithParserOptions(
			parser.WithAttribute(),
			parser.WithBlockParsers(util.Prioritized(boxParser{}, 790), util.Prioritized(directiveParser{}, 795)),
			parser.WithInlineParsers(util.Prioritized(numberParser{}, 150), util.Prioritized(dragParser{}, 151), util.Prioritized(markParser{}, 152)),
			parser.WithASTTransformers(util.Prioritized(resolver{capture(highlight)}, 2000)),
		),
		goldmark.WithRendererOptions(
			html.WithUnsafe(),
			renderer.WithNodeRenderers(util.Prioritized(nodeRenderer{}, 50)),
		),
	)
	return r
}

// Convert renders the text of a file. query is the default for numbers and figures where
// the front matter names none. name is how errors call the file.
func (r *Renderer) Convert(name string, source []byte, query string) (*Document, error) {
	front, body, skipped, err := parseFront(name, source)
	if err != nil {
		return nil, err
	}
	if front.Query != "" {
		query = front.Query
	}
	for key, value := range map[string]*string{"title": &front.Title, "description": &front.Description, "question": &front.Question} {
		filled, err := ReplaceNumbers(*value, r.Numbers, query, Result.Plain)
		if err != nil {
			return nil, fmt.Errorf("%s: front matter: %s: %w", name, key, err)
		}
		*value = BareMark.ReplaceAllString(filled, "$2")
	}
	return r.convert(name, body, skipped, query, front)
}

// Fragment renders a text without front matter, such as a note in a data file.
func (r *Renderer) Fragment(name string, source []byte, query string) (*Document, error) {
	return r.convert(name, source, 0, query, Front{})
}

func (r *Renderer) convert(name string, body []byte, skipped int, query string, front Front) (*Document, error) {
	job := &job{Renderer: r, name: name, source: body, skipped: skipped, query: query, glyphs: &maths.Page{}, ids: map[string]int{}}
	context := parser.NewContext()
	context.Set(jobKey, job)
	doc := r.md.Parser().Parse(text.NewReader(body), parser.WithContext(context))
	if len(job.problems) > 0 {
		return nil, errors.Join(job.problems...)
	}
	var out bytes.Buffer
	if err := r.md.Renderer().Render(&out, body, doc); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Document{Front: front, HTML: template.HTML(out.String()), Headings: job.headings, Glyphs: job.glyphs}, nil
}

// Math renders one formula for a page: what templates use for TeX outside of markdown.
// Numbers in the TeX are filled in.
func (r *Renderer) Math(tex string, display bool, query string, glyphs *maths.Page) (template.HTML, error) {
	tex, err := ReplaceNumbers(tex, r.Numbers, query, Result.TeX)
	if err != nil {
		return "", err
	}
	f, err := r.Maths.Render(tex, display)
	if err != nil {
		return "", err
	}
	return template.HTML(glyphs.Add(f)), nil
}

var jobKey = parser.NewContextKey()

// job is one text on its way.
type job struct {
	*Renderer
	name     string
	source   []byte // without front matter
	skipped  int    // lines of front matter
	query    string
	glyphs   *maths.Page
	headings []Heading
	ids      map[string]int // line of each heading's id
	problems []error
}

// line is the number in the file of the line that holds an offset of the source.
func (j *job) line(offset int) int {
	offset = min(max(offset, 0), len(j.source))
	return j.skipped + 1 + bytes.Count(j.source[:offset], []byte("\n"))
}

// report notes a mistake at an offset of the source.
func (j *job) report(offset int, err error) {
	j.problems = append(j.problems, fmt.Errorf("%s:%d: %w", j.name, j.line(offset), err))
}
