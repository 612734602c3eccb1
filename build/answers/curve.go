package answers

import (
	"fmt"
	"math"
	"strings"

	"llmsize/build/text"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// curve draws one time of several questions against a key of theirs, both axes logarithmic, and lists it below.
//
//	kind=curve of=running.time.decode.seconds along=batch values="1 2 4" rows="short: context=1024; long: context=8192" x=users y="time for a step"
//
// A row may have at most three lines, whose letters are their places.
func (e *Engine) curve(question string, o map[string]string) (string, error) {
	var series []chart.Series
	values := strings.Fields(o["values"])
	if len(values) < 2 || o["of"] == "" || o["along"] == "" {
		return "", fmt.Errorf("a curve needs of=, along= and two values= at least")
	}
	low, high := int64(math.MaxInt64), int64(1)
	var xs []int64
	for _, one := range strings.Split(o["rows"], ";") {
		name, keys, ok := strings.Cut(strings.TrimSpace(one), ": ")
		if !ok {
			return "", fmt.Errorf("rows: %q is not “name: key=value&key=value”", one)
		}
		s := chart.Series{Name: name}
		for _, v := range values {
			var x int64
			if _, err := fmt.Sscan(v, &x); err != nil {
				return "", fmt.Errorf("values: %q: %w", v, err)
			}
			r, err := e.report(text.Overlay(question, append(strings.FieldsFunc(keys, func(r rune) bool { return r == '&' }), o["along"]+"="+v)...))
			if err != nil {
				return "", fmt.Errorf("row %q: %w", name, err)
			}
			n, err := e.Number(r.Query.String(), o["of"])
			if err != nil {
				return "", fmt.Errorf("row %q: %w", name, err)
			}
			if n.Unit != text.Seconds || !n.IsFloat {
				return "", fmt.Errorf("%s isn't a time", o["of"])
			}
			y := int64(math.Round(n.Float * 1e6))
			if y < 1 {
				return "", fmt.Errorf("row %q: less than a microsecond", name)
			}
			if len(series) == 0 {
				xs = append(xs, x)
			}
			s.Points = append(s.Points, chart.Point{X: x, Y: y})
			low, high = min(low, y), max(high, y)
		}
		series = append(series, s)
	}
	if len(series) > 3 {
		return "", fmt.Errorf("%d lines: a chart tells three apart", len(series))
	}
	c := chart.Lines{Label: o["y"] + " against " + o["x"] + ", both on logarithmic axes.", Series: series}
	c.X = chart.Axis{Title: o["x"], From: xs[0], To: xs[len(xs)-1], Ticks: chart.CountTicks(chart.Powers(xs[0], xs[len(xs)-1], 2, 10))}
	c.Y = chart.Axis{Title: o["y"], From: low * 3 / 4, To: high * 3 / 2}
	for _, at := range chart.Powers(c.Y.From, c.Y.To, 10, 8) {
		for _, f := range []int64{1, 2, 5} {
			if at*f >= c.Y.From && at*f <= c.Y.To {
				c.Y.Ticks = append(c.Y.Ticks, chart.Tick{At: at * f, Text: micro(at * f)})
			}
		}
	}
	var w markup.Writer
	w.Raw(`<div class="graph"><div class="wide">`).Add(markup.Markup(c.SVG(600))).Raw(`</div><div class="narrow">`).Add(markup.Markup(c.SVG(328))).Raw(`</div><ul class="key">`)
	for i, s := range series {
		letter := string(rune('A' + i))
		w.Raw(`<li><svg class="sample" width="28" height="12" viewBox="0 0 28 12" aria-hidden="true"><path class="line l-`).Text(letter).Raw(`" d="M1 6h26"/></svg> <b>`).Text(letter).Raw(`</b> <span>`).Text(s.Name).Raw(`</span></li>`)
	}
	w.Raw(`</ul><details class="numbers"><summary>The numbers</summary><div class="scroll" tabindex="0" role="group" aria-label="The numbers of the chart"><table><thead><tr><th scope="col" class="num">`).Text(o["x"]).Raw(`</th>`)
	for i := range series {
		w.Raw(`<th scope="col" class="num">`).Text(string(rune('A' + i))).Raw(`</th>`)
	}
	w.Raw(`</tr></thead><tbody>`)
	for i, x := range xs {
		w.Raw(`<tr><th scope="row" class="num">`).Text(units.Group(x)).Raw(`</th>`)
		for _, s := range series {
			w.Raw(`<td class="num">`).Text(micro(s.Points[i].Y)).Raw(`</td>`)
		}
		w.Raw(`</tr>`)
	}
	return w.Raw(`</tbody></table></div></details></div>`).String(), nil
}

// micro is a time in microseconds, three digits of it.
func micro(n int64) string {
	switch {
	case n >= 1_000_000:
		return strings.TrimSuffix(units.Fixed(n, 1_000_000, 2), ".00") + " s"
	case n >= 1_000:
		return strings.TrimSuffix(units.Fixed(n, 1_000, 1), ".0") + " ms"
	}
	return units.Itoa(n) + " µs"
}
