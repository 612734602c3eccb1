// Package card paints the picture that a link shows in a chat or a feed: 1200 × 630 pixels with
// the model to scale, its name, its exact count and what it consists of.
//
// A [Card] says what is on it; [Of] makes the card of an answer. [Paint] paints it with the
// colours and the letters of a [Kit]. The generator paints the cards of the site's own pages
// (build/cards, which also makes the kit), the host's edge those of all other questions
// (wasm/edge): the same card and kit give the same pixels.
//
// A picture has at most 256 colours, and its pixels are their numbers: a file is small and quickly
// packed. Packing is the host's, as it has a deflate of its own.
package card

import (
	"llmsize/core/model"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/view"
)

// Width and Height of every card, in pixels.
const Width, Height = 1200, 630

// Card is what is on a picture.
type Card struct {
	Site    string // "llmsize", in the corner
	Title   string // "Llama 3.1 8B"
	Kicker  string // behind the title, where there is room: "Meta"
	Told    string // there in any case, instead: "changed", when the count is not that of what the title names
	Text    string // below it, for a page that is not about one number; else the count stands there
	Count   units.Params
	About   bool   // the count is an estimate
	Reading string // behind the count: "8.03 B parameters"
	Note    string // at the end of the last line: "37.6 B active per token"
	ByRole  [model.NumRoles]units.Params
	Figure  string      // instead of the count: "68.6 GB"
	Hill    *Hill       // memory over a step, instead of the model
	Memory  *Memory     // what a device holds, instead of the parameters by role
	Scene   chart.Scene // the model to scale, laid out for SceneWidth × SceneHeight
}

// The sheet on which the model is drawn; it is painted 1.75 times as large.
const (
	SceneWidth  = 622
	SceneHeight = 168
)

// Answer is the card of a question's answer: of one about training the memory of a step, else [Brief]'s.
func Answer(r *report.Report) Card {
	if view.OfTraining(&r.Query) {
		if c, ok := OfStep(r); ok {
			return c
		}
	}
	return Brief(r)
}

// Brief is the card of a question's answer without what has to be laid out first: of a question about training or running it
// has, below the model, what a device holds. It is for a host that has no room for packages step and timeline.
func Brief(r *report.Report) Card {
	c := Of(r)
	switch {
	case view.OfTraining(&r.Query):
		c.Memory = trainingOf(r)
	case view.OfRunning(&r.Query):
		c.Memory = memoryOf(r)
	}
	return c
}

// Of is the card of an answer that shows the model. What the catalogue knows of the model, its maker, is the host's to add.
func Of(r *report.Report) Card {
	p := &r.Parameters
	told := ""
	if len(r.Query.Set) > 0 {
		told = "changed"
	}
	return Card{
		Told:  told,
		Title: view.Name(r), Count: p.Total, About: !r.Exact(), Reading: p.Total.Short() + " parameters",
		Note: view.Note(r), ByRole: p.ByRole, Scene: chart.SceneOf(r.Model, SceneWidth, SceneHeight),
	}
}

// Alt says in words what a card shows.
func (c *Card) Alt() string {
	s := c.Title
	if c.Told != "" {
		s += ", " + c.Told
	}
	switch {
	case c.Text != "":
		s += ". " + c.Text
	case c.Figure != "":
		s += ": " + c.Figure + " " + c.Reading
	case c.Count > 0:
		s += ": " + c.Count.String() + " parameters"
	}
	if last := s[len(s)-1]; last != '.' && last != '?' {
		s += "."
	}
	if c.Hill != nil {
		s += " Memory over the step is drawn, highest at " + c.Hill.Told + "."
	}
	if m := c.Memory; m != nil {
		s += " What " + m.Name + " holds is drawn to scale"
		for i := range m.Parts {
			s += ", " + m.Parts[i].Name + " " + m.Parts[i].Reading
		}
		s += "."
	}
	if len(c.Scene.Shapes) > 0 {
		s += " Its weight matrices are drawn to scale."
	}
	return s
}
