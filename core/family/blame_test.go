package family_test

import (
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
)

// TestFaultsNameKeys: whatever odd value a key of a family has, a fault names a key of the config, not a line of a family's
// file, however many blocks and functions stand between.
func TestFaultsNameKeys(t *testing.T) {
	t.Parallel()
	lib := families.Library()
	tried := 0
	for n, modelType := range lib.Types() {
		f, fail := lib.Declared(modelType)
		if fail != nil {
			t.Fatal(fail)
		}
		for i, k := range f.Keys {
			if k.Name == "model_type" {
				continue
			}
			path := k.Name
			if k.Path != "" {
				path = k.Path
			}
			odd := [...]string{`[1]`, `"wide"`, `{"a":1}`, `-1`, `1.5`, `[]`, `9007199254740993`, `true`}
			for j := range odd {
				if (n+i+j)%4 != 0 && !testing.Verbose() {
					continue // two of eight for each key of a type, others where the next type has it, too
				}
				text := odd[j]
				for parts := strings.Split(path, "."); len(parts) > 0; parts = parts[:len(parts)-1] {
					text = `{"` + parts[len(parts)-1] + `":` + text + `}`
				}
				cfg, fail := config.ParseObject(`{"model_type":"` + modelType + `",` + text[1:])
				if fail != nil {
					t.Fatal(fail)
				}
				tried++
				if _, fail = family.Describe(cfg, lib); fail != nil && fail.Field == "" {
					t.Errorf("%s with %s %s: %v", modelType, path, odd[j], fail)
				}
			}
		}
	}
	if tried < 5_000 {
		t.Errorf("%d tried", tried)
	}
}
