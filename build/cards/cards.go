// Package cards paints the picture that a link shows in a chat or a feed: 1200 × 630 pixels with
// the model to scale, its name, its exact count and what it consists of.
//
// A [Card] says what stands on it, a [Painter] paints it in the colours of the site's dark theme,
// as a blueprint: the same card gives the same bytes. Painting and packing one takes 11 ms, so
// pictures are kept in a folder by the hash of all that goes into them, this package's own
// source included:
//
//	painter := &cards.Painter{Colours: colours, Dir: ".cache/cards"}
//	pictures, err := painter.All(list)
//
// The type is STIX Two for names and numbers and Go's own sans for labels: fonts that come as Go
// modules, so that every machine paints the same letters.
package cards

import (
	"llmsize/core/arch"
	"llmsize/core/units"
	"llmsize/site/chart"
)

// Width and Height of every card, in pixels.
const Width, Height = 1200, 630

// Card is what stands on a picture.
type Card struct {
	Site    string // "llmsize", in the corner
	Title   string // "Llama 3.1 8B"
	Kicker  string // behind the title, where there is room: "Meta"
	Text    string // below it, for a page that is not about one number; else the count stands there
	Count   units.Params
	About   bool   // the count is an estimate
	Reading string // behind the count: "8.03 B parameters"
	Note    string // at the end of the last line: "37.6 B active per token"
	ByRole  [arch.NumRoles]units.Params
	Scene   chart.Scene // the model to scale, laid out for SceneWidth × SceneHeight
}

// The sheet on which the model is drawn; it is painted 1.75 times as large.
const (
	SceneWidth  = 622
	SceneHeight = 168
)

// Alt says in words what a card shows.
func (c *Card) Alt() string {
	s := c.Title
	switch {
	case c.Text != "":
		s += ". " + c.Text
	case c.Count > 0:
		s += ": " + c.Count.String() + " parameters"
	}
	if last := s[len(s)-1]; last != '.' && last != '?' {
		s += "."
	}
	if len(c.Scene.Shapes) > 0 {
		s += " Its weight matrices are drawn to scale."
	}
	return s
}
