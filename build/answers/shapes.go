package answers

import (
	"fmt"
	"math"
	"strings"

	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// Bounds of the shapes that are drawn: widths and layers.
const (
	narrowest, widest   = 512, 20_480
	shallowest, tallest = 8, 200
	lowest              = 11 // where a line ends, above the numbers of the axis
)

// shapes draws models by width and layers, both axes logarithmic, over lines of one size: the parameters of
// their layers by the rule 12·L·h². Models are numbered, and listed below.
//
//	kind=shapes sizes="1000000000 10000000000" models="gpt2-xl llama-3.1-8b"
func (e *Engine) shapes(sizes, models []string) (string, error) {
	c := chart.Lines{
		Label: "Layers against width, both on logarithmic axes: lines of equal size, and numbered models, which the list below names.",
		X:     chart.Axis{Title: "width h", From: narrowest, To: widest, Ticks: chart.CountTicks(chart.Powers(narrowest, widest, 2, 6))},
		Y:     chart.Axis{Title: "layers L", From: shallowest, To: tallest, Ticks: chart.CountTicks(chart.Powers(shallowest, tallest, 2, 6))},
	}
	for _, text := range sizes {
		var size int64
		if _, err := fmt.Sscan(text, &size); err != nil || size < 12 {
			return "", fmt.Errorf("sizes: %q is not a number of parameters", text)
		}
		line := chart.Series{Name: units.Params(size).Short() + " parameters in the layers"}
		for _, layers := range []float64{tallest, lowest} {
			h := min(max(math.Sqrt(float64(size)/(12*layers)), narrowest), widest)
			l := float64(size) / (12 * h * h)
			if l < shallowest-1 || l > tallest+1 {
				return "", fmt.Errorf("sizes: no shape of %d is in the picture", size)
			}
			line.Points = append(line.Points, chart.Point{X: int64(math.Round(h)), Y: int64(math.Round(l))})
		}
		c.Series = append(c.Series, line)
	}
	if len(c.Series) > 3 {
		return "", fmt.Errorf("%d sizes: a chart tells three lines apart", len(c.Series))
	}
	var list markup.Writer
	for i, model := range models {
		r, err := e.report("v=1&model=" + model)
		if err != nil {
			return "", err
		}
		square, err := e.Number(r.Query.String(), "rules.12lh2.h2")
		if err != nil {
			return "", fmt.Errorf("%s: %w", model, err)
		}
		total, err := e.Number(r.Query.String(), "rules.12lh2.total")
		if err != nil {
			return "", fmt.Errorf("%s: %w", model, err)
		}
		h, l := int64(math.Round(math.Sqrt(float64(square.Int)))), total.Int/(12*square.Int)
		if h < narrowest || h > widest || l < shallowest || l > tallest {
			return "", fmt.Errorf("%s has %d layers of %d, outside of the picture", model, l, h)
		}
		number := units.Itoa(int64(i) + 1)
		c.Spots = append(c.Spots, chart.Spot{Point: chart.Point{X: h, Y: l}, Text: number})
		list.Raw(`<li><b>`).Text(number).Raw(`</b> <span>`).Text(r.Subject.Name + ", " + units.Group(l) + " layers of " + units.Group(h)).Raw(`</span></li>`)
	}
	if len(c.Spots) == 0 {
		return "", fmt.Errorf("a picture of shapes needs models=")
	}
	var w markup.Writer
	w.Raw(`<div class="graph"><div class="wide">`).Add(markup.Markup(c.SVG(600))).Raw(`</div><div class="narrow">`).Add(markup.Markup(c.SVG(328))).Raw(`</div><ul class="key">`)
	for i, s := range c.Series {
		letter := chart.Letter(i)
		w.Raw(`<li><svg class="sample" width="28" height="12" viewBox="0 0 28 12" aria-hidden="true"><path class="line l-`).Text(letter).Raw(`" d="M1 6h26"/></svg> <b>`).Text(letter).Raw(`</b> <span>`).Text(s.Name).Raw(`</span></li>`)
	}
	return w.Add(markup.Markup(strings.TrimSpace(list.String()))).Raw(`</ul></div>`).String(), nil
}
