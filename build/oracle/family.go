package oracle

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
)

// Family shows what the oracle expects of a model type beside what its
// family file gives: the scaffold for writing one.
//
//	go run ./build family                 types of the library that nothing answers for: no family, and no reason why
//	go run ./build family qwen2           each case: equal, or a diff by tensor
//	go run ./build family -expect qwen2   what the oracle builds for the defaults, and its keys
//	go run ./build family -all            one line a type: cases, equal, different
//	go run ./build family -table          the same as docs/types.md
//	go run ./build family -sample FILE    random configs that build/oracle/sample.py or shake.py asked the library about: what comes out otherwise
//	go run ./build family -fields         what classes let keys hold: core/family/families/fields.txt
func Family(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("family", flag.ExitOnError)
	expect := flags.Bool("expect", false, "print the default case instead of a diff")
	all := flags.Bool("all", false, "one line for every type")
	asTable := flags.Bool("table", false, "print docs/types.md")
	asFields := flags.Bool("fields", false, "print core/family/families/fields.txt")
	records := flags.String("sample", "", "a file of build/oracle/sample.py or shake.py")
	dir := flags.String("fixtures", "core/family/testdata", "folder of the fixtures")
	flags.Parse(args)
	if *asTable || *asFields {
		made := table
		if *asFields {
			made = fieldLines
		}
		text, err := made(*dir)
		fmt.Print(text)
		return err
	}
	if *records != "" {
		return sampled(*records)
	}
	return run(*dir, flags.Arg(0), *expect, *all)
}

// folders of the fixtures.
var familyFolders = []string{"causal", "seq2seq", "masked", "encoder", "vlm", "other"}

func run(dir, want string, expect, all bool) error {
	lib := families.Library()
	bad := 0
	for _, folder := range familyFolders {
		files, err := LoadDir(os.DirFS(dir), folder)
		if err != nil {
			return err
		}
		names := make([]string, 0, len(files))
		for n := range files {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			f := files[n]
			_, known := lib.File(f.ModelType)
			label := filepath.Join(folder, f.ModelType+"."+f.Architecture)
			switch {
			case want == "" && !all:
				if !known {
					fmt.Println(label)
				}
			case want != "" && f.ModelType != want:
			case expect:
				show(label, f)
			case !known:
				fmt.Println(label, "no family")
				bad++
			default:
				bad += compare(label, f, lib, !all)
			}
		}
	}
	if want == "" && !all {
		types, err := libraryTypes(dir)
		if err != nil {
			return err
		}
		for _, t := range types {
			if _, known := lib.File(t); !known {
				fmt.Println(t)
				bad++
			}
		}
		if bad > 0 {
			return fmt.Errorf("%d types have no family", bad)
		}
		return nil
	}
	if bad > 0 {
		return fmt.Errorf("%d cases differ", bad)
	}
	return nil
}

// libraryTypes lists the model types that the library knows, as build/oracle/changes.py wrote them down.
func libraryTypes(dir string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "defaults.txt"))
	if err != nil {
		return nil, err
	}
	var types []string
	for line := range strings.Lines(string(text)) {
		if t, ok := strings.CutPrefix(strings.TrimSpace(line), "type\t"); ok {
			types = append(types, t)
		}
	}
	return types, nil
}

// withoutFixture is the second table of docs/types.md: types of the library that have no fixture of their own, and why.
func withoutFixture(dir string, lib *family.Library, held map[string]bool) (string, error) {
	types, err := libraryTypes(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n## Types without a fixture\n\nParts are counted, with their names, in the fixtures of the models that hold them. A refused type says why when it is asked for.\n\n| type | what becomes of it |\n|---|---|\n")
	for _, t := range types {
		if held[t] {
			continue
		}
		what := "no family"
		if _, known := lib.File(t); known {
			what = "counted as a part of other models"
			cfg, _ := config.ParseObject(fmt.Sprintf(`{"model_type":%q}`, t))
			if _, err := family.Describe(cfg, lib); err != nil && err.Field == "model_type" {
				what = "refused: " + err.Problem
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", t, what)
	}
	return b.String(), nil
}

// table is docs/types.md: every type of the oracle, its cases, and how many are
// equal tensor by tensor.
func table(dir string) (string, error) {
	lib, held := families.Library(), map[string]bool{}
	var b strings.Builder
	b.WriteString("# Model types\n\nMade by `go run ./build family -table`; a test holds it up to date. A case is equal when every stored tensor has the name\n" +
		"and shape that transformers gives it, and parameters, buffers and class agree; a refused type has no family yet. Types whose code is not in transformers are\nheld by published counts (`core/family/published_test.go`).\n\n| type | class | folder | cases | equal | status |\n|---|---|---|---:|---:|---|\n")
	for _, folder := range familyFolders {
		files, err := LoadDir(os.DirFS(dir), folder)
		if err != nil {
			return "", err
		}
		for _, n := range slices.Sorted(maps.Keys(files)) {
			f := files[n]
			held[f.ModelType] = true
			equal, exact := 0, 0
			for _, c := range f.Cases {
				what, sure := differs(c, lib)
				if what == "" {
					equal++
				}
				if sure {
					exact++
				}
			}
			status := "exact"
			if exact < len(f.Cases) {
				status = "estimate"
			}
			if _, known := lib.File(f.ModelType); !known {
				status = "refused"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %s |\n", f.ModelType, f.Architecture, folder, len(f.Cases), equal, status)
		}
	}
	rest, err := withoutFixture(dir, lib, held)
	return b.String() + rest, err
}

// show prints what a family has to give: the keys with their defaults, and the tensors.
func show(label string, f *File) {
	fmt.Println("==", label)
	for _, k := range f.ShapeKeys {
		fmt.Printf("shape key  %s = %s\n", k.Name, k.Default)
	}
	fmt.Println("inert     ", f.InertKeys)
	c := f.Cases[0]
	fmt.Printf("config     %s\nparameters %d, buffers %d\n", c.Config, c.Parameters, c.Buffers)
	for _, t := range c.Tensors {
		fmt.Printf("%s\t%s\n", t.Name, ShapeString(t.Shape))
	}
	for _, c := range f.Cases[1:] {
		fmt.Printf("case       %s\n", c.Name)
		if d := Compare(f.Cases[0].Tensors, c.Tensors); d != "" {
			fmt.Println(d)
		}
	}
}

// compare prints the cases that differ, and returns how many do.
func compare(label string, f *File, lib *family.Library, verbose bool) int {
	bad := 0
	for _, c := range f.Cases {
		what, exact := differs(c, lib)
		if what == "" && !exact {
			what = "an estimate"
		}
		if what == "" {
			continue
		}
		bad++
		if verbose {
			fmt.Printf("%s: %s\n%s\n", label, c.Name, what)
		}
	}
	fmt.Printf("%s: %d of %d cases equal\n", label, len(f.Cases)-bad, len(f.Cases))
	return bad
}

// differs says how a family's count differs from a case, "" when it does not, and
// whether the family is sure of it.
func differs(c Case, lib *family.Library) (what string, exact bool) {
	cfg, err := config.ParseObject(string(c.Config))
	if err != nil {
		return err.Error(), false
	}
	m, err := family.Describe(cfg, lib)
	if err != nil {
		return err.Error(), false
	}
	var got []Tensor
	var params, buffers int64
	for _, r := range m.Runs() {
		shape := make([]int64, len(r.Tensor.Dims))
		for i, d := range r.Tensor.Dims {
			shape[i] = d.Size
		}
		got = append(got, Tensor{Name: r.Pattern, Shape: shape})
		if n := r.Tensor.Elements * r.Count; r.Tensor.Buffer {
			buffers += n
		} else {
			params += n
		}
	}
	switch diff := Compare(c.Tensors, got); {
	case m.Class != c.Architecture:
		what = "counted as " + m.Class
	case diff != "":
		what = diff
	case params != c.Parameters || buffers != c.Buffers:
		what = fmt.Sprintf("%d parameters and %d buffers, want %d and %d", params, buffers, c.Parameters, c.Buffers)
	}
	return what, m.Built()
}
