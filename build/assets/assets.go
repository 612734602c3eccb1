// Package assets makes the files that pages load: styles, scripts, WebAssembly and data,
// each under a name that changes with its content, so that it can be cached for ever.
//
// # Styles
//
// A stylesheet is bundled from its @imports and minified. The stylesheets that the generator
// writes are imported by name: @import "generated:maths.css" (formulas) and "generated:code.css" (what
// markdown adds: boxes, notes, tables, and the colours of code).
//
// # Scripts
//
// A script is an ES module, bundled with what it imports and minified. What it imports by
// import("./part.js") becomes a file of its own, loaded on use; what several scripts share, too.
// Scripts run as modules, except those whose name ends in ".classic.js", which run at once where
// they stand (a theme has to be known before the first paint) and import nothing at run time.
//
// The address of any other file of the build is a default import:
//
//	import calc from 'asset:calc.wasm';     // "/assets/calc-0f3a….wasm"
//	import hub from 'asset:hub.worker.js';  // a script with a name in .worker.js is bundled by itself
//	import look from "asset:search.css";     // a stylesheet that is loaded on use
//
// What is imported by a bare name, such as "minisearch", comes from node_modules. A module that the generator writes is imported
// by name, as a stylesheet is: "generated:defaults.js" has what a link means that does not name its model, device or context.
//
// # Names
//
// A file may have parts: with "families.txt" at "/assets/families-0f3a….txt" stands "families/llama.txt" at
// "/assets/families-0f3a…/llama.txt". The parts hold nothing that the file does not, so its hash covers them.
//
// Everything is known by its plain name: templates say {{asset "main.css"}}. Which styles and
// scripts are entry points is read from there: what a template or a asset: import names is built.
package assets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// Folder is where all hashed files stand on the site.
const Folder = "/assets/"

// SearchPath is where the index of the search stands. It has no hash in its name: it is made of pages, which name
// scripts, which would have to name it.
const SearchPath = "/search.json"

// Set is the built files. It is safe for several goroutines.
type Set struct {
	mu    sync.Mutex
	data  map[string][]byte   // by plain name, not all of them used
	files map[string][]byte   // by address
	names map[string]string   // addresses by plain name
	needs map[string][]string // addresses of a module and of what it imports, by plain name
}

// URL is the address of a file by its plain name. Asking for a file puts it on the site.
func (s *Set) URL(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if url, ok := s.names[name]; ok {
		return url, nil
	}
	data, ok := s.data[name]
	if !ok {
		known := slices.Concat(slices.Collect(maps.Keys(s.names)), slices.Collect(maps.Keys(s.data)))
		slices.Sort(known)
		return "", fmt.Errorf("no asset %q: there are %s", name, strings.Join(slices.Compact(known), ", "))
	}
	ext := path.Ext(name)
	url := Folder + strings.TrimSuffix(path.Base(name), ext) + "-" + Hash(data) + ext
	s.files[url], s.names[name] = data, url
	for part, data := range s.data {
		if rest, ok := strings.CutPrefix(part, strings.TrimSuffix(name, ext)+"/"); ok {
			s.files[strings.TrimSuffix(url, ext)+"/"+rest] = data
		}
	}
	return url, nil
}

// Modules are the addresses of a module, which may be a part that loads on use, and of all that it imports: a browser that is told
// them fetches them together, and not level by level as it reads them.
func (s *Set) Modules(name string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all := s.needs[name]; all != nil {
		return all, nil
	}
	return nil, fmt.Errorf("no module %q: there are %s", name, strings.Join(slices.Sorted(maps.Keys(s.needs)), ", "))
}

// Files is the content of every file that something asked for, by address: "/assets/main-1a2b3c4d.css".
func (s *Set) Files() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.files)
}

// Hash is what names carry: 40 bits of SHA-256, in hexadecimal.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:5])
}

// Input says what to build.
type Input struct {
	Styles    string            // folder of stylesheets
	Scripts   string            // folder of scripts
	Entries   []string          // plain names of the styles and scripts that templates name
	Data      map[string][]byte // other files by plain name: "calc.wasm", "icon.svg"
	Generated map[string]string // stylesheets and modules by name: "maths.css"
	Modules   string            // folder of packages that scripts import by name; may be empty
}

// Build makes the files. Its errors name file and line of the style or script.
func Build(in Input) (*Set, error) {
	set := &Set{data: in.Data, files: map[string][]byte{}, names: map[string]string{}, needs: map[string][]string{}}
	var styles, modules, classics []string
	for _, name := range in.Entries {
		switch {
		case in.Data[name] != nil:
		case strings.HasSuffix(name, ".css"):
			styles = append(styles, name)
		case strings.HasSuffix(name, ".classic.js"):
			classics = append(classics, name)
		case strings.HasSuffix(name, ".js"):
			modules = append(modules, name)
		default:
			return nil, fmt.Errorf("no file for asset %q", name)
		}
	}
	workers, err := findWorkers(in.Scripts)
	if err != nil {
		return nil, err
	}
	late, err := lateStyles(in.Scripts)
	if err != nil {
		return nil, err
	}
	for _, name := range late {
		if !slices.Contains(styles, name) {
			styles = append(styles, name)
		}
	}
	b := bundler{in: in, set: set}
	// Workers first: modules name their addresses.
	for _, name := range append(workers, classics...) {
		if err := b.run(in.Scripts, []string{name}, false); err != nil {
			return nil, err
		}
	}
	if err := b.run(in.Styles, styles, false); err != nil {
		return nil, err
	}
	if err := b.run(in.Scripts, modules, true); err != nil {
		return nil, err
	}
	return set, nil
}
