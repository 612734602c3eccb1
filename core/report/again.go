package report

import (
	"llmsize/core/device"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/query"
)

// Again answers another question about the report's subject: q, on a device. Where q leaves the config as it is, what the
// config describes is not worked out again, and both answers take from one budget; elsewhere the other has its own.
func (r *Report) Again(q query.Query, d *device.Device) (*Report, *fault.Error) {
	if err := r.Model.Work.Err(); err != nil {
		return nil, err
	}
	s := r.Subject
	s.Device, s.Work = d, nil
	if s.Model == nil && r.describes(&q) {
		m := *r.Model
		s.described, s.Work = &m, m.Work
	}
	return Answer(q, s, r.lib)
}

// describes reports whether the report's model is that of another question, too: under the same overrides, for the same
// picture and sound.
func (r *Report) describes(q *query.Query) bool {
	width, height := q.Picture()
	w, h := r.Query.Picture()
	if width != w || height != h || q.Millis() != r.Query.Millis() || len(q.Set) != len(r.Query.Set) {
		return false
	}
	for i := range q.Set {
		if q.Set[i] != r.Query.Set[i] {
			return false
		}
	}
	return true
}

// Library is the families that the report was counted with.
func (r *Report) Library() *family.Library { return r.lib }
