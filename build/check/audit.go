package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"llmsize/build/serve"
	"llmsize/build/toolchain"
	"llmsize/wasm/hub/hubtest"
)

// audit is what the checks share.
type audit struct {
	only       string // what the names of flows and pages have to hold
	root, dist string
	site       string   // address of the served site
	pages      []string // paths of pages of different kinds
	hub        *hubtest.Hub
}

// skip is the error of a check that cannot run here.
type skip struct{ why string }

func (s skip) Error() string { return s.why }

// Audit runs the checks that are too slow for every change, or that need programs which are not everywhere:
//
//	lighthouse  speed, accessibility, practice and search marks of the home page, a model, a device and every chapter, in a throttled Chromium
//	vnu         the W3C's checker over every page and style (needs Java)
//	edge        the host's edge functions in Deno, in which the host runs them
//	govulncheck known faults in the modules of go.mod and in Go's library, where its database can be reached
//	firefox     the same pages in a second browser, and the main flows: an edit, a link, Back, a bad config, themes, models of a hub, no script
//
// It reads dist/ (or $DIST), so build first; `make audit` does. With names as arguments it runs only these, and of firefox/WORDS and lighthouse/WORDS the
// flows and pages whose names hold the words. What cannot run here is named with the reason and does not
// fail the audit; what runs and finds something does.
func Audit(ctx context.Context, args []string) error {
	root, err := toolchain.Root(".")
	if err != nil {
		return err
	}
	a := &audit{root: root, dist: cmp.Or(os.Getenv("DIST"), filepath.Join(root, "dist"))}
	if a.pages, err = choose(a.dist); err != nil {
		return err
	}
	hub, end := hubtest.New()
	defer end()
	a.hub = hub
	server := httptest.NewServer(reaching(serve.Handler(a.dist, serve.Options{Config: filepath.Join(root, "netlify.toml")}), hub.URL, hub.Data))
	defer server.Close()
	a.site = server.URL
	failed := 0
	for _, check := range []struct {
		name string
		run  func(context.Context) error
	}{{"lighthouse", a.lighthouse}, {"vnu", a.vnu}, {"edge", a.edge}, {"govulncheck", a.vulnerable}, {"firefox", a.firefox}} {
		if len(args) > 0 {
			i := slices.IndexFunc(args, func(arg string) bool { name, _, _ := strings.Cut(arg, "/"); return name == check.name })
			if i < 0 {
				continue
			}
			_, a.only, _ = strings.Cut(args[i], "/")
		}
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

// kinds are the pages that are looked at, by the class of their body: the first of each, in order of paths, and every
// chapter, for each has figures of its own.
var kinds = []string{"home", "model", "device", "chapter"}

// choose finds the pages of each kind.
func choose(dist string) ([]string, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(dist, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "index.html" {
			return err
		}
		html, err := os.ReadFile(path)
		if err != nil {
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
		for _, kind := range kinds {
			if (kind == "chapter" || len(found[kind]) == 0) && strings.Contains(string(html), `<body class="`+kind+`"`) {
				found[kind] = append(found[kind], page)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var pages []string
	for _, kind := range kinds {
		if len(found[kind]) == 0 {
			return nil, fmt.Errorf("no page of the kind %s in %s: make build", kind, dist)
		}
		pages = append(pages, found[kind]...)
	}
	return pages, nil
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
		return "", skip{fmt.Sprintf("npm could not install %s: %s", name, last(out, err))}
	}
	return pkg, nil
}

// last is the last line of what a command said, or its error where it said nothing.
func last(out []byte, err error) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return cmp.Or(lines[len(lines)-1], err.Error())
}
