package answers

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/model"
)

// indexOf says which file holds each type.
func indexOf(files map[string][]byte) map[string]string {
	index := map[string]string{}
	for line := range strings.Lines(string(files["families/index.txt"])) {
		names := strings.Fields(line)
		for _, n := range names {
			index[n] = names[0]
		}
	}
	return index
}

// inParts describes a config as a page does that holds no family, and says how many files it took.
func inParts(cfg config.Value, files map[string][]byte, index map[string]string) (*model.Model, int, *fault.Error) {
	lib := family.NewLibrary()
	m, fail := family.Describe(cfg, lib)
	loaded := 0
	for ; fail != nil && fail.Need != "" && loaded < 8; loaded++ {
		lib.AddPacked(string(files["families/"+index[fail.Need]+".txt"]))
		m, fail = family.Describe(cfg, lib)
	}
	return m, loaded, fail
}

// TestPartsRefuse: what a class refuses, a page refuses too, with the files that it is given: of some 700 configs one in five.
func TestPartsRefuse(t *testing.T) {
	t.Parallel()
	files, err := newEngine(t).Families()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../core/family/testdata/variants.txt")
	if err != nil {
		t.Fatal(err)
	}
	index, n := indexOf(files), 0
	for line := range strings.Lines(string(text)) {
		odd, ok := strings.CutPrefix(strings.TrimSpace(line), "refused\t")
		if n++; !ok || n%5 > 0 {
			continue
		}
		cfg, err := config.ParseObject(odd)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, fail := inParts(cfg, files, index); fail == nil || fail.Field == "" {
			t.Errorf("%s: %v", odd, fail)
		}
	}
}

// TestPartsAnswer has every type's defaults described as a page does that holds no family: it loads what is
// asked for, one file at a time, and never that of all types.
func TestPartsAnswer(t *testing.T) {
	e := newEngine(t)
	files, err := e.Families()
	if err != nil {
		t.Fatal(err)
	}
	index := indexOf(files)
	most := 0
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder", "vlm", "other"} {
		all, err := oracle.LoadDir(os.DirFS("../../core/family/testdata"), folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			c := all[name].Cases[0]
			cfg, err := config.ParseObject(string(c.Config))
			if err != nil {
				t.Fatal(err)
			}
			m, loaded, fault := inParts(cfg, files, index)
			if fault != nil {
				t.Errorf("%s: %v", name, fault)
				continue
			}
			var total int64
			for _, r := range m.Runs() {
				if !r.Tensor.Buffer {
					total += r.Tensor.Elements * r.Count
				}
			}
			if total != c.Parameters {
				t.Errorf("%s: %d parameters, want %d", name, total, c.Parameters)
			}
			most = max(most, loaded)
		}
	}
	if most > 5 { // SAM 3 names its parts by its own name
		t.Errorf("a type's defaults take %d parts, want 5 at most", most)
	}
}
