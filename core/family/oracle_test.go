package family_test

import (
	"os"
	"path"
	"sort"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
)

// folders of the oracle whose types are counted whole.
var folders = []string{"causal", "seq2seq", "masked", "encoder", "other"}

// describe reads a config and resolves it.
func describe(t testing.TB, lib *family.Library, text string) (*model.Model, error) {
	t.Helper()
	cfg, err := config.ParseObject(text)
	if err != nil {
		return nil, err
	}
	m, err := family.Describe(cfg, lib)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// tensors lists a model's stored tensors as the fixtures do.
func tensors(m *model.Model) []oracle.Tensor {
	var out []oracle.Tensor
	for _, r := range m.Runs() {
		shape := make([]int64, len(r.Tensor.Dims))
		for i, d := range r.Tensor.Dims {
			shape[i] = d.Size
		}
		out = append(out, oracle.Tensor{Name: r.Pattern, Shape: shape})
	}
	return out
}

// sums adds up the model tensor by tensor.
func sums(m *model.Model) (params, buffers int64) {
	m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		n := t.Elements * t.Copies * layers
		if t.Buffer {
			buffers += n
		} else {
			params += n
		}
	})
	return params, buffers
}

// TestOracle holds every family against what transformers builds: each tensor's
// name and shape, the parameters, the buffers, for the class's defaults and
// every variant.
func TestOracle(t *testing.T) {
	known := families.Library()
	dir := os.DirFS("testdata")
	for _, folder := range folders {
		files, err := oracle.LoadDir(dir, folder)
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
			if _, ok := known.File(f.ModelType); !ok {
				if folder != "other" { // of which docs/types.md says what is refused
					t.Errorf("%s/%s has no family", folder, n)
				}
				continue
			}
			t.Run(path.Join(folder, n), func(t *testing.T) {
				t.Parallel()
				lib := families.Library() // one alone is not for concurrent use
				for _, c := range f.Cases {
					check(t, lib, c, true)
				}
			})
		}
	}
}

// TestReal does the same for real configs.
func TestReal(t *testing.T) {
	lib := families.Library()
	cases, err := oracle.LoadReal(os.DirFS("testdata"), "real.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if _, ok := lib.File(c.ModelType); !ok {
			t.Errorf("%s: %s has no family", c.Name, c.ModelType)
			continue
		}
		t.Run(c.Name, func(t *testing.T) { check(t, lib, c, false) })
	}
}

func check(t *testing.T, lib *family.Library, c oracle.Case, exact bool) {
	t.Helper()
	m, err := describe(t, lib, string(c.Config))
	if err != nil {
		t.Errorf("%s: %v", c.Name, err)
		return
	}
	if m.Class != c.Architecture {
		t.Errorf("%s: counted as %s, want %s", c.Name, m.Class, c.Architecture)
	}
	if diff := oracle.Compare(c.Tensors, tensors(m)); diff != "" {
		t.Errorf("%s:\n%s", c.Name, diff)
		return
	}
	if p, b := sums(m); p != c.Parameters || b != c.Buffers {
		t.Errorf("%s: %d parameters and %d buffers, want %d and %d", c.Name, p, b, c.Parameters, c.Buffers)
	}
	if exact && !m.Built() {
		t.Errorf("%s: an estimate, want exact: %v", c.Name, m.Warnings)
	}
	for _, p := range m.Parts() {
		d, packed, gated := p.Get(model.HeadDim), (p.Get(model.Heads)+2*p.Get(model.KVHeads))*p.Get(model.HeadDim), 2*p.Get(model.Heads)*p.Get(model.HeadDim)
		if says := p.Get(model.Packed) != 0; d > 0 && says && !gives(p, packed) {
			t.Errorf("%s: no matrix of %s gives queries, keys and values, %d of them", c.Name, p.Title, packed)
		}
		if says := p.Get(model.Gated) != 0; d > 0 && says && !gives(p, gated) {
			t.Errorf("%s: no matrix of %s gives queries and gates, %d of them", c.Name, p.Title, gated)
		}
	}
}

// gives reports whether a matrix of the part gives n values.
func gives(p *model.Part, n int64) bool {
	for i := range p.Tensors {
		if x := &p.Tensors[i]; x.Op == model.MatMul && len(x.Dims) == 2 && (x.Dims[0].Size == n || x.Transposed && x.Dims[1].Size == n) {
			return true
		}
	}
	return false
}
