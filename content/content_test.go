package content_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"llmsize/content"
	"llmsize/core/query"
)

type model struct {
	Name      string                     `json:"name"`
	Slug      string                     `json:"slug"`
	Hub       *string                    `json:"hub"`
	Also      []string                   `json:"also"`
	Maker     string                     `json:"maker"`
	Family    string                     `json:"family"`
	Released  string                     `json:"released"`
	Source    source                     `json:"source"`
	Read      string                     `json:"read"`
	Config    map[string]json.RawMessage `json:"config"`
	Published *published                 `json:"published"`
	Stored    *stored                    `json:"stored"`
	Note      string                     `json:"note"`
}

type source struct {
	What       string `json:"what"`
	Repository string `json:"repository"`
	Path       string `json:"path"`
	Commit     string `json:"commit"`
}

type published struct {
	Total      int64  `json:"total"`
	Counts     string `json:"counts"`
	Of         string `json:"of"`
	Source     string `json:"source"`
	Difference string `json:"difference"`
}

type stored struct {
	Total   int64        `json:"total"`
	Of      string       `json:"of"`
	Buffers *int64       `json:"buffers"`
	Terms   []storedTerm `json:"terms"`
	More    *storedTerm  `json:"more"`
	Less    *storedTerm  `json:"less"`
	Source  string       `json:"source"`
}

type storedTerm struct {
	Reason string `json:"reason"`
	Count  string `json:"count"`
	What   string `json:"what"`
}

type preset struct {
	Title string `json:"title"`
	Shows string `json:"shows"`
	Query string `json:"query"`
	Lens  string `json:"lens"` // where the page offers it; none for its list of questions
}

// read decodes a file and refuses fields that the type has not.
func read(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := fs.ReadFile(content.FS(), name)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func names(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := fs.Glob(content.FS(), pattern)
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(found), err)
	}
	return found
}

var (
	slugForm = regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)
	hubForm  = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)
	yearForm = regexp.MustCompile(`^20[12][0-9]$`)
	sizeKey  = regexp.MustCompile(`(^|\.)(vocab_size|hidden_size|intermediate_size|num_hidden_layers|num_attention_heads|num_key_value_heads|head_dim|n_embd|n_head|n_layer|n_positions|d_model|d_ff|max_position_embeddings)$`)
	kinds    = map[string]bool{"config.json": true, "paper": true, "class defaults": true, "hyperparameters": true}
)

func TestModels(t *testing.T) {
	hubs := map[string]string{}
	for _, name := range names(t, "models/*") {
		t.Run(strings.TrimSuffix(path.Base(name), ".json"), func(t *testing.T) {
			var m model
			read(t, name, &m)
			if want := m.Slug + ".json"; path.Base(name) != want || !slugForm.MatchString(m.Slug) {
				t.Errorf("slug is %q", m.Slug)
			}
			if m.Name == "" || m.Maker == "" || m.Family == "" {
				t.Errorf("name %q, maker %q and family %q must be there", m.Name, m.Maker, m.Family)
			}
			if m.Released != "" && !yearForm.MatchString(m.Released) {
				t.Errorf("released is %q, want a year", m.Released)
			}
			if !kinds[m.Source.What] || m.Source.Repository == "" {
				t.Errorf("source is %+v", m.Source)
			}
			if _, err := time.Parse(time.DateOnly, m.Read); err != nil {
				t.Errorf("read: %v", err)
			}
			ids := m.Also
			if m.Hub != nil {
				ids = append(ids, *m.Hub)
			}
			for _, id := range ids {
				if !hubForm.MatchString(id) {
					t.Errorf("hub id is %q", id)
				}
				if other, taken := hubs[id]; taken {
					t.Errorf("hub id %s is also that of %s", id, other)
				}
				hubs[id] = m.Slug
			}
			if p := m.Published; p != nil && (p.Total <= 0 || p.Counts == "" || p.Of == "" || p.Source == "") {
				t.Errorf("published is %+v", *p)
			}
			if x := m.Stored; x != nil {
				if x.Total <= 0 || x.Of == "" || x.Source == "" || m.Hub == nil || x.Of != *m.Hub && !slices.Contains(m.Also, x.Of) {
					t.Errorf("stored is %+v", *x)
				}
				for _, term := range x.Terms {
					if !slices.Contains([]string{"prediction", "tied", "buffer", "scale", "other"}, term.Reason) || term.Count == "" || term.What == "" {
						t.Errorf("stored has %+v", term)
					}
				}
				for _, term := range []*storedTerm{x.More, x.Less} { // a way of counting, which is no reason
					if term != nil && (term.Reason != "" || term.Count == "" || term.What == "") {
						t.Errorf("stored has %+v", *term)
					}
				}
			}
			if m.Config["model_type"] == nil {
				t.Error("config has no model_type")
			}
			checkSizes(t, "", m.Config)
		})
	}
	t.Logf("%d models", len(names(t, "models/*")))
}

// checkSizes looks for sizes that are not positive integers, and for keys that
// a catalogue does not keep.
func checkSizes(t *testing.T, prefix string, config map[string]json.RawMessage) {
	t.Helper()
	for key, raw := range config {
		name := prefix + key
		if strings.HasSuffix(key, "_token_id") || strings.HasSuffix(key, "_dropout") || key == "transformers_version" {
			t.Errorf("%s shapes nothing", name)
		}
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) == nil && inner != nil {
			checkSizes(t, name+".", inner)
			continue
		}
		if !sizeKey.MatchString(name) || string(raw) == "null" || raw[0] == '[' {
			continue
		}
		var n int64
		if err := json.Unmarshal(raw, &n); err != nil || n <= 0 {
			t.Errorf("%s is %s, want a positive integer", name, raw)
		}
	}
}

// Files are written for reading: two spaces, lists on one line, no sign of the
// machine that they were made on.
func TestText(t *testing.T) {
	for _, pattern := range []string{"models/*", "presets/*"} {
		for _, name := range names(t, pattern) {
			raw, err := fs.ReadFile(content.FS(), name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(name, ".json") || !bytes.HasPrefix(raw, []byte("{\n  \"")) || !bytes.HasSuffix(raw, []byte("\n}\n")) {
				t.Errorf("%s: not laid out like the others", name)
			}
			if i := bytes.Index(raw, []byte("\"/")); i >= 0 {
				t.Errorf("%s: a path of one machine at byte %d", name, i)
			}
		}
	}
}

// The queries' keys are those of a share link.
func TestPresets(t *testing.T) {
	lenses := map[string]bool{"": true, "running": true, "compute": true, "training": true}
	for _, name := range names(t, "presets/*") {
		var p preset
		read(t, name, &p)
		if p.Title == "" || !strings.HasSuffix(p.Shows, ".") {
			t.Errorf("%s: title %q, shows %q", name, p.Title, p.Shows)
		}
		if !lenses[p.Lens] {
			t.Errorf("%s: there is no lens %q", name, p.Lens)
		}
		if !strings.HasPrefix(p.Query, "v=1") {
			t.Errorf("%s: query %q does not begin with v=1", name, p.Query)
		}
		for _, pair := range strings.Split(p.Query, "&")[1:] {
			key, value, _ := strings.Cut(pair, "=")
			if _, known := query.ParamNamed(key); !known && !strings.HasPrefix(key, "set.") || value == "" {
				t.Errorf("%s: %q is no key=value of a query", name, pair)
			}
			if key == "model" {
				if _, err := fs.Stat(content.FS(), "models/"+value+".json"); err != nil {
					t.Errorf("%s: no model %s", name, value)
				}
			}
		}
	}
}
