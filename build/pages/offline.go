package pages

import (
	"os"
	"path/filepath"
	"strings"

	"llmsize/build/assets"
)

const (
	manifestPath = ManifestPath
	faviconPath  = "/favicon.ico"
)

// offline makes what needs all other files to be there: the worker that keeps them, with the
// version that they are, and the headers that say that version.
func (b *Builder) offline(out *Output) error {
	redirects, err := Redirects(out.Pages)
	if err != nil {
		return err
	}
	out.Files[RedirectsPath] = redirects
	texts := map[string][]byte{}
	for path, data := range out.Files {
		if slug, ok := strings.CutPrefix(path, "/models/"); ok && strings.HasSuffix(slug, "/config.json") {
			texts[strings.TrimSuffix(slug, "/config.json")] = data
		}
	}
	configs, err := ServedConfigs(texts)
	if err != nil {
		return err
	}
	file := filepath.Join("site", "root", "sw.js")
	script, err := os.ReadFile(filepath.Join(b.Root, file))
	if err != nil {
		return err
	}
	if script, err = assets.MinifyScript(filepath.ToSlash(file), script); err != nil {
		return err
	}
	out.Files[ConfigsPath] = configs
	out.Files[faviconPath] = assets.IconICO(b.icons["icon-32.png"], 32)
	out.Files[WorkerPath] = script // without a version: its code is a part of the version
	build := b.hashes.build(out.Files)
	if out.Files[WorkerPath], err = OfflineWorker(script, build, KeptOffline(out.Files)); err != nil {
		return err
	}
	out.Files[HeadersPath] = Headers(out.Pages, assets.Folder, build, b.Hub)
	return nil
}

// manifest is made at each build: it names icons by their addresses, which puts them on the site.
func (b *Builder) manifest(url func(string) (string, error)) ([]byte, error) {
	paper := b.colours["paper"]
	app := App{Name: b.Name, Description: b.Description, Colour: assets.IconHex(paper)}
	for _, i := range []AppIcon{
		{Address: "icon.svg", Sizes: "any", Type: "image/svg+xml"},
		{Address: "icon-192.png", Sizes: "192x192", Type: "image/png"},
		{Address: "icon-512.png", Sizes: "512x512", Type: "image/png"},
		{Address: "icon-maskable.png", Sizes: "512x512", Type: "image/png", Purpose: "maskable"},
	} {
		var err error
		if i.Address, err = url(i.Address); err != nil {
			return nil, err
		}
		app.Icons = append(app.Icons, i)
	}
	return AppManifest(app)
}
