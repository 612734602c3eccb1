// Package why writes what a page shows of a number that somebody opened: how the second side of a comparison comes to its own
// (report.CompareAt), where it comes from, down to keys of the config (explain.Tree), what moves it (explain.Moves), and the
// answer to a goal (explain.Seek). It follows the rules of package view.
package why

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/explain"
	"llmsize/core/fault"
	"llmsize/core/figure"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
	"llmsize/site/view"
)

// Path is the figure that a number of the page shows: by its name in links, or, in the table of parts, by its row.
func Path(r *report.Report, name string, row int) (path string, ok bool) {
	if path, ok = figure.Named(name); ok {
		return path, true
	}
	if len(name) > 6 && name[:6] == "parts." && row >= 0 && row < len(r.Parameters.Components) {
		return "parameters.components." + units.Itoa(int64(row)) + ".total", true
	}
	return name, figure.Find(name) != nil
}

// Tries is how many values of a key a page tries: the command, which has the time, tries all.
const Tries = 2

// Derivation is how the other side of a comparison comes to its number, where there is one; then the number taken apart.
func Derivation(r *report.Report, h *explain.Host, path string) string {
	var w markup.Writer
	root, err := explain.Within(r, h, path, Tries)
	if err != nil {
		return ""
	}
	if r.Other != nil {
		if c, ok := report.CompareAt(r, r.Other, path); ok {
			w.Raw(`<h3>From one side to the other</h3><div class="falls">`)
			view.Difference(&w, r, r.Other, &c)
			w.Raw(`</div>`)
		}
	}
	w.Raw(`<h3>Where it comes from</h3>`)
	seen := map[*explain.Node]bool{}
	inside(&w, r, root, seen)
	if v := root.Value; v.OK() {
		w.Raw(`<form class="goal"><label>Make it at most <input type="text" name="goal" size="9" spellcheck="false"`).Attr("value", root.Unit.Short(v, r.Query.Get(query.Units))).Raw(`></label> <label>by changing <select name="knob">`)
		for _, m := range explain.Moves(r, h, path) {
			w.Raw(`<option`).Attr("value", m.Key.Key()).Raw(`>`).Text(m.Key.Name).Raw(`</option>`)
		}
		w.Raw(`</select></label> <button>Find</button> <output></output></form>`)
	}
	return w.String()
}

// inside writes what a figure opens to: its formula, its terms, each of which opens in turn, and the keys under it.
func inside(w *markup.Writer, r *report.Report, n *explain.Node, seen map[*explain.Node]bool) {
	bytes := r.Query.Get(query.Units)
	seen[n] = true
	if n.Words != "" {
		w.Raw(`<p class="formula-line"><span class="symbols">`).Text(n.Words).Raw(`</span> <span class="values">= `).Text(n.With).Raw(`</span> <span class="sum">= <b>`).Text(n.Unit.Exact(n.Value, bytes)).Raw(`</b></span></p>`)
	}
	for _, t := range n.Terms {
		w.Raw(`<details class="open term"`).Attr("data-figure", t.ID).Raw(`><summary><span class="label">`).Text(t.Label).Raw(`</span> <b>`).Text(t.Unit.Short(t.Value, bytes)).Raw(`</b></summary>`)
		if seen[t] {
			w.Raw(`<p class="quiet">As above.</p>`)
		} else {
			inside(w, r, t, seen)
		}
		w.Raw(`</details>`)
	}
	if len(n.Keys) > 0 {
		w.Raw(`<ul class="ends">`)
		for i := range n.Keys {
			key(w, &n.Keys[i])
		}
		w.Raw(`</ul>`)
	}
	if n.Source != "" {
		w.Raw(`<p class="source">`).Text(n.Source).Raw(`.</p>`)
	}
	if len(n.Terms)+len(n.Keys) == 0 && n.Words == "" {
		w.Raw(`<p class="quiet">No key moves it here.</p>`)
	}
}

// key is a key at the bottom: what it says, and where.
func key(w *markup.Writer, k *explain.Key) {
	w.Raw(`<li><code>`).Text(k.Name).Raw(`</code> = `).Text(value(k.Value)).Raw(` <span class="quiet">`)
	switch {
	case k.Asked && k.Given:
		w.Raw(`asked`)
	case k.Asked:
		w.Raw(`the question's default`)
	case k.Line > 0:
		w.Raw(`line `).Int(int64(k.Line)).Raw(` of config.json`)
	case k.Given:
		w.Raw(`set in the question`)
	case k.Expr != "":
		w.Raw(`by default `).Text(k.Expr)
	default:
		w.Raw(`the class's default`)
	}
	w.Raw(`</span></li>`)
}

// value is a key's value as readers take it in.
func value(v config.Value) string {
	if v.Kind == config.String && v.Text != "" {
		return fault.Clip(v.Text, 60)
	}
	if n, ok := v.Int(); ok && v.Kind == config.Number {
		return units.Group(n)
	}
	return fault.Clip(v.JSON(), 60)
}

// Moves lists what moves the number, the furthest first, each with a bar and a link to that question.
func Moves(r *report.Report, h *explain.Host, path string) string {
	var w markup.Writer
	list := explain.Moves(r, h, path)
	w.Raw(`<h3>What moves it</h3>`)
	if len(list) == 0 {
		return w.Raw(`<p>No single step of a key does.</p>`).String()
	}
	w.Raw(`<table class="moves"><thead><tr><th scope="col">One step</th><th scope="col" class="num">It is then</th><th scope="col" class="num">Times</th><th scope="col"><span class="visually-hidden">How far</span></th></tr></thead><tbody>`)
	most := 1.0
	for i := range list {
		most = max(most, apart(&list[i]))
	}
	for i := range list {
		m := &list[i]
		w.Raw(`<tr><th scope="row"><a`).Attr("href", "/?"+m.Link).Raw(`><code>`).Text(m.Key.Name).Raw(`</code> `).Text(value(m.Key.Value) + " → " + grouped(m.To)).Raw(`</a></th><td class="num">`).Text(explain.Text(r, path, m.Value)).Raw(`</td><td class="num">`)
		if m.Times > 0 && m.Times < 1e6 {
			w.Text(units.Fixed(int64(m.Times*100+0.5), 100, 2))
		}
		w.Raw(`</td><td><svg viewBox="0 0 100 8" width="100" height="8" aria-hidden="true"><rect height="8" width="`).Int(int64(99*apart(m)/most) + 1).Raw(`"/></svg></td></tr>`)
	}
	return w.Raw(`</tbody></table>`).String()
}

// apart is how far a move goes, for a bar: 1 is twice or half as much, and no bar passes 16 times.
func apart(m *explain.Move) float64 {
	t := m.Times
	if t > 0 && t < 1 {
		t = 1 / t
	}
	if !(t > 0) || t > 16 {
		return 15
	}
	return t - 1
}

func grouped(text string) string {
	if n, ok := config.ParseInt(text); ok {
		return units.Group(n)
	}
	return text
}

// Goal is the answer to a goal, in a sentence with the link to the question that keeps to it.
func Goal(r *report.Report, h *explain.Host, path, key, goal string) string {
	var w markup.Writer
	unit := figure.Count
	if f := figure.Find(path); f != nil {
		unit = f.Unit
	}
	limit, ok := explain.Goal(goal, unit)
	if !ok {
		return w.Text(fault.Clip(goal, 40)).Raw(` isn't a number with a unit. 24 GB, 10 ms or 8,192 are.`).String()
	}
	s, err := explain.Seek(r, h, path, key, limit)
	switch {
	case err != nil:
		return w.Text(err.Error()).Raw(`.`).String()
	case s.To == "":
		return w.Raw(`No value does: `).Text(s.Why).Raw(`.`).String()
	}
	w.Raw(`<a`).Attr("href", "/?"+s.Link).Raw(`>`).Text(found(key, &s)).Raw(`</a>: `).Text(explain.Text(r, path, s.Value))
	if s.Next != "" && s.Then.OK() {
		w.Raw(`. With `).Text(grouped(s.Next)).Raw(` it is `).Text(explain.Text(r, path, s.Then))
	}
	return w.Raw(`.`).String()
}

// found says which value was found, of a key of the config by the name that it has there.
func found(key string, s *explain.Sought) string {
	key, _ = strings.CutPrefix(key, "set.")
	if s.AtLeast {
		return key + " " + grouped(s.To) + " or more"
	}
	return key + " " + grouped(s.To)
}
