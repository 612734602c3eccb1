package report

import (
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/query"
)

// amounts are what a figure is compared in: whole numbers of so small a unit that nothing is lost.
var amounts = [...]struct {
	unit  figure.Unit
	name  string
	times float64
}{{figure.Params, "params", 1}, {figure.Bytes, "bytes", 1}, {figure.FLOPs, "flops", 1}, {figure.Seconds, "ns", 1e9}, {figure.Joules, "uj", 1e6}}

// compareFigure leads from a figure on one side to the same on the other by its formula: its names change one after the
// other, from left to right, so what two of them do together is the later one's.
func compareFigure(f *figure.Figure, a, b *Numbers) (Comparison, bool) {
	c := Comparison{Name: f.Name()}
	times := 0.0
	for i := range amounts {
		if amounts[i].unit == f.Unit {
			c.Unit, times = amounts[i].name, amounts[i].times
		}
	}
	e, problem := formula.Parse(f.Formula)
	mixed := halfway{a: a.At(f.ID), b: b.At(f.ID)}
	amount := func() (int64, bool) {
		v := e.Eval(&mixed)
		x := float64(v.Float() * times)
		return int64(x + 0.5), v.OK() && x >= 0 && x < 1<<62
	}
	from, ok := amount()
	if problem != "" || times == 0 || !ok {
		return c, false
	}
	bytes := a.r.Query.Get(query.Units)
	c.From, c.To = from, from
	fine := true
	e.Names(func(name string) {
		if mixed.has(name) {
			return
		}
		mixed.changed = append(mixed.changed, name)
		to, ok := amount()
		fine = fine && ok
		label, u := name, figure.Count
		if g := figure.Shown(a.Path(f.ID, name)); g != nil {
			label, u = g.Label, g.Unit
		}
		c.step(label, u.Short(mixed.a.Value(name), bytes)+" → "+u.Short(mixed.b.Value(name), bytes), to-c.To)
		c.To = to
	})
	return c, fine
}

// halfway is what names stand for on the way from one side to the other.
type halfway struct {
	a, b    formula.Env
	changed []string
}

func (h *halfway) has(name string) bool {
	for _, x := range h.changed {
		if x == name {
			return true
		}
	}
	return false
}

func (h *halfway) Value(name string) formula.Value {
	if h.has(name) {
		return h.b.Value(name)
	}
	return h.a.Value(name)
}

func (h *halfway) Each(name string, f func(formula.Value)) {
	if h.has(name) {
		h.b.Each(name, f)
		return
	}
	h.a.Each(name, f)
}
