package text

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"llmsize/build/text/maths"
)

// engine stands for the counting engine: one model, a few fields.
type engine struct{}

func (engine) Number(query, field string) (Value, error) {
	if !strings.Contains(query, "model=known") {
		return Value{}, fmt.Errorf("no such model in %q", query)
	}
	switch field {
	case "parameters.total":
		return Value{Int: 8_030_261_248, Unit: Params}, nil
	case "layers":
		return Value{Int: 32}, nil
	}
	return Value{}, fmt.Errorf("no field %q", field)
}

func (engine) Figure(kind, query string, options map[string]string) (string, error) {
	if kind != "drawing" {
		return "", errors.New("the only kind is drawing")
	}
	return fmt.Sprintf("<svg data-asked=%q data-scale=%q></svg>", query, options["scale"]), nil
}

func newParser(t testing.TB) *Renderer {
	t.Helper()
	modules := filepath.Join("..", "..", "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "@mathjax/src/package.json")); err != nil {
		t.Fatal("MathJax is not installed, run `npm ci`:", err)
	}
	m, err := maths.New(modules, "")
	if err != nil {
		t.Fatal(err)
	}
	return NewRenderer(m, engine{}, engine{})
}

const front = `+++
title = "Counting"
description = "How parameters are counted."
question = "How many parameters?"
order = 2
date = 2026-11-01
checked = 2026-11-20
query = "v=1&model=known"
[[sources]]
title = "A paper"
url = "https://example.org/paper"
+++
`

// frontLines is how many lines stand before the first of a text.
var frontLines = strings.Count(front, "\n")

const total = `<data value="8030261248" data-field="parameters.total" data-query="v=1&amp;model=known">8,030,261,248</data>`

func TestConvert(t *testing.T) {
	r := newParser(t)
	for _, c := range []struct {
		name, text string
		want       []string // in this order
		not        []string
	}{
		{"number in prose, with quotes around", `It has "{= parameters.total =}" -- all`, []string{"&ldquo;" + total + "&rdquo;", "&ndash;"}, nil},
		{"number in a table", "| a | b |\n|---|---|\n| x | {= parameters.total =} |", []string{`<div class="table" tabindex="0"`, "<td>" + total + "</td>", "</table></div>"}, nil},
		{"aligned column", "| a |\n|--:|\n| x |", []string{`<th class="align-right">a</th>`, `<td class="align-right">x</td>`}, []string{"style="}},
		{"number in a code span", "`N = {= layers =} < 33`", []string{"<code>N = 32 &lt; 33</code>"}, nil},
		{"number in code", "```python\nn = {= parameters.total plain =}\nm = 1\n```", []string{`<pre tabindex="0" class="chroma">`, "8030261248"}, []string{"{="}},
		{"marked lines", "```json {hl_lines=[2]}\n{\n \"a\": 1\n}\n```", []string{`class="line hl"`}, nil},
		{"number in a formula", `\(N = {= parameters.total =}\)`, []string{"<mn>8,030,261,248</mn>"}, nil},
		{"a sum that comes out", "\\(2 \\times {= layers =} = 64\\)", []string{"<mn>64</mn>"}, nil},
		{"number with its own key", "{= layers batch=2 =}", []string{`data-query="v=1&amp;model=known&amp;batch=2">32<`}, nil},
		{"formula in a line", `so \(x_1 < y_2\) holds`, []string{"<p>so <span class=\"maths\">", "</span> holds</p>"}, []string{"<em>"}},
		{"formula on its own", "before\n\n$$\nx = 1\n$$\n\nafter", []string{"<p>before</p>", `<div class="formula">`, "<p>after</p>"}, []string{"<p><div"}},
		{"formula inside a paragraph", "before\n\\[ x = 1 \\]\nafter", []string{"<p>before", "</p>", `<div class="formula">`, "after</p>"}, nil},
		{"formula over lines of a box", "> [!NOTE]\n> $$\n> x\n> = 1\n> $$", []string{`<div class="box note" role="note" aria-label="Note">`, `<div class="formula">`}, []string{"&gt;"}},
		{"heading", "## Memory of {= layers =} layers {#memory}", []string{`<h2 id="memory">Memory of <data`, `<a class="anchor" href="#memory"`, "</h2>"}, nil},
		{"takeaway", "> [!TAKEAWAY]\n> Twelve *times*.", []string{`<div class="box takeaway"`, `<p class="box-title"><span class="box-word">Takeaway</span></p>`, "<p>Twelve <em>times</em>.</p>", "</div>"}, nil},
		{"box with a title", "> [!NOTE] Not {= layers =}\n> text", []string{`<span class="box-word">Note</span> Not <data`, "<p>text</p>"}, nil},
		{"answer", "> [!ANSWER] How \\(N\\)?\n> Like\n>\n> this.", []string{"<details class=\"answer\">", "<summary>Answer</summary>", "<p class=\"guessed\"><b>How <span class=\"maths\">", "</b></p>", "<p>Like</p>", "<p>this.</p>", "</details>"}, nil},
		{"guess", "> [!GUESS] 3 tokens\n> Because.", []string{"<details class=\"answer\" data-guess>", "<summary>Show the answer</summary>", "<p class=\"guessed\"><b>3 tokens</b></p>", "<p>Because.</p>", "</details>"}, nil},
		{"answer without a title", "> [!ANSWER]\n> Yes.", []string{"<summary>Answer</summary>"}, nil},
		{"plain quote", "> said", []string{"<blockquote>"}, nil},
		{"figure", "::: figure kind=drawing query=\"batch=4\" id=fig-a scale=2\nA *caption*: {= layers =}.\n:::\n\nafter", []string{
			`<figure class="figure drawing" id="fig-a" data-kind="drawing" data-query="v=1&amp;model=known&amp;batch=4">`,
			`<svg data-asked="v=1&model=known&batch=4" data-scale="2">`, "<figcaption>", "<em>caption</em>", "</figcaption>", "</figure>", "<p>after</p>"}, nil},
		{"figure without a caption", "::: figure kind=drawing\n:::", []string{`id="drawing"`, `<figcaption>`, `<p> <a class="anchor" href="#drawing" aria-label="Link to this figure">#</a></p>`, "</figure>"}, nil},
		{"formula three ways", "::: formula id=eq-a\n\\[ x = h \\]\n\nIn words: as wide *as* the token.\n\nFor all {= layers =}:\n\n\\[ {= layers =} \\]\n\n| a |\n|---|\n:::\n\nafter", []string{
			`<div class="stated" id="eq-a" role="group"`, `<div class="formula">`, `<p class="stated-words"><b class="stated-label">In words:</b> as wide <em>as</em> the token. <a class="anchor" href="#eq-a" aria-label="Link to this formula">#</a></p>`,
			`<div class="stated-worked">`, `<p><b class="stated-label">Worked:</b> For all <data`, `<div class="formula">`, "<table>", "</div>\n</div>\n<p>after</p>"}, []string{":::"}},
		{"formula worked without a word", "::: formula id=eq-a\n\\[ x \\]\n\nIn words: as it is.\n\n\\[ {= layers =} \\]\n:::", []string{`<p><b class="stated-label">Worked:</b> </p>`, `<div class="formula">`, "</div>\n</div>"}, nil},
		{"note", "Text[^a] goes on.\n\n[^a]: A *note* with {= layers =}.", []string{`<p>Text<a class="sidenote-mark" id="note-mark-1" href="#note-1"`, `<span class="sidenote" id="note-1" role="note">`, "<em>note</em>", ".</span> goes on.</p>"}, []string{"footnotes", "↩"}},
		{"a number that is vouched for", "about {~said 205 billion~} and \\(2 \\times {~given 8~}\\)", []string{"<p>about 205 billion and"}, []string{"{~", "said"}},
		{"definition list", "Term\n: Meaning", []string{"<dl>", "<dt>Term</dt>", "<dd>Meaning"}, nil},
		{"a tilde is a tilde", `a "~" before it, and a "~" behind`, []string{"a &ldquo;~&rdquo; before it, and a &ldquo;~&rdquo; behind"}, []string{"<del>"}},
		{"a price is no formula", "costs $5 and $6 each", []string{"costs $5 and $6 each"}, nil},
		{"an escaped opener", `write \\( here`, []string{`write \( here`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := r.Convert("a.md", []byte(front+c.text+"\n"), "")
			if err != nil {
				t.Fatal(err)
			}
			rest := string(doc.HTML)
			for _, want := range c.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %s in\n%s", want, doc.HTML)
				}
				rest = after
			}
			for _, not := range c.not {
				if strings.Contains(string(doc.HTML), not) {
					t.Errorf("%s in\n%s", not, doc.HTML)
				}
			}
		})
	}
}

func TestMistakesNameFileAndLine(t *testing.T) {
	r := newParser(t)
	for _, c := range []struct {
		name, text string
		line       int // of the text
		want       string
	}{
		{"heading without id", "text\n\n## Title", 3, "no id"},
		{"id twice", "## A {#a}\n\n## B {#a}", 3, "is taken by the heading of line"},
		{"first-level heading", "# A {#a}", 1, "write ##"},
		{"misspelt field", "text\nand {= parameters.totl =}", 2, `no field "parameters.totl"`},
		{"misspelt field in a formula", "text\n\n\\(N = {= totl =}\\)", 3, `no field "totl"`},
		{"misspelt field in code", "text\n\n```\nx {= totl =}\n```", 4, `no field "totl"`},
		{"misspelt field in a table", "|a|\n|-|\n|b|\n|{= totl =}|", 4, `no field "totl"`},
		{"unknown model", "{= layers model=other =}", 1, "no such model"},
		{"number not closed", "a {= layers }", 1, "not closed"},
		{"TeX", "text\n\n$$\n\\frac{1}{\n$$", 4, "Missing close brace"},
		{"a sum that does not come out", "text\n\n\\[ 2 \\times {= layers =} = 65 \\]", 3, "the sum does not come out: 65 is 65, and what it is set equal to 64"},
		{"thin space in a number", `a \(12\,288\)`, 1, "12{,}288"},
		{"formula cut by a table", "|a|b|\n|-|-|\n|\\(x|y\\)|z|", 3, "not closed"},
		{"formula not closed", "a \\(x = 1", 1, "not closed"},
		{"language", "text\n\n```klingon\nx\n```", 3, `"klingon"`},
		{"box", "> [!TIP]\n> x", 1, "[!TIP] isn't a box"},
		{"figure kind", "a\n\n::: figure kind=pie\n:::", 3, "the only kind is drawing"},
		{"two figures of one kind", "::: figure kind=drawing\n:::\n\n::: figure kind=drawing\n:::", 4, `the id "drawing" is taken in line`},
		{"figure open", "::: figure kind=drawing\ntext", 1, "not closed"},
		{"figure option", "::: figure kind=drawing big\n:::", 1, "key=value"},
		{"directive", "::: chart\n:::", 1, "a directive"},
		{"formula without id", "a\n\n::: formula\n\\[ x \\]\n:::", 3, "takes an id and nothing else"},
		{"formula with options", "::: formula id=a kind=b\n\\[ x \\]\n:::", 1, "takes an id and nothing else"},
		{"formula open", "::: formula id=a\n\\[ x \\]", 1, "not closed"},
		{"formula under a heading's id", "## A {#a}\n\n::: formula id=a\n\\[ x \\]\n:::", 3, `the id "a" is taken in line`},
		{"mark of no kind", "a {~seen 5~}", 1, "a marked number is"},
		{"note used twice", "a[^n] b[^n]\n\n[^n]: x", 3, "2 times"},
		{"note of two paragraphs", "a[^n]\n\n[^n]: x\n\n    y", 3, "one paragraph"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := r.Convert("dir/a.md", []byte(front+c.text+"\n"), "")
			if err == nil {
				t.Fatal("accepted")
			}
			if want := fmt.Sprintf("dir/a.md:%d: ", frontLines+c.line); !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q is not %s… %s", err, want, c.want)
			}
		})
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	_, err := newParser(t).Convert("a.md", []byte(front+"## A\n\n{= x =}\n\n\\(\\frac{\\)\n"), "")
	if err == nil || strings.Count(err.Error(), "a.md:") != 3 {
		t.Errorf("want three mistakes, got: %v", err)
	}
}

func TestFrontMatter(t *testing.T) {
	r := newParser(t)
	doc, err := r.Convert("a.md", []byte(front+"text"), "")
	if err != nil {
		t.Fatal(err)
	}
	f := doc.Front
	if f.Title != "Counting" || f.Order != 2 || f.Checked.Format("2006-01-02") != "2026-11-20" || len(f.Sources) != 1 || f.Sources[0].URL != "https://example.org/paper" {
		t.Errorf("front matter read as %+v", f)
	}
	for _, c := range []struct{ name, source, want string }{
		{"none", "text", "a.md:1: no front matter"},
		{"open", "+++\ntitle = \"a\"\n", "a.md:1: the front matter is not closed"},
		{"unknown key", "+++\ntitle = \"a\"\ndescription = \"b\"\nauther = \"c\"\n+++\n", `a.md:4: front matter: unknown key "auther"`},
		{"no title", "+++\ndescription = \"b\"\n+++\n", "title is missing"},
		{"syntax", "+++\ntitle = \"a\"\norder = = 2\n+++\n", "a.md:3: front matter"},
		{"type", "+++\ntitle = \"a\"\norder = \"2\"\n+++\n", "a.md:3: front matter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := r.Convert("a.md", []byte(c.source), "")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not say %q", err, c.want)
			}
		})
	}
}

func TestFrontMatterHasNumbers(t *testing.T) {
	doc, err := newParser(t).Convert("a.md", []byte(strings.Replace(front, "How many parameters?", "Why {= parameters.total short =}, not {~said 9~} B?", 1)+"text"), "")
	if err != nil {
		t.Fatal(err)
	}
	if want := "Why 8.03 B, not 9 B?"; doc.Front.Question != want {
		t.Errorf("the question is %q, want %q", doc.Front.Question, want)
	}
	if _, err := newParser(t).Convert("a.md", []byte(strings.Replace(front, "How many parameters?", "Why {= totl =}?", 1)+"text"), ""); err == nil || !strings.Contains(err.Error(), "a.md: front matter: question") {
		t.Errorf("a misspelt field: %v", err)
	}
}

func TestHeadingsForContents(t *testing.T) {
	doc, err := newParser(t).Convert("a.md", []byte(front+"## Size \\(N\\) {#size}\n\n### Of {= layers =} {#of}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Headings) != 2 || doc.Headings[0].ID != "size" || doc.Headings[1].Level != 3 || doc.Headings[1].Line != frontLines+3 {
		t.Fatalf("headings %+v", doc.Headings)
	}
	if h := string(doc.Headings[0].HTML); !strings.HasPrefix(h, `Size <span class="maths">`) || strings.Contains(h, "<a ") {
		t.Errorf("contents entry %s", h)
	}
	if doc.Glyphs.Sprite() == "" {
		t.Error("the page has a formula and no glyphs")
	}
}

func TestCSSHasBothThemes(t *testing.T) {
	css, err := CSS()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".chroma .k ", ".chroma .hl", "prefers-color-scheme: dark", ":root[data-theme=dark]"} {
		if !strings.Contains(css, want) {
			t.Errorf("no %s", want)
		}
	}
	// The ground is the site's, and no light colour shines through where the dark style names none.
	if strings.Contains(css, ".chroma {  ") || strings.Contains(css, ".bg {") || strings.Count(css, ".chroma span { color: inherit }") != 2 {
		t.Errorf("the ground or the plain ink is the highlighter's:\n%s", css)
	}
}
