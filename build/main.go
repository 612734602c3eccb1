// Command build makes the site, serves it while someone writes, and checks it.
//
//	go run ./build [build]   write dist/
//	go run ./build serve     write dist/, serve it on localhost, build again when a file changes
//	go run ./build check     write dist/ and read it as a strict visitor would
//
// Absolute addresses (canonical links, sitemap, feed) begin with $SITE, else with the host's own
// $URL, else with http://localhost:8080. $DIST is another folder to write into.
//
// It only wires: package site composes pages, engine counts, markdown, maths and assets make the
// parts, check reads the result, serve answers requests, toolchain compiles WebAssembly.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"llmsize/build/serve"
	"llmsize/build/toolchain"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	verb := "build"
	if len(os.Args) > 1 {
		verb = os.Args[1]
	}
	if err := run(ctx, verb); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, verb string) error {
	root, err := toolchain.Root(".")
	if err != nil {
		return err
	}
	p := &project{root: root, dist: cmp.Or(os.Getenv("DIST"), filepath.Join(root, "dist")), url: address()}
	switch verb {
	case "build":
		start := time.Now()
		out, changed, err := p.build(ctx, nil)
		if err != nil {
			return err
		}
		if n := len(p.engine.Uncounted()); n > 0 {
			fmt.Printf("build: %d models of the catalogue cannot be counted and have no page (go run ./build check names them)\n", n)
		}
		fmt.Printf("build: %d pages, %d files, %d of them new, in %d ms\n", len(out.Pages), len(out.Files), len(changed), time.Since(start).Milliseconds())
		return nil
	case "check":
		return p.check(ctx)
	case "serve":
		dev := &serve.Dev{
			Root: root, Dir: p.dist, Addr: "localhost:8080", Log: os.Stdout,
			Watch: []string{"build", "content", "core", "site", "wasm", "go.mod"},
			Build: func(ctx context.Context, changed []string) error {
				_, _, err := p.build(ctx, changed)
				return err
			},
		}
		return dev.Run(ctx)
	}
	return errors.New("usage: go run ./build [build|serve|check]")
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
