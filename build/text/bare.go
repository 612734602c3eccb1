// Bare numbers are numbers in prose that nobody vouches for.
//
// A number in a text is from the engine ({= … =}), or it is taken from somewhere, or it is part of
// how the text is built. Everything else is bare: typed by hand, it goes stale unseen. [Bare.Find] lists
// such numbers, and the check of the site fails on them.
//
// # What is not bare
//
//	{= parameters.total =}   from the engine
//	{~said 205 billion~}     somebody else's words; the sources say whose
//	{~given 2,048~}          a choice of the example: "take 2,048 tokens"
//	{~drag context 1024 *2048 4096~}
//	                         what the reader chooses (drag.go)
//	{~known 1,024~}          by definition or convention: units, formats, a constant of the architecture
//	[…](https://…)           a link to a source in the same sentence, or a note with one
//	context=8192             a value that a link or a number's query in the same paragraph has
//	“12 L h²”                in quotation marks, code, an address
//	GPT-2, 7B, H100          a name: the catalogue's, or digits with letters at them
//	2023, 21 November 2026   a year, a date, an item of a list, chapter 3, table 5
//	0 to 9                   small whole numbers, which are words; 16 bits, 100%
//
//	8,192                    the context, chunk or length of sequence that a query has when it names none,
//	                         or that the page's own query has, where a number of the engine stands by
//
// Of the front matter, the lines title, description and question are looked at.
//
// In formulas only numbers of three digits and more, and those with a decimal point, are looked at:
// coefficients and exponents are the formula.

package text

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Number is a bare number.
type Number struct {
	Line int
	Text string // the number
	In   string // the words around it
}

func (n Number) String() string { return fmt.Sprintf("line %d: %s in “%s”", n.Line, n.Text, n.In) }

// BareMark is the syntax of a number that somebody vouches for.
var BareMark = regexp.MustCompile(`\{~(said|given|known) ([^~\n]+)~\}`)

// Bare knows the names that hold digits, and what queries ask when they do not say.
type Bare struct {
	names    *regexp.Regexp
	defaults []string
}

// NewBare makes a finder. names are those of the catalogue: "Llama 3.1 8B"; defaults are values of
// a query's keys: "8192".
func NewBare(names, defaults []string) *Bare {
	names = slices.Clone(names)
	// A name before the one that it begins with. Those that begin alike are beside each other, and so tried together.
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	var parts []string
	for _, n := range names {
		if strings.ContainsAny(n, "0123456789") {
			parts = append(parts, strings.ReplaceAll(regexp.QuoteMeta(n), " ", `[\s ]`))
		}
	}
	parts = append(parts, series)
	return &Bare{regexp.MustCompile(strings.Join(parts, "|")), defaults}
}

// series are names that a number follows.
const series = `\b(?:(?:L[Ll]a[Mm][Aa]|Gemma|Phi|Qwen|Mistral|OLMo|GPT|Claude|Falcon|Jamba|Pythia|Granite|Kimi|GLM|Command|Mamba|ZeRO|PaLM|SmolLM|MiniCPM|StarCoder|Hunyuan|ALBERT|transformers|torch|vLLM|llama-cpp-python|peft|TinyGo|Go|chapters?|[Ff]igure|[Tt]ables?|[Ss]ections?|[Ss]tages?|[Ss]teps?|[Cc]olumns?|[Ll]ayers?|page|version|line|item|Apache|RTX|H100|A100(?: SXM)?)[\s -]v?\d[\d.,]*(?:\s(?:to|and|–)\s\d+)?(?:\s\d[\d.]*[BMT]\b)?(?:\s[GT]B\b)?)`

// masks are the parts of a text that hold no words; formulas are handled apart.
var masks = []*regexp.Regexp{
	regexp.MustCompile("(?ms)^```.*?^```"),
	regexp.MustCompile("`[^`\n]+`"),
	regexp.MustCompile(`\{=.*?=\}`),
	BareMark,
	dragMark,
	regexp.MustCompile(`(?m)^:::.*$`),
	regexp.MustCompile(`\]\([^)\n]*\)`),
	regexp.MustCompile(`\{#[^}\n]*\}`),
	regexp.MustCompile(`\[\^[^\]\n]*\]:?`),
	regexp.MustCompile(`<[^>\n]*>|&#?\w+;|https?://\S+`),
	regexp.MustCompile(`“[^”\n]*”|"[^"\n]*"`),
}

var (
	formula      = regexp.MustCompile(`(?s)\\\(.*?\\\)|\\\[.*?\\\]|\$\$.*?\$\$`)
	digits       = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	texNumber    = regexp.MustCompile(`\d(?:\d|\{,\})*(?:\.\d+)?`)
	listMark     = regexp.MustCompile(`(?m)^[>\s]*(?:\*\*)?\d+\.(?:\*\*)?\s`)
	date         = regexp.MustCompile(`\b\d{1,2}\s(?:January|February|March|April|May|June|July|August|September|October|November|December)\s\d{4}\b|\b\d{4}-\d{2}-\d{2}\b`)
	year         = regexp.MustCompile(`\A(?:19|20)\d\d\z`)
	bits         = regexp.MustCompile(`\A[\s -](?:bits?|bit)\b`)
	bareRaised   = regexp.MustCompile(`\A[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]`)
	outside      = regexp.MustCompile(`\]\(https?://`)
	bareSentence = regexp.MustCompile(`[.?;:]["”*)]*\s`)
	blockEnd     = regexp.MustCompile(`\n\s*\n|\n(?:\||[>\s]*[-*] |[>\s]*\d+\. |:::)`)
)

// Find lists the bare numbers of a text.
func (f *Bare) Find(source string) []Number {
	words := []byte(source) // what is left to look at, with the places of the source
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if words[i] != '\n' {
				words[i] = ' '
			}
		}
	}
	var found []Number
	own := f.front(source, blank)
	// Code may hold anything, and so may a number's query: they go before formulas are looked for.
	for _, m := range masks[:4] {
		for _, at := range m.FindAllIndex(words, -1) {
			blank(at[0], at[1])
		}
	}
	for _, at := range formula.FindAllIndex(words, -1) {
		for _, n := range texNumber.FindAllIndex(words[at[0]:at[1]], -1) {
			text := strings.ReplaceAll(string(words[at[0]+n[0]:at[0]+n[1]]), "{,}", ",")
			if plain := strings.ReplaceAll(text, ",", ""); len(plain) > 2 && !vouched(source, at[0]+n[0], text, own) {
				found = append(found, bareNumber(source, at[0]+n[0], text))
			}
		}
		blank(at[0], at[1])
	}
	for _, m := range slices.Concat(masks[4:], []*regexp.Regexp{f.names, date, listMark}) {
		for _, at := range m.FindAllIndex(words, -1) {
			blank(at[0], at[1])
		}
	}
	for _, at := range digits.FindAllIndex(words, -1) {
		text := strings.TrimRight(string(words[at[0]:at[1]]), ",")
		if !structural(words, at[0], at[0]+len(text)) && !vouched(source, at[0], text, own) {
			found = append(found, bareNumber(source, at[0], text))
		}
	}
	slices.SortStableFunc(found, func(a, b Number) int { return a.Line - b.Line })
	return found
}

// structural reports a number that is a word: part of a name, a year, small, a width in bits.
func structural(words []byte, from, to int) bool {
	text := string(words[from:to])
	before, after := byte(' '), byte(' ')
	if from > 0 {
		before = words[from-1]
	}
	if to < len(words) {
		after = words[to]
	}
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
	switch {
	case len(text) == 1, text == "100" && after == '%':
		return true
	case letter(before) || letter(after): // Qwen2, 7B, 4k
		return true
	case before == '-' && from > 1 && letter(words[from-2]): // GPT-2
		return true
	case year.MatchString(text):
		return true
	case bits.Match(words[to:]):
		return true
	case text == "10" && bareRaised.Match(words[to:]): // 10²³
		return true
	}
	return false
}

// front blanks all of the front matter but what readers see, and returns the values of the page's
// own query, with those that every query has.
func (f *Bare) front(source string, blank func(from, to int)) []string {
	own := slices.Clone(f.defaults)
	head := frontMatter.FindStringIndex(source)
	if head == nil {
		return own
	}
	seen, at := true, 0
	for line := range strings.Lines(source[:head[1]]) {
		seen = seen && !strings.HasPrefix(line, "[[")
		key, value, _ := strings.Cut(line, " = ")
		switch {
		case seen && (key == "title" || key == "description" || key == "question"):
			blank(at, at+len(key)+len(` = "`))
			blank(at+strings.LastIndexByte(line, '"'), at+len(line))
		case key == "query":
			for _, m := range queryValue.FindAllStringSubmatch(value, -1) {
				own = append(own, m[1])
			}
			fallthrough
		default:
			blank(at, at+len(line))
		}
		at += len(line)
	}
	return own
}

var (
	frontMatter = regexp.MustCompile(`(?s)\A\+\+\+\n.*?\n\+\+\+\n`)
	queryValue  = regexp.MustCompile(`=(\d+)`)
)

// vouched reports a number with a source in its sentence, or that a query in its paragraph has. own
// are the values of queries that name none.
func vouched(source string, at int, text string, own []string) bool {
	from, to := around(source, at, blockEnd)
	whole := to
	if strings.HasSuffix(strings.TrimSpace(source[from:to]), ":") { // what follows belongs to it
		_, whole = around(source, min(to+3, len(source)), blockEnd)
	}
	block := source[from:whole]
	plain := strings.ReplaceAll(text, ",", "")
	if regexp.MustCompile(`=` + regexp.QuoteMeta(plain) + `(?:[&)\s"]|$)`).MatchString(block) {
		return true
	}
	if slices.Contains(own, plain) && strings.Contains(block, "{=") {
		return true
	}
	from, to = around(block, at-from, bareSentence)
	return outside.MatchString(block[from:to])
}

// around is the part of a text between two ends, at a place.
func around(s string, at int, end *regexp.Regexp) (from, to int) {
	to = len(s)
	for _, e := range end.FindAllStringIndex(s, -1) {
		if e[1] <= at {
			from = e[0]
		} else if e[0] >= at {
			return from, e[0]
		}
	}
	return from, to
}

func bareNumber(source string, at int, text string) Number {
	line := 1 + strings.Count(source[:at], "\n")
	from := max(strings.LastIndexByte(source[:at], '\n')+1, at-50)
	to := min(at+50, len(source))
	if end := strings.IndexByte(source[at:to], '\n'); end >= 0 {
		to = at + end
	}
	return Number{Line: line, Text: text, In: strings.ToValidUTF8(source[from:to], "")}
}
