package chart

import (
	"llmsize/core/config"
	"llmsize/core/model"
	"llmsize/core/units"
)

// Widths of the drawings of a calculator, in pixels.
const Wide, Narrow = 880, 300

// Plan is what [Draw] needs of a model, as text: a line for the whole ("h", the hidden size), for each block ("b", its
// index and title, then the kind of layer and how many follow each other, again and again), for each kind of layer ("k",
// its label and count) and for each tensor ("t", its name, role, copies, active copies and of how many, what it is tied
// to, whether it is a buffer, its elements, then size and letters of each side). Fields end at tabs.
//
// So the program that counts needn't draw, and the one that draws needn't count. letters writes a side in letters, or
// nothing; it may be nil.
func Plan(m *model.Model, letters Symbols) string {
	p := make([]byte, 0, 4<<10)
	words := func(s string) {
		p = append(p, '\t')
		for i := range len(s) {
			p = append(p, max(s[i], ' ')) // names may come from anybody's file
		}
	}
	numbers := func(list ...int64) {
		for _, n := range list {
			p = append(append(p, '\t'), units.Itoa(n)...)
		}
	}
	hidden, _ := m.Value("hidden_size")
	p = append(p, 'h')
	numbers(hidden)
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		p = append(p, "\nb"...)
		words(b.Index)
		words(b.Title)
		for from, i := 0, 1; i <= len(b.Pattern); i++ {
			if i == len(b.Pattern) || b.Pattern[i] != b.Pattern[from] {
				numbers(int64(b.Pattern[from]), int64(i-from))
				from = i
			}
		}
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			p = append(p, "\nk"...)
			words(k.Label)
			numbers(k.Count)
			for pi := range k.Parts {
				for ti := range k.Parts[pi].Tensors {
					t := &k.Parts[pi].Tensors[ti]
					buffer := int64(0)
					if t.Buffer {
						buffer = 1
					}
					p = append(p, "\nt"...)
					words(short(t.Name))
					words(t.TiedTo)
					numbers(int64(t.Role), t.Copies, t.Active, t.ActiveOf, buffer, t.Elements)
					for _, d := range t.Dims {
						numbers(d.Size)
						sign := ""
						if letters != nil && len(t.Dims) > 1 {
							sign = letters(d)
						}
						words(sign)
					}
				}
			}
		}
	}
	return string(p)
}

// planned reads a plan: the model as far as it is drawn. The Expr of a side is its letters.
func planned(plan string) *model.Model {
	m := &model.Model{}
	var fields []string
	for from, i := 0, 0; i <= len(plan); i++ {
		if i < len(plan) && plan[i] != '\t' && plan[i] != '\n' {
			continue
		}
		fields = append(fields, plan[from:i])
		from = i + 1
		if i == len(plan) || plan[i] == '\n' {
			m = with(m, fields)
			fields = fields[:0]
		}
	}
	return m
}

// with adds a line of a plan to the model; one that does not fit adds nothing.
func with(m *model.Model, line []string) *model.Model {
	number := func(i int) int64 {
		if i >= len(line) {
			return 0
		}
		n, _ := config.ParseInt(line[i])
		return n
	}
	var block *model.Block
	var kind *model.Kind
	if n := len(m.Blocks); n > 0 {
		block = &m.Blocks[n-1]
		if n := len(block.Kinds); n > 0 {
			kind = &block.Kinds[n-1]
		}
	}
	switch {
	case len(line) < 2:
	case line[0] == "h":
		m.Values = append(m.Values, model.Named{Name: "hidden_size", Value: number(1)})
	case line[0] == "b" && len(line) > 2:
		b := model.Block{Index: line[1], Title: line[2]}
		for i := 3; i < len(line); i += 2 {
			for range number(i + 1) {
				b.Pattern = append(b.Pattern, uint16(number(i)))
			}
		}
		m.Blocks = append(m.Blocks, b)
	case line[0] == "k" && block != nil:
		block.Kinds = append(block.Kinds, model.Kind{Label: line[1], Count: number(2), Parts: make([]model.Part, 1)})
	case line[0] == "t" && kind != nil && len(line) > 8:
		t := model.Tensor{Name: line[1], TiedTo: line[2], Role: model.Role(number(3)), Copies: number(4), Active: number(5), ActiveOf: number(6), Buffer: number(7) != 0, Elements: number(8)}
		for i := 9; i+1 < len(line); i += 2 {
			t.Dims = append(t.Dims, model.Dim{Size: number(i), Expr: line[i+1]})
		}
		kind.Parts[0].Tensors = append(kind.Parts[0].Tensors, t)
	}
	return m
}
