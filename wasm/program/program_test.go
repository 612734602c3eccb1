package program

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"llmsize/build/fixtures/fixture"
	asked "llmsize/build/questions"
	"llmsize/build/toolchain"
	"llmsize/core/arch"
	lib "llmsize/core/arch/families"
	"llmsize/core/config"
	"llmsize/core/report"
	"llmsize/site/view"
)

// question is what the page asks.
type question struct {
	Query, Name, Slug, Config, Device string
}

// questions are every type's defaults, its last variant, and every real config of
// the oracle, under queries that turn; then what cannot be answered.
func questions(t *testing.T) []question {
	t.Helper()
	var all []question
	queries := []string{"v=1", "v=1&context=1000&batch=3&units=gib", "v=1&weights=int8&kv=fp8", "v=1&set.num_hidden_layers=3", "v=1&context=2Mi&foo=1"}
	add := func(name string, cfg []byte) {
		all = append(all, question{Query: queries[len(all)%len(queries)], Name: name, Slug: strings.ToLower(name), Config: string(cfg)})
	}
	dir := os.DirFS("../../core/arch/testdata")
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder", "vlm"} {
		files, err := fixture.LoadDir(dir, folder)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for n := range files {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			cases := files[n].Cases
			add(n, cases[0].Config)
			if last := len(cases) - 1; last > 0 {
				add(n, cases[last].Config)
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
		question{Query: "v=1", Config: ""}, question{Query: "v=1", Config: "{"}, question{Query: "v=2", Config: "{}"},
		question{Query: "v=1", Config: `{"model_type":"none"}`}, question{Query: "v=1", Config: `{"model_type":"llama","hidden_size":"wide"}`},
		question{Query: "%zz&&=&v=1&context=-1", Config: `{"model_type":"llama"}`, Name: "<b>ü</b>\x00"},
	)
}

// random are questions that nobody has thought of, some of them hostile, and those that take longest of the ones that
// a search found (build/worst).
func random(t *testing.T, n int) []question {
	t.Helper()
	source, err := asked.New(os.DirFS("../../content"), lib.Library())
	if err != nil {
		t.Fatal(err)
	}
	var all []question
	worst, err := os.ReadFile("../../build/worst/testdata/worst.txt")
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

// TestTheSameBytesEverywhere asks the first program as it is compiled for the page, by
// every compiler at hand, and the same functions natively.
func TestTheSameBytesEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program")
	}
	Answer, Regions, Device = report.Sizes, view.Regions, nil
	everywhere(t, "wasm/calc", append(questions(t), random(t, 200)...), 0)
}

// TestTheSameBudgetEverywhere asks the program with every lens: what is refused for its steps, and which key is
// named, is the same by every compiler, and so is each answer.
func TestTheSameBudgetEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program")
	}
	Answer, Regions, Device = report.Answer, view.All, ReadDevice
	everywhere(t, "wasm/lenses", random(t, 300), 5)
}

// everywhere holds a program's answers against those of what is set natively, of
// which at least some are refused for their steps.
func everywhere(t *testing.T, program string, all []question, least int) {
	bundle := arch.Bundle(lib.Names(), lib.Text)
	library = arch.NewLibrary()
	library.AddBundle(bundle)
	var want []string
	counted, refused := 0, 0
	for _, q := range all {
		out := ask(q.Query, report.Subject{Name: q.Name, Slug: q.Slug}, q.Config, q.Device)
		if strings.Contains(out.JSON(), "asks for more work") {
			refused++
		}
		if out.Has("regions") {
			counted++
		}
		text := out.JSON()
		if out.Has("regions") {
			for _, x := range Regions() {
				text += x.HTML(answered)
			}
		}
		sum := sha256.Sum256([]byte(text))
		want = append(want, hex.EncodeToString(sum[:]))
	}
	t.Logf("%d questions, %d answered, %d refused for their steps", len(all), counted, refused)
	if refused < least {
		t.Errorf("only %d questions go past their budget", refused)
	}
	if counted < len(all)/2 {
		t.Errorf("only %d of %d questions are answered", counted, len(all))
	}
	dir := t.TempDir()
	input, err := json.Marshal(map[string]any{"families": bundle, "questions": all})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "input.json"), input, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tinygo", "go"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("LLMSIZE_WASM", name)
			root, err := toolchain.Root(".")
			if err != nil {
				t.Fatal(err)
			}
			compiler, err := toolchain.FindCompiler(t.Context(), root)
			if err != nil {
				t.Skip(err) // the page is then made by the other one
			}
			wasm := filepath.Join(dir, name+".wasm")
			result, err := toolchain.BuildWASM(t.Context(), program, wasm, toolchain.Options{Root: root, Compiler: compiler})
			if err != nil {
				t.Fatal(err)
			}
			node := exec.Command("node", filepath.Join("testdata", "answers.mjs"), result.Exec, wasm, filepath.Join(dir, "input.json"))
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
						t.Errorf("%s answers differently: %s %s", name, all[i].Name, all[i].Query)
					}
				}
			}
			t.Logf("%s: %d bytes raw; %s", result.Compiler, result.Raw, strings.TrimSpace(stderr.String()))
		})
	}
}
