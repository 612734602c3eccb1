package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
)

// most bytes and tokens that a chart shows: beyond, no machine is.
const mostShown = int64(1) << 56

// kvChart is the cache against the context, beside what plain multi-head
// attention would keep, with the reader's context, the config's limit and the
// memory of the device.
func kvChart(r *report.Report) *graph {
	if r.Cache.Bytes == 0 {
		return nil
	}
	unit := unitOf(r)
	context, limit := r.Query.Int(query.Context), r.Positions()
	from, to := int64(1), int64(1)
	for from*2 <= min(context, 1024) {
		from *= 2
	}
	fits := int64(0)
	if !r.Running.AnyContext {
		fits = min(r.Running.Context+r.Running.Context/8, 1<<22)
	}
	for to < min(max(context*2, limit+limit/8, fits, 131072), query.MaxCount) {
		to *= 2
	}
	var at []int64
	for n := from; n < to; n *= 2 {
		at = append(at, n)
		if mid := n * 181 / 128; mid > n { // half way to the next on the axis
			at = append(at, mid)
		}
	}
	curve := r.CacheCurve(append(at, to))
	if len(curve) < 2 {
		return nil
	}
	mine := chart.Series{Name: "this question"}
	full := chart.Series{Name: "with plain multi-head attention"}
	low, high := mostShown, int64(1)
	differs := false
	for _, c := range curve {
		mine.Points = append(mine.Points, chart.Point{X: c.Context, Y: c.Bytes})
		full.Points = append(full.Points, chart.Point{X: c.Context, Y: c.Multihead})
		low, high = min(low, max(c.Bytes, 1)), max(high, c.Bytes)
		differs = differs || c.Multihead > c.Bytes+c.Bytes/100
	}
	g := &graph{keys: []string{Name(r) + ", " + policyOf(r)}, head: []string{"Tokens", "This question"}}
	c := chart.Lines{Series: []chart.Series{mine}}
	if differs {
		c.Series = append(c.Series, full)
		g.keys = append(g.keys, "the same model with plain multi-head attention: keys and values of every head, layer and token")
		g.head = append(g.head, "Multi-head", "Of that")
		high = max(high, full.Points[len(full.Points)-1].Y)
	}
	c.Label = "The cache against the context, both on logarithmic axes. At " + units.Group(context) + " tokens it takes " + r.Cache.Bytes.In(unit) + "."
	if d := r.Running.Device; d != nil {
		n := max(r.Running.Accelerators, 1)
		text := d.Name
		if n > 1 {
			text = units.Group(n) + " accelerators"
		}
		if d.Memory < mostShown/n {
			c.Levels = append(c.Levels, chart.Level{At: d.Memory * n, Text: text + ", " + units.Bytes(d.Memory*n).In(unit)})
			high = max(high, d.Memory*n)
			c.Label += " " + text + " has " + units.Bytes(d.Memory*n).In(unit) + "."
		}
		if x := &r.Running; x.Context > 0 && !x.AnyContext && x.Context >= from && x.Context <= to {
			c.Levels = append(c.Levels, chart.Level{At: x.Context, Down: true, Text: "fits with weights: " + units.Group(x.Context)})
			c.Label += " With the weights, " + units.Group(x.Context) + " tokens fit."
		}
	}
	if limit >= from && limit <= to {
		c.Levels = append(c.Levels, chart.Level{At: limit, Down: true, Text: "config's limit: " + units.Group(limit)})
		c.Label += " The config names " + units.Group(limit) + " positions."
	}
	high = min(high, mostShown)
	c.X = chart.Axis{Title: "tokens of each sequence", From: from, To: to, Ticks: chart.CountTicks(chart.Powers(from, to, 2, 7))}
	c.Y = chart.Axis{Title: "cache", From: max(low*3/4, 1), To: high + high/2, Ticks: nil}
	c.Y.Ticks = byteTicks(c.Y.From, c.Y.To, unit)
	c.Spots = []chart.Spot{{Point: chart.Point{X: context, Y: int64(r.Cache.Bytes)}, Text: units.Group(context) + ": " + r.Cache.Bytes.In(unit)}}
	for i, x := range curve {
		if i%2 == 1 && x.Context != to {
			continue
		}
		row := []string{units.Group(x.Context), units.Bytes(x.Bytes).In(unit)}
		if differs {
			row = append(row, units.Bytes(x.Multihead).In(unit), units.Percent(x.Bytes, x.Multihead))
		}
		g.rows = append(g.rows, row)
	}
	g.note = plural(r.Query.Int(query.Batch), "sequence") + ", cache in " + r.Query.Get(query.KV) + ". Both axes are logarithmic: as many bytes for every token are a straight line; where a window is full, it bends."
	g.svg = c.SVG
	return g
}

func policyOf(r *report.Report) string {
	if s := r.Query.Get(query.KVPolicy); s != "minimum" {
		return "laid out by " + policyWords(s)
	}
	return "what the next token needs"
}
