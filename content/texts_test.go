package content_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
)

// written is one text of the site, as it stands in its file.
type written struct {
	file, slug, source string
	Title              string // of the front matter
	Order              int    // of a chapter in the book
	Date               time.Time
}

// texts reads all files of the patterns, each of which has to find some, and their front matter. Chapters come in the book's order.
func texts(t *testing.T, patterns ...string) []written {
	t.Helper()
	var all []written
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w := written{file: file, slug: strings.TrimSuffix(filepath.Base(file), ".md"), source: string(source)}
			_, rest, _ := strings.Cut(w.source, "+++\n")
			head, _, _ := strings.Cut(rest, "\n+++\n")
			if _, err := toml.Decode(head, &w); err != nil || w.Title == "" {
				t.Fatalf("%s: title %q, %v", file, w.Title, err)
			}
			all = append(all, w)
		}
	}
	slices.SortStableFunc(all, func(a, b written) int { return cmp.Compare(a.Order, b.Order) })
	return all
}

// chapters reads the book, in its order.
func chapters(t *testing.T) []written { return texts(t, "chapters/*.md") }
