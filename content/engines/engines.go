// Package engines holds what is known of engines' speeds, as files of their own: for a program that predicts and nothing else of
// the catalogue.
package engines

import "embed"

//go:embed *.toml
var files embed.FS

// Each calls with the name and the text of every file, in the order of names.
func Each(with func(name, text string)) {
	list, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the folder is in the program
	}
	for _, f := range list {
		text, err := files.ReadFile(f.Name())
		if err != nil {
			panic(err)
		}
		with(f.Name(), string(text))
	}
}
