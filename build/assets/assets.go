// Package assets makes the files that pages load: styles, scripts, WebAssembly and data,
// each under a name that changes with its content, so that it can be cached for ever.
//
// # Styles
//
// A stylesheet is bundled from its @imports and minified. The stylesheets that the generator
// writes are imported by name: @import "generated:maths.css" and "generated:code.css".
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
//
// # Names
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
)

// Folder is where all hashed files stand on the site.
const Folder = "/assets/"

// Set is the built files.
type Set struct {
	// Files is content by address: "/assets/main-1a2b3c4d.css".
	Files map[string][]byte
	// Names is addresses by plain name: "main.css".
	Names map[string]string
}

// URL is the address of a file by its plain name.
func (s *Set) URL(name string) (string, error) {
	if url, ok := s.Names[name]; ok {
		return url, nil
	}
	return "", fmt.Errorf("no asset %q: there are %s", name, strings.Join(slices.Sorted(maps.Keys(s.Names)), ", "))
}

// add puts a file in under a hashed name.
func (s *Set) add(name string, data []byte) string {
	ext := path.Ext(name)
	url := Folder + strings.TrimSuffix(path.Base(name), ext) + "-" + Hash(data) + ext
	s.Files[url] = data
	s.Names[name] = url
	return url
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
	Generated map[string]string // stylesheets by name: "maths.css"
}

// Build makes the files. Its errors name file and line of the style or script.
func Build(in Input) (*Set, error) {
	set := &Set{Files: map[string][]byte{}, Names: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(in.Data)) {
		set.add(name, in.Data[name])
	}
	var styles, modules, classics []string
	for _, name := range in.Entries {
		switch {
		case set.Names[name] != "":
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
