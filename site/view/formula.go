package view

import (
	"llmsize/core/arch"
	"llmsize/core/config"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// speaker writes the expressions that a family gives for its shapes in the
// site's letters, and once more with this model's values.
type speaker struct {
	m      *arch.Model
	scopes []string // the places where keys stand: "", "text_config.", …
	read   map[string]reading
}

// reading is what resolve found.
type reading struct {
	names
	ok bool
}

func newSpeaker(m *arch.Model) *speaker {
	sp := &speaker{m: m, read: map[string]reading{}}
next:
	for i := range m.Keys {
		for _, s := range sp.scopes {
			if s == m.Keys[i].Path {
				continue next
			}
		}
		sp.scopes = append(sp.scopes, m.Keys[i].Path)
	}
	return sp
}

// locals are names that family files give to what they pass around, and the
// letters that may be meant. A letter is taken only where its value fits.
var locals = []struct {
	name  string
	signs []string
}{
	{"width", []string{"f", "f_E"}},
	{"inner", []string{"f", "f_E"}},
	{"intermediate_size", []string{"f", "f_E"}},
	{"embedding_size", []string{"h"}},
	{"hidden_size", []string{"h"}},
	{"embed_dim", []string{"h"}},
	{"head_dim", []string{"d"}},
	{"heads", []string{"a"}},
	{"kv_heads", []string{"k"}},
	{"experts", []string{"E"}},
}

// names resolves what stands in one expression.
type names struct {
	sp     *speaker
	scope  string
	local  string  // a name that is no key, taken to be …
	letter *letter // … this dimension
}

func (n *names) key(name string) *arch.Key {
	for i := range n.sp.m.Keys {
		k := &n.sp.m.Keys[i]
		if k.Path == n.scope && k.Is(name) {
			return k
		}
	}
	return nil
}

func (n *names) value(name string) (int64, bool) {
	if name == n.local {
		return n.dimension(n.letter)
	}
	if k := n.key(name); k != nil {
		return number(k.Value)
	}
	for _, v := range n.sp.m.Values {
		if v.Name == name {
			return v.Value, true
		}
	}
	return 0, false
}

// dimension is the value of the key that has a letter.
func (n *names) dimension(l *letter) (int64, bool) {
	for i := range n.sp.m.Keys {
		k := &n.sp.m.Keys[i]
		if k.Path == n.scope && letterOfKey(k) == l {
			return number(k.Value)
		}
	}
	return 0, false
}

func number(text string) (int64, bool) {
	return config.Value{Kind: config.Number, Text: text}.Int()
}

// resolve finds the reading of an expression under which it is its size. Layers
// are alike, so it is looked for once.
func (sp *speaker) resolve(d arch.Dim) (names, bool) {
	key := units.Itoa(d.Size) + " " + d.Expr
	x, ok := sp.read[key]
	if !ok {
		x.names, x.ok = sp.find(d.Expr, d.Size)
		sp.read[key] = x
	}
	return x.names, x.ok
}

func (sp *speaker) find(expr string, size int64) (names, bool) {
	if !plain(expr) {
		return names{sp: sp}, false
	}
	for _, s := range sp.scopes {
		n := names{sp: sp, scope: s}
		if v, ok := evaluate(expr, n.value); ok && v == size {
			return n, true
		}
		for _, l := range locals {
			for _, sign := range l.signs {
				n := names{sp: sp, scope: s, local: l.name, letter: bySign(sign)}
				if v, ok := evaluate(expr, n.value); ok && v == size && has(expr, l.name) {
					return n, true
				}
			}
		}
	}
	return names{sp: sp}, false
}

func bySign(s string) *letter {
	for i := range letters {
		if letters[i].sign == s {
			return &letters[i]
		}
	}
	return nil
}

// symbols writes one side of a tensor in letters: "a·d". Names without a letter stay words.
func (sp *speaker) symbols(w *markup.Writer, d arch.Dim) {
	n, ok := sp.resolve(d)
	if !ok && !plain(d.Expr) {
		if len(d.Expr) > 48 || d.Expr == "" {
			w.Count(d.Size)
			return
		}
		w.Raw("<code>").Text(d.Expr).Raw("</code>")
		return
	}
	each(d.Expr, func(t token) {
		if t.kind != 'a' {
			w.Raw(operator(t.text))
		} else if l := n.letterOf(t.text); l != nil && (ok || sp.safe(t.text, l)) {
			w.Raw(l.html())
		} else {
			w.Raw("<code>").Text(t.text).Raw("</code>")
		}
	})
}

// safe reports whether a name may have its letter in an expression that was not resolved: not where another key
// has the letter, and so another value.
func (sp *speaker) safe(name string, l *letter) bool {
	for _, s := range sp.scopes {
		n := names{sp: sp, scope: s}
		if n.key(name) != nil {
			return true
		}
	}
	for _, s := range sp.scopes {
		n := names{sp: sp, scope: s}
		if _, ok := n.dimension(l); ok {
			return false
		}
	}
	return true
}

// lettered is symbols for where there is no room for words: it writes nothing
// and reports false when a name has no letter.
func (sp *speaker) lettered(w *markup.Writer, d arch.Dim) bool {
	n, resolved := sp.resolve(d)
	ok := resolved || plain(d.Expr)
	each(d.Expr, func(t token) {
		if t.kind == 'a' {
			l := n.letterOf(t.text)
			ok = ok && l != nil && (resolved || sp.safe(t.text, l))
		}
	})
	if ok {
		sp.symbols(w, d)
	}
	return ok
}

// letterOf is the letter that a name stands for here.
func (n *names) letterOf(name string) *letter {
	if name == n.local {
		return n.letter
	}
	if k := n.key(name); k != nil {
		return letterOfKey(k)
	}
	return letterOf(name)
}

// values writes the side with this model's numbers: "32·128".
func (sp *speaker) values(w *markup.Writer, d arch.Dim) {
	n, ok := sp.resolve(d)
	if !ok {
		w.Count(d.Size)
		return
	}
	each(d.Expr, func(t token) {
		switch t.kind {
		case 'a':
			v, _ := n.value(t.text)
			w.Count(v)
		case '0':
			v, _ := number(t.text)
			w.Count(v)
		default:
			w.Raw(operator(t.text))
		}
	})
}

// shape joins the sides of a tensor.
func shape(w *markup.Writer, dims []arch.Dim, side func(*markup.Writer, arch.Dim)) {
	for i, d := range dims {
		if i > 0 {
			w.Raw(`<span class="by"> × </span>`)
		}
		compound := false
		each(d.Expr, func(t token) { compound = compound || t.text == "+" || t.text == "-" })
		if compound && len(dims) > 1 {
			w.Raw("(")
			side(w, d)
			w.Raw(")")
			continue
		}
		side(w, d)
	}
	if len(dims) == 0 {
		w.Raw("1")
	}
}

func operator(s string) string {
	switch s {
	case "*":
		return "·"
	case "//":
		return "/"
	case "+", "-":
		return " " + s + " "
	}
	return new(markup.Writer).Text(s).String()
}

// token is a name ('a'), a number ('0'), an operator or parenthesis ('+'), or
// what a product of sizes does not have ('?').
type token struct {
	kind byte
	text string
}

// each calls f for every token of an expression.
func each(s string, f func(token)) {
	for i := 0; i < len(s); {
		c := s[i]
		j := i + 1
		switch {
		case c == ' ':
			i++
			continue
		case letterByte(c):
			for j < len(s) && (letterByte(s[j]) || digit(s[j])) {
				j++
			}
			kind := byte('a')
			if w := s[i:j]; w == "if" || w == "else" || w == "and" || w == "or" || w == "not" || w == "in" {
				kind = '?'
			}
			f(token{kind, s[i:j]})
		case digit(c):
			for j < len(s) && digit(s[j]) {
				j++
			}
			f(token{'0', s[i:j]})
		case c == '/' && j < len(s) && s[j] == '/':
			j++
			f(token{'+', "//"})
		case c == '+' || c == '-' || c == '*' || c == '(' || c == ')':
			f(token{'+', s[i:j]})
		default:
			f(token{'?', s[i:j]})
		}
		i = j
	}
}

// plain reports whether an expression is names, numbers and + - * // only.
func plain(s string) bool {
	ok := s != ""
	each(s, func(t token) { ok = ok && t.kind != '?' })
	return ok
}

func has(s, name string) bool {
	found := false
	each(s, func(t token) { found = found || t.kind == 'a' && t.text == name })
	return found
}

func letterByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func digit(c byte) bool      { return c >= '0' && c <= '9' }

// evaluate works out sums, differences, products and whole quotients. ok is
// false for anything else, and for numbers out of the ordinary.
func evaluate(expr string, value func(name string) (int64, bool)) (int64, bool) {
	e := evaluator{value: value, ok: plain(expr)}
	each(expr, func(t token) { e.toks = append(e.toks, t) })
	if !e.ok {
		return 0, false
	}
	v := e.sum()
	return v, e.ok && e.at == len(e.toks)
}

type evaluator struct {
	toks  []token
	at    int
	value func(string) (int64, bool)
	ok    bool
}

func (e *evaluator) next(op string) bool {
	if e.at < len(e.toks) && e.toks[e.at].text == op {
		e.at++
		return true
	}
	return false
}

func (e *evaluator) sum() int64 {
	v := e.product()
	for e.ok {
		switch {
		case e.next("+"):
			v += e.product()
		case e.next("-"):
			v -= e.product()
		default:
			return v
		}
	}
	return v
}

func (e *evaluator) product() int64 {
	v := e.atom()
	for e.ok {
		switch {
		case e.next("*"):
			x := e.atom()
			if x != 0 && (v > 1<<62/x || v < 0 || x < 0) {
				e.ok = false
				return 0
			}
			v *= x
		case e.next("//"):
			x := e.atom()
			if x <= 0 || v < 0 {
				e.ok = false
				return 0
			}
			v /= x
		default:
			return v
		}
	}
	return v
}

func (e *evaluator) atom() int64 {
	if e.next("(") {
		v := e.sum()
		e.ok = e.ok && e.next(")")
		return v
	}
	if e.at == len(e.toks) {
		e.ok = false
		return 0
	}
	t := e.toks[e.at]
	e.at++
	v, ok := int64(0), false
	switch t.kind {
	case 'a':
		v, ok = e.value(t.text)
	case '0':
		v, ok = number(t.text)
	}
	e.ok = e.ok && ok
	return v
}

// plural is a number and what it counts: "32 layers", "1 layer".
func plural(n int64, one string) string {
	if n == 1 {
		return units.Group(n) + " " + one
	}
	return units.Group(n) + " " + one + "s"
}
