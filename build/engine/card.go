package engine

import (
	"llmsize/build/cards"
	"llmsize/build/catalogue"
	"llmsize/core/arch"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/chart"
)

// Card is the card of a query's answer: the model that it is about, with its count.
func (e *Engine) Card(text string) (cards.Card, error) {
	if kept, ok := e.cards[text]; ok {
		return kept, nil
	}
	r, err := e.report(text)
	if err != nil {
		return cards.Card{}, err
	}
	c := cards.Card{
		Title: r.Subject.Name, Count: r.Parameters.Total, About: !r.Exact(),
		Reading: r.Parameters.Total.Short() + " parameters", Note: note(r),
		ByRole: r.Parameters.ByRole, Scene: chart.SceneOf(r.Model, cards.SceneWidth, cards.SceneHeight),
	}
	if m, ok := e.catalogue.Find(r.Query.Get(query.Model)); ok {
		c.Kicker = m.Maker
	}
	e.cards[text] = c
	return c, nil
}

// note is what a card says beside the parts: what of the model works at once, or what it weighs.
func note(r *report.Report) string {
	unit := r.Query.Get(query.Units)
	switch {
	case r.Query.Has(query.Context) && r.Cache.Bytes > 0: // a question about memory
		return r.Weights.Bytes.In(unit) + " + " + r.Cache.Bytes.In(unit) + " cache"
	case r.Parameters.Active != r.Parameters.Total && r.Parameters.ByRole[arch.Expert] > 0:
		return r.Parameters.Active.Short() + " active per token"
	}
	return r.Weights.Bytes.In(unit) + " in " + r.Weights.Format
}

// Presets are the questions worth asking, in the order of their names.
func (e *Engine) Presets() []catalogue.Preset { return e.presets }
