package view

import (
	"llmsize/core/memory"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
)

// moments collects what bands hold at the moments of a timeline.
type moments struct {
	at    []int64
	bands [][]int64
}

func (m *moments) put(at int64, high ...int64) {
	if m.bands == nil {
		m.bands = make([][]int64, len(high))
	}
	m.at = append(m.at, at)
	for i, n := range high {
		m.bands[i] = append(m.bands[i], n)
	}
}

// most is the largest sum of the bands.
func (m *moments) most() int64 {
	most := int64(1)
	for j := range m.at {
		n := int64(0)
		for i := range m.bands {
			n += m.bands[i][j]
		}
		most = max(most, n)
	}
	return most
}

// servingChart is memory while a model answers: weights are loaded, the prompt is
// read, tokens are written. Of several devices it is the fullest.
func servingChart(r *report.Report) *graph {
	x := &r.Running
	terms := x.Terms
	if x.Fullest != nil {
		terms = x.Fullest.Terms
	}
	if len(terms) == 0 {
		return nil
	}
	var weights, cache, working, runtime int64
	for i := range terms {
		switch t := &terms[i]; t.What {
		case "weights":
			weights = t.Bytes
		case "cache":
			cache = t.Bytes
		case "runtime":
			runtime = t.Bytes
		default:
			working += t.Bytes
		}
	}
	unit := unitOf(r)
	context, prompt := r.Query.Int(query.Context), min(r.Query.Int(query.Prompt), r.Query.Int(query.Context))
	llama := r.Query.Get(query.KVPolicy) == memory.Policies[memory.LlamaCpp]
	one := min(r.StepActivations(), working)
	if llama {
		one = working
	}
	held := func(n int64) int64 { // of the cache, at n tokens
		if llama || cache == 0 || n >= context {
			return cache
		}
		c := r.CacheCurve([]int64{max(n, 1)})
		if len(c) == 0 {
			return cache
		}
		return int64(float64(cache) * (float64(c[0].Bytes) / float64(max(int64(r.Cache.Bytes), 1))))
	}
	var m moments
	const loaded, end = 90, 1000
	read := int64(600)
	if prompt == context {
		read = 850
	}
	first := int64(0)
	if llama {
		first = cache
	}
	m.put(0, weights, runtime, first, 0)
	m.put(loaded, weights, runtime, first, 0)
	const parts = 8
	for i := int64(0); i <= parts; i++ {
		c := first
		if i > 0 {
			c = held(prompt * i / parts)
		}
		m.put(loaded+(read-loaded)*i/parts, weights, runtime, c, working)
	}
	peak := held(prompt)
	if cache > 0 && generatesTokens(r) {
		for i := int64(0); i <= parts; i++ {
			m.put(read+(end-read)*i/parts, weights, runtime, held(prompt+(context-prompt)*i/parts), one)
		}
	} else {
		m.put(end, weights, runtime, peak, working)
	}
	names := []string{"weights", "runtime", "cache", "activations and logits"}
	c := chart.Stack{At: m.at}
	g := &graph{keys: names, fill: true, head: []string{"Phase", "Weights", "Runtime", "Cache", "Activations", "In all"}}
	g.classes = []string{"m-weights", "m-weights tint", "m-cache", "m-working"}
	for i, n := range names {
		c.Bands = append(c.Bands, chart.Band{Name: n, Class: g.classes[i], High: m.bands[i]})
	}
	phase := func(name string, last int) {
		row, sum := []string{name}, int64(0)
		for i := range m.bands {
			row = append(row, units.Bytes(m.bands[i][last]).In(unit))
			sum += m.bands[i][last]
		}
		g.rows = append(g.rows, append(row, units.Bytes(sum).In(unit)))
	}
	c.Phases = []chart.Phase{{Title: "load", Until: loaded}, {Title: "prefill, " + plural(prompt, "token"), Until: read}}
	phase("loaded", 1)
	phase("prefilled", 2+parts)
	if len(m.at) > 4+parts {
		title := "decode"
		if context > prompt {
			title += ", to " + units.Group(context)
		}
		c.Phases = append(c.Phases, chart.Phase{Title: title, Until: end})
		phase(title, len(m.at)-1)
	} else {
		c.Phases[1].Until = end
	}
	top := m.most()
	c.Label = "Memory while the model answers: " + units.Bytes(weights+runtime).In(unit) + " once the weights are loaded, at most " + units.Bytes(top).In(unit) + "."
	top = roomLevel(&c, r, top)
	c.Y = chart.Axis{Title: "memory", Linear: true, To: top + top/12, Ticks: byteSteps(top+top/12, unit)}
	g.note = "Phases are not to scale in time. Runtime and activations are bands of measured runs; their middle is drawn."
	if llama {
		g.note = "llama.cpp takes all of it before the first token. " + g.note
	}
	g.svg = c.SVG
	return g
}

// roomLevel marks the memory of the device where that is to be seen.
func roomLevel(c *chart.Stack, r *report.Report, top int64) int64 {
	d := r.Running.Device
	if d == nil || d.Memory > 4*top || d.Memory < top/25 {
		return top
	}
	unit := unitOf(r)
	c.Levels = append(c.Levels, chart.Level{At: d.Memory, Text: d.Name + ", " + units.Bytes(d.Memory).In(unit)})
	c.Label += " " + d.Name + " has " + units.Bytes(d.Memory).In(unit) + "."
	return max(top, d.Memory)
}

// generatesTokens reports whether the model writes token by token.
func generatesTokens(r *report.Report) bool { return r.Compute.Decode.FLOPs > 0 }
