package toolchain

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sums is what of TinyGo is used. tinygo.sh reads it, too.
//
//go:embed tinygo.sums
var sums string

// pinned reports whether what "tinygo version" prints is of a version that is used.
func pinned(said string) bool {
	rest, ok := strings.CutPrefix(said, "tinygo version ")
	got, _, _ := strings.Cut(rest, " ")
	for line := range strings.Lines(sums) {
		if version, _, _ := strings.Cut(line, " "); ok && version == got && version != "#" {
			return true
		}
	}
	return false
}

// Compiler is a way to make WebAssembly.
type Compiler struct {
	Name    string // "tinygo" or "go"
	Path    string // the command
	Version string // what it says of itself, with wasm-opt's version where that runs after it
	Exec    string // its wasm_exec.js
	Lost    string // why it is not TinyGo, for people; empty when nothing is lost

	wasmOpt string // path of wasm-opt; empty when there is none
	metaDCE string // path of wasm-metadce, which comes with it
	noNet   bool   // packages that import net cannot be compiled: see tinygo.sh
	standIn bool   // net/http is package http of this folder
}

// FindCompiler takes TinyGo from the PATH, else from the machine's cache, in a version that tinygo.sums names, else Go.
// LLMSIZE_WASM=go|tinygo forces one.
func FindCompiler(ctx context.Context, root string) (*Compiler, error) {
	force := os.Getenv("LLMSIZE_WASM")
	switch force {
	case "go":
		return findGo(ctx, "LLMSIZE_WASM=go")
	case "", "tinygo":
	default:
		return nil, fmt.Errorf("LLMSIZE_WASM=%s: unknown compiler (allowed: go, tinygo)", force)
	}
	var tried []string
	for _, path := range tinyGoPaths(root) {
		c, err := tinyGo(ctx, path)
		if err == nil {
			return c, nil
		}
		tried = append(tried, err.Error())
	}
	why := "no TinyGo here (make tinygo brings it)"
	if len(tried) > 0 {
		why = strings.Join(tried, "; ")
	}
	if force == "tinygo" {
		return nil, fmt.Errorf("LLMSIZE_WASM=tinygo: %s", why)
	}
	return findGo(ctx, why)
}

func tinyGoPaths(root string) []string {
	var paths []string
	if p, err := exec.LookPath("tinygo"); err == nil {
		paths = append(paths, p)
	}
	cached, _ := filepath.Glob(filepath.Join(CacheDir(root), "tinygo-[0-9]*[0-9]", "bin", "tinygo"))
	for i := len(cached) - 1; i >= 0; i-- { // newest version first
		paths = append(paths, cached[i])
	}
	return paths
}

func tinyGo(ctx context.Context, path string) (*Compiler, error) {
	version, err := output(ctx, "", nil, path, "version")
	if err != nil {
		return nil, fmt.Errorf("%s does not run: %w", path, err)
	}
	if !pinned(version) {
		return nil, fmt.Errorf("%s is another version than build/toolchain/tinygo.sums names: %s", path, version)
	}
	home, err := output(ctx, "", nil, path, "env", "TINYGOROOT")
	if err != nil {
		return nil, fmt.Errorf("%s does not know its folder: %w", path, err)
	}
	c := &Compiler{Name: "tinygo", Path: path, Version: version, Exec: filepath.Join(home, "targets", "wasm_exec.js")}
	if _, err := os.Stat(c.Exec); err != nil {
		return nil, fmt.Errorf("%s lacks its wasm_exec.js: %w", path, err)
	}
	net, _ := filepath.Glob(filepath.Join(home, "src", "net", "*.go"))
	if c.noNet = len(net) == 0; c.noNet {
		c.standIn = standInFor(home) == nil
	}
	if p, err := exec.LookPath("wasm-opt"); err == nil {
		c.wasmOpt = p
	} else if p := filepath.Join(home, "bin", "wasm-opt"); exists(p) {
		c.wasmOpt = p // the release archive brings its own
	}
	if c.wasmOpt != "" {
		v, err := output(ctx, "", nil, c.wasmOpt, "--version")
		if err != nil {
			return nil, fmt.Errorf("%s does not run: %w", c.wasmOpt, err)
		}
		c.Version += ", " + v
		if p := filepath.Join(filepath.Dir(c.wasmOpt), "wasm-metadce"); exists(p) {
			c.metaDCE = p
			c.Version += " with wasm-metadce"
		}
	}
	return c, nil
}

// standIn is what of net/http a TinyGo without it is given (package http).
//
//go:embed http/http.go
var standIn []byte

// standInFor puts it where TinyGo looks for its own packages.
func standInFor(home string) error {
	name := filepath.Join(home, "src", "net", "http", "http.go")
	if kept, err := os.ReadFile(name); err == nil && bytes.Equal(kept, standIn) {
		return nil
	}
	return WriteWhole(name, standIn)
}

func findGo(ctx context.Context, lost string) (*Compiler, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("go is not on the PATH: get it at https://go.dev/dl/")
	}
	version, err := output(ctx, "", nil, path, "version")
	if err != nil {
		return nil, err
	}
	goroot, err := output(ctx, "", nil, path, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	c := &Compiler{Name: "go", Path: path, Version: version, Lost: lost}
	for _, dir := range []string{"lib/wasm", "misc/wasm"} { // the second up to Go 1.23
		if c.Exec = filepath.Join(goroot, dir, "wasm_exec.js"); exists(c.Exec) {
			return c, nil
		}
	}
	return nil, fmt.Errorf("wasm_exec.js is not in %s", goroot)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// output runs a command and returns what it prints, trimmed. An error carries what it said on standard error.
func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}
