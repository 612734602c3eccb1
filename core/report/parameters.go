package report

import (
	"llmsize/core/model"
	"llmsize/core/units"
)

// count adds up the tensors: in all, by role, by component, and what
// of them works on one token.
func (p *Parameters) count(m *model.Model) {
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			prefix := layerPrefix(k, b.Index)
			for pi := range k.Parts {
				part := &k.Parts[pi]
				c := Component{Block: b.Title, Kind: k.Label, Title: part.Title, Role: part.Role, Layers: k.Count, InLayers: b.Index != ""}
				if n := len(part.Tensors); n > 0 {
					c.Rows = make([]Row, 0, n)
				}
				for ti := range part.Tensors {
					row := p.add(&part.Tensors[ti], b, ki, prefix)
					if row.TiedTo == "" {
						c.Total += row.Total
						c.Each += row.Each * units.Params(row.Copies)
					}
					c.Rows = append(c.Rows, row)
				}
				p.put(&c)
			}
		}
	}
	p.Stored = p.Total + p.Buffers
}

// put adds a component, or merges it into the same one of the same layers: the
// norms of a layer are one line.
func (p *Parameters) put(c *Component) {
	if len(c.Rows) == 0 {
		return
	}
	for i := len(p.Components) - 1; i >= 0; i-- {
		o := &p.Components[i]
		if o.Block != c.Block || o.Kind != c.Kind || !c.InLayers {
			break
		}
		if o.Role == c.Role && c.Role == model.Norm {
			o.Title = "norms"
			o.Each += c.Each
			o.Total += c.Total
			o.Rows = append(o.Rows, c.Rows...)
			return
		}
	}
	p.Components = append(p.Components, *c)
}

// add counts one run of tensors.
func (p *Parameters) add(t *model.Tensor, b *model.Block, kind int, prefix string) Row {
	layers := b.Kinds[kind].Count
	row := Row{Name: t.Name, Role: t.Role, Dims: t.Dims, Copies: t.Copies, Each: units.Params(t.Elements), Buffer: t.Buffer, TiedTo: t.TiedTo}
	if len(prefix) < len(t.Name) {
		row.Name = t.Name[len(prefix):]
	}
	row.Full = t.Name
	row.Total = t.Params(layers)
	n := row.Total
	active := units.Params(t.Elements) * units.Params(t.Copies*t.Active/t.ActiveOf) * units.Params(layers)
	if t.Copies == 1 {
		active = units.Params(share(t.Elements, t.Active, t.ActiveOf)) * units.Params(layers)
	}
	switch {
	case t.TiedTo != "":
		p.Tied = true
		return row
	case t.Buffer:
		p.Buffers += n
		return row
	}
	p.Total += n
	p.ByRole[t.Role] += n
	row.Active = active
	p.Active += active
	if t.Role != model.Embedding {
		p.ActiveWithoutEmbedding += active
		if t.Role != model.Head {
			p.ActiveWithoutEmbeddingAndHead += active
		}
	}
	return row
}

// share is elements·num/den without leaving int64: fused expert tensors hold
// all experts, of which num of den work.
func share(elements, num, den int64) int64 {
	if num == den {
		return elements
	}
	return elements/den*num + elements%den*num/den
}

// layerPrefix is what all tensor names of a layer begin with, up to and with the
// dot after the index: "model.layers.{i}.".
func layerPrefix(k *model.Kind, index string) string {
	if index == "" {
		return ""
	}
	open := "{" + index + "}."
	for _, p := range k.Parts {
		for _, t := range p.Tensors {
			for i := 0; i+len(open) <= len(t.Name); i++ {
				if t.Name[i:i+len(open)] == open {
					return t.Name[:i+len(open)]
				}
			}
		}
	}
	return ""
}
