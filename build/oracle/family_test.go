package oracle

import (
	"os"
	"testing"
)

// TestTable: docs/types.md says what the families count today.
func TestTable(t *testing.T) {
	want, err := table("../../core/family/testdata")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/types.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/types.md is not up to date: go run ./build family -table > docs/types.md")
	}
}
