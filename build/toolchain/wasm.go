package toolchain

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options say where to build and whom to tell.
type Options struct {
	Root string    // the checkout; empty means the one that the working directory lies in
	Log  io.Writer // one line for each program that is compiled, and one when TinyGo is missing; nil means silence

	// Compiler to use; nil means FindCompiler's. Callers that compile several programs find it once.
	Compiler *Compiler
}

// Result describes one compiled program.
type Result struct {
	Compiler string        // "tinygo" or "go"
	Version  string        // of the compiler
	Exec     string        // path of the wasm_exec.js that belongs to it
	Raw      int64         // bytes, uncompressed
	Cached   bool          // nothing had changed: no compiler ran
	Took     time.Duration // the whole call
}

// A new way to compile must not find what an old one left.
var (
	goFlags     = []string{"-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid="}
	tinyGoFlags = []string{"-target", "wasm", "-no-debug", "-opt", "z", "-panic=trap"}
	// A program that exports functions waits for nothing: it needs no scheduler, and without one no asyncify,
	// which makes every function that may be waiting larger.
	// It frees nothing either: its host drops it when it has grown, which is cheaper than a collector, whose
	// bookkeeping is a quarter of the code.
	// Families that hold others in themselves are read one inside the other: 64 kB of stack, TinyGo's own choice, are too few.
	libraryFlags = []string{"-scheduler=none", "-buildmode=c-shared", "-gc=leaking", "-ldflags=-extldflags '-z stack-size=1048576'"}
	// The stack stands first in memory: its last kilobyte is the low memory that no variable stands in. What is stripped
	// goes first, since a pass behind -Oz undoes some of it.
	optFlags = []string{"--strip-producers", "--strip-target-features", "-Oz", "--low-memory-unused"}
	features = []string{"--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int", "--enable-mutable-globals"}
)

// BuildWASM compiles the command in pkgDir (absolute, or relative to the checkout) into the file out.
// A program that imports net goes to Go where the TinyGo at hand lacks that package.
func BuildWASM(ctx context.Context, pkgDir, out string, opt Options) (Result, error) {
	start := time.Now()
	root := opt.Root
	if root == "" {
		root = "."
	}
	root, err := Root(root)
	if err != nil {
		return Result{}, err
	}
	pkg, err := importPattern(root, pkgDir)
	if err != nil {
		return Result{}, err
	}
	c := opt.Compiler
	if c == nil {
		if c, err = FindCompiler(ctx, root); err != nil {
			return Result{}, err
		}
	}
	salt := []string{c.Version, fmt.Sprint(goFlags, tinyGoFlags, libraryFlags, optFlags, features, MaxMemory)}
	hash, is, err := inputs(ctx, root, pkg, salt...)
	if err != nil {
		return Result{}, err
	}
	if c.Name == "tinygo" && c.noNet && is.net && c.standIn {
		salt[0] += fmt.Sprintf(" with %x", sha256.Sum256(standIn))
		if hash, _, err = inputs(ctx, root, pkg, salt...); err != nil {
			return Result{}, err
		}
	} else if c.Name == "tinygo" && c.noNet && is.net {
		if c, err = findGo(ctx, "it imports net, which this TinyGo lacks"); err != nil {
			return Result{}, err
		}
		salt[0] = c.Version
		if hash, _, err = inputs(ctx, root, pkg, salt...); err != nil {
			return Result{}, err
		}
	}
	res := Result{Compiler: c.Name, Version: c.Version, Exec: c.Exec, Cached: true}
	dir := filepath.Join(root, ".cache", "wasm", filepath.Base(pkg)+"-"+c.Name+"-"+hash)
	kept := filepath.Join(dir, "main.wasm")
	if !exists(kept) {
		res.Cached = false
		if opt.Log != nil {
			fmt.Fprintf(opt.Log, "wasm: compiling %s with %s%s\n", pkg, c.Name, whatIsLost(c))
		}
		err := place(dir, func(tmp string) error {
			main := filepath.Join(tmp, "main.wasm")
			if err := compile(ctx, c, root, pkg, main, is); err != nil {
				return err
			}
			return limitMemory(main, MaxMemory)
		})
		if err != nil {
			return Result{}, fmt.Errorf("compile %s with %s: %w", pkg, c.Name, err)
		}
	}
	if res.Raw, err = copyFile(out, kept); err != nil {
		return Result{}, err
	}
	res.Took = time.Since(start)
	return res, nil
}

func whatIsLost(c *Compiler) string {
	if c.Lost == "" {
		return ""
	}
	return ", a file about fifteen times the size: " + c.Lost
}

// importPattern turns a folder into the ./form that both compilers take.
func importPattern(root, dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("package folder %s is outside %s", dir, root)
	}
	return "./" + filepath.ToSlash(rel), nil
}

func compile(ctx context.Context, c *Compiler, root, pkg, out string, is traits) error {
	if c.Name == "go" {
		args := append([]string{"build", "-o", out}, goFlags...)
		_, err := output(ctx, root, []string{"GOOS=js", "GOARCH=wasm"}, c.Path, append(args, pkg)...)
		return err
	}
	// TinyGo reads these itself, and what a caller set for native programs is wrong for the target.
	env := []string{"GOOS=", "GOARCH="}
	args := append([]string{"build", "-o", out}, tinyGoFlags...)
	if len(is.exports) > 0 {
		args = append(args, libraryFlags...)
	}
	if _, err := output(ctx, root, env, c.Path, append(args, pkg)...); err != nil {
		return err
	}
	if c.wasmOpt == "" {
		return nil
	}
	if c.metaDCE != "" && len(is.exports) > 0 {
		if err := onlyExports(ctx, c, out, is.exports); err != nil {
			return err
		}
	}
	return replace(ctx, out, c.wasmOpt, append(optFlags, features...)...)
}

// replace has a program of binaryen rewrite a file.
func replace(ctx context.Context, file, program string, args ...string) error {
	small := file + ".new"
	if _, err := output(ctx, "", nil, program, append(args, file, "-o", small)...); err != nil {
		return err
	}
	return os.Rename(small, file)
}

// onlyExports drops what the linker exports beside the program's own functions, an allocator for C and some arithmetic,
// with all that nothing else needs.
func onlyExports(ctx context.Context, c *Compiler, file string, names []string) error {
	type node struct {
		Name    string   `json:"name"`
		Reaches []string `json:"reaches,omitempty"`
		Export  string   `json:"export,omitempty"`
		Root    bool     `json:"root,omitempty"`
	}
	names = append([]string{"memory", "_initialize"}, names...)
	graph := []node{{Name: "host", Reaches: names, Root: true}}
	for _, name := range names {
		graph = append(graph, node{Name: name, Export: name})
	}
	text, err := json.Marshal(graph)
	if err != nil {
		return err
	}
	wanted := file + ".graph"
	if err := os.WriteFile(wanted, text, 0o600); err != nil {
		return err
	}
	defer os.Remove(wanted)
	return replace(ctx, file, c.metaDCE, append([]string{"--graph-file", wanted}, features...)...)
}

// copyFile replaces dst by src's content in one step and returns its size. A dst that is the same already is left alone.
func copyFile(dst, src string) (int64, error) {
	data, err := os.ReadFile(src)
	if err != nil {
		return 0, err
	}
	if old, err := os.ReadFile(dst); err == nil && string(old) == string(data) {
		return int64(len(data)), nil
	}
	return int64(len(data)), WriteWhole(dst, data)
}
