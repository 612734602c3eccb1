package chart

import (
	"llmsize/core/model"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// Symbols writes a side in letters, "a·d"; empty when it has none.
type Symbols func(d model.Dim) string

// Draw draws a model to scale: each kind of layer once, every weight matrix a
// rectangle whose sides are its real sides, all on one scale, so that area is
// parameter count. Experts are tiles, those that work on a token filled. A matrix
// much longer than high is folded like a map: a square of it is seen, and one
// pleat for each square more. Below stands the whole model, in a strip.
//
// plan is what [Plan] wrote of the model, width the sheet's in pixels. class tells the stylesheet which of several
// widths it is. A narrow sheet has a drawing for each part, all on one scale, side by side for whoever swipes: what most layers
// are is the first, for the others are often small beside it. The answer is
// empty for a model that has nothing to draw.
func Draw(plan string, width int64, class string) string {
	m := planned(plan)
	panels, left, ok := planOf(m)
	if !ok {
		return ""
	}
	w, narrow := width*100, width < 600
	if narrow {
		first(panels)
	}
	labels := labelled(panels, left, narrow)
	s := layOut(panels, w, 330_00, narrow)
	strip, below := stripOf(m, w)
	note, y := px(0), sheetTop+s.height
	if left > 0 {
		note = 14_00
	}
	var b markup.Writer
	if narrow {
		y = 0
		b.Raw(`<div class="swipe" tabindex="0" role="group" aria-label="Part by part">`)
		labels = append(labels, "The whole model from input to output, to scale.")
		s.slides = append(s.slides, slide{0, s.state()})
	}
	from := [4]int{}
	for i, slide := range s.slides {
		last := i == len(s.slides)-1
		if narrow && last {
			b.Raw(`</div>`)
		}
		height := slide.height + 2*sheetTop
		if last {
			height += note + 18_00 + below
		}
		b.Raw(`<svg class="plan `).Text(class).Lengths(`" viewBox="-1 0 @ @" role="img"`, w+2_00, height).Attr("aria-label", labels[i])
		if !narrow {
			b.Lengths(` width="@" height="@"`, w, height)
		}
		b.Raw(`><g transform="translate(0 2)">`)
		s.draw(&b, from, slide.end)
		b.Raw(`</g>`)
		if last {
			b.Lengths(`<g transform="translate(0 @)">`, y+note+18_00)
			if left > 0 {
				b.Raw(`<text class="dim" y="-20">Not drawn: `).Int(int64(left)).Raw(` more, see the table</text>`)
			}
			b.Add(markup.Markup(strip)).Raw(`</g>`)
		}
		b.Raw(`</svg>`)
		from = slide.end
	}
	return b.String()
}

const sheetTop = px(2_00)

// first moves what most layers are before the rest, which stays in its order.
func first(panels []panel) {
	at := 0
	for i := range panels {
		if panels[i].layer && (!panels[at].layer || panels[i].count > panels[at].count) {
			at = i
		}
	}
	p := panels[at]
	copy(panels[1:at+1], panels[:at])
	panels[0] = p
}

// labelled says in words what each drawing shows, all panels in one or each by itself; then it writes over each panel which
// of them it is.
func labelled(panels []panel, left int, apart bool) (labels []string) {
	s := "Weight matrices to scale, area is parameter count. "
	n := len(panels)
	for i := range panels {
		p := &panels[i]
		place := ""
		if apart && n > 1 {
			place = units.Itoa(int64(i+1)) + " of " + units.Itoa(int64(n))
			s += place + ". "
		}
		s += describe(p)
		if !apart && i < n-1 {
			continue
		}
		if left > 0 && i == n-1 {
			s += units.Itoa(int64(left)) + " more parts are in the table."
		}
		labels = append(labels, s)
		s = ""
		if place == "" {
			continue
		}
		if i > 0 {
			place = "‹ " + place
		}
		if i < n-1 {
			place += " ›"
		}
		if p.title != "" {
			place += " " + p.title
		}
		p.title = place
	}
	return labels
}

// draw draws what was put onto the sheet from one state to another.
func (s *sheet) draw(b *markup.Writer, from, to [4]int) {
	for i := from[1]; i < to[1]; i++ {
		drawTiles(b, &s.tiles[i], s.scale)
	}
	for i := from[0]; i < to[0]; i++ {
		drawBox(b, &s.boxes[i])
	}
	for i := from[3]; i < to[3]; i++ {
		drawMark(b, &s.marks[i])
	}
	for _, t := range s.titles[from[2]:to[2]] {
		b.Raw("<text")
		if t.class != "" {
			b.Raw(` class="`).Text(t.class).Raw(`"`)
		}
		b.Lengths(` x="@" y="@">`, t.x, t.y).Text(t.text).Raw(`</text>`)
	}
}

// describe lists what the drawing of a panel shows.
func describe(p *panel) string {
	s := ""
	if p.layer {
		s = p.title + ": "
	}
	n := 0
	for _, c := range p.clusters {
		for j := range c.items {
			it := &c.items[j]
			if it.vector {
				continue
			}
			if n++; n == 25 {
				s += " and more"
			}
			if n > 24 {
				continue
			}
			if n > 1 {
				s += ", "
			}
			s += it.name + " " + sides(it)
			if it.copies > 1 {
				s += " times " + units.Group(it.copies)
			}
			if it.tied {
				s += " (tied)"
			}
		}
	}
	return s + ". "
}

func sides(it *item) string { return units.Group(it.down.Size) + " × " + units.Group(it.across.Size) }

func dimText(d model.Dim) string { return units.Group(d.Size) }

// captions are the lines under what isn't a layer: its name, its sides, its folds.
func captions(c *cluster) []string {
	it := &c.items[0]
	for i := range c.items {
		if !c.items[i].vector {
			it = &c.items[i]
			break
		}
	}
	name := RoleName(it.role)
	switch {
	case it.vector:
		return []string{name}
	case it.tied:
		return []string{name, "tied: the embedding"}
	case it.pleats > 0:
		return []string{name + ", folded", units.Group(it.across.Size) + " × " + units.Group(it.down.Size)}
	}
	return []string{name, sides(it)}
}

// tileText says what a grid of tiles is.
func tileText(c *cluster) string {
	it := &c.items[0]
	s := units.Group(it.copies) + " " + RoleName(it.role)
	if it.role != model.Expert {
		s = units.Group(it.copies) + " × " + it.name
	}
	if it.active < it.copies {
		s += ", " + units.Group(it.active) + " at work on a token"
	}
	return s
}

func drawBox(w *markup.Writer, b *box) {
	it := b.item
	class := "m " + RoleClass(it.role)
	if it.tied {
		class += " tied"
	}
	w.Raw(`<g class="`).Text(class).Raw(`"><title>`).Text(it.name).Raw(" ").Text(sides(it)).Raw("</title>")
	front := b.w
	if it.pleats > 0 {
		front = b.h
	}
	w.Lengths(`<rect x="@" y="@" width="@" height="@"/>`, b.x, b.y, front, b.h)
	if it.pleats > 0 && !it.tied {
		pleats(w, b, front)
	}
	write(w, it.name, b.x, b.y, front, b.h, it)
	w.Raw("</g>")
}

// pleats draws the folded rest as an accordion.
func pleats(w *markup.Writer, b *box, front px) {
	pitch := pleatPitch(b.item.pleats)
	n := min(b.item.pleats, mostPleats)
	const drop px = 3_00
	w.Lengths(`<path d="M@ @`, b.x+front, b.y)
	for i := int64(0); i < n; i++ {
		d := drop
		if i%2 == 1 {
			d = -drop
		}
		w.Lengths("l@ @", pitch, d)
	}
	w.Lengths("v@", b.h-2*drop*(n%2))
	for i := n - 1; i >= 0; i-- {
		d := drop
		if i%2 == 1 {
			d = -drop
		}
		w.Lengths("l-@ @", pitch, d)
	}
	w.Raw("z")
	for i := int64(1); i < n; i++ {
		d := drop * (i % 2)
		w.Lengths("M@ @v@", b.x+front+pitch*i, b.y+d, b.h-2*d)
	}
	w.Raw(`"/>`)
}

// write puts a name into a rectangle where there is room: across, else upright;
// below it the sides.
func write(w *markup.Writer, name string, x, y, width, height px, it *item) {
	n := textWidth(name)
	size := sides(it)
	switch {
	case it.vector || it.tied:
	case n+4_00 <= width && height >= 14_00:
		mid := y + height/2 + 4_00
		if two := textWidth(size)+4_00 <= width && height >= 32_00 && it.pleats == 0; two {
			mid -= 7_00
			text(w, "dim", x+width/2, mid+14_00, size)
		}
		text(w, "", x+width/2, mid, name)
	case n+4_00 <= height && width >= 12_00:
		cx, cy := x+width/2+4_00, y+height/2
		w.Lengths(`<text class="mid" transform="translate(@ @) rotate(-90)">`, cx, cy).Text(name).Raw("</text>")
	}
}

func text(w *markup.Writer, class string, x, y px, s string) {
	if class != "" {
		class += " "
	}
	w.Raw(`<text class="`).Text(class).Lengths(`mid" x="@" y="@">`, x, y).Text(s).Raw("</text>")
}

// drawTiles draws the experts: those that work on a token filled, the rest in outline.
func drawTiles(w *markup.Writer, g *tileGrid, s scale) {
	items := g.cluster.items
	w.Raw(`<g class="t `).Text(RoleClass(items[0].role)).Raw(`"><title>`).Text(tileText(g.cluster))
	for i := range items {
		w.Raw(", ").Text(items[i].name).Raw(" ").Text(sides(&items[i]))
	}
	w.Raw("</title>")
	g.rows(w, "on", 0, g.active)
	g.rows(w, "off", g.active, g.n)
	if g.w >= 24_00 && len(items) > 1 { // the matrices inside
		w.Raw(`<path d="`)
		for i := int64(0); i < g.n; i++ {
			x, y := g.at(i)
			for j := range items[:len(items)-1] {
				x += s.of(items[j].across.Size)
				w.Lengths("M@ @v@", x, y, g.h)
			}
		}
		w.Raw(`"/>`)
	}
	w.Raw("</g>")
}

func (g *tileGrid) at(i int64) (x, y px) {
	return g.x + i%g.cols*(g.w+g.gap), g.y + i/g.cols*(g.h+g.gap)
}

// rows draws the tiles from one to another. A row is a thick dashed line, each
// dash a tile: first the edges, then the insides. So 512 tiles cost no more than
// their rows.
func (g *tileGrid) rows(w *markup.Writer, class string, from, to int64) {
	inset := px(1_00)
	if g.w < 5_00 || g.h < 5_00 {
		inset = 0
	}
	for pass := px(0); pass <= inset; pass += 1_00 {
		if from >= to {
			return
		}
		if pass == 0 && inset > 0 {
			w.Raw(`<path class="edge `).Text(class)
		} else {
			w.Raw(`<path class="`).Text(class)
		}
		w.Lengths(`" stroke-width="@" stroke-dasharray="@ @" d="`, g.h-2*pass, g.w-2*pass, g.gap+2*pass)
		for i := from; i < to; {
			next := min((i/g.cols+1)*g.cols, to)
			x, y := g.at(i)
			w.Lengths("M@ @h@", x+pass, y+g.h/2, (next-i)*(g.w+g.gap)-g.gap-2*pass)
			i = next
		}
		w.Raw(`"/>`)
	}
}

// drawMark draws a dimension line: arrows, extension lines, the size with its letters.
func drawMark(w *markup.Writer, m *mark) {
	d := m.item.across
	if m.w == 0 {
		d = m.item.down
	}
	size, sign := dimText(d), d.Expr
	room := max(m.w, m.h) - 8_00
	switch both := sign + " " + size; {
	case sign != "" && textWidth(both) <= room:
		size = both
	case sign != "" && m.w == 0: // the number stands elsewhere too; the letter is what runs through
		size = sign
	}
	if m.h == 0 {
		w.Lengths(`<g class="dimension"><path d="M@ @h@M@ @v6M@ @v6M@ @l-4 2l4 2M@ @l4 2l-4 2"/>`,
			m.x, m.y, m.w, m.x, m.y-3_00, m.x+m.w, m.y-3_00, m.x+4_00, m.y-2_00, m.x+m.w-4_00, m.y-2_00)
		text(w, "dim", m.x+m.w/2, m.y-4_00, size)
	} else {
		w.Lengths(`<g class="dimension"><path d="M@ @v@M@ @h6M@ @h6M@ @l2-4l2 4M@ @l2 4l2-4"/>`,
			m.x, m.y, m.h, m.x-3_00, m.y, m.x-3_00, m.y+m.h, m.x-2_00, m.y+4_00, m.x-2_00, m.y+m.h-4_00)
		w.Lengths(`<text class="dim mid d-h" transform="translate(@ @) rotate(-90)">`, m.x-4_00, m.y+m.h/2).Text(size).Raw("</text>")
	}
	w.Raw("</g>")
}
