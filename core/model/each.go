package model

// Kinds goes over every kind of layer, in the order of the model.
func (m *Model) Kinds() func(yield func(*Block, *Kind) bool) {
	return func(yield func(*Block, *Kind) bool) {
		for bi := range m.Blocks {
			b := &m.Blocks[bi]
			for ki := range b.Kinds {
				if !yield(b, &b.Kinds[ki]) {
					return
				}
			}
		}
	}
}

// Parts goes over every part, with the kind of layer that it is in.
func (m *Model) Parts() func(yield func(*Kind, *Part) bool) {
	return func(yield func(*Kind, *Part) bool) {
		for _, k := range m.Kinds() {
			for pi := range k.Parts {
				if !yield(k, &k.Parts[pi]) {
					return
				}
			}
		}
	}
}

// Each calls f for every run of tensors that is stored, with the number of
// layers that hold it.
func (m *Model) Each(f func(b *Block, k *Kind, p *Part, t *Tensor, layers int64)) {
	m.EachUsed(func(b *Block, k *Kind, p *Part, t *Tensor, layers int64) {
		if t.TiedTo == "" {
			f(b, k, p, t, layers)
		}
	})
}

// EachUsed is Each with the tied tensors, which a pass multiplies by but which
// are stored only once.
func (m *Model) EachUsed(f func(b *Block, k *Kind, p *Part, t *Tensor, layers int64)) {
	for b, k := range m.Kinds() {
		for pi := range k.Parts {
			p := &k.Parts[pi]
			for ti := range p.Tensors {
				f(b, k, p, &p.Tensors[ti], k.Count)
			}
		}
	}
}
