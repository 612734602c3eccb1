package view

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/report"
	"llmsize/site/markup"
)

// longest value, in bytes of JSON, that the editor shows in a field; longer
// ones are per-layer lists, which nobody edits in one line.
const editable = 60

// keys is the editor of the config: the dimensions by their letters, then every
// key that the family reads.
func keys(r *report.Report) string {
	var w markup.Writer
	main, first := mainScope(r.Model), first(r.Model)
	w.Raw(`<div class="shape">`)
	var back markup.Writer
	for li := range letters {
		for i := range r.Model.Keys {
			k := &r.Model.Keys[i]
			if first[i] && inGrid(k, main) && letterOfKey(k) == &letters[li] {
				dimension(&w, &back, r, k, &letters[li])
			}
		}
	}
	if ways := back.String(); ways != "" {
		w.Raw(`<p>`).Add(markup.Markup(ways)).Raw(`</p>`)
	}
	w.Raw(`</div>`)
	changed := len(r.Query.Set)
	w.Raw(`<details class="all-keys"><summary>`).Text(plural(int64(len(r.Model.Keys)), "config key"))
	if changed > 0 {
		w.Raw(`, `).Int(int64(changed)).Raw(` changed`)
	}
	w.Raw(`</summary><table class="keys"><thead><tr><th scope="col">Key</th><th scope="col">Value</th><th scope="col">From</th></tr></thead><tbody>`)
	for i := range r.Model.Keys {
		k := &r.Model.Keys[i]
		if !first[i] {
			continue
		}
		keyRow(&w, r, k, inGrid(k, main))
	}
	var read config.Names
	added := 0
	for i := range r.Model.Keys {
		read.Add(path(&r.Model.Keys[i]))
	}
	for i := range r.Query.Set {
		if s := &r.Query.Set[i]; !read.Add(s.Key) {
			if added++; added > mostAdded {
				continue
			}
			w.Raw(`<tr data-field="set.`).Text(s.Key).Raw(`"><th scope="row"><code>`).Text(s.Key).Raw(`</code></th><td>`)
			field(&w, s.Key, fault.Clip(s.Value, editable), "", s.Key)
			w.Raw(`</td><td>added `)
			reset(&w, s.Key, "", "remove")
			w.Raw(`</td></tr>`)
		}
	}
	if added > mostAdded {
		w.Raw(`<tr><td colspan="3">and `).Text(plural(int64(added-mostAdded), "more key")).Raw(` that the link adds</td></tr>`)
	}
	w.Raw(`</tbody></table></details>`)
	return w.String()
}

// mostAdded is how many keys that a link adds and nobody reads have a row.
const mostAdded = 50

// inGrid reports whether a key is a dimension of the language model.
func inGrid(k *model.Key, main string) bool {
	_, ok := number(k.Value)
	return ok && k.Path == main && letterOfKey(k) != nil
}

// first tells of every key whether it is in the list for the first time: a
// projector reads its tower's sizes too.
func first(m *model.Model) []bool {
	var seen config.Names
	out := make([]bool, len(m.Keys))
	for i := range m.Keys {
		out[i] = !seen.Add(path(&m.Keys[i]))
	}
	return out
}

// mainScope is where the language model's keys stand: at the top, else under the
// first nested config for text, else the first that has a hidden size.
func mainScope(m *model.Model) string {
	first, found := "", false
	for i := range m.Keys {
		k := &m.Keys[i]
		l := letterOfKey(k)
		if l == nil || l.sign != "h" {
			continue
		}
		if k.Path == "" || len(k.Path) > 4 && k.Path[:4] == "text" {
			return k.Path
		}
		if !found {
			first, found = k.Path, true
		}
	}
	return first
}

// path is the key as an override names it: as the config does, else as the family does.
func path(k *model.Key) string {
	if k.Given != "" {
		return k.Path + k.Given
	}
	return k.Path + k.Name
}

func isSet(r *report.Report, key string) bool {
	for i := range r.Query.Set {
		if r.Query.Set[i].Key == key {
			return true
		}
	}
	return false
}

// base is what the config says under a dotted path, before any override.
func base(cfg *config.Value, key string) *config.Value {
	for {
		if x := cfg.Get(key); x.Kind != config.Absent {
			return x
		}
		i := 0
		for i < len(key) && key[i] != '.' {
			i++
		}
		if i == len(key) {
			return &config.Value{}
		}
		cfg, key = cfg.Get(key[:i]), key[i+1:]
	}
}

// dimension is a field for a number with a letter. The way back from a change goes into back, which follows the last field:
// from an edited one the keyboard goes on to the next.
func dimension(w, back *markup.Writer, r *report.Report, k *model.Key, l *letter) {
	p := path(k)
	class := ""
	if isSet(r, p) {
		class = " changed"
	}
	w.Raw(`<div class="field`).Text(class).Raw(`" data-field="set.`).Text(p).Raw(`"><label`).Attr("title", p).Raw(">").Add(l.html()).Raw(` <span>`).Text(l.words).Raw(`</span> `)
	field(w, p, k.Value, "numeric", "")
	w.Raw("</label>")
	if isSet(r, p) {
		text := "the class's default"
		if b := base(&r.Subject.Config, p); b.Kind == config.Number {
			text = b.Text
		}
		reset(back, p, l.html(), " back to "+text)
	}
	w.Raw("</div>")
}

// field is the input of a key. A label outside of it is given as text.
func field(w *markup.Writer, key, value, mode, label string) {
	w.Raw(`<input type="text" autocomplete="off" spellcheck="false" name="set.`).Text(key).Raw(`"`)
	if mode != "" {
		w.Attr("inputmode", mode)
	}
	if label != "" {
		w.Attr("aria-label", label)
	}
	w.Attr("value", value).Raw(">")
}

func reset(w *markup.Writer, key string, sign markup.Markup, text string) {
	w.Raw(`<button type="button" class="reset"`).Attr("data-reset", key).Raw(">").Add(sign).Text(text).Raw("</button> ")
}

// keyRow is a key with its value and where that comes from. A dimension has its
// field in the grid, not here.
func keyRow(w *markup.Writer, r *report.Report, k *model.Key, inGrid bool) {
	p := path(k)
	w.Raw("<tr")
	if !inGrid {
		w.Attr("data-field", "set."+p)
	}
	w.Raw(`><th scope="row"><code>`).Text(p).Raw("</code>")
	if l := letterOfKey(k); l != nil {
		w.Raw(" ").Add(l.html())
	}
	w.Raw("</th><td>")
	if inGrid || len(k.Value) > editable {
		w.Raw("<code>").Text(fault.Clip(k.Value, editable)).Raw("</code>")
	} else {
		field(w, p, k.Value, "", p)
	}
	w.Raw("</td><td>")
	switch {
	case isSet(r, p) && inGrid:
		w.Raw("changed")
	case isSet(r, p):
		w.Raw("changed ")
		reset(w, p, "", "undo")
	default:
		origin(w, k)
	}
	w.Raw("</td></tr>")
}

// origin says where the value of a key that no link has changed is from.
func origin(w *markup.Writer, k *model.Key) {
	switch {
	case k.Given != "":
		w.Raw("the config")
	case k.Expr != "" && len(k.Expr) <= editable:
		w.Raw("default: <code>").Text(k.Expr).Raw("</code>")
	default:
		w.Raw("default")
	}
}
