package answers

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"llmsize/core/family"
)

// use is a key as one family declares it.
type use struct {
	family.Declaration
	types []string
	sort  string // decoders, towers …
}

// keyName is the name under which a config has the key: the last of its path.
func keyName(d *family.Declaration) string { return d.Path[strings.LastIndexByte(d.Path, '.')+1:] }

// uses gathers every declaration under its key.
func (r *Reference) uses() map[string][]use {
	if r.used != nil {
		return r.used
	}
	all := map[string][]use{}
	r.used = all
	for _, f := range r.families {
		sort := r.sort(f)
		for _, d := range f.Keys {
			name := d.Name
			if d.Path != "" {
				name = keyName(&d)
			}
			all[name] = append(all[name], use{d, f.types, sort})
		}
	}
	return all
}

// takes says what a key of a type takes.
var takes = map[string]string{
	"size": "a whole number from 1", "count": "a whole number from 0", "int": "a whole number", "bool": "true or false",
	"float": "a number", "str": "text", "list": "a list", "any": "several kinds of value",
}

// keys is a group's list, or the index of all.
func (r *Reference) keys(of string) (string, error) {
	switch of {
	case "index":
		return r.index(), nil
	case "groups":
		return r.contents(), nil
	}
	i := slices.IndexFunc(r.groups, func(g Group) bool { return g.ID == of })
	var g Group
	switch {
	case i >= 0:
		g = r.groups[i]
	case of == "rest":
		if g = r.wordless(); len(g.Keys) == 0 {
			return "<p>None: every key above has its words.</p>", nil
		}
	default:
		var ids []string
		for _, g := range r.groups {
			ids = append(ids, g.ID)
		}
		return "", fmt.Errorf("of=%q isn't a group of keys: there are groups, index, rest, %s", of, strings.Join(ids, ", "))
	}
	all := r.uses()
	effects := r.measure()
	var p page
	p.raw(`<dl class="keys">`)
	for _, name := range byUse(g.Keys, all) {
		if all[name] == nil {
			continue // a meaning that has lost its key; the test names it
		}
		r.key(&p, name, g.Keys[name], all[name], effects[name])
	}
	return p.raw("</dl>").String(), nil
}

// byUse orders keys: those that most types read first.
func byUse(keys map[string]string, all map[string][]use) []string {
	count := func(name string) (n int) {
		for _, u := range all[name] {
			n += len(u.types)
		}
		return n
	}
	return slices.SortedFunc(maps.Keys(keys), func(a, b string) int {
		return cmp.Or(count(b)-count(a), strings.Compare(a, b))
	})
}

func (r *Reference) key(p *page, name, meaning string, list []use, e effect) {
	p.raw(`<dt id="key-`).text(name).raw(`"><code>`).text(name).raw(`</code>`)
	if also := aliases(name, list); len(also) > 0 {
		p.raw(` <span class="quiet">also `)
		p.codes(also)
		p.raw(`</span>`)
	}
	p.raw(`</dt><dd><p>`)
	if meaning != "" {
		p.text(strings.ToUpper(meaning[:1]) + meaning[1:] + ". ")
	}
	p.raw(`<span class="quiet">`).text(kindWords(list)).raw(`.`)
	if s := e.String(); s != "" {
		p.raw(` Changes `, s, `.`)
	}
	p.raw(`</span></p>`)
	defaults(p, list)
	p.raw(`</dd>`)
}

// aliases are the other names of a key in any family.
func aliases(name string, list []use) []string {
	var out []string
	for _, u := range list {
		for _, a := range append([]string{u.Name}, u.Aliases...) {
			if a != name && !slices.Contains(out, a) && (u.Path == "" || a != u.Name) {
				out = append(out, a)
			}
		}
	}
	return out
}

// kindWords says what a key takes, as most families have it.
func kindWords(list []use) string {
	counts := map[string]int{}
	null, each := false, false
	for _, u := range list {
		counts[u.Type] += len(u.types)
		null = null || u.Optional
		each = each || u.Each != ""
	}
	best := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })[0]
	s := strings.ToUpper(takes[best][:1]) + takes[best][1:]
	if each && best == "list" {
		s += ", one entry for each layer"
	}
	if null {
		s += ", or null"
	}
	return s
}

// defaults lists who reads the key with which default; long lists are folded.
func defaults(p *page, list []use) {
	by := map[string][]string{}
	types := 0
	for _, u := range list {
		d := u.Default
		switch {
		case u.Required:
			d = ""
		case u.Null != "" && u.Null != d:
			d += "; null means " + u.Null
		}
		where := ""
		if i := strings.LastIndexByte(u.Path, '.'); i >= 0 {
			where = " in " + u.Path[:i]
		}
		for _, t := range u.types {
			types++
			if s := t + where; !slices.Contains(by[d], s) {
				by[d] = append(by[d], s)
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(by), func(a, b string) int { return cmp.Or(len(by[b])-len(by[a]), strings.Compare(a, b)) })
	folded := types > 6
	if folded {
		p.raw(`<details><summary>`, strconv.Itoa(types), ` types, `, plural(len(order), "default"), `</summary>`)
	}
	p.raw(`<ul class="defaults">`)
	for _, d := range order {
		slices.Sort(by[d])
		p.raw("<li>")
		if d == "" {
			p.raw("must be given")
		} else {
			p.raw("<code>").text(d).raw("</code>")
		}
		p.raw(": ").text(strings.Join(by[d], ", ")).raw("</li>")
	}
	p.raw(`</ul>`)
	if folded {
		p.raw(`</details>`)
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// index is every key by its letters, linked to its line.
func (r *Reference) index() string {
	all := r.uses()
	names := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(strings.TrimLeft(a, "_")), strings.ToLower(strings.TrimLeft(b, "_"))), strings.Compare(a, b))
	})
	var p page
	p.raw(`<details class="index"><summary>`, plural(len(names), "key"), ` by their letters</summary><ul class="key-index">`)
	for _, name := range names {
		p.raw(`<li><a href="#key-`).text(name).raw(`"><code>`).text(name).raw(`</code></a></li>`)
	}
	return p.raw(`</ul></details>`).String()
}

// contents links the groups, with how many keys each has.
func (r *Reference) contents() string {
	var p page
	p.raw(`<ul class="key-groups">`)
	for _, g := range r.groups {
		p.raw(`<li><a href="#`).text(g.ID).raw(`">`).text(g.Title).raw(`</a> <span class="quiet">`, plural(len(g.Keys), "key"), `</span></li>`)
	}
	return p.raw(`</ul>`).String()
}
