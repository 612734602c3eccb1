package view

import (
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
)

// factors are by how much the model is made larger and smaller, in thousandths.
var factors = [...]struct {
	by   int64
	text string
}{{250, "¼"}, {500, "½"}, {1000, "1"}, {2000, "2"}, {4000, "4"}}

// sizeChart is the number of parameters against the hidden size, heads and
// feed-forward growing along with it, and against the number of layers.
func sizeChart(r *report.Report) *graph {
	layers, rest := report.InLayers(r.Model)
	if layers == 0 {
		return nil
	}
	wide := chart.Series{Name: "hidden size"}
	deep := chart.Series{Name: "layers"}
	g := &graph{keys: []string{"hidden size, with heads and feed-forward in proportion", "layers"},
		head: []string{"Times as large", "Hidden size changed", "Of them in layers", "Layers changed"}}
	var twice, inLayers units.Params
	low, high := layers+rest, layers+rest
	for _, f := range factors {
		more := units.Params(int64(layers)/1000*f.by+int64(layers)%1000*f.by/1000) + rest
		row := []string{"× " + f.text, "–", "–", more.Short()}
		deep.Points = append(deep.Points, chart.Point{X: f.by, Y: int64(more)})
		low, high = min(low, more), max(high, more)
		if set, ok := widened(r, f.by); ok {
			l, o, err := r.Resized(set)
			if err == nil && l+o > 0 {
				wide.Points = append(wide.Points, chart.Point{X: f.by, Y: int64(l + o)})
				row[1], row[2] = (l + o).Short(), l.Short()
				low, high = min(low, l+o), max(high, l+o)
				if f.by == 2000 {
					twice, inLayers = l+o, l
				}
			}
		}
		g.rows = append(g.rows, row)
	}
	now := int64(layers + rest)
	g.note = "Twice the layers: " + multiple(now+int64(layers), now) + " the parameters."
	if twice > 0 {
		g.note = "Twice the hidden size: " + multiple(int64(inLayers), int64(layers)) + " the parameters in the layers, " + multiple(int64(twice), now) + " in all. " + g.note
	}
	c := chart.Lines{Series: []chart.Series{wide, deep}, Label: "Parameters against hidden size and layers, on logarithmic axes. " + g.note}
	c.X = chart.Axis{Title: "times as large", From: factors[0].by, To: factors[len(factors)-1].by}
	for _, f := range factors {
		c.X.Ticks = append(c.X.Ticks, chart.Tick{At: f.by, Text: "× " + f.text})
	}
	c.Y = chart.Axis{Title: "parameters", From: max(int64(low)*3/4, 1), To: int64(high) + int64(high)/3}
	for _, n := range halves(c.Y.From, c.Y.To) {
		c.Y.Ticks = append(c.Y.Ticks, chart.Tick{At: n, Text: chart.Bare(units.Params(n).Short())})
	}
	c.Spots = []chart.Spot{{Point: chart.Point{X: 1000, Y: now}, Text: Name(r) + ", " + units.Params(now).Short()}}
	g.svg = c.SVG
	return g
}

// halves are powers of ten and, where these are few, 2 and 5 times them.
func halves(from, to int64) []int64 {
	tens := chart.Powers(from, to, 10, 6)
	if len(tens) > 3 {
		return tens
	}
	var out []int64
	for n := int64(1); n <= to; n *= 10 {
		for _, f := range [...]int64{1, 2, 5} {
			if n*f >= from && n*f <= to {
				out = append(out, n*f)
			}
		}
	}
	return out
}

// widened is what to set for a hidden size by thousandths: widths
// and numbers of heads change in proportion, the width of a head does not. ok is
// false where that gives no whole numbers.
func widened(r *report.Report, by int64) ([]query.Setting, bool) {
	var out []query.Setting
	if by == 1000 {
		return nil, true
	}
	main, first := mainScope(r.Model), first(r.Model)
	for i := range r.Model.Keys {
		k := &r.Model.Keys[i]
		if !first[i] || !inGrid(k, main) || !grows(k) {
			continue
		}
		n, _ := number(k.Value)
		if n == 1 && letterOfKey(k).sign == "k" {
			continue // one head for all stays one
		}
		if n > query.MaxCount || n*by%1000 != 0 {
			return nil, false
		}
		out = append(out, query.Setting{Key: path(k), Value: units.Itoa(n * by / 1000)})
	}
	return out, len(out) > 0
}

// grows reports whether a key is a width or a number of heads that does not
// follow from others by itself.
func grows(k *model.Key) bool {
	switch letterOfKey(k).sign {
	case "h", "a", "k", "f", "f_E":
	default:
		return false
	}
	return k.Given != "" || k.Expr == "" || !named(k.Expr)
}

// named reports whether an expression names anything.
func named(expr string) bool {
	for i := range len(expr) {
		if letterByte(expr[i]) {
			return true
		}
	}
	return false
}
