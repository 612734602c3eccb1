package check

import (
	"slices"
	"strings"
	"testing"

	"llmsize/build/assets"
)

func TestLoadsFollowsStaticImportsOnly(t *testing.T) {
	styles, scripts := loads(map[string][]byte{
		"/index.html":     []byte(`<link rel="stylesheet" href="/assets/a.css"><script type="module" src="/assets/main.js"></script>`),
		"/assets/main.js": []byte(`import{a}from"./part.js";const b=()=>import("./lazy.js");`),
		"/assets/part.js": []byte(`import"/assets/deep.js";`),
	}, "/index.html")
	if !slices.Equal(styles, []string{"/assets/a.css"}) || !slices.Equal(scripts, []string{"/assets/main.js", "/assets/part.js", "/assets/deep.js"}) {
		t.Errorf("styles %v, scripts %v", styles, scripts)
	}
}

// TestFirst: the home page is shown with its style, scripts and face; before it answers travel the calculator's script with what it
// imports, and its program; not what another page links, nor what waits for a reader.
func TestFirst(t *testing.T) {
	list, err := quickSizes(Site{Files: map[string][]byte{
		"/index.html":       []byte(`<link rel="preload" href="/assets/face.woff2" as="font"><link rel="stylesheet" href="/assets/a.css"><link rel="stylesheet" href="/assets/p.css" media="print"><script type="module" src="/assets/main.js"></script>`),
		"/other/index.html": []byte(`<link rel="stylesheet" href="/assets/b.css">`),
		"/assets/main.js":   []byte(`import{a}from"./part.js";const b=()=>import("./calculator-0.js");`),
		"/assets/part.js":   {}, "/assets/calculator-0.js": []byte(`import"./part.js";import"./deep.js";import("./lazy.js");`),
		"/assets/deep.js": {}, "/assets/face.woff2": {}, "/assets/lazy.js": {}, "/assets/calc-0.wasm": {}, "/assets/lenses-0.wasm": {}, "/assets/a.css": {}, "/assets/b.css": {}, "/assets/p.css": {},
	}}, TinyGo, assets.Brotli{})
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{"/assets/a.css", "/assets/face.woff2", "/assets/main.js", "/assets/part.js", "/index.html"}
	answers := []string{"/assets/calc-0.wasm", "/assets/calculator-0.js", "/assets/deep.js"}
	for what, want := range map[string][]string{"shown": shown, "first": slices.Sorted(slices.Values(slices.Concat(shown, answers)))} {
		i := slices.IndexFunc(list, func(s Size) bool { return s.What == what })
		if i < 0 {
			t.Errorf("%s is not weighed", what)
			continue
		}
		s := list[i]
		if limit := map[string]Budget{"shown": TinyGo.Shown, "first": TinyGo.First}[what].Limit; !slices.Equal(slices.Sorted(slices.Values(s.files)), want) || s.Limit != limit {
			t.Errorf("%s, at most %d: %v, want %v", what, s.Limit, s.files, want)
		}
	}
}

func TestOver(t *testing.T) {
	files := good()
	// Bytes that do not compress: 20,000 steps of a generator.
	noise := make([]byte, 20_000)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	files["/assets/main-0123456789.css"] = noise
	sizes, err := Sizes(Site{Files: files}, TinyGo, assets.Brotli{})
	if err != nil {
		t.Fatal(err)
	}
	findings := Over(sizes)
	if len(findings) != 1 || !strings.Contains(findings[0].What, "styles weighs 20") {
		t.Errorf("findings %v of sizes %v", findings, sizes)
	}
}
