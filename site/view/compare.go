package view

import (
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// Compare is the comparison of a report with its other side, with what asks for
// one. fail says why the other side cannot be answered; without it and without
// r.Other there is none, or its config is still on the way.
func Compare(r *report.Report, fail *fault.Error) string {
	var w markup.Writer
	versus(&w, r)
	switch {
	case fail != nil:
		w.Raw(`<p class="error">`).Text("The other side cannot be answered: " + fail.Error() + ".").Raw(`</p>`)
	case r.Other != nil:
		sides(&w, r, r.Other)
	}
	return w.String()
}

// versus asks for the other side.
func versus(w *markup.Writer, r *report.Report) {
	w.Raw(`<div class="ask"><label><span>With the model</span> <input type="text" name="vs" list="models" spellcheck="false"`).Attr("value", r.Query.Get(query.Versus))
	w.Raw(`></label><button type="button" data-keep>Keep this answer to compare with</button>`)
	if _, ok := r.Query.Second(); ok {
		if swapped, ok := r.Query.Swapped(r.Subject.Config, r.Subject.Slug == ""); ok {
			goes(w, &swapped, "Swap")
		}
		alone := r.Query.Alone()
		goes(w, &alone, "Clear")
	}
	w.Raw(`</div>`)
}

// goes is a link to another question of the calculator, which the page's script
// follows without leaving.
func goes(w *markup.Writer, q *query.Query, text string) {
	w.Raw(`<a data-go`).Attr("href", "/?"+q.String()).Raw(`>`, text, `</a>`)
}

// sides sets two reports side by side; a row opens to the steps between.
func sides(w *markup.Writer, a, b *report.Report) {
	if diff := otherwise(a, b); diff != "" {
		w.Raw(`<p class="otherwise">Asked otherwise: `).Text(diff).Raw(`</p>`)
	}
	from, to := sideNames(a, b)
	w.Raw(`<div class="falls"><table class="sides"><caption>Each row opens to what makes the difference.</caption><thead><tr><td></td><th scope="col" class="num">`).Text(from).Raw(`</th><th scope="col" class="num">`).Text(to).Raw(`</th><th scope="col" class="num">second ÷ first</th></tr></thead>`)
	opened := false
	figures := report.Compare(a, b)
	for i := range figures {
		c := &figures[i]
		open := !opened && c.From != c.To
		opened = opened || open
		w.Raw(`<tbody><tr><th scope="row"><details`)
		if open {
			w.Raw(` open`)
		}
		w.Raw(`><summary>`).Text(capital(c.Name)).Raw(`</summary></details></th>`)
		cells(w, figureOf(c.From, c.Unit, unitOf(a)), figureOf(c.To, c.Unit, unitOf(a)), over(float64(c.To), float64(c.From)))
		w.Raw(`</tr><tr class="more"><td colspan="4">`)
		comparisonFall(a, b, c).write(w, unitOf(a))
		w.Raw(`</td></tr></tbody>`)
	}
	w.Raw(`<tbody>`)
	p, q := &a.Parameters, &b.Parameters
	if p.Active != p.Total || q.Active != q.Total {
		unopened(w, "Active for each token", p.Active.Short(), q.Active.Short(), over(float64(q.Active), float64(p.Active)))
	}
	if a.Cache.PerToken > 0 || b.Cache.PerToken > 0 {
		unopened(w, "Cache for one more token", a.Cache.PerToken.In(unitOf(a)), b.Cache.PerToken.In(unitOf(a)), over(float64(b.Cache.PerToken), float64(a.Cache.PerToken)))
	}
	for _, x := range [...]struct {
		name string
		a, b float64
	}{
		{"Prefill, at best", a.Running.Speed.Prefill.Seconds, b.Running.Speed.Prefill.Seconds},
		{"Next token, at best", a.Running.Speed.Decode.Seconds, b.Running.Speed.Decode.Seconds},
	} {
		if x.a > 0 && x.b > 0 {
			unopened(w, x.name, units.Seconds(x.a).Short(), units.Seconds(x.b).Short(), over(x.b, x.a))
		}
	}
	if a.Running.Device != nil && b.Running.Device != nil {
		unopened(w, "Fits the device", verdict(a.Running.Fits), verdict(b.Running.Fits), "")
		unopened(w, "Longest context that fits", longest(&a.Running), longest(&b.Running), "")
	}
	w.Raw(`</tbody></table></div>`)
	for _, x := range b.Warnings {
		w.Raw(`<p class="same">`).Text(to + ": " + x.String()).Raw(`.</p>`)
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
	w.Raw(`<td class="num">`).Text(from).Raw(`</td><td class="num">`).Text(to).Raw(`</td><td class="num">`, ratio, `</td>`)
}

// unopened is a row without steps.
func unopened(w *markup.Writer, name, from, to, ratio string) {
	w.Raw(`<tr><th scope="row" class="plain">`, name, `</th>`)
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
