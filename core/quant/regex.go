package quant

import (
	"strings"

	"llmsize/core/work"
)

// regex is a regular expression as lists of modules use them: literals, ".",
// "\." and other escapes, \d and \w, sets, groups with alternatives, "*", "+",
// "?", "^" and "$". It matches from the beginning of a name, and need not reach
// its end, as Python's re.match.
//
// It is run as a set of states, all at once, a character at a time: whatever the
// expression, the work is its length times the name's.
type regex struct {
	prog []inst
	sets []set
	tail string   // what all that match end with
	hold []string // what all that match hold
	all  bool     // a name with both matches: the expression asks for nothing else
}

// inst is one instruction; places are relative to it.
type inst struct {
	op byte  // 'c' a character, '.' any, '[' a set, '|' go on at both places, '>' go on at to, '^', '$', 'm' a match
	c  byte  // of 'c'
	to int32 // of '|' and '>'; the number of the set of '['
	or int32 // the other place of '|'
}

// deepest is how far groups may be in each other; people write two or three.
const deepest = 16

// parseRegex reads an expression; ok is false when it holds anything else
// (lookahead, counted repeats, back references).
func parseRegex(src string) (regex, bool) {
	p := regexParser{src: src}
	p.alternatives()
	if p.bad || p.i != len(src) {
		return regex{}, false
	}
	p.put(inst{op: 'm'})
	r := regex{prog: p.prog, sets: p.sets}
	r.hold, r.tail = plainRuns(src)
	r.all = src == ".*"+escaped(r.tail)+"$" || len(r.hold) == 1 && src == ".*"+escaped(r.hold[0])+".*"
	return r, true
}

// escaped writes plain characters as an expression.
func escaped(s string) string { return strings.ReplaceAll(s, ".", "\\.") }

// plainRuns is the runs of plain characters that an expression asks for outside of groups, and the one before the "$" at its
// end: most lists name a module by some, and most modules lack one. There are none where it has alternatives outside of groups.
func plainRuns(src string) (runs []string, tail string) {
	var run []byte
	depth := 0
	for i := 0; i <= len(src); i++ {
		c, next := byte(0), byte(0)
		if i < len(src) {
			c = src[i]
		}
		plain := c == '_' || isLetter(c) || c >= '0' && c <= '9'
		switch {
		case c == '\\' && i+1 < len(src):
			i++
			c, plain = 0, src[i] == '.'
			if plain {
				c = '.'
			}
		case c == '[':
			if i+1 < len(src) && src[i+1] == '^' {
				i++
			}
			for i += 2; i < len(src) && src[i] != ']'; { // one that comes first is a member
				i++
			}
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			return nil, ""
		}
		if i+1 < len(src) {
			next = src[i+1]
		}
		if plain && depth == 0 && next != '*' && next != '?' {
			run = append(run, c)
			if next != '+' {
				continue
			}
		}
		if len(run) > 0 {
			runs = append(runs, string(run))
			if c == '$' && i == len(src)-1 {
				tail = string(run)
			}
		}
		run = run[:0]
	}
	return runs, tail
}

type regexParser struct {
	src   string
	i     int
	depth int
	bad   bool
	prog  []inst
	sets  []set
}

func (p *regexParser) put(x inst) { p.prog = append(p.prog, x) }

// before puts an instruction before what begins at from. Places inside are
// relative, so that what is moved stays right.
func (p *regexParser) before(from int, x inst) {
	p.put(inst{})
	copy(p.prog[from+1:], p.prog[from:])
	p.prog[from] = x
}

// alternatives reads up to the end of a group: each but the last is "go on here or
// behind", and at its end goes behind all of them.
func (p *regexParser) alternatives() {
	from := len(p.prog)
	var ends []int
	for p.i < len(p.src) && p.src[p.i] != ')' && !p.bad {
		if p.src[p.i] == '|' {
			p.i++
			p.before(from, inst{op: '|', to: 1, or: int32(len(p.prog) - from + 2)})
			ends = append(ends, len(p.prog))
			p.put(inst{op: '>'})
			from = len(p.prog)
			continue
		}
		p.repeated()
	}
	for _, at := range ends {
		p.prog[at].to = int32(len(p.prog) - at)
	}
}

// repeated reads an atom and how often it stands.
func (p *regexParser) repeated() {
	from := len(p.prog)
	p.atom()
	if p.i == len(p.src) || p.bad {
		return
	}
	n := int32(len(p.prog) - from)
	switch p.src[p.i] {
	case '*':
		p.before(from, inst{op: '|', to: 1, or: n + 2})
		p.put(inst{op: '>', to: -n - 1})
	case '+':
		p.put(inst{op: '|', to: -n, or: 1})
	case '?':
		p.before(from, inst{op: '|', to: 1, or: n + 1})
	case '{':
		p.bad = true
		return
	default:
		return
	}
	p.i++
	if p.i < len(p.src) && p.src[p.i] == '?' { // lazy: the same matches
		p.i++
	}
}

func (p *regexParser) atom() {
	c := p.src[p.i]
	p.i++
	switch c {
	case '.', '^', '$':
		p.put(inst{op: c})
	case '(':
		if len(p.src)-p.i >= 2 && p.src[p.i:p.i+2] == "?:" {
			p.i += 2
		}
		if p.depth++; p.i < len(p.src) && p.src[p.i] == '?' || p.depth > deepest {
			p.bad = true
			return
		}
		p.alternatives()
		p.depth--
		if p.i == len(p.src) {
			p.bad = true
			return
		}
		p.i++
	case '[':
		var s set
		p.set(&s)
		p.member(s)
	case '\\':
		if p.i == len(p.src) {
			p.bad = true
			return
		}
		c = p.src[p.i]
		p.i++
		switch {
		case c == 'd' || c == 'w':
			var s set
			s.span('0', '9')
			if c == 'w' {
				s.span('a', 'z')
				s.span('A', 'Z')
				s.span('_', '_')
			}
			p.member(s)
		case isLetter(c) || c >= '0' && c <= '9':
			p.bad = true
		default:
			p.put(inst{op: 'c', c: c})
		}
	case '*', '+', '?':
		p.bad = true
	default:
		p.put(inst{op: 'c', c: c})
	}
}

// set is the characters between brackets.
type set [256 / 64]uint64

// member puts a set.
func (p *regexParser) member(s set) {
	p.put(inst{op: '[', to: int32(len(p.sets))})
	p.sets = append(p.sets, s)
}

// set reads the rest of [a-z0] or [^.].
func (p *regexParser) set(s *set) {
	not := p.i < len(p.src) && p.src[p.i] == '^'
	if not {
		p.i++
	}
	for start := p.i; ; {
		if p.i == len(p.src) || p.src[p.i] == '\\' {
			p.bad = true
			return
		}
		c := p.src[p.i]
		if c == ']' && p.i > start {
			break
		}
		p.i++
		end := c
		if p.i+1 < len(p.src) && p.src[p.i] == '-' && p.src[p.i+1] != ']' {
			end = p.src[p.i+1]
			p.i += 2
		}
		s.span(c, end)
	}
	p.i++
	if not {
		for i := range s {
			s[i] = ^s[i]
		}
	}
}

// span adds the characters from a to b to a set.
func (s *set) span(a, b byte) {
	for c := int(a); c <= int(b); c++ {
		s[c/64] |= 1 << (c % 64)
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// states are the places in an expression that have been reached before one
// character.
type states struct {
	at   []int32 // those that wait for the character
	seen []int   // by place: the number of the last character before which it was reached
	todo []int32
	now  int
}

// match reports whether s begins with a match, or, with words, whether a match
// begins at any word of a dotted name. It takes two steps for each place it
// reaches, and does not match past the budget.
func (r *regex) match(s string, words bool, budget *work.Budget) bool {
	here, next := states{seen: make([]int, len(r.prog))}, states{seen: make([]int, len(r.prog))}
	for i := 0; ; i++ {
		// A match that begins here may pass "^", so it goes first: what it reaches others need not reach again.
		if i == 0 || words && i < len(s) && s[i-1] == '.' {
			if here.now = i + 1; r.reach(&here, 0, true, i == len(s)) {
				return true
			}
		}
		for _, at := range next.at {
			here.now = i + 1
			if r.reach(&here, at, false, i == len(s)) {
				return true
			}
		}
		if i == len(s) || len(here.at) == 0 && !words || !budget.Spend(int64(1+2*len(here.at))) {
			return false
		}
		next.at = next.at[:0]
		for _, at := range here.at {
			c, x := s[i], &r.prog[at]
			if x.op == '.' || x.op == 'c' && x.c == c || x.op == '[' && r.sets[x.to][c/64]>>(c%64)&1 != 0 {
				next.at = append(next.at, at+1)
			}
		}
		here.at = here.at[:0]
	}
}

// reach adds a place and all that can be reached from it without a character.
// It reports a match.
func (r *regex) reach(st *states, at int32, first, last bool) bool {
	st.todo = append(st.todo[:0], at)
	for len(st.todo) > 0 {
		at := st.todo[len(st.todo)-1]
		st.todo = st.todo[:len(st.todo)-1]
		if st.seen[at] == st.now {
			continue
		}
		st.seen[at] = st.now
		switch x := &r.prog[at]; x.op {
		case 'm':
			return true
		case '>':
			st.todo = append(st.todo, at+x.to)
		case '|':
			st.todo = append(st.todo, at+x.or, at+x.to)
		case '^':
			if first {
				st.todo = append(st.todo, at+1)
			}
		case '$':
			if last {
				st.todo = append(st.todo, at+1)
			}
		default:
			st.at = append(st.at, at)
		}
	}
	return false
}

// matchWords reports whether a match begins at any word of a dotted name: what
// stands before a module's own name changes between versions.
func (r *regex) matchWords(s string, budget *work.Budget) bool {
	for _, run := range r.hold {
		if !strings.Contains(s, run) {
			return false
		}
	}
	return suffix(s, r.tail) && budget.Spend(int64(len(r.prog)/8)) && (r.all || r.match(s, true, budget))
}

// glob reports whether a name matches a pattern in which "*" stands for anything
// and "?" for one character; what comes after a dot may be left out of the
// pattern, so that a module's name stands for all in it.
func glob(pattern, s string) bool {
	p, i, star, mark := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case p == len(pattern) && s[i] == '.':
			return true
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == s[i] || pattern[p] == '?'):
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
