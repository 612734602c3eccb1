package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/rules"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// Mine answers why a reader's number is another: which rules give it, and what
// leads from there to the exact figure. It holds the fields that ask for it.
func Mine(r *report.Report) string {
	var w markup.Writer
	m, fail := rules.ParseMine(r.Query.Get(query.Mine))
	answers := rules.Applying(r)
	askMine(&w, r, &m, answers)
	if err := r.Model.Work.Err(); err != nil { // rules that it had no steps for are missing
		fail = err
	}
	switch {
	case fail != nil:
		w.Raw(`<p class="error">`).Text(fail.Error()).Raw(`</p>`)
	case m.Rule != nil:
		byRule(&w, r, &m)
	case m.Number != "":
		byNumber(&w, r, &m, answers)
	}
	return w.String()
}

// askMine asks for a number and for a rule. Rules that say nothing about the model
// are left out, but for the one that is chosen.
func askMine(w *markup.Writer, r *report.Report, m *rules.Mine, answers []rules.Answer) {
	w.Raw(`<div class="ask"><label><span>The number you have <span class="quiet">7.5 B, 16 GB, 163840 bytes, 13 TFLOP</span></span> <input type="text" name="mine" spellcheck="false"`).Attr("value", m.Number)
	w.Raw(`></label><label><span>or how it was counted</span> <select name="rule"><option value="">any rule</option>`)
	last := rules.NumQuantities
	chosen := m.Rule
	option := func(rule *rules.Rule) {
		w.Raw(`<option`)
		if rule == m.Rule {
			w.Raw(` selected`)
			chosen = nil
		}
		w.Attr("value", rule.Name).Raw(`>`).Text(rule.Title + ": " + rule.Formula).Raw(`</option>`)
	}
	for i := range answers {
		rule := answers[i].Rule
		if rule.Of != last {
			if last != rules.NumQuantities {
				w.Raw(`</optgroup>`)
			}
			last = rule.Of
			w.Raw(`<optgroup`).Attr("label", capital(last.String())).Raw(`>`)
		}
		option(rule)
	}
	if last != rules.NumQuantities {
		w.Raw(`</optgroup>`)
	}
	if chosen != nil {
		option(chosen)
	}
	w.Raw(`</select></label>`)
	if r.Query.Has(query.Mine) {
		plain := r.Query
		plain.Clear(query.Mine)
		goes(w, &plain, "Clear")
	}
	w.Raw(`</div>`)
}

// byRule leads from the chosen rule to the exact figure; with a number, from the
// number over the rule.
func byRule(w *markup.Writer, r *report.Report, m *rules.Mine) {
	rule := m.Rule
	a, ok := rule.Apply(r)
	if !ok {
		w.Raw(`<p>`).Text(rule.Title + " has nothing to say about " + Name(r) + ": the model has not what it counts, or the answer lacks its figure. It is right " + rule.Right).Raw(`.</p>`)
		return
	}
	f := ruleFall(&a)
	if m.Number != "" && (m.Unit == "" || m.Unit == rule.Of.Unit()) {
		f.from, f.first = "your number", m.Value
		if rest := a.Value - m.Value; rest != 0 {
			name := "not by this rule"
			if max(rest, -rest) <= m.Digit/2 {
				name = "rounding"
			}
			f.steps = append([]chart.FallStep{{Name: name, Note: rule.Formula + " is " + report.Short(a.Value, f.unit, unitOf(r)), Amount: rest}}, f.steps...)
		}
	}
	w.Raw(`<div class="falls">`)
	explain(w, &a, r)
	f.write(w, unitOf(r))
	w.Raw(`</div>`)
}

// explain says what a rule is and where it is right.
func explain(w *markup.Writer, a *rules.Answer, r *report.Report) {
	w.Raw(`<p>`).Text(a.Rule.Says + " Right " + a.Rule.Right + ". ")
	if a.Value == a.Exact {
		w.Raw(`Here it is exact.`)
	} else {
		w.Text("It says " + report.Short(a.Value, a.Rule.Of.Unit(), unitOf(r)) + ", " + ratio(a) + " of what is exact.")
	}
	w.Raw(`</p>`)
}

// byNumber lists what comes to the number, the nearest first.
func byNumber(w *markup.Writer, r *report.Report, m *rules.Mine, answers []rules.Answer) {
	near := rules.Nearest(r, m, answers)
	if len(near) == 0 {
		w.Raw(`<p>No rule gives this number, and no exact figure of this model is near it.</p>`)
		return
	}
	w.Raw(`<ol class="near falls">`)
	for i := range near {
		x := &near[i]
		unit := unitOf(r)
		title, formula := "The exact figure", capital(x.Of.String())
		if x.Answer != nil {
			title, formula = x.Answer.Rule.Title, x.Answer.Rule.Formula
		}
		w.Raw(`<li><details`)
		if i == 0 && x.Gives {
			w.Raw(` open`)
		}
		w.Raw(`><summary><span>`).Text(title).Raw(` <span class="quiet">`).Text(formula).Raw(`</span></span> <span><b>`).Text(report.Short(x.Value, x.Of.Unit(), unit)).Raw(`</b> <span class="`)
		if x.Gives {
			w.Raw(`gives">gives it`)
		} else {
			w.Raw(`quiet">`).Text(distance(x.Off))
		}
		w.Raw(`</span></span></summary>`)
		if x.Binary {
			w.Raw(`<p>In the other unit: 1 GiB is 2<sup>30</sup> bytes, 1 GB is 10<sup>9</sup>. Here it is `).Text(units.Bytes(x.Value).GB()).Raw(` or `).Text(units.Bytes(x.Value).GiB()).Raw(`.</p>`)
		}
		if x.Answer == nil {
			w.Raw(`<p>`).Text("Your number is the exact one, or near it: the " + x.Of.String() + ".").Raw(`</p>`)
		} else {
			explain(w, x.Answer, r)
			ruleFall(x.Answer).write(w, unit)
		}
		w.Raw(`</details></li>`)
	}
	w.Raw(`</ol>`)
}

// distance is how far a figure is from the reader's number: "2.1% more".
func distance(millionths int64) string {
	if millionths < 0 {
		return units.Fixed(-millionths, 10_000, 1) + "% less"
	}
	if millionths > 10_000_000 {
		return "over ten times as much"
	}
	return units.Fixed(millionths, 10_000, 1) + "% more"
}
