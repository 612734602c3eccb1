package report

import (
	"llmsize/core/memory"
	"llmsize/core/query"
	"llmsize/core/train"
	"llmsize/core/units"
)

// The names of comparisons of what a device has left.
const (
	Room         = "room left on the fullest device"
	TrainingRoom = "room left in training, fullest device"
)

// compareRoom compares what is left of the fullest device's memory when every term
// takes the upper end of its band. It fits where that is not below zero, so the steps
// say which term decides it.
func compareRoom(a, b *Report) (Comparison, bool) {
	x, y := &a.Running, &b.Running
	c := Comparison{Name: Room, Unit: "bytes"}
	if x.Device == nil || y.Device == nil {
		return c, false
	}
	c.device(a, b)
	c.From, c.To = c.From-x.Fullest.Total.High, c.To-y.Fullest.Total.High
	c.terms(x.Fullest.Terms, y.Fullest.Terms, func(t *memory.Term) int64 { return -t.High })
	return c, true
}

// compareTrainingRoom compares what is left of it in training.
func compareTrainingRoom(a, b *Report) (Comparison, bool) {
	x, y := &a.Training, &b.Training
	c := Comparison{Name: TrainingRoom, Unit: "bytes"}
	if !a.trainsOnDevice() || !b.trainsOnDevice() {
		return c, false
	}
	c.device(a, b)
	c.From, c.To = c.From-x.Memory.Bytes, c.To-y.Memory.Bytes
	for p := range x.Memory.Parts {
		c.step(train.Part(p).String(), "", x.Memory.Parts[p]-y.Memory.Parts[p])
	}
	return c, true
}

// device begins a comparison of room with the whole memory of both devices.
func (c *Comparison) device(a, b *Report) {
	unit := a.Query.Get(query.Units)
	c.From, c.To = a.Subject.Device.Memory, b.Subject.Device.Memory
	c.step("memory of the device", units.Bytes(c.From).In(unit)+" → "+units.Bytes(c.To).In(unit), c.To-c.From)
}

// Decides is the step of a comparison that goes furthest the way of all steps
// together; ok is false where none goes it.
func (c *Comparison) Decides() (s Step, ok bool) {
	for _, x := range c.Steps {
		if (x.Amount > 0) == (c.To > c.From) && max(x.Amount, -x.Amount) > max(s.Amount, -s.Amount) {
			s, ok = x, true
		}
	}
	return s, ok
}
