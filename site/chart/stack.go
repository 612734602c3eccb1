package chart

// Stack is a chart of bands on top of each other over the phases of something
// that happens: memory while a model answers, or while it is trained. Bands have
// a letter where they are thickest.
type Stack struct {
	Label  string // what is seen, in sentences, for those who hear the page
	Y      Axis   // linear
	At     []int64
	Bands  []Band
	Phases []Phase
	Levels []Level
	Spots  []Spot
	Cursor bool // a line that a script moves over the places, of which each is a moment that a table lists
}

// Band is a band's height at each of the stack's places.
type Band struct {
	Name  string
	Class string // its colour, where that means something; else its letter's
	High  []int64
}

// Phase is a stretch that ends at a place.
type Phase struct {
	Title string
	Until int64
}

// SVG draws the chart on a sheet of a width in pixels.
func (c *Stack) SVG(width int64) string {
	var f field
	x := Axis{Linear: true, To: max(c.At[len(c.At)-1], 1)}
	f.open(width, c.Label, &x, &c.Y)
	floor := make([]int64, len(c.At))
	type letter struct {
		x, y px
		s    string
	}
	var letters []letter
	for i := range c.Bands {
		b := &c.Bands[i]
		f.w.Raw(`<path class="fill f-`).Text(Letter(i))
		if b.Class != "" {
			f.w.Raw(" ").Text(b.Class)
		}
		f.w.Raw(`" d="`)
		best, last := 0, 0 // where it is thickest
		for j, at := range c.At {
			f.step(j, f.px(at), f.py(floor[j]+b.High[j]))
			if b.High[j] > b.High[best] {
				best, last = j, j
			} else if b.High[j] == b.High[best] {
				last = j
			}
		}
		for j := len(c.At) - 1; j >= 0; j-- {
			f.w.Lengths("L@ @", f.px(c.At[j]), f.py(floor[j]))
		}
		f.w.Raw(`z"><title>`).Text(b.Name).Raw(`</title></path>`)
		mid := (best + last) / 2
		low, high := f.py(floor[mid]), f.py(floor[mid]+b.High[mid])
		if low-high >= textSize {
			at := min(max((f.px(c.At[best])+f.px(c.At[last]))/2, f.left+10_00), f.left+f.width-10_00)
			letters = append(letters, letter{at, (low+high)/2 + 4_00, Letter(i)})
		}
		for j := range floor {
			floor[j] += b.High[j]
		}
	}
	f.w.Raw(`<path class="level" d="`)
	for i, p := range c.Phases {
		if i < len(c.Phases)-1 {
			f.w.Lengths("M@ @v@", f.px(p.Until), f.top, f.height)
		}
	}
	f.w.Raw(`"/>`)
	c.titles(&f)
	for _, l := range letters {
		for i := range c.Spots { // what names a spot is not written over a letter
			x, y := c.named(&f, &c.Spots[i])
			if l.x > x-10_00 && l.x < x+tickText(c.Spots[i].Text)+10_00 && l.y > y-textSize && l.y < y+textSize {
				l.y = y + textSize + 2_00
			}
		}
		f.text("mid halo mark", l.x, l.y, l.s)
	}
	for i, l := range c.Levels {
		f.level(l, i, nil)
	}
	for i := range c.Spots {
		s := &c.Spots[i]
		f.w.Lengths(`<circle class="spot" cx="@" cy="@" r="4.5"/>`, f.px(s.X), f.py(s.Y))
		x, y := c.named(&f, s)
		f.text("halo own", x, y, s.Text)
	}
	if c.Cursor {
		f.w.Lengths(`<path class="cursor" data-left="@" data-width="@" data-rise="M @v@"/>`, f.left, f.width, f.top, f.height)
	}
	return f.close()
}

// titles writes the phases' titles below the field, each in the middle of its phase: one that is longer than its phase goes on where
// there is room, and is shortened where there is none.
func (c *Stack) titles(f *field) {
	const apart = 6_00
	from := int64(0)
	type place struct{ mid, at, room, half px }
	places := make([]place, len(c.Phases))
	for i, p := range c.Phases {
		x := &places[i]
		x.mid, x.room, x.half = (f.px(p.Until)+f.px(from))/2, f.px(p.Until)-f.px(from)+10_00, textWidth(p.Title)/2
		x.at = min(max(x.mid, x.half), f.whole-x.half)
		from = p.Until
	}
	for i, p := range c.Phases {
		x, title := places[i], p.Title
		if 2*x.half > x.room && (i > 0 && places[i-1].at+places[i-1].half+apart > x.at-x.half || i < len(places)-1 && places[i+1].at-places[i+1].half-apart < x.at+x.half) {
			if title, x.at = fit(title, x.room), x.mid; textWidth(title) < 4*charWidth {
				continue // which says nothing
			}
		}
		f.text("mid", x.at, f.top+f.height+15_00, title)
	}
}

// named is where a spot's text begins: above the spot, where all bands lie below it; where a level, its text or the axis's title is
// there, below the spot, on the side that has more room.
func (c *Stack) named(f *field, s *Spot) (x, y px) {
	wide := tickText(s.Text)
	inside := func(x px) px { return max(min(x, f.whole-wide), 0) }
	sx, sy := f.px(s.X), f.py(s.Y)
	x, y = inside(sx-wide/2), sy-9_00
	taken := y-textSize < 14_00 && x < tickText(f.y.Title)
	for _, l := range c.Levels {
		line := f.py(l.At)
		taken = taken || line > y-textSize && line < y+4_00 || line-4_00 > y-textSize-2_00 && line-4_00 < y+textSize+2_00 && x < f.left+5_00+tickText(l.Text)
	}
	if !taken {
		return x, y
	}
	if sx > f.left+f.width/2 {
		return inside(sx - 9_00 - wide), sy + 16_00
	}
	return inside(sx + 9_00), sy + 16_00
}
