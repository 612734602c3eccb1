// Package oracletest goes through the fixtures for tests of several packages.
package oracletest

import (
	"maps"
	"os"
	"slices"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
)

// Runs calls check in a test of its own for each small model that transformers
// ran passes of, with the model as the engine resolves it; testdata is the
// folder of core/family's fixtures. It returns the types that have such a model.
func Runs(t *testing.T, testdata string, check func(t *testing.T, modelType string, m *model.Model, run *oracle.Runtime)) map[string]bool {
	t.Helper()
	lib := families.Library()
	seen := map[string]bool{}
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder"} {
		files, err := oracle.LoadDir(os.DirFS(testdata), folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			f := files[name]
			if _, ok := lib.File(f.ModelType); !ok {
				continue
			}
			for i := range f.Runtimes {
				seen[f.ModelType] = true
				t.Run(name+"/"+f.Runtimes[i].Name, func(t *testing.T) {
					cfg, err := config.ParseObject(string(f.Runtimes[i].Config))
					if err != nil {
						t.Fatal(err)
					}
					m, err := family.Describe(cfg, lib)
					if err != nil {
						t.Fatal(err)
					}
					check(t, f.ModelType, m, &f.Runtimes[i])
				})
			}
		}
	}
	return seen
}
