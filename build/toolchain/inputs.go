package toolchain

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// listed is what `go list -deps -json` says of one package.
type listed struct {
	ImportPath string
	Dir        string
	Standard   bool
	GoFiles    []string
	SFiles     []string
	EmbedFiles []string
	// Files that a build tag leaves out here may be in for TinyGo, whose tags differ.
	IgnoredGoFiles []string
	Module         *struct {
		Path, Version string
		Main          bool
	}
}

// traits decide how a program is compiled.
type traits struct {
	net     bool     // the package net is imported: this machine's TinyGo may lack it
	exports []string // the functions that the program exports; one that does is a library that waits for nothing
}

// inputs hashes all that decides what a package compiles to: the module's own source files with their
// contents, other modules by version, and salt (compiler, flags). It also says what decides how it is compiled.
func inputs(ctx context.Context, root, pkg string, salt ...string) (hash string, is traits, err error) {
	out, err := output(ctx, root, []string{"GOOS=js", "GOARCH=wasm"}, "go", "list", "-deps",
		"-json=ImportPath,Dir,Standard,GoFiles,SFiles,EmbedFiles,IgnoredGoFiles,Module", pkg)
	if err != nil {
		return "", is, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", salt)
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			return "", is, fmt.Errorf("go list %s: %w", pkg, err)
		}
		switch {
		case p.ImportPath == "net":
			is.net = true
		case p.Standard: // comes with the compiler's version
		case p.Module != nil && !p.Module.Main:
			fmt.Fprintf(h, "%s %s@%s\n", p.ImportPath, p.Module.Path, p.Module.Version)
		default:
			files := slices.Concat(p.GoFiles, p.SFiles, p.EmbedFiles, slices.DeleteFunc(p.IgnoredGoFiles, func(f string) bool { return strings.HasSuffix(f, "_test.go") }))
			slices.Sort(files)
			for _, f := range files {
				fmt.Fprintf(h, "%s/%s\n", p.ImportPath, f)
				exports, err := hashFile(h, filepath.Join(p.Dir, f))
				if err != nil {
					return "", is, err
				}
				is.exports = append(is.exports, exports...)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:20], is, nil
}

// exported is how a source file says that WebAssembly's host calls a function.
var exported = []byte("\n//go:wasmexport ")

// hashFile adds a file's content to the hash, and returns the functions that it exports to WebAssembly's host.
func hashFile(w io.Writer, path string) (exports []string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for i, text := range bytes.Split(data, exported) {
		if name, _, _ := bytes.Cut(text, []byte("\n")); i > 0 {
			exports = append(exports, string(bytes.TrimSpace(name)))
		}
	}
	_, err = fmt.Fprintf(w, "%x\n", sha256.Sum256(data))
	return exports, err
}
