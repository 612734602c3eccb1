package report

import (
	"llmsize/core/config"
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/serve"
)

// Numbers are the numbers of a report by their paths ([figure.Figure]), for whoever walks the declarations.
type Numbers struct {
	r      *Report
	tree   config.Value
	direct bool // those of the lens on running, without the tree
}

// Numbers returns the report's numbers; it writes the whole report once.
func (r *Report) Numbers() *Numbers { return &Numbers{r: r, tree: r.Tree().Read()} }

// OfRunning returns those that the declarations of the lens on running name, and no others: they are read where they
// are, because a page asks for them at each edit and its program has no need of JSON.
func (r *Report) OfRunning() *Numbers { return &Numbers{r: r, direct: true} }

// Value is the number, or the text, under a path; nothing where the report has none.
func (n *Numbers) Value(path string) formula.Value {
	if key, ok := figure.Asked(path); ok {
		return n.r.asked(key)
	}
	if n.direct {
		return n.running(path)
	}
	v, _ := lookup(n.tree, path)
	return plain(v)
}

// running is a number of the lens on running.
func (n *Numbers) running(path string) formula.Value {
	x := &n.r.Running
	d := x.Device
	if d == nil {
		return formula.Value{}
	}
	whole := int64(0)
	switch path {
	case "running.accelerators":
		whole = x.Accelerators
	case "running.layout.tp":
		whole = x.Layout.TP
	case "running.device.peak":
		whole = x.Speed.Peak
	case "running.device.bandwidth":
		whole = d.Bandwidth
	case "running.device.link_rate":
		whole = d.LinkRate
	case "running.device.board_watts":
		whole = d.Power
	}
	if whole > 0 {
		return formula.Whole(whole)
	}
	if f := figure.Shown(path); f != nil && f.Own {
		e, _ := formula.Parse(f.Formula)
		return e.Eval(n.At(path))
	}
	for _, p := range x.passes() {
		at := len(ofTimes) + len(p.name)
		if len(path) <= at+1 || path[len(ofTimes):at] != p.name || path[at] != '.' || p.Seconds <= 0 {
			continue
		}
		field := path[at+1:]
		for i := range passFields {
			if f := &passFields[i]; f.name == field && (f.of(p.Pass) > 0 || f.always) {
				return formula.Number(f.of(p.Pass))
			}
		}
		switch field {
		case "binds":
			return formula.Value{Kind: formula.Text, Text: p.Binds}
		case "efficiency.low":
			return formula.Number(p.e.Low)
		case "efficiency.high":
			return formula.Number(p.e.High)
		}
	}
	return formula.Value{}
}

// ofTimes is what paths of passes begin with.
const ofTimes = "running.time."

// named is a pass under its name in the JSON.
type named struct {
	name string
	*serve.Pass
	e serve.Efficiency
}

// passes are the passes that a device's time is shown of.
func (x *Running) passes() [3]named {
	s := &x.Speed
	return [...]named{{"prefill", &s.Prefill, serve.PrefillEfficiency}, {"decode", &s.Decode, serve.DecodeEfficiency}, {"decode_expanded", &s.Expanded, serve.DecodeEfficiency}}
}

// passFields are the numbers of a pass, in the order of the JSON; what is 0 is left out, but for those that every pass has.
var passFields = [...]struct {
	name   string
	always bool
	unit   figure.Unit
	of     func(p *serve.Pass) float64
}{
	{"seconds", true, figure.Seconds, func(p *serve.Pass) float64 { return p.Seconds }},
	{"flops", true, figure.FLOPs, func(p *serve.Pass) float64 { return p.FLOPs }},
	{"bytes", true, figure.FLOPs, func(p *serve.Pass) float64 { return p.Bytes }},
	{"weight_bytes", true, figure.FLOPs, func(p *serve.Pass) float64 { return p.Weights }},
	{"cache_bytes", true, figure.FLOPs, func(p *serve.Pass) float64 { return p.Cache }},
	{"memory_seconds", true, figure.Seconds, func(p *serve.Pass) float64 { return p.Memory }},
	{"compute_seconds", false, figure.Seconds, func(p *serve.Pass) float64 { return p.Compute }},
	{"sent_bytes", false, figure.FLOPs, func(p *serve.Pass) float64 { return p.Sent }},
	{"all_reduce_bytes", false, figure.FLOPs, func(p *serve.Pass) float64 { return p.Traffic.AllReduce }},
	{"stage_bytes", false, figure.FLOPs, func(p *serve.Pass) float64 { return p.Traffic.Stages }},
	{"expert_bytes", false, figure.FLOPs, func(p *serve.Pass) float64 { return p.Traffic.Experts }},
	{"link_seconds", false, figure.Seconds, func(p *serve.Pass) float64 { return p.Link }},
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
	if b.direct {
		return b.Numbers.running(path).Kind != formula.Null
	}
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
	n := &Numbers{r: r, tree: t.Read()}
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
