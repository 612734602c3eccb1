package answers

// chosen are the two models that the form names before somebody chooses.
var chosen = [...]struct{ name, label, slug string }{
	{"model", "Compare", "llama-3.1-8b"},
	{"vs", "with", "qwen3-8b"},
}

// choose is a form for two models of the catalogue. What it sends is a link to the calculator with both, so it needs no
// script of its own.
func (r *Reference) choose() string {
	var p page
	p.raw(`<form class="tools" action="/"><input type="hidden" name="v" value="1">`)
	for _, side := range chosen {
		p.raw(`<label>`, side.label, ` <select name="`, side.name, `">`)
		for i := range r.Catalogue.Models {
			m := &r.Catalogue.Models[i]
			p.raw(`<option value="`).text(m.Slug).raw(`"`)
			if m.Slug == side.slug {
				p.raw(` selected`)
			}
			p.raw(`>`).text(m.Name).raw(`</option>`)
		}
		p.raw(`</select></label> `)
	}
	return p.raw(`<button type="submit">Compare</button></form>`).String()
}
