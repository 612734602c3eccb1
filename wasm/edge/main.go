// Command edge is the program that the host's edge functions ask what a shared link
// answers (edge/functions). It counts in every lens, as lenses does, but instead of the page it
// writes a description, and paints the answer's card. No page loads it. Package program says how it is driven;
// beside what it says there is
//
//	put(JSON.stringify({query})); const at = x.canonical()
//
// which returns the canonical form of a query without counting anything ("" for one of another version), and
//
//	put(kit); put(JSON.stringify({site, maker, beside})); const at = x.card()
//
// which paints the card of the last answer with a kit (package card): on it stand the site's name, the
// model's maker, and what the model is compared with, if anything. The result, of x.length() bytes, is a byte with the number of colours less one, three
// bytes for each colour, and the picture's rows as PNG packs them; 0 bytes when the kit cannot be read.
package main

import (
	"unsafe"

	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/work"
	"llmsize/site/card"
	"llmsize/site/view"
	"llmsize/wasm/program"
)

func init() {
	program.Answer, program.Regions, program.Device = answer, regions, program.ReadDevice
	program.Steps = work.Edge // the models of the catalogue take two fifths of it at most (TestSteps)
}

// answered is the last answer, and drawn its card, once somebody has asked for it.
var (
	answered *report.Report
	drawn    *card.Card
)

// answer counts what the description says: an edge function has few milliseconds.
func answer(q query.Query, s report.Subject, lib *family.Library) (*report.Report, *fault.Error) {
	r, err := count(q, s, lib)
	answered, drawn = r, nil
	return r, err
}

func count(q query.Query, s report.Subject, lib *family.Library) (*report.Report, *fault.Error) {
	if view.DescribedBySizes(&q) {
		return report.Briefly(q, s, lib)
	}
	return report.Answer(q, s, lib)
}

// regions are what an answer is asked for beside its title.
func regions() []view.Region {
	return []view.Region{{ID: "headline", HTML: view.Headline}, {ID: "described", HTML: view.Described}, {ID: "alt", HTML: alt},
		{ID: "vs", HTML: func(r *report.Report) string { return r.Query.Get(query.Versus) }},
		{ID: "beside", HTML: func(r *report.Report) string { return view.Beside(&r.Query) }}}
}

//go:wasmexport canonical
func canonical() unsafe.Pointer {
	q, _, err := query.Parse(program.Message().Get("query").Text)
	if err != nil {
		return program.Give("")
	}
	return program.Give(q.String())
}

// alt says in words what the answer's card shows.
func alt(r *report.Report) string { return cardOf(r).Alt() }

// cardOf is the card of the last answer.
func cardOf(r *report.Report) *card.Card {
	if drawn == nil {
		c := card.Brief(r)
		drawn = &c
	}
	return drawn
}

//go:wasmexport card
func paint() unsafe.Pointer {
	kit, ok := card.ReadKit(program.First())
	given := program.Message()
	if !ok || answered == nil {
		return program.Give("")
	}
	c := *cardOf(answered)
	c.Site, c.Kicker = given.Get("site").Text, given.Get("maker").Text
	if beside := given.Get("beside").Text; beside != "" {
		if c.Told != "" {
			c.Told += ", "
		}
		c.Told += "beside " + beside
	}
	p := card.Paint(&c, kit)
	out := make([]byte, 0, 1+3*len(p.Colours)+len(p.Rows))
	out = append(out, uint8(len(p.Colours)-1))
	for _, rgb := range p.Colours {
		out = append(out, rgb.R, rgb.G, rgb.B)
	}
	return program.Give(string(append(out, p.Rows...)))
}

func main() { program.Wait() }
