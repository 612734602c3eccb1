package view

import (
	"llmsize/core/config"
	"llmsize/core/model"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// speaker writes the expressions that a family gives for its shapes in the
// site's letters, and once more with this model's values.
type speaker struct{ m *model.Model }

// key is the key that a name stands for among those at a path.
func (sp speaker) key(path, name string) *model.Key {
	for i := range sp.m.Keys {
		if k := &sp.m.Keys[i]; k.Path == path && k.Is(name) {
			return k
		}
	}
	return nil
}

func (sp speaker) size(path, name string) (int64, bool) {
	if k := sp.key(path, name); k != nil {
		return number(k.Value)
	}
	for _, v := range sp.m.Values {
		if v.Name == name {
			return v.Value, true
		}
	}
	return 0, false
}

func number(text string) (int64, bool) {
	return config.ParseInt(text)
}

// bound reports whether a side is names of keys, and numbers, only.
func (sp speaker) bound(d model.Dim) bool {
	ok := plain(d.Expr) && !d.Open
	each(d.Expr, func(t token) {
		if t.kind == 'a' && ok {
			_, ok = sp.size(d.Path, t.text)
		}
	})
	return ok
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
func (sp speaker) symbols(w *markup.Writer, d model.Dim) {
	ok := sp.bound(d)
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
			w.Add(operator(t.text))
		} else if l := sp.letterOf(d.Path, t.text); l != nil && (ok || sp.safe(t.text, l)) {
			w.Add(l.html())
		} else {
			w.Raw("<code>").Text(t.text).Raw("</code>")
		}
	})
}

// safe reports whether a name may have its letter in an expression that is not bound: not where another key
// has the letter, and so another value.
func (sp speaker) safe(name string, l *letter) bool {
	taken := false
	for i := range sp.m.Keys {
		k := &sp.m.Keys[i]
		if k.Is(name) {
			return true
		}
		if letterOfKey(k) == l {
			_, whole := number(k.Value)
			taken = taken || whole
		}
	}
	return !taken
}

// lettered is symbols for where there is no room for words: it writes nothing
// and reports false when a name has no letter.
func (sp speaker) lettered(w *markup.Writer, d model.Dim) bool {
	bound := sp.bound(d)
	ok := bound || plain(d.Expr)
	each(d.Expr, func(t token) {
		if t.kind == 'a' {
			l := sp.letterOf(d.Path, t.text)
			ok = ok && l != nil && (bound || sp.safe(t.text, l))
		}
	})
	if ok {
		sp.symbols(w, d)
	}
	return ok
}

// letterOf is the letter that a name stands for among the keys at a path.
func (sp speaker) letterOf(path, name string) *letter {
	if k := sp.key(path, name); k != nil {
		return letterOfKey(k)
	}
	return letterOf(name)
}

// values writes the side with this model's numbers: "32·128".
func (sp speaker) values(w *markup.Writer, d model.Dim) {
	if !sp.bound(d) {
		w.Count(d.Size)
		return
	}
	each(d.Expr, func(t token) {
		switch t.kind {
		case 'a':
			v, _ := sp.size(d.Path, t.text)
			w.Count(v)
		case '0':
			v, _ := number(t.text)
			w.Count(v)
		default:
			w.Add(operator(t.text))
		}
	})
}

// shape joins the sides of a tensor.
func shape(w *markup.Writer, dims []model.Dim, side func(*markup.Writer, model.Dim)) {
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

func operator(s string) markup.Markup {
	switch s {
	case "*":
		return "·"
	case "//":
		return "/"
	case "+", "-":
		return markup.Markup(" " + s + " ")
	}
	return new(markup.Writer).Text(s).Markup()
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

func letterByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func digit(c byte) bool      { return c >= '0' && c <= '9' }

// plural is a number and what it counts: "32 layers", "1 layer".
func plural(n int64, one string) string {
	if n == 1 {
		return units.Group(n) + " " + one
	}
	return units.Group(n) + " " + one + "s"
}
