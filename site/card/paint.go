package card

import (
	"strings"

	"llmsize/core/model"
	"llmsize/core/units"
	"llmsize/site/chart"
)

// Measures of a card in pixels.
const (
	margin     = 56
	right      = Width - margin
	zoom       = 1.75 // of the scene
	nameLine   = 98   // baselines
	numberLine = 200
	sceneTop   = 222
	barTop     = 532
	barHeight  = 22
	footLine   = 596
)

// painting is a card on its way.
type painting struct {
	*canvas
	card *Card
	set  *typeset
	of   *[numColours]RGB
}

// Paint paints a card.
func Paint(card *Card, kit *Kit) *Picture {
	shown := *card
	shown.Title, shown.Text = curly(card.Title), curly(card.Text)
	p := &painting{canvas: newCanvas(kit.colours[paper]), card: &shown, set: &typeset{kit: kit}, of: &kit.colours}
	p.grid()
	p.head()
	if card.Hill != nil {
		p.hill()
		return &p.Picture
	}
	p.scene()
	if card.Memory != nil {
		p.memory()
	} else {
		p.bar()
	}
	return &p.Picture
}

// curly is a text with the apostrophes of print.
func curly(s string) string { return strings.ReplaceAll(s, "'", "’") }

// grid is the dots of drawing paper.
func (p *painting) grid() {
	dot := blend(p.of[rule], p.of[paper], 4, 5)
	for y := 14; y < Height; y += 30 {
		for x := 14; x < Width; x += 30 {
			p.fill(x, y, 2, 2, dot)
		}
	}
}

// head writes what the card is about, and the number.
func (p *painting) head() {
	t, c := p.set, p.card
	site := t.face(Serif, 30)
	room := right - site.width(c.Site) - 40.0
	kicker := t.face(Book, 30)
	behind := kicker.clip(c.Told, (room-margin)*0.45)
	p.text(site, right-site.width(c.Site), nameLine, c.Site, p.of[quiet])
	wide := room - margin
	if behind != "" {
		wide -= 22 + kicker.width(behind)
	}
	title := t.largest(Serif, c.Title, wide, 58, 54, 50, 46, 42)
	end := p.text(title, margin-2, nameLine, title.clip(c.Title, wide), p.of[ink])
	if behind == "" && end+22+kicker.width(c.Kicker) <= room && !strings.HasPrefix(c.Title, c.Kicker) {
		behind = c.Kicker
	}
	p.text(kicker, end+22, nameLine, behind, p.of[quiet])
	if c.Text != "" {
		text := t.face(Book, 35)
		for i, line := range text.wrap(c.Text, right-margin, 2) {
			p.text(text, margin, 158+float64(i)*44, line, p.of[quiet])
		}
		return
	}
	reading := t.face(Book, 38)
	count := grouped(c.Count)
	if c.Figure != "" {
		count = c.Figure
	}
	if c.About {
		count = "≈" + string(thin) + count
	}
	number := t.largest(Serif, count, right-margin-reading.width(c.Reading)-28, 104, 96, 88, 80, 72, 64)
	end = p.text(number, margin-4, numberLine, count, p.of[ink])
	end = p.text(reading, end+26, numberLine, c.Reading, p.of[quiet])
	if c.Hill != nil { // the last line is the areas'
		f := t.face(Sans, 21)
		note := f.clip(c.Note, right-end-30)
		p.text(f, right-f.width(note), numberLine, note, p.of[quiet])
	}
}

// grouped is a count whose thousands stand apart by a thin gap, as on the pages.
func grouped(n units.Params) string {
	out := []rune(n.String())
	for i, r := range out {
		if r == ',' {
			out[i] = thin
		}
	}
	return string(out)
}

// scene draws the model to scale.
func (p *painting) scene() {
	s := &p.card.Scene
	x0, y0 := float64(margin), float64(sceneTop)
	y0 += max(0, (float64(SceneHeight)-float64(s.Height)/100)*zoom/2)
	at := func(v int64, from float64) int { return int(from + float64(v)*zoom/100 + 0.5) }
	for i := range s.Shapes {
		shape := &s.Shapes[i]
		x, y := at(shape.X, x0), at(shape.Y, y0)
		p.shape(shape, x, y, max(at(shape.X+shape.W, x0)-x, 1), max(at(shape.Y+shape.H, y0)-y, 1))
	}
	plain, title := p.set.face(Sans, 17), p.set.face(Strong, 18)
	for _, l := range s.Labels {
		f, colour := plain, p.of[quiet]
		if l.Title {
			f, colour = title, p.of[ink]
		}
		x := float64(at(l.X, x0))
		p.text(f, x, float64(at(l.Y, y0)), f.clip(l.Text, right-x), colour)
	}
	for _, m := range s.Marks {
		p.mark(m, at(m.X, x0), at(m.Y, y0), at(m.W, 0), at(m.H, 0))
	}
}

// shape paints one matrix or tile.
func (p *painting) shape(s *chart.Shape, x, y, w, h int) {
	wash, edge := p.of[washOf(s.Role)], p.of[edgeOf(s.Role)]
	line := 2
	if w < 10 || h < 10 {
		line = 1
	}
	switch {
	case s.Vector:
		p.fill(x, y, 2, h, edge)
		return
	case s.Tied:
		p.frame(x, y, w, h, line, edge, true)
		return
	case s.Idle:
		wash, edge = blend(wash, p.of[paper], 1, 4), blend(edge, p.of[paper], 2, 5)
	}
	if w > 3 && h > 3 {
		p.fill(x, y, w, h, wash)
		p.frame(x, y, w, h, line, edge, false)
	} else {
		p.fill(x, y, w, h, edge)
	}
	p.pleats(s, x+w, y, h, wash, edge)
	p.inside(s, x, y, w, h)
}

// pleats paints the folds of a matrix that is too long for the sheet, as a fan.
func (p *painting) pleats(s *chart.Shape, x, y, h int, wash, edge RGB) {
	if s.Pleats == 0 {
		return
	}
	pitch := float64(s.Pitch) * zoom / 100
	for i := range s.Pleats {
		from, to := x+int(float64(i)*pitch), x+int(float64(i+1)*pitch)
		drop := int(i%2) * 3
		p.fill(from, y+drop, to-from, h-2*drop, wash)
		if pitch >= 3 || i%2 == 0 {
			p.fill(to-1, y+drop, 1, h-2*drop, edge)
		}
		p.fill(from, y+drop, to-from, 1, edge)
		p.fill(from, y+h-drop-1, to-from, 1, edge)
	}
}

// inside writes a matrix's name into it: across where there is room, else upright.
func (p *painting) inside(s *chart.Shape, x, y, w, h int) {
	if s.Name == "" {
		return
	}
	f := p.set.face(Sans, 18)
	n := f.width(s.Name)
	mid := func(length int) float64 { return (float64(length) - n) / 2 }
	switch {
	case n+10 <= float64(w) && h >= 26:
		size := p.set.face(Sans, 15)
		if sn := size.width(s.Size); s.Pleats == 0 && sn+10 <= float64(w) && h >= 60 {
			p.text(f, float64(x)+mid(w), float64(y+h/2)-3, s.Name, p.of[ink])
			p.text(size, float64(x)+(float64(w)-sn)/2, float64(y+h/2)+19, s.Size, p.of[ink])
			return
		}
		p.text(f, float64(x)+mid(w), float64(y+h/2)+6, s.Name, p.of[ink])
	case n+10 <= float64(h) && w >= 24:
		p.upright(f, float64(x+w/2)+6, float64(y+h)-mid(h), s.Name, p.of[ink])
	}
}

// mark draws a dimension line with its number.
func (p *painting) mark(m chart.Mark, x, y, w, h int) {
	line := p.of[measure]
	f := p.set.face(Sans, 16)
	n := f.width(m.Text)
	if h == 0 {
		p.fill(x, y, w, 1, line)
		p.fill(x, y-5, 1, 11, line)
		p.fill(x+w-1, y-5, 1, 11, line)
		if n+6 <= float64(w) {
			p.text(f, float64(x)+(float64(w)-n)/2, float64(y)-5, m.Text, p.of[quiet])
		}
		return
	}
	p.fill(x, y, 1, h, line)
	p.fill(x-5, y, 11, 1, line)
	p.fill(x-5, y+h-1, 11, 1, line)
	if n+6 <= float64(h) {
		p.upright(f, float64(x)-6, float64(y+h)-(float64(h)-n)/2, m.Text, p.of[hidden])
	}
}

// bar paints the parameters by role, and says what its largest parts are.
func (p *painting) bar() {
	total := int64(0)
	for _, n := range p.card.ByRole {
		total += int64(n)
	}
	if total == 0 {
		return
	}
	sum := int64(0)
	at := func(n int64) int { return margin + int(float64(right-margin)*(float64(n)/float64(total))+0.5) }
	for r, n := range p.card.ByRole {
		if n == 0 {
			continue
		}
		x := at(sum)
		sum += int64(n)
		w := max(at(sum)-x, 2)
		p.fill(x, barTop, w, barHeight, p.of[edgeOf(model.Role(r))])
		if w > 4 {
			p.fill(x+2, barTop+2, w-4, barHeight-4, p.of[washOf(model.Role(r))])
		}
	}
	p.legend(total)
}

// legend names the parts of the bar, largest first, as many as fit.
func (p *painting) legend(total int64) {
	f, strong := p.set.face(Sans, 21), p.set.face(Strong, 21)
	limit := float64(right)
	if p.card.Note != "" {
		note := f.clip(p.card.Note, (right-margin)*0.7)
		limit -= f.width(note)
		colour := p.of[ink]
		if p.card.Text != "" { // then the page is about something else
			colour = p.of[quiet]
		}
		p.text(f, limit, footLine, note, colour)
		limit -= 40
	}
	x := float64(margin)
	for _, r := range bySize(p.card.ByRole) {
		name, share := chart.RoleName(r), chart.Share(int64(p.card.ByRole[r]), total)
		if int64(p.card.ByRole[r]) < total/1000 {
			break // next to nothing
		}
		if x+24+strong.width(share)+8+f.width(name) > limit {
			break
		}
		p.fill(int(x), footLine-15, 16, 16, p.of[edgeOf(r)])
		p.fill(int(x)+2, footLine-13, 12, 12, p.of[washOf(r)])
		x = p.text(strong, x+24, footLine, share, p.of[ink])
		x = p.text(f, x+8, footLine, name, p.of[quiet]) + 30
	}
}

// bySize lists the roles that have parameters, those with most first.
func bySize(counts [model.NumRoles]units.Params) []model.Role {
	var list []model.Role
	for r, n := range counts {
		if n == 0 {
			continue
		}
		at := len(list)
		for at > 0 && counts[list[at-1]] < n {
			at--
		}
		list = append(list[:at], append([]model.Role{model.Role(r)}, list[at:]...)...)
	}
	return list
}
