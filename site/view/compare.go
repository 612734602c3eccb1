package view

import (
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// Compare is the comparison of a report with its other side, and ways on from it.
// What asks for another side is the page's. fail says why the other side cannot be answered; without it and without
// r.Other there is none, or its config is still on the way.
func Compare(r *report.Report, fail *fault.Error) string {
	var w markup.Writer
	onward(&w, r)
	switch {
	case fail != nil:
		w.Raw(`<p class="error">`).Text("The other side cannot be answered: " + fail.Error() + ".").Raw(`</p>`)
	case r.Other != nil:
		sides(&w, r, r.Other)
	}
	return w.String()
}

// onward leads to the comparison the other way round, and out of it.
func onward(w *markup.Writer, r *report.Report) {
	swapped, ok := r.Query.Swapped(r.Subject.Config, r.Subject.Slug == "")
	if !ok {
		return
	}
	alone := r.Query.Alone()
	goes(w.Raw(`<p class="tools">`), &swapped, "Swap the sides")
	goes(w.Raw(` `), &alone, "Clear")
	w.Raw(`</p>`)
}

// goes is a link to another question of the calculator, which the page's script
// follows without leaving; it knows by the first letter what becomes of pasted configs.
func goes(w *markup.Writer, q *query.Query, text string) {
	w.Raw(`<a data-go="`).Text(text[:1]).Raw(`"`).Attr("href", "/?"+q.String()).Raw(`>`).Text(text).Raw(`</a>`)
}

// sides sets two reports side by side; a row opens to the steps between.
func sides(w *markup.Writer, a, b *report.Report) {
	if diff := otherwise(a, b); diff != "" {
		w.Raw(`<p class="otherwise">Asked otherwise: `).Text(diff).Raw(`</p>`)
	}
	from, to := sideNames(a, b)
	w.Raw(`<div class="falls"><table class="sides"><caption>Each row opens to what makes the difference.</caption><thead><tr><td></td><th scope="col" class="num">`).Text(from).Raw(`</th><th scope="col" class="num">`).Text(to).Raw(`</th><th scope="col" class="num">second ÷ first</th></tr></thead>`)
	one := false
	figures := report.Compare(a, b)
	for i := range figures {
		c := &figures[i]
		if verdictOf(a, c) != "" {
			continue // is behind it
		}
		open := !one && c.From != c.To
		one = one || open
		name, ratio := capital(c.Name), over(float64(c.To), float64(c.From))
		if c.Name == report.TrainingRoom { // whose peak decides, which this program doesn't have
			name, ratio = "Left in training by the sum of its parts", ""
		}
		opened(w, a, b, c, name, report.Short(c.From, c.Unit, unitOf(a)), report.Short(c.To, c.Unit, unitOf(a)), ratio, open)
	}
	for i := range figures {
		c := &figures[i]
		if v := verdictOf(a, c); v != "" {
			opened(w, a, b, c, "Fits the device", v, verdictOf(b, c), "", false)
		}
	}
	w.Raw(`<tbody>`)
	p, q := &a.Parameters, &b.Parameters
	if p.Active != p.Total || q.Active != q.Total {
		unopened(w, "Active for each token", p.Active.Short(), q.Active.Short(), over(float64(q.Active), float64(p.Active)))
	}
	if a.Cache.PerToken > 0 || b.Cache.PerToken > 0 {
		unopened(w, "Cache for one more token", a.Cache.PerToken.In(unitOf(a)), b.Cache.PerToken.In(unitOf(a)), over(float64(b.Cache.PerToken), float64(a.Cache.PerToken)))
	}
	if a.Running.Device != nil && b.Running.Device != nil {
		unopened(w, "Longest context", longest(&a.Running), longest(&b.Running), "")
	}
	w.Raw(`</tbody></table></div>`)
	for _, x := range b.Warnings {
		w.Raw(`<p class="same">`).Text(to + ": " + x.String()).Raw(`.</p>`)
	}
}

// verdictOf says whether a side fits, by what is compared of its room; other
// comparisons have no verdict.
func verdictOf(r *report.Report, c *report.Comparison) string {
	if c.Name == report.Room {
		return verdict(r.Running.Fits)
	}
	return ""
}

// opened is a figure of both sides that opens to the steps between.
func opened(w *markup.Writer, a, b *report.Report, c *report.Comparison, name, from, to, ratio string, open bool) {
	w.Raw(`<tbody><tr><th scope="row"><details`)
	if open {
		w.Raw(` open`)
	}
	w.Raw(`><summary>`).Text(name).Raw(`</summary></details></th>`)
	cells(w, from, to, ratio)
	w.Raw(`</tr><tr class="more"><td colspan="4">`)
	inWords(w, a, b, c)
	comparisonFall(a, b, c).write(w, unitOf(a))
	w.Raw(`</td></tr></tbody>`)
}

// inWords says what a fall cannot show: what binds a time, and what decides whether
// it fits.
func inWords(w *markup.Writer, a, b *report.Report, c *report.Comparison) {
	switch {
	case c.Unit == "ns" && len(c.Steps) > 0:
		x, y := &a.Running.Speed.Prefill, &b.Running.Speed.Prefill
		if c.Name == report.NextToken {
			x, y = &a.Running.Speed.Decode, &b.Running.Speed.Decode
		}
		w.Raw(`<p>What binds: `).Text(x.Binds)
		if x.Binds != y.Binds {
			w.Raw(`, then `).Text(y.Binds).Raw(`. The steps lead along the first bound; the last one is how much longer the other takes.</p>`)
			return
		}
		w.Raw(`, on both sides.</p>`)
	case verdictOf(a, c) != "":
		s, ok := c.Decides()
		if !ok {
			return
		}
		w.Raw(`<p>`)
		if verdictOf(a, c) == verdictOf(b, c) {
			w.Raw(`The same verdict; what changes the room most: `)
		} else {
			w.Raw(`What decides it: `)
		}
		w.Text(s.Name).Raw(`, `).Text(signed(s.Amount, c.Unit, unitOf(a))).Raw(` of `).Text(signed(c.To-c.From, c.Unit, unitOf(a))).Raw(`. It fits where room is left, every band taken at its upper end.`)
		if p, q := a.Running.ContextBinds, b.Running.ContextBinds; p != "" && q != "" {
			w.Raw(` A longer context has no room. What fills it: `).Text(p)
			if p != q {
				w.Raw(`, then `).Text(q)
			}
			w.Raw(`.`)
		}
		w.Raw(`</p>`)
	}
}

// longest is the longest context that fits.
func longest(x *report.Running) string {
	switch {
	case x.AnyContext:
		return "any"
	case x.Context == 0:
		return "none"
	}
	return units.Group(x.Context)
}

func cells(w *markup.Writer, from, to, ratio string) {
	w.Raw(`<td class="num">`).Text(from).Raw(`</td><td class="num">`).Text(to).Raw(`</td><td class="num">`).Text(ratio).Raw(`</td>`)
}

// unopened is a row without steps.
func unopened(w *markup.Writer, name, from, to, ratio string) {
	w.Raw(`<tr><th scope="row" class="plain">`).Text(name).Raw(`</th>`)
	cells(w, from, to, ratio)
	w.Raw(`</tr>`)
}

// over is a ratio with two decimals: "1.19".
func over(n, of float64) string {
	switch x := n / of; {
	case !(of > 0):
		return "–"
	case x == 1:
		return "same"
	case x < 1e6:
		return units.Fixed(int64(x*1e6), 1e6, 2)
	}
	return "over 1,000,000"
}

// otherwise says what the second side is asked otherwise than the first.
func otherwise(a, b *report.Report) string {
	s := ""
	for i, x := range unlike(a, b) {
		if i > 0 {
			s += ", "
		}
		s += x.key + " " + x.from + " → " + x.to
	}
	return s
}

// unlikeness is a key that two questions have different values for.
type unlikeness struct{ key, from, to string }

func unlike(a, b *report.Report) (list []unlikeness) {
	add := func(key, from, to string) {
		if from != to {
			list = append(list, unlikeness{key, from, to})
		}
	}
	for p := range query.NumParams {
		if p.Sided() && (p != query.Prompt || a.Query.Has(p) || b.Query.Has(p)) {
			add(query.About(p).Name, a.Query.Get(p), b.Query.Get(p))
		}
	}
	value := func(q *query.Query, key string) string {
		for _, x := range q.Set {
			if x.Key == key {
				return x.Value
			}
		}
		return "the config's"
	}
	for _, x := range a.Query.Set {
		add(x.Key, x.Value, value(&b.Query, x.Key))
	}
	for _, x := range b.Query.Set {
		if from := value(&a.Query, x.Key); from == "the config's" {
			add(x.Key, from, x.Value)
		}
	}
	return list
}
