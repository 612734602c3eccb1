package rules

import (
	"llmsize/core/model"
	"llmsize/core/report"
)

// weightRule is a number of bytes for each parameter.
type weightRule struct {
	named   bool  // the number in the model's name, in place of the count
	layers  bool  // without embedding and head
	bits    int64 // for each; 0 is the format's own, for plain formats
	half    bool  // the rule only speaks of recipes that keep most weights in four bits or so
	sixteen bool  // only of formats of 16 bits
}

// eval works the rule out.
func (w *weightRule) eval(r *report.Report, of Quantity) (int64, []Term, bool) {
	c := &checked{}
	p := &r.Parameters
	total := int64(p.Total)
	n := total
	var terms []Term
	bits := w.bits
	if bits == 0 {
		bits = r.Weights.Bits
	}
	if bits <= 0 || total > 1<<56 {
		return 0, nil, false
	}
	if w.half && !mostlyFour(r) || w.sixteen && r.Weights.Bits != 16 {
		return 0, nil, false
	}
	in := func(params int64) int64 { return c.product(params, bits) / 8 }
	if w.named {
		billions, ok := inName(r.Subject.Name)
		if !ok {
			return 0, nil, false
		}
		n = billions
		terms = append(terms, Term{NameRounding, in(total) - in(n)})
	}
	if w.layers {
		head, table := int64(p.ByRole[model.Head]), int64(p.ByRole[model.Embedding])
		n -= head + table
		terms = append(terms, Term{Embedding, in(total-head) - in(n)}, Term{Head, in(total) - in(total-head)})
	}
	value := in(n)
	stored := in(total)
	all := in(int64(p.Stored))
	terms = append(terms, Term{Buffers, all - stored})
	if bits == 4 {
		terms = append(terms, fourBits(r)...)
	}
	terms = append(terms, Term{Format, int64(r.Weights.Bytes) - all - sumOf(terms, Scales, WiderTensors)})
	return value, terms, !c.bad
}

// fourBits takes apart what a recipe takes beyond four bits: scales where a type
// has up to five and a half bits for a weight, wider tensors where it has more.
func fourBits(r *report.Report) []Term {
	var scales, wider int64
	for _, t := range r.Weights.Types {
		beyond := t.Bytes - t.Elements/2
		if t.Bytes*16 <= t.Elements*11 {
			scales += beyond
		} else {
			wider += beyond
		}
	}
	return []Term{{Scales, scales}, {WiderTensors, wider}}
}

// sumOf adds up the terms of some causes.
func sumOf(terms []Term, causes ...Cause) int64 {
	n := int64(0)
	for _, t := range terms {
		for _, c := range causes {
			if t.Cause == c {
				n += t.Amount
			}
		}
	}
	return n
}

// mostlyFour reports whether most weights are in types of three and a half to five
// and a half bits.
func mostlyFour(r *report.Report) bool {
	n := int64(0)
	for _, t := range r.Weights.Types {
		if t.Bytes*16 >= t.Elements*7 && t.Bytes*16 <= t.Elements*11 {
			n += t.Elements
		}
	}
	return n > int64(r.Weights.Elements)/2
}

// flatRule is the weights and a fifth on top, for everything else.
func flatRule(r *report.Report, _ Quantity) (int64, []Term, bool) {
	w := int64(r.Weights.Bytes)
	fifth := w / 5
	return w + fifth, []Term{{FlatShare, -fifth}, {CacheBytes, int64(r.Cache.Bytes)}}, w < 1<<60
}

// inName is the number of parameters that a name states: 8 billion in
// "Llama-3.1-8B", 135 million in "SmolLM-135M", 8 × 7 billion in "Mixtral-8x7B",
// the first of two in "Qwen3-30B-A3B". ok is false when there is none.
func inName(name string) (n int64, ok bool) {
	for i := 0; i < len(name); i++ {
		if !digit(name[i]) || i > 0 && (digit(name[i-1]) || name[i-1] == '.' || letter(name[i-1])) {
			continue
		}
		times := int64(1)
		value, end := thousandths(name, i)
		if end < len(name)-1 && name[end] == 'x' && digit(name[end+1]) {
			times = value / 1000
			value, end = thousandths(name, end+1)
		}
		if end == len(name) || end+1 < len(name) && letter(name[end+1]) {
			continue
		}
		switch name[end] {
		case 'B', 'b':
			return times * value * 1e6, value > 0
		case 'M', 'm':
			return times * value * 1e3, value > 0
		case 'T', 't':
			return times * value * 1e9, value > 0
		}
	}
	return 0, false
}

// thousandths reads a number with up to three decimals.
func thousandths(s string, i int) (n int64, end int) {
	for ; i < len(s) && digit(s[i]) && n < 1e6; i++ {
		n = n*10 + int64(s[i]-'0')
	}
	n *= 1000
	if i+1 < len(s) && s[i] == '.' && digit(s[i+1]) {
		for unit := int64(100); ; unit /= 10 {
			if i++; i == len(s) || !digit(s[i]) {
				break
			}
			n += int64(s[i]-'0') * unit
		}
	}
	return n, i
}

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
