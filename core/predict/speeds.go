package predict

import (
	"llmsize/core/device"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Speeds predicts a model on one device of a kind in a format, for lists of popular models: decoding of one sequence in the middle of
// context tokens, and a prefill of as many. ok is false where there is nothing to predict; a model that does not fit has bounds alone.
// It takes a few milliseconds, nearly all of them the report's.
func Speeds(s report.Subject, d *device.Device, format string, context int64, lib *family.Library, l *Library) (a Answer, ok bool, err *fault.Error) {
	var q query.Query
	for _, x := range [...]struct {
		p    query.Param
		text string
	}{{query.Model, s.Slug}, {query.Weights, format}, {query.Context, units.Itoa(context)}, {query.Device, d.Slug}} {
		if err := q.Put(x.p, x.text); err != nil {
			return a, false, err
		}
	}
	s.Device = d
	r, err := report.Answer(q, s, lib)
	if err != nil {
		return a, false, err
	}
	a, ok = Run(r, l)
	return a, ok, nil
}
