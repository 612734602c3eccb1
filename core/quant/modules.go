package quant

import (
	"llmsize/core/units"
	"llmsize/core/work"
)

// modules is a list of modules as a config names them, to be asked whether a
// module of the model is among them. Names come in several kinds: words of a
// dotted path ("lm_head", "model.layers.3.mlp.gate", which stand for all that is
// in them), globs ("model.layers.0*"), and regular expressions ("re:.*gate$").
//
// Lists of a name for each layer are common, so names that differ in their first
// number only are kept as one.
type modules struct {
	names   []numbered
	regexes []regex
	layered []bool // whether a regex asks for the layer's number
	all     bool   // "Linear": every one
	size    int    // names in the list
	unread  int    // names that could not be understood
	hit     bool   // some module was on the list
}

// numbered is names that are alike but for their first number.
type numbered struct {
	text    string // "model.layers.#.mlp.gate"
	numbers []int64
	glob    bool
	prefix  bool // a star follows the number: 1* is 1 and 10–19
}

// listModules reads a list.
func listModules(list []string) modules {
	m := modules{size: len(list)}
	at := map[string]int{}
	for _, s := range list {
		switch {
		case s == "Linear":
			m.all = true
			continue
		case len(s) > 3 && s[:3] == "re:", isRegex(s):
			if s[:min(3, len(s))] == "re:" {
				s = s[3:]
			}
			r, ok := parseRegex(s)
			if !ok {
				m.unread++
				continue
			}
			m.regexes = append(m.regexes, r)
			m.layered = append(m.layered, asksNumber(s))
			continue
		}
		text, n, found := hideNumber(s)
		i, ok := at[text]
		if !ok {
			i = len(m.names)
			at[text] = i
			x := numbered{text: text, glob: holds(text, '*') || holds(text, '?')}
			for j := range text {
				x.prefix = x.prefix || text[j] == '#' && j+1 < len(text) && text[j+1] == '*'
			}
			m.names = append(m.names, x)
		}
		if found {
			m.names[i].numbers = append(m.names[i].numbers, n)
		}
	}
	return m
}

// isRegex tells a regular expression without the mark re: from words and globs.
func isRegex(s string) bool {
	return holds(s, '\\') || holds(s, '(') || holds(s, '[') || holds(s, '^') || holds(s, '$') || holds(s, '|')
}

// asksNumber reports whether an expression can tell layers apart.
func asksNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= '0' && c <= '9' || c == '[' || c == '\\' && i+1 < len(s) && (s[i+1] == 'd' || s[i+1] == 'w') {
			return true
		}
	}
	return false
}

// empty reports whether the list names nothing.
func (m *modules) empty() bool { return len(m.names) == 0 && len(m.regexes) == 0 && !m.all }

// mark sets marks[l] for every layer l in which the module is on the list.
// module has its layer's index open under the name index; outside layers index
// is empty and marks has one element. It reports false when the budget is at its end.
func (m *modules) mark(module, index string, marks []bool, budget *work.Budget) bool {
	if !budget.Spend(int64(1 + len(marks)/8)) {
		return false
	}
	if m.all {
		for i := range marks {
			marks[i] = true
		}
		return true
	}
	text, own, literal := hideNumber(openLayer(module, index))
	for i := range m.names {
		x := &m.names[i]
		if !budget.Spend(5 + int64(len(text)/3)) {
			return false
		}
		if !x.matches(text) {
			continue
		}
		m.hit = true
		if len(x.numbers) == 0 {
			for l := range marks {
				marks[l] = true
			}
			continue
		}
		for _, n := range x.numbers {
			if !budget.Spend(1) {
				return false
			}
			if literal || index == "" {
				marks[0] = marks[0] || n == own
				continue
			}
			if n < int64(len(marks)) {
				marks[n] = true
			}
			if !x.prefix {
				continue
			}
			budget.Spend(int64(len(marks)))
			for l := range marks {
				if begins(units.Itoa(int64(l)), units.Itoa(n)) {
					marks[l] = true
				}
			}
		}
	}
	if len(m.regexes) == 0 {
		return true
	}
	first := closed(module, index, 0)
	for i := range m.regexes {
		r := &m.regexes[i]
		if !budget.Spend(6) {
			return false
		}
		if !m.layered[i] {
			if r.matchWords(first, budget) {
				m.hit = true
				for l := range marks {
					marks[l] = true
				}
			}
			continue
		}
		for l := range marks {
			if !marks[l] && budget.Spend(8) && r.matchWords(closed(module, index, int64(l)), budget) {
				m.hit = true
				marks[l] = true
			}
		}
	}
	return budget.Err() == nil
}

// matches compares with a module's name in which the layer is "#". Names with a
// number are compared from the number on, because what is before it changes
// between versions (model.language_model.layers, language_model.model.layers),
// as long as both are of the same piece: the language model, a tower, or the
// layers that predict further tokens.
func (x *numbered) matches(module string) bool {
	if len(x.numbers) == 0 {
		if x.glob {
			return glob(x.text, module)
		}
		return hasWords(module, x.text)
	}
	headA, tailA, okA := cutNumber(x.text)
	headB, tailB, okB := cutNumber(module)
	if !okA || !okB || pieceOf(headA) != pieceOf(headB) {
		return false
	}
	if x.glob {
		return glob(tailA, tailB)
	}
	return tailA == tailB || tailA == "" || len(tailB) > len(tailA) && tailB[:len(tailA)] == tailA && tailB[len(tailA)] == '.'
}

// hasWords reports whether the words of part are in a dotted name, one after
// the other.
func hasWords(name, part string) bool {
	for i := 0; part != "" && i+len(part) <= len(name); i++ {
		if name[i:i+len(part)] == part && (i == 0 || name[i-1] == '.') && (i+len(part) == len(name) || name[i+len(part)] == '.') {
			return true
		}
	}
	return false
}

// hideNumber replaces the first word that is a number by "#".
func hideNumber(s string) (text string, n int64, found bool) {
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i-1] != '.' {
			continue
		}
		j := i
		n = 0
		for j < len(s) && s[j] >= '0' && s[j] <= '9' && j-i < 9 {
			n = n*10 + int64(s[j]-'0')
			j++
		}
		if j > i && (j == len(s) || s[j] == '.' || s[j] == '*') {
			return s[:i] + "#" + s[j:], n, true
		}
		if s[i] == '#' && (i+1 == len(s) || s[i+1] == '.') {
			return s, 0, false
		}
	}
	return s, 0, false
}

// openLayer writes a layer's open index as "#".
func openLayer(module, index string) string {
	if index == "" {
		return module
	}
	open := "{" + index + "}"
	for i := 0; i+len(open) <= len(module); i++ {
		if module[i:i+len(open)] == open {
			return module[:i] + "#" + module[i+len(open):]
		}
	}
	return module
}

// closed writes a layer's number for its index, and 0 for every other.
func closed(module, index string, layer int64) string {
	out := make([]byte, 0, len(module))
	for i := 0; i < len(module); i++ {
		if module[i] != '{' {
			out = append(out, module[i])
			continue
		}
		j := i + 1
		for j < len(module) && module[j] != '}' {
			j++
		}
		n := int64(0)
		if module[i+1:j] == index {
			n = layer
		}
		out = append(out, units.Itoa(n)...)
		i = j
	}
	return string(out)
}

// cutNumber parts a name at "#".
func cutNumber(s string) (head, tail string, ok bool) {
	for i := range s {
		if s[i] == '#' {
			tail = s[i+1:]
			if tail != "" && tail[0] == '.' {
				tail = tail[1:]
			}
			return s[:i], tail, true
		}
	}
	return s, "", false
}

// pieceOf tells by a name's beginning which piece of a model it is of.
func pieceOf(head string) int {
	for i := range head {
		switch rest := head[i:]; {
		case begins(rest, "vis"), begins(rest, "vit"):
			return 1
		case begins(rest, "audio"):
			return 2
		case begins(rest, "mtp"):
			return 3
		}
	}
	return 0
}

func holds(s string, c byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return true
		}
	}
	return false
}

func begins(s, with string) bool { return len(s) >= len(with) && s[:len(with)] == with }
