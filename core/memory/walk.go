package memory

import (
	"llmsize/core/model"
)

// decodes reports whether the decoder's own tokens pass the layers of a kind.
func decodes(k *model.Kind) bool {
	for pi := range k.Parts {
		if k.Parts[pi].Stream == "" {
			return true
		}
	}
	return false
}

// walk is which of a piece's layers are planned: those between the second and the
// last of a kind are left out, because the plan repeats. The residual stream has
// two places and changes them with every layer, so an even number is left out.
type walk struct {
	kinds []walked // as they come up
	steps []int    // the layers that are planned, in order
	final int      // the last layer with attention
}

// walked is a kind of layer.
type walked struct {
	kind      *model.Kind
	attention *model.Part
	last      int // layer of the kind
	before    int // layers of the kind, as they are met
}

// walked is the piece's walk, which is the same for every question.
func (p *Piece) walked() *walk {
	if p.walk == nil {
		p.walk = walkOf(p.layers)
	}
	return p.walk
}

func walkOf(layers []*model.Kind) *walk {
	w := &walk{}
	at := func(k *model.Kind) *walked {
		for i := range w.kinds {
			if w.kinds[i].kind == k {
				return &w.kinds[i]
			}
		}
		w.kinds = append(w.kinds, walked{kind: k, attention: attention(k)})
		return &w.kinds[len(w.kinds)-1]
	}
	for i, k := range layers {
		x := at(k)
		x.last = i
		if x.attention != nil {
			w.final = i
		}
	}
	left, first := 0, -1
	for i, k := range layers {
		if x := at(k); x.before < 2 || x.last == i {
			x.before++
			continue
		}
		if left++; first < 0 {
			first = i
		}
	}
	for i := range w.kinds {
		w.kinds[i].before = 0
	}
	for i, k := range layers {
		x := at(k)
		if x.before < 2 || x.last == i || left%2 == 1 && i == first {
			w.steps = append(w.steps, i)
		}
		x.before++
	}
	return w
}
