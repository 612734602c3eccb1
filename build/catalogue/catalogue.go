// Package catalogue reads the models and presets of content/ for the hosts: the
// generator and the command. A model is a file content/models/<slug>.json; its
// "config" is what is counted.
package catalogue

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"llmsize/core/config"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Model is a catalogue entry; package content says what each field holds.
type Model struct {
	Name      string          `json:"name"`
	Slug      string          `json:"slug"`
	Hub       string          `json:"hub"`
	Also      []string        `json:"also"`
	Maker     string          `json:"maker"`
	Family    string          `json:"family"`
	Released  string          `json:"released"`
	Source    Source          `json:"source"`
	Read      string          `json:"read"`
	Config    json.RawMessage `json:"config"`
	Published *Published      `json:"published"`
	Stored    *Stored         `json:"stored"`
	Note      string          `json:"note"`
}

// Source says where the config's facts were read.
type Source struct {
	What       string `json:"what"`
	Repository string `json:"repository"`
	Path       string `json:"path"`
	Commit     string `json:"commit"`
}

// String names the source for people: "config.json in owner/name, path".
func (s Source) String() string {
	out := s.What
	if s.Repository != "" {
		out += " in " + s.Repository
	}
	if s.Path != "" {
		out += ", " + s.Path
	}
	return out
}

// Published is a parameter count that somebody else has published.
type Published struct {
	Total      int64  `json:"total"`
	Counts     string `json:"counts"` // what it includes
	Of         string `json:"of"`
	Source     string `json:"source"`
	Difference string `json:"difference"` // why it is not what the class builds
}

// Stored is what the model's published checkpoint holds beside its class.
type Stored struct {
	Total  int64        `json:"total"` // elements in all, as the source says
	Of     string       `json:"of"`
	Terms  []StoredTerm `json:"terms"`
	Source string       `json:"source"`
}

// StoredTerm is one reason for more elements, with the arithmetic that gives them.
type StoredTerm struct {
	Reason string `json:"reason"` // prediction, tied, buffer, scale, other
	Count  string `json:"count"`  // "24 * 2048 * 2048 + 24 * 8"
	What   string `json:"what"`   // in words
}

// Elements works the arithmetic out: products of whole numbers, added up.
func (t *StoredTerm) Elements() (int64, error) {
	sum := int64(0)
	for term := range strings.SplitSeq(t.Count, "+") {
		n := int64(1)
		for factor := range strings.SplitSeq(term, "*") {
			k, err := strconv.ParseInt(strings.TrimSpace(factor), 10, 64)
			if err != nil || k <= 0 || n > (1<<62)/k {
				return 0, fmt.Errorf("stored: %q is no sum of products", t.Count)
			}
			n *= k
		}
		sum += n
	}
	return sum, nil
}

// Catalogue is all models, sorted by slug.
type Catalogue struct {
	Models []Model
	bySlug map[string]*Model
	byHub  map[string]*Model
}

// Load reads models/*.json of a content folder.
func Load(fsys fs.FS) (*Catalogue, error) {
	models, err := entries(fsys, "models", func(m *Model) string { return m.Slug }, nil)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{Models: models, bySlug: map[string]*Model{}, byHub: map[string]*Model{}}
	for i := range c.Models {
		m := &c.Models[i]
		c.bySlug[m.Slug] = m
		for _, id := range append([]string{m.Hub}, m.Also...) {
			if id != "" {
				c.byHub[strings.ToLower(id)] = m
			}
		}
	}
	return c, nil
}

// Find returns the model with that slug or hub id.
func (c *Catalogue) Find(name string) (*Model, bool) {
	if m, ok := c.bySlug[strings.ToLower(name)]; ok {
		return m, true
	}
	m, ok := c.byHub[strings.ToLower(name)]
	return m, ok
}

// Nearest returns slugs that are like a name, for a hint.
func (c *Catalogue) Nearest(name string) []string {
	return nearest(name, 3, len(c.Models), func(i int) string { return c.Models[i].Slug })
}

// nearest returns up to five of n slugs that hold the beginning of a name, the
// longest beginning that any holds, but no shorter one than least.
func nearest(name string, least, n int, slug func(i int) string) []string {
	name = strings.ToLower(name)
	var out []string
	for end := len(name); end >= least && len(out) == 0; end-- {
		for i := 0; i < n && len(out) < 5; i++ {
			if s := slug(i); strings.Contains(s, name[:end]) {
				out = append(out, s)
			}
		}
	}
	return out
}

// Subject is the model as a report asks about it.
func (m *Model) Subject() (report.Subject, error) {
	cfg, err := config.ParseObject(string(m.Config))
	if err != nil {
		return report.Subject{}, fmt.Errorf("models/%s.json: %w", m.Slug, err)
	}
	s := report.Subject{Slug: m.Slug, Name: m.Name, Config: cfg}
	if m.Stored != nil {
		s.StoredKnown = true
		for i := range m.Stored.Terms {
			t := &m.Stored.Terms[i]
			n, err := t.Elements()
			if err != nil {
				return s, fmt.Errorf("models/%s.json: %w", m.Slug, err)
			}
			s.Stored = append(s.Stored, report.RepositoryTerm{Reason: t.Reason, Parameters: units.Params(n)})
		}
	}
	return s, nil
}
