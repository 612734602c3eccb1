package view

import (
	"math"

	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
)

// scalingChart is the loss that a budget gives, by each law, against the size of
// the model that it is spent on: a smaller model reads more tokens. The reader's
// run is a point on each line; where its budget is not the one asked for, beside
// them. Losses are in ten-thousandths of a nat.
func scalingChart(r *report.Report) *graph {
	s := &r.Compute.Scaling
	budget := float64(s.Budget)
	if len(s.Estimates) < 2 || !(budget > 0) || s.Budget.Digits() == "1e38" {
		return nil
	}
	low, high := s.N, s.N
	for _, n := range []float64{float64(s.RuleN), float64(s.Estimates[0].BestN), float64(s.Estimates[1].BestN)} {
		low, high = min(low, n), max(high, n)
	}
	low, high = max(low/6, 1000), high*6
	ratio := high / low
	for range 5 { // the 32nd root
		ratio = math.Sqrt(ratio)
	}
	g := &graph{head: []string{"Point", "Parameters", "Tokens", "For each parameter", "Loss, A", "Loss, B"}}
	row := func(what string, n, d float64) {
		cells := []string{what, units.Params(clip(n)).Short(), units.Params(clip(d)).Short(), thousands(d / n)}
		for i := range s.Estimates {
			cells = append(cells, nats(s.Estimates[i].Law.Loss(n, d)))
		}
		g.rows = append(g.rows, cells)
	}
	row("this run", s.N, s.D)
	row("20 tokens for each parameter", float64(s.RuleN), float64(s.RuleD))
	c := chart.Lines{X: chart.Axis{Title: "parameters, the budget held", From: clip(low), To: clip(high)}}
	c.Label = "Loss against the size of the model that " + s.Budget.Short() + " are spent on."
	least, most := int64(1)<<60, int64(0)
	for i := range s.Estimates {
		e := &s.Estimates[i]
		line := chart.Series{Name: surname(e.Law.Source)}
		for j, n := 0, low; j <= 32; j++ {
			y := clip(e.Law.Loss(n, budget/6/n) * 10_000)
			line.Points = append(line.Points, chart.Point{X: clip(n), Y: y})
			least, most = min(least, y), max(most, y)
			n = float64(n * ratio)
		}
		c.Series = append(c.Series, line)
		g.keys = append(g.keys, surname(e.Law.Source)+": least at "+e.BestN.Short()+" parameters, "+units.Params(e.BestD).Short()+" tokens")
		mine := clip(e.Loss * 10_000)
		least, most = min(least, mine), max(most, mine)
		c.Spots = append(c.Spots, chart.Spot{Point: chart.Point{X: clip(s.N), Y: mine}, Text: nats(e.Loss)})
		if best := float64(e.BestN); best > 2*s.N || s.N > 2*best { // else the texts would lie on each other
			c.Spots = append(c.Spots, chart.Spot{Point: chart.Point{X: clip(best), Y: clip(e.BestLoss * 10_000)}, Text: "least " + chart.Letter(i)})
		}
		c.Label += " By " + line.Name + " it is least, " + nats(e.BestLoss) + ", at " + e.BestN.Short() + " parameters; this run has " + nats(e.Loss) + "."
		row("least by "+chart.Letter(i), float64(e.BestN), float64(e.BestD))
	}
	c.Levels = []chart.Level{{At: clip(s.N), Down: true, Text: Name(r)}}
	for j, n := 0, low; j <= 32; j += 8 {
		row("along the budget", n, budget/6/n)
		n = float64(n * float64(float64(ratio*ratio)*float64(ratio*ratio)) * float64(float64(ratio*ratio)*float64(ratio*ratio)))
	}
	for _, n := range chart.Powers(c.X.From, c.X.To, 10, 8) {
		c.X.Ticks = append(c.X.Ticks, chart.Tick{At: n, Text: chart.Bare(units.Params(n).Short())})
	}
	c.Y = chart.Axis{Title: "loss, nats a token", From: least * 99 / 100, To: most * 101 / 100}
	step := int64(200)
	for i := 0; (c.Y.To-c.Y.From)/step > 6; i++ {
		step = step * [...]int64{5, 4, 4}[i%3] / 2 // 0.02, 0.05, 0.1, 0.2, …
	}
	for n := (c.Y.From/step + 1) * step; n <= c.Y.To; n += step {
		c.Y.Ticks = append(c.Y.Ticks, chart.Tick{At: n, Text: chart.Bare(units.Fixed(n, 10_000, 2))})
	}
	g.note = "6 · N · D = " + s.Budget.Short() + ": a smaller model reads more. Both laws are fits to the same dense models of at most 16 B parameters; experts count as far as they are active."
	g.svg = func(width int64) string {
		sheet := c
		if width < 480 { // the least would lie on the run's texts; the list below says where it is
			sheet.Spots = nil
			for _, p := range c.Spots {
				if p.X == clip(s.N) {
					sheet.Spots = append(sheet.Spots, p)
				}
			}
		}
		return sheet.SVG(width)
	}
	return g
}

// nats is a loss: "2.134".
func nats(x float64) string { return units.Fixed(clip(float64(x*1000)+0.5), 1000, 3) }
