// Package families holds the family files for native hosts. The page does not
// import it: it is given the files that a config needs.
package families

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"llmsize/core/family"
)

//go:embed *.arch
var files embed.FS

//go:embed fields.txt
var fields string

// takes are the lines of the embedded fields.txt.
var takes = sync.OnceValue(func() map[string]string { return Takes(fields) })

// Takes are the lines of a fields.txt by the family file that each belongs to: what its class lets keys hold.
func Takes(fields string) map[string]string {
	of := map[string]string{}
	for line := range strings.Lines(fields) {
		if name, rest, ok := strings.Cut(line, " "); ok && name != "#" {
			of[name] += "takes " + rest
		}
	}
	return of
}

// Names returns the name of every file, without ".arch", sorted.
func Names() []string {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic("families: " + err.Error()) // the files are embedded
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".arch"))
	}
	return names
}

// Text returns one file, with what its class lets keys hold.
func Text(name string) string {
	b, err := files.ReadFile(name + ".arch")
	if err != nil {
		panic("families: " + err.Error())
	}
	return string(b) + takes()[name]
}

// Library returns a new library with every family.
func Library() *family.Library { return untouched().Copy() }

// untouched is the library of which nobody has asked anything: to read all files takes a hundred times as long as a copy.
var untouched = sync.OnceValue(func() *family.Library {
	lib := family.NewLibrary()
	for _, n := range Names() {
		lib.Add(n, Text(n))
	}
	return lib
})
