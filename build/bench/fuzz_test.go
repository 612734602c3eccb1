package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"llmsize/build/toolchain"
)

// module writes a module of one package with fuzz targets.
func module(t *testing.T, tests string) *fuzzer {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example\n\ngo 1.26.0\n",
		"deep/x.go":        "package deep\n",
		"deep/x_test.go":   "package deep\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nvar _ = time.Second\n" + tests,
		"other/y.go":       "package other\n",
		"other/y_test.go":  "package other\n\nimport \"testing\"\n\nfunc TestNone(t *testing.T) {}\n",
		"deep/testdata/.k": "",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "-buildvcs=false")
	return &fuzzer{root: root, cache: filepath.Join(root, "cache"), corpus: filepath.Join(root, "corpus"), out: &strings.Builder{}, grace: 5 * time.Second}
}

func said(f *fuzzer) string { return f.out.(*strings.Builder).String() }

// three is a target that fails at three letters and no other.
const three = `
func FuzzThree(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 0 && s[0] == 'k' {
			if len(s) > 1 && s[1] == 'v' {
				if len(s) > 2 && s[2] == '!' {
					t.Fatal("kv!")
				}
			}
		}
	})
}
`

func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	f := module(t, "func FuzzFine(f *testing.F) { f.Fuzz(func(t *testing.T, n int, s []byte) {}) }\n")
	if err := f.run(t.Context(), 200*time.Millisecond, 0, nil); err != nil || !strings.Contains(said(f), "fuzz: deep FuzzFine") {
		t.Errorf("%v\n%s", err, said(f))
	}
	if err := f.run(t.Context(), 0, time.Second, []string{"other"}); err == nil {
		t.Error("a package without targets was tried")
	}

	// What the repository keeps leads to what fails: a second is far too short to find it without.
	f = module(t, three+"func FuzzFine(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }\n")
	write(t, f.file(target{"example/deep", "", "FuzzThree"}), "string(\"k\")\n\nstring(\"kv!\")\n")
	err := f.run(t.Context(), 0, time.Second, []string{"deep"})
	if err == nil || !strings.Contains(err.Error(), "1 of 2 targets failed: deep FuzzThree") || !strings.Contains(said(f), "kv!") || !strings.Contains(said(f), "fuzz: deep FuzzFine") {
		t.Errorf("%v\n%s", err, said(f))
	}

	f = module(t, "func FuzzHangs(f *testing.F) { f.Add(1); f.Fuzz(func(t *testing.T, n int) { time.Sleep(time.Hour) }) }\n")
	f.grace = time.Second
	if err := f.run(t.Context(), 0, time.Second, nil); err == nil || !strings.Contains(said(f), "did not come to its end") {
		t.Errorf("a target that hangs: %v\n%s", err, said(f))
	}
	f = module(t, "func FuzzBroken(f *testing.F) { none }\n")
	if err := f.run(t.Context(), 0, time.Second, nil); err == nil || !strings.Contains(err.Error(), "does not compile") {
		t.Errorf("a target that does not compile: %v", err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestKeep: what was found is kept, the shortest first, and found again.
func TestKeep(t *testing.T) {
	f := module(t, three)
	one := target{"example/deep", filepath.Join(f.root, "deep"), "FuzzThree"}
	found := filepath.Join(f.cache, "example", "deep", "FuzzThree")
	write(t, filepath.Join(found, "1"), header+"string(\"longer\")\n")
	write(t, filepath.Join(found, "2"), header+"string(\"k\")\n")
	write(t, filepath.Join(found, "3"), header+"string(\""+strings.Repeat("x", mostBytes)+"\")\n")
	write(t, filepath.Join(found, "4"), "something else\n")
	if err := f.keep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(f.file(one))
	if err != nil || string(text) != "string(\"k\")\n\nstring(\"longer\")\n" {
		t.Errorf("%q, %v", text, err)
	}
	fresh := filepath.Join(f.root, "fresh")
	if err := f.unpack(one, fresh); err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadDir(fresh)
	if err != nil || len(names) != 2 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, n := range names {
		if text, err := os.ReadFile(filepath.Join(fresh, n.Name())); err != nil || !strings.HasPrefix(string(text), header+"string(") || strings.Count(string(text), "\n") != 2 {
			t.Errorf("%q, %v", text, err)
		}
	}
}

// TestCorpus: what the repository keeps belongs to targets that there are, all of which have some.
func TestCorpus(t *testing.T) {
	root, err := toolchain.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	f := &fuzzer{root: root, corpus: "corpus"}
	list, err := f.targets(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, one := range list {
		known[filepath.Base(f.file(one))] = true
		all, err := f.kept(one)
		if err != nil {
			t.Error(err)
		}
		for _, input := range all {
			for line := range strings.Lines(strings.TrimPrefix(input, header)) {
				if !strings.HasSuffix(line, ")\n") {
					t.Errorf("%s keeps what is no input: %q", one.title(), line)
				}
			}
		}
	}
	if len(list) < 15 {
		t.Errorf("only %d targets", len(list))
	}
	names, err := os.ReadDir("corpus")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if !known[n.Name()] {
			t.Errorf("corpus/%s belongs to no target", n.Name())
		}
	}
}
