package memory

import (
	"llmsize/core/model"
)

// multiheadDrops are the properties by which a layer keeps less than keys and
// values of every head and token.
var multiheadDrops = [...]model.Property{model.Latent, model.Rope, model.Compress, model.Pending, model.Window, model.Chunk, model.Shared, model.KeepsAll}

// Multihead returns the model as plain multi-head attention would have it: every
// layer that has attention keeps keys and values of every head for the whole
// context (Vaswani et al. 2017, arXiv 1706.03762, section 3.2.2). Grouped queries,
// latents, windows and shared caches are what it lacks; states stay. The copy has
// no tensors: it is for [Cache] only.
func Multihead(m *model.Model) *model.Model {
	out := &model.Model{Blocks: make([]model.Block, len(m.Blocks))}
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		kinds := make([]model.Kind, len(b.Kinds))
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			kinds[ki] = model.Kind{Label: k.Label, Count: k.Count}
			for pi := range k.Parts {
				p := &k.Parts[pi]
				kinds[ki].Parts = append(kinds[ki].Parts, model.Part{Role: p.Role, Title: p.Title, Stream: p.Stream, Props: multihead(p)})
			}
		}
		out.Blocks[bi] = model.Block{Title: b.Title, Index: b.Index, Pattern: b.Pattern, Kinds: kinds}
	}
	return out
}

func multihead(p *model.Part) []model.Prop {
	if p.Get(model.Heads) == 0 || p.Get(model.KVHeads) == 0 || p.Get(model.Cross) != 0 {
		return p.Props
	}
	out := make([]model.Prop, 0, len(p.Props))
next:
	for _, x := range p.Props {
		for _, name := range multiheadDrops {
			if x.Name == name {
				continue next
			}
		}
		if x.Name == model.KVHeads {
			x.Value = p.Get(model.Heads)
		}
		out = append(out, x)
	}
	return out
}
