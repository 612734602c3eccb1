package oracle

import (
	"os"
	"testing"
)

// TestFields: core/family/families/fields.txt says what the families leave open today.
func TestFields(t *testing.T) {
	t.Parallel()
	want, err := fieldLines("../../core/family/testdata")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../core/family/families/fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("fields.txt is not up to date: go run ./build family -fields > fields.txt, and move it to core/family/families")
	}
}

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
