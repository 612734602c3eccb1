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
//	stored     what the checkpoint that the id's repository holds has beside the class: the
//	           total in elements, of which id, the terms (a reason, the arithmetic that gives
//	           it, in words), and the source; absent where the family says it, where published was read
//	           off the files and is what the class builds, or nobody knows. buffers is how many elements of
//	           the class's buffers it holds, where that is not all; more and less what the source's
//	           way of counting adds and leaves out
//	note       what a reader should know, or nothing
//
// Keys that shape nothing (token ids, dropout, generation settings) are left
// out of config. A key that is absent has its class's default.
//
// # Presets
//
// presets/<name>.json is a question worth asking: a title, a sentence that says
// what the answer shows, and the query; and the lens of the calculator that offers
// it (running, compute, training), absent where the count is the point.
//
// # Popular
//
// popular.toml names the models and devices that the pickers offer first.
//
// # Devices
//
// devices/<slug>.json is one accelerator, card, machine with unified memory, processor with its memory, or
// a system of equal accelerators:
//
//	name, slug, maker, kind   kind is accelerator, card, unified, cpu or system
//	memory     bytes, and what they are: what the device reports, or the label
//	bandwidth  bytes a second
//	peak       dense operations a second, by format; absent where no source gives it
//	link       its name, and bytes a second in one direction for one accelerator
//	power      the most that one accelerator may draw, in watts; absent where no source gives it
//	of         of a system: the device and how many
//	sources    by key: the grade (maker, device, quotes, table), title and date;
//	           "from" of every figure names them
//	note       what a reader should know, or nothing
//
// Package device says which of several figures is taken.
package content

import (
	"embed"
	"io/fs"
)

//go:embed models presets devices engines
var files embed.FS

// FS is the content, with the folders models, presets and devices at its root.
func FS() fs.FS { return files }
