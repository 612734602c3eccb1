package report

import (
	"llmsize/core/memory"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Room is the name of a comparison: what a device has left for each side.
const Room = "room left on the fullest device"

// compareRoom compares what is left of the fullest device's memory when every term
// takes the upper end of its band. It fits where that is not below zero, so the steps
// say which term decides it.
func compareRoom(a, b *Report) (Comparison, bool) {
	x, y := &a.Running, &b.Running
	c := Comparison{Name: Room, Unit: "bytes"}
	if x.Device == nil || y.Device == nil {
		return c, false
	}
	c.From, c.To = x.Device.Memory-x.Fullest.Total.High, y.Device.Memory-y.Fullest.Total.High
	unit := a.Query.Get(query.Units)
	c.step("memory of the device", units.Bytes(x.Device.Memory).In(unit)+" → "+units.Bytes(y.Device.Memory).In(unit), y.Device.Memory-x.Device.Memory)
	c.terms(x.Fullest.Terms, y.Fullest.Terms, func(t *memory.Term) int64 { return -t.High })
	return c, true
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
