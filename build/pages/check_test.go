package pages

import (
	"context"
	"path/filepath"
	"testing"

	"llmsize/build/assets"
	"llmsize/build/check"
)

// TestTheBuiltSitePassesItsChecks builds the test site and reads it as the check command does.
func TestTheBuiltSitePassesItsChecks(t *testing.T) {
	b := newBuilder(t)
	out := build(t, b)
	site := out.Checked(b.Root, b.URL)
	for _, f := range check.Run(site) {
		t.Error(f)
	}
	sizes, err := check.Sizes(site, check.TinyGo, assets.Brotli{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sizes {
		t.Log(s)
	}
	for _, f := range check.Over(sizes) {
		t.Error(f)
	}
}

func TestTheBuiltSitePassesHTMLValidate(t *testing.T) {
	out := build(t, newBuilder(t))
	dist := t.TempDir()
	if _, err := out.Write(dist); err != nil {
		t.Fatal(err)
	}
	findings, err := check.HTMLValidate(context.Background(), filepath.Join("..", "..", "node_modules"), dist, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
}
