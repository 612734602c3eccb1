package checkpoint

import "llmsize/core/units"

// interner keeps every text once. Names of a checkpoint differ mostly in the
// numbers of layers and experts, so these are taken out and half a million names
// are a few hundred texts.
//
// A name that is met again makes no garbage: the page's programs free nothing.
type interner struct {
	texts  []string
	at     map[string]int32
	bytes  int
	open   []byte             // the name at hand, its numbers out
	recent [recentTexts]int32 // by a hash: texts met lately, their number + 1
}

const recentTexts = 1 << 10

// split takes the numbers out of a name: words between dots that are a number
// as Itoa writes it. Names that hold a "#" already stay as they are. The text is
// appended to out.
func split[T string | []byte](out []byte, text T) ([]byte, [slots]int32) {
	index := [slots]int32{-1, -1, -1, -1}
	used, from := 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] == '#' {
			return append(out, text...), index
		}
	}
	for i := 0; i < len(text) && used < slots; {
		j := i
		for j < len(text) && text[j] != '.' {
			j++
		}
		if n, ok := number(text[i:j]); ok {
			index[used] = n
			used++
			out = append(append(out, text[from:i]...), '#')
			from = j
		}
		i = j + 1
	}
	return append(out, text[from:]...), index
}

// number reads a whole number without leading zeros, up to nine digits.
func number[T string | []byte](s T) (int32, bool) {
	if len(s) == 0 || len(s) > 9 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n := int32(0)
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int32(s[i]-'0')
	}
	return n, true
}

// is compares without making a string of b, which TinyGo does.
func is(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i := range b {
		if b[i] != s[i] {
			return false
		}
	}
	return true
}

// intern returns a name, its text kept.
func (t *interner) intern(text []byte) name {
	var index [slots]int32
	t.open, index = split(t.open[:0], text)
	h := uint32(2166136261)
	for _, c := range t.open {
		h = (h ^ uint32(c)) * 16777619
	}
	slot := &t.recent[(h^h>>16)%recentTexts]
	if n := *slot - 1; n >= 0 && is(t.open, t.texts[n]) {
		return name{n, index}
	}
	n := t.number(string(t.open))
	*slot = n + 1
	return name{n, index}
}

// number returns the number of a text whose own numbers are out, kept.
func (t *interner) number(s string) int32 {
	if t.at == nil {
		t.at = map[string]int32{}
	}
	n, ok := t.at[s]
	if !ok {
		n = int32(len(t.texts))
		s = string(append([]byte(nil), s...)) // not a piece of something larger
		t.texts = append(t.texts, s)
		t.at[s] = n
		t.bytes += len(s) + 64 // what the table takes beside it
	}
	return n
}

// look returns a name without keeping its text; its text is -1 when no name has it.
func (t *interner) look(text string) name {
	s, index := split(nil, text)
	n, ok := t.at[string(s)]
	if !ok {
		n = -1
	}
	return name{n, index}
}

// fill writes a name with its numbers.
func (t *interner) fill(n name) string {
	text := t.texts[n.text]
	if n.index[0] < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+8)
	used := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '#' && used < slots && n.index[used] >= 0 {
			out = append(out, units.Itoa(int64(n.index[used]))...)
			used++
			continue
		}
		out = append(out, text[i])
	}
	return string(out)
}
