package quant_test

import (
	"os"
	"sort"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/quant"
)

// describe returns a catalogue model with its config.
func describe(t testing.TB, slug string) (*model.Model, config.Value) {
	t.Helper()
	cat, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	entry, ok := cat.Find(slug)
	if !ok {
		t.Fatalf("the catalogue has no %s", slug)
	}
	cfg, bad := config.ParseObject(string(entry.Config))
	if bad != nil {
		t.Fatal(bad)
	}
	m, fail := family.Describe(cfg, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	return m, cfg
}

// weigh returns a catalogue model's weights in a recipe.
func weigh(t testing.TB, m *model.Model, cfg config.Value, name string) quant.Weights {
	t.Helper()
	r, ok := quant.Named(name)
	if !ok {
		t.Fatalf("there is no recipe %s", name)
	}
	w, err := quant.Weigh(m, &r, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestDryRun holds the type of every tensor and the bytes of all against the dry
// run of llama.cpp's quantiser: 32 recipes of each model in the file.
func TestDryRun(t *testing.T) { compare(t, "gguf.txt") }

// TestPicks does the same with what llama.cpp's own functions pick for lists of
// tensors as its converter names them, of kinds that the dry run does not have.
func TestPicks(t *testing.T) { compare(t, "picks.txt") }

func compare(t *testing.T, file string) {
	all, err := oracle.LoadQuantised(os.DirFS("testdata"), file)
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]*model.Model{}
	configs := map[string]config.Value{}
	for _, want := range all {
		if models[want.Model] == nil {
			models[want.Model], configs[want.Model] = describe(t, want.Model)
		}
		name := want.Recipe
		if name == "bf16" {
			name = "gguf-bf16"
		}
		t.Run(want.Model+"/"+name, func(t *testing.T) {
			got := weigh(t, models[want.Model], configs[want.Model], name)
			wantTypes, gotTypes := expandTypes(t, want.Types), expandRuns(t, got.Runs)
			bytes := got.Bytes
			for _, s := range got.Runs { // towers are a file of their own
				if isTower(s.Name) {
					bytes -= s.Bytes * s.Tensors
				}
			}
			wrong := 0
			for _, n := range sortedKeys(wantTypes) {
				if gotTypes[n] != wantTypes[n] && wrong < 8 {
					t.Errorf("%s: %q, want %s", n, gotTypes[n], wantTypes[n])
					wrong++
				}
			}
			for _, n := range sortedKeys(gotTypes) {
				if wantTypes[n] == "" && wrong < 16 {
					t.Errorf("%s: %s, not in the file", n, gotTypes[n])
					wrong++
				}
			}
			if bytes != want.Bytes {
				t.Errorf("%d bytes, want %d", bytes, want.Bytes)
			}
			var sum, elements, tensors int64
			for _, x := range got.Types {
				sum, elements, tensors = sum+x.Bytes, elements+x.Elements, tensors+x.Tensors
			}
			if sum != got.Bytes || elements != got.Elements || tensors < int64(len(gotTypes)) {
				t.Errorf("types add up to %d bytes, %d elements, %d tensors; want %d, %d", sum, elements, tensors, got.Bytes, got.Elements)
			}
		})
	}
}

// expandTypes maps every tensor's name to its type. Vectors outside and inside
// layers keep the names that the file has.
func expandTypes(t *testing.T, list []oracle.TypeOf) map[string]string {
	out := map[string]string{}
	for _, x := range list {
		for _, n := range expand(t, x.Names) {
			if x.Type != "F32" {
				out[n] = x.Type
			}
		}
	}
	return out
}

// expandRuns does so for what was counted, without F32.
func expandRuns(t *testing.T, list []quant.Stored) map[string]string {
	out := map[string]string{}
	for _, s := range list {
		if isTower(s.Name) {
			continue
		}
		for _, n := range expand(t, []string{s.Pattern("i")}) {
			if s.Type != "F32" {
				out[n] = s.Type
			}
		}
	}
	return out
}

// isTower reports whether a tensor is of a tower for images or sound.
func isTower(name string) bool {
	for _, w := range []string{"vision", "visual", "audio", "multi_modal", "mm_soft_emb"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

func expand(t *testing.T, patterns []string) []string {
	var in []oracle.Tensor
	for _, p := range patterns {
		in = append(in, oracle.Tensor{Name: p})
	}
	all, err := oracle.Expand(in)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, x := range all {
		out = append(out, x.Name)
	}
	return out
}

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
