package report

import (
	"llmsize/core/device"
	"llmsize/core/query"
)

// typed is the device that a question types, in place of the one that it names: memory and bandwidth, which the named device
// has where they are not typed, and one rate for all 16-bit formats. Nothing is known of its links and its power.
func typed(q *query.Query, named *device.Device) *device.Device {
	if !q.Has(query.Memory) && !q.Has(query.Bandwidth) && !q.Has(query.Peak) {
		return named
	}
	d := &device.Device{Name: "a device of your own", Kind: "card", Count: 1, Known: "typed", Note: "Its figures are those of the question."}
	if named != nil {
		d.Memory, d.Bandwidth = named.Memory, named.Bandwidth
	}
	for _, x := range [...]struct {
		p  query.Param
		to *int64
	}{{query.Memory, &d.Memory}, {query.Bandwidth, &d.Bandwidth}, {query.Peak, &d.Peak[device.BF16]}} {
		if q.Has(x.p) {
			*x.to = q.Int(x.p)
		}
	}
	d.Peak[device.FP16] = d.Peak[device.BF16]
	if d.Memory == 0 || d.Bandwidth == 0 {
		return named // a host that knows no devices, and a question that types a part of one
	}
	return d
}
