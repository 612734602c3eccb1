package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// All are the regions of every lens: those of [Regions], the verdict, then running, FLOPs and
// training. They are for hosts that count with report.Answer.
func All() []Region { return append(Regions(), lensRegions()...) }

// AllLive are the same with [Live] in place of the drawings, as the page's larger programs write them.
func AllLive() []Region { return append(append(Live(), amounts()...), lensRegions()...) }

func lensRegions() []Region { return append(Verdicts(), Lenses()...) }

// Lenses are the regions beside parameters and bytes, in the order of their tabs.
func Lenses() []Region {
	return []Region{{"running", runningLens}, {"training", trainingLens}, {"compute", computeLens}}
}

// panels are the tabs behind the first screen: the section's id, which is the tab's address (#training), its name there,
// and its heading.
var panels = [...]struct{ id, tab, title string }{
	{"running", "Run", "Running it"},
	{"training", "Train", "Training it"},
	{"compute", "Compute", "What it computes"},
	{"tensors", "Tensors", "Every component and tensor"},
}

// tabs lead to the panels. Without script all of them are below each other.
func tabs(w *markup.Writer) {
	w.Raw(`<nav class="tabs" aria-label="Parts of the answer"><ul>`)
	for _, p := range panels {
		w.Raw(`<li><a href="#`).Text(p.id).Raw(`">`).Text(p.tab).Raw(`</a></li>`)
	}
	w.Raw(`</ul></nav>`)
}

// panel begins a panel's section.
func panel(w *markup.Writer, id string) {
	for _, p := range panels {
		if p.id == id {
			w.Raw(`<section class="lens" id="`).Text(id).Raw(`"><h2>`).Text(p.title).Raw(`</h2>`)
		}
	}
}

// lens is a lens's place in the answer: what is asked for it alone, its region, and questions worth asking there. lead writes
// what a tab about running begins with, first what is before the region.
func lens(w *markup.Writer, x Region, r *report.Report, presets []Preset, lead, first func()) {
	panel(w, x.ID)
	switch x.ID {
	case "running":
		lead()
		w.Raw(`<details class="more-usage"><summary>Drafting</summary><div class="pair">`)
		plainNumber(w, r, query.Draft, "Draft tokens")
		plainNumber(w, r, query.Accept, "Acceptance, %")
		w.Raw(`</div></details>`)
		speedInputs(w, r)
	case "training":
		trainingInputs(w, r)
	case "compute":
		w.Raw(`<details class="more-usage"><summary>What is counted</summary><div class="pair">`)
		choice(w, r, query.Attention, "Attention scores counted")
		plainNumber(w, r, query.Served, "Tokens served")
		w.Raw(`</div></details><div class="pair seen">`)
		textField(w, r, query.Image, "Picture, width × height")
		textField(w, r, query.Sound, "Sound, seconds")
		w.Raw(`</div>`)
	}
	first()
	w.Raw(`<div class="region `).Text(x.ID).Raw(`" data-region="`).Text(x.ID).Raw(`">`).Add(markup.Markup(x.HTML(r))).Raw(`</div>`)
	places(w, x.ID)
	var asked markup.Writer
	for _, p := range presets {
		if p.Lens != x.ID {
			continue
		}
		if asked.Len() > 0 {
			asked.Raw(` · `)
		}
		asked.Raw(`<a`).Attr("href", p.Path).Raw(`>`).Text(p.Title).Raw(`</a>`)
	}
	if asked.Len() > 0 {
		w.Raw(`<p class="source">For example: `).Add(asked.Markup()).Raw(`</p>`)
	}
	w.Raw(`</section>`)
}

// speedInputs are the parts of the question that only predicted speeds read.
func speedInputs(w *markup.Writer, r *report.Report) {
	w.Raw(`<details class="more-usage"><summary>Engine, users, promise, host</summary><div class="pair">`)
	textField(w, r, query.Engine, "Engine")
	plainNumber(w, r, query.Users, "Users")
	plainNumber(w, r, query.Output, "Tokens per answer")
	plainNumber(w, r, query.FirstWithin, "First token within, ms")
	textField(w, r, query.EachWithin, "Each later one within, ms")
	textField(w, r, query.Price, "Price per hour")
	textField(w, r, query.Measured, "Your tokens/s")
	plainNumber(w, r, query.OnDevice, "Layers on GPU (-ngl)")
	plainNumber(w, r, query.ExpertsOnHost, "Experts on host (-ncmoe)")
	plainNumber(w, r, query.HostBandwidth, "Host bandwidth, bytes/s")
	w.Raw(`</div></details>`)
}

// trainingInputs are the parts of the question that only training reads.
func trainingInputs(w *markup.Writer, r *report.Report) {
	w.Raw(`<div class="pair">`)
	textField(w, r, query.Tokens, "Training tokens")
	plainNumber(w, r, query.GlobalBatch, "Global batch")
	plainNumber(w, r, query.MicroBatch, "Micro-batch")
	plainNumber(w, r, query.Seq, "Sequence length")
	choice(w, r, query.Zero, "ZeRO stage")
	choice(w, r, query.Recompute, "Recomputation")
	w.Raw(`</div><details class="more-usage"><summary>Recipe, LoRA, budget</summary><div class="pair">`)
	choice(w, r, query.Program, "Training program")
	choice(w, r, query.Optimizer, "Optimizer")
	choice(w, r, query.Precision, "Precision")
	choice(w, r, query.Loss, "Loss")
	choice(w, r, query.OptimizerKernel, "Optimizer kernel")
	choice(w, r, query.Method, "Method")
	choice(w, r, query.Flash, "Flash attention")
	choice(w, r, query.Kernels, "Kernels")
	choice(w, r, query.Offload, "Offload to CPU")
	plainNumber(w, r, query.LoRARank, "LoRA rank")
	textField(w, r, query.LoRATargets, "LoRA targets")
	plainNumber(w, r, query.MFU, "MFU, percent")
	plainNumber(w, r, query.Rate, "Measured tokens/s")
	plainNumber(w, r, query.Days, "Budget, days")
	w.Raw(`</div></details>`)
}

// layoutInputs say how the model is divided.
func layoutInputs(w *markup.Writer, r *report.Report) {
	plainNumber(w, r, query.TP, "Tensor parallel")
	plainNumber(w, r, query.PP, "Pipeline parallel")
	plainNumber(w, r, query.EP, "Expert parallel")
	plainNumber(w, r, query.DP, "Data parallel")
	plainNumber(w, r, query.CP, "Context parallel")
	plainNumber(w, r, query.VP, "Virtual stages")
	choice(w, r, query.SP, "Sequence parallel")
	choice(w, r, query.Schedule, "Pipeline schedule")
}

// textField is a value that is more than a number.
func textField(w *markup.Writer, r *report.Report, p query.Param, label string) {
	in := query.About(p)
	labelled(w, p, label).Raw(`<input type="text" spellcheck="false" name="`).Text(in.Name).Raw(`" data-default="`).Text(in.Default).Raw(`"`).Attr("value", r.Query.Get(p)).Raw(`></label></div>`)
}

// published are the names in links (#at=) of figures that had another label when the first links were given out, and of
// those whose fields (image, seconds) are shown where the figures are.
var published = map[string]string{
	"By the sum of its parts":               "fits",
	"Picture":                               "picture",
	"Sound":                                 "sound",
	"Batch where compute becomes the limit": "critical-batch",
	"Best precision that fits":              "largest-format-that-fits",
	"Longest context":                       "longest-context-that-fits",
	"Network traffic per step":              "as-asked-a-step-sends",
	"Next token, with draft tokens":         "next-token-with-guesses",
	"Per GPU (worst case)":                  "on-the-fullest-device",
	"Sum of its parts":                      "on-the-fullest-device",
}

// figure is one answer that opens: its name, what it is about, the short reading; f writes what it opens to.
func figure(w *markup.Writer, name, about, reading string, f func()) {
	w.Raw(`<details class="open"><summary><span class="label"`)
	if at := published[name]; at != "" {
		w.Raw(` data-at="`).Text(at).Raw(`"`)
	}
	w.Raw(`>`).Text(name).Raw(` <span class="quiet">`).Text(about).Raw(`</span></span> <b>`).Text(reading).Raw(`</b></summary>`)
	f()
	w.Raw(`</details>`)
}

// flopLine is a derivation whose result is a number of FLOPs.
func flopLine(w *markup.Writer, formula markup.Markup, values string, sum units.FLOPs) {
	result(w, formula, values, sum.String())
}

// result is a derivation: symbols, values, what comes out in words.
func result(w *markup.Writer, formula markup.Markup, values, sum string) {
	w.Raw(`<p class="formula-line"><span class="symbols">`).Add(formula).Raw(`</span> <span class="values">= `).Text(values).Raw(`</span> <span class="sum">= <b>`).Text(sum).Raw(`</b></span></p>`)
}
