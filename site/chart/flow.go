package chart

import (
	"llmsize/core/model"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// Flow is the way of a token through a model, from top to bottom: a stream as wide
// as the hidden state, boxes that are in it, and layers whose steps read the
// stream and add to it. It is not to scale; what [Draw] draws is.
type Flow struct {
	Label  string // what is seen, in a sentence, for those who hear the page
	To     string // what comes out at the end, "a score for each token"
	Stages []Stage
}

// Stage is a box in the stream, or a frame around the steps of one kind of layer.
type Stage struct {
	From  string // what a stream of its own begins with, "tokens"; empty where the one before goes on
	Title string
	Times int64 // layers of this kind; 0 for a box
	Steps []Step
}

// Step is a mixer, a feed-forward, a norm: what it is in words, and what is drawn of it.
type Step struct {
	Role          model.Role
	Title, Detail string
	Heads, KV     int64 // attention: query heads, and the key and value heads that they share
	Latent        bool  // attention: one latent stands for all keys and values
	Window        bool  // attention: not the whole context
	In, Mid       int64 // feed-forward: its two widths
	Experts, TopK int64 // tiles, and how many of them work on a token
	State         bool  // it hands a state to the next token
	Aside         bool  // stands on the stream and adds nothing: a norm
}

// Sizes of the drawing, in hundredths of a pixel.
const (
	flowStream px = 20_00 // where the stream runs
	flowBox    px = 46_00 // where boxes begin
	flowGlyph  px = 150_00
	flowLine   px = 15_00 // of text
	flowGap    px = 10_00
)

// SVG draws the flow on a sheet of a width in pixels.
func (c *Flow) SVG(width int64) string {
	w := width * 100
	var b, streams markup.Writer
	y, top := px(0), px(0)
	end := func() {
		y += flowGap + 4_00
		streams.Lengths(`<path class="stream" d="M@ @V@m-4 -6l4 6l4 -6"/>`, flowStream, top, y)
	}
	for i := range c.Stages {
		s := &c.Stages[i]
		if i == 0 || s.From != "" {
			if i > 0 {
				end()
			}
			y += 14_00
			writeText(&b, "own", 8_00, y, s.From)
			y += 6_00
			top = y
		}
		y += flowGap
		if s.Times > 0 {
			y = s.frame(&b, y, w)
			continue
		}
		for j := range s.Steps {
			if j > 0 {
				y += flowGap
			}
			y = s.Steps[j].draw(&b, y, w)
		}
	}
	end()
	y += 14_00
	writeText(&b, "own", 8_00, y, c.To)
	y += 8_00
	var out markup.Writer
	out.Raw(`<svg class="chart flow" role="img"`).Attr("aria-label", c.Label).Lengths(` viewBox="0 0 @ @" width="@" height="@">`, w, y, w, y)
	return out.Add(streams.Markup()).Add(b.Markup()).Raw(`</svg>`).String()
}

// frame draws the steps of a kind of layer inside a frame, and returns where it ends.
func (s *Stage) frame(b *markup.Writer, y, w px) px {
	var in markup.Writer
	writeText(&in, "own", flowBox, y+17_00, fit(s.Title, w-flowBox-60_00))
	writeText(&in, "end own", w-10_00, y+17_00, "× "+units.Group(s.Times))
	end := y + 26_00
	for j := range s.Steps {
		end = s.Steps[j].draw(&in, end, w-8_00) + flowGap
	}
	b.Lengths(`<path class="level" d="M2 @H@V@H2z"/>`, y, w-2_00, end).Add(in.Markup())
	return end
}

// draw draws a step at a height and returns where it ends: a box with its words,
// what is drawn of it beside or below them, and its way from the stream and back.
func (s *Step) draw(b *markup.Writer, y, right px) px {
	var glyph markup.Writer
	high := s.glyph(&glyph)
	lines := wrap(s.Detail, right-flowBox-16_00)
	beside := right-flowBox >= 420_00
	if beside && high > 0 {
		lines = wrap(s.Detail, right-flowBox-flowGlyph-32_00)
	}
	words := 22_00 + flowLine*px(len(lines))
	height := words
	gx, gy := right-flowGlyph-8_00, y
	if beside {
		height = max(words, high+12_00)
		gy += (height - high) / 2
	} else if high > 0 {
		gx, gy = flowBox+8_00, y+words
		height += high + 8_00
	}
	b.Raw(`<g class="`).Text(RoleClass(s.Role)).Lengths(`"><path class="step" d="M@ @H@V@H@z"/>`, flowBox, y, right, y+height, flowBox)
	writeText(b, "own", flowBox+8_00, y+15_00, s.Title)
	for i, line := range lines {
		writeText(b, "", flowBox+8_00, y+30_00+flowLine*px(i), line)
	}
	if high > 0 {
		b.Lengths(`<g transform="translate(@ @)">`, gx, gy).Add(glyph.Markup()).Raw(`</g>`)
	}
	b.Raw(`</g>`)
	if s.Aside {
		b.Lengths(`<path class="way" d="M@ @H@"/>`, flowStream, y+height/2, flowBox)
		return y + height
	}
	// From the stream into the box, and from the box back: the plus is where it is added.
	in, back := y+9_00, y+height-9_00
	b.Lengths(`<path class="way" d="M@ @H@m-5 -3l5 3l-5 3M@ @H@"/>`, flowStream, in, flowBox, flowBox, back, flowStream+6_00)
	b.Lengths(`<circle class="spot" cx="@" cy="@" r="6"/><path class="way" d="M@ @h6m-3 -3v6"/>`, flowStream, back, flowStream-3_00, back)
	return y + height
}

// glyph draws what a step is, and returns how high that is: 0 when there is nothing to draw.
func (s *Step) glyph(b *markup.Writer) px {
	switch {
	case s.Experts > 1:
		return tilesGlyph(b, s.Experts, s.TopK)
	case s.Heads > 0:
		return headsGlyph(b, s)
	case s.In > 0 && s.Mid > 0:
		return widthsGlyph(b, s.In, s.Mid)
	case s.State:
		// A box whose outcome comes back in: a state that goes from token to token.
		b.Raw(`<path class="part" d="M50 12h50v20h-50z"/><path class="way" d="M100 22h16v-18h-82v18h15m-5 -3l5 3l-5 3"/>`)
		return 34_00
	}
	return 0
}

// most heads and groups of heads that are drawn; dots say that there are more.
const mostGroups, mostHeads = 8, 8

// headsGlyph draws groups of query heads over the key and value head that they
// share: one group each where every head has its own, one wide group for a latent.
func headsGlyph(b *markup.Writer, s *Step) px {
	kv := max(s.KV, 1)
	if s.Latent {
		kv = 1
	}
	groups, each := min(kv, mostGroups), min(max(s.Heads/kv, 1), mostHeads)
	room := (flowGlyph - 12_00) / groups // of a group, the gap behind it included
	step := min((room-4_00)/each, 9_00)
	b.Raw(`<path class="part" d="`)
	for g := range groups {
		for h := range each {
			b.Lengths("M@ 4h@v9h-@z", g*room+h*step, step-1_50, step-1_50)
		}
	}
	b.Raw(`"/><path class="part held" d="`)
	for g := range groups {
		b.Lengths("M@ 17h@v9h-@z", g*room, each*step-1_50, each*step-1_50)
	}
	b.Raw(`"/>`)
	if s.Heads/kv > each || kv > groups {
		writeText(b, "", (groups-1)*room+each*step+2_00, 20_00, "…")
	}
	if s.Window {
		// The causal triangle, cut to a band.
		b.Raw(`<path class="way" d="M0 30h26"/><path class="part" d="M0 34l22 22v-9l-13 -13z"/>`)
		return 58_00
	}
	return 30_00
}

// widthsGlyph draws a state that is made wider and narrow again, the two widths in proportion.
func widthsGlyph(b *markup.Writer, in, mid int64) px {
	big := max(in, mid)
	a, m := mulDiv(in, 17_00, big), mulDiv(mid, 17_00, big)
	b.Lengths(`<path class="part" d="M30 @L70 @L110 @V@L70 @L30 @z"/>`, 19_00-a, 19_00-m, 19_00-a, 19_00+a, 19_00+m, 19_00+a)
	return 38_00
}

// tilesGlyph draws a tile for every expert; those that work on a token are filled.
func tilesGlyph(b *markup.Writer, n, active int64) px {
	n = min(n, mostTiles)
	row := int64(32)
	if n <= 16 {
		row = n
	}
	pitch := min((flowGlyph-8_00)/row, 12_00)
	b.Raw(`<path class="part held" d="`)
	for i := range n {
		if i == active {
			b.Raw(`"/><path class="part" d="`)
		}
		b.Lengths("M@ @h@v@h-@z", i%row*pitch, 4_00+i/row*pitch, pitch-1_00, pitch-1_00, pitch-1_00)
	}
	b.Raw(`"/>`)
	return 8_00 + (n+row-1)/row*pitch
}

// wrap breaks words into lines of a width.
func wrap(s string, width px) []string {
	var lines []string
	for len(s) > 0 {
		end, next := len(s), len(s)
		if textWidth(s) > width {
			end, next = 0, 0
			for i := 0; i < len(s); i++ {
				if s[i] != ' ' {
					continue
				}
				if end > 0 && textWidth(s[:i]) > width {
					break
				}
				end, next = i, i+1
			}
			if end == 0 {
				end, next = len(s), len(s)
			}
		}
		lines = append(lines, s[:end])
		s = s[next:]
	}
	return lines
}
