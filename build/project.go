package main

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
	"llmsize/build/maths"
	"llmsize/build/pages"
	"llmsize/build/text"
	"llmsize/build/toolchain"
)

// project is this checkout and what a running program keeps of it between builds.
type project struct {
	root, dist, url string

	builder *pages.Builder
	folder  pages.Folder
	engine  *answers.Engine
	wasm    map[string][]byte // compiled once: after a Go file has changed, another process builds
	made    string            // the compiler that made it
}

// counted are the data that the engine reads when it starts.
var counted = []string{"content/models/", "content/devices/", "content/presets/", "core/"}

// build writes the site into dist. changed are the files since the last build, nil for all.
func (p *project) build(ctx context.Context, changed []string) (*pages.Output, []string, error) {
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
	p.folder.Dir = p.dist
	written, err := p.folder.Write(out)
	return out, written, err
}

// start reads what the engine counts with and makes a builder.
func (p *project) start() error {
	debug.SetGCPercent(300) // a build makes much that it drops at its end, and keeps little
	e, err := answers.New(os.DirFS(filepath.Join(p.root, "content")), os.DirFS(filepath.Join(p.root, "core", "family", "families")), strings.TrimSuffix(p.url, "/"))
	if err != nil {
		return err
	}
	e.UseReference(os.DirFS(filepath.Join(p.root, "content")), os.DirFS(filepath.Join(p.root, "core")), os.DirFS(filepath.Join(p.root, "docs")))
	hub, err := pages.HubAt(os.Getenv("HF_ENDPOINT"), os.Getenv("HUB_HOSTS"))
	if err != nil {
		return fmt.Errorf("HF_ENDPOINT, HUB_HOSTS: %w", err)
	}
	e.UseHub(hub.Endpoint)
	b, err := pages.NewBuilder(pages.Options{
		Root:        p.root,
		NodeModules: filepath.Join(p.root, "node_modules"),
		Cache:       filepath.Join(p.root, ".cache", "maths"),
		CardCache:   filepath.Join(p.root, ".cache", "cards"),
		URL:         p.url,
		Name:        "llmsize",
		Description: "Where a language model's numbers come from: every tensor, byte and FLOP of a configuration, counted exactly and explained.",
		Engine:      e,
		Hub:         hub,
		Data:        p.data,
	})
	if err != nil {
		return err
	}
	p.engine, p.builder = e, b
	return nil
}

// programs are the WebAssembly of the page, and the one of the host's edge: folders of wasm/. Each goes with the wasm_exec.js of the
// compiler that made it, which may differ: NAME.wasm and NAME.exec.js.
var programs = []string{"calc", "lenses", "explain", "derive", "speed", "hub", "verify", "edge"}

// data makes the files that are neither style nor script.
func (p *project) data(ctx context.Context) (map[string][]byte, error) {
	if p.wasm == nil {
		if err := p.compile(ctx); err != nil {
			return nil, err
		}
	}
	models, err := p.engine.Models()
	if err != nil {
		return nil, err
	}
	devices, err := p.engine.Devices()
	if err != nil {
		return nil, err
	}
	keys, err := answers.Meanings(os.DirFS(filepath.Join(p.root, "content")))
	if err != nil {
		return nil, err
	}
	all, err := p.engine.Families()
	if err != nil {
		return nil, err
	}
	points, err := answers.Points(os.DirFS(filepath.Join(p.root, "build", "accuracy")))
	if err != nil {
		return nil, err
	}
	maps.Copy(all, map[string][]byte{"points.json": points, "models.json": models, "devices.json": devices, "keys.json": keys})
	maps.Copy(all, p.wasm)
	live, err := maths.NewLive(filepath.Join(p.root, "node_modules"), filepath.Join(p.root, ".cache", "maths"))
	if err != nil {
		return nil, err
	}
	maps.Copy(all, live.Files())
	if all["display.woff2"], err = cards.Display(filepath.Join(p.root, "node_modules"), filepath.Join(p.root, ".cache", "maths")); err != nil {
		return nil, err
	}
	return all, nil
}

// compile makes the programs.
func (p *project) compile(ctx context.Context) error {
	compiler, err := toolchain.FindCompiler(ctx, p.root)
	if err != nil {
		return err
	}
	made := map[string][]byte{}
	for _, name := range programs {
		if name == "edge" && compiler.Name != "tinygo" {
			continue // Go's is too large for the host's edge, and needs its script there
		}
		file := filepath.Join(p.root, ".cache", name+".wasm")
		result, err := toolchain.BuildWASM(ctx, "wasm/"+name, file, toolchain.Options{Root: p.root, Log: os.Stderr, Compiler: compiler})
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
	worker, err := os.ReadFile(filepath.Join(p.root, "wasm", "hub", "worker.js"))
	if err != nil {
		return err
	}
	if made["hub.worker.js"], err = assets.MinifyScript("wasm/hub/worker.js", worker); err != nil {
		return err
	}
	p.wasm, p.made = made, compiler.Name
	return nil
}

// check builds, reads the result and prints what is wrong and what everything weighs.
func (p *project) check(ctx context.Context) error {
	out, _, err := p.build(ctx, nil)
	if err != nil {
		return err
	}
	checked := out.Checked(p.root, p.url)
	findings := check.Run(checked)
	outside, err := check.HTMLValidate(ctx, filepath.Join(p.root, "node_modules"), p.dist, filepath.Join(p.root, ".cache", "validated"))
	if err != nil {
		return err
	}
	budgets := check.TinyGo
	if p.made != "tinygo" {
		budgets = check.Go
	}
	sizes, err := check.Sizes(checked, budgets, assets.Brotli{CacheDir: filepath.Join(p.root, ".cache", "brotli")})
	if err != nil {
		return err
	}
	findings = append(append(findings, outside...), check.Over(sizes)...)
	phrases, err := text.FindPhrases(os.DirFS(p.root))
	if err != nil {
		return err
	}
	for _, f := range phrases {
		findings = append(findings, check.Finding{Page: "words", What: f.String()})
	}
	for _, err := range p.engine.Uncounted() {
		findings = append(findings, check.Finding{Page: "/models/", What: err.Error()})
	}
	for _, s := range sizes {
		fmt.Println(s)
	}
	for _, f := range findings {
		fmt.Println(f)
	}
	if len(findings) > 0 {
		return fmt.Errorf("check: %d mistakes", len(findings))
	}
	fmt.Printf("check: %d pages, nothing wrong\n", len(out.Pages))
	return nil
}
