package view

import (
	"llmsize/core/report"
	"llmsize/core/serve"
	"llmsize/core/units"
	"llmsize/site/chart"
)

// rooflineChart is what the device can do at best against how much is computed
// for each byte read, with the query's prefill and decode (Williams, Waterman and
// Patterson 2009). FLOP per byte are in thousandths, rates in MFLOP a second.
func rooflineChart(r *report.Report) *graph {
	x := &r.Running
	s := &x.Speed
	d := x.Device
	if d == nil || s.Peak == 0 || !(s.Prefill.Seconds > 0) {
		return nil
	}
	tp := max(x.Layout.TP, 1)
	peak, bandwidth := float64(tp)*float64(s.Peak), float64(tp)*float64(d.Bandwidth)
	ridge := peak / bandwidth
	from, to := int64(100), clip(float64(ridge*10_000))
	var c chart.Lines
	g := &graph{keys: []string{"at best: " + rateWords(bandwidth) + "B/s · FLOP per byte, up to " + rateWords(peak) + "FLOP/s in " + s.Rate.String()}, head: []string{"Pass", "FLOP", "Bytes", "FLOP per byte", "At best", "Bound by"}}
	name := d.Name
	if tp > 1 {
		name += " × " + units.Group(tp)
	}
	c.Label = "Roofline of " + name + ": " + rateWords(bandwidth) + "B/s of memory, " + rateWords(peak) + "FLOP/s, which meet at " + thousands(ridge) + " FLOP per byte."
	add := func(what string, p *serve.Pass, e serve.Efficiency) {
		if !(p.Seconds > 0) || !(p.Bytes > 0) {
			return
		}
		at, rate := p.FLOPs/p.Bytes, p.FLOPs/p.Seconds
		spot := chart.Spot{Point: chart.Point{X: clip(at * 1000), Y: clip(rate / 1e6)}, Low: clip(float64(rate*e.Low) / 1e6), Text: what}
		from, to = min(from, max(spot.X/2, 1)), max(to, spot.X*2)
		c.Spots = append(c.Spots, spot)
		c.Label += " " + what + ": " + thousands(at) + " FLOP per byte, bound by " + p.Binds + "."
		g.rows = append(g.rows, []string{what, units.FLOPs(p.FLOPs).Short(), units.Held(p.Bytes, unitOf(r)), thousands(at), units.Seconds(p.Seconds).Short(), p.Binds})
	}
	add("prefill", &s.Prefill, serve.PrefillEfficiency)
	add("decode", &s.Decode, serve.DecodeEfficiency)
	roof := func(at int64) int64 { return clip(min(float64(at)*bandwidth/1e9, peak/1e6)) }
	knee := clip(ridge * 1000)
	c.Series = []chart.Series{{Name: g.keys[0], Points: []chart.Point{{X: from, Y: roof(from)}, {X: knee, Y: roof(knee)}, {X: to, Y: roof(to)}}}}
	c.Levels = []chart.Level{{At: knee, Down: true, Text: thousands(ridge) + " FLOP per byte"}}
	low, high := roof(from), roof(to)
	for _, p := range c.Spots {
		low = min(low, max(p.Low, 1))
	}
	c.X = chart.Axis{Title: "FLOP for each byte read", From: from, To: to}
	for _, n := range chart.Powers(from, to, 10, 8) {
		c.X.Ticks = append(c.X.Ticks, chart.Tick{At: n, Text: thousands(float64(n) / 1000)})
	}
	c.Y = chart.Axis{Title: "FLOP/s", From: max(low*3/4, 1), To: high * 2}
	for _, n := range chart.Powers(c.Y.From, c.Y.To, 10, 6) {
		c.Y.Ticks = append(c.Y.Ticks, chart.Tick{At: n, Text: rateWords(float64(n) * 1e6)})
	}
	g.note = "A point is on the roof or, where a link holds it up, below it; measured runs reach down to the end of its line. Left of the bend memory decides, right of it arithmetic."
	g.svg = c.SVG
	return g
}

// clip is a positive number as an integer that a chart can show.
func clip(x float64) int64 { return int64(min(max(x, 1), 1<<60)) }

// rateWords is a rate without its unit: "3.35 T".
func rateWords(x float64) string {
	s := units.FLOPs(x).Short()
	return chart.Bare(s[:len(s)-len("FLOP")])
}

// thousands is a number with at most three digits behind the point, fewer the larger it is.
func thousands(x float64) string {
	switch {
	case x >= 100:
		return units.Whole(x + 0.5)
	case x >= 1:
		return chart.Bare(units.Fixed(int64(float64(x*1000)+0.5), 1000, 1))
	}
	return chart.Bare(units.Fixed(int64(float64(x*1000)+0.5), 1000, 3))
}
