package bench

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"llmsize/build/toolchain"
)

// grace is what a target may take beyond its time: for the corpus, and for an input that is being made smaller.
const grace = time.Minute

// target is a fuzz function.
type target struct {
	pkg  string // import path
	dir  string // of the package
	name string
}

// title is the target's name for people and for files: "core/config FuzzParse".
func (t target) title() string {
	_, path, _ := strings.Cut(t.pkg, "/")
	return path + " " + t.name
}

// Fuzz tries every fuzz target of the module for a while.
//
//	go run ./build fuzz                 each for ten seconds
//	go run ./build fuzz -all 1m         all together for a minute, in equal shares
//	go run ./build fuzz -each 1h core/config
//	go run ./build fuzz -keep           what was found before becomes the corpus of the repository
//
// Arguments are parts of packages' paths; without one, all are tried. A target's package is compiled once, as
// `go test -fuzz` does it. What leads somewhere new is kept in .cache/fuzz, and a run begins with it and with the
// corpus of the repository (build/bench/corpus, a text a target), so that a minute on a fresh machine is not spent on what is known.
//
// An input that fails is written into the package's testdata/fuzz, where `go test` tries it from then on; the exit
// status is then 1. It is 1 too for a target that does not come to its end.
func Fuzz(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("fuzz", flag.ExitOnError)
	all := flags.Duration("all", 0, "time for all targets together")
	each := flags.Duration("each", 10*time.Second, "time for each target")
	keep := flags.Bool("keep", false, "write the corpus of the repository from what was found before")
	flags.Parse(args)
	root, err := toolchain.Root(".")
	if err != nil {
		return err
	}
	f := fuzzer{root: root, cache: filepath.Join(root, ".cache", "fuzz"), corpus: filepath.Join(root, "build", "bench", "corpus"), out: os.Stdout, grace: grace}
	if *keep {
		return f.keep(ctx, flags.Args())
	}
	return f.run(ctx, *all, *each, flags.Args())
}

// fuzzer is a run.
type fuzzer struct {
	root   string        // of the module
	cache  string        // what was found on this machine
	corpus string        // what is kept in the repository
	out    io.Writer     // a line for each target
	grace  time.Duration // beyond a target's time
}

// targets are all fuzz functions of packages whose path holds one of the parts.
func (f *fuzzer) targets(ctx context.Context, parts []string) ([]target, error) {
	list := exec.CommandContext(ctx, "go", "list", "-f", `{{$p := .}}{{range .TestGoFiles}}{{$p.ImportPath}}	{{$p.Dir}}	{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$p.ImportPath}}	{{$p.Dir}}	{{.}}{{"\n"}}{{end}}`, "./...")
	list.Dir, list.Stderr = f.root, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []target
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 3 || !wanted(fields[0], parts) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(fields[1], fields[2]), nil, parser.SkipObjectResolution)
		if err != nil && file == nil {
			return nil, err
		}
		for _, d := range file.Decls { // what cannot be read whole fails when it is compiled
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				all = append(all, target{fields[0], fields[1], fn.Name.Name})
			}
		}
	}
	if len(all) == 0 {
		return nil, errors.New("there is no fuzz target of that name")
	}
	return all, nil
}

func wanted(pkg string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(pkg, strings.Trim(part, "./")) {
			return true
		}
	}
	return len(parts) == 0
}

// run tries all targets. With all set, they share that time.
func (f *fuzzer) run(ctx context.Context, all, each time.Duration, parts []string) error {
	list, err := f.targets(ctx, parts)
	if err != nil {
		return err
	}
	if all > 0 {
		each = max(all/time.Duration(len(list)), time.Second)
	}
	dir, err := os.MkdirTemp("", "fuzz-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var failed []string
	program, compiled := "", ""
	for _, t := range list {
		if t.pkg != compiled {
			program, compiled = filepath.Join(dir, strings.ReplaceAll(t.pkg, "/", ".")), t.pkg
			build := exec.CommandContext(ctx, "go", "test", "-c", "-fuzz", ".", "-vet=off", "-o", program, t.pkg)
			build.Dir = f.root
			if out, err := build.CombinedOutput(); err != nil {
				return fmt.Errorf("%s does not compile: %w\n%s", t.pkg, err, out)
			}
		}
		if err := f.try(ctx, program, t, each); err != nil {
			fmt.Fprintf(f.out, "fuzz: %s: %v\n", t.title(), err)
			failed = append(failed, t.title())
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d targets failed: %s", len(failed), len(list), strings.Join(failed, ", "))
	}
	return nil
}

// found is the last line of a run in which nothing failed.
var found = regexp.MustCompile(`execs: (\d+) .*new interesting: (\d+) \(total: (\d+)\)`)

// try gives one target its time.
func (f *fuzzer) try(ctx context.Context, program string, t target, each time.Duration) error {
	cache := filepath.Join(f.cache, filepath.FromSlash(t.pkg))
	if err := f.unpack(t, filepath.Join(cache, t.name)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, each+f.grace)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-test.run=^$", "-test.fuzz=^"+t.name+"$", "-test.fuzztime="+each.String(), "-test.fuzzminimizetime=5s",
		"-test.fuzzcachedir="+cache, fmt.Sprintf("-test.parallel=%d", runtime.GOMAXPROCS(0)))
	cmd.Dir = t.dir
	// What it shares with its workers is a file that stays where it is ended: it lies beside the program, and goes with it.
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Dir(program))
	// Its workers are processes of their own, which go with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	text := said.String()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("it did not come to its end in %v:\n%s", each+f.grace, text)
	case err != nil && strings.Contains(text, "context deadline exceeded") && !strings.Contains(text, "Failing input"):
		// The time was over while an input was on its way to a worker, which the testing package tells as a failure.
	case err != nil:
		return fmt.Errorf("%w\n%s", err, text)
	}
	execs, interesting, total := "no", "0", "0"
	if all := found.FindAllStringSubmatch(text, -1); len(all) > 0 {
		m := all[len(all)-1]
		execs, interesting, total = m[1], m[2], m[3]
	}
	fmt.Fprintf(f.out, "fuzz: %-32s %8s runs, %s of %s inputs are new\n", t.title(), execs, interesting, total)
	return nil
}
