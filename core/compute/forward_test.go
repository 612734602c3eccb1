package compute_test

import (
	"os"
	"sort"
	"testing"

	"llmsize/build/fixtures/fixture"
	"llmsize/core/arch"
	"llmsize/core/arch/families"
	"llmsize/core/compute"
	"llmsize/core/config"
)

// exceptions lists every type whose count is not the counter's, with the reason. Most
// are scans: the plain form in transformers multiplies matrices, or convolves padded
// sequences, where the algorithm has a recurrence; the counter sees the
// implementation, the formula the algorithm. A type that has become equal must
// leave the list.
func exceptions(t *testing.T) map[string]string {
	t.Helper()
	rows, err := fixture.LoadTable(os.DirFS("testdata"), "exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, r := range rows {
		list[r["type"]] = r["reason"]
	}
	return list
}

// TestFLOPs holds the forward pass against torch's counter for every type.
func TestFLOPs(t *testing.T) {
	lib := families.Library()
	differs := exceptions(t)
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
				t.Run(n+"/"+run.Name, func(t *testing.T) {
					cfg, err := config.ParseObject(string(run.Config))
					if err != nil {
						t.Fatal(err)
					}
					m, err := arch.Describe(cfg, lib)
					if err != nil {
						t.Fatal(err)
					}
					for _, pass := range run.Passes {
						terms, got := compute.Forward(m, compute.Pass{Tokens: pass.Tokens, Encoder: pass.Tokens, EncoderPass: true, Batch: 1, Scores: compute.Full})
						why, listed := differs[f.ModelType]
						if listed && got == float64(pass.FLOPs) {
							t.Errorf("equal; take it off the list (%s)", why)
						}
						if !listed && got != float64(pass.FLOPs) {
							t.Errorf("%d tokens: %.0f, want %d (%+.3f%%) %v", pass.Tokens, got, pass.FLOPs, 100*(got/float64(pass.FLOPs)-1), pass.ByOp)
							for _, x := range terms {
								t.Logf("  %s %s %s: matmul %.0f score %.0f conv %.0f scan %.0f", x.Block, x.Kind, x.Title, x.Matmul, x.Score, x.Conv, x.Scan)
							}
							return
						}
					}
				})
			}
		}
	}
}
