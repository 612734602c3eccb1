package catalogue

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Preset is a question worth asking; package content says what each field holds.
type Preset struct {
	Name  string `json:"-"` // of its file, without .json
	Title string `json:"title"`
	Shows string `json:"shows"`
	Query string `json:"query"`
	Lens  string `json:"lens"`
}

// LoadPresets reads presets/*.json of a content folder, in the order of their names.
func LoadPresets(fsys fs.FS) ([]Preset, error) {
	files, err := fs.Glob(fsys, "presets/*.json")
	if err != nil {
		return nil, err
	}
	var list []Preset
	for _, f := range files {
		b, err := fs.ReadFile(fsys, f)
		if err != nil {
			return nil, err
		}
		p := Preset{Name: strings.TrimSuffix(path.Base(f), ".json")}
		if err := json.Unmarshal(b, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		list = append(list, p)
	}
	return list, nil
}
