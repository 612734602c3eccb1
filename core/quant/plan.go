package quant

import (
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// What reading a group and a name in a list takes, in steps: bytes more than time, as a program that is asked again
// reads them again and frees nothing.
const (
	groupRead = 60
	nameRead  = 8
)

// weigh applies the plan to every tensor.
func (p *plan) weigh(m *model.Model, format string) (Weights, *fault.Error) {
	var w Weights
	fp32, _ := PlainNamed("fp32")
	reached := false
	if p.own != nil {
		p.own.work = m.Work
		before := m.Work.About(p.own.field)
		m.Work.Times(int64(len(p.own.groups)), groupRead)
		m.Work.Times(int64(p.own.skip.size), nameRead)
		m.Work.About(before)
	}
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			var spans []model.Span
			if b.Index != "" {
				spans = b.Spans(ki)
			}
			for pi := range k.Parts {
				part := &k.Parts[pi]
				for ti := range part.Tensors {
					t := &part.Tensors[ti]
					if t.TiedTo != "" {
						continue
					}
					left := Stored{Role: t.Role, Name: t.Name, Layers: spans, Type: p.rest.Name, Tensors: t.Copies * k.Count, Elements: t.Elements}
					bits := p.rest.Bits
					if t.Buffer && t.Role == model.Router {
						left.Type, bits = fp32.Name, fp32.Bits
					}
					n, ok := product(t.Elements, bits)
					if left.Bytes = up(n, 8); !ok {
						return w, tooLarge(format)
					}
					x, isMatrix := matrixOf(part, ti)
					if s := p.reaches(t, b.Index != "" || p.own != nil); isMatrix && s != nil {
						took, ok := p.quantize(&w, left, s, x, b, ki, t)
						if !ok {
							return w, tooLarge(format)
						}
						if reached = reached || took; took {
							continue
						}
					}
					if !w.put(left) {
						return w, tooLarge(format)
					}
				}
			}
		}
	}
	if err := m.Work.Err(); err != nil {
		return w, err
	}
	if p.refused > 0 {
		w.Notes = append(w.Notes, fault.Warning{Field: "weights", Text: units.Group(p.refused) + " matrices stay in " + p.rest.Name + ": " + p.linear.wants()})
	}
	if !reached {
		w.Notes = append(w.Notes, fault.Warning{Field: "weights", Text: p.unreached(format)})
	}
	if p.own != nil && p.own.skip.size >= 8 && !p.own.skip.hit {
		w.Notes = append(w.Notes, fault.Warning{Field: "quantization_config", Text: "none of the " + units.Group(int64(p.own.skip.size)) + " modules that it leaves out is a matrix of this model"})
	}
	if w.Metadata > 0 {
		w.Notes = append(w.Notes, fault.Warning{Field: "weights", Text: "files keep " + units.Group(w.Metadata) + " bytes of code tables and shapes beside the tensors, which are not counted"})
	}
	return w, nil
}

// unreached says why a recipe changes nothing.
func (p *plan) unreached(format string) string {
	if p.experts {
		return format + " stores routed experts only, and this model has none: everything stays in " + p.rest.Name
	}
	return format + " reaches no matrix of this model: everything stays in " + p.rest.Name
}

// quantize stores a tensor by the scheme, in the layers that the config's own
// lists do not leave out; took is false when all of it stays as it was.
func (p *plan) quantize(w *Weights, left Stored, s *scheme, x matrix, b *model.Block, kind int, t *model.Tensor) (took, ok bool) {
	put := func(s *scheme, st Stored) bool {
		n, ok := s.bytes(x)
		meta, ok2 := product(s.meta, st.Tensors)
		st.Type, st.Bytes = s.name, n
		w.Metadata += meta
		return ok && ok2 && w.put(st)
	}
	if p.own == nil {
		if !s.takes(x) {
			p.refused += left.Tensors
			return false, true
		}
		return true, put(s, left)
	}
	for _, part := range p.own.divide(left, b, kind, t, s) {
		if part.scheme == nil || !part.scheme.takes(x) {
			if !w.put(part.Stored) {
				return true, false
			}
			continue
		}
		if !put(part.scheme, part.Stored) {
			return true, false
		}
	}
	return true, true
}

// reaches returns the scheme for a tensor, nil when the plan leaves it alone.
func (p *plan) reaches(t *model.Tensor, inside bool) *scheme {
	if t.Buffer {
		return nil
	}
	if p.experts && t.Role != model.Expert {
		return nil
	}
	switch t.Role {
	case model.Router:
		return p.router
	case model.Embedding:
		if p.outer {
			return p.linear
		}
		return nil
	case model.Head:
		if p.outer || p.head {
			return p.linear
		}
		return nil
	case model.Norm, model.Position:
		return nil
	case model.Vision, model.Audio, model.Projector:
		if !p.towers {
			return nil
		}
	}
	if t.Op != model.MatMul || !inside {
		return nil
	}
	return p.linear
}
