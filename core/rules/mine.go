package rules

import (
	"llmsize/core/fault"
	"llmsize/core/report"
)

// Mine is what a reader has: a number, a rule, or both.
type Mine struct {
	Number string // as it was given; empty when only a rule was
	Value  int64
	Digit  int64  // what the last digit that was given is worth: 100,000,000 in "7.5b"
	Unit   string // "params", "bytes" or "flops"; empty when it was not said
	Binary int64  // Value if a "gb" were a GiB, or the other way round; 0 when the unit is neither
	Rule   *Rule  // nil when only a number was given
}

// suffixes are the units of a number, in lower case. A b alone is a billion
// parameters: who means bytes writes gb.
var suffixes = [...]struct {
	name  string
	times int64
	other int64 // binary for decimal, decimal for binary
	unit  string
}{
	{"", 1, 0, ""}, {"k", 1e3, 0, ""}, {"m", 1e6, 0, ""}, {"g", 1e9, 0, ""}, {"t", 1e12, 0, ""},
	{"b", 1e9, 0, "params"}, {"bn", 1e9, 0, "params"}, {"params", 1, 0, "params"},
	{"bytes", 1, 0, "bytes"}, {"byte", 1, 0, "bytes"},
	{"kb", 1e3, 1 << 10, "bytes"}, {"mb", 1e6, 1 << 20, "bytes"}, {"gb", 1e9, 1 << 30, "bytes"}, {"tb", 1e12, 1 << 40, "bytes"},
	{"kib", 1 << 10, 1e3, "bytes"}, {"mib", 1 << 20, 1e6, "bytes"}, {"gib", 1 << 30, 1e9, "bytes"}, {"tib", 1 << 40, 1e12, "bytes"},
	{"flop", 1, 0, "flops"}, {"mflop", 1e6, 0, "flops"}, {"gflop", 1e9, 0, "flops"}, {"tflop", 1e12, 0, "flops"}, {"pflop", 1e15, 0, "flops"}, {"eflop", 1e18, 0, "flops"},
}

// ParseMine reads the query's mine: a number with a unit ("7.5b", "14.9gib",
// "163840", "1.3e13flop"), a rule's name ("12lh2"), or both with a comma between.
func ParseMine(text string) (m Mine, err *fault.Error) {
	for from, i := 0, 0; i <= len(text); i++ {
		if i < len(text) && text[i] != ',' {
			continue
		}
		part := text[from:i]
		from = i + 1
		if rule, ok := Named(part); ok {
			m.Rule = rule
		} else if part != "" && !m.number(part) {
			return m, &fault.Error{Field: "mine", Given: fault.Clip(part, 60), Problem: "is neither a number with a unit nor a rule",
				Allowed: "7.5b, 16.1gb, 14.9gib, 163840 bytes, 1.3e13flop, or the name of a rule"}
		}
	}
	return m, nil
}

// number reads a number: digits, a point, an exponent, a unit.
func (m *Mine) number(s string) bool {
	c := checked{}
	n, power, digits, point, i := int64(0), 0, 0, false, 0
	for ; i < len(s) && (digit(s[i]) || s[i] == '.' && !point); i++ {
		if s[i] == '.' {
			point = true
			continue
		}
		n = c.sum(c.product(n, 10), int64(s[i]-'0'))
		digits++
		if point {
			power--
		}
	}
	if i+1 < len(s) && s[i] == 'e' && digit(s[i+1]) {
		e := 0
		for i++; i < len(s) && digit(s[i]) && e < 100; i++ {
			e = e*10 + int(s[i]-'0')
		}
		power += e
	}
	unit := s[i:]
	if k := len(unit); k > 4 && unit[k-5:] == "flops" {
		unit = unit[:k-1]
	}
	for _, u := range suffixes {
		if u.name != unit {
			continue
		}
		in := func(times int64) int64 { return c.scaled(n, times, power) }
		m.Number, m.Unit, m.Value = s, u.unit, in(u.times)
		m.Digit = max(c.scaled(1, u.times, power), 1)
		if u.other > 0 {
			m.Binary = in(u.other)
		}
		return digits > 0 && !c.bad && m.Value > 0
	}
	return false
}

// scaled is n · times · 10^power, rounded down.
func (c *checked) scaled(n, times int64, power int) int64 {
	for ; power > 0 && !c.bad; power-- {
		n = c.product(n, 10)
	}
	down := int64(1)
	for ; power < 0 && !c.bad; power++ {
		down = c.product(down, 10)
	}
	if c.bad {
		return 0
	}
	// In two parts, so that 16.123456789 GB does not pass int64 on the way.
	return c.sum(c.product(n/down, times), c.product(n%down, times)/down)
}

// Match is a figure near to the reader's number: what a rule says, or the exact
// figure itself.
type Match struct {
	Of     Quantity
	Answer *Answer // nil for the exact figure
	Value  int64
	Gives  bool  // it rounds to the number that was given
	Binary bool  // the number was read in the other kind of bytes
	Off    int64 // how far it is from the number, in millionths of it; less is below
}

// Nearest lists what comes to a number for a report, the nearest first: at most
// eight, at most a quarter off unless it is one of the first three.
func Nearest(r *report.Report, m *Mine, answers []Answer) []Match {
	var list []Match
	add := func(of Quantity, a *Answer, value int64) {
		if m.Unit != "" && m.Unit != of.Unit() || value <= 0 {
			return
		}
		x := Match{Of: of, Answer: a, Value: value, Off: off(value, m.Value)}
		x.Gives = apart(value, m.Value) <= m.Digit/2
		if y := off(value, m.Binary); m.Binary > 0 && size(y) < size(x.Off)/4 && size(y) < 20_000 {
			x.Binary, x.Off, x.Gives = true, y, size(y) < 5_000
		}
		at := len(list)
		for at > 0 && size(x.Off) < size(list[at-1].Off) {
			at--
		}
		list = append(list, x)
		copy(list[at+1:], list[at:])
		list[at] = x
	}
	for of := range NumQuantities {
		if n, ok := of.exact(r); ok && !(of == ActiveParameters && r.Parameters.Active == r.Parameters.Total) {
			add(of, nil, n)
		}
	}
	for i := range answers {
		add(answers[i].Rule.Of, &answers[i], answers[i].Value)
	}
	keep := 0
	for keep < min(len(list), 8) && (keep < 3 || size(list[keep].Off) <= 250_000) {
		keep++
	}
	return list[:keep]
}

// off is how far value is from n, in millionths of n, bounded.
func off(value, n int64) int64 {
	if n <= 0 {
		return 1 << 40
	}
	x := float64(value-n) / float64(n) * 1e6
	return int64(max(min(x, 1<<40), -1<<40))
}

func apart(a, b int64) int64 { return size(a - b) }

func size(n int64) int64 { return max(n, -n) }
