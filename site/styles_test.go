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

// TestPaletteHasNoFallbacks: what every page sets never falls back. A style that gives one meant a name of its own, and
// paints the palette's colour instead.
func TestPaletteHasNoFallbacks(t *testing.T) {
	t.Parallel()
	palette, err := os.ReadFile("styles/palette.css")
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	for _, root := range regexp.MustCompile(`(?m)^:root[^{]*\{[^}]*\}`).FindAll(palette, -1) {
		for _, m := range regexp.MustCompile(`(--[\w-]+)\s*:`).FindAllSubmatch(root, -1) {
			set[string(m[1])] = true
		}
	}
	files, err := filepath.Glob("styles/*.css")
	if err != nil || len(set) < 10 {
		t.Fatalf("%d colours, %v", len(set), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`var\(\s*(--[\w-]+)\s*,`).FindAllSubmatch(text, -1) {
			if set[string(m[1])] {
				t.Errorf("%s has a fallback for %s, which the palette sets", file, m[1])
			}
		}
	}
}
