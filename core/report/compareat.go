package report

import (
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/query"
)

// CompareAt leads from the figure at a path in one report to the same in another: by its formula, where it has one that comes to
// it on both sides; else by what the two questions ask differently. ok is false where it isn't a number, or is missing on one side.
func CompareAt(a, b *Report, path string) (c Comparison, ok bool) {
	f := figure.Find(path)
	if f == nil {
		return c, false
	}
	x, y := a.Numbers(), b.Numbers()
	v, w := x.Value(path), y.Value(path)
	unit := unitOf(f.Unit, max(v.Float(), w.Float()))
	if !v.OK() || !w.OK() || unit.name == "" {
		return c, false
	}
	if c, ok = byFormula(f, unit, x, y, path, a.Query.Get(query.Units)); !ok {
		c, ok = byKeys(f, unit, a, b, path)
	}
	return c, ok
}

// byFormula leads along a figure's formula, a sum entry by entry.
func byFormula(f *figure.Figure, unit amount, x, y *Numbers, path, bytes string) (c Comparison, ok bool) {
	if f.Formula == "" {
		return c, false
	}
	side := func(n *Numbers, path string) side {
		return side{func(name string) string { return n.Path(path, name) }, func(path string) float64 { return n.Value(path).Float() }}
	}
	e, _ := formula.Parse(f.Formula)
	e = e.Taken(x.At(path))
	if e.Op == formula.Call && len(e.Args) == 1 && e.Args[0].Op == formula.Name {
		c = Comparison{Name: f.Name(), Unit: unit.name}
		from, to := x.items(x.Path(path, e.Args[0].Name), unit), y.items(y.Path(path, e.Args[0].Name), unit)
		for i := range from {
			c.From += from[i].n
		}
		for i := range to {
			c.To += to[i].n
		}
		c.items(from, to, func(p, q *item) bool { // by the entry's own formula, where that leads from the one to the other
			g := figure.Find(p.path)
			if p.path == "" || q.path == "" || g == nil || g.Formula == "" {
				return false
			}
			e, _ := formula.Parse(g.Formula)
			d, ok := compareFigure(g, unit, e.Taken(x.At(p.path)), side(x, p.path), side(y, q.path), bytes, figure.Find)
			if !ok || d.From != p.n || d.To != q.n {
				return false
			}
			for _, s := range d.Steps {
				c.step(p.name, s.Name+" "+s.Note, s.Amount)
			}
			return true
		})
	} else if c, ok = compareFigure(f, unit, e, side(x, path), side(y, path), bytes, figure.Find); !ok {
		return c, false
	}
	from, to := unit.whole(x.Value(path)), unit.whole(y.Value(path))
	off := func(p, q int64) bool { return p-q > 1+q/100_000 || q-p > 1+q/100_000 }
	if off(c.From, from) || off(c.To, to) {
		return c, false
	}
	c.step("rounding", "", from-c.From+c.To-to)
	c.From, c.To = from, to
	return c, true
}

// items are the entries of a list, by what they are, else by their place.
func (n *Numbers) items(path string, unit amount) (out []item) {
	n.Each(path, func(at string, v formula.Value) {
		name := at
		if above := figure.Beside(at, ""); above != "" {
			name = at[len(above):]
			for _, key := range [...]string{"type", "what"} {
				if what := n.Value(above + key); what.Kind == formula.Text {
					name = what.Text
				}
			}
		}
		for i := range out {
			if x := &out[i]; x.name == name {
				x.n, x.path = x.n+unit.whole(v), ""
				return
			}
		}
		out = append(out, item{name, unit.whole(v), at})
	})
	return out
}

// byKeys asks for one thing after the other that the second side is asked otherwise: another model first, then key by key in
// a link's order. What has no answer by itself goes with what follows.
func byKeys(f *figure.Figure, unit amount, a, b *Report, path string) (c Comparison, ok bool) {
	value := func(r *Report) (int64, bool) {
		v := r.Numbers().Value(path)
		return unit.whole(v), v.OK()
	}
	c = Comparison{Name: f.Name(), Unit: unit.name}
	c.From, _ = value(a)
	c.To = c.From
	q, s := a.Query.Alone(), a.Subject
	name, note := "", ""
	to := func(key, was, is string) {
		if name != "" {
			name, note = name+", ", note+", "
		}
		name, note = name+key, note+was+" → "+is
		s.Work = nil
		x, err := Answer(q, s, a.lib)
		if ok = err == nil; !ok {
			return
		}
		n := int64(0)
		if n, ok = value(x); ok {
			c.step(name, note, n-c.To)
			c.To, name, note = n, "", ""
		}
	}
	ok = true
	if a.Subject.Slug != b.Subject.Slug || a.Subject.Name != b.Subject.Name || a.Subject.Config.JSON() != b.Subject.Config.JSON() {
		d := s.Device
		s, q.Set = b.Subject, nil
		s.Device = d
		q.Clear(query.Model)
		to("model", a.Subject.Name, b.Subject.Name)
	}
	for p := range query.NumParams {
		if was, is := a.Query.Get(p), b.Query.Get(p); p.Sided() && was != is && (p != query.Prompt || a.Query.Has(p) || b.Query.Has(p)) {
			if q.Clear(p); b.Query.Has(p) {
				q.Put(p, is) // the second side has it
			}
			if p == query.Device {
				s.Device = b.Subject.Device
			}
			to(query.About(p).Name, was, is)
		}
	}
	set := func(list []query.Setting, key string) string {
		for _, x := range list {
			if x.Key == key {
				return x.Value
			}
		}
		return "the config's"
	}
	for _, x := range append(append([]query.Setting{}, q.Set...), b.Query.Set...) {
		was, is := set(q.Set, x.Key), set(b.Query.Set, x.Key)
		if was == is {
			continue
		}
		if q.Unset(x.Key); is != "the config's" {
			q.PutSet(x.Key, is) // the second side has it
		}
		to(x.Key, was, is)
	}
	n, _ := value(b)
	return c, ok && c.To == n
}
