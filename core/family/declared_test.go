package family_test

import (
	"testing"

	"llmsize/core/family/families"
)

// TestDeclared: a family says what it inherits, with its own words in place of
// what it changes.
func TestDeclared(t *testing.T) {
	lib := families.Library()
	f, err := lib.Declared("qwen3")
	if err != nil {
		t.Fatal(err)
	}
	if f.File != "qwen3" || f.Title != "Qwen3" || len(f.Sources) == 0 || f.Classes[0].Name != "Qwen3ForCausalLM" {
		t.Errorf("got %+v", f)
	}
	found := 0
	for _, k := range f.Keys {
		switch k.Name {
		case "head_dim": // an explicit width, not h/a
			found++
			if k.Type != "size" || k.Default != "128" {
				t.Errorf("got %+v", k)
			}
		case "tie_word_embeddings": // of decoder.arch
			found++
			if k.Type != "bool" || k.Default != "false" {
				t.Errorf("got %+v", k)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d of two keys: %+v", found, f.Keys)
	}
	if _, err := lib.Declared("no_such_type"); err == nil || err.Need != "no_such_type" {
		t.Errorf("got %v", err)
	}
	for _, typ := range lib.Types() {
		if f, err := lib.Declared(typ); err != nil || f.Title == "" || len(f.Sources) == 0 {
			t.Errorf("%s: %+v, %v", typ, f, err)
		}
	}
}
