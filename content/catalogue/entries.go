package catalogue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// entries reads the JSON files of a folder, one entry each, sorted by slug. A file is
// named after its entry; keep, when there is one, gets its text.
func entries[T any](fsys fs.FS, folder string, slug func(*T) string, keep func(*T, string)) ([]T, error) {
	files, err := fs.Glob(fsys, folder+"/*.json")
	if err != nil {
		return nil, err
	}
	var all []T
	for _, f := range files {
		text, err := fs.ReadFile(fsys, f)
		if err != nil {
			return nil, err
		}
		var one T
		if err := json.Unmarshal(text, &one); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		if want := strings.TrimSuffix(path.Base(f), ".json"); slug(&one) != want {
			return nil, fmt.Errorf("%s: the slug is %q, not the file's name", f, slug(&one))
		}
		if keep != nil {
			keep(&one, string(text))
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(slug(&a), slug(&b)) })
	return all, nil
}
