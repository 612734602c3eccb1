// Package catalogue reads the models and presets of content/ for the hosts: the
// generator and the command. A model is a file content/models/<slug>.json; its
// "config" is what is counted.
package catalogue

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"

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

// OffCheckpoint reports whether a count is of the elements in the files.
func (p *Published) OffCheckpoint() bool {
	return p.Counts == "stored elements" || p.Counts == "total (safetensors)"
}

// Stored is what the model's published checkpoint holds beside its class.
type Stored struct {
	Total int64  `json:"total"` // elements in all, as the source says
	Of    string `json:"of"`
	// Buffers is how many elements of the class's persistent buffers it holds; nil for all of them.
	Buffers *int64       `json:"buffers"`
	Terms   []StoredTerm `json:"terms"`
	// More and Less are what the source's count adds and leaves out by its way of counting, which is nothing that is stored.
	More   *StoredTerm `json:"more"`
	Less   *StoredTerm `json:"less"`
	Source string      `json:"source"`
}

// Counted is what a source counts of a repository that holds a number of elements.
func (s *Stored) Counted(repository int64) (int64, error) {
	for i, t := range []*StoredTerm{s.More, s.Less} {
		if t == nil {
			continue
		}
		n, err := t.Elements()
		if err != nil {
			return 0, err
		}
		repository += n - int64(2*i)*n
	}
	return repository, nil
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
				return 0, fmt.Errorf("stored: %q isn't a sum of products", t.Count)
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

// Nearest returns slugs of models that are like a name, for a hint.
func (c *Catalogue) Nearest(name string) []string {
	return nearest(name, 3, len(c.Models), func(i int) (string, string) { return c.Models[i].Slug, c.Models[i].Name })
}

// nearest returns up to five of n slugs: those whose words, or their names' words, begin with all words of a text, in any
// order; else those that hold the beginning of the text, the longest that any holds, but no shorter one than least.
func nearest(text string, least, n int, about func(i int) (slug, name string)) []string {
	text = strings.ToLower(text)
	asked := parts(text)
	type match struct {
		slug string
		rest int // words that were not asked for
	}
	var found []match
	for i := range n {
		slug, name := about(i)
		rest := min(unasked(asked, parts(slug)), unasked(asked, parts(strings.ToLower(name))))
		if len(asked) > 0 && rest < 1<<30 {
			found = append(found, match{slug, rest})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.rest - b.rest })
	var out []string
	for i := 0; i < len(found) && i < 5; i++ {
		out = append(out, found[i].slug)
	}
	for end := len(text); end >= least && len(out) == 0; end-- {
		for i := 0; i < n && len(out) < 5; i++ {
			if slug, _ := about(i); strings.Contains(slug, text[:end]) {
				out = append(out, slug)
			}
		}
	}
	return out
}

// parts are the words of a text, letters and digits apart: "rtx4090 24gb" is rtx, 4090, 24, gb.
func parts(text string) []string {
	var out []string
	last := ' '
	for _, c := range text {
		switch kind := kindOf(c); {
		case kind == ' ':
		case kind == kindOf(last):
			out[len(out)-1] += string(c)
		default:
			out = append(out, string(c))
		}
		last = c
	}
	return out
}

// kindOf is a for a letter, 0 for a digit, a blank for all else.
func kindOf(c rune) rune {
	switch {
	case unicode.IsLetter(c):
		return 'a'
	case c >= '0' && c <= '9':
		return '0'
	}
	return ' '
}

// unasked is how many words of a name are left when each word of a text has taken one that begins with it, whole words
// first; 1<<30 when one finds none.
func unasked(asked, name []string) int {
	left := slices.Clone(name)
	for _, whole := range []bool{true, false} {
		var rest []string
		for _, word := range asked {
			at := slices.IndexFunc(left, func(x string) bool { return x == word || !whole && strings.HasPrefix(x, word) })
			if at < 0 {
				rest = append(rest, word)
				continue
			}
			left = slices.Delete(left, at, at+1)
		}
		asked = rest
	}
	if len(asked) > 0 {
		return 1 << 30
	}
	return len(left)
}

// Subject is the model as a report asks about it.
func (m *Model) Subject() (report.Subject, error) {
	cfg, err := config.ParseObject(string(m.Config))
	if err != nil {
		return report.Subject{}, fmt.Errorf("models/%s.json: %w", m.Slug, err)
	}
	s := report.Subject{Slug: m.Slug, Name: m.Name, Config: cfg}
	if p := m.Published; p != nil {
		// What was read off the checkpoint itself, and is what the class builds, has nothing beside it.
		s.StoredKnown = p.OffCheckpoint() && p.Of == m.Hub && p.Difference == ""
	}
	if m.Stored != nil {
		s.StoredKnown, s.StoredBuffers = true, m.Stored.Buffers
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
