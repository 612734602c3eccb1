package main

import (
	"bytes"
	"os"
	"testing"

	"llmsize/core/serve"
)

// TestDocument: docs/accuracy.md is what the program writes.
func TestDocument(t *testing.T) {
	want, err := document("../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/accuracy.md is not up to date: go run ./build/accuracy")
	}
	if bytes.Contains(want, []byte("faster than the bound")) {
		t.Error("a run is faster than its bound")
	}
	if n := bytes.Count(want, []byte("above the band")); n > 0 {
		t.Errorf("%d runs above the band, whose upper end is %.2f", n, serve.DecodeEfficiency.High)
	}
}
