package site_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestStylesNameWhatThereIs: a style that names a custom property which no style sets has no effect, without a word.
func TestStylesNameWhatThereIs(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("styles/*.css")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d styles, %v", len(files), err)
	}
	set, used := map[string]bool{}, map[string]string{}
	name, use := regexp.MustCompile(`(--[\w-]+)\s*:`), regexp.MustCompile(`var\(\s*(--[\w-]+)\s*\)`) // one with a fallback may be missing
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range name.FindAllSubmatch(text, -1) {
			set[string(m[1])] = true
		}
		for _, m := range use.FindAllSubmatch(text, -1) {
			used[string(m[1])] = file
		}
	}
	for x, file := range used {
		if !set[x] {
			t.Errorf("%s names %s, which no style sets", file, x)
		}
	}
}
