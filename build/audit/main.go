// Command audit runs the checks that are too slow for every change, or that need programs which are not everywhere:
//
//	lighthouse  speed, accessibility, practice and search marks of three pages, in a throttled Chromium
//	vnu         the W3C's checker over every page and style (needs Java)
//	firefox     three pages in a second browser: scripts run without an error (needs Firefox)
//
// It reads dist/, so build first; `make audit` does. What cannot run here is named with the reason and does not
// fail the audit; what runs and finds something does.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"llmsize/build/serve"
	"llmsize/build/toolchain"
)

// audit is what the checks share.
type audit struct {
	root, dist string
	site       string   // address of the served site
	pages      []string // paths of three pages of different kinds
}

// skip is the error of a check that cannot run here.
type skip struct{ why string }

func (s skip) Error() string { return s.why }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	root, err := toolchain.Root(".")
	if err != nil {
		return err
	}
	a := &audit{root: root, dist: filepath.Join(root, "dist")}
	if a.pages, err = choose(a.dist); err != nil {
		return err
	}
	server := httptest.NewServer(serve.Handler(a.dist, serve.Options{Config: filepath.Join(root, "netlify.toml")}))
	defer server.Close()
	a.site = server.URL
	failed := 0
	for _, check := range []struct {
		name string
		run  func(context.Context) error
	}{{"lighthouse", a.lighthouse}, {"vnu", a.vnu}, {"firefox", a.firefox}} {
		err := check.run(ctx)
		var skipped skip
		switch {
		case errors.As(err, &skipped):
			fmt.Printf("%s: skipped: %s\n", check.name, skipped.why)
		case err != nil:
			failed++
			fmt.Printf("%s: failed\n%s\n", check.name, err)
		default:
			fmt.Printf("%s: passed\n", check.name)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d checks failed", failed)
	}
	return nil
}

// choose takes three kinds of page: the home page, the first one below it, and the first one below a section.
func choose(dist string) ([]string, error) {
	var pages []string
	seen := map[int]bool{} // by depth
	err := filepath.WalkDir(dist, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "index.html" {
			return err
		}
		rel, err := filepath.Rel(dist, filepath.Dir(path))
		if err != nil {
			return err
		}
		page := "/"
		if rel != "." {
			page = "/" + filepath.ToSlash(rel) + "/"
		}
		if depth := strings.Count(page, "/"); depth <= 3 && !seen[depth] {
			seen[depth] = true
			pages = append(pages, page)
		}
		return nil
	})
	if err == nil && len(pages) == 0 {
		err = fmt.Errorf("no pages in %s: make build", dist)
	}
	return pages, err
}

// npm installs one package into the machine's cache, once, and returns its folder.
func (a *audit) npm(ctx context.Context, name, version string) (string, error) {
	dir := filepath.Join(toolchain.CacheDir(a.root), name+"-"+version)
	pkg := filepath.Join(dir, "node_modules", name)
	if _, err := os.Stat(filepath.Join(pkg, "package.json")); err == nil {
		return pkg, nil
	}
	fmt.Printf("%s: installing version %s\n", name, version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	out, err := exec.CommandContext(ctx, "npm", "install", "--prefix", dir, "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error", name+"@"+version).CombinedOutput()
	if err != nil {
		return "", skip{fmt.Sprintf("npm could not install %s: %s", name, last(out))}
	}
	return pkg, nil
}

// last is the last line of what a command said.
func last(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
