package checkpoint

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// MaxAlone is the most tensors of a checkpoint whose class nobody knows that a model is made of in the page: what reads headers there frees
// no memory, and with twice as many would take more than 64 MB.
const MaxAlone = MaxTensors / 2

// Keep writes what [Model] made as a text, and [Kept] reads it: so a program that has read half a million names
// may be let go, and another answers in its place. Lines, their fields parted by tabs:
//
//	model    type class counted
//	warning  field text inexact
//	value    name number
//	block    index title pattern          "0x3,1x2": three layers of the first kind, two of the second
//	kind     label
//	part     role title
//	prop     property number
//	tensor   name role op active of linear sides copies     copies 0: no index of its own
//
// Roles, operations and properties are numbers: the text is for the program that wrote it.
func Keep(m *model.Model) string {
	var out []byte
	line := func(fields ...string) {
		for i, f := range fields {
			if i > 0 {
				out = append(out, '\t')
			}
			for k := range len(f) {
				out = append(out, max(f[k], ' ')) // a name may hold a tab or a line's end
			}
		}
		out = append(out, '\n')
	}
	num := units.Itoa
	bit := func(b bool) string { return num(bit01(b)) }
	line("model", m.Type, m.Class, bit(m.Counted))
	for _, w := range m.Warnings {
		line("warning", w.Field, w.Text, bit(w.Inexact))
	}
	for _, v := range m.Values {
		line("value", v.Name, num(v.Value))
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		line("block", b.Index, b.Title, runs(b.Pattern))
		for k := range b.Kinds {
			line("kind", b.Kinds[k].Label)
			for p := range b.Kinds[k].Parts {
				part := &b.Kinds[k].Parts[p]
				line("part", num(int64(part.Role)), part.Title)
				for _, x := range part.Props {
					line("prop", num(int64(x.Name)), num(x.Value))
				}
				for j := range part.Tensors {
					t := &part.Tensors[j]
					sides := ""
					for n, d := range t.Dims {
						if n > 0 {
							sides += "x"
						}
						sides += num(d.Size)
					}
					copies := int64(0)
					if len(t.Each) > 0 {
						copies = t.Copies
					}
					line("tensor", t.Name, num(int64(t.Role)), num(int64(t.Op)), num(t.Active), num(t.ActiveOf), bit(t.Linear), sides, num(copies))
				}
			}
		}
	}
	return string(out)
}

func bit01(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// runs writes the kinds of layers, equal ones that follow each other together.
func runs(pattern []uint16) string {
	out := ""
	for i := 0; i < len(pattern); {
		n := 1
		for i+n < len(pattern) && pattern[i+n] == pattern[i] {
			n++
		}
		if out != "" {
			out += ","
		}
		out += units.Itoa(int64(pattern[i])) + "x" + units.Itoa(int64(n))
		i += n
	}
	return out
}

// Kept reads what [Keep] wrote.
func Kept(text string) (*model.Model, *fault.Error) {
	m := modelAlone()
	no := 0
	for len(text) > 0 {
		l, rest, _ := strings.Cut(text, "\n")
		text = rest
		no++
		if !keptLine(m, l) {
			return nil, &fault.Error{Line: no, Problem: "the checkpoint that was kept cannot be read"}
		}
	}
	return m, nil
}

// keptLine adds one line; what is under another goes to the last of them.
func keptLine(m *model.Model, l string) bool {
	f := strings.Split(l, "\t")
	ok := true
	num := func(i int) int64 {
		if i < len(f) {
			if n, is := config.ParseInt(f[i]); is {
				return n
			}
		}
		ok = false
		return 0
	}
	var b *model.Block
	var k *model.Kind
	var p *model.Part
	if len(m.Blocks) > 0 {
		b = &m.Blocks[len(m.Blocks)-1]
		if len(b.Kinds) > 0 {
			k = &b.Kinds[len(b.Kinds)-1]
			if len(k.Parts) > 0 {
				p = &k.Parts[len(k.Parts)-1]
			}
		}
	}
	switch {
	case f[0] == "model" && len(f) == 4:
		m.Type, m.Class, m.Counted = f[1], f[2], f[3] == "1"
	case f[0] == "warning" && len(f) == 4:
		m.Warnings = append(m.Warnings, fault.Warning{Field: f[1], Text: f[2], Inexact: f[3] == "1"})
	case f[0] == "value" && len(f) == 3:
		m.Values = append(m.Values, model.Named{Name: f[1], Value: num(2)})
	case f[0] == "block" && len(f) == 4:
		pattern, is := layers(f[3])
		m.Blocks = append(m.Blocks, model.Block{Index: f[1], Title: f[2], Pattern: pattern})
		ok = is
	case f[0] == "kind" && len(f) == 2 && b != nil:
		n := int64(0)
		for _, of := range b.Pattern {
			n += bit01(int(of) == len(b.Kinds))
		}
		b.Kinds = append(b.Kinds, model.Kind{Label: f[1], Count: n})
	case f[0] == "part" && len(f) == 3 && k != nil:
		k.Parts = append(k.Parts, model.Part{Role: model.Role(num(1)), Title: f[2]})
	case f[0] == "prop" && len(f) == 3 && p != nil:
		p.Props = append(p.Props, model.Prop{Name: model.Property(num(1)), Value: num(2)})
	case f[0] == "tensor" && len(f) == 9 && p != nil:
		t := model.Tensor{Name: f[1], Role: model.Role(num(2)), Op: model.Op(num(3)), Active: num(4), ActiveOf: num(5), Linear: f[6] == "1", Uses: 1, Elements: 1, Copies: 1}
		for side := range strings.SplitSeq(f[7], "x") {
			if f[7] == "" {
				break
			}
			n, is := config.ParseInt(side)
			t.Dims = append(t.Dims, model.Dim{Size: n})
			t.Elements, ok = times(t.Elements, n)
			ok = ok && is
		}
		if n := num(8); n > 0 {
			t.Each, t.Copies = []model.Index{{Name: "e", N: n}}, n
		}
		p.Tensors = append(p.Tensors, t)
	default:
		return false
	}
	return ok
}

// layers reads runs.
func layers(text string) (pattern []uint16, ok bool) {
	for run := range strings.SplitSeq(text, ",") {
		kind, many, _ := strings.Cut(run, "x")
		k, ok1 := config.ParseInt(kind)
		n, ok2 := config.ParseInt(many)
		if !ok1 || !ok2 || k < 0 || k > maxInside || n < 1 || int(n)+len(pattern) > maxInside {
			return nil, false
		}
		for range n {
			pattern = append(pattern, uint16(k))
		}
	}
	return pattern, true
}
