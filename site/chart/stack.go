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
	from := int64(0)
	for i, p := range c.Phases {
		if i < len(c.Phases)-1 {
			f.w.Lengths("M@ @v@", f.px(p.Until), f.top, f.height)
		}
	}
	f.w.Raw(`"/>`)
	for _, p := range c.Phases {
		room := f.px(p.Until) - f.px(from)
		f.text("mid", (f.px(p.Until)+f.px(from))/2, f.top+f.height+15_00, fit(p.Title, room+10_00))
		from = p.Until
	}
	for _, l := range letters {
		for i := range c.Spots { // what names a spot is not written over a letter
			s := &c.Spots[i]
			x, y, left := f.beside(s, c.Spots)
			if left {
				x -= textWidth(s.Text)
			}
			if l.x > x-10_00 && l.x < x+textWidth(s.Text)+10_00 && l.y > y-textSize && l.y < y+textSize {
				l.y = y + textSize + 2_00
			}
		}
		f.text("mid halo mark", l.x, l.y, l.s)
	}
	for i, l := range c.Levels {
		f.level(l, i, nil)
	}
	for i := range c.Spots {
		f.spot(&c.Spots[i], c.Spots)
	}
	if c.Cursor {
		f.w.Lengths(`<path class="cursor" data-left="@" data-width="@" data-rise="M @v@"/>`, f.left, f.width, f.top, f.height)
	}
	return f.close()
}
