package family_test

import (
	"strings"
	"testing"

	"llmsize/core/family"
	"llmsize/core/family/families"
)

// TestUntyped: a config without a type is of the type whose class it names, and says
// so; a class that no type has does not help.
func TestUntyped(t *testing.T) {
	lib := families.Library()
	packed, fail := lib.Pack(families.Names())
	if fail != nil {
		t.Fatal(fail)
	}
	page := family.NewLibrary()
	page.AddPacked(packed)
	for class, want := range map[string]string{"OpenMoeForCausalLM": "openmoe", "GPT2LMHeadModel": "gpt2", "NopeForCausalLM": ""} {
		config := `{"architectures":["` + class + `"]}`
		m, err := describe(t, lib, config)
		if in, fail := describe(t, page, config); (fail == nil) != (err == nil) || fail == nil && in.Type != m.Type {
			t.Errorf("%s: packed, it is %v, %v", class, in, fail)
		}
		switch {
		case want == "" && (err == nil || !strings.Contains(err.Error(), "model_type: must be given")):
			t.Errorf("%s: %v", class, err)
		case want != "" && err != nil:
			t.Errorf("%s: %v", class, err)
		case want != "" && (m.Type != want || m.Class != class || !m.Exact() || len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0].Text, "is absent")):
			t.Errorf("%s: %s %s %v", class, m.Type, m.Class, m.Warnings)
		}
	}
}
