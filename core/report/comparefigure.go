package report

import (
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/jsonout"
	"llmsize/core/query"
)

// amounts are what a figure is compared in: whole numbers of so small a unit that nothing is lost.
var amounts = [...]amount{{figure.Params, "params", 1}, {figure.Bytes, "bytes", 1}, {figure.FLOPs, "flops", 1}, {figure.Seconds, "ns", 1e9}, {figure.Joules, "uj", 1e6}}

// CompareAt leads from the figure at a path in one report to the same in another, by its formula. ok is false where it
// has none that comes to it on both sides, or isn't among the numbers that are compared.
func CompareAt(a, b *Report, path string) (c Comparison, ok bool) {
	f := figure.Find(path)
	if f == nil || f.Formula == "" {
		return c, false
	}
	x, y := a.Numbers(), b.Numbers()
	side := func(n *Numbers) side {
		return side{func(name string) string { return n.Path(path, name) }, func(path string) float64 { return n.Value(path).Float() }}
	}
	e, _ := formula.Parse(f.Formula)
	e = e.Taken(x.At(path))
	if e.Op == formula.Call && len(e.Args) == 1 && e.Args[0].Op == formula.Name { // a sum over a list: item by item
		c = Comparison{Name: f.Name(), Unit: unitOf(f.Unit).name}
		list := x.Path(path, e.Args[0].Name)
		c.items(x, y, list, unitOf(f.Unit))
		x.Each(list, func(_ string, v formula.Value) { c.From += v.N })
		y.Each(list, func(_ string, v formula.Value) { c.To += v.N })
	} else if c, ok = compareFigure(f, e, side(x), side(y), a.Query.Get(query.Units), figure.Find); !ok {
		return c, false
	}
	whole := func(n *Numbers) int64 {
		v := n.Value(path)
		if v.Kind == formula.Int {
			return v.N
		}
		return int64(float64(v.Float()*unitOf(f.Unit).times) + 0.5)
	}
	from, to := whole(x), whole(y)
	off := func(p, q int64) bool { return p-q > 1+q/100_000 || q-p > 1+q/100_000 }
	if c.Unit == "" || off(c.From, from) || off(c.To, to) {
		return c, false
	}
	c.step("rounding", "", from-c.From+c.To-to)
	c.From, c.To = from, to
	return c, true
}

// amount is what a figure of a unit is compared in.
type amount struct {
	unit  figure.Unit
	name  string
	times float64
}

func unitOf(u figure.Unit) amount {
	for i := range amounts {
		if amounts[i].unit == u {
			return amounts[i]
		}
	}
	return amount{}
}

// side is one side of a comparison: the path that a name of the formula stands for, and the number there.
type side struct {
	path  func(name string) string
	value func(path string) float64
}

// compareFigure leads from a figure on one side to the same on the other by its formula e: its names change one after the
// other, from left to right, so what two of them do together is the later one's. find knows their labels: a page that has
// no more than the lens on running looks no further.
func compareFigure(f *figure.Figure, e *formula.Node, a, b side, bytes string, find func(path string) *figure.Figure) (Comparison, bool) {
	unit := unitOf(f.Unit)
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

// items adds a step for each item of a list, paired by what it is, else by its place.
func (c *Comparison) items(a, b *Numbers, path string, unit amount) {
	type item struct {
		name string
		n    int64
	}
	of := func(n *Numbers) (out []item) {
		n.Each(path, func(at string, v formula.Value) {
			above := figure.Beside(at, "")
			name := at
			if len(above) > 0 {
				if what := n.Value(above + "what"); what.Kind == formula.Text {
					name = what.Text
				} else if what := n.Value(above + "type"); what.Kind == formula.Text {
					name = what.Text
				} else {
					name = at[len(above):]
				}
			}
			x := item{name, v.N}
			if v.Kind != formula.Int {
				x.n = int64(float64(v.Float()*unit.times) + 0.5)
			}
			for i := range out {
				if out[i].name == name {
					out[i].n += x.n
					return
				}
			}
			out = append(out, x)
		})
		return out
	}
	from, to := of(a), of(b)
	for _, x := range from {
		there, note := int64(0), "only the first has it"
		for _, y := range to {
			if y.name == x.name {
				there, note = y.n, ""
			}
		}
		c.step(x.name, note, there-x.n)
	}
next:
	for _, y := range to {
		for _, x := range from {
			if x.name == y.name {
				continue next
			}
		}
		c.step(y.name, "only the second has it", y.n)
	}
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
