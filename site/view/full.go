package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/rules"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// beside are the charts by the part of the answer that they are behind, with the
// words above them.
var beside = []struct{ place, kind, words string }{
	{"parts", "flow", "How a token flows through"},
	{"parts", "size", "Parameters against hidden size and layers"},
	{"running", "kv", "KV cache by context"},
	{"running", "timeline", "Memory while answering"},
	{"running", "prefill", "Memory of a prefill, moment by moment"},
	{"running", "roofline", "Compute or memory bound: the roofline"},
	{"compute", "scaling", "Loss against size: what a budget is best spent on"},
	{"training", "step", "Memory over a training step"},
}

// Full is the answer with all that a page with script shows of it when somebody
// asks: the question key by key, the charts, the layouts, every rule of thumb. It
// needs no script. meaning says what a key of a config means; empty where nobody
// knows; token is what is predicted of a token's time.
func Full(r *report.Report, token string, meaning func(key string) string) string {
	var w markup.Writer
	w.Raw(`<div class="calc full"><div class="answer" id="answer">`)
	w.Raw(`<div class="region fit" data-region="fit">`).Add(markup.Markup(fit(r))).Raw(`</div><div class="region brief" data-region="brief">`).Add(markup.Markup(briefWith(r, token))).Raw(`</div>`)
	for _, x := range Regions() {
		switch x.ID {
		case "keys", "largest", "parts": // they are below
		default:
			w.Raw(`<div class="region `).Text(x.ID).Raw(`" data-region="`).Text(x.ID).Raw(`">`).Add(markup.Markup(x.HTML(r))).Raw(`</div>`)
		}
	}
	section(&w, "question", "The question")
	w.Raw(`<div class="charts">`)
	asked(&w, r)
	configKeys(&w, r, meaning)
	w.Raw(`</div></section>`)
	section(&w, "parameters", "Every component and tensor")
	w.Add(markup.Markup(largest(r))).Raw(`<div class="region parts" data-region="parts">`).Add(markup.Markup(parts(r))).Raw(`</div>`)
	drawn(&w, r, "parts")
	w.Raw(`</section>`)
	for _, x := range Lenses() {
		panel(&w, x.ID)
		if x.ID == "running" {
			w.Raw(`<div class="region opening" data-region="opening">`).Add(markup.Markup(opening(r))).Raw(`</div>`)
		}
		if x.ID == "training" {
			w.Raw(`<div class="region outset" data-region="outset">`).Add(markup.Markup(outset(r))).Raw(`</div><div class="region peak" data-region="peak">`).Add(markup.Markup(Peak(r))).Raw(`</div>`)
		}
		w.Raw(`<div class="region `).Text(x.ID).Raw(`" data-region="`).Text(x.ID).Raw(`">`).Add(markup.Markup(x.HTML(r))).Raw(`</div></section>`)
		drawn(&w, r, x.ID)
		if x.ID == "training" {
			w.Raw(`<section aria-labelledby="layouts"><h3 id="layouts">Layouts that fit, ranked</h3><div class="region layouts" data-region="layouts">`).Add(markup.Markup(Layouts(r))).Raw(`</div></section>`)
		}
	}
	section(&w, "rules", "Why is my number different?")
	w.Add(markup.Markup(Rules(r, rules.Applying(r)))).Raw(`</section></div></div>`)
	return w.String()
}

// section begins a part of the page under a heading.
func section(w *markup.Writer, id, title string) {
	w.Raw(`<section aria-labelledby="`).Text(id).Raw(`"><h2 id="`).Text(id).Raw(`">`).Text(title).Raw(`</h2>`)
}

// drawn are the charts behind a part of the answer.
func drawn(w *markup.Writer, r *report.Report, place string) {
	w.Raw(`<div class="charts">`)
	for _, x := range beside {
		if x.place != place {
			continue
		}
		w.Raw(`<section aria-labelledby="`).Text(x.kind).Raw(`"><h3 id="`).Text(x.kind).Raw(`">`).Text(x.words).Raw(`</h3>`)
		for _, c := range OnUse() {
			if c.ID == x.kind {
				w.Raw(`<div class="region `).Text(x.kind).Raw(`" data-region="`).Text(x.kind).Raw(`">`).Add(markup.Markup(c.HTML(r))).Raw(`</div>`)
			}
		}
		w.Raw(`</section>`)
	}
	w.Raw(`</div>`)
}

// asked is the question, parameter by parameter.
func asked(w *markup.Writer, r *report.Report) {
	w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="What is asked"><table class="ledger asked"><caption>What is asked, key by key of a link</caption><thead><tr><th scope="col">Key</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead><tbody>`)
	for p := range query.NumParams {
		if p == query.Versus || p == query.Mine {
			continue // another side, and a reader's number: questions of their own
		}
		value := r.Query.Get(p)
		if d := r.Subject.Device; p == query.Device && d != nil {
			value = d.Name
		}
		if n, ok := whole64(value); ok {
			value = units.Group(n)
		}
		w.Raw(`<tr><th scope="row"><code>`).Text(query.About(p).Name).Raw(`</code></th><td>`).Text(words(p, value))
		if p == query.Weights && value == "auto" {
			w.Text(Published(r))
		}
		w.Raw(`</td><td>`).Text(query.Meaning(p)).Raw(`</td></tr>`)
	}
	w.Raw(`</tbody></table></div>`)
}

// whole64 reads plain digits.
func whole64(s string) (n int64, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' || i > 17 {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, s != ""
}

// configKeys are the keys that the family reads, each with its letter, its value,
// where that is from, and what it means.
func configKeys(w *markup.Writer, r *report.Report, meaning func(key string) string) {
	w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="The config"><table class="ledger keys"><caption>The config, with the defaults of the class that it names</caption><thead><tr><th scope="col">Key</th><th scope="col">Value</th><th scope="col">From</th><th scope="col">Meaning</th></tr></thead><tbody>`)
	first := first(r.Model)
	for i := range r.Model.Keys {
		k := &r.Model.Keys[i]
		if !first[i] {
			continue
		}
		p := path(k)
		last := 0
		for j := range p {
			if p[j] == '.' {
				last = j + 1
			}
		}
		w.Raw(`<tr><th scope="row"><code>`).Text(p).Raw(`</code>`)
		l := letterOfKey(k)
		if l != nil {
			w.Raw(" ").Add(l.html())
		}
		w.Raw(`</th><td><code>`).Text(k.Value).Raw(`</code></td><td>`)
		if isSet(r, p) {
			w.Raw("changed")
		} else {
			origin(w, k)
		}
		w.Raw(`</td><td>`)
		if l != nil {
			w.Text(l.words)
		}
		if m := meaning(p[last:]); m != "" {
			if l != nil {
				w.Raw(`: `)
			}
			w.Text(m)
		}
		w.Raw(`</td></tr>`)
	}
	w.Raw(`</tbody></table></div>`)
}
