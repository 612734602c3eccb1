package report

import (
	"llmsize/core/device"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/work"
)

// Again answers another question about the report's subject: q, on a device. It has a budget of its own. Where q leaves
// the config as it is, what the config describes is not worked out again.
func (r *Report) Again(q query.Query, d *device.Device) (*Report, *fault.Error) {
	return r.again(q, d, nil)
}

// AgainWithin is Again for one of many questions that a picture asks: they take from the report's own budget together,
// as a program that draws it frees nothing between them.
func (r *Report) AgainWithin(q query.Query, d *device.Device) (*Report, *fault.Error) {
	if err := r.Model.Work.Err(); err != nil {
		return nil, err
	}
	return r.again(q, d, r.Model.Work)
}

func (r *Report) again(q query.Query, d *device.Device, budget *work.Budget) (*Report, *fault.Error) {
	s := r.Subject
	s.Device, s.Work = d, budget
	if s.Model == nil && r.describes(&q) {
		m := *r.Model
		s.described = &m
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
