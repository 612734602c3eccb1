// Package mechanism draws how parts of a model work: a forward pass number by number, one matrix over many rows,
// heads that share keys, a latent, a router, shards, a pipeline, a recurrence, attention in blocks.
//
// Every drawing is a function of its arguments, computed when the site is built, in the calculator's colours, and
// at most 328 units wide, so that its letters are as large on a narrow telephone as elsewhere.
package mechanism

import (
	"math"
	"strconv"
	"strings"

	"llmsize/site/markup"
)

// Kinds are the drawings, by the name that a text gives.
var Kinds = map[string]func() string{
	"forward": forward, "rows": rows, "heads": heads, "latent": latent, "router": router,
	"shards": shards, "schedule": schedule, "recurrence": recurrence, "flash": flash, "window": window, "exchange": exchange,
}

// whole is the width of every sheet.
const whole = 328

// sheet is a drawing on its way. Lengths are whole units.
type sheet struct {
	markup.Writer
	height int
	whole  bool // numbers of tables are whole
}

// svg closes a sheet: what is drawn, in words for those who hear the page.
func (s *sheet) svg(label string) string {
	var w markup.Writer
	w.Raw(`<svg class="mech" viewBox="0 0 `).Text(itoa(whole)).Raw(" ").Text(itoa(s.height)).Raw(`" width="`).Text(itoa(whole)).Raw(`" height="`).Text(itoa(s.height)).Raw(`" role="img"`).Attr("aria-label", label).Raw(">").Add(s.Markup()).Raw(`</svg>`)
	return w.String()
}

func itoa(n int) string { return strconv.Itoa(n) }

// to makes the sheet at least so high.
func (s *sheet) to(y int) { s.height = max(s.height, y) }

// box is a filled rectangle with the class of a role.
func (s *sheet) box(x, y, w, h int, class string) {
	s.Raw(`<rect class="`).Text(class).Raw(`" x="`).Text(itoa(x)).Raw(`" y="`).Text(itoa(y)).Raw(`" width="`).Text(itoa(w)).Raw(`" height="`).Text(itoa(h)).Raw(`"/>`)
	s.to(y + h + 2)
}

// say writes words with their middle, start or end at x, by the class mid, "" or end.
func (s *sheet) say(x, y int, class, words string) {
	s.Raw(`<text class="`).Text(class).Raw(`" x="`).Text(itoa(x)).Raw(`" y="`).Text(itoa(y)).Raw(`">`).Text(words).Raw(`</text>`)
	s.to(y + 5)
}

// labelled is a box with words in its middle.
func (s *sheet) labelled(x, y, w, h int, class, words string) {
	s.box(x, y, w, h, class)
	s.say(x+w/2, y+h/2+4, "mid", words)
}

// line goes through points; with a head it ends in an arrow.
func (s *sheet) line(class string, head bool, points ...int) {
	s.Raw(`<path class="`).Text(class).Raw(`" d="M`).Text(itoa(points[0])).Raw(" ").Text(itoa(points[1]))
	for i := 2; i < len(points); i += 2 {
		s.Raw("L").Text(itoa(points[i])).Raw(" ").Text(itoa(points[i+1]))
		s.to(points[i+1] + 2)
	}
	if head {
		n := len(points)
		dx, dy := float64(points[n-2]-points[n-4]), float64(points[n-1]-points[n-3])
		l := math.Max(math.Hypot(dx, dy), 1)
		dx, dy = dx/l, dy/l
		x, y := float64(points[n-2]), float64(points[n-1])
		at := func(along, across float64) string {
			return strconv.FormatFloat(x-along*dx-across*dy, 'f', 1, 64) + " " + strconv.FormatFloat(y-along*dy+across*dx, 'f', 1, 64)
		}
		s.Raw("M").Text(at(6, 3.5)).Raw("L").Text(at(0, 0)).Raw("L").Text(at(6, -3.5))
	}
	s.Raw(`"/>`)
}

// table draws numbers as cells. mark says of a cell which class it has; nil marks none.
func (s *sheet) table(x, y, cell int, m [][]float64, class string, mark func(i, j int) string) {
	const high = 18
	for i, row := range m {
		for j, v := range row {
			own := class
			if mark != nil {
				if c := mark(i, j); c != "" {
					own = c
				}
			}
			s.Raw(`<rect class="`).Text(own).Raw(`" x="`).Text(itoa(x + j*cell)).Raw(`" y="`).Text(itoa(y + i*high)).Raw(`" width="`).Text(itoa(cell)).Raw(`" height="`).Text(itoa(high)).Raw(`"/>`)
			s.Raw(`<text class="num mid" x="`).Text(itoa(x + j*cell + cell/2)).Raw(`" y="`).Text(itoa(y + i*high + 13)).Raw(`">`).Text(s.number(v)).Raw(`</text>`)
		}
	}
	s.to(y + len(m)*high + 2)
}

// number is how the sheet's tables write one.
func (s *sheet) number(v float64) string {
	if s.whole {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return short(v)
}

// short is a number of a small table: two decimals, a real minus, and nothing for what a mask hides.
func short(v float64) string {
	if math.IsInf(v, -1) {
		return "–∞"
	}
	return minus(v, 'f', 2)
}

// minus writes a number with a real minus, and none before zeros.
func minus(v float64, form byte, digits int) string {
	t := strconv.FormatFloat(math.Abs(v), form, digits, 64)
	if v < 0 && strings.Trim(t, "0.") != "" {
		t = "−" + t
	}
	return t
}
