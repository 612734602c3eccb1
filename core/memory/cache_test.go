package memory_test

import (
	"os"
	"sort"
	"testing"

	"llmsize/build/fixtures/fixture"
	"llmsize/core/arch"
	"llmsize/core/arch/families"
	"llmsize/core/config"
	"llmsize/core/memory"
)

// TestTransformersCache holds the cache under the policy "transformers" against
// every cache tensor that transformers makes, byte for byte.
func TestTransformersCache(t *testing.T) {
	lib := families.Library()
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder"} {
		files, err := fixture.LoadDir(os.DirFS("../arch/testdata"), folder)
		if err != nil {
			t.Fatal(err)
		}
		names := make([]string, 0, len(files))
		for n := range files {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			f := files[n]
			if _, ok := lib.File(f.ModelType); !ok {
				continue
			}
			for _, run := range f.Runtimes {
				t.Run(n+"/"+run.Name, func(t *testing.T) { checkCache(t, lib, run) })
			}
		}
	}
}

func checkCache(t *testing.T, lib *arch.Library, run fixture.Runtime) {
	cfg, err := config.ParseObject(string(run.Config))
	if err != nil {
		t.Fatal(err)
	}
	m, err := arch.Describe(cfg, lib)
	if err != nil {
		t.Fatal(err)
	}
	for _, pass := range run.Passes {
		want := map[string]int64{}
		all, xerr := expandCache(pass.Cache)
		if xerr != nil {
			t.Fatal(xerr)
		}
		for _, c := range all {
			if len(c.Shape) == 0 || c.DType == "int64" || c.DType == "int32" || c.DType == "bool" {
				continue
			}
			n := int64(1)
			for _, d := range c.Shape {
				n *= d
			}
			want[c.DType] += n
		}
		terms, _, err := memory.Cache(m, memory.CacheQuestion{Policy: memory.Transformers, Context: pass.Tokens, Encoder: pass.Tokens, Batch: 1, Bits: 16, State: 16})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for _, x := range terms {
			name := "bfloat16"
			if x.Bits == 32 {
				name = "float32"
			}
			got[name] += x.Layers * x.Elements * max(x.Tokens, 1)
		}
		for _, d := range []string{"bfloat16", "float32"} {
			if got[d] != want[d] {
				t.Errorf("%d tokens: %d elements of %s, want %d", pass.Tokens, got[d], d, want[d])
				for _, c := range pass.Cache {
					t.Logf("  %s %v %s", c.Name, c.Shape, c.DType)
				}
				for _, x := range terms {
					t.Logf("  have %+v", x)
				}
				return
			}
		}
	}
}

func expandCache(list []fixture.CacheTensor) ([]fixture.CacheTensor, error) {
	var out []fixture.CacheTensor
	for _, c := range list {
		ts, err := fixture.Expand([]fixture.Tensor{c.Tensor})
		if err != nil {
			return nil, err
		}
		for _, x := range ts {
			out = append(out, fixture.CacheTensor{Tensor: x, DType: c.DType})
		}
	}
	return out, nil
}
