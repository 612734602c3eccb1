package config

import (
	"unicode/utf8"

	"llmsize/core/fault"
	"llmsize/core/work"
)

// MaxBytes is the longest text that Parse reads: the largest real config known
// (a per-layer quantisation map) has 28 kB. How many values it may hold is the budget's.
const MaxBytes = 1 << 20

// maxDepth bounds nesting; real configs nest 4 deep.
const maxDepth = 64

// Steps of one value: what holds it is a hundred bytes.
const perValue = 12

// Parse reads one JSON value. The error names the line.
func Parse(src string) (Value, *fault.Error) { return ParseWithin(src, work.New(0)) }

// ParseWithin is Parse with a budget, which it takes from for each value and byte.
func ParseWithin(src string, budget *work.Budget) (Value, *fault.Error) {
	if len(src) > MaxBytes {
		return Value{}, &fault.Error{Problem: "the text is too long to be a config", Given: megabytes(len(src)), Allowed: "at most 1 MB",
			Hint: "paste the config.json, not the weights or the tokenizer"}
	}
	return ParseMessage(src, budget)
}

// ParseMessage is ParseWithin for what a host says, be it as long as it may: a budget that is nil has no end.
func ParseMessage(src string, budget *work.Budget) (Value, *fault.Error) {
	p := parser{src: src, line: 1, work: budget}
	p.work.Spend(int64(len(src) / 8))
	if len(src) >= 3 && src[:3] == "\xef\xbb\xbf" {
		p.pos = 3
	}
	p.space()
	if p.pos == len(src) {
		return Value{}, &fault.Error{Problem: "the text is empty", Hint: "paste the contents of a config.json"}
	}
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	p.space()
	if p.pos != len(src) {
		return Value{}, p.fail("there is more text after the end of the value", "one JSON object")
	}
	return v, nil
}

// ParseObject is Parse for a text that must be an object, as a config is.
func ParseObject(src string) (Value, *fault.Error) { return ParseObjectWithin(src, work.New(0)) }

// ParseObjectWithin is ParseObject with a budget.
func ParseObjectWithin(src string, budget *work.Budget) (Value, *fault.Error) {
	v, err := ParseWithin(src, budget)
	if err == nil && v.Kind != Object {
		return Value{}, &fault.Error{Problem: "a config is a JSON object", Given: fault.Clip(v.JSON(), 40), Allowed: `{ "model_type": …, … }`,
			Hint: "paste the whole config.json"}
	}
	return v, err
}

func megabytes(n int) string {
	d := n / 100_000
	s := ""
	for m := d / 10; ; m /= 10 {
		s = string(rune('0'+m%10)) + s
		if m < 10 {
			break
		}
	}
	return s + "." + string(rune('0'+d%10)) + " MB"
}

type parser struct {
	src       string
	pos, line int
	work      *work.Budget
}

func (p *parser) fail(problem, allowed string) *fault.Error {
	end := min(p.pos+20, len(p.src))
	given := ""
	if p.pos < len(p.src) {
		given = p.src[p.pos:end]
		for i := 0; i < len(given); i++ {
			if given[i] == '\n' {
				given = given[:i]
			}
		}
	} else {
		problem = "the text ends too early: " + problem
	}
	return &fault.Error{Problem: problem, Given: validUTF8(given), Allowed: allowed, Line: p.line, Hint: "check that the whole file was copied"}
}

// validUTF8 drops bytes that a cut or a broken input left of a rune.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	out := ""
	for _, r := range s {
		if r != utf8.RuneError {
			out += string(r)
		}
	}
	return out
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case '\n':
			p.line++
		case ' ', '\t', '\r':
		default:
			return
		}
		p.pos++
	}
}

func (p *parser) value(depth int) (Value, *fault.Error) {
	if depth > maxDepth {
		return Value{}, p.fail("the values are nested too deep", "64 levels")
	}
	if p.pos >= len(p.src) {
		return Value{}, p.fail("a value is missing", "")
	}
	if !p.work.Spend(perValue) {
		err := *p.work.Err()
		err.Line = p.line
		return Value{}, &err
	}
	line := p.line
	switch c := p.src[p.pos]; c {
	case '{':
		return p.object(depth)
	case '[':
		return p.list(depth)
	case '"':
		s, err := p.str()
		return Value{Kind: String, Text: s, Line: line}, err
	default:
		for _, w := range words {
			if len(p.src)-p.pos >= len(w.Text) && p.src[p.pos:p.pos+len(w.Text)] == w.Text {
				p.pos += len(w.Text)
				w.Line = line
				return w, nil
			}
		}
		if c == '-' || (c >= '0' && c <= '9') {
			return p.number()
		}
	}
	return Value{}, p.fail("this is not a JSON value", `a number, "text", true, false, null, [list] or {object}`)
}

var words = []Value{{Kind: Bool, Text: "true"}, {Kind: Bool, Text: "false"}, {Kind: Null, Text: "null"},
	{Kind: Number, Text: "NaN"}, {Kind: Number, Text: "Infinity"}, {Kind: Number, Text: "-Infinity"}}

func (p *parser) object(depth int) (Value, *fault.Error) {
	v := Value{Kind: Object, Line: p.line}
	var twice Names
	p.pos++
	for first := true; ; first = false {
		p.space()
		if p.pos < len(p.src) && p.src[p.pos] == '}' && first {
			break
		}
		if p.pos >= len(p.src) || p.src[p.pos] != '"' {
			return v, p.fail("a key is missing", `"key": value`)
		}
		key, err := p.str()
		if err != nil {
			return v, err
		}
		if twice.Add(key) {
			return v, &fault.Error{Field: fault.Clip(key, 60), Problem: "the key appears twice in one object", Allowed: "once", Line: p.line, Hint: "delete the one that is wrong"}
		}
		p.space()
		if p.pos >= len(p.src) || p.src[p.pos] != ':' {
			return v, p.fail("a colon is missing after the key "+key, "")
		}
		p.pos++
		p.space()
		x, err := p.value(depth + 1)
		if err != nil {
			if depth == 0 && (err.Field == "" || p.work.Err() != nil) {
				err.Field = fault.Clip(key, 60)
			}
			return v, err
		}
		v.Keys, v.Vals = append(v.Keys, key), append(v.Vals, x)
		p.space()
		if p.pos < len(p.src) && p.src[p.pos] == ',' {
			p.pos++
			continue
		}
		if p.pos < len(p.src) && p.src[p.pos] == '}' {
			break
		}
		return v, p.fail("a comma or a closing brace is missing after the key "+key, "")
	}
	p.pos++
	return v, nil
}

func (p *parser) list(depth int) (Value, *fault.Error) {
	v := Value{Kind: List, Line: p.line}
	p.pos++
	for first := true; ; first = false {
		p.space()
		if p.pos < len(p.src) && p.src[p.pos] == ']' && first {
			break
		}
		x, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, x)
		p.space()
		if p.pos < len(p.src) && p.src[p.pos] == ',' {
			p.pos++
			continue
		}
		if p.pos < len(p.src) && p.src[p.pos] == ']' {
			break
		}
		return v, p.fail("a comma or a closing bracket is missing", "")
	}
	p.pos++
	return v, nil
}

// number reads -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
func (p *parser) number() (Value, *fault.Error) {
	start := p.pos
	at := func() byte {
		if p.pos < len(p.src) {
			return p.src[p.pos]
		}
		return 0
	}
	digits := func() bool {
		n := p.pos
		for at() >= '0' && at() <= '9' {
			p.pos++
		}
		return p.pos > n
	}
	if at() == '-' {
		p.pos++
	}
	ok := true
	if at() == '0' {
		p.pos++
	} else {
		ok = digits()
	}
	if ok && at() == '.' {
		p.pos++
		ok = digits()
	}
	if ok && (at() == 'e' || at() == 'E') {
		p.pos++
		if at() == '+' || at() == '-' {
			p.pos++
		}
		ok = digits()
	}
	if !ok {
		return Value{}, p.fail("this is not a number", "digits, as in 4096")
	}
	return Value{Kind: Number, Text: p.src[start:p.pos], Line: p.line}, nil
}

// str reads a string literal. Escaped surrogate pairs are joined; a lone one,
// or a byte that is no UTF-8, becomes U+FFFD.
func (p *parser) str() (string, *fault.Error) {
	p.pos++
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] != '"' && p.src[p.pos] != '\\' && p.src[p.pos] >= 0x20 {
		p.pos++
	}
	if p.pos < len(p.src) && p.src[p.pos] == '"' && utf8.ValidString(p.src[start:p.pos]) {
		p.pos++
		return p.src[start : p.pos-1], nil
	}
	p.pos = start
	var b []byte
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == '"':
			p.pos++
			return string(b), nil
		case c < 0x20:
			return "", p.fail("there is a line break or control character inside a text", `\n`)
		case c != '\\':
			r, n := utf8.DecodeRuneInString(p.src[p.pos:])
			b = utf8.AppendRune(b, r)
			p.pos += n
			continue
		}
		p.pos++
		if p.pos >= len(p.src) {
			break
		}
		e := p.src[p.pos]
		p.pos++
		switch e {
		case '"', '\\', '/':
			b = append(b, e)
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			r, ok := p.hex4()
			if !ok {
				return "", p.fail(`\u needs four hexadecimal digits`, `\u00e9`)
			}
			if r >= 0xD800 && r < 0xDC00 && p.pos+1 < len(p.src) && p.src[p.pos] == '\\' && p.src[p.pos+1] == 'u' {
				save := p.pos
				p.pos += 2
				if lo, ok := p.hex4(); ok && lo >= 0xDC00 && lo < 0xE000 {
					r = 0x10000 + (r-0xD800)<<10 + (lo - 0xDC00)
				} else {
					p.pos = save
				}
			}
			b = utf8.AppendRune(b, r) // a lone surrogate becomes U+FFFD
		default:
			p.pos--
			return "", p.fail("this escape is not known", `\" \\ \/ \b \f \n \r \t \u0000`)
		}
	}
	return "", p.fail("a closing quote is missing", "")
}

func (p *parser) hex4() (r rune, ok bool) {
	if len(p.src)-p.pos < 4 {
		return 0, false
	}
	for i := 0; i < 4; i++ {
		c := p.src[p.pos+i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	p.pos += 4
	return r, true
}

// Names is a set of names, which finds one without comparing it with every other: a hostile object would make that slow. A map
// would do; but it would be the only one in the page's first program, which would carry the runtime's maps for it.
type Names struct {
	names []string
	next  []int32 // by place, the one before it with the same hash, from 1
	last  []int32 // by hash, which nobody asks for while they are few
}

// Add puts a name in the set, and reports whether it was there already.
func (n *Names) Add(name string) bool {
	const few, lists = 16, 4096
	switch names := n.names; {
	case n.last == nil:
		n.last = make([]int32, 1)
	case len(names) == few && len(n.last) == 1:
		*n = Names{last: make([]int32, lists)}
		for _, x := range names {
			n.Add(x)
		}
	}
	last := &n.last[hash(name)&uint32(len(n.last)-1)]
	for at := *last; at > 0; at = n.next[at-1] {
		if n.names[at-1] == name {
			return true
		}
	}
	n.names, n.next = append(n.names, name), append(n.next, *last)
	*last = int32(len(n.names))
	return false
}

// hash is FNV-1a, folded.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h ^ h>>12
}
