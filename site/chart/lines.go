package chart

import "llmsize/site/markup"

// Lines is a chart of values against values: some lines, some values that both
// axes know (Levels), and the reader's own points. Lines differ by dashes and by
// a letter at their end, so that nothing hangs on colour.
type Lines struct {
	Label  string // what is seen, in sentences, for those who hear the page
	X, Y   Axis
	Series []Series
	Levels []Level
	Spots  []Spot
}

// Series is one line. Its letter is its place: A, B, C.
type Series struct {
	Name   string
	Points []Point
}

// Point is a value of each axis.
type Point struct{ X, Y int64 }

// Level is one value of an axis, drawn across the field.
type Level struct {
	At   int64
	Text string
	Down bool // a value of the x axis
}

// Spot is a point that the reader asked about. Low, where it is set, is how far
// down a band below it reaches.
type Spot struct {
	Point
	Low  int64
	Text string
}

// Measures of a chart.
const (
	textSize  px = 12_00
	tickWidth px = 7_60 // of a character, on the safe side
	headRoom  px = 22_00
	footRoom  px = 36_00
	sideRoom  px = 20_00
)

// field is the inside of a chart while it is drawn.
type field struct {
	w                    markup.Writer
	left, top            px
	width, height, whole px
	x, y                 *Axis
	lines                []Series // which texts of points should not stand on
}

func tickText(s string) px { return textWidth(s) * tickWidth / charWidth }

// open begins a chart of a width in pixels: axes, grid, titles.
func (f *field) open(width int64, label string, x, y *Axis) {
	f.x, f.y, f.whole = x, y, width*100
	f.left = 8_00
	for _, t := range y.Ticks {
		f.left = max(f.left, tickText(t.Text)+6_00)
	}
	f.top = headRoom
	f.width = f.whole - f.left - sideRoom
	f.height = min(max(f.whole*9/20, 170_00), 280_00)
	all := f.height + headRoom + footRoom
	if x.Title == "" {
		all -= footRoom - 20_00
	}
	f.w.Lengths(`<svg class="chart" viewBox="0 0 @ @" width="@" height="@" role="img"`, f.whole, all, f.whole, all).Attr("aria-label", label)
	f.w.Raw(`><path class="grid" d="`)
	for _, t := range y.Ticks {
		f.w.Lengths("M@ @h@", f.left, f.py(t.At), f.width)
	}
	for _, t := range x.Ticks {
		f.w.Lengths("M@ @v@", f.px(t.At), f.top, f.height)
	}
	f.w.Lengths(`"/><path class="axes" d="M@ @v@h@"/>`, f.left, f.top, f.height, f.width)
	for _, t := range y.Ticks {
		f.text("end", f.left-5_00, f.py(t.At)+4_00, t.Text)
	}
	free := px(0)
	for _, t := range x.Ticks {
		half := tickText(t.Text) / 2
		at := min(max(f.px(t.At), half), f.whole-half)
		if at-half < free {
			continue
		}
		free = at + half + 8_00
		f.text("mid", at, f.top+f.height+15_00, t.Text)
	}
	f.text("", 0, 12_00, y.Title)
	if x.Title != "" {
		f.text("end", f.left+f.width, f.top+f.height+31_00, x.Title)
	}
}

func (f *field) close() string { return f.w.Raw("</svg>").String() }

// step goes to a point of a path, which begins with point 0.
func (f *field) step(point int, x, y px) {
	if point == 0 {
		f.w.Lengths("M@ @", x, y)
	} else {
		f.w.Lengths("L@ @", x, y)
	}
}

func (f *field) px(v int64) px { return f.left + f.x.at(v, f.width) }
func (f *field) py(v int64) px { return f.top + f.height - f.y.at(v, f.height) }

// text writes a text at a place of the chart.
func (f *field) text(class string, x, y px, s string) { writeText(&f.w, class, x, y, s) }

// writeText writes a text that begins, ends or has its middle at a place, as its class says.
func writeText(w *markup.Writer, class string, x, y px, s string) {
	w.Raw("<text")
	if class != "" {
		w.Raw(` class="`).Text(class).Raw(`"`)
	}
	w.Lengths(` x="@" y="@">`, x, y).Text(s).Raw("</text>")
}

// Letter names the line or band at a place.
func Letter(i int) string { return string(rune('A' + i)) }

// SVG draws the chart on a sheet of a width in pixels.
func (c *Lines) SVG(width int64) string {
	f := field{lines: c.Series}
	f.open(width, c.Label, &c.X, &c.Y)
	for i, l := range c.Levels {
		f.level(l, i, c.Spots)
	}
	var taken []px // where letters stand at the right
	for i := range c.Series {
		s := &c.Series[i]
		if len(s.Points) == 0 {
			continue
		}
		f.w.Raw(`<path class="line l-`).Text(Letter(i)).Raw(`" d="`)
		for j, p := range s.Points {
			f.step(j, f.px(p.X), f.py(p.Y))
		}
		f.w.Raw(`"><title>`).Text(s.Name).Raw(`</title></path>`)
		last := s.Points[len(s.Points)-1]
		y := f.py(last.Y) + 4_00
		for _, t := range taken {
			if y >= t && y < t+13_00 {
				y = t + 13_00
			} else if y < t && y > t-13_00 {
				y = t - 13_00
			}
		}
		taken = append(taken, y)
		f.text("mark", f.px(last.X)+5_00, y, Letter(i))
	}
	for i := range c.Spots {
		f.spot(&c.Spots[i], c.Spots)
	}
	return f.close()
}

// level draws a value across the field, its text above the line, or beside it,
// the texts of several one above the other: at the foot, or where a point's text
// stands there, at the top.
func (f *field) level(l Level, i int, spots []Spot) {
	if l.Down {
		x, tx, class := f.px(l.At), f.px(l.At)+4_00, "halo"
		if x > f.left+f.width/2 {
			tx, class = x-4_00, "end halo"
		}
		y := f.top + f.height - 6_00 - px(i)*15_00
		for j := range spots {
			if f.meets(&spots[j], spots, tx, y, class != "halo", l.Text) {
				y = f.top + 12_00 + px(i)*15_00
				break
			}
		}
		f.w.Lengths(`<path class="level" d="M@ @v@"/>`, x, f.top, f.height)
		f.text(class, tx, y, l.Text)
		return
	}
	y := f.py(l.At)
	f.w.Lengths(`<path class="level" d="M@ @h@"/>`, f.left, y, f.width)
	f.text("halo", f.left+5_00, y-4_00, fit(l.Text, f.width))
}

// reach is how far a text goes that begins or ends at x.
func reach(x px, end bool, s string) (from, to px) {
	if end {
		return x - tickText(s), x
	}
	return x, x + tickText(s)
}

// meets reports whether a point's text and another one run into each other.
func (f *field) meets(s *Spot, all []Spot, x, y px, end bool, text string) bool {
	sx, sy, left := f.beside(s, all)
	from, to := reach(x, end, text)
	low, high := reach(sx, left, s.Text)
	return from < high && low < to && y-14_00 < sy && sy < y+14_00
}

// beside is where a point's text stands: on the side that has more room, below
// the point unless another one, a line or the field's end is there.
func (f *field) beside(s *Spot, all []Spot) (x, y px, left bool) {
	const up = 25_00
	x, y = f.px(s.X), f.py(s.Y)+16_00
	left = x > f.left+f.width/2
	at := x + 9_00
	if left {
		at = x - 9_00
	}
	from, to := reach(at, left, s.Text)
	above := y > f.top+f.height-4_00 || f.covers(from, to, y) && !f.covers(from, to, y-up)
	for i := range all {
		below := f.py(all[i].Y) - f.py(s.Y)
		near := f.px(all[i].X) - x
		above = above || below > 0 && below < 14_00 && near > -30_00 && near < 30_00
	}
	if above {
		y -= up
	}
	return at, y, left
}

// covers reports whether a line runs through a text from one place to another, whose foot is at y.
func (f *field) covers(from, to, y px) bool {
	for i := range f.lines {
		points := f.lines[i].Points
		for j := 1; j < len(points); j++ {
			x1, x2 := f.px(points[j-1].X), f.px(points[j].X)
			if x2 <= from || x1 >= to || x1 == x2 {
				continue
			}
			y1, y2 := f.py(points[j-1].Y), f.py(points[j].Y)
			in, out := y1+(y2-y1)*(max(from, x1)-x1)/(x2-x1), y1+(y2-y1)*(min(to, x2)-x1)/(x2-x1)
			if min(in, out) < y+3_00 && max(in, out) > y-10_00 {
				return true
			}
		}
	}
	return false
}

// spot draws a point with its text.
func (f *field) spot(s *Spot, all []Spot) {
	x, y := f.px(s.X), f.py(s.Y)
	if s.Low > 0 {
		f.w.Lengths(`<path class="band" d="M@ @V@m-4 0h8"/>`, x, y, f.py(s.Low))
	}
	f.w.Lengths(`<circle class="spot" cx="@" cy="@" r="4.5"/>`, x, y)
	tx, ty, left := f.beside(s, all)
	class := "halo own"
	if left {
		class += " end"
	}
	f.text(class, tx, ty, s.Text)
}
