// Package pages builds the whole site: a [Builder] lays content out as HTML (page.go says how templates are written), makes the
// index of the search (search.go) and what lets the site be read without a network (worker.go). Content,
// templates, styles, scripts and WebAssembly go in, files come out.
//
// # What is read
//
//	content/home.md            text of the home page; front matter query= is the calculator's first question
//	content/models.md          text above the list of models; both may be missing
//	content/chapters/*.md      chapters; counting.md and 02-counting.md become /counting/
//	content/pages/*.md         other texts; embedding.md becomes /embedding/
//	site/templates/            see page.go
//	site/styles/ site/scripts/ see package assets
//	site/root/                 scripts that keep their name: /embed.js, /sw.js
//	NOTICE                     licences of what is passed on, as /notice.txt
//
// Numbers, figures, the calculator and the catalogue come from an [Engine].
//
// # Building again
//
// A [Builder] keeps what it made: a text is rendered again only when it changed, formulas never twice, and
// files are written only where their bytes differ. All of it is a function of the input: two builds
// of the same tree give the same bytes.
package pages

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"llmsize/build/assets"
	"llmsize/build/cards"
	"llmsize/build/check"
	"llmsize/build/text"
	"llmsize/build/text/maths"
	"llmsize/build/toolchain"
	"llmsize/content/catalogue"
	"llmsize/core/query"
	"llmsize/site/card"
)

// Engine answers everything that is counted.
type Engine interface {
	text.Resolver
	text.Figures
	// UseAssets says how files of the build are called on the site; it comes before everything else of a build.
	UseAssets(url func(name string) (string, error))
	// Calculator is the calculator's HTML with the answer to a query in it.
	Calculator(query string) (string, error)
	// Embed is the answer to a query alone, as a frame on another site shows it.
	Embed(query string) (string, error)
	// Full is the answer to a query with all that a page with script shows of it on use.
	Full(query string) (string, error)
	// Report is the answer as JSON.
	Report(query string) ([]byte, error)
	// Catalogue lists the models that have a page.
	Catalogue() ([]Entry, error)
	// Presets lists the questions that have a page.
	Presets() []catalogue.Preset
	// DevicePages makes what is on the page of each device.
	DevicePages() ([]Device, error)
	// Drawings are pictures of the families with their classes' defaults, by path, coloured by a stylesheet.
	Drawings(style string) (map[string][]byte, error)
	// Card is what the picture of a query's answer shows.
	Card(query string) (card.Card, error)
}

// Entry is a model of the catalogue.
type Entry struct {
	Info        Model
	Description string    // one sentence
	Query       string    // the calculator's question on its page
	List        ModelLink // what the list of models shows; Path, Title and Description are filled in
	Config      []byte    // config.json as it is counted; may be empty
}

// Options say what to build from.
type Options struct {
	Root        string // the checkout, or a folder that is laid out like it
	NodeModules string
	Cache       string // folder for formulas; may be empty
	CardCache   string // folder for cards; may be empty
	URL         string // scheme and host of the site, without a final slash
	Name        string
	Description string
	Engine      Engine
	Hub         Hub // where the page asks for models
	// Data makes the files besides styles and scripts, by plain name: "calc.wasm". It is called
	// at every build and keeps for itself what did not change.
	Data func(context.Context) (map[string][]byte, error)
}

// Builder builds a site again and again. It serves one caller at a time.
type Builder struct {
	Options
	prose    *text.Renderer
	minifier *assets.Minifier
	readings map[string]reading // what the search found, by page
	texts    map[string]written // rendered texts by file
	answers  map[string]string  // calculators by query
	reports  map[string][]byte
	drawn    drawn

	// What the palette gives.
	palette  string
	colours  cards.Colours
	kit      []byte // what cards are painted with
	painter  *cards.Painter
	pictures map[about]picture
	icons    map[string][]byte // by plain name

	hashes hashes

	unfurls bool // there is a program for the host's edge
}

// written is a file as it was read, and what it became.
type written struct {
	source, query string
	doc           *text.Document
}

// Output is a built site.
type Output struct {
	Files map[string][]byte // content by path on the site: "/memory/index.html"
	Pages []*Page
	// Lines tells for a page which line of its Source holds the heading or figure with an id.
	Lines map[string]map[string]int
}

// NewBuilder prepares a builder; it fails when MathJax is not installed.
func NewBuilder(o Options) (*Builder, error) {
	m, err := maths.New(o.NodeModules, o.Cache)
	if err != nil {
		return nil, err
	}
	return &Builder{
		Options: o, prose: text.NewRenderer(m, o.Engine, o.Engine), minifier: assets.NewMinifier(),
		texts: map[string]written{}, readings: map[string]reading{}, answers: map[string]string{}, reports: map[string][]byte{},
	}, nil
}

// Build makes all files of the site. Mistakes in several texts are reported together.
func (b *Builder) Build(ctx context.Context) (*Output, error) {
	if err := b.dress(); err != nil {
		return nil, err
	}
	templates, err := Parse(os.DirFS(filepath.Join(b.Root, "site", "templates")))
	if err != nil {
		return nil, err
	}
	set, err := b.assets(ctx, templates.Assets())
	if err != nil {
		return nil, err
	}
	templates.Asset, templates.Modules = set.URL, set.Modules
	b.Engine.UseAssets(set.URL)
	out := &Output{Files: map[string][]byte{}, Lines: map[string]map[string]int{}}
	look, err := iconsOf(set.URL)
	if err != nil {
		return nil, err
	}
	if out.Files[ManifestPath], err = b.manifest(set.URL); err != nil {
		return nil, err
	}
	if err := b.compose(out, look); err != nil {
		return nil, err
	}
	if err := b.cards(out); err != nil {
		return nil, err
	}
	if err := b.render(out, templates); err != nil {
		return nil, err
	}
	if err := b.edge(out, set.URL); err != nil {
		return nil, err
	}
	for url, data := range set.Files() { // those that templates asked for too
		out.Files[url] = data
	}
	if err := b.lists(out); err != nil {
		return nil, err
	}
	if err := b.index(out); err != nil {
		return nil, err
	}
	return out, b.offline(out)
}

// drawn are the pages of the last build, and the HTML that its templates made of them.
type drawn struct {
	templates *Templates
	pages     map[string]drawnPage // by path
}

type drawnPage struct {
	page *Page
	html []byte
}

// again is the HTML of a page that is what it was in the last build, with the same templates.
func (d *drawn) again(p *Page) ([]byte, bool) {
	k, ok := d.pages[p.Path]
	return k.html, ok && reflect.DeepEqual(k.page, p)
}

// render writes all pages into the output. Templates that ask the engine take turns (Templates.engine).
func (b *Builder) render(out *Output, templates *Templates) error {
	written := make([][]byte, len(out.Pages))
	problems := make([]error, len(out.Pages))
	if !templates.Same(b.drawn.templates) {
		b.drawn = drawn{}
	}
	if k, ok := b.drawn.pages[out.Pages[0].Path]; ok && reflect.DeepEqual(k.page.Site, out.Pages[0].Site) {
		for _, p := range out.Pages {
			p.Site = k.page.Site // one and the same: what all pages share is compared once
		}
	}
	for i, p := range out.Pages {
		problems[i] = p.SetHead()
	}
	var group sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				if problems[i] != nil {
					continue
				}
				if html, ok := b.drawn.again(out.Pages[i]); ok {
					written[i] = html
					continue
				}
				written[i], problems[i] = templates.Execute(out.Pages[i])
				if problems[i] == nil {
					written[i], problems[i] = b.minifier.HTML(written[i])
				}
			}
		})
	}
	for i := range out.Pages {
		next <- i
	}
	close(next)
	group.Wait()
	b.drawn = drawn{templates: templates, pages: make(map[string]drawnPage, len(out.Pages))}
	for i, p := range out.Pages {
		out.Files[File(p.Path)] = written[i]
		if problems[i] == nil {
			b.drawn.pages[p.Path] = drawnPage{p, written[i]}
		}
	}
	return errors.Join(problems...) // those of all pages together
}

// noticePath is the file with the licences of all that is passed on.
const noticePath = "/notice.txt"

// lists writes the files that speak of all pages.
func (b *Builder) lists(out *Output) error {
	if len(out.Pages) == 0 {
		return nil
	}
	site := out.Pages[0].Site
	sitemap, err := Sitemap(out.Pages)
	if err != nil {
		return err
	}
	feed, err := Feed(site, out.Pages)
	if err != nil {
		return err
	}
	out.Files[SitemapPath] = sitemap
	out.Files[FeedPath] = feed
	out.Files[RobotsPath] = Robots(site)
	notice, err := os.ReadFile(filepath.Join(b.Root, "NOTICE"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil { // a page links to it: where it is missing, the check of links says so
		out.Files[noticePath] = notice
	}
	return nil
}

// assets builds styles, scripts and data.
func (b *Builder) assets(ctx context.Context, names []string) (*assets.Set, error) {
	data := maps.Clone(b.icons)
	if b.Data != nil {
		made, err := b.Data(ctx)
		if err != nil {
			return nil, err
		}
		for name, content := range made {
			data[name] = content
		}
	}
	if b.unfurls = data["edge.wasm"] != nil; b.unfurls {
		data[kitName] = b.kit
	}
	code, err := text.CSS()
	if err != nil {
		return nil, err
	}
	return assets.Build(assets.Input{
		Styles:    filepath.Join(b.Root, "site", "styles"),
		Scripts:   filepath.Join(b.Root, "site", "scripts"),
		Entries:   names,
		Data:      data,
		Generated: map[string]string{"maths.css": maths.CSS(), "code.css": code, "defaults.js": defaults(), "asked.js": askedKeys()},
		Modules:   b.NodeModules,
	})
}

// Checked is the output as package check wants it: with the texts that pages come from, so that
// mistakes can be shown there.
func (o *Output) Checked(root, url string) check.Site {
	s := check.Site{Files: o.Files, URL: strings.TrimSuffix(url, "/"), Texts: map[string]check.Text{}}
	var names, defaults []string
	for _, p := range o.Pages {
		if p.Kind == "model" {
			names = append(names, p.Title)
		}
	}
	for k := range query.NumParams {
		defaults = append(defaults, query.About(k).Default)
	}
	s.Bare, s.Formulas = text.NewBare(names, defaults), text.NewRules(names)
	for _, p := range o.Pages {
		if p.Source == "" {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.Source))); err == nil {
			s.Texts[p.Path] = check.Text{File: p.Source, Content: text}
		}
	}
	return s
}

// File is the path of the file that answers for a page: "/memory/" is "/memory/index.html".
func File(path string) string {
	if strings.HasSuffix(path, "/") {
		return path + "index.html"
	}
	return path
}

// Write makes the folder dir hold exactly the output. Files that are right already are not
// touched, so that watchers and copying tools see what changed. It returns the changed paths.
//
// The folder may be served meanwhile, and a build may be cut off: each file is replaced whole, none before what it
// names, and what the old pages named goes last.
func (o *Output) Write(dir string) (changed []string, err error) { return (&Folder{Dir: dir}).Write(o) }

// Folder is a folder that is written again and again: what it has of the last output is not read to see that it is the same.
type Folder struct {
	Dir  string
	kept map[string]kept
}

// kept is a file as it was written or found right: nobody has touched it since while its time and size are the same.
type kept struct {
	data *byte // where its bytes are in memory
	size int64
	time time.Time
}

// Write is [Output.Write] into the folder.
func (f *Folder) Write(o *Output) (changed []string, err error) {
	dir, now := f.Dir, make(map[string]kept, len(o.Files))
	for _, path := range o.order() {
		name, data := filepath.Join(dir, filepath.FromSlash(path)), o.Files[path]
		info, err := os.Lstat(name)
		if k, ok := f.kept[path]; ok && err == nil && info.Mode().IsRegular() && k == (kept{unsafe.SliceData(data), info.Size(), info.ModTime()}) && k.size == int64(len(data)) {
			now[path] = k
			continue
		}
		if old, err := os.ReadFile(name); err != nil || !bytes.Equal(old, data) {
			changed = append(changed, path)
			if err := makeRoom(dir, path); err != nil {
				return nil, err
			}
			if err := toolchain.WriteWhole(name, data); err != nil {
				return nil, err
			}
		}
		if info, err = os.Lstat(name); err == nil {
			now[path] = kept{unsafe.SliceData(data), info.Size(), info.ModTime()}
		}
	}
	f.kept = now
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == dir {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		path := "/" + filepath.ToSlash(rel)
		if _, ours := o.Files[path]; !ours {
			changed = append(changed, path)
			return os.Remove(name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("clean %s: %w", dir, err)
	}
	return changed, nil
}

// order is the paths of all files, those first that others name: assets, what pages name by a fixed
// address, pages, and in the end what tells of all of it to programs that work without a page.
func (o *Output) order() []string {
	rank := func(path string) int {
		switch {
		case strings.HasPrefix(path, "/assets/"):
			return 0
		case path == edgePath || path == WorkerPath:
			return 3
		case strings.HasSuffix(path, ".html"):
			return 2
		}
		return 1
	}
	return slices.SortedFunc(maps.Keys(o.Files), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
	})
}

// makeRoom takes away what keeps a path from being a file: a file where it needs a folder, or a folder in its own place.
func makeRoom(dir, path string) error {
	name := dir
	for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		name = filepath.Join(name, part)
		info, err := os.Lstat(name)
		if err != nil {
			return nil // nothing is there; Write says it if it cannot be made
		}
		if last := name == filepath.Join(dir, filepath.FromSlash(path)); last == info.IsDir() {
			return os.RemoveAll(name)
		}
	}
	return nil
}
