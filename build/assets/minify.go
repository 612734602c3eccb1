package assets

import (
	"fmt"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/html"
	"github.com/tdewolff/minify/v2/json"
	"github.com/tdewolff/minify/v2/svg"
)

// Minifier shortens HTML, with the drawings and data in it. It is safe for several goroutines.
type Minifier struct{ m *minify.M }

// NewMinifier makes a minifier. Document, end tags and quotes are kept: pages stay readable
// and easy to check.
func NewMinifier() *Minifier {
	m := minify.New()
	m.Add("text/html", &html.Minifier{KeepDocumentTags: true, KeepEndTags: true, KeepQuotes: true, KeepSpecialComments: true, KeepDefaultAttrVals: true})
	m.AddFunc("image/svg+xml", svg.Minify)
	m.AddFunc("application/ld+json", json.Minify)
	return &Minifier{m}
}

// HTML shortens a page.
func (m *Minifier) HTML(page []byte) ([]byte, error) {
	short, err := m.m.Bytes("text/html", page)
	if err != nil {
		return nil, fmt.Errorf("minify: %w", err)
	}
	return short, nil
}
