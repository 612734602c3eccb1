package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"llmsize/build/text"
	"llmsize/content/catalogue"
	"llmsize/core/model"
	"llmsize/site/card"
)

// engine stands for the counting engine: one model.
type engine struct{}

func (engine) Number(query, field string) (text.Value, error) {
	switch field {
	case "parameters.total":
		return text.Value{Int: 8_030_261_248, Unit: text.Params}, nil
	case "layers":
		return text.Value{Int: 32}, nil
	}
	return text.Value{}, fmt.Errorf("no field %q", field)
}

func (engine) Figure(kind, query string, _ map[string]string) (string, error) {
	if kind != "drawing" {
		return "", errors.New("the only kind is drawing")
	}
	return `<svg viewBox="0 0 4 3" role="img" aria-label="A layer"><rect width="4" height="3"/></svg>`, nil
}

func (engine) UseAssets(func(string) (string, error)) {}

func (engine) Calculator(query string) (string, error) {
	return `<form><label>Model <input type="text" name="model" value="known"></label><button type="submit">Count</button></form>`, nil
}

func (engine) Embed(query string) (string, error) {
	return `<div data-embed data-query="` + query + `"><p class="answer">8,030,261,248 parameters</p></div>`, nil
}

func (engine) Full(query string) (string, error) {
	return `<div><p class="answer">8,030,261,248 parameters, in full</p></div>`, nil
}

func (engine) Report(query string) ([]byte, error) { return []byte(`{"query":"` + query + `"}`), nil }

func (engine) Catalogue() ([]Entry, error) {
	return []Entry{{
		Info: Model{Slug: "known", Name: "Known", Maker: "Us"}, Description: "A model.", Query: "v=1&model=known",
		List: ModelLink{Link: Link{Number: "8,030,261,248"}, Type: "known", Short: "8.03 B"}, Config: []byte("{}"),
	}}, nil
}

func (engine) Drawings(string) (map[string][]byte, error) { return nil, nil }

func (engine) DevicePages() ([]Device, error) {
	return []Device{{Slug: "h100", Name: "H100", Description: "What it holds.", Question: "What fits?", Body: "<p>all of it</p>"}}, nil
}

func (engine) Presets() []catalogue.Preset {
	return []catalogue.Preset{{Name: "long", Title: "A long text", Shows: "What a long text needs.", Query: "v=1&model=known&context=100000"}}
}

func (engine) Card(string) (card.Card, error) {
	c := card.Card{Title: "Known", Kicker: "Us", Count: 8_030_261_248, Reading: "8.03 B parameters"}
	c.ByRole[model.FFN] = c.Count
	return c, nil
}

// newBuilder copies the test site into a folder of its own and prepares to build it.
func newBuilder(t testing.TB) *Builder {
	t.Helper()
	modules := filepath.Join("..", "..", "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "@mathjax/src/package.json")); err != nil {
		t.Fatal("MathJax is not installed, run `npm ci`:", err)
	}
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	// What the generator itself reads is the site's own.
	for _, name := range []string{"site/styles/palette.css", "site/styles/drawing.css", "site/root/sw.js", "NOTICE"} {
		data, err := os.ReadFile(filepath.Join("../..", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(root, name), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	b, err := NewBuilder(Options{
		Root: root, NodeModules: modules, URL: "https://example.org", Name: "llmsize", Description: "Numbers.", Engine: engine{},
		Data: func(context.Context) (map[string][]byte, error) {
			return map[string][]byte{"calc.wasm": []byte("\x00asm")}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func build(t testing.TB, b *Builder) *Output {
	t.Helper()
	out, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBuild(t *testing.T) {
	out := build(t, newBuilder(t))
	for _, path := range []string{"/index.html", "/counting/index.html", "/memory/index.html", "/models/index.html", "/models/known/index.html",
		"/models/known/report.json", "/models/known/config.json", "/presets/long/index.html", "/answer/index.html", "/embed/index.html", "/about/index.html", "/embed.js", "/404.html",
		"/card.png", "/counting/card.png", "/models/card.png", "/models/known/card.png", "/presets/long/card.png", "/robots.txt", "/notice.txt", "/sitemap.xml", "/feed.xml", "/_headers"} {
		if len(out.Files[path]) == 0 {
			t.Errorf("no %s among %v", path, slices.Sorted(maps.Keys(out.Files)))
		}
	}
	chapter := string(out.Files["/counting/index.html"])
	for _, want := range []string{"<mn>8,030,261,248</mn>", `<svg class="glyphs"`, `id="fig-layer"`, `href="/memory/"`, `<a href="#layer">`, "20 November 2026"} {
		if !strings.Contains(chapter, want) {
			t.Errorf("no %s in the chapter", want)
		}
	}
	if line := out.Lines["/counting/"]["code"]; line != 37 {
		t.Errorf("the heading #code stands in line %d, found in %d", 37, line)
	}
}

func TestTwoBuildsGiveTheSameBytes(t *testing.T) {
	first, second := build(t, newBuilder(t)), build(t, newBuilder(t))
	if len(first.Files) != len(second.Files) {
		t.Fatalf("%d files, then %d", len(first.Files), len(second.Files))
	}
	for path, data := range first.Files {
		if string(data) != string(second.Files[path]) {
			t.Errorf("%s differs", path)
		}
	}
}

func TestRebuildAfterAnEdit(t *testing.T) {
	b := newBuilder(t)
	dist := t.TempDir()
	if _, err := build(t, b).Write(dist); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(b.Root, "content/chapters/memory.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, "\nAnd \\(x\\) more.\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	changed, err := build(t, b).Write(dist)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 300*time.Millisecond {
		t.Errorf("rebuilt in %v, want at most 300 ms", took)
	}
	slices.Sort(changed)
	if want := []string{"/_headers", "/memory/index.html", "/search.json", "/sw.js"}; !slices.Equal(changed, want) { // the page, and the version in two places
		t.Errorf("changed %v, want %v", changed, want)
	}
	// A page that goes leaves no file behind.
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	chapter := filepath.Join(b.Root, "content/chapters/counting.md")
	if text, err = os.ReadFile(chapter); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(chapter, []byte(strings.ReplaceAll(string(text), "/memory/", "/")), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := build(t, b).Write(dist); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dist, "memory/index.html")); !errors.Is(err, os.ErrNotExist) {
		t.Error("the page of a chapter that is gone is still there:", err)
	}
}

func TestMistakesOfSeveralTextsAreReportedTogether(t *testing.T) {
	b := newBuilder(t)
	for _, name := range []string{"counting", "memory"} {
		file := filepath.Join(b.Root, "content/chapters", name+".md")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, "\n{= gone =}\n"...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := b.Build(context.Background())
	if err == nil || !strings.Contains(err.Error(), "content/chapters/counting.md:") || !strings.Contains(err.Error(), "content/chapters/memory.md:") {
		t.Errorf("error %v does not name both files", err)
	}
}

func BenchmarkRebuild(b *testing.B) {
	builder := newBuilder(b)
	build(b, builder)
	file := filepath.Join(builder.Root, "content/chapters/memory.md")
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if err := os.WriteFile(file, fmt.Appendf(text, "\nEdit %d.\n", i), 0o644); err != nil {
			b.Fatal(err)
		}
		build(b, builder)
	}
}

// What is kept of a build is used only where a builder that keeps nothing makes the same.
func TestRebuildIsABuild(t *testing.T) {
	b := newBuilder(t)
	again := build(t, b)
	for _, edit := range []struct{ file, from, to string }{
		{"site/styles/main.css", "1.1rem", "1.2rem"},
		{"site/templates/layout.html", "</main>", "</main><p>Below</p>"},
		{"content/chapters/memory.md", `title = "Memory"`, `title = "More memory"`},
	} {
		name := filepath.Join(b.Root, edit.file)
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), edit.from) {
			t.Fatal(edit, err)
		}
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(string(text), edit.from, edit.to)), 0o644); err != nil {
			t.Fatal(err)
		}
		before := again
		if again = build(t, b); bytes.Equal(again.Files["/about/index.html"], before.Files["/about/index.html"]) {
			t.Errorf("%s edited: a page that shows it is what it was", edit.file)
		}
	}
	fresh, err := NewBuilder(b.Options)
	if err != nil {
		t.Fatal(err)
	}
	whole := build(t, fresh)
	for path, data := range whole.Files {
		if !bytes.Equal(again.Files[path], data) {
			t.Errorf("%s is not what a first build makes", path)
		}
	}
	if len(again.Files) != len(whole.Files) {
		t.Errorf("%d files, %d in a first build", len(again.Files), len(whole.Files))
	}
}
