package oracle

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"llmsize/core/family/families"
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

// TestPositions: a family that says how many positions a model has where its config doesn't says what the class of each of its types does.
func TestPositions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../core/family/testdata/defaults.txt")
	if err != nil {
		t.Fatal(err)
	}
	lib := families.Library()
	var declared func(file string) string
	declared = func(file string) string {
		f, fail := lib.DeclaredIn(file)
		if fail != nil {
			t.Fatal(file, fail)
		}
		for _, d := range f.Keys {
			if d.Name == "max_position_embeddings" || slices.Contains(d.Aliases, "max_position_embeddings") {
				return d.Default
			}
		}
		for _, above := range f.Above {
			if said := declared(above); said != "" {
				return said
			}
		}
		return ""
	}
	class := map[string]string{}
	typ := ""
	for line := range strings.Lines(string(text)) {
		switch f := strings.Split(strings.TrimSpace(line), "\t"); {
		case f[0] == "type":
			typ = f[1]
		case f[0] == "key" && f[1] == "max_position_embeddings":
			class[typ] = f[2]
		}
	}
	held := 0
	for _, file := range families.Names() {
		said := declared(file)
		if _, err := strconv.Atoi(said); err != nil {
			continue // it says nothing, or works it out
		}
		for _, typ := range lib.TypesOf(file) {
			if want, ok := class[typ]; ok {
				held++
				if said != want {
					t.Errorf("%s: %s positions where the config says nothing, and the class has %s", typ, said, want)
				}
			}
		}
	}
	if held < 60 {
		t.Errorf("%d types say how many positions they have", held)
	}
}
