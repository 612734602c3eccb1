package answers

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"llmsize/build/pages"
	"llmsize/content/catalogue"
	"llmsize/core/device"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/predict"
	"llmsize/core/quant"
	"llmsize/core/serve"
	"llmsize/core/train"
	"llmsize/core/units"
)

// matrixFormats are the columns of a device's matrix, the most bytes first.
var matrixFormats = [...]struct{ key, name string }{{"bf16", "bf16"}, {"q8_0", "Q8_0"}, {"fp8", "fp8"}, {"q4_k_m", "Q4_K_M"}}

// matrixUsers is for how many users a cell is worked out; the first is shown before anybody chooses.
var matrixUsers = [...]int64{1, 8, 32}

// matrixContexts are the contexts that somebody may ask for at least: a cell's colour says which it reaches.
var matrixContexts = [...]int64{8192, 32768, 131072}

// speedContext is how many tokens a sequence holds where a speed is told.
const speedContext = 8192

// tried is a model with what laying it out needs again and again.
type tried struct {
	m         *catalogue.Model
	described *model.Model
	size      int64 // parameters
	positions int64 // that it was trained for; 0 where its config names none
	weights   [len(matrixFormats)]quant.Weights
	layouts   map[int64]train.Layout // by the number of accelerators
	plans     map[placed]*serve.Plan
}

// placed is a way to lay out a model for a number of users.
type placed struct {
	count  int64 // accelerators
	format int
	users  int64
}

// DevicePages makes the pages of all devices, in the order of their names.
func (e *Engine) DevicePages() ([]pages.Device, error) {
	if e.pages != nil {
		return e.pages, nil
	}
	var models []*tried
	for _, slug := range e.popular.Models {
		t, err := e.try(slug)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", slug, err)
		}
		models = append(models, t)
	}
	slices.SortStableFunc(models, func(a, b *tried) int { return cmp.Compare(a.size, b.size) })
	var list []pages.Device
	for i := range e.devices.List {
		d := &e.devices.List[i]
		body, fit, err := e.devicePage(d, models)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Slug, err)
		}
		list = append(list, pages.Device{Slug: d.Slug, Name: d.Name, Body: template.HTML(body),
			Description: fmt.Sprintf("What an %s holds: the longest context of popular models in four formats, and how fast they run. %d of %d fit.", d.Name, fit, len(models)),
			Question:    "Which models fit, with how much context, and how fast do they run?"})
	}
	e.pages = list
	return list, nil
}

// try reads a model.
func (e *Engine) try(slug string) (*tried, error) {
	r, err := e.report("v=1&model=" + slug)
	if err != nil {
		return nil, err
	}
	m, _ := e.catalogue.Find(slug)
	t := &tried{m: m, described: r.Model, size: int64(r.Parameters.Total), positions: r.Positions(), plans: map[placed]*serve.Plan{}, layouts: map[int64]train.Layout{}}
	for i, f := range matrixFormats {
		recipe, ok := quant.Named(f.key)
		if !ok {
			return nil, fmt.Errorf("no format is called %s", f.key)
		}
		w, fail := quant.Weigh(r.Model, &recipe, &r.Config)
		if fail != nil {
			return nil, fail
		}
		t.weights[i] = w
	}
	return t, nil
}

// layout is how a model lies on n accelerators: as the calculator would lay it out, but over all of them.
func (t *tried) layout(n int64) train.Layout {
	l, ok := t.layouts[n]
	if !ok {
		if l = serve.Obvious(t.described, n); l.DP > 1 { // replicas do not help to hold it
			l.DP, l.PP = 1, max(min(max(train.ShapeOf(t.described).Layers, 1), n/l.TP), 1)
		}
		t.layouts[n] = l
	}
	return l
}

// most is the longest context that each user's sequence may have on accelerators with so much room.
func (t *tried) most(x placed, room int64) serve.Most {
	p := t.plans[x]
	if p == nil {
		p = serve.Prepare(&serve.Ask{Model: t.described, Weights: &t.weights[x.format], Layout: t.layout(x.count), Flash: true, Cache: t.cache(speedContext, x.users)})
		t.plans[x] = p
	}
	return p.LargestContext(room)
}

// cache is the question after what a cache holds, as the calculator asks it by default.
func (t *tried) cache(context, users int64) memory.CacheQuestion {
	bf16, _ := memory.FormatNamed("bf16")
	return memory.CacheQuestion{Context: context, Encoder: context, Batch: users, Chunk: 512, Format: bf16, State: 16}
}

// devicePage writes a device's page, and says how many of the models fit it at all.
func (e *Engine) devicePage(d *catalogue.Device, models []*tried) (body string, fit int, err error) {
	var b strings.Builder
	w := func(parts ...string) {
		for _, s := range parts {
			b.WriteString(s)
		}
	}
	spec := d.Spec()
	count := max(spec.Count, 1)
	w(`<p class="device-facts"><a href="/?v=1&amp;device=`, d.Slug, `">Ask the calculator about it</a> · `, figures(spec), ` · <a href="/devices/#`, d.Slug, `">sources</a></p>`)
	w(`<h2 id="fits">What fits</h2><p>Each cell is the longest context that fits beside the weights, in tokens; with several users, it is what each of them gets. ` +
		`Where memory is an estimate, its upper end has to fit. The cache is in bf16. <b>All</b> is all that the model is trained for. A plus says how much more memory it needs. Open a cell to ask the calculator.</p>`)
	w(`<form class="holds-choice"><fieldset><legend>Users</legend>`)
	for i, n := range matrixUsers {
		w(choice("users", n, i == 0, units.Group(n)))
	}
	w(`</fieldset><fieldset><legend>Context of at least</legend>`, choice("context", 0, true, "any"))
	for i, n := range matrixContexts {
		w(choice("context", int64(i+1), false, units.Group(n)))
	}
	w(`</fieldset></form><div class="scroll" tabindex="0" role="group" aria-label="What fits"><table class="holds"><caption>Longest context that fits</caption><thead><tr><th scope="col">Model</th><th scope="col" class="num size">Parameters</th>`)
	for _, f := range matrixFormats {
		w(`<th scope="col" class="num">`, f.name, `</th>`)
	}
	w("</tr></thead><tbody>\n")
	type run struct {
		t      *tried
		format int
	}
	var runs []run
	for _, t := range models {
		w(`<tr><th scope="row"><a href="/models/`, t.m.Slug, `/?v=1&amp;device=`, d.Slug, `">`, html.EscapeString(t.m.Name), `</a></th><td class="num size">`, units.Params(t.size).Short(), `</td>`)
		best := -1
		for f := range matrixFormats {
			w(`<td class="num">`)
			for i, users := range matrixUsers {
				most := t.most(placed{count, f, users}, spec.Memory)
				w(t.cell(d, f, users, &most))
				if i == 0 && best < 0 && most.N >= speedContext {
					best = f
				}
			}
			w(`</td>`)
		}
		if best >= 0 {
			fit++
			runs = append(runs, run{t, best})
		}
		w("</tr>\n")
	}
	w(`</tbody></table></div>`)
	if len(runs) == 0 {
		w(`<p>None of these models fits with a context of `, units.Group(speedContext), ` tokens.</p>`)
		return b.String(), fit, nil
	}
	w(`<h2 id="speed">How fast it writes</h2><p>One user, `, units.Group(speedContext), ` tokens of context, in the first of the four formats that fits. `+
		`<b>Predicted</b> comes from measured runs of this device, or of devices like it: eight of ten runs lie in the band. <b>At best</b> is the bound. No program is faster, because each token reads every weight it uses.</p>`)
	w(`<div class="scroll" tabindex="0" role="group" aria-label="How fast it writes"><table class="holds"><caption>Tokens a second for one user</caption><thead><tr><th scope="col">Model</th><th scope="col">Format</th><th scope="col" class="num">Predicted</th><th scope="col" class="num">Band</th><th scope="col" class="num">At best</th></tr></thead><tbody>`)
	for _, x := range runs {
		r, err := e.answer("v=1&model=" + x.t.m.Slug + "&weights=" + matrixFormats[x.format].key + "&device=" + d.Slug + x.t.keys(count))
		if err != nil {
			return "", 0, err
		}
		w(`<tr><th scope="row"><a href="`, html.EscapeString("/?"+r.Query.String()), `">`, html.EscapeString(x.t.m.Name), `</a></th><td>`, matrixFormats[x.format].name, `</td>`)
		if a, ok := predict.Run(r, e.engines); ok && a.Decode != nil {
			w(`<td class="num"><b>`, perSecond(a.Decode.Likely), `</b></td><td class="num">`, perSecond(a.Decode.Low), ` to `, perSecond(a.Decode.High), `</td>`)
		} else {
			w(`<td class="num quiet" colspan="2">no measured runs of such a device</td>`)
		}
		best := ""
		if s := r.Running.Speed.Decode.Seconds; s > 0 {
			best = perSecond(1 / s)
		}
		w(`<td class="num">`, best, "</td></tr>\n")
	}
	w(`</tbody></table></div>`)
	return b.String(), fit, nil
}

// choice is a radio button of the matrix; it works without script.
func choice(name string, value int64, on bool, label string) string {
	checked := ""
	if on {
		checked = " checked"
	}
	return `<label><input type="radio" name="` + name + `" value="` + strconv.FormatInt(value, 10) + `"` + checked + `> ` + label + `</label>`
}

// figures are the sizes of a device in words.
func figures(s *device.Device) string {
	n := max(s.Count, 1)
	text := units.Bytes(s.Memory*n).GB() + " of memory"
	if s.Bandwidth > 0 {
		text += " · " + units.Bytes(s.Bandwidth*n).GB() + "/s"
	}
	if peak := s.Peak[device.BF16]; peak > 0 {
		text += " · " + units.FLOPs(float64(peak)*float64(n)).Short() + "/s in bf16"
	}
	if n > 1 {
		text = units.Group(n) + " accelerators · " + text
	}
	return text
}

// cell is what is in the matrix for a number of users.
func (t *tried) cell(d *catalogue.Device, format int, users int64, most *serve.Most) string {
	class, n := "u"+strconv.FormatInt(users, 10), most.N
	if n == 0 {
		return `<span class="` + class + ` l0" title="lacks ` + units.Group(most.Need[0]-d.Spec().Memory) + ` bytes on each accelerator">+` + units.Bytes(most.Need[0]-d.Spec().Memory).GB() + `</span>`
	}
	said, shown := units.Group(n)+" tokens fit", n
	if most.Any {
		said, shown = "any context fits", t.positions
	}
	if t.positions > 0 {
		said += " (trained for " + units.Group(t.positions) + ")"
		shown = min(shown, t.positions)
	}
	level := 1
	for _, at := range matrixContexts {
		if shown >= at {
			level++
		}
	}
	text := units.Group(shown)
	if t.positions > 0 && shown == t.positions {
		text += `<small> all</small>`
	}
	link := "/?v=1&model=" + t.m.Slug
	if shown > 0 {
		link += "&context=" + strconv.FormatInt(shown, 10)
	}
	if users > 1 {
		link += "&batch=" + strconv.FormatInt(users, 10)
	}
	link += "&weights=" + matrixFormats[format].key + "&device=" + d.Slug + t.keys(max(d.Spec().Count, 1))
	return `<a class="` + class + ` l` + strconv.Itoa(level) + `" href="` + html.EscapeString(link) + `" title="` + said + `">` + text + `</a>`
}

// keys are those of a layout that the calculator would not take by itself.
func (t *tried) keys(count int64) string {
	l, o := t.layout(count), serve.Obvious(t.described, count)
	if o.TP == l.TP && o.PP == l.PP && o.DP == l.DP {
		return ""
	}
	return "&tp=" + strconv.FormatInt(l.TP, 10) + "&pp=" + strconv.FormatInt(l.PP, 10)
}

// perSecond is a rate with as many digits as it deserves.
func perSecond(x float64) string {
	switch {
	case x >= 100:
		return units.Group(int64(x + 0.5))
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}
