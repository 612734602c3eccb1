package view

import (
	"llmsize/core/model"
	"llmsize/core/report"
	"llmsize/core/rules"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// fall is a way from one figure to another, step by step.
type fall struct {
	what, unit  string // "bytes of the weights", "bytes"
	from, to    string // what is at both ends
	first, last int64
	steps       []chart.FallStep
}

// ruleFall leads from what a rule says to the exact figure.
func ruleFall(a *rules.Answer) *fall {
	f := &fall{what: a.Rule.Of.String(), unit: a.Rule.Of.Unit(), from: a.Rule.Formula, to: "exact", first: a.Value, last: a.Exact}
	for _, t := range a.Terms {
		f.steps = append(f.steps, chart.FallStep{Name: t.Cause.String(), Note: t.Cause.Text(), Amount: t.Amount})
	}
	return f
}

// comparisonFall leads from one report's figure to another's.
func comparisonFall(a, b *report.Report, c *report.Comparison) *fall {
	f := &fall{what: c.Name, unit: c.Unit, first: c.From, last: c.To}
	f.from, f.to = sideNames(a, b)
	for _, s := range c.Steps {
		name, class := stepName(s.Name)
		f.steps = append(f.steps, chart.FallStep{Name: name, Note: s.Note, Class: class, Amount: s.Amount})
	}
	return f
}

// sideNames are what two reports are called beside each other: their models, or
// the one thing that is asked otherwise.
func sideNames(a, b *report.Report) (from, to string) {
	if from, to = Name(a), Name(b); from != to {
		return from, to
	}
	if list := unlike(a, b); len(list) == 1 {
		x := list[0]
		return x.key + " " + x.from, x.key + " " + x.to
	}
	return "first", "second"
}

// stepName is a step's name; a role's is the one that readers know it by, and has a
// class.
func stepName(name string) (words, class string) {
	for r := model.Role(0); r < model.NumRoles; r++ {
		if r.String() == name {
			return chart.RoleName(r), chart.RoleClass(r)
		}
	}
	return name, ""
}

// write draws the fall, with a table of the exact amounts behind it.
func (f *fall) write(w *markup.Writer, unit string) {
	if len(f.steps) == 0 {
		w.Raw(`<p class="same">`).Text(capital(f.what)).Raw(`: the same, `).Text(report.Short(f.last, f.unit, unit)).Raw(`.</p>`)
		return
	}
	w.Add(markup.Markup(chart.Waterfall(&chart.Fall{From: f.from, To: f.to, First: f.first, Last: f.last, Steps: f.steps,
		Figure: func(n int64) string { return report.Short(n, f.unit, unit) },
		Signed: func(n int64) string { return signed(n, f.unit, unit) },
	})))
	w.Raw(`<details class="behind-fall"><summary>To the last digit</summary><table class="fall"><caption>`).Text(capital(f.what)).Raw(`, step by step`).Text(in(f.unit)).Raw(`</caption><tbody><tr class="whole"><th scope="row">`)
	w.Text(f.from).Raw(`</th><td class="num">`).Count(f.first).Raw(`</td></tr>`)
	for _, s := range f.steps {
		w.Raw(`<tr><th scope="row">`).Text(s.Name)
		if s.Note != "" {
			w.Raw(` <span class="quiet">`).Text(s.Note).Raw(`</span>`)
		}
		w.Raw(`</th><td class="num">`)
		if s.Amount > 0 {
			w.Raw("+")
		}
		w.Count(s.Amount).Raw(`</td></tr>`)
	}
	w.Raw(`<tr class="whole"><th scope="row">`).Text(f.to).Raw(`</th><td class="num">`).Count(f.last).Raw(`</td></tr></tbody></table></details>`)
}

// in names the unit of exact amounts, where it isn't a plain one.
func in(unit string) string {
	switch unit {
	case "ns":
		return ", in nanoseconds"
	case "uj":
		return ", in microjoules"
	case "gflops", "millionths":
		return ", in " + unit
	}
	return ""
}

// signed is a difference: "+1.88 B", "−805 M".
func signed(n int64, of, unit string) string {
	if n < 0 {
		return report.Short(n, of, unit)
	}
	return "+" + report.Short(n, of, unit)
}

// Difference leads from one report's figure to another's.
func Difference(w *markup.Writer, a, b *report.Report, c *report.Comparison) {
	comparisonFall(a, b, c).write(w, unitOf(a))
}

// Comparison leads from one report to another, one drawing for each figure.
func Comparison(a, b *report.Report, list []report.Comparison) string {
	var w markup.Writer
	w.Raw(`<div class="region rules">`)
	for i := range list {
		w.Raw(`<p class="term">`).Text(capital(list[i].Name)).Raw(`</p>`)
		Difference(&w, a, b, &list[i])
	}
	return w.Raw(`</div>`).String()
}
