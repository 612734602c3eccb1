package assets

import (
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/html"
	"github.com/tdewolff/minify/v2/json"
	"github.com/tdewolff/minify/v2/svg"
)

// Minifier shortens HTML and SVG and remembers what it has done: after a change most pages
// of a site are what they were. It is safe for several goroutines.
type Minifier struct {
	m    *minify.M
	mu   sync.Mutex
	done map[[2]uint64][]byte
}

// NewMinifier makes a minifier. Document, end tags and quotes are kept: pages stay readable
// and easy to check.
func NewMinifier() *Minifier {
	m := minify.New()
	m.Add("text/html", &html.Minifier{KeepDocumentTags: true, KeepEndTags: true, KeepQuotes: true, KeepSpecialComments: true, KeepDefaultAttrVals: true})
	m.AddFunc("image/svg+xml", svg.Minify)
	m.AddFunc("application/ld+json", json.Minify)
	return &Minifier{m: m, done: map[[2]uint64][]byte{}}
}

// seeds are by chance: no page can be written so that it is taken for another, and both hashes take a fraction of SHA-256's time.
var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// HTML shortens a page.
func (m *Minifier) HTML(page []byte) ([]byte, error) {
	key := [2]uint64{maphash.Bytes(seeds[0], page), maphash.Bytes(seeds[1], page)}
	m.mu.Lock()
	short, ok := m.done[key]
	m.mu.Unlock()
	if ok {
		return short, nil
	}
	short, err := m.m.Bytes("text/html", page)
	if err != nil {
		return nil, fmt.Errorf("minify: %w", err)
	}
	m.mu.Lock()
	m.done[key] = short
	m.mu.Unlock()
	return short, nil
}

// SVG shortens a drawing.
func (m *Minifier) SVG(drawing []byte) ([]byte, error) {
	short, err := m.m.Bytes("image/svg+xml", drawing)
	if err != nil {
		return nil, fmt.Errorf("minify SVG: %w", err)
	}
	return short, nil
}
