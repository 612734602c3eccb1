package answers

import (
	"llmsize/content/catalogue"
	"llmsize/core/query"
	"llmsize/site/card"
)

// Card is the card of a query's answer: the model that it is about, with its count.
func (e *Engine) Card(text string) (card.Card, error) {
	if kept, ok := e.cards[text]; ok {
		return kept, nil
	}
	r, err := e.report(text)
	if err != nil {
		return card.Card{}, err
	}
	c := card.Answer(r)
	if m, ok := e.catalogue.Find(r.Query.Get(query.Model)); ok {
		c.Kicker = m.Maker
	}
	e.cards[text] = c
	return c, nil
}

// Presets are the questions worth asking, in the order of their names.
func (e *Engine) Presets() []catalogue.Preset { return e.presets }
