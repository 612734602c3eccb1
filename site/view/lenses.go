package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// All are the regions of every lens: those of [Regions], then running, FLOPs and
// training. They are for hosts that count with report.Answer.
func All() []Region {
	return append(append(Regions(), Lenses()...), Charts()...)
}

// Lenses are the regions beside parameters and bytes.
func Lenses() []Region {
	return []Region{{"running", runningLens}, {"compute", computeLens}, {"training", trainingLens}}
}

// lensTitles head the lenses, in the order of [Lenses].
var lensTitles = []string{"Inference", "FLOPs", "Training"}

// lens is a lens's place in the answer: its region under a heading that names the question, and
// questions worth asking there.
func lens(w *markup.Writer, id, title, html string, presets []Preset) {
	w.Raw(`<section class="lens" id="`, id, `"><h2>`, title, `</h2>`)
	sep := `<p class="source">For example: `
	for _, p := range presets {
		if p.Lens == id {
			w.Raw(sep, `<a`).Attr("href", p.Path).Raw(`>`).Text(p.Title).Raw(`</a>`)
			sep = ` · `
		}
	}
	if sep == ` · ` {
		w.Raw(`</p>`)
	}
	w.Raw(`<div class="region `, id, `" data-region="`, id, `">`, html, `</div>`)
	places(w, id)
	w.Raw(`</section>`)
}

// lensInputs are the parts of the question that only the other lenses read.
func lensInputs(w *markup.Writer, r *report.Report) {
	w.Raw(`<details class="more-usage"><summary>Training</summary><div class="pair">`)
	plainNumber(w, r, query.Seq, "Sequence length")
	plainNumber(w, r, query.MicroBatch, "Micro-batch")
	plainNumber(w, r, query.GlobalBatch, "Global batch")
	w.Raw(`</div><div class="pair">`)
	choice(w, r, query.Optimizer, "Optimizer")
	choice(w, r, query.Precision, "Precision")
	w.Raw(`</div><div class="pair">`)
	choice(w, r, query.Zero, "ZeRO stage")
	choice(w, r, query.Recompute, "Recomputation")
	choice(w, r, query.Flash, "Flash attention")
	w.Raw(`</div><div class="pair">`)
	choice(w, r, query.Kernels, "Kernels")
	choice(w, r, query.Offload, "Offload to CPU")
	textField(w, r, query.Tokens, "Training tokens")
	w.Raw(`</div>`)
	choice(w, r, query.Attention, "Attention scores counted")
	w.Raw(`<div class="pair">`)
	plainNumber(w, r, query.MFU, "MFU, percent")
	plainNumber(w, r, query.Rate, "Measured tokens/s")
	w.Raw(`</div><div class="pair">`)
	plainNumber(w, r, query.Days, "Budget, days")
	plainNumber(w, r, query.Served, "Tokens served")
	w.Raw(`</div><div class="pair">`)
	plainNumber(w, r, query.LoRARank, "LoRA rank")
	textField(w, r, query.LoRATargets, "LoRA targets")
	w.Raw(`</div></details><details class="more-usage"><summary>Devices</summary><div class="field" data-field="device"><label><span>Device</span> `)
	slug := r.Query.Get(query.Device)
	name := slug
	if d := r.Subject.Device; d != nil {
		name = d.Name
	}
	pick(w, query.Device, "devices", slug, name)
	w.Raw(`</label></div><div class="pair">`)
	plainNumber(w, r, query.Devices, "How many")
	plainNumber(w, r, query.DP, "Data parallel")
	w.Raw(`</div><div class="pair">`)
	plainNumber(w, r, query.TP, "Tensor parallel")
	plainNumber(w, r, query.PP, "Pipeline parallel")
	plainNumber(w, r, query.EP, "Expert parallel")
	w.Raw(`</div><div class="pair">`)
	plainNumber(w, r, query.CP, "Context parallel")
	plainNumber(w, r, query.VP, "Virtual stages")
	choice(w, r, query.SP, "Sequence parallel")
	w.Raw(`</div><div class="pair">`)
	plainNumber(w, r, query.Draft, "Draft tokens")
	plainNumber(w, r, query.Accept, "Acceptance, %")
	w.Raw(`</div></details>`)
}

// textField is a value that is more than a number.
func textField(w *markup.Writer, r *report.Report, p query.Param, label string) {
	in := query.About(p)
	labelled(w, p, label).Raw(`<input type="text" spellcheck="false" name="`, in.Name, `" data-default="`, in.Default, `"`).Attr("value", r.Query.Get(p)).Raw(`></label></div>`)
}

// published are the names in links (#at=) of figures that had another label when the first links were given out.
var published = map[string]string{
	"Batch where compute becomes the limit": "critical-batch",
	"Best precision that fits":              "largest-format-that-fits",
	"Longest context":                       "longest-context-that-fits",
	"Network traffic per step":              "as-asked-a-step-sends",
	"Next token, with draft tokens":         "next-token-with-guesses",
	"Per GPU (worst case)":                  "on-the-fullest-device",
}

// figure is one answer that opens: its name, what it is about, the short reading; f writes what it opens to.
func figure(w *markup.Writer, name, about, reading string, f func()) {
	w.Raw(`<details class="open"><summary><span class="label"`)
	if at := published[name]; at != "" {
		w.Raw(` data-at="`, at, `"`)
	}
	w.Raw(`>`, name, ` <span class="quiet">`).Text(about).Raw(`</span></span> <b>`).Text(reading).Raw(`</b></summary>`)
	f()
	w.Raw(`</details>`)
}

// flopLine is a derivation whose result is a number of FLOPs.
func flopLine(w *markup.Writer, formula, values string, sum units.FLOPs) {
	result(w, formula, values, sum.String())
}

// result is a derivation: symbols, values, what comes out in words.
func result(w *markup.Writer, formula, values, sum string) {
	w.Raw(`<p class="formula-line"><span class="symbols">`, formula, `</span> <span class="values">= `).Text(values).Raw(`</span> <span class="sum">= <b>`).Text(sum).Raw(`</b></span></p>`)
}
