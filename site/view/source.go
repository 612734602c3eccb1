package view

import (
	"llmsize/core/checkpoint"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// files are fields for what a reader has on disk: a config, or files of a checkpoint. A model's name, an id of the hub and
// its address go into the field of the model.
func files(w *markup.Writer) {
	w.Raw(`<div class="field" data-field="file"><label><span>Choose a config.json, or safetensors or GGUF files</span> <input type="file" name="file" multiple accept=".json,.safetensors,.gguf,.bin,.pt,.pth"></label></div>`)
	w.Raw(`<div class="field" data-field="folder"><label><span>Choose a folder with them</span> <input type="file" name="folder"></label></div>`)
	w.Raw(`<p class="quiet">Files are read here, in slices: headers alone, never weights. Nothing of them leaves your browser. A link carries a config behind the #, which is sent to no server. For a model of the hub, write its id or address as the model: Qwen/Qwen3-8B.</p>`)
}

// findings is where stands what the files of a model hold, once a reader has asked.
func findings(w *markup.Writer) {
	w.Raw(`<section data-checkpoint aria-label="What the files hold" hidden></section>`)
}

// hub says where the hub is, when the site was built for another.
func hub(w *markup.Writer, o Options) {
	if o.Hub != "" {
		w.Attr("data-hub", o.Hub)
	}
}

// repository is the fact of what the model's published files hold, with each reason why it is not what the class builds: the
// number that model pages and the hub's counter show.
func repository(w *markup.Writer, r *report.Report) {
	x := r.Parameters.Repository
	if x == nil || x.Total == r.Parameters.Total {
		return
	}
	w.Raw(`<div class="published"><dt>In the published files</dt><dd><b>`).Text(x.Total.Short()).Raw(`</b> <span class="quiet">`).Text(x.Total.String()).Raw(`: the model`)
	if n := r.Parameters.Buffers - x.Missing; n > 0 {
		w.Raw(`, `).Text(units.Group(int64(n))).Raw(` in buffers`)
	}
	for _, t := range x.Terms {
		w.Raw(`, `).Text(t.Parameters.Short()).Raw(` `).Text(checkpoint.ReasonWords(t.Reason))
	}
	w.Raw(`</span> <a href="/why-is-my-number-different/#files" data-more="mine">Why?</a></dd></div>`)
}
