package assets

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// site writes files into a folder of styles and scripts.
func site(t *testing.T, files map[string]string) Input {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Input{
		Styles: filepath.Join(dir, "styles"), Scripts: filepath.Join(dir, "scripts"),
		Entries:   []string{"main.css", "main.js", "theme.classic.js"},
		Data:      map[string][]byte{"calc.wasm": []byte("\x00asm"), "unused.bin": {1}},
		Generated: map[string]string{"maths.css": ".maths{color:red}"},
	}
}

var files = map[string]string{
	"styles/main.css":          `@import "generated:maths.css"; @import "./part.css";`,
	"styles/part.css":          `.a { color: black; &:hover { color: blue } }`,
	"scripts/main.js":          `import calc from 'asset:calc.wasm'; import hub from 'asset:hub.worker.js'; import('./lazy.js'); console.log(calc, hub);`,
	"scripts/lazy.js":          `console.log('lazy part');`,
	"scripts/hub.worker.js":    `self.onmessage = () => 1;`,
	"scripts/theme.classic.js": `document.documentElement.dataset.theme = 'dark';`,
}

func TestBuild(t *testing.T) {
	set, err := Build(site(t, files))
	if err != nil {
		t.Fatal(err)
	}
	hashed := regexp.MustCompile(`^/assets/[\w.]+-[0-9A-Za-z]{8,10}\.(css|js|wasm)$`)
	for url := range set.Files() {
		if !hashed.MatchString(url) {
			t.Errorf("%s has no hash in its name", url)
		}
	}
	text := func(name string) string {
		url, err := set.URL(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(set.Files()[url])
	}
	if css := text("main.css"); !strings.Contains(css, ".maths{color:red}") || !strings.Contains(css, ".a{") || strings.Contains(css, "@import") {
		t.Errorf("styles are not bundled: %s", css)
	}
	main := text("main.js")
	for _, name := range []string{"calc.wasm", "hub.worker.js"} {
		if url, err := set.URL(name); err != nil || !strings.Contains(main, url) {
			t.Errorf("main.js does not name %s: %s", name, main)
		}
	}
	if strings.Contains(main, "lazy part") {
		t.Error("a part that loads on use is inside the main script")
	}
	// The style, the main script and its lazy part, the worker, the classic script, the WebAssembly: not unused.bin.
	if n := len(set.Files()); n != 6 {
		t.Errorf("%d files: %v", n, slices.Sorted(maps.Keys(set.Files())))
	}
}

// A part that loads on use is told with all that it imports, and without what it loads itself.
func TestModules(t *testing.T) {
	set, err := Build(site(t, map[string]string{
		"styles/main.css":          `.a { color: black }`,
		"scripts/main.js":          `import { shared } from "./shared.js"; import("./lazy.js"); import("./other.js"); console.log(shared);`,
		"scripts/lazy.js":          `import { shared } from "./shared.js"; import { deep } from "./deep.js"; import("./later.js"); console.log(shared, deep);`,
		"scripts/other.js":         `import { deep } from "./deep.js"; console.log(deep);`,
		"scripts/shared.js":        `export const shared = "in shared";`,
		"scripts/deep.js":          `import { shared } from "./shared.js"; export const deep = "in deep" + shared;`,
		"scripts/later.js":         `console.log("in later");`,
		"scripts/theme.classic.js": `1;`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	all, err := set.Modules("lazy.js")
	if err != nil {
		t.Fatal(err)
	}
	var text string
	for _, url := range all {
		data, ok := set.Files()[url]
		if !ok || strings.Count(strings.Join(all, " "), url) != 1 {
			t.Errorf("%s of %q is no file, or twice", url, all)
		}
		text += string(data)
	}
	for _, want := range []string{"in shared", "in deep"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", all, want)
		}
	}
	if len(all) != 3 || !strings.HasPrefix(all[0], "/assets/lazy-") || strings.Contains(text, "in later") {
		t.Errorf("lazy.js, and the two that it shares with others, are %q", all)
	}
	if _, err := set.Modules("gone.js"); err == nil || !strings.Contains(err.Error(), `no module "gone.js": there are later.js, lazy.js`) {
		t.Errorf("a module that is none: %v", err)
	}
}

func TestSameInputSameBytes(t *testing.T) {
	first, err := Build(site(t, files))
	if err != nil {
		t.Fatal(err)
	}
	second, err := Build(site(t, files)) // another folder
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first.Files(), second.Files()) {
		t.Error("two builds differ")
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"scripts/main.js", "\nimport x from './gone.js';", `scripts/main.js:2: Could not resolve "./gone.js"`},
		{"scripts/main.js", "import x from 'asset:gone.wasm'; console.log(x)", `no asset "gone.wasm"`},
		{"styles/main.css", `@import "generated:gone.css";`, "gone.css"},
		{"styles/main.css", ".a { colour }", "styles/main.css:1"},
	} {
		broken := maps.Clone(files)
		broken[c.file] = c.text
		if _, err := Build(site(t, broken)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: error %v does not say %q", c.file, c.text, err, c.want)
		}
	}
}

func TestMinifyKeepsWhatChecksNeed(t *testing.T) {
	page := "<!doctype html>\n<html lang=\"en\"><head><title>a</title></head>\n<body>  <p class=\"b\">c\n\n d</p> <svg viewBox=\"0 0 10.000 10\"><path d=\"M 0 0 L 10 10\"/></svg><script type=\"application/ld+json\">{ \"a\": 1 }</script></body></html>"
	short, err := NewMinifier().HTML([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<html lang=\"en\">", "<body>", "</p>", `class="b"`, `{"a":1}`} {
		if !strings.Contains(string(short), want) {
			t.Errorf("no %s in %s", want, short)
		}
	}
	if len(short) >= len(page) {
		t.Error("not shorter")
	}
}

func TestBrotliSizeIsKept(t *testing.T) {
	b := Brotli{CacheDir: t.TempDir()}
	data := []byte(strings.Repeat("weights ", 1000))
	n, err := b.Size(data)
	if err != nil || n == 0 || n > 100 {
		t.Fatalf("8,000 repetitive bytes pack to %d, %v", n, err)
	}
	if again, err := b.Size(data); err != nil || again != n {
		t.Errorf("second time %d, %v", again, err)
	}
	if kept, _ := os.ReadDir(b.CacheDir); len(kept) != 1 {
		t.Errorf("%d entries kept", len(kept))
	}
}

// A quick length doesn't depend on what was weighed before, and the exact one is not past it.
func TestQuickIsAnUpperBound(t *testing.T) {
	b := Brotli{CacheDir: t.TempDir()}
	bounds := b.Bounds()
	weigh := func(data string) int {
		t.Helper()
		n, err := bounds.Of([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var some strings.Builder
	for i := range 2000 {
		some.WriteString(strconv.Itoa(i * i * i % 9973))
	}
	first := weigh(some.String())
	if weigh("") == 0 || weigh("another "+some.String()) <= 0 || weigh(some.String()) != first {
		t.Errorf("%d at first, %d afterwards", first, weigh(some.String()))
	}
	if exact, err := b.Size([]byte(some.String())); err != nil || exact > first || exact == 0 {
		t.Errorf("exactly %d, %v; %d at most", exact, err, first)
	}
	if err := bounds.Keep(); err != nil {
		t.Fatal(err)
	}
	if bounds = b.Bounds(); weigh(some.String()) != first || bounds.found != 0 {
		t.Errorf("kept is another bound than %d, or none: %d found anew", first, bounds.found)
	}
	if weigh("one more") <= 0 || bounds.found != 1 {
		t.Errorf("%d found", bounds.found)
	}
}

// A stylesheet that a script names is built, and a package is found by its name.
func TestLoadedOnUse(t *testing.T) {
	in := site(t, map[string]string{
		"styles/main.css":          `.a { color: black }`,
		"styles/late.css":          `.b { color: blue }`,
		"scripts/main.js":          `import("./late.js");`,
		"scripts/late.js":          `import look from "asset:late.css"; import { found } from "library"; console.log(look, found);`,
		"scripts/theme.classic.js": `1;`,
		"modules/library/index.js": `export const found = "in the library";`,
	})
	in.Modules = filepath.Join(filepath.Dir(in.Scripts), "modules")
	set, err := Build(in)
	if err != nil {
		t.Fatal(err)
	}
	look, err := set.URL("late.css")
	if err != nil {
		t.Fatal(err)
	}
	for url, data := range set.Files() {
		if strings.HasPrefix(url, "/assets/late-") && strings.HasSuffix(url, ".js") {
			if !strings.Contains(string(data), look) || !strings.Contains(string(data), "in the library") {
				t.Errorf("%s: %s", url, data)
			}
			return
		}
	}
	t.Error("late.js is no file of its own")
}

// An address that two scripts name stands in both: a file of its own would be one more request.
func TestAddressesAreNoFiles(t *testing.T) {
	set, err := Build(site(t, map[string]string{
		"styles/main.css":          `.a { color: black }`,
		"styles/late.css":          `.b { color: blue }`,
		"scripts/main.js":          `import("./one.js"); import("./two.js");`,
		"scripts/one.js":           `import look from "asset:late.css"; console.log(look);`,
		"scripts/two.js":           `import look from "asset:late.css"; console.error(look);`,
		"scripts/theme.classic.js": `1;`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	look, err := set.URL("late.css")
	if err != nil {
		t.Fatal(err)
	}
	naming := 0
	for url, data := range set.Files() {
		if strings.HasPrefix(url, "/assets/chunk-") {
			t.Errorf("%s holds %s", url, data)
		}
		if strings.HasSuffix(url, ".js") && strings.Contains(string(data), look) {
			naming++
		}
	}
	if naming != 2 {
		t.Errorf("%d scripts have the address", naming)
	}
}
