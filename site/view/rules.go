package view

import (
	"llmsize/core/report"
	"llmsize/core/rules"
	"llmsize/core/units"
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
			w.Raw(`<tbody class="group"><tr><th scope="rowgroup" colspan="3">`).Text(capital(last.String())).Raw(`: <b>`).Text(report.Short(a.Exact, a.Rule.Of.Unit(), unitOf(r))).Raw(`</b></th></tr></tbody>`)
		}
		w.Raw(`<tbody><tr><th scope="row"><details><summary>`).Text(a.Rule.Title).Raw(` <span class="quiet">`).Text(a.Rule.Formula).Raw(`</span></summary></details></th><td class="num">`)
		w.Text(report.Short(a.Value, a.Rule.Of.Unit(), unitOf(r))).Raw(`</td><td class="num">`).Text(ratio(a))
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
			ruleFall(a).write(&w, unitOf(r))
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
		w.Raw(`<tr><th scope="row"><a`).Attr("href", "/?"+r.Query.String()).Raw(`>`).Text(Name(r)).Raw(`</a></th><td class="num">`).Text(report.Short(a.Value, rule.Of.Unit(), unitOf(r))).Raw(`</td><td class="num">`).Text(report.Short(a.Exact, rule.Of.Unit(), unitOf(r))).Raw(`</td><td class="num">`).Text(ratio(a)).Raw(`</td><td class="terms">`)
		for j, t := range largestFirst(a.Terms) {
			if j > 0 {
				w.Raw(`, `)
			}
			w.Raw(`<span class="term-of"><span`).Attr("title", t.Cause.Text()).Raw(`>`).Text(t.Cause.String()).Raw(`</span> `).Text(signed(t.Amount, rule.Of.Unit(), unitOf(r))).Raw(`</span>`)
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
	ruleFall(a).write(&w, unitOf(r))
	return w.Raw(`</div>`).String()
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
