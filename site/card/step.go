package card

import (
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/view"
)

// Hill is memory over a step of training: what is live in each moment, one kind of bytes upon another. All moments are
// as wide as each other.
type Hill struct {
	Areas  []Area
	Phases []Phase
	Told   string // at the highest moment: "backward, loss"
	Room   int64  // bytes of the device; 0: none is drawn
	Name   string // of the device: "H100 SXM 80 GB, 80.0 GB"
}

// Area is bytes of one kind, in the colour of a role.
type Area struct {
	Name string
	Role model.Role
	Live []int64 // of each moment
}

// Phase is a stretch of moments: "forward".
type Phase struct {
	Title string
	Until int // the first moment after it
}

// areaRoles are the colours of a step's areas, from below.
var areaRoles = [...]model.Role{model.Attention, model.FFN, model.Expert, model.Embedding, model.Vision, model.Head, model.State}

// OfStep is the card of an answer about training: the memory of a step instead of the model. ok is false where no timeline
// follows the run, or it is one of a pipeline, of which laying all ranks out takes a host's edge too long.
func OfStep(r *report.Report) (c Card, ok bool) {
	if r.Training.Memory == nil || r.Training.Question.Layout.PP > 1 {
		return c, false
	}
	x, err := timeline.Training(r, true)
	if err != nil {
		return c, false
	}
	c = Of(r)
	c.Scene, c.ByRole, c.Count, c.About = chart.Scene{}, [model.NumRoles]units.Params{}, 0, false
	unit := r.Query.Get(query.Units)
	c.Figure, c.Reading = units.Bytes(x.Peak).In(unit), "at the peak of a step"
	if timeline.Status(r) != "exact" {
		c.Reading += ", an estimate"
	}
	h := &Hill{Told: view.PeakWords(&x.At)}
	for i, b := range view.StepBands() {
		a := Area{Name: b.Name, Role: areaRoles[i], Live: make([]int64, len(x.Curve))}
		most := int64(0)
		for j := range x.Curve {
			a.Live[j] = b.Held(&x.Curve[j].Live)
			most = max(most, a.Live[j])
		}
		if most > 0 {
			h.Areas = append(h.Areas, a)
		}
	}
	for i := range x.Curve {
		title := x.Curve[i].Phase.String()
		if n := len(h.Phases); n > 0 && h.Phases[n-1].Title == title {
			h.Phases[n-1].Until = i + 1
		} else {
			h.Phases = append(h.Phases, Phase{title, i + 1})
		}
	}
	if d := r.Running.Device; d != nil && d.Memory <= 2*x.Peak && d.Memory >= x.Peak/25 {
		h.Room, h.Name = d.Memory, d.Name+", "+units.Bytes(d.Memory).In(unit)
	}
	low, _, high := timeline.Device(r, x)
	c.Note = "a device shows " + units.Bytes(low).In(unit) + " to " + units.Bytes(high).In(unit)
	c.Hill = h
	return c, true
}

// Measures of the hill.
const (
	hillTop    = 250
	hillGround = 528
)

// hill paints memory over a step where other cards have the model.
func (p *painting) hill() {
	h := p.card.Hill
	n := 0
	for i := range h.Areas {
		n = max(n, len(h.Areas[i].Live))
	}
	if n == 0 {
		return
	}
	total := func(i int) (t int64) {
		for j := range h.Areas {
			t += h.Areas[j].Live[i]
		}
		return t
	}
	at, peak := 0, int64(0)
	for i := range n {
		if t := total(i); t > peak {
			at, peak = i, t
		}
	}
	top := max(peak, h.Room)
	if top == 0 {
		return
	}
	y := func(b int64) int { return hillGround - int(float64(hillGround-hillTop)*(float64(b)/float64(top))+0.5) }
	x := func(i int) int { return margin + (right-margin)*i/n }
	for i := range n {
		from, to, sum := x(i), max(x(i+1), x(i)+1), int64(0)
		for j := range h.Areas {
			a := &h.Areas[j]
			low := y(sum)
			sum += a.Live[i]
			if high := y(sum); high < low {
				p.fill(from, high, to-from, low-high, p.of[washOf(a.Role)])
				p.fill(from, high, to-from, min(2, low-high), p.of[edgeOf(a.Role)])
			}
		}
	}
	small := p.set.face(Sans, 17)
	mark, high := (x(at)+x(at+1))/2, y(peak)
	label := p.set.face(Strong, 18)
	told := label.clip(h.Told, right-margin)
	left := min(max(float64(mark)-label.width(told)/2, margin), right-label.width(told))
	if h.Room > 0 {
		line := y(h.Room)
		words := line > high-17-plateHigh && line < high-17+plateHigh // the peak's, on the line
		for x := margin; x < right; x += 14 {
			if !words || x+8 < int(left)-plate || x > int(left+label.width(told))+plate {
				p.fill(x, line, 8, 2, p.of[ink])
			}
		}
		free := right
		if words {
			free = int(left) - plate
		}
		p.room(small, line, free)
	}
	p.fill(mark-1, high-12, 3, 12, p.of[ink])
	p.text(label, left, float64(high-17), told, p.of[ink])
	from := 0
	for _, ph := range h.Phases {
		a, b := x(from), x(ph.Until)
		from = ph.Until
		p.fill(a, hillGround, 1, 10, p.of[quiet])
		if w := small.width(ph.Title); w+8 <= float64(b-a) {
			p.text(small, float64(a)+(float64(b-a)-w)/2, hillGround+21, ph.Title, p.of[quiet])
		}
	}
	p.fill(margin, hillGround, right-margin, 1, p.of[quiet])
	p.areas(at)
}

// room names the device on its line, which it interrupts, on paper of its own: edges of areas don't run through the name. Where the
// line's start has no room for it, up to a place that is free, it is at the end.
func (p *painting) room(f *face, line, free int) {
	name := f.clip(p.card.Hill.Name, right-margin)
	w := int(f.width(name)+0.5) + 2*plate
	x := margin - plate
	if x+w > free {
		x = right + plate - w
	}
	p.fill(x, line-plateHigh/2, w, plateHigh, p.of[paper])
	p.text(f, float64(x+plate), float64(line+7), name, p.of[ink])
}

// Measures of the paper below a device's name, and of the areas' names.
const (
	plate     = 7 // on each side
	plateHigh = 24
	nameGap   = 26
	nameRows  = 25
)

// areas names all areas, those that are largest at the peak first: in one line where they fit, in several where they don't.
func (p *painting) areas(at int) {
	list := make([]*Area, 0, len(p.card.Hill.Areas))
	for i := range p.card.Hill.Areas {
		a := &p.card.Hill.Areas[i]
		k := len(list)
		list = append(list, a)
		for ; k > 0 && list[k-1].Live[at] < a.Live[at]; k-- {
			list[k] = list[k-1]
		}
		list[k] = a
	}
	var f *face
	rows := make([]int, len(list)) // of each
	for _, size := range [...]int32{21, 20, 19, 18} {
		f = p.set.face(Sans, size)
		x := float64(margin)
		for i, a := range list {
			if i > 0 {
				rows[i] = rows[i-1]
			}
			wide := 24 + f.width(a.Name)
			if i > 0 && x+wide > right {
				x = margin
				rows[i]++
			}
			x += wide + nameGap
		}
		if n := len(rows); n == 0 || rows[n-1] == 0 {
			break
		}
	}
	x, row := float64(margin), 0
	for i, a := range list {
		if rows[i] > row {
			x, row = margin, rows[i]
		}
		y := footLine + row*nameRows - rows[len(list)-1]*nameRows/2
		p.fill(int(x), y-15, 16, 16, p.of[edgeOf(a.Role)])
		p.fill(int(x)+2, y-13, 12, 12, p.of[washOf(a.Role)])
		x = p.text(f, x+24, float64(y), a.Name, p.of[quiet]) + nameGap
	}
}
