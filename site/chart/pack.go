package chart

// box is an item with its place.
type box struct {
	item       *item
	x, y, w, h px
}

// sheet is a drawing that is being laid out.
type sheet struct {
	scale  scale
	limit  px   // width
	shelf  px   // width of a cluster
	keep   bool // else only the size is worked out
	apart  bool // each panel on a sheet of its own
	slides []slide
	boxes  []box
	tiles  []tileGrid
	titles []label
	marks  []mark
	width  px
	height px
}

// slide is a panel's sheet, where each has its own: its height, and what was put down by its end.
type slide struct {
	height px
	end    [4]int
}

// label is text at a place.
type label struct {
	x, y  px
	class string
	text  string
}

// mark is a dimension line: across when h is 0, down when w is 0.
type mark struct {
	x, y, w, h px
	item       *item
}

// tileGrid is a cluster of equal tiles.
type tileGrid struct {
	cluster         *cluster
	x, y, w, h, gap px // of one tile
	cols, n, active int64
}

// Measures of the sheet that do not scale.
const (
	gapItem    px = 4_00
	gapCluster px = 18_00
	gapPanel   px = 34_00
	gapRow     px = 14_00
	titleLine  px = 20_00 // room above a panel for its title
	dimLine    px = 18_00 // room above a cluster for dimension lines
	dimColumn  px = 22_00 // room beside a panel for the hidden size
	under      px = 32_00 // room below what isn't a layer, for its name and sides
	hairline   px = 1_00
	charWidth  px = 6_60 // of the sheet's 11 px type, on the safe side
	pleatRoom  px = 84_00
	mostPleats px = pleatRoom / 1_00 // past it, pleats would be closer than a pixel
)

// scale turns elements into pixels: num hundredths for den elements.
type scale struct{ num, den int64 }

func (s scale) of(n int64) px { return max(mulDiv(n, s.num, s.den), hairline) }

// textWidth is about how wide a text is.
func textWidth(s string) px {
	n := px(0)
	for range s {
		n++
	}
	return n * charWidth
}

// fit cuts a text to a width.
func fit(s string, width px) string {
	n := px(0)
	for i := range s {
		if n++; n*charWidth > width-charWidth && textWidth(s) > width {
			return s[:i] + "…"
		}
	}
	return s
}

// layOut finds the largest scale at which the panels fit into width × height,
// and places them: together, or apart, each in that room. A model of many parts,
// of which nothing would be seen there, gets more height.
func layOut(panels []panel, width, height px, apart bool) sheet {
	measure(panels)
	s := layOutIn(panels, width, height, apart)
	for tries := 0; tries < 4 && !s.legible(panels); tries++ {
		height = height * 3 / 2
		s = layOutIn(panels, width, height, apart)
	}
	return s
}

// legible reports whether the widest hidden size is more than a line.
func (s *sheet) legible(panels []panel) bool {
	widest := int64(0)
	for i := range panels {
		widest = max(widest, panels[i].hidden)
	}
	return s.scale.of(widest) >= 9_00
}

func layOutIn(panels []panel, width, height px, apart bool) sheet {
	den := int64(1)
	for i := range panels {
		for _, c := range panels[i].clusters {
			for _, it := range c.items {
				den = max(den, it.down.Size)
				if it.pleats == 0 {
					den = max(den, it.across.Size)
				}
			}
		}
	}
	fits := func(num int64, shelf px) bool {
		s := sheet{scale: scale{num, den}, limit: width, shelf: shelf, apart: apart}
		s.place(panels)
		return s.width <= width && s.height <= height
	}
	best, bestShelf := int64(1), width/2 // where nothing fits: narrow rather than low
	for _, part := range [...]px{50, 40, 33, 66, 100, 25, 20} {
		shelf := width * part / 100
		// A shelf that does no better than the best one so far costs one try.
		lo, hi := best+best/32+1, width
		if !fits(lo, shelf) {
			continue
		}
		for hi-lo > lo/64 {
			if mid := (lo + hi + 1) / 2; fits(mid, shelf) {
				lo = mid
			} else {
				hi = mid - 1
			}
		}
		best, bestShelf = lo, shelf
	}
	s := sheet{scale: scale{best, den}, limit: width, shelf: bestShelf, apart: apart, keep: true}
	s.place(panels)
	return s
}

// measure works out the widths of all texts, once.
func measure(panels []panel) {
	for i := range panels {
		panels[i].titleWidth = textWidth(panels[i].title) + charWidth
		for j := range panels[i].clusters {
			c := &panels[i].clusters[j]
			for k := range c.items {
				it := &c.items[k]
				it.dimWidth = textWidth(dimText(it.across)) + 8_00
			}
			if c.tiles {
				c.textWidth = textWidth(tileText(c))
				continue
			}
			for _, t := range captions(c) {
				c.textWidth = max(c.textWidth, textWidth(t))
			}
		}
	}
}

// place puts everything onto the sheet.
func (s *sheet) place(panels []panel) {
	x, y, rowHeight := px(0), px(0), px(0)
	for i := range panels {
		mark := s.state()
		w, h := s.panel(&panels[i], x, y)
		if s.apart {
			s.width, rowHeight = max(s.width, w), max(rowHeight, h)
			s.slides = append(s.slides, slide{h, s.state()})
			continue
		}
		if x > 0 && x+w > s.limit {
			s.back(mark)
			x, y, rowHeight = 0, y+rowHeight+gapRow, 0
			w, h = s.panel(&panels[i], x, y)
		}
		s.width = max(s.width, x+w)
		x += w + gapPanel
		rowHeight = max(rowHeight, h)
	}
	s.height = y + rowHeight
	if !s.apart {
		s.slides = append(s.slides, slide{s.height, s.state()})
	}
}

// state and back undo what did not fit into a row.
func (s *sheet) state() [4]int {
	return [4]int{len(s.boxes), len(s.tiles), len(s.titles), len(s.marks)}
}

func (s *sheet) back(m [4]int) {
	s.boxes, s.tiles, s.titles, s.marks = s.boxes[:m[0]], s.tiles[:m[1]], s.titles[:m[2]], s.marks[:m[3]]
}

// panel puts a panel at a place and returns its size.
func (s *sheet) panel(p *panel, x0, y0 px) (width, height px) {
	left, top := x0, y0
	if s.keep && p.title != "" {
		s.titles = append(s.titles, label{x0, y0 + 12_00, "title", fit(p.title, s.limit)})
	}
	if p.layer {
		width = min(p.titleWidth, s.limit)
		left, top = x0+dimColumn, y0+titleLine
	}
	x, y, rowHeight := left, top, px(0)
	firstBox := len(s.boxes)
	for i := range p.clusters {
		mark := s.state()
		w, h := s.cluster(p, &p.clusters[i], x, y)
		if x > left && x+w > x0+s.limit {
			s.back(mark)
			x, y, rowHeight = left, y+rowHeight+gapRow, 0
			w, h = s.cluster(p, &p.clusters[i], x, y)
		}
		width = max(width, x+w-x0)
		x += w + gapCluster
		rowHeight = max(rowHeight, h)
	}
	if p.layer && s.keep { // the hidden size, down the first item that has it
		for i := firstBox; i < len(s.boxes); i++ {
			if b := &s.boxes[i]; b.item.down.Size == p.hidden && !b.item.vector && b.h >= 14_00 {
				s.marks = append(s.marks, mark{x: left - 8_00, y: b.y, h: b.h, item: b.item})
				break
			}
		}
	}
	return width, y + rowHeight - y0
}

// cluster packs its items onto shelves.
func (s *sheet) cluster(p *panel, c *cluster, x0, y0 px) (width, height px) {
	if c.tiles {
		return s.grid(c, x0, y0)
	}
	top := y0 + dimLine
	if !p.layer {
		top += titleLine // in line with the layers' first matrices
	}
	x, y, rowHeight := x0, top, px(0)
	for i := range c.items {
		it := &c.items[i]
		w, h := s.scale.of(it.across.Size), s.scale.of(it.down.Size)
		if it.pleats > 0 {
			w = h
			if !it.tied {
				w += pleatPitch(it.pleats) * min(it.pleats, mostPleats)
			}
		}
		if x > x0 && x+w > x0+s.shelf {
			x, y, rowHeight = x0, y+rowHeight+gapItem, 0
		}
		if s.keep {
			s.boxes = append(s.boxes, box{item: it, x: x, y: y, w: w, h: h})
			if p.layer && y == top && !it.vector && it.pleats == 0 && w >= it.dimWidth {
				s.marks = append(s.marks, mark{x: x, y: top - 6_00, w: w, item: it})
			}
		}
		width = max(width, x+w-x0)
		x += w + gapItem
		rowHeight = max(rowHeight, h)
	}
	height = y + rowHeight - y0
	if !p.layer {
		if s.keep {
			for i, t := range captions(c) {
				s.titles = append(s.titles, label{x0, y0 + height + 12_00 + px(i)*13_00, "", fit(t, s.limit)})
			}
		}
		width = max(width, min(c.textWidth, s.limit))
		height += under
	}
	return width, height
}

// pleatPitch is how far one fold stands from the next.
func pleatPitch(n int64) px { return min(max(pleatRoom/n, 1_00), 3_00) }

// grid puts a cluster of equal tiles.
func (s *sheet) grid(c *cluster, x0, y0 px) (width, height px) {
	g := tileGrid{cluster: c, n: c.items[0].copies, active: c.items[0].active, gap: 3_00, x: x0, y: y0 + dimLine}
	for i := range c.items {
		it := &c.items[i]
		g.w += s.scale.of(it.across.Size)
		g.h = max(g.h, s.scale.of(it.down.Size))
	}
	if g.w < 12_00 {
		g.gap = 1_00
	}
	g.cols = min(max((s.shelf+g.gap)/(g.w+g.gap), 1), g.n)
	rows := (g.n + g.cols - 1) / g.cols
	if s.keep {
		s.tiles = append(s.tiles, g)
		s.titles = append(s.titles, label{x0, g.y - 5_00, "", fit(tileText(c), s.limit-dimColumn)})
	}
	return max(g.cols*(g.w+g.gap)-g.gap, min(c.textWidth, s.limit-dimColumn)), dimLine + rows*(g.h+g.gap) - g.gap
}
