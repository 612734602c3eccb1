package model

import "llmsize/core/units"

// Run is a run of stored tensors of one shape, with its names written as a
// pattern: "model.layers.{0-2,5}.mlp.experts.{0-7}.w1.weight".
type Run struct {
	Pattern string
	Tensor  *Tensor
	Part    *Part
	Layers  []Span // the layers that hold it; nil outside layers
	Count   int64  // tensors in the run: layers × copies
}

// Span is a range of indices, both ends included.
type Span struct{ From, To int64 }

// Stretch is layers of one kind that follow each other, or what is outside layers.
type Stretch struct {
	Block  *Block
	Kind   int
	Layers int64
}

// Stretches lists all layers of the model, in order.
func (m *Model) Stretches() []Stretch {
	var out []Stretch
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for i, k := range b.Pattern {
			if n := len(out); i > 0 && out[n-1].Kind == int(k) {
				out[n-1].Layers++
				continue
			}
			out = append(out, Stretch{b, int(k), 1})
		}
	}
	return out
}

// Runs lists every stored tensor, in the order of the model.
func (m *Model) Runs() []Run {
	var out []Run
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			spans := b.Spans(ki)
			for pi := range k.Parts {
				for ti := range k.Parts[pi].Tensors {
					t := &k.Parts[pi].Tensors[ti]
					if t.TiedTo != "" {
						continue
					}
					r := Run{Pattern: t.Name, Tensor: t, Part: &k.Parts[pi], Count: k.Count * t.Copies}
					if b.Index != "" {
						r.Layers = spans
						r.Pattern = put(r.Pattern, b.Index, SpanText(spans))
					}
					for _, x := range t.Each {
						r.Pattern = put(r.Pattern, x.Name, SpanText([]Span{{0, x.N - 1}}))
					}
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// Spans returns the layers of kind k as ranges.
func (b *Block) Spans(k int) []Span {
	var out []Span
	for i, p := range b.Pattern {
		if int(p) != k {
			continue
		}
		if n := len(out); n > 0 && out[n-1].To == int64(i)-1 {
			out[n-1].To++
		} else {
			out = append(out, Span{int64(i), int64(i)})
		}
	}
	return out
}

// SpanText writes ranges as names do: "{0,2,4-6}".
func SpanText(spans []Span) string {
	s := "{"
	for i, x := range spans {
		if i > 0 {
			s += ","
		}
		s += units.Itoa(x.From)
		if x.To > x.From {
			s += "-" + units.Itoa(x.To)
		}
	}
	return s + "}"
}

// put replaces the open index {name} in a pattern.
func put(pattern, name, by string) string {
	open := "{" + name + "}"
	for i := 0; i+len(open) <= len(pattern); i++ {
		if pattern[i:i+len(open)] == open {
			return pattern[:i] + by + pattern[i+len(open):]
		}
	}
	return pattern
}

// Names calls f with the name of every single tensor of the run.
func (r *Run) Names(f func(name string)) {
	layers := r.Layers
	t := r.Tensor
	var walk func(name string, each []Index)
	walk = func(name string, each []Index) {
		if len(each) == 0 {
			f(name)
			return
		}
		for i := int64(0); i < each[0].N; i++ {
			walk(put(name, each[0].Name, units.Itoa(i)), each[1:])
		}
	}
	if layers == nil {
		walk(t.Name, t.Each)
		return
	}
	for _, s := range layers {
		for i := s.From; i <= s.To; i++ {
			walk(putLayer(t, i), t.Each)
		}
	}
}

// putLayer fills in the layer's index: the first open one that is not an index
// inside the layer.
func putLayer(t *Tensor, layer int64) string {
	for i := 0; i < len(t.Name); i++ {
		if t.Name[i] != '{' {
			continue
		}
		j := i
		for t.Name[j] != '}' {
			j++
		}
		inner := t.Name[i+1 : j]
		mine := false
		for _, x := range t.Each {
			mine = mine || x.Name == inner
		}
		if !mine {
			return t.Name[:i] + units.Itoa(layer) + t.Name[j+1:]
		}
	}
	return t.Name
}
