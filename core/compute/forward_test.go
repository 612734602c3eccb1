package compute_test

import (
	"os"
	"testing"

	"llmsize/build/fixtures/fixture"
	"llmsize/build/fixtures/fixturetest"
	"llmsize/core/arch"
	"llmsize/core/compute"
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
	differs := exceptions(t)
	seen := fixturetest.Runs(t, "../arch/testdata", func(t *testing.T, modelType string, m *arch.Model, run *fixture.Runtime) {
		for _, pass := range run.Passes {
			terms, got := compute.Forward(m, compute.Pass{Tokens: pass.Tokens, Encoder: pass.Tokens, EncoderPass: true, Batch: 1, Scores: compute.Full})
			why, listed := differs[modelType]
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
			// A type may be excused for a scan only where it has one.
			if listed && why == scanned {
				rest := 0.0
				for i := range terms {
					rest += terms[i].Conv + terms[i].Scan
				}
				if rest == 0 {
					t.Errorf("%d tokens: no scan and no convolution, so that is not the reason", pass.Tokens)
				}
			}
		}
	})
	for name, why := range differs {
		if why == "" || !seen[name] {
			t.Errorf("%s is excused (%q), and there is no pass of it", name, why)
		}
	}
}

// scanned is the reason of most exceptions.
const scanned = "a scan or a convolution over time, written out as matrix products"
