package card

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/view"
)

// Memory is a device's memory, to scale: its frame is the device, and what has no room crosses the frame.
type Memory struct {
	Name  string // of the device: "NVIDIA H100 SXM 80 GB"
	Room  int64  // its bytes
	Parts []Part
}

// Part is something that a device holds.
type Part struct {
	Name, Reading string // "weights", "16.1 GB"
	Bytes         int64
	colour        int
	tint          bool // in a lighter tone
	estimate      bool // hatched
}

// memoryOf is the memory of the fullest device; nil where none is known.
func memoryOf(r *report.Report) *Memory {
	x := &r.Running
	if x.Device == nil || x.Fullest == nil || x.Device.Memory <= 0 {
		return nil
	}
	m := &Memory{Name: x.Device.Name, Room: x.Device.Memory}
	weights, cache, working := view.OnDevice(r)
	for _, p := range [...]Part{{Name: "weights", Bytes: weights, colour: ofWeights}, {Name: "KV cache", Bytes: cache, colour: ofCache}, {Name: "working", Bytes: working, colour: ofWorking, estimate: true}} {
		if p.Bytes > 0 {
			p.Reading = units.Bytes(p.Bytes).In(r.Query.Get(query.Units))
			m.Parts = append(m.Parts, p)
		}
	}
	return m
}

// trainingOf is what the fullest device holds while the model is trained; nil where no device or no such run is known.
func trainingOf(r *report.Report) *Memory {
	t, d := r.Training.Memory, r.Subject.Device
	if t == nil || d == nil || d.Memory <= 0 {
		return nil
	}
	m := &Memory{Name: d.Name, Room: d.Memory}
	for p := train.Part(0); p < train.NumParts; p++ {
		if t.Parts[p] <= 0 {
			continue
		}
		part := Part{Name: p.String(), Bytes: t.Parts[p], Reading: units.Bytes(t.Parts[p]).In(r.Query.Get(query.Units)), colour: ofWeights}
		switch p {
		case train.Gathered:
			part.tint = true
		case train.Gradients, train.States:
			part.colour, part.tint = ofCache, p == train.Gradients
		case train.Activations, train.Working:
			part.colour, part.tint, part.estimate = ofWorking, p == train.Activations, p == train.Working
		}
		m.Parts = append(m.Parts, part)
	}
	return m
}

// Measures of the memory's bar.
const (
	memoryTop  = 530
	memoryHigh = 28
)

// memory paints the bar, and says what each part is.
func (p *painting) memory() {
	m := p.card.Memory
	sum := int64(0)
	for i := range m.Parts {
		sum += m.Parts[i].Bytes
	}
	whole := max(m.Room, sum)
	at := func(n int64) int { return margin + int(float64(right-margin)*(float64(n)/float64(whole))+0.5) }
	from := int64(0)
	for i := range m.Parts {
		x, w := at(from), max(at(from+m.Parts[i].Bytes)-at(from), 2)
		from += m.Parts[i].Bytes
		p.part(&m.Parts[i], x, memoryTop, w, memoryHigh)
	}
	end := at(m.Room)
	if sum > m.Room {
		p.fill(end, memoryTop, right-end, memoryHigh, blend(p.of[over], p.of[paper], 1, 2))
		p.frame(end, memoryTop, right-end, memoryHigh, 2, p.of[over], false)
	}
	p.frame(margin, memoryTop-3, end-margin, memoryHigh+6, 3, p.of[ink], false)
	f, strong := p.set.face(Sans, 21), p.set.face(Strong, 21)
	note := f.clip(p.card.Note, (right-margin)*0.55)
	limit := right - f.width(note)
	p.text(f, limit, footLine, note, p.of[ink])
	x := float64(margin)
	for i := range m.Parts {
		t := &m.Parts[i]
		if x+24+f.width(t.Name)+8+strong.width(t.Reading) > limit-40 {
			break
		}
		p.part(t, int(x), footLine-15, 16, 16)
		x = p.text(f, x+24, footLine, t.Name, p.of[quiet])
		x = p.text(strong, x+8, footLine, t.Reading, p.of[ink]) + 30
	}
}

// part fills an area; an estimate is hatched.
func (p *painting) part(t *Part, x, y, w, h int) {
	if !t.estimate {
		c := p.of[t.colour]
		if t.tint {
			c = blend(c, p.of[paper], 3, 5)
		}
		p.fill(x, y, w, h, c)
		return
	}
	p.fill(x, y, w, h, blend(p.of[t.colour], p.of[paper], 1, 5))
	for i := 0; i < w; i += 5 {
		p.fill(x+i, y, min(2, w-i), h, p.of[t.colour])
	}
}
