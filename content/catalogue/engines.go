package catalogue

import (
	"io/fs"

	"llmsize/core/predict"
)

// LoadEngines reads what is known of engines, engines/*.toml of a content folder.
func LoadEngines(fsys fs.FS) (*predict.Library, error) {
	names, err := fs.Glob(fsys, "engines/*.toml")
	if err != nil {
		return nil, err
	}
	l := &predict.Library{}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		if fail := l.Add(name, string(text)); fail != nil {
			return nil, fail
		}
	}
	return l, nil
}
