package bench

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"llmsize/build/toolchain"
	"llmsize/core/family/families"
	"llmsize/core/fault"
)

// Worst looks for the questions that take longest, natively and as the
// page's program:
//
//	go run ./build worst -for 5m > worst.md
//
// It begins with every model of the catalogue and every type's defaults, and
// changes keys of the config and of the query: sizes to extremes, lists to
// thousands of entries of which each differs, keys that nobody reads, lists of
// modules. What took longest so far is changed further. The found ones are then
// asked of the program as TinyGo compiles it, in Node, with all regions of the
// page, and come out as a table. With -of worker they are asked of the program that draws charts and lays out steps beside
// the page; with -of edge they are links alone, asked of the edge's program.
//
// An answer that a program gives otherwise than this process does is an error: then the times are of something else.
//
// -kept writes the found questions as a file of build/bench/testdata, whose tests
// ask them again.
func Worst(ctx context.Context, args []string) error {
	var o worstOptions
	flags := flag.NewFlagSet("worst", flag.ExitOnError)
	flags.DurationVar(&o.time, "for", time.Minute, "how long to look")
	flags.IntVar(&o.top, "top", 12, "how many questions to show")
	flags.Uint64Var(&o.seed, "seed", 1, "of the random numbers")
	flags.Int64Var(&o.steps, "steps", 0, "the budget of an answer; 0 is the standard")
	flags.StringVar(&o.of, "of", "page", "the program asked: page, worker or edge")
	flags.StringVar(&o.kept, "kept", "", "file to write the questions to")
	flags.Parse(args)
	if programs[o.of] == "" {
		return fmt.Errorf("worst: -of %s: it is page, worker or edge", o.of)
	}
	return runWorst(ctx, o)
}

type worstOptions struct {
	time  time.Duration
	top   int
	seed  uint64
	steps int64
	of    string
	kept  string
}

// programs are those that questions are asked of.
var programs = map[string]string{"page": "wasm/explain", "worker": "wasm/derive", "edge": "wasm/edge"}

func runWorst(ctx context.Context, o worstOptions) error {
	root, err := toolchain.Root(".")
	if err != nil {
		return err
	}
	s, err := newSearch(root, rand.New(rand.NewPCG(o.seed, o.seed)), o.steps, o.of)
	if err != nil {
		return err
	}
	s.look(o.time)
	worst := s.worst(o.top)
	if o.kept != "" {
		var b strings.Builder
		for _, f := range worst {
			line, err := json.Marshal(f.Question)
			if err != nil {
				return err
			}
			b.Write(line)
			b.WriteByte('\n')
		}
		if err := os.WriteFile(o.kept, []byte(b.String()), 0o666); err != nil {
			return err
		}
	}
	if err := inNode(ctx, root, o.of, worst); err != nil {
		return fmt.Errorf("worst: no times as WebAssembly: %w", err)
	}
	fmt.Printf("%d questions asked in %v, of %d begun with.\n\n", s.asked, o.time, len(s.bases))
	fmt.Print(worstTable(worst))
	return nil
}

// longest is how many bytes of a question a table shows.
const longest = 130

// worstTable is the found questions as Markdown.
func worstTable(list []*hard) string {
	var b strings.Builder
	b.WriteString("| question | steps | native, ms | WebAssembly, ms | optimised, ms | of it the answer | memory, MB | what came out |\n|---|---:|---:|---:|---:|---:|---:|---|\n")
	for _, f := range list {
		about := f.about
		if len(about) > longest {
			about = about[:strings.LastIndex(about[:longest], ", ")] + ", …`"
		}
		outcome := "answered"
		if f.refused != "" {
			outcome = "refused: " + fault.Clip(f.refused, 60)
		}
		fmt.Fprintf(&b, "| %s | %d | %.1f | %.1f | %.1f | %.1f | %.0f | %s |\n", about, f.steps, ms(f.native), f.quick.All, f.optimised.All, f.optimised.Answer, float64(f.quick.Memory)/1e6, outcome)
	}
	return b.String()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// inNode times the questions as WebAssembly.
func inNode(ctx context.Context, root string, of string, list []*hard) error {
	compiler, err := toolchain.FindCompiler(ctx, root)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "worst")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	wasm := filepath.Join(dir, "program.wasm")
	built, err := toolchain.BuildWASM(ctx, programs[of], wasm, toolchain.Options{Root: root, Compiler: compiler, Log: os.Stderr})
	if err != nil {
		return err
	}
	asked := make([]map[string]string, len(list))
	for i, f := range list {
		asked[i] = map[string]string{"query": f.Query, "config": f.Config, "device": f.Device}
	}
	packed, fail := families.Library().Pack(families.Names())
	if fail != nil {
		return fail
	}
	input, err := json.Marshal(map[string]any{"families": packed, "questions": asked})
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "input.json")
	if err := os.WriteFile(file, input, 0o600); err != nil {
		return err
	}
	for flag, into := range map[string]func(f *hard) *wasmTime{
		"--liftoff-only": func(f *hard) *wasmTime { return &f.quick },
		"--no-liftoff":   func(f *hard) *wasmTime { return &f.optimised },
	} {
		node := exec.CommandContext(ctx, "node", flag, filepath.Join(root, "build/bench/times.mjs"), built.Exec, wasm, file)
		node.Stderr = os.Stderr
		out, err := node.Output()
		if err != nil {
			return fmt.Errorf("node: %w", err)
		}
		var times []wasmTime
		if err := json.Unmarshal(out, &times); err != nil {
			return err
		}
		for i := range times {
			if f := list[i]; times[i].Refused != f.refused {
				return fmt.Errorf("%s is refused for %q by %s, and for %q here", f.about, times[i].Refused, programs[of], f.refused)
			}
			*into(list[i]) = times[i]
		}
	}
	return nil
}

// wasmTime is how long a question takes as WebAssembly, in milliseconds of the processor, and the
// memory that its instance then has. A browser begins with code that it made quickly, and goes over to what it has optimised.
type wasmTime struct {
	Refused     string // the field that is named; empty for an answer
	Answer, All float64
	Memory      int64
	Regions     int // parts of the page that were written
}
