package view

import (
	"llmsize/core/report"
	"llmsize/site/markup"
)

// Embed is the answer alone, for a frame on another site: nothing is asked there,
// and a link leads to where the question can be changed. It holds what the
// frame's script needs to answer another question about the same model.
func Embed(r *report.Report, o Options) string {
	var w markup.Writer
	w.Raw(`<div class="calc framed" data-embed`).Attr("data-query", r.Query.String()).Attr("data-name", r.Subject.Name).Attr("data-slug", r.Subject.Slug).Attr("data-all", o.AllFamilies).Raw(`>`)
	w.Raw(`<p class="problems" data-problems role="status"></p><div class="answer" id="answer">`)
	for _, x := range append([]Region{{"fit", fit}}, Regions()...) {
		switch x.ID {
		case "keys", "largest": // a question; a tab's first words
		case "parts":
			w.Raw(`<details class="all-parts"><summary>Every component and tensor</summary><div class="region parts" data-region="parts">`).Add(markup.Markup(x.HTML(r))).Raw(`</div></details>`)
		default:
			w.Raw(`<div class="region `).Text(x.ID).Raw(`" data-region="`).Text(x.ID).Raw(`">`).Add(markup.Markup(x.HTML(r))).Raw(`</div>`)
		}
	}
	w.Raw(`<p class="tools"><a data-open target="_blank" rel="noopener"`).Attr("href", "/?"+r.Query.String()).Raw(`>Change the question</a> <span class="quiet">in the calculator, which says where each number comes from</span></p></div>`)
	w.Raw(`<script type="text/plain" data-families>`).Add(safe(o.Families, false)).Raw(`</script>`)
	w.Raw(`<script type="application/json" data-config>`).Add(safe(r.Subject.Config.Lined(), true)).Raw(`</script></div>`)
	return w.String()
}
