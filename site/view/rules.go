package view

import (
	"llmsize/core/arch"
	"llmsize/core/report"
	"llmsize/core/rules"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// Rules is the table of the rules of thumb that have something to say about a
// report. Each row opens to what the rule is and to the terms that lead from what
// it says to the exact figure.
func Rules(r *report.Report, answers []rules.Answer) string {
	var w markup.Writer
	w.Raw(`<div class="region rules"><table class="parts rules"><caption>Rules of thumb for `).Text(Name(r)).Raw(`. Each row opens to where the difference comes from.</caption>`)
	w.Raw(`<thead><tr><th scope="col">Rule</th><th scope="col" class="num">It says</th><th scope="col" class="num">Rule ÷ exact</th></tr></thead>`)
	last := rules.NumQuantities
	for i := range answers {
		a := &answers[i]
		if a.Rule.Of != last {
			last = a.Rule.Of
			w.Raw(`<tbody class="group"><tr><th scope="rowgroup" colspan="3">`).Text(capital(last.String())).Raw(`: <b>`, figureOf(a.Exact, a.Rule.Of.Unit(), unitOf(r)), `</b></th></tr></tbody>`)
		}
		w.Raw(`<tbody><tr><th scope="row"><details><summary>`).Text(a.Rule.Title).Raw(` <span class="quiet">`).Text(a.Rule.Formula).Raw(`</span></summary></details></th><td class="num">`)
		w.Raw(figureOf(a.Value, a.Rule.Of.Unit(), unitOf(r)), `</td><td class="num">`, ratio(a))
		w.Raw(`</td></tr><tr class="more"><td colspan="3"><p>`).Text(a.Rule.Says).Raw(` Right `).Text(a.Rule.Right).Raw(`.</p><p class="source">Counts so: `)
		for j, u := range a.Rule.Users {
			if j > 0 {
				w.Raw("; ")
			}
			w.Text(u)
		}
		w.Raw(`.</p>`)
		if len(a.Terms) == 0 {
			w.Raw(`<p>Here it is exact.</p>`)
		} else {
			waterfall(&w, steps(a), unitOf(r))
		}
		w.Raw(`</td></tr></tbody>`)
	}
	return w.Raw(`</table></div>`).String()
}

// RuleRow is a rule's answer about one model.
type RuleRow struct {
	Report *report.Report
	Answer rules.Answer
}

// RuleOver is a rule over several models: what it says, what is exact, and what
// makes the difference, the largest first.
func RuleOver(rule *rules.Rule, rows []RuleRow) string {
	var w markup.Writer
	w.Raw(`<div class="region rules"><div class="scroll" tabindex="0" role="group"`).Attr("aria-label", rule.Title).Raw(`><table class="rule"><caption><b>`).Text(rule.Title).Raw(`</b>: `).Text(rule.Formula).Raw(`. `).Text(rule.Says)
	w.Raw(`</caption><thead><tr><th scope="col">Model</th><th scope="col" class="num">It says</th><th scope="col" class="num">Exact</th><th scope="col" class="num">Rule ÷ exact</th><th scope="col">What the difference is made of</th></tr></thead><tbody>`)
	for i := range rows {
		r, a := rows[i].Report, &rows[i].Answer
		w.Raw(`<tr><th scope="row"><a`).Attr("href", "/?"+r.Query.String()).Raw(`>`).Text(Name(r)).Raw(`</a></th><td class="num">`, figureOf(a.Value, rule.Of.Unit(), unitOf(r)), `</td><td class="num">`, figureOf(a.Exact, rule.Of.Unit(), unitOf(r)), `</td><td class="num">`, ratio(a), `</td><td class="terms">`)
		for j, t := range largestFirst(a.Terms) {
			if j > 0 {
				w.Raw(`, `)
			}
			w.Raw(`<span class="term-of"><span`).Attr("title", t.Cause.Text()).Raw(`>`).Text(t.Cause.String()).Raw(`</span> `, signed(t.Amount, rule.Of.Unit(), unitOf(r)), `</span>`)
		}
		w.Raw(`</td></tr>`)
	}
	return w.Raw(`</tbody></table></div></div>`).String()
}

// largestFirst orders terms by size, signs aside; equal ones stay as they are.
func largestFirst(terms []rules.Term) []rules.Term {
	out := append([]rules.Term(nil), terms...)
	for i := 1; i < len(out); i++ {
		for j := i; j > 0 && size(out[j].Amount) > size(out[j-1].Amount); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func size(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

// RuleWaterfall leads from what a rule says to the exact figure of a report.
func RuleWaterfall(r *report.Report, a *rules.Answer) string {
	var w markup.Writer
	w.Raw(`<div class="region rules">`)
	waterfall(&w, steps(a), unitOf(r))
	return w.Raw(`</div>`).String()
}

// Comparison leads from one report to another, one table for each figure.
func Comparison(a, b *report.Report, list []report.Comparison) string {
	var w markup.Writer
	w.Raw(`<div class="region rules">`)
	for _, c := range list {
		f := fall{what: c.Name, unit: c.Unit, from: Name(a), to: Name(b), first: c.From, last: c.To}
		if f.from == f.to {
			f.from, f.to = "first", "second"
		}
		for _, s := range c.Steps {
			f.steps = append(f.steps, fallStep{stepName(s.Name), s.Note, s.Amount})
		}
		waterfall(&w, f, unitOf(a))
	}
	return w.Raw(`</div>`).String()
}

// stepName is a step's name; a role's is the one that readers know it by.
func stepName(name string) string {
	for r := arch.Role(0); r < arch.NumRoles; r++ {
		if r.String() == name {
			return chart.RoleName(r)
		}
	}
	return name
}

// fall is a way from one figure to another.
type fall struct {
	what, unit  string
	from, to    string
	first, last int64
	steps       []fallStep
}

type fallStep struct {
	name, note string
	amount     int64
}

// steps is the way from a rule to the exact figure.
func steps(a *rules.Answer) fall {
	f := fall{what: a.Rule.Of.String(), unit: a.Rule.Of.Unit(), from: a.Rule.Formula, to: "exact", first: a.Value, last: a.Exact}
	for _, t := range a.Terms {
		f.steps = append(f.steps, fallStep{t.Cause.String(), t.Cause.Text(), t.Amount})
	}
	return f
}

// waterfall is a table whose rows have a bar each: the first figure, what every
// step adds or takes away, the last figure. The bars share one scale.
func waterfall(w *markup.Writer, f fall, unit string) {
	least, most := int64(0), max(f.first, f.last)
	for at, i := f.first, 0; i < len(f.steps); i++ {
		at += f.steps[i].amount
		least, most = min(least, at), max(most, at)
	}
	w.Raw(`<table class="fall"><caption>`).Text(capital(f.what)).Raw(`, step by step</caption><tbody>`)
	row := func(class, name, note string, from, to int64, text string, exact int64) {
		w.Raw(`<tr class="`, class, `"><th scope="row">`).Text(name)
		if note != "" {
			w.Raw(` <span class="quiet">`).Text(note).Raw(`</span>`)
		}
		w.Raw(`</th><td class="num"`).Attr("title", units.Group(exact)).Raw(`>`, text, `</td><td class="track">`)
		bars(w, class, from, to, least, most)
		w.Raw(`</td></tr>`)
	}
	row("whole", f.from, "", 0, f.first, figureOf(f.first, f.unit, unit), f.first)
	at := f.first
	for _, s := range f.steps {
		class := "plus"
		if s.amount < 0 {
			class = "minus"
		}
		row(class, s.name, s.note, at, at+s.amount, signed(s.amount, f.unit, unit), s.amount)
		at += s.amount
	}
	row("whole", f.to, "", 0, f.last, figureOf(f.last, f.unit, unit), f.last)
	w.Raw(`</tbody></table>`)
}

// bars is one bar of a waterfall; what it shows stands beside it in digits.
func bars(w *markup.Writer, class string, from, to, least, most int64) {
	lo, hi := min(from, to), max(from, to)
	unit := (most-least)>>40 + 1 // so that no product passes int64
	span := max((most-least)/unit, 1)
	x := (lo - least) / unit * 100_000 / span
	width := max((hi-least)/unit*100_000/span-x, 400)
	w.Raw(`<svg class="fall-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect class="`, class, `" x="`).Px(x).Raw(`" width="`).Px(width).Raw(`" height="10"/></svg>`)
}

// figureOf is a figure in its short form, with its unit.
func figureOf(n int64, of, unit string) string {
	switch of {
	case "bytes":
		return units.Bytes(n).In(unit)
	case "flops":
		return units.FLOPs(n).Short()
	}
	return units.Params(n).Short()
}

// signed is a difference: "+1.88 B", "−805 M".
func signed(n int64, of, unit string) string {
	if n < 0 {
		return "−" + figureOf(-n, of, unit)
	}
	return "+" + figureOf(n, of, unit)
}

// ratio is the rule's part of the exact figure, or that it is exact.
func ratio(a *rules.Answer) string {
	switch {
	case a.Value == a.Exact:
		return "exact"
	case a.Exact <= 0:
		return "–"
	case a.Value/10 >= a.Exact:
		return units.Fixed(a.Value, a.Exact, 1)
	}
	return units.Fixed(a.Value, a.Exact, 3)
}

// capital begins a sentence.
func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
