package engines_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"llmsize/content/engines"
)

// TestEach: every file of the folder is there, as it is.
func TestEach(t *testing.T) {
	files, err := filepath.Glob("*.toml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	engines.Each(func(name, text string) {
		names = append(names, name)
		if want, err := os.ReadFile(name); err != nil || string(want) != text {
			t.Errorf("%s: %v", name, err)
		}
	})
	if !slices.Equal(names, files) {
		t.Errorf("%v, in the folder are %v", names, files)
	}
}
