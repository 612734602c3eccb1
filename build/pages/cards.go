package pages

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"llmsize/site/card"
)

// picture is a painted card.
type picture struct {
	data           []byte
	version, words string // what its address ends in, and what it shows
}

// about is all that a page's card depends on, beside the engine and the palette.
type about struct{ kind, query, drawn, title, number, question, description string }

func aboutPage(p *Page) about {
	return about{p.Kind, p.Query, p.Drawn, p.Title, p.Number, p.Question, p.Description}
}

// cards paints the picture of every page that a link may show, and puts it beside the page.
func (b *Builder) cards(out *Output) error {
	var list []*card.Card
	var missing []about
	for _, p := range out.Pages {
		key := aboutPage(p)
		if _, ok := b.pictures[key]; ok || !p.HasCard() {
			continue
		}
		made, err := b.card(p)
		if err != nil {
			return fmt.Errorf("%s: card: %w", p.Path, err)
		}
		missing, list = append(missing, key), append(list, made)
	}
	painted, err := b.painter.All(list)
	if err != nil {
		return err
	}
	for i, data := range painted {
		sum := sha256.Sum256(data)
		b.pictures[missing[i]] = picture{data, hex.EncodeToString(sum[:4]), list[i].Alt()}
	}
	for _, p := range out.Pages {
		if pic, ok := b.pictures[aboutPage(p)]; ok && p.HasCard() {
			path := p.Path + "card.png"
			out.Files[path] = pic.data
			// Who shows a link keeps its picture by the address: another picture has another one.
			p.Image, p.ImageAlt = p.Site.URL+path+"?"+pic.version, pic.words
		}
	}
	return nil
}

// card says what is on a page's card.
func (b *Builder) card(p *Page) (*card.Card, error) {
	c, err := b.Engine.Card(cmp.Or(p.Drawn, p.Query))
	if err != nil {
		return nil, err
	}
	c.Site = p.Site.Name
	switch p.Kind {
	case "model":
		return &c, nil
	case "preset":
		c.Title, c.Kicker, c.Told = p.Title, "", ""
		return &c, nil
	}
	// The others are about more than one model, and show one.
	if c.Hill == nil {
		c.Note = c.Title + " to scale"
	} else {
		h := *c.Hill
		h.Told = c.Title + ", " + c.Figure + " at the peak of a step: " + h.Told
		c.Hill, c.Figure, c.Note = &h, "", ""
	}
	c.Count, c.Title, c.Kicker, c.Text = 0, p.Title, "", p.Question
	switch {
	case p.Kind == "home":
		c.Title, c.Site = p.Site.Name, ""
	case p.Number != "":
		c.Kicker = "chapter " + p.Number
	}
	if c.Text == "" {
		c.Text = p.Description
	}
	return &c, nil
}
