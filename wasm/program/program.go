// Package program is what the page's programs have in common: a query in, the
// answer's HTML out. wasm/calc is the small one, loaded with the page; wasm/lenses
// answers in every lens, and is loaded when somebody looks through one. A program
// sets [Answer] and [Regions] before it is asked.
//
// A program exports functions over its memory instead of talking to JavaScript through
// syscall/js. So it needs no goroutines, and TinyGo leaves out its scheduler,
// asyncify and the collector: a third of the bytes (docs/decisions.md). What is
// left imports nothing, so that TinyGo's wasm_exec.js is not needed either. Go and
// TinyGo builds are driven alike:
//
//	const x = instance.exports, memory = x.memory ?? x.mem
//	x._initialize()                        // TinyGo; Go: go.run(instance) with its wasm_exec.js
//	function put(text) {                   // the next argument, as UTF-8
//	  const bytes = encoder.encode(text), at = x.argument(bytes.length)
//	  new Uint8Array(memory.buffer).set(bytes, at)
//	}
//	put(bundle); x.families()              // add family files (family.Library.Pack)
//	put(JSON.stringify({query, name, slug, config, device, others})); const at = x.answer()
//	const json = decoder.decode(new Uint8Array(memory.buffer, at, x.length()))
//	x.region(i)                            // the HTML of the answer's region i, read likewise; of "plan", what wasm/draw draws
//
// answer takes one message: the query of a link, the subject's name and slug (empty for a pasted config), the text of its
// config.json, and the JSON of the query's device, as text too (empty where the page has none); others is what the second side of
// a comparison is about, a list of its name, slug, config and device. The result is JSON:
//
//	query    the canonical query
//	title    the page's title
//	spoken   the answer in a sentence
//	regions  the names of the answer's regions; absent when there is an error
//	issues   a list of what the query holds that was not used
//	error    what cannot be answered: field, given, problem, allowed, hint, line; null when it was
//	need     a model type whose family is not loaded; absent otherwise
//
// The HTML is written region by region, when the page asks for it: the figures in an
// edit's own frame, the drawing in the next, what is out of sight when there is time.
//
// TinyGo's build frees no memory: when memory.buffer has passed 64 MB, a few
// hundred answers, the page drops the instance and makes another from the same
// module, which takes a millisecond. It does the same after a panic, which ends
// the instance (in TinyGo as a trap).
package program

import (
	"unsafe"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/view"
	"llmsize/wasm/border"
)

// Answer counts, and Regions writes the answer's HTML. Device reads a device's
// JSON; a program without it asks about none. Other takes what the second side of
// a comparison is about: name, slug, config and device.
var (
	Answer  func(q query.Query, s report.Subject, lib *family.Library) (*report.Report, *fault.Error)
	Regions func() []view.Region
	Device  func(text string) (*device.Device, *fault.Error)
	Other   func(side [4]string)
)

// Steps is the budget of an answer (package work); 0 is the standard.
var Steps int64

var (
	library  = family.NewLibrary()
	answered *report.Report
)

// families adds the family files of a bundle.
//
//go:wasmexport families
func families() {
	library.AddPacked(First())
	border.Taken()
}

// answer answers a question and returns where the result stands.
//
//go:wasmexport answer
func answer() unsafe.Pointer { return Give(string(Ask(Message()))) }

// region writes a region of the last answer and returns where its HTML stands.
//
//go:wasmexport region
func region(i int32) unsafe.Pointer { return Give(Regions()[i].HTML(answered)) }

// Give makes a text the result of the call that is on, and returns where it stands. It is for a program's
// own exports, too.
func Give(text string) unsafe.Pointer { return border.Give(text) }

// Message is what a call is asked: the JSON object that was put last.
func Message() *config.Value {
	m, _ := config.ParseMessage(string(border.Argument(border.Put()-1)), nil)
	border.Taken()
	return &m
}

// First is what was put before the message, of a call that takes more.
func First() string { return string(border.Argument(0)) }

// Taken are the arguments of a program's own export.
func Taken(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = string(border.Argument(i))
	}
	border.Taken()
	return list
}

// Bytes is the one argument of a program's own export, as it was put.
func Bytes() []byte {
	b := border.Argument(border.Put() - 1)
	border.Taken()
	return b
}

// Wait is a program's main.
func Wait() { border.Wait() }

// Library holds the families that the page has given.
func Library() *family.Library { return library }
