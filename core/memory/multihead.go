package memory

import "llmsize/core/arch"

// multiheadDrops are the properties by which a layer keeps less than keys and
// values of every head and token.
var multiheadDrops = [...]string{"latent", "rope", "compress", "pending", "window", "chunk", "shared", "keeps_all"}

// Multihead returns the model as plain multi-head attention would have it: every
// layer that has attention keeps keys and values of every head for the whole
// context (Vaswani et al. 2017, arXiv 1706.03762, section 3.2.2). Grouped queries,
// latents, windows and shared caches are what it lacks; states stay. The copy has
// no tensors: it is for [Cache] only.
func Multihead(m *arch.Model) *arch.Model {
	out := &arch.Model{Blocks: make([]arch.Block, len(m.Blocks))}
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		kinds := make([]arch.Kind, len(b.Kinds))
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			kinds[ki] = arch.Kind{Label: k.Label, Count: k.Count}
			for pi := range k.Parts {
				p := &k.Parts[pi]
				kinds[ki].Parts = append(kinds[ki].Parts, arch.Part{Role: p.Role, Title: p.Title, Stream: p.Stream, Props: multihead(p)})
			}
		}
		out.Blocks[bi] = arch.Block{Title: b.Title, Index: b.Index, Pattern: b.Pattern, Kinds: kinds}
	}
	return out
}

func multihead(p *arch.Part) []arch.Prop {
	if p.Get("heads") == 0 || p.Get("kv_heads") == 0 || p.Get("cross") != 0 {
		return p.Props
	}
	out := make([]arch.Prop, 0, len(p.Props))
next:
	for _, x := range p.Props {
		for _, name := range multiheadDrops {
			if x.Name == name {
				continue next
			}
		}
		if x.Name == "kv_heads" {
			x.Value = p.Get("heads")
		}
		out = append(out, x)
	}
	return out
}
