package program

import (
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/view"
)

// Calc makes this the program that is loaded with a page: parameters, and nothing about memory, devices or time.
func Calc() { Answer, Regions, Device, Other = report.Count, view.Live, nil, nil }

// Lenses makes this the program that answers in every lens.
func Lenses() { Answer, Regions, Device, Other = report.Answer, view.AllLive, ReadDevice, nil }

// Explain makes this the program that also compares and finds rules of thumb.
func Explain() { Answer, Regions, Device, Other = explained, explainedRegions, ReadDevice, tell }

// Derive makes this the program that takes numbers apart, on both sides of a comparison, and draws what is drawn on use.
func Derive() { Answer, Regions, Device, Other = explained, view.OnUse, ReadDevice, tell }

// other is the second side of the comparison that is asked for: a model of the catalogue, a config that was pasted, which
// has no slug, or nothing, which is the first side's. Its device is the page's JSON of it.
var other struct{ name, slug, config, device string }

// incomparable is why the second side of the last answer cannot be answered.
var incomparable *fault.Error

func tell(side [4]string) {
	other.name, other.slug, other.config, other.device = side[0], side[1], side[2], side[3]
}

// explained answers, and compares the answer with the other side.
func explained(q query.Query, s report.Subject, lib *family.Library) (*report.Report, *fault.Error) {
	incomparable = nil
	q.VsPasted = other.slug == "" && other.config != ""
	r, err := report.Answer(q, s, lib)
	if err != nil {
		return nil, err
	}
	if _, ok := q.Second(); ok && (other.config != "" || !q.Has(query.Versus)) { // else the model's config is still on the way
		incomparable = compareWith(r)
	}
	return r, nil
}

func compareWith(r *report.Report) *fault.Error {
	s := r.Subject
	if other.config != "" {
		cfg, err := config.ParseObject(other.config)
		if err != nil {
			return err
		}
		s = report.Subject{Name: other.name, Slug: other.slug, Config: cfg}
	}
	s.Device = nil
	if other.device != "" {
		d, err := ReadDevice(other.device)
		if err != nil {
			return err
		}
		s.Device = d
	}
	return r.CompareWith(s)
}

func compared(r *report.Report) string { return view.Compare(r, incomparable) }

func explainedRegions() []view.Region {
	return append(view.AllLive(), view.Region{ID: "compare", HTML: compared}, view.Region{ID: "mine", HTML: view.Mine})
}
