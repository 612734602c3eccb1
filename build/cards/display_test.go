package cards

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The face is a part of what every page waits for.
const mostDisplay = 9_000

func TestDisplay(t *testing.T) {
	modules, err := filepath.Abs("../../node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(modules); err != nil {
		t.Skip("no npm packages here, run `npm ci`:", err)
	}
	cache := t.TempDir()
	first, err := Display(modules, cache)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(first, []byte("wOF2")) || len(first) > mostDisplay || len(first) < 3_000 {
		t.Errorf("%d bytes that begin with %q", len(first), first[:4])
	}
	again, err := Display("/nowhere/node_modules", cache)
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("what was kept is not taken: %v", err)
	}
}
