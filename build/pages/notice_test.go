package pages

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"llmsize/build/toolchain"
)

// plain is a text without what differs between copies of a licence: spaces and line breaks.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestNotice: whatever of others is part of what is published has its licence in the notice, word for word.
func TestNotice(t *testing.T) {
	root, err := toolchain.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	read := func(parts ...string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(parts...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	notice := read(root, "NOTICE")
	holds := func(name, licence string) {
		t.Helper()
		if !strings.Contains(notice, name) {
			t.Errorf("%s is not named", name)
		}
		if !strings.Contains(plain(notice), plain(licence)) {
			t.Errorf("the licence of %s is not there as it stands in its package", name)
		}
	}
	command := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	licence := regexp.MustCompile(`^(LICEN[CS]E|COPYING|SIL-LICENSE)(\.\w+)?$`)
	of := func(folder string) string {
		t.Helper()
		list, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			if licence.MatchString(f.Name()) {
				return read(folder, f.Name())
			}
		}
		t.Errorf("%s has no licence", folder)
		return ""
	}

	// Programs: the compilers' own parts, and modules.
	holds("Go", of(command("go", "env", "GOROOT")))
	holds("TinyGo", "The TinyGo Authors. All rights reserved.")
	seen := 0
	for line := range strings.Lines(command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "./wasm/...")) {
		if module, dir, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			name := module[strings.LastIndex(module, "/")+1:]
			holds(name, of(dir))
			seen++
		}
	}
	if seen == 0 {
		t.Error("the programs hold no module: the test looks in the wrong place")
	}
	// Scripts: what they import by a bare name.
	packages := map[string]bool{"@mathjax/src": true}
	scripts, err := filepath.Glob(filepath.Join(root, "site", "scripts", "*.js"))
	if err != nil || len(scripts) == 0 {
		t.Fatal(err, len(scripts))
	}
	bare := regexp.MustCompile(`(?m)^import [^"]*"([a-z@][^":]*)";`)
	for _, file := range scripts {
		for _, m := range bare.FindAllStringSubmatch(read(file), -1) {
			packages[m[1]] = true
		}
	}
	if !packages["minisearch"] {
		t.Errorf("imported are %v: the test looks in the wrong place", packages)
	}
	modules := filepath.Join(root, "node_modules")
	if _, err := os.Stat(modules); err != nil {
		t.Fatal("no npm packages here, run `npm ci`: ", err)
	}
	for name := range packages {
		at := filepath.Join(modules, filepath.FromSlash(name))
		if name == "@mathjax/src" {
			name = "MathJax"
		}
		holds(name, of(at))
	}
	// Letters: of the cards, in the kit that the edge loads.
	text := read(command("go", "list", "-m", "-f", "{{.Dir}}", "codeberg.org/go-fonts/stix"), "SIL-LICENSE")
	holds("STIX Two", text[strings.Index(text, "This Font Software is licensed under"):])
	holds("New Computer Modern", "GUST Font License")
}
