package answers

import (
	"encoding/json"
	"io/fs"
)

// Meanings is what the keys of a config mean, as JSON: an object of the keys of
// content/keys.toml. The page's editor loads it when somebody edits a key.
func Meanings(content fs.FS) ([]byte, error) {
	groups, err := loadGroups(content)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, g := range groups {
		for k, words := range g.Keys {
			all[k] = words
		}
	}
	return json.Marshal(all) // keys sorted
}
