package train

import (
	"llmsize/core/model"
)

// Stages divides a model into pp pipeline stages, in order.
func Stages(m *model.Model, pp int64) [][]model.Stretch { return stagesOf(m, pp, pp) }

// Elements returns, for each tensor of a part, the elements that one device
// holds of it in one layer: the largest share, where it does not come out even.
// Nothing stands for tensors that are another: a tied head counts on the last of
// several stages, which has no embedding of its own.
func (l *Layout) Elements(p *model.Part) []int64 {
	cuts := slices(p)
	out := make([]int64, len(p.Tensors))
	for i := range p.Tensors {
		t := &p.Tensors[i]
		if t.TiedTo != "" && !(l.PP > 1 && t.Role == model.Head) {
			continue
		}
		each, copies := l.share(p, t, cuts[i])
		out[i] = each * copies
	}
	return out
}

// share is what a device holds of a tensor: elements of one, and how many.
func (l *Layout) share(p *model.Part, t *model.Tensor, c cut) (each, copies int64) {
	each, copies = up(t.Elements, parts(p, t, c, l.TP)), t.Copies
	switch expert := t.ActiveOf > 1; {
	case expert && len(t.Each) > 0:
		copies = up(copies, l.EP)
	case expert:
		each = up(each, l.EP)
	}
	return each, copies
}
