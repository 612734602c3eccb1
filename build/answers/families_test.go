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
)

// TestPartsAnswer has every type's defaults described as a page does that holds no family: it loads what is
// asked for, one file at a time, and never that of all types.
func TestPartsAnswer(t *testing.T) {
	e := newEngine(t)
	files, err := e.Families()
	if err != nil {
		t.Fatal(err)
	}
	index := map[string]string{}
	for line := range strings.Lines(string(files["families/index.txt"])) {
		names := strings.Fields(line)
		for _, n := range names {
			index[n] = names[0]
		}
	}
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
			lib := family.NewLibrary()
			loaded := 0
			m, fault := family.Describe(cfg, lib)
			for fault != nil && fault.Need != "" && loaded < 8 {
				part, ok := files["families/"+index[fault.Need]+".txt"]
				if !ok {
					t.Fatalf("%s: no part holds %s", name, fault.Need)
				}
				lib.AddPacked(string(part))
				loaded++
				m, fault = family.Describe(cfg, lib)
			}
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
