package report

import (
	"llmsize/core/config"
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/serve"
	"llmsize/core/train"
)

// Numbers are the numbers of a report by their paths ([figure.Figure]), for whoever walks the declarations.
type Numbers struct {
	r       *Report
	tree    config.Value // of the report's JSON, what is written
	written [len(sections)]bool
}

// Numbers returns the report's numbers. A section of the report is written when one of its numbers is first asked for, and once.
func (r *Report) Numbers() *Numbers { return &Numbers{r: r} }

// with is the tree with the section that a path leads into.
func (n *Numbers) with(path string) config.Value {
	end := 0
	for end < len(path) && path[end] != '.' {
		end++
	}
	for i, name := range sections {
		if n.written[i] || name != path[:end] && path[:end] != "*" {
			continue
		}
		n.written[i] = true
		t := object(name, n.r.section(name))
		set := func() {
			if v := t.Get(name).Read(); v.Kind != config.Absent {
				n.tree = n.tree.Set(name, v)
			}
		}
		set()
		for _, list := range [...][]figure.Figure{figure.Live, figure.Others} {
			for k := range list {
				if f := &list[k]; f.Own && len(f.ID) > len(name) && f.ID[:len(name)+1] == name+"." {
					t = put(t, f.ID, n.own(f))
					set()
				}
			}
		}
	}
	return n.tree
}

// own is what the formula of a figure comes to that nobody counts.
func (n *Numbers) own(f *figure.Figure) jsonout.Value {
	e, problem := formula.Parse(f.Formula)
	if problem != "" {
		return jsonout.Value{}
	}
	return inJSON(e.Eval(n.At(f.ID)), f.Unit)
}

// Value is the number, or the text, under a path; nothing where the report has none.
func (n *Numbers) Value(path string) formula.Value {
	if key, ok := figure.Asked(path); ok {
		return n.r.asked(key)
	}
	v, _ := lookup(n.with(path), path)
	return plain(v)
}

// Of is the number under a path of [figure.Live], 0 where there is none. It is read where it stands, because a page asks at
// each edit and its program has no need of JSON.
func (r *Report) Of(path string) float64 {
	if key, ok := figure.Asked(path); ok {
		return r.asked(key).Float()
	}
	switch path {
	case "parameters.total":
		return float64(r.Parameters.Total)
	case "parameters.active":
		return float64(r.Parameters.Active)
	case "training.trainable":
		return float64(r.Training.Trainable)
	case "memory.weights.bytes":
		return float64(r.Weights.Bytes)
	case "memory.kv_cache.bytes":
		return float64(r.Cache.Bytes)
	case "memory.total.bytes":
		return float64(r.Running.Total.Bytes)
	case "compute.prefill.flops":
		return float64(r.Compute.Prefill.FLOPs)
	case "compute.decode.flops":
		return float64(r.Compute.Decode.FLOPs)
	case "compute.train.flops":
		return float64(r.Compute.Train.FLOPs)
	case "compute.train.tokens":
		return float64(r.Compute.Train.Tokens)
	}
	if f := figure.Shown(path); f != nil && f.Own {
		e, _ := formula.Parse(f.Formula)
		return e.Number(func(name string) float64 { return r.Of(r.PathOf(path, name)) })
	}
	if m := r.Training.Memory; m != nil {
		if path == ofTraining+"bytes" {
			return float64(m.Bytes)
		}
		for p := range m.Parts {
			if path == ofTraining+train.Part(p).String() {
				return float64(m.Parts[p])
			}
		}
	}
	return r.Running.of(path)
}

// of is the same of the numbers that a device has.
func (x *Running) of(path string) float64 {
	d := x.Device
	if d == nil {
		return 0
	}
	switch path {
	case "running.accelerators":
		return float64(x.Accelerators)
	case "running.layout.tp":
		return float64(x.Layout.TP)
	case "running.device.peak":
		return float64(x.Speed.Peak)
	case "running.device.bandwidth":
		return float64(d.Bandwidth)
	case "running.device.link_rate":
		return float64(d.LinkRate)
	case "running.device.board_watts":
		return float64(d.Power)
	}
	for _, p := range x.passes() {
		at := len(ofTimes) + len(p.name)
		if len(path) <= at+1 || path[len(ofTimes):at] != p.name || path[at] != '.' || p.Seconds <= 0 {
			continue
		}
		for i := range passFields {
			if f := &passFields[i]; f.name == path[at+1:] {
				return f.of(p.Pass)
			}
		}
	}
	return 0
}

// PathOf is the path that a name in the formula of the figure at path stands for.
func (r *Report) PathOf(path, name string) string {
	if full := figure.Beside(path, name); r.Of(full) > 0 {
		return full
	}
	return name
}

// Bound says what binds the pass whose figure stands at a path, and which share of the bound measured runs reach.
func (r *Report) Bound(path string) (binds string, reach serve.Efficiency, ok bool) {
	for _, p := range r.Running.passes() {
		if path == ofTimes+p.name+".seconds" {
			return p.Binds, p.e, true
		}
	}
	return "", reach, false
}

// What paths of passes, and of what a device holds while it trains, begin with.
const ofTimes, ofTraining = "running.time.", "memory.training."

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
	each(n.with(path), path, "", func(path string, v config.Value) { f(path, plain(v)) })
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

// beside resolves names: what is beside the figure first, then paths from the top.
type beside struct {
	*Numbers
	path string
}

// near reports whether something is under a path; a path with a star stands for what it has before it.
func (b beside) near(path string) bool {
	for i := range path {
		if path[i] == '*' {
			path = path[:max(i-1, 0)]
			break
		}
	}
	_, ok := lookup(b.with(path), path)
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
	if n, ok := config.ParseInt(text); ok {
		return formula.Whole(n)
	}
	return formula.Value{Kind: formula.Text, Text: text}
}

// own adds the figures that nobody counts: each is what its formula comes to.
func own(t jsonout.Value, r *Report, list []figure.Figure) jsonout.Value {
	n := &Numbers{r: r, tree: t.Read()}
	for i := range n.written {
		n.written[i] = true
	}
	for i := range list {
		if f := &list[i]; f.Own {
			t = put(t, f.ID, n.own(f))
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
