package train

// source is what a slot holds values of.
type source uint8

const (
	trained  source = iota
	frozen          // the base model under adapters
	gathered        // the largest layer's weights, whole
	leaving         // the largest layer's gradients, before they leave for the host
	group           // the optimizer's values, by group
)

// slot is a row of the table of states: the bytes for each value of a kind,
// shared by ranks from a stage of ZeRO on.
type slot struct {
	part, of Part
	title    string
	each     int64 // bytes
	zero     int64 // stage from which ranks share it
	from     source
	group    int
}

const castTitle = "16-bit copies, while a step runs"

// slotsOf lists what a recipe keeps, in the order in which it is shown.
func slotsOf(q *Question) []slot {
	p := q.Precision
	all := []slot{
		{Weights, Weights, "frozen weights", 0, 3, frozen, 0},
		{Weights, Weights, width(p.Weight, "weights"), p.Weight, 3, trained, 0},
		{Gathered, Weights, "the largest layer's weights, gathered", p.multiplied(), 4, gathered, 0},
		{Weights, Weights, castTitle, p.Cast, 3, trained, 0},
		{Gradients, Gradients, width(p.Grad, "gradients"), p.Grad, 2, trained, 0},
		{Gradients, Gradients, "fp32 gradients, accumulated", p.Main, 2, trained, 0},
		{Gradients, Gradients, "the largest layer's gradients, on their way", p.Grad + p.Main, 4, leaving, 0},
		{States, Weights, "fp32 weights", p.Master, 1, trained, 0},
		{States, Gradients, "fp32 gradients", p.Copy, 1, trained, 0},
	}
	for i, g := range q.Optimizer.groups(p) {
		from := group
		if q.Optimizer.kind == perParameter {
			from = trained
		}
		all = append(all, slot{States, States, g.title, g.each, 1, from, i})
	}
	if q.Reference {
		all = append(all, slot{Weights, Weights, "the reference model's weights", p.Weight, 3, trained, 0})
	}
	n := 0
	for _, w := range all {
		if w.each > 0 || w.from == frozen {
			all[n] = w
			n++
		}
	}
	return all[:n]
}

// width names values by their bytes.
func width(each int64, of string) string {
	if each == 4 {
		return "fp32 " + of
	}
	return "16-bit " + of
}

// multiplied is the bytes of a weight as the passes multiply by it.
func (p *Precision) multiplied() int64 {
	switch {
	case p.Cast > 0:
		return p.Cast
	case p.Low:
		return 2
	}
	return p.Weight
}

// gathers reports whether a device has whole weights of one layer at a time only.
func gathers(q *Question) bool {
	return q.Layout.Zero == 3 && (q.Layout.Ranks() > 1 || q.Offload == OffloadAll)
}

// amount is how many values a slot has on a device of a stage, the bytes of one (0:
// see frozenBytes), and the ranks that share them. No values: the run has no such slot.
func (w *slot) amount(q *Question, s *stage) (n, each, over int64) {
	l := &q.Layout
	over = 1
	if l.Zero >= w.zero {
		over = l.Ranks()
	}
	switch w.from {
	case trained:
		if w.title == castTitle && gathers(q) {
			return 0, 0, 1
		}
		return s.trained.over(l, w.zero), w.each, over
	case frozen:
		return s.frozen.over(l, w.zero), 0, 1
	case gathered:
		if !gathers(q) {
			return 0, 0, 1
		}
		if len(q.Adapters) > 0 {
			return s.whole, 0, 1
		}
		return s.whole, w.each, 1
	case leaving:
		if q.Offload == OffloadNone {
			return 0, 0, 1
		}
		return s.grads, w.each, 1
	}
	return s.values[w.group].over(l, w.zero), w.each, over
}

// bytes is what a slot takes.
func (w *slot) bytes(q *Question, s *stage) float64 {
	n, each, _ := w.amount(q, s)
	if each == 0 && n > 0 {
		return frozenBytes(q, n)
	}
	return float64(n * each)
}

// host reports whether a slot waits with the host.
func (w *slot) host(q *Question) bool {
	switch {
	case w.from == gathered || w.from == leaving:
		return false
	case w.part == Weights:
		return q.Offload == OffloadAll
	}
	return q.Offload != OffloadNone
}
