// Package content holds what the site says: models, presets and prose, one file
// for each thing, as data.
//
// # Models
//
// models/<slug>.json is one model:
//
//	name       as its makers write it
//	slug       the file's name without .json; links use it, so it never changes
//	hub        its id on the model hub, or null where it has none
//	also       further ids whose shape is the same
//	maker      who made it
//	family     what it is listed under
//	released   year, absent where it is not known
//	source     what was read (config.json, paper, class defaults,
//	           hyperparameters), in which repository, path and commit
//	read       the day it was read
//	config     the keys of its config.json that shape the model, and its dtype
//	published  a parameter count that someone else has published: the total, what
//	           it counts, of which id, and its source; or null. Where it is not
//	           the number that the class builds, difference says why.
//	note       what a reader should know, or nothing
//
// Keys that shape nothing (token ids, dropout, generation settings) are left
// out of config. A key that is absent has its class's default.
//
// # Presets
//
// presets/<name>.json is a question worth asking: a title, a sentence that says
// what the answer shows, and the query.
package content

import (
	"embed"
	"io/fs"
)

//go:embed models presets
var files embed.FS

// FS is the content, with the folders models and presets at its root.
func FS() fs.FS { return files }
