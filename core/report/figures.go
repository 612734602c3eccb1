package report

import (
	"llmsize/core/config"
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/jsonout"
	"llmsize/core/query"
)

// Numbers are the numbers of a report by their paths ([figure.Figure]), for whoever walks the declarations.
type Numbers struct {
	r    *Report
	tree config.Value
}

// Numbers returns the report's numbers; it writes the whole report once.
func (r *Report) Numbers() *Numbers { return &Numbers{r, r.Tree().Read()} }

// OfRunning returns those of the lens on running alone.
func (r *Report) OfRunning() *Numbers {
	x, _ := r.runningTree()
	return &Numbers{r, own(object("running", x), r, figure.Running).Read()}
}

// Value is the number, or the text, under a path; nothing where the report has none.
func (n *Numbers) Value(path string) formula.Value {
	if key, ok := figure.Asked(path); ok {
		return n.r.asked(key)
	}
	v, _ := lookup(n.tree, path)
	return plain(v)
}

// Each calls f for everything that a path with stars stands for.
func (n *Numbers) Each(path string, f func(path string, v formula.Value)) {
	each(n.tree, path, "", func(path string, v config.Value) { f(path, plain(v)) })
}

// At is what names stand for in the formula of the figure at path.
func (n *Numbers) At(path string) formula.Env { return beside{n, path} }

// Path is the path that a name in the formula of the figure at path stands for.
func (n *Numbers) Path(path, name string) string {
	full := figure.Beside(path, name)
	if env, ok := n.At(path).(beside); ok && env.near(full) {
		return full
	}
	return name
}

// beside resolves names: what stands beside the figure first, then paths from the top.
type beside struct {
	*Numbers
	path string
}

// near reports whether something stands under a path; a path with a star stands for what it has before it.
func (b beside) near(path string) bool {
	for i := range path {
		if path[i] == '*' {
			path = path[:max(i-1, 0)]
			break
		}
	}
	_, ok := lookup(b.tree, path)
	return ok
}

func (b beside) Value(name string) formula.Value { return b.Numbers.Value(b.Path(b.path, name)) }

func (b beside) Each(name string, f func(formula.Value)) {
	b.Numbers.Each(b.Path(b.path, name), func(_ string, v formula.Value) { f(v) })
}

// asked is what the question says of one of its keys.
func (r *Report) asked(key string) formula.Value {
	p, ok := query.ParamNamed(key)
	if !ok {
		return formula.Value{}
	}
	text := r.Query.Get(p)
	if n, ok := (config.Value{Kind: config.Number, Text: text}).Int(); ok {
		return formula.Whole(n)
	}
	return formula.Value{Kind: formula.Text, Text: text}
}

// own adds the figures that nobody counts: each is what its formula comes to.
func own(t jsonout.Value, r *Report, list []figure.Figure) jsonout.Value {
	n := &Numbers{r, t.Read()}
	for i := range list {
		f := &list[i]
		if !f.Own {
			continue
		}
		if e, problem := formula.Parse(f.Formula); problem == "" {
			t = put(t, f.ID, inJSON(e.Eval(n.At(f.ID)), f.Unit))
		}
	}
	return t
}

// put sets a value under a dotted path whose objects are there; where one is not, the value does not apply.
func put(o jsonout.Value, path string, v jsonout.Value) jsonout.Value {
	for i := range path {
		if path[i] == '.' {
			inner := o.Get(path[:i])
			if inner.Read().Kind != config.Object {
				return o
			}
			return o.Set(path[:i], put(inner, path[i+1:], v))
		}
	}
	return o.Set(path, v)
}

// inJSON is a formula's value as the JSON has it: times to the nanosecond, other fractions to the millionth.
func inJSON(v formula.Value, u figure.Unit) jsonout.Value {
	switch {
	case !v.OK():
		return jsonout.Value{}
	case v.Kind == formula.Int:
		return jsonout.Int(v.N)
	case u == figure.Seconds:
		return jsonout.Float(v.F, 9)
	case u == figure.Bytes || u == figure.FLOPs:
		return jsonout.Float(v.F, 0)
	}
	return jsonout.Float(v.F, 6)
}
