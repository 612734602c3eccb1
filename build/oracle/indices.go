package oracle

import (
	"fmt"
	"strconv"
	"strings"
)

// span is the indices lo, lo+1, …, hi.
type span struct{ lo, hi int }

// spans is a set of indices: sorted, disjoint, no two that touch.
type spans []span

// parseSpans reads "0-31" or "0,2,4-6".
func parseSpans(s string) (spans, error) {
	var out spans
	for _, part := range strings.Split(s, ",") {
		a, b, isRange := strings.Cut(part, "-")
		lo, err := strconv.Atoi(a)
		hi := lo
		if err == nil && isRange {
			hi, err = strconv.Atoi(b)
		}
		if err != nil || hi < lo || lo < 0 {
			return nil, fmt.Errorf("index set {%s}: %q is neither a number nor a range", s, part)
		}
		if n := len(out); n > 0 && lo <= out[n-1].hi {
			return nil, fmt.Errorf("index set {%s}: not in order", s)
		}
		if n := len(out); n > 0 && lo == out[n-1].hi+1 {
			out[n-1].hi = hi
			continue
		}
		out = append(out, span{lo, hi})
	}
	return out, nil
}

// add puts a larger index at the end of the set.
func (s spans) add(i int) spans {
	if n := len(s); n > 0 && s[n-1].hi+1 == i {
		s[n-1].hi = i
		return s
	}
	return append(s, span{i, i})
}

func (s spans) count() int64 {
	var n int64
	for _, r := range s {
		n += int64(r.hi - r.lo + 1)
	}
	return n
}

func (s spans) String() string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(r.lo))
		if r.hi > r.lo {
			b.WriteString("-" + strconv.Itoa(r.hi))
		}
	}
	return b.String()
}

// pattern is a name split at its indices: text[0] sets[0] text[1] … text[n].
type pattern struct {
	text []string
	sets []spans
}

// template is the name with every index set emptied: "model.layers.{}.norm".
func (p pattern) template() string { return strings.Join(p.text, "{}") }

// parsePattern splits a name. An index is a set in braces anywhere, or a whole
// part between dots that is a number.
func parsePattern(name string) (pattern, error) {
	var p pattern
	from, at := 0, 0 // the text since the last index, as far as it is read
	index := func(s spans, end int) {
		p.text, p.sets = append(p.text, name[from:at]), append(p.sets, s)
		from, at = end, end
	}
	atStart := true // of a part between dots
	for at < len(name) {
		if name[at] == '{' {
			end := strings.IndexByte(name[at:], '}')
			if end < 0 {
				return pattern{}, fmt.Errorf("name %q: brace without its end", name)
			}
			set, err := parseSpans(name[at+1 : at+end])
			if err != nil {
				return pattern{}, fmt.Errorf("name %q: %w", name, err)
			}
			index(set, at+end+1)
			atStart = false
			continue
		}
		if atStart {
			if n, after, ok := leadingIndex(name[at:]); ok {
				index(spans{{n, n}}, len(name)-len(after))
				atStart = false
				continue
			}
		}
		for at++; at < len(name) && name[at] != '{' && name[at-1] != '.'; at++ {
		}
		atStart = name[at-1] == '.'
	}
	p.text = append(p.text, name[from:])
	return p, nil
}

// leadingIndex reads a number that fills the part up to the next dot or the end.
func leadingIndex(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 || i < len(s) && s[i] != '.' {
		return 0, s, false
	}
	n, err := strconv.Atoi(s[:i])
	return n, s[i:], err == nil
}

// join writes a name from a template's pieces and one set for each gap.
func join(text []string, sets []spans) string {
	var b strings.Builder
	for i, t := range text {
		b.WriteString(t)
		if i < len(sets) {
			b.WriteString("{" + sets[i].String() + "}")
		}
	}
	return b.String()
}
