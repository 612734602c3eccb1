package family_test

import (
	"os"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/family/families"
	"llmsize/core/model"
)

// towers are the types of which a tower is not counted, or not always, and where
// its tensors are. Their counts must say that they are estimates.
var towers = map[string]string{
	"fast_vlm": "model.vision_tower.", // counted where it is FastViT
}

// TestSeeing holds the models that see or hear against what transformers builds.
// What is counted whole must be equal; of the rest all but the tower must be
// there, with the right shapes.
func TestSeeing(t *testing.T) {
	lib := families.Library()
	files, err := oracle.LoadDir(os.DirFS("testdata"), "vlm")
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range files {
		if _, ok := lib.File(f.ModelType); !ok {
			t.Errorf("%s: no family", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, c := range f.Cases {
				m, err := describe(t, lib, string(c.Config))
				tower := towers[f.ModelType]
				if err != nil || m.Built() || tower == "" {
					check(t, lib, c, true)
					continue
				}
				allBut(t, c, m, tower)
			}
		})
	}
}

// allBut compares a model with a case whose tower it does not have.
func allBut(t *testing.T, c oracle.Case, m *model.Model, tower string) {
	t.Helper()
	var want []oracle.Tensor
	for _, x := range c.Tensors {
		if !strings.HasPrefix(x.Name, tower) {
			want = append(want, x)
		}
	}
	if len(want) == len(c.Tensors) {
		t.Errorf("%s: nothing is named %s…", c.Name, tower)
	}
	if diff := oracle.Compare(want, tensors(m)); diff != "" {
		t.Errorf("%s:\n%s", c.Name, diff)
	}
}
