package main

import (
	"llmsize/core/config"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/view"
	"llmsize/wasm/program"
)

// other is what the second side of a comparison is about, as the page told it last.
// A config without a slug was pasted; a device alone stands for the subject of the question.
var other struct{ name, slug, config, device string }

func tell(name, slug, config, device string) {
	other.name, other.slug, other.config, other.device = name, slug, config, device
}

// compare writes the comparison. A model whose config the page has not told yet has
// no second side: the page loads it and asks again.
func compare(r *report.Report) string {
	r.Query.VsPasted = other.slug == "" && other.config != ""
	_, ok := r.Query.Second()
	if !ok || r.Query.Has(query.Versus) && other.config == "" {
		return view.Compare(r, nil)
	}
	s := r.Subject
	if other.config != "" {
		cfg, err := config.ParseObject(other.config)
		if err != nil {
			return view.Compare(r, err)
		}
		s = report.Subject{Name: other.name, Slug: other.slug, Config: cfg}
	}
	s.Device = nil
	if other.device != "" {
		d, err := program.ReadDevice(other.device)
		if err != nil {
			return view.Compare(r, err)
		}
		s.Device = d
	}
	return view.Compare(r, r.CompareWith(s))
}

// regions are those of every lens, and what is asked about an answer as a whole:
// differences, and which layouts would do.
func regions() []view.Region {
	return append(view.All(), view.Region{ID: "layouts", HTML: view.Layouts}, view.Region{ID: "compare", HTML: compare}, view.Region{ID: "mine", HTML: view.Mine})
}
