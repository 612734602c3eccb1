//go:build !js

package program

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	asked "llmsize/build/bench"
	"llmsize/build/oracle"
	"llmsize/build/toolchain"
	"llmsize/core/config"
	"llmsize/core/family"
	lib "llmsize/core/family/families"
)

// question is what the page asks. Others is the second side of a comparison: name, slug, config and device.
type question struct {
	Query  string    `json:"query"`
	Name   string    `json:"name"`
	Slug   string    `json:"slug"`
	Config string    `json:"config"`
	Device string    `json:"device"`
	Others [4]string `json:"others"`
}

// asked has a program answer, as the page asks it.
func (q question) asked(t *testing.T) string {
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	m, fail := config.ParseMessage(string(text), nil)
	if fail != nil {
		t.Fatal(fail)
	}
	return string(Ask(&m))
}

// questions are every type's defaults, its last variant, and every real config of
// the oracle, under queries that turn; then what cannot be answered. A share of them, one of every, is asked.
func questions(t *testing.T, queries []string, every int) []question {
	t.Helper()
	device, err := os.ReadFile("../../content/devices/h100-sxm-80gb.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []question
	n := 0
	add := func(name string, cfg []byte) {
		if n++; n%every != 0 {
			return
		}
		q := question{Query: queries[len(all)%len(queries)], Name: name, Slug: strings.ToLower(name), Config: string(cfg), Device: string(device)}
		if len(all) > 0 { // the one before it
			before := &all[len(all)-1]
			q.Others = [4]string{before.Name, [2]string{before.Slug, ""}[len(all)%2], before.Config, before.Device}
		}
		all = append(all, q)
	}
	dir := os.DirFS("../../core/family/testdata")
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder", "vlm"} {
		files, err := oracle.LoadDir(dir, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			cases := files[name].Cases
			add(name, cases[0].Config)
			if last := len(cases) - 1; last > 0 {
				add(name, cases[last].Config)
			}
		}
	}
	models, err := filepath.Glob("../../content/models/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range models {
		var m struct{ Config json.RawMessage }
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil {
			t.Fatal(file, err)
		}
		add(strings.TrimSuffix(filepath.Base(file), ".json"), m.Config)
	}
	return append(all,
		question{Query: "v=1"}, question{Query: "v=1", Config: "{"}, question{Query: "v=2", Config: "{}"},
		question{Query: "v=1", Config: `{"model_type":"none"}`}, question{Query: "v=1", Config: `{"model_type":"llama","hidden_size":"wide"}`},
		question{Query: "%zz&&=&v=1&context=-1", Config: `{"model_type":"llama"}`, Name: "<b>ü</b>\x00"},
	)
}

// random are questions that nobody has thought of, some of them hostile, and those that take longest of the ones that
// a search found (build/bench).
func random(t *testing.T, n int) []question {
	t.Helper()
	source, err := asked.NewQuestions(os.DirFS("../../content"), lib.Library())
	if err != nil {
		t.Fatal(err)
	}
	var all []question
	worst, err := os.ReadFile("../../build/bench/testdata/worst.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(worst)) {
		var q asked.Question
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		all = append(all, question{Query: q.Query, Config: q.Config, Device: q.Device})
	}
	r := rand.New(rand.NewPCG(3, 4))
	for len(all) < n {
		c := &asked.Candidate{Base: source.Bases[r.IntN(len(source.Bases))]}
		for range 1 + r.IntN(5) {
			source.Change(c, r)
		}
		if q := c.Ask(len(all)%2 == 0); len(q.Query) < 8192 && len(q.Config) < config.MaxBytes {
			all = append(all, question{Query: q.Query, Config: q.Config, Device: q.Device})
		}
	}
	return all
}

// programs are those of the page, with what they are asked: each of the queries that turn needs what the program has more
// than the one before it.
var programs = []struct {
	name    string
	choose  func()
	queries []string
	every   int // of the questions one is asked
	random  int // how many that nobody has thought of
	refused int // how many of all go past their budget, at least
}{
	{"calc", Calc, []string{"v=1", "v=1&context=1000&batch=3&units=gib", "v=1&weights=int8&kv=fp8", "v=1&set.num_hidden_layers=3", "v=1&context=2Mi&foo=1"}, 1, 200, 0},
	{"lenses", Lenses, []string{"v=1", "v=1&weights=q4_k_m&kv=q8_0&kv-policy=llama.cpp", "v=1&devices=8&tp=2&optimizer=muon&zero=1", "v=1&batch=7&context=3000&units=gib&draft=2", "v=1&lora-rank=16&recompute=full&tokens=1e12"}, 4, 300, 5},
	{"explain", Explain, []string{"v=1&vs.context=1000", "v=1&mine=7e9", "v=1&vs=other&context=2000&mine=12lh2", "v=1&devices=8&vs.batch=4&vs.weights=fp8"}, 9, 60, 5},
}

// shares are how much of the questions each compiler's program is asked: one of so many. Go's has the compiler that the native
// answers have, and takes three times as long.
var shares = map[string]int{"tinygo": 1, "go": 3}

// TestTheSameBytesEverywhere asks each program as it is compiled for the page, by
// every compiler at hand, and the same functions natively: each answer is the same, and so is what is refused for its
// steps, with the key that is named.
func TestTheSameBytesEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the programs")
	}
	root, err := toolchain.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	compilers := map[string]*toolchain.Compiler{}
	for _, name := range []string{"tinygo", "go"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("LLMSIZE_WASM", name)
			if compilers[name], err = toolchain.FindCompiler(t.Context(), root); err != nil {
				t.Skip(err) // the page is then made by the other one
			}
		})
	}
	for _, p := range programs {
		bundle, fail := lib.Library().Pack(lib.Names())
		if fail != nil {
			t.Fatal(fail)
		}
		all := append(questions(t, p.queries, p.every), random(t, p.random)...)
		p.choose()
		library = family.NewLibrary()
		library.AddPacked(bundle)
		var want []string
		counted, refused := 0, 0
		for _, q := range all {
			text := q.asked(t)
			if strings.Contains(text, "asks for more work") {
				refused++
			}
			if answered != nil {
				counted++
				for _, x := range Regions() {
					text += x.HTML(answered)
				}
			}
			sum := sha256.Sum256([]byte(text))
			want = append(want, hex.EncodeToString(sum[:]))
		}
		t.Logf("%s: %d questions, %d answered, %d refused for their steps", p.name, len(all), counted, refused)
		if refused < p.refused {
			t.Errorf("%s: only %d questions go past their budget", p.name, refused)
		}
		if counted < len(all)/2 {
			t.Errorf("%s: only %d of %d questions are answered", p.name, counted, len(all))
		}
		dir := t.TempDir()
		for compiler, share := range shares {
			all, want := oneOf(share, all), oneOf(share, want)
			input, err := json.Marshal(map[string]any{"families": bundle, "questions": all})
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, compiler+".json")
			if err := os.WriteFile(file, input, 0o600); err != nil {
				t.Fatal(err)
			}
			t.Run(p.name+" by "+compiler, func(t *testing.T) {
				t.Parallel()
				if compilers[compiler] == nil {
					t.Skip("there is no such compiler")
				}
				wasm := filepath.Join(dir, compiler+".wasm")
				result, err := toolchain.BuildWASM(t.Context(), "wasm/"+p.name, wasm, toolchain.Options{Root: root, Compiler: compilers[compiler]})
				if err != nil {
					t.Fatal(err)
				}
				// Compiled quickly: a program that answers each question once is through before a faster one is worth its making.
				node := exec.Command("node", "--liftoff-only", filepath.Join("testdata", "answers.mjs"), result.Exec, wasm, file)
				var stderr bytes.Buffer
				node.Stderr = &stderr
				out, err := node.Output()
				if err != nil {
					t.Fatalf("node: %v\n%s", err, stderr.String())
				}
				lines := strings.Fields(string(out))
				if len(lines) != len(want) {
					t.Fatalf("%d answers, want %d\n%s", len(lines), len(want), stderr.String())
				}
				different := 0
				for i := range want {
					if lines[i] != want[i] {
						if different++; different <= 5 {
							t.Errorf("it answers differently: %s %s", all[i].Name, all[i].Query)
						}
					}
				}
				t.Logf("%d bytes raw; %s", result.Raw, strings.TrimSpace(stderr.String()))
			})
		}
	}
}

// oneOf is the first of every n.
func oneOf[T any](n int, all []T) []T {
	var some []T
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// TestRegionsOnlyRead: what writes a part of the answer leaves the answer as it is, so that any part may be written first.
func TestRegionsOnlyRead(t *testing.T) {
	Explain()
	library = lib.Library()
	const config = `{"model_type":"gpt2","n_layer":12}`
	for _, c := range []struct {
		query  string
		others [4]string
	}{
		{"v=1&vs=other", [4]string{"Other", "other", `{"model_type":"gpt2","n_layer":24}`, ""}},
		{"v=1", [4]string{"", "", `{"model_type":"gpt2","n_layer":24}`, ""}}, // pasted
		{"v=1&vs.context=5", [4]string{}},
		{"v=1&mine=7e9", [4]string{}},
	} {
		q := question{Query: c.query, Name: "GPT-2", Slug: "gpt2", Config: config, Others: c.others}
		if out := q.asked(t); answered == nil {
			t.Fatalf("%s: %s", c.query, out)
		}
		before := *answered
		for _, x := range Regions() {
			x.HTML(answered)
			if !reflect.DeepEqual(answered.Query, before.Query) || answered.Other != before.Other {
				t.Errorf("%s: the writer of %s changes the answer", c.query, x.ID)
				before = *answered
			}
		}
	}
}
