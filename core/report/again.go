package report

import (
	"llmsize/core/device"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/query"
)

// Again answers another question about the report's subject: q, on a device. It has a budget of its own.
func (r *Report) Again(q query.Query, d *device.Device) (*Report, *fault.Error) {
	s := r.Subject
	s.Device, s.Work = d, nil
	return Answer(q, s, r.lib)
}

// Library is the families that the report was counted with.
func (r *Report) Library() *family.Library { return r.lib }
