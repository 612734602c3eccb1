package toolchain

import (
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

// imports are the standard packages that decide how a program is compiled.
type imports struct {
	net bool // this machine's TinyGo may lack it
	js  bool // syscall/js: the program calls JavaScript and waits for it
}

// inputs hashes all that decides what a package compiles to: the module's own source files with their
// contents, other modules by version, and salt (compiler, flags). It also says which imports decide how it is compiled.
func inputs(ctx context.Context, root, pkg string, salt ...string) (hash string, uses imports, err error) {
	out, err := output(ctx, root, []string{"GOOS=js", "GOARCH=wasm"}, "go", "list", "-deps",
		"-json=ImportPath,Dir,Standard,GoFiles,SFiles,EmbedFiles,IgnoredGoFiles,Module", pkg)
	if err != nil {
		return "", uses, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", salt)
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			return "", uses, fmt.Errorf("go list %s: %w", pkg, err)
		}
		switch {
		case p.ImportPath == "net":
			uses.net = true
		case p.ImportPath == "syscall/js":
			uses.js = true
		case p.Standard: // comes with the compiler's version
		case p.Module != nil && !p.Module.Main:
			fmt.Fprintf(h, "%s %s@%s\n", p.ImportPath, p.Module.Path, p.Module.Version)
		default:
			files := slices.Concat(p.GoFiles, p.SFiles, p.EmbedFiles, p.IgnoredGoFiles)
			slices.Sort(files)
			for _, f := range files {
				fmt.Fprintf(h, "%s/%s\n", p.ImportPath, f)
				if err := hashFile(h, filepath.Join(p.Dir, f)); err != nil {
					return "", uses, err
				}
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:20], uses, nil
}

func hashFile(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%x\n", sum.Sum(nil))
	return err
}
