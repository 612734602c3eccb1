package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// Options are what a calculator needs beside its first answer.
type Options struct {
	// Whole is for a page of its own: with a picker of models and every lens. Without
	// it the calculator stays at its model, as an example in a chapter does.
	Whole bool
	// Families is the bundle of family files for this model (family.Library.Pack over
	// Library.Closure); AllFamilies the address of the bundle of all of them.
	Families, AllFamilies string
	// Presets are questions that the lenses offer.
	Presets []Preset
	// Token is what is predicted of a token's time (package speed); empty where nothing is.
	Token string
	// Hub is where models of the hub are asked for; empty for the hub itself.
	Hub string
	// Address is where the canonical link begins: "https://example.org".
	Address string
}

// Preset is a question worth asking, as a lens offers it.
type Preset struct{ Lens, Path, Title string }

// Calculator is the whole: the question, its answer, and what the page's script
// needs to ask again. It is complete before any script runs.
func Calculator(r *report.Report, o Options) string {
	var w markup.Writer
	class := "calc"
	if !o.Whole {
		class += " embedded"
	}
	w.Raw(`<div class="`).Text(class).Raw(`" data-calculator`).Attr("data-query", r.Query.String()).Attr("data-name", r.Subject.Name).Attr("data-slug", r.Subject.Slug).Attr("data-all", o.AllFamilies)
	hub(&w, o)
	w.Raw(">")
	regions := append(Regions(), Verdicts()...)
	region := func(id string) {
		for _, x := range regions {
			if x.ID == "brief" {
				x.HTML = func(r *report.Report) string { return briefWith(r, o.Token) }
			}
			if x.ID == id {
				w.Raw(`<div class="region `).Text(id).Raw(`" data-region="`).Text(id).Raw(`">`).Add(markup.Markup(x.HTML(r))).Raw(`</div>`)
			}
		}
	}
	w.Raw(`<form class="question" aria-label="Question" autocomplete="off"><p class="problems" data-problems role="status"></p>`)
	if o.Whole {
		sentence(&w, r)
	} else {
		region("keys")
		usage(&w, r)
	}
	w.Raw(`</form><div class="answer" id="answer">`)
	if o.Whole {
		w.Raw(`<noscript><p class="note">Without script this is the answer for <a`).Attr("href", "/models/"+r.Subject.Slug+"/").Raw(`>`).Text(r.Subject.Name).Raw(`</a>, whatever the link asks. <a href="/models/">Every model of the catalogue</a> has a page with its own answer.</p></noscript>`)
		region("fit")
		w.Raw(`<div class="facts-of">`)
		region("count")
		region("brief")
		w.Raw(`</div>`)
		findings(&w)
		w.Raw(`<div class="blueprint"><p class="changes" role="status"></p>`)
		region("wide")
		region("narrow")
		w.Raw(`<p class="readout"></p>`)
		region("bar")
		w.Raw(`</div><section class="shapes" aria-labelledby="shapes"><h2 id="shapes">Change the model</h2>`)
		region("keys")
		addKey(&w)
		w.Raw(`</section><div class="tools"><button type="button" data-more="compare">Compare with another model</button> <button type="button" data-more="mine">Why is my number different?</button></div>`)
		tabs(&w)
		for _, x := range Lenses() {
			lens(&w, x, r, o.Presets, func() { region("opening") }, func() {
				switch x.ID {
				case "running":
					region("bytes")
				case "training":
					region("outset")
					leading(&w, r)
				}
			})
		}
		panel(&w, "tensors")
		region("largest")
		region("parts")
		copies(&w)
		places(&w, "parts")
		w.Raw(`</section>`)
	} else {
		w.Raw(`<div class="tools"><button type="button" data-copy="link">Copy link</button> <button type="button" data-copy="number">Copy number</button> <a data-open`).Attr("href", "/?"+r.Query.String()).Raw(`>Open in the calculator</a>`, said, `</div>`)
		for _, id := range [...]string{"count", "wide", "narrow", "bar", "bytes", "parts"} {
			region(id)
		}
		copies(&w)
	}
	link := o.Address + "/?" + r.Query.String()
	w.Raw(`<p class="print-link">This answer: <span data-link>`).Text(link).Raw(`</span></p></div>`)
	if o.Whole {
		region("slim")
	}
	w.Raw(`<p class="vh" aria-live="polite" data-say></p>`)
	// Data for the script; the content policy lets nothing of it run.
	w.Raw(`<script type="text/plain" data-families>`).Add(safe(o.Families, false)).Raw(`</script>`)
	w.Raw(`<script type="application/json" data-config>`).Add(safe(r.Subject.Config.Lined(), true)).Raw(`</script></div>`)
	return w.String()
}

// safe keeps data from ending the script element that it stands in. A family
// file compares with "<" and holds no tag; a config is anybody's text, and in its
// JSON every "<" may be written as an escape.
func safe(s string, json bool) markup.Markup {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '<' && (json || i+1 < len(s) && (s[i+1] == '/' || s[i+1] == '!' || s[i+1] == 's' || s[i+1] == 'S')) {
			out = append(out, `\u003c`...)
			continue
		}
		out = append(out, s[i])
	}
	return markup.Markup(out)
}

// said is where a button says what came of it.
const said = ` <span class="said" data-said role="status"></span>`

// copies takes the table of components along.
func copies(w *markup.Writer) {
	w.Raw(`<div class="tools"><button type="button" data-copy="markdown">Copy table as Markdown</button> <button type="button" data-copy="csv">Copy table as CSV</button> <button type="button" data-json>Copy table as JSON</button>`, said, `</div>`)
}

// sentence is the question as a sentence of controls: a model in a format, at a context, on devices. The script brings
// the lists of models and devices when somebody begins to choose.
func sentence(w *markup.Writer, r *report.Report) {
	w.Raw(`<div class="sentence"><div class="field model" data-field="model">`)
	pick(w.Raw(`<label><span>Model</span> `), query.Model, "models", r.Subject.Slug, r.Subject.Name)
	w.Raw(`</label></div><i>in</i>`)
	choice(w, r, query.Weights, "Weights")
	w.Raw(`<i>at</i>`)
	plainNumber(w, r, query.Context, "Context")
	w.Raw(`<i>×</i>`)
	plainNumber(w, r, query.Batch, "Sequences")
	w.Raw(`<i>on</i>`)
	plainNumber(w, r, query.Devices, "How many")
	w.Raw(`<i>×</i><div class="field" data-field="device"><label><span>Device</span> `)
	slug := r.Query.Get(query.Device)
	name := slug
	if d := r.Subject.Device; d != nil {
		name = d.Name
	}
	pick(w, query.Device, "devices", slug, name)
	w.Raw(`</label></div><div class="acts"><details class="other" name="sheet" data-other><summary>Your own config or files</summary><div class="sheet">`)
	w.Raw(`<div class="field" data-field="config"><label><span>Paste a config.json here, or drop files or a folder on the page</span> <textarea name="config" rows="5" spellcheck="false"></textarea></label></div>`)
	files(w)
	w.Raw(`</div></details>`)
	w.Raw(`<details class="share" name="sheet" data-share><summary>Share</summary><div class="sheet tools"><button type="button" data-copy="link">Copy link</button> <button type="button" data-copy="number">Copy number</button>`, said, `</div></details></div></div>`)
	chips(w)
	formats(w, r)
	w.Raw(`<a class="more-usage" href="#training">Train it</a><details class="more-usage"><summary>Cache, layout, units</summary><div class="pair">`)
	choice(w, r, query.KV, "KV cache")
	choice(w, r, query.KVPolicy, "Cache layout")
	choice(w, r, query.Units, "Units")
	plainNumber(w, r, query.Prompt, "Encoder tokens or prompt")
	plainNumber(w, r, query.Chunk, "Tokens processed at once")
	layoutInputs(w, r)
	w.Raw(`</div></details><details class="more-usage" data-own><summary>Unlisted device</summary><div class="pair">`)
	amountOf(w, r, query.Memory, "Memory", "B")
	amountOf(w, r, query.Bandwidth, "Bandwidth", "B/s")
	amountOf(w, r, query.Peak, "Peak at 16 bits", "FLOP/s")
	w.Raw(`</div><p class="quiet">In GB, GB/s and TFLOP/s. Memory or bandwidth left empty is the listed device’s.</p></details>`)
}

// pick is a field that names a model or a device: list says of what. It shows a name that people read; the script knows
// by the slug which it is, and brings the list when somebody comes to the field.
func pick(w *markup.Writer, p query.Param, list, slug, name string) {
	in := query.About(p)
	w.Raw(`<input type="text" name="`).Text(in.Name).Raw(`" role="combobox" aria-expanded="false" aria-autocomplete="list" autocomplete="off" spellcheck="false" data-picks="`).Text(list).Raw(`"`)
	if p != query.Model {
		w.Raw(` data-default="`).Text(in.Default).Raw(`"`)
	}
	w.Attr("data-slug", slug).Attr("value", name)
	if p == query.Model {
		w.Raw(` placeholder="your own config"`) // which has no name
	}
	w.Raw(`>`)
}

// addKey sets a config key that no field sets.
func addKey(w *markup.Writer) {
	w.Raw(`<details class="add-key"><summary>Override a config key</summary><div class="pair" data-field="add"><label><span>Key</span> <input type="text" name="add-key" spellcheck="false"></label><label><span>Value</span> <input type="text" name="add-value" spellcheck="false"></label><button type="button" data-add>Set</button></div></details>`)
}

// usage asks how the model is used.
func usage(w *markup.Writer, r *report.Report) {
	w.Raw(`<div class="usage">`)
	amount(w, r, query.Context, "s", 7, 20)
	amount(w, r, query.Batch, "b", 0, 10)
	w.Raw(`<div class="pair">`)
	choice(w, r, query.Weights, "Weights")
	choice(w, r, query.KV, "KV cache")
	choice(w, r, query.Units, "Units")
	w.Raw(`</div><details class="more-usage"><summary>More about the KV cache</summary>`)
	choice(w, r, query.KVPolicy, "Cache layout")
	plainNumber(w, r, query.Chunk, "Tokens processed at once")
	plainNumber(w, r, query.Prompt, "Encoder tokens or prompt")
	w.Raw(`</details></div>`)
}

// labelled begins the field of a part of the question: its control comes next, then the ends of label and field. What its key
// means the script says on use (help.js).
func labelled(w *markup.Writer, p query.Param, label string) *markup.Writer {
	return w.Raw(`<div class="field" data-field="`).Text(query.About(p).Name).Raw(`"><label><span>`).Text(label).Raw(`</span> `)
}

// plainNumber is a number without a slider. One that follows another until it is set is empty.
func plainNumber(w *markup.Writer, r *report.Report, p query.Param, label string) {
	in := query.About(p)
	value := ""
	if in.Default != "" || r.Query.Has(p) {
		value = units.Group(r.Query.Int(p))
	}
	labelled(w, p, label).Raw(`<input type="text" inputmode="numeric" name="`).Text(in.Name).Raw(`" data-default="`).Text(in.Default).Raw(`"`).Text(typedAs(p)).Attr("value", value).Raw(`></label></div>`)
}

// amountOf is an amount with its unit, which the script reads in both ways ("24 GB").
func amountOf(w *markup.Writer, r *report.Report, p query.Param, label, unit string) {
	value := ""
	if r.Query.Has(p) {
		value = units.Group(r.Query.Int(p))
	}
	labelled(w, p, label).Raw(`<input type="text" autocomplete="off" name="`).Text(query.About(p).Name).Raw(`" data-default="" data-amount="`).Text(unit).Raw(`"`).Attr("value", value).Raw(`></label></div>`)
}

// typedAs marks the field of a length, of which a person's "32k" is 32,768 ([query.Query.PutTyped]).
func typedAs(p query.Param) string {
	if p.Length() {
		return " data-binary"
	}
	return ""
}

// amount is a number with a slider over powers of two beside it.
func amount(w *markup.Writer, r *report.Report, p query.Param, s string, from, to int) {
	in := query.About(p)
	l := bySign(s)
	w.Raw(`<div class="field amount" data-field="`).Text(in.Name).Raw(`"><label>`).Add(l.html()).Raw(` <span>`).Text(l.words).Raw(` <span class="quiet">`).Text(amountUnit(p)).Raw(`</span></span> <input type="text" inputmode="numeric" name="`).Text(in.Name).Raw(`" data-default="`).Text(in.Default).Raw(`"`).Text(typedAs(p))
	w.Attr("value", units.Group(r.Query.Int(p))).Raw(`></label><input type="range" aria-label="`).Text(l.words).Raw(`, in powers of two" data-for="`).Text(in.Name).Raw(`" min="`).Int(int64(from)).Raw(`" max="`).Int(int64(to)).Raw(`" value="`).Int(log2(r.Query.Int(p))).Raw(`">`)
	if p == query.Context {
		chips(w)
	}
	w.Raw(`</div>`)
}

// chips are lengths of the context that people ask for, and the longest that fits, which only the lenses know.
func chips(w *markup.Writer) {
	w.Raw(`<p class="chips" role="group" aria-label="Context">`)
	for k := int64(4); k <= 128; k *= 2 {
		w.Raw(`<button type="button" data-chip="`).Int(k << 10).Raw(`">`).Int(k).Raw(`k</button> `)
	}
	w.Raw(`<button type="button" data-chip="most">most that fits</button></p>`)
}

// formats are those that people run: what a narrow screen has in place of the long list.
func formats(w *markup.Writer, r *report.Report) {
	w.Raw(`<p class="chips formats" role="group" aria-label="Weights">`)
	for _, f := range [...]string{"auto", "bf16", "fp8", "q8_0", "q4_k_m"} {
		pressed := "false"
		if r.Query.Get(query.Weights) == f {
			pressed = "true"
		}
		name := formatName(f)
		if f == "auto" {
			name = words(query.Weights, f)
		}
		w.Raw(`<button type="button" aria-pressed="`).Text(pressed).Raw(`" data-apply="weights=`).Text(f).Raw(`">`).Text(name).Raw(`</button> `)
	}
	w.Raw(`</p>`)
}

func amountUnit(p query.Param) string {
	if p == query.Context {
		return "tokens each"
	}
	return "at once"
}

// log2 is the nearest whole power of two from below.
func log2(n int64) int64 {
	k := int64(0)
	for n > 1 {
		n >>= 1
		k++
	}
	return k
}

// choice is a parameter with a list of values.
func choice(w *markup.Writer, r *report.Report, p query.Param, label string) {
	in := query.About(p)
	labelled(w, p, label).Raw(`<select name="`).Text(in.Name).Raw(`" data-default="`).Text(in.Default).Raw(`">`)
	for _, a := range in.Allowed {
		w.Raw(`<option`)
		if a == r.Query.Get(p) {
			w.Raw(" selected")
		}
		if words(p, a) != a { // else the text is the value
			w.Attr("value", a)
		}
		w.Raw(">").Text(words(p, a))
		if p == query.Weights && a == "auto" {
			w.Text(Published(r))
		}
		w.Raw("</option>")
	}
	w.Raw("</select></label></div>")
}

// Published is what follows "as published": the format in brackets, where it is known without reading the recipe.
func Published(r *report.Report) string {
	if f := r.Published(); f != "" {
		return " (" + f + ")"
	}
	return ""
}

// policyWords says who a cache policy is.
func policyWords(value string) string {
	switch value {
	case "minimum":
		return "minimum"
	case "paged":
		return "vLLM: paged"
	}
	return value
}

// words is a choice as the page shows it.
func words(p query.Param, value string) string {
	switch {
	case p == query.Units && value == "gb":
		return "GB"
	case p == query.Units:
		return "GiB"
	case value == "auto":
		return "as published"
	case p == query.KVPolicy:
		return policyWords(value)
	}
	return value
}
