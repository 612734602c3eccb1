package report

import (
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/jsonout"
	"llmsize/core/units"
)

// amounts are what a figure is compared in: whole numbers of so small a unit that nothing is lost. FLOPs past 2^60 are counted in
// thousands of millions.
var amounts = [...]amount{{figure.Params, "params", 1}, {figure.Bytes, "bytes", 1}, {figure.FLOPs, "flops", 1}, {figure.FLOPs, "gflops", 1e-9},
	{figure.Seconds, "ns", 1e9}, {figure.Joules, "uj", 1e6}, {figure.Count, "count", 1}, {figure.Ratio, "millionths", 1e6}}

// amount is what a figure of a unit is compared in.
type amount struct {
	unit  figure.Unit
	name  string
	times float64
}

// unitOf is what figures of a unit are compared in where the largest of them is most.
func unitOf(u figure.Unit, most float64) amount {
	for i := range amounts {
		if x := amounts[i]; x.unit == u && float64(most*x.times) < 1<<60 {
			return x
		}
	}
	return amount{}
}

// whole is a value as a whole number of the unit.
func (u amount) whole(v formula.Value) int64 {
	if v.Kind == formula.Int && u.times == 1 {
		return v.N
	}
	return int64(float64(v.Float()*u.times) + 0.5)
}

// Short is an amount of a comparison's unit as readers take it in: "16.1 GB", "−4.80 ms"; bytes says whether in "gb" or "gib".
func Short(n int64, unit, bytes string) string {
	if n < 0 {
		return "−" + Short(-n, unit, bytes)
	}
	for i := range amounts {
		if x := &amounts[i]; x.name == unit {
			return x.unit.Brief(float64(float64(n)/x.times), bytes)
		}
	}
	return units.Group(n)
}

// side is one side of a comparison: the path that a name of the formula stands for, and the number there.
type side struct {
	path  func(name string) string
	value func(path string) float64
}

// compareFigure leads from a figure on one side to the same on the other by its formula e: its names change one after the
// other, from left to right, so what two of them do together is the later one's. find knows their labels: a page that has
// no more than the lens on running looks no further.
func compareFigure(f *figure.Figure, unit amount, e *formula.Node, a, b side, bytes string, find func(path string) *figure.Figure) (Comparison, bool) {
	c := Comparison{Name: f.Name(), Unit: unit.name}
	var changed []string
	has := func(name string) bool {
		for _, x := range changed {
			if x == name {
				return true
			}
		}
		return false
	}
	amount := func() int64 {
		x := float64(unit.times * e.Number(func(name string) float64 {
			if has(name) {
				return b.value(b.path(name))
			}
			return a.value(a.path(name))
		}))
		if !(x > 0 && x < 1<<62) {
			return 0
		}
		return int64(x + 0.5)
	}
	c.From = amount()
	c.To = c.From
	ok := c.From > 0
	e.Names(func(name string) {
		if has(name) {
			return
		}
		changed = append(changed, name)
		to := amount()
		ok = ok && to > 0
		label, u := name, figure.Count
		if g := find(a.path(name)); g != nil {
			label, u = g.Label, g.Unit
		}
		c.step(label, u.Brief(a.value(a.path(name)), bytes)+" → "+u.Brief(b.value(b.path(name)), bytes), to-c.To)
		c.To = to
	})
	return c, ok
}

// JSON is the comparison with its steps.
func (c *Comparison) JSON() jsonout.Value {
	steps := jsonout.List()
	for _, s := range c.Steps {
		o := object("name", text(s.Name), "amount", number(s.Amount))
		if s.Note != "" {
			o = o.Set("note", text(s.Note))
		}
		steps = steps.Append(o)
	}
	return object("name", text(c.Name), "unit", text(c.Unit), "from", number(c.From), "to", number(c.To), "difference", number(c.To-c.From), "steps", steps)
}
