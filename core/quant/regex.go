package quant

// regex is a regular expression as lists of modules use them: literals, ".",
// "\." and other escapes, \d and \w, sets, groups with alternatives, "*", "+",
// "?", "^" and "$". It matches from the beginning of a name, and need not reach
// its end, as Python's re.match.
type regex struct {
	seq  []item
	open bool   // begins with .*, so that where a match begins makes no difference
	tail string // what all that match end with
}

// item is one thing to match, so many times.
type item struct {
	kind     byte // 'c' a character, '.' any, '[' a set, '(' a group, '^', '$'
	c        byte
	set      [256 / 64]uint64
	alts     [][]item
	min, max int
}

const unbounded = 1 << 30

// parseRegex reads an expression; ok is false when it holds anything else
// (lookahead, counted repeats, back references).
func parseRegex(src string) (regex, bool) {
	p := regexParser{src: src}
	alts := p.alternatives()
	if p.bad || p.i != len(src) {
		return regex{}, false
	}
	return regex{[]item{{kind: '(', alts: alts, min: 1, max: 1}}, begins(src, ".*"), tailOf(alts)}, true
}

// tailOf is the characters before the "$" at an expression's end; empty where it
// has none, or alternatives.
func tailOf(alts [][]item) (tail string) {
	seq := alts[0]
	n := len(seq) - 1
	if len(alts) > 1 || n < 0 || seq[n].kind != '$' {
		return ""
	}
	for i := n - 1; i >= 0 && seq[i].kind == 'c' && seq[i].min == 1 && seq[i].max == 1; i-- {
		tail = string([]byte{seq[i].c}) + tail
	}
	return tail
}

type regexParser struct {
	src string
	i   int
	bad bool
}

func (p *regexParser) alternatives() (alts [][]item) {
	seq := []item{}
	for p.i < len(p.src) && p.src[p.i] != ')' && !p.bad {
		if p.src[p.i] == '|' {
			p.i++
			alts = append(alts, seq)
			seq = []item{}
			continue
		}
		it := p.atom()
		it.min, it.max = 1, 1
		if p.i < len(p.src) {
			switch p.src[p.i] {
			case '*':
				it.min, it.max = 0, unbounded
			case '+':
				it.max = unbounded
			case '?':
				it.min = 0
			case '{':
				p.bad = true
			}
			if it.min != 1 || it.max != 1 {
				p.i++
				if p.i < len(p.src) && p.src[p.i] == '?' { // lazy: the same matches
					p.i++
				}
			}
		}
		seq = append(seq, it)
	}
	return append(alts, seq)
}

func (p *regexParser) atom() (it item) {
	c := p.src[p.i]
	p.i++
	switch c {
	case '.', '^', '$':
		it.kind = c
	case '(':
		if len(p.src)-p.i >= 2 && p.src[p.i:p.i+2] == "?:" {
			p.i += 2
		}
		if p.i < len(p.src) && p.src[p.i] == '?' {
			p.bad = true
		}
		it.kind, it.alts = c, p.alternatives()
		if p.i == len(p.src) {
			p.bad = true
			return it
		}
		p.i++
	case '[':
		it.kind = c
		p.set(&it)
	case '\\':
		if p.i == len(p.src) {
			p.bad = true
			return it
		}
		it.kind, it.c = 'c', p.src[p.i]
		p.i++
		if it.c == 'd' || it.c == 'w' {
			it.kind = '['
			it.span('0', '9')
			if it.c == 'w' {
				it.span('a', 'z')
				it.span('A', 'Z')
				it.span('_', '_')
			}
		} else if isLetter(it.c) || it.c >= '0' && it.c <= '9' {
			p.bad = true
		}
	case '*', '+', '?':
		p.bad = true
	default:
		it.kind, it.c = 'c', c
	}
	return it
}

// set reads the rest of [a-z0] or [^.].
func (p *regexParser) set(it *item) {
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
		it.span(c, end)
	}
	p.i++
	if not {
		for i := range it.set {
			it.set[i] = ^it.set[i]
		}
	}
}

// span adds the characters from a to b to a set.
func (it *item) span(a, b byte) {
	for c := int(a); c <= int(b); c++ {
		it.set[c/64] |= 1 << (c % 64)
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// match reports whether s begins with a match. A name that takes too many steps
// does not match.
func (r regex) match(s string) bool {
	m := matcher{s: s, left: 20_000}
	return m.seq(r.seq, 0, func(int) bool { return true })
}

type matcher struct {
	s    string
	left int // steps
}

// seq matches items from i on, and what follows them by k.
func (m *matcher) seq(items []item, i int, k func(int) bool) bool {
	if len(items) == 0 {
		return k(i)
	}
	return m.times(&items[0], 0, i, func(j int) bool { return m.seq(items[1:], j, k) })
}

// times matches an item that has matched n times already, as often as it goes.
func (m *matcher) times(it *item, n, i int, k func(int) bool) bool {
	if m.left--; m.left < 0 {
		return false
	}
	if n < it.max {
		more := func(j int) bool { return (j > i || n < it.min) && m.times(it, n+1, j, k) }
		if m.one(it, i, more) {
			return true
		}
	}
	return n >= it.min && k(i)
}

// one matches an item once.
func (m *matcher) one(it *item, i int, k func(int) bool) bool {
	switch it.kind {
	case '^':
		return i == 0 && k(i)
	case '$':
		return i == len(m.s) && k(i)
	case '(':
		for _, alt := range it.alts {
			if m.seq(alt, i, k) {
				return true
			}
		}
		return false
	}
	if i == len(m.s) {
		return false
	}
	c := m.s[i]
	ok := it.kind == '.' || it.kind == 'c' && it.c == c || it.kind == '[' && it.set[c/64]>>(c%64)&1 != 0
	return ok && k(i+1)
}

// matchWords reports whether a match begins at any word of a dotted name: what
// stands before a module's own name changes between versions.
func (r regex) matchWords(s string) bool {
	if !suffix(s, r.tail) {
		return false
	}
	for i := range s {
		if (i == 0 || s[i-1] == '.' && !r.open) && r.match(s[i:]) {
			return true
		}
	}
	return false
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
