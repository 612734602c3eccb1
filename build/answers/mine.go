package answers

import "llmsize/site/markup"

// mine asks for a number that a reader has, and leads to the calculator, which looks for the rule behind it. It is a
// plain form: it needs no script on the page that shows it. The models that people ask about most can be chosen; the calculator has
// the others.
//
//	kind=mine
func (e *Engine) mine() string {
	var w markup.Writer
	w.Raw(`<form class="mine" action="/" method="get"><input type="hidden" name="v" value="1"><label>Model <select name="model">`)
	offer := func(slug string) {
		if m, ok := e.catalogue.Find(slug); ok {
			w.Raw(`<option`).Attr("value", slug).Raw(`>`).Text(m.Name).Raw(`</option>`)
		}
	}
	for _, slug := range e.popular.Models {
		offer(slug)
	}
	return w.Raw(`</select></label> <label>Your number <input type="text" name="mine" required pattern="\S+" title="a number without spaces, such as 7.505b or 16GB" placeholder="7.505b" size="14"></label> <button type="submit">Explain it</button></form>`).String()
}
