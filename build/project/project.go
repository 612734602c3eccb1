// Package project makes the whole site of a checkout: it puts together what counts (answers), the programs of the page (toolchain),
// formulas, cards and pages, and reads the result as a strict visitor would.
//
//	p := project.New(root, filepath.Join(root, "dist"), "https://example.org")
//	out, changed, err := p.Build(ctx, nil)
//	findings, sizes, err := p.Check(out)
//
// The command builds with it, and so do the tests that open the site in a browser: what they see is what is published.
package project

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"llmsize/build/answers"
	"llmsize/build/assets"
	"llmsize/build/cards"
	"llmsize/build/check"
	"llmsize/build/pages"
	"llmsize/build/text"
	"llmsize/build/text/maths"
	"llmsize/build/toolchain"
)

// Project is a checkout and what a running program keeps of it between builds.
type Project struct {
	// Root is the checkout; Dist the folder to write into; URL where the site will stand.
	Root, Dist, URL string
	// Source is the folder with content/ and site/: Root unless a test builds a part of the catalogue.
	Source string
	// Hub is where the page fetches models; the hub itself unless somebody says otherwise.
	Hub pages.Hub
	// Compiler is what has made the programs, tinygo or go, after a build.
	Compiler string

	builder *pages.Builder
	folder  pages.Folder
	engine  *answers.Engine
	wasm    map[string][]byte // compiled once: after a Go file has changed, another process builds
	fixed   map[string][]byte // what the engine and the programs give: the same until the engine starts anew
}

// New is the project at root with its whole content. HF_ENDPOINT and HUB_HOSTS name another hub.
// An endpoint that isn't an address is an error.
func New(root, dist, url string) (*Project, error) {
	hub, err := pages.HubAt(os.Getenv("HF_ENDPOINT"), os.Getenv("HUB_HOSTS"))
	if err != nil {
		return nil, fmt.Errorf("HF_ENDPOINT, HUB_HOSTS: %w", err)
	}
	return &Project{Root: root, Source: root, Dist: dist, URL: url, Hub: hub}, nil
}

// Engine is what counts for the site, after a build.
func (p *Project) Engine() *answers.Engine { return p.engine }

// counted are the data that the engine reads when it starts, and those of files that are made once for it.
var counted = []string{"content/models/", "content/devices/", "content/presets/", "core/", "build/accuracy/"}

// Build writes the site into Dist and names the files that are new. changed are the files since the last build, nil for all.
func (p *Project) Build(ctx context.Context, changed []string) (*pages.Output, []string, error) {
	for _, file := range changed {
		for _, prefix := range counted {
			if strings.HasPrefix(file, prefix) {
				p.builder = nil
			}
		}
	}
	if p.builder == nil {
		if err := p.start(); err != nil {
			return nil, nil, err
		}
	}
	out, err := p.builder.Build(ctx)
	if err != nil {
		return nil, nil, err
	}
	p.folder.Dir = p.Dist
	written, err := p.folder.Write(out)
	return out, written, err
}

// start reads what the engine counts with and makes a builder.
func (p *Project) start() error {
	debug.SetGCPercent(300) // a build makes much that it drops at its end, and keeps little
	e, err := answers.New(os.DirFS(filepath.Join(p.Source, "content")), os.DirFS(filepath.Join(p.Root, "core", "family", "families")), strings.TrimSuffix(p.URL, "/"))
	if err != nil {
		return err
	}
	if p.Source == p.Root { // else there are no pages about all of it
		e.UseReference(os.DirFS(filepath.Join(p.Root, "content")), os.DirFS(filepath.Join(p.Root, "core")), os.DirFS(filepath.Join(p.Root, "docs")))
	}
	e.UseHub(p.Hub.Endpoint)
	pictures := filepath.Join(p.Root, ".cache", "cards")
	if p.Source != p.Root {
		pictures = "" // few cards, and keeping them would sweep away those of the whole site
	}
	b, err := pages.NewBuilder(pages.Options{
		Root:        p.Source,
		NodeModules: filepath.Join(p.Root, "node_modules"),
		Cache:       filepath.Join(p.Root, ".cache", "maths"),
		CardCache:   pictures,
		URL:         p.URL,
		Name:        "llmsize",
		Description: "Where a language model's numbers come from: every tensor, byte and FLOP of a configuration, counted exactly and explained.",
		Engine:      e,
		Hub:         p.Hub,
		Data:        p.data,
	})
	if err != nil {
		return err
	}
	p.engine, p.builder, p.fixed = e, b, nil
	return nil
}

// programs are the WebAssembly of the page, and the one of the host's edge: folders of wasm/. Each goes with the wasm_exec.js of the
// compiler that made it, which may differ: NAME.wasm and NAME.exec.js.
var programs = []string{"calc", "draw", "lenses", "explain", "derive", "speed", "hub", "verify", "edge"}

// data makes the files that are neither style nor script.
func (p *Project) data(ctx context.Context) (map[string][]byte, error) {
	if p.wasm == nil {
		if err := p.compile(ctx); err != nil {
			return nil, err
		}
	}
	if p.fixed == nil {
		if err := p.fix(); err != nil {
			return nil, err
		}
	}
	keys, err := answers.Meanings(os.DirFS(filepath.Join(p.Root, "content")))
	if err != nil {
		return nil, err
	}
	all := maps.Clone(p.fixed)
	all["keys.json"] = keys
	return all, nil
}

// fix makes what no text and no style changes.
func (p *Project) fix() error {
	all, err := p.engine.Families()
	if err != nil {
		return err
	}
	if all["models.json"], err = p.engine.Models(); err != nil {
		return err
	}
	if all["devices.json"], err = p.engine.Devices(); err != nil {
		return err
	}
	if all["points.json"], err = answers.Points(os.DirFS(filepath.Join(p.Root, "build", "accuracy"))); err != nil {
		return err
	}
	if all["display.woff2"], err = cards.Display(); err != nil {
		return err
	}
	live, err := maths.NewLive(filepath.Join(p.Root, "node_modules"), filepath.Join(p.Root, ".cache", "maths"))
	if err != nil {
		return err
	}
	maps.Copy(all, live.Files())
	maps.Copy(all, p.wasm)
	p.fixed = all
	return nil
}

// compile makes the programs.
func (p *Project) compile(ctx context.Context) error {
	compiler, err := toolchain.FindCompiler(ctx, p.Root)
	if err != nil {
		return err
	}
	made := map[string][]byte{}
	for _, name := range programs {
		if name == "edge" && compiler.Name != "tinygo" {
			continue // Go's is too large for the host's edge, and needs its script there
		}
		file := filepath.Join(p.Root, ".cache", name+".wasm")
		result, err := toolchain.BuildWASM(ctx, "wasm/"+name, file, toolchain.Options{Root: p.Root, Log: os.Stderr, Compiler: compiler})
		if err != nil {
			return err
		}
		if made[name+".wasm"], err = os.ReadFile(file); err != nil {
			return err
		}
		exec, err := os.ReadFile(result.Exec)
		if err != nil {
			return err
		}
		if made[name+".exec.js"], err = assets.MinifyScript(result.Exec, exec); err != nil {
			return err
		}
	}
	worker, err := os.ReadFile(filepath.Join(p.Root, "wasm", "hub", "worker.js"))
	if err != nil {
		return err
	}
	if made["hub.worker.js"], err = assets.MinifyScript("wasm/hub/worker.js", worker); err != nil {
		return err
	}
	p.wasm, p.Compiler = made, compiler.Name
	return nil
}

// Check reads what was built: its mistakes, those of the words behind it included, and what everything weighs.
func (p *Project) Check(out *pages.Output) ([]check.Finding, []check.Size, error) {
	checked := out.Checked(p.Root, p.URL)
	findings := check.Run(checked)
	budgets := check.TinyGo
	if p.Compiler != "tinygo" {
		budgets = check.Go
	}
	sizes, err := check.Sizes(checked, budgets, assets.Brotli{CacheDir: filepath.Join(p.Root, ".cache", "brotli")})
	if err != nil {
		return nil, nil, err
	}
	findings = append(findings, check.Over(sizes)...)
	phrases, err := text.FindPhrases(os.DirFS(p.Root))
	if err != nil {
		return nil, nil, err
	}
	for _, f := range phrases {
		findings = append(findings, check.Finding{Page: "words", What: f.String()})
	}
	for _, err := range p.engine.Uncounted() {
		findings = append(findings, check.Finding{Page: "/models/", What: err.Error()})
	}
	return findings, sizes, nil
}
