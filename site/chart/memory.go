package chart

import (
	"math/bits"

	"llmsize/core/units"
	"llmsize/site/markup"
)

// Memory is what a device holds, drawn to scale in a frame that is the device: what is left over is the empty part of
// the frame, and what has no room crosses its right side. Several devices are several frames.
type Memory struct {
	Label    string   // what is seen, in sentences, for those who hear the page
	Device   string   // over the frame, on a dimension line: "NVIDIA H100 SXM 80 GB"
	Capacity string   // behind it: "85.5 GB"
	Unit     string   // the query's
	Room     int64    // bytes of one device
	Frames   []Frame  // the fullest device first; it has the labels
	Left     string   // what is said of devices that are not drawn
	Most     int64    // where the cache ends at the longest context that fits; 0 where there is none
	MostSay  string   // "73,338 tokens fit"
	Grip     MemoryOf // for whoever drags the cache's end
}

// Frame is one device: what it holds from the left, and between which sums a run may lie.
type Frame struct {
	Held      []Held
	Low, High int64
}

// Name is the device with its capacity: "NVIDIA H100 SXM 80 GB · 85.5 GB".
func (c *Memory) Name() string {
	if c.Capacity == "" {
		return c.Device
	}
	return c.Device + " · " + c.Capacity
}

// Sum is what the device holds in all.
func (f *Frame) Sum() int64 {
	sum := int64(0)
	for i := range f.Held {
		sum = min(sum+f.Held[i].Bytes, 1<<61)
	}
	return sum
}

// Held is something that a device holds. An estimate is hatched.
type Held struct {
	Class, Name string
	Bytes       int64
	Estimate    bool
}

// MemoryOf turns a place on the frame into a length of the context: the cache ends at From + Per · tokens. Per is 0 where
// the cache does not grow.
type MemoryOf struct{ From, Per, Tokens int64 }

// Measures of the bar.
const (
	memoryLine  px = 13_00 // middle of the dimension line
	memoryTop   px = 40_00 // of the first frame
	memoryHigh  px = 56_00 // of it
	bandEnds    px = 8_00  // how high the ends of a band are
	memoryLow   px = 12_00 // of the others
	memoryRow   px = 16_00 // of a name that has a row of its own
	memoryWidth px = 7_20  // of a character of its labels
	hatch       px = 7_00
)

func memoryText(s string) px { return textWidth(s) * memoryWidth / charWidth }

// SVG draws the bar on a sheet of a width in pixels; class tells the stylesheet which of several widths it is.
func (c *Memory) SVG(width int64, class string) string {
	whole := width * 100
	most := max(c.Room, 1)
	for i := range c.Frames {
		f := &c.Frames[i]
		most = max(most, f.Sum(), f.High)
	}
	at := func(n int64) px { return mulDiv(n, whole-2_00, most) + 1_00 }
	right := at(c.Room)
	var b markup.Writer
	first := &c.Frames[0]
	labels, below := c.labels(first, at, whole)
	height := memoryTop + memoryHigh + below
	rest := height + 4_00
	if n := len(c.Frames) - 1; n > 0 {
		height = rest + px(n)*(memoryLow+3_00)
	}
	if c.Left != "" {
		height += 18_00
	}
	// The name stands on the dimension line, else right of it. Where it is too long for both it takes a row above: the line goes
	// down where no longest context is told, else all of it does.
	name, line, lift := c.Name(), memoryLine, px(0)
	long := memoryText(name)
	apart := right < long+24_00 && right+8_00+long > whole
	if apart {
		name = c.Capacity
		if c.Most > 0 {
			lift = memoryRow
		} else {
			line += memoryRow
		}
	}
	b.Raw(`<svg class="memory `).Text(class).Raw(`"`).Lengths(` viewBox="0 @ @ @" width="@" height="@" role="img"`, -lift, whole, height+lift+1_00, whole, height+lift+1_00).Attr("aria-label", c.Label)
	if g := c.Grip; g.Per > 0 {
		b.Raw(` data-from="`).Int(g.From).Raw(`" data-per="`).Int(g.Per).Raw(`" data-tokens="`).Int(g.Tokens).Raw(`" data-whole="`).Int(most).Raw(`"`)
	}
	b.Raw(`>`)
	// The capacity, as a plan gives a length.
	mid, half := right/2, memoryText(name)/2+8_00
	b.Lengths(`<path class="dimension" d="M@ @v@M@ @v@`, 1_00, line-6_00, 12_00, right, line-6_00, 12_00)
	beside := mid < half+4_00 // the frame is narrower than its name
	if beside {
		b.Lengths(`M@ @H@`, 1_00, line, right)
	} else {
		b.Lengths(`M@ @H@M@ @H@`, 1_00, line, mid-half, mid+half, line, right)
	}
	b.Raw(`"/>`)
	if beside {
		b.Lengths(`<text x="@" y="@">`, right+8_00, line+4_50).Text(fit(name, (whole-right-8_00)*charWidth/memoryWidth)).Raw(`</text>`)
	} else {
		writeText(&b, "mid", mid, line+4_50, name)
	}
	if apart {
		writeText(&b, "name", 1_00, line+4_50-memoryRow, fit(c.Device, whole*charWidth/memoryWidth))
	}
	if c.Most > 0 {
		x := min(at(c.Most), whole)
		b.Lengths(`<path class="most" d="M@ @v@"/>`, x, memoryTop-9_00, memoryHigh+9_00)
		say, class := c.MostSay, "end most"
		if x-6_00 < memoryText(say) {
			class = "most"
			b.Lengths(`<text class="most" x="@" y="@">`, min(x+5_00, whole-memoryText(say)), memoryTop-7_00).Text(say).Raw(`</text>`)
		} else {
			writeText(&b, class, x-5_00, memoryTop-7_00, say)
		}
	}
	c.frame(&b, first, at, memoryTop, memoryHigh, right)
	for i := range labels { // a line that has to pass a name passes behind it
		labels[i].lead(&b)
	}
	for i := range labels {
		labels[i].write(&b)
	}
	for i := 1; i < len(c.Frames); i++ {
		c.frame(&b, &c.Frames[i], at, rest+px(i-1)*(memoryLow+3_00), memoryLow, right)
	}
	if c.Left != "" {
		writeText(&b, "quiet", 1_00, height-3_00, c.Left)
	}
	if c.Grip.Per > 0 {
		x := px(0)
		for n, i := int64(0), 0; i < len(first.Held); i++ {
			if n += first.Held[i].Bytes; first.Held[i].Class == "m-cache" {
				x = at(n)
			}
		}
		b.Raw(`<g class="grip" data-grip>`)
		b.Lengths(`<rect x="@" y="@" width="@" height="@" fill="none" pointer-events="all"/><path d="M@ @v@m@ @v@"/></g>`,
			x-12_00, memoryTop-8_00, 24_00, memoryHigh+16_00, x-2_00, memoryTop+memoryHigh/2-9_00, 18_00, 4_00, -18_00, 18_00)
	}
	return b.Raw(`</svg>`).String()
}

// Small is the first frame alone, as wide as its place: beside words that say it all.
func (c *Memory) Small() string {
	f := &c.Frames[0]
	most := max(c.Room, f.Sum(), 1)
	at := func(n int64) px { return mulDiv(n, 998_00, most) + 1_00 }
	var b markup.Writer
	b.Raw(`<svg class="memory small" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">`)
	c.frame(&b, f, at, 1_00, 10_00, at(c.Room))
	return b.Raw(`</svg>`).String()
}

// frame draws a device: what it holds, the band of its sum, and its border last, so that an overflow crosses it.
func (c *Memory) frame(b *markup.Writer, f *Frame, at func(int64) px, y, high, right px) {
	from := int64(0)
	for _, h := range f.Held {
		x := at(from)
		from += h.Bytes
		w := max(at(from)-x, 50)
		b.Raw(`<g class="held `).Text(h.Class).Raw(`"><title>`).Text(h.Name + " " + units.Bytes(h.Bytes).In(c.Unit)).Raw(`</title>`)
		b.Lengths(`<rect x="@" y="@" width="@" height="@"/>`, x, y, w, high)
		if h.Estimate {
			hatched(b, x, y, w, high)
		}
		b.Raw(`</g>`)
	}
	if from > c.Room {
		b.Lengths(`<rect class="over" x="@" y="@" width="@" height="@"/>`, right, y, at(from)-right, high)
	}
	b.Lengths(`<rect class="device" x="@" y="@" width="@" height="@"/>`, 1_00, y, right-1_00, high)
	if low, top := at(f.Low), at(f.High); high == memoryHigh && top-low > bandEnds { // a narrower one would look like a letter
		b.Lengths(`<path class="band" d="M@ @v@M@ @H@M@ @v@"/>`, low, y+high-14_00, bandEnds, low, y+high-10_00, top, top, y+high-14_00, bandEnds)
	}
}

// hatched draws lines across a rectangle, from the lower left to the upper right.
func hatched(b *markup.Writer, x, y, w, h px) {
	b.Raw(`<path class="hatch" d="`)
	for s := hatch; s < w+h; s += hatch { // where the line would meet the lower side
		x0, x1 := max(s-h, 0), min(s, w)
		b.Lengths("M@ @L@ @", x+x0, y+s-x0, x+x1, y+s-x1)
	}
	b.Raw(`"/>`)
}

// memoryLabel is a name and its amount, with a line to what it names where it stands elsewhere.
type memoryLabel struct {
	class, name, amount string
	x, y, long          px    // where the words begin, and how long they are
	line                [4]px // from and to; all 0 without one
}

func (l *memoryLabel) lead(b *markup.Writer) {
	if l.line != [4]px{} {
		b.Lengths(`<path class="lead" d="M@ @L@ @"/>`, l.line[0], l.line[1], l.line[2], l.line[3])
	}
}

// write sets the words. Left of a line they end there: where the letters are larger than here, they do not pass it.
func (l *memoryLabel) write(b *markup.Writer) {
	x, class := l.x, l.class
	if x < l.line[0] {
		x, class = x+l.long, class+" end"
	}
	b.Raw(`<text class="`).Text(class).Raw(`"`).Lengths(` x="@" y="@">`, x, l.y).Text(l.name).Raw("\u00a0", `<tspan class="amount">`).Text(l.amount).Raw(`</tspan></text>`)
}

// crossedBy says whether another label's line would pass through the words, or touch them.
func (l *memoryLabel) crossedBy(p *memoryLabel) bool {
	return p != l && p.line[0] > l.x-4_00 && p.line[0] < l.x+l.long+4_00
}

// turned is the label left of its line, where it stands right of it and there is room.
func (l *memoryLabel) turned() (memoryLabel, bool) {
	t := *l
	t.x = l.line[0] - 6_00 - l.long
	return t, l.x > l.line[0] && t.x >= 0
}

// labels places the names: inside where there is room, else in rows below. It returns how much is taken below the frame.
func (c *Memory) labels(f *Frame, at func(int64) px, whole px) (out []memoryLabel, below px) {
	from, bottom, right := int64(0), memoryTop+memoryHigh, at(c.Room)
	var under []memoryLabel
	put := func(class, name string, n, start int64) {
		l := memoryLabel{class: class, name: name, amount: units.Bytes(n).In(c.Unit)}
		x, end := at(start), at(start+n)
		l.long = memoryText(l.name + " " + l.amount)
		if x < right && right < x+10_00+l.long*5/4+4_00 && right < end {
			x = right // the frame's side would pass through the words, whose letters are larger where the bar is smaller
		}
		if end-x > l.long+20_00 {
			l.class += " inside"
			l.x, l.y = x+10_00, memoryTop+memoryHigh/2+5_00
			out = append(out, l)
			return
		}
		l.class += " under"
		mid := (at(start) + end) / 2
		if l.x = mid + 4_00; l.x+l.long > whole {
			l.x = max(mid-6_00-l.long, 0)
		}
		l.line = [4]px{mid, bottom + 2_00, mid, 0}
		under = append(under, l)
	}
	for _, h := range f.Held {
		if h.Bytes > 0 {
			put(h.Class, h.Name, h.Bytes, from)
		}
		from += h.Bytes
	}
	if from < c.Room {
		put("m-free", "free", c.Room-from, from)
	}
	// A label stands right of its line, or left of it at the edge. Where two would each be crossed by the other's line, one goes to
	// the left of its own, or two do.
	order := rows(under, false)
	for n := 1; order == nil && n <= 2; n++ {
		for mask := uint(0); order == nil && mask < 1<<len(under); mask++ {
			if bits.OnesCount(mask) != n {
				continue
			}
			tried, ok := append([]memoryLabel(nil), under...), true
			for i := range tried {
				if mask>>i&1 != 0 && ok {
					tried[i], ok = tried[i].turned()
				}
			}
			if ok {
				if order = rows(tried, false); order != nil {
					under = tried
				}
			}
		}
	}
	if order == nil { // more names than there is width for
		order = rows(under, true)
	}
	for k, i := range order {
		l := &under[i]
		l.y = bottom + 28_00
		for j := 0; j < k; j++ {
			p := &under[order[j]]
			meets := p.y == l.y && p.x < l.x+l.long+14_00 && l.x < p.x+p.long+14_00
			if meets || p.y >= l.y && l.crossedBy(p) {
				l.y, j = l.y+18_00, -1
			}
		}
		l.line[3] = l.y - 4_00
		below = max(below, l.y+6_00-bottom)
	}
	return append(out, under...), below
}

// rows orders labels so that each comes after those whose lines pass through its words, and so goes under them. Where some
// wait for each other it is nil, or if it must the one comes first that waits for the fewest. Labels right of their lines come
// from the right, the others from the left.
func rows(all []memoryLabel, must bool) []int {
	var order []int
	set := make([]bool, len(all))
	for len(order) < len(all) {
		next, least := -1, 0
		for i := range all {
			waits := 0
			for j := range all {
				if !set[j] && all[i].crossedBy(&all[j]) {
					waits++
				}
			}
			right := all[i].x > all[i].line[0]
			if !set[i] && (next < 0 || waits < least || waits == least && right) {
				next, least = i, waits
			}
		}
		if least > 0 && !must {
			return nil
		}
		set[next] = true
		order = append(order, next)
	}
	return order
}
