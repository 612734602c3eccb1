package catalogue

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/BurntSushi/toml"
)

// Popular is what the pickers offer first: slugs, the first is what most people look for.
type Popular struct{ Models, Devices []string }

// LoadPopular reads popular.toml of a content folder; without one nothing comes first. A slug that is in no list is an error.
func LoadPopular(fsys fs.FS, models *Catalogue, devices *Devices) (Popular, error) {
	var p Popular
	if _, err := toml.DecodeFS(fsys, "popular.toml", &p); errors.Is(err, fs.ErrNotExist) {
		return p, nil
	} else if err != nil {
		return p, fmt.Errorf("popular.toml: %w", err)
	}
	for _, slug := range p.Models {
		if models.bySlug[slug] == nil {
			return p, fmt.Errorf("popular.toml: no model is called %q", slug)
		}
	}
	for _, slug := range p.Devices {
		if devices.bySlug[slug] == nil {
			return p, fmt.Errorf("popular.toml: no device is called %q", slug)
		}
	}
	return p, nil
}

// First sorts what has a slug: the slugs of first in their order, then the others as they are.
func First[T any](list []T, first []string, slug func(T) string) {
	rank := func(x T) int {
		if i := slices.Index(first, slug(x)); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortStableFunc(list, func(a, b T) int { return rank(a) - rank(b) })
}
