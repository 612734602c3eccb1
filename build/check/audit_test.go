package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	dist := t.TempDir()
	if _, err := choose(dist); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("an empty site: %v", err)
	}
	for path, kind := range map[string]string{"": "home", "a": "page", "b": "chapter", "c": "chapter", "devices/x": "device", "models": "models", "models/y": "model", "models/z": "model"} {
		if err := os.MkdirAll(filepath.Join(dist, path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dist, path, "index.html"), []byte(`<html><body class="`+kind+`">`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := choose(dist)
	if want := []string{"/", "/models/y/", "/devices/x/", "/b/", "/c/"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestListening(t *testing.T) {
	got, err := listening(strings.NewReader("*** noise\nWebDriver BiDi listening on ws://127.0.0.1:4321\nmore\n"))
	if err != nil || got != "ws://127.0.0.1:4321" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := listening(strings.NewReader("no display\n")); err == nil || !strings.Contains(err.Error(), "no display") {
		t.Errorf("an early end must say what the program said: %v", err)
	}
}
