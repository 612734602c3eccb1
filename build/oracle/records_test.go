package oracle_test

import (
	"os"
	"sort"
	"strings"
	"testing"

	"llmsize/build/oracle"
)

var core = os.DirFS("../../core")

// The adapters' tensors sum to what is trainable.
func TestAdapters(t *testing.T) {
	all, err := oracle.LoadAdapters(core, "memory/testdata/lora.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 66 {
		t.Errorf("%d adapters, want at least 66", len(all))
	}
	for _, a := range all {
		var sum int64
		for _, tensor := range a.Tensors {
			n, err := tensor.Elements()
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if sum != a.Trainable || a.Rank == 0 || a.Targets == "" {
			t.Errorf("%s rank %d %s: tensors sum to %d, want %d", a.Config, a.Rank, a.Targets, sum, a.Trainable)
		}
	}
}

// Every recipe of a model gives a type to the same tensors.
func TestQuantised(t *testing.T) {
	all, err := oracle.LoadQuantised(core, "quant/testdata/gguf.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 9*32 {
		t.Errorf("%d recipes, want at least 9 models of 32", len(all))
	}
	first := map[string]string{}
	for _, q := range all {
		var tensors []oracle.Tensor
		for _, types := range q.Types {
			for _, name := range types.Names {
				tensors = append(tensors, oracle.Tensor{Name: name})
			}
		}
		expanded, err := oracle.Expand(tensors)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range expanded {
			names = append(names, e.Name)
		}
		sort.Strings(names)
		list := strings.Join(names, " ")
		if first[q.Model] == "" {
			first[q.Model] = list
		}
		if list != first[q.Model] || q.Bytes <= 0 {
			t.Errorf("%s %s: %d tensors and %d bytes, other tensors than in the recipe before", q.Model, q.Recipe, len(names), q.Bytes)
		}
	}
}

func TestTables(t *testing.T) {
	for name, want := range map[string]struct {
		rows    int
		columns string
	}{
		"memory/testdata/llamacpp.txt":    {120, "model n_ctx n_seq_max n_ubatch type_k type_v flash caches compute_mib output_mib"},
		"memory/testdata/vllm.txt":        {84, "model context in_flight block groups bytes"},
		"memory/testdata/activations.txt": {96, "config tokens saved_bytes"},
	} {
		rows, err := oracle.LoadTable(core, name)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) < want.rows {
			t.Errorf("%s: %d rows, want at least %d", name, len(rows), want.rows)
		}
		for _, column := range strings.Fields(want.columns) {
			if rows[0][column] == "" {
				t.Errorf("%s: no column %s", name, column)
			}
		}
	}
}

func TestTableErrors(t *testing.T) {
	if _, err := oracle.ParseTable("a\tb\n1\n"); err == nil || err.Error() != "2: 1 columns, want 2" {
		t.Errorf("error is %v", err)
	}
	if _, err := oracle.ParseQuantised("F32\tsame\n"); err == nil {
		t.Error("a type before the first recipe is read")
	}
	if _, err := oracle.ParseAdapters("rank\t8\n"); err == nil {
		t.Error("a rank before the first adapter is read")
	}
}
