package answers

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Group is a group of keys with one meaning each.
type Group struct {
	ID    string            `toml:"id"`
	Title string            `toml:"title"`
	About string            `toml:"about"`
	Keys  map[string]string `toml:"keys"`
}

// loadGroups reads content/keys.toml.
func loadGroups(content fs.FS) ([]Group, error) {
	const name = "keys.toml"
	text, err := fs.ReadFile(content, name)
	if err != nil {
		return nil, err
	}
	var file struct {
		Group []Group `toml:"group"`
	}
	meta, err := toml.Decode(string(text), &file)
	if err != nil {
		return nil, fmt.Errorf("content/%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("content/%s: unknown key %s", name, unknown[0])
	}
	seen := map[string]string{}
	for _, g := range file.Group {
		for _, k := range slices.Sorted(maps.Keys(g.Keys)) {
			if first, twice := seen[k]; twice {
				return nil, fmt.Errorf("content/%s: %s is listed in %s and in %s", name, k, first, g.ID)
			}
			seen[k] = g.ID
		}
	}
	return file.Group, nil
}

// Groups lists the groups.
func (r *Reference) Groups() ([]Group, error) {
	return r.groups, r.load()
}

// Unmatched names keys without a meaning and meanings without a key. Keys that only
// towers and models with towers read are apart: they are many, and the page shows
// them without words in the meantime.
func (r *Reference) Unmatched() (without, ofTowers, superfluous []string, err error) {
	if err := r.load(); err != nil {
		return nil, nil, nil, err
	}
	uses := r.uses()
	meanings := map[string]bool{}
	for _, g := range r.groups {
		for k := range g.Keys {
			meanings[k] = true
			if uses[k] == nil {
				superfluous = append(superfluous, k)
			}
		}
	}
	for k, list := range uses {
		if meanings[k] {
			continue
		}
		line := k + " (" + strings.Join(list[0].types, " ") + ")"
		if slices.ContainsFunc(list, func(u use) bool { return slices.Contains([]string{"decoders", "pairs", "encoders"}, u.sort) }) {
			without = append(without, line)
		} else {
			ofTowers = append(ofTowers, line)
		}
	}
	slices.Sort(without)
	slices.Sort(ofTowers)
	slices.Sort(superfluous)
	return without, ofTowers, superfluous, nil
}

// wordless is a group of the keys that have no meaning yet.
func (r *Reference) wordless() Group {
	g := Group{Keys: map[string]string{}}
	for k := range r.uses() {
		if !slices.ContainsFunc(r.groups, func(g Group) bool { return g.Keys[k] != "" }) {
			g.Keys[k] = ""
		}
	}
	return g
}
