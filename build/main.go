// Command build makes the site, and everything else that a contributor runs.
//
//	go run ./build [build]      write dist/
//	go run ./build serve        write dist/, serve it on localhost, build again when a file changes
//	go run ./build check        write dist/ and read it as a strict visitor would
//	go run ./build audit        slower checks of a built site
//	go run ./build screenshots  pictures of a built site
//	go run ./build bench        time a page in a browser
//	go run ./build worst        look for the questions that take longest
//	go run ./build fuzz         try the fuzz targets
//	go run ./build family       a model type beside what the oracle expects of it
//	go run ./build fixtures     what the oracle recorded as the tests' text files
//	go run ./build calibrate    fit content/engines to measured runs
//	go run ./build accuracy     write docs/accuracy.md
//
// Absolute addresses (canonical links, sitemap, feed) begin with $SITE, else with the host's own
// $URL, else with http://localhost:8080. $DIST is another folder to write into.
//
// It only wires. What comes out has a package: project (the whole site), text (what becomes of the chapters' words, numbers and
// formulas), answers (what the core says on pages), pages (HTML, search, what works offline), assets (styles, scripts, icons), cards
// (pictures for links), check (mistakes), serve (a host), toolchain (WebAssembly, and a browser), bench (times, and what takes
// longest), oracle (fixtures), accuracy (the engine beside measurements).
package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"llmsize/build/accuracy"
	"llmsize/build/bench"
	"llmsize/build/check"
	"llmsize/build/oracle"
	"llmsize/build/project"
	"llmsize/build/serve"
	"llmsize/build/toolchain"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	verb, args := "build", os.Args[1:]
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	if err := run(ctx, verb, args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// commands are the verbs that need nothing of what a build keeps. Each has its manual at its function.
var commands = map[string]func(ctx context.Context, args []string) error{
	"accuracy": accuracy.Accuracy, "audit": check.Audit, "bench": bench.Pages, "calibrate": accuracy.Calibrate, "family": oracle.Family,
	"fixtures": oracle.Fixtures, "fuzz": bench.Fuzz, "screenshots": bench.Screenshots, "worst": bench.Worst,
}

func run(ctx context.Context, verb string, args []string) error {
	if command, ok := commands[verb]; ok {
		if err := command(ctx, args); err != nil {
			return fmt.Errorf("%s: %w", verb, err)
		}
		return nil
	}
	root, err := toolchain.Root(".")
	if err != nil {
		return err
	}
	p, err := project.New(root, cmp.Or(os.Getenv("DIST"), filepath.Join(root, "dist")), address())
	if err != nil {
		return err
	}
	switch verb {
	case "build":
		start := time.Now()
		out, changed, err := p.Build(ctx, nil)
		if err != nil {
			return err
		}
		if n := len(p.Engine().Uncounted()); n > 0 {
			fmt.Printf("build: %d models of the catalogue cannot be counted and have no page (go run ./build check names them)\n", n)
		}
		fmt.Printf("build: %d pages, %d files, %d of them new, in %d ms\n", len(out.Pages), len(out.Files), len(changed), time.Since(start).Milliseconds())
		return nil
	case "check":
		return checked(ctx, p)
	case "serve":
		dev := &serve.Dev{
			Root: root, Dir: p.Dist, Addr: "localhost:8080", Log: os.Stdout,
			Watch: []string{"build", "content", "core", "site", "wasm", "go.mod"},
			Build: func(ctx context.Context, changed []string) error {
				_, _, err := p.Build(ctx, changed)
				return err
			},
		}
		return dev.Run(ctx)
	}
	return fmt.Errorf("there is no such verb: allowed are build, serve, check, %s", strings.Join(slices.Sorted(maps.Keys(commands)), ", "))
}

// checked builds, reads the result and prints what is wrong and what everything weighs. A validator of markup that others made reads
// every page too, which takes it a minute for pages that it has not seen.
func checked(ctx context.Context, p *project.Project) error {
	out, _, err := p.Build(ctx, nil)
	if err != nil {
		return err
	}
	findings, sizes, err := p.Check(out)
	if err != nil {
		return err
	}
	outside, err := check.HTMLValidate(ctx, filepath.Join(p.Root, "node_modules"), p.Dist, filepath.Join(p.Root, ".cache", "validated"))
	if err != nil {
		return err
	}
	findings = append(findings, outside...)
	for _, s := range sizes {
		fmt.Println(s)
	}
	for _, f := range findings {
		fmt.Println(f)
	}
	if len(findings) > 0 {
		return fmt.Errorf("check: %d mistakes", len(findings))
	}
	fmt.Printf("check: %d pages, nothing wrong\n", len(out.Pages))
	return nil
}

// address is where the site will stand.
func address() string {
	for _, name := range []string{"SITE", "URL"} {
		if url := os.Getenv(name); url != "" {
			return url
		}
	}
	return "http://localhost:8080"
}
