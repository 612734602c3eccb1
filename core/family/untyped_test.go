package family_test

import (
	"strings"
	"testing"

	"llmsize/core/family/families"
)

// TestUntyped: a config without a type is of the type whose class it names, and says
// so; a class that no type has does not help.
func TestUntyped(t *testing.T) {
	lib := families.Library()
	for class, want := range map[string]string{"OpenMoeForCausalLM": "openmoe", "GPT2LMHeadModel": "gpt2", "NopeForCausalLM": ""} {
		m, err := describe(t, lib, `{"architectures":["`+class+`"]}`)
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
