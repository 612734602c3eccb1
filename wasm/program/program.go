// Package program is what the page's programs have in common: a query in, the
// answer's HTML out. wasm/calc is the small one, loaded with the page; wasm/lenses
// answers in every lens, and is loaded when somebody looks through one. A program
// sets [Answer] and [Regions] before it is asked.
//
// A program exports functions over its memory instead of talking to JavaScript through
// syscall/js. So it needs no goroutines, and TinyGo leaves out its scheduler,
// asyncify and the collector: a third of the bytes (docs/decisions.md). Go and
// TinyGo builds are driven alike:
//
//	const x = instance.exports, memory = x.memory ?? x.mem
//	go.run(instance)                       // wasm_exec.js of the compiler that built it
//	function put(text) {                   // the next argument, as UTF-8
//	  const bytes = encoder.encode(text), at = x.argument(bytes.length)
//	  new Uint8Array(memory.buffer).set(bytes, at)
//	}
//	put(bundle); x.families()              // add family files (arch.Bundle)
//	put(query); put(name); put(slug); put(config); put(device); const at = x.answer()
//	const json = decoder.decode(new Uint8Array(memory.buffer, at, x.length()))
//
// answer takes the query of a link, the subject's name and slug (empty for a
// pasted config), its config.json and the JSON of the query's device (empty where
// the page has none), and returns JSON:
//
//	query    the canonical query
//	title    the page's title
//	spoken   the answer in a sentence
//	regions  an object of HTML by region; absent when there is an error
//	issues   a list of what the query holds that was not used
//	error    what cannot be answered: field, given, problem, allowed, hint, line; null when it was
//	need     a model type whose family is not loaded; absent otherwise
//
// TinyGo's build frees no memory: when memory.buffer has passed 64 MB, a few
// hundred answers, the page drops the instance and makes another from the same
// module, which takes a millisecond. It does the same after a panic, which ends
// the instance (in TinyGo as a trap).
package program

import (
	"unsafe"

	"llmsize/core/arch"
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/view"
)

// Answer counts, and Regions writes the answer's HTML. Device reads a device's
// JSON; a program without it asks about none.
var (
	Answer  func(q query.Query, s report.Subject, lib *arch.Library) (*report.Report, *fault.Error)
	Regions func(r *report.Report) []view.Region
	Device  func(text string) (*device.Device, *fault.Error)
)

var (
	library   = arch.NewLibrary()
	arguments [][]byte // put since the last call
	result    []byte   // of the last call; kept so that it stays where it is
)

// argument makes room for the next argument of n bytes and returns where.
//
//go:wasmexport argument
func argument(n int32) unsafe.Pointer {
	b := make([]byte, n+1) // one more, so that even an empty argument has a place
	arguments = append(arguments, b[:n])
	return unsafe.Pointer(&b[0])
}

// length is the number of bytes of the last result.
//
//go:wasmexport length
func length() int32 { return int32(len(result)) }

// families adds the family files of a bundle.
//
//go:wasmexport families
func families() {
	library.AddBundle(take(0))
	arguments = nil
}

// answer answers a query and returns where the result stands.
//
//go:wasmexport answer
func answer() unsafe.Pointer {
	out := ask(take(0), report.Subject{Name: take(1), Slug: take(2)}, take(3), take(4))
	arguments = nil
	result = []byte(out.JSON())
	return unsafe.Pointer(&result[0])
}

func take(i int) string {
	if i >= len(arguments) {
		return ""
	}
	return string(arguments[i])
}

// ask is answer without the memory.
func ask(link string, s report.Subject, text, spec string) config.Value {
	out := config.Value{Kind: config.Object}
	null := config.Value{Kind: config.Null}
	q, issues, err := query.Parse(link)
	out = out.Set("query", str(q.String()))
	list := config.Value{Kind: config.List}
	for i := range issues {
		list.Items = append(list.Items, faultValue(&issues[i]))
	}
	out = out.Set("issues", list)
	if err == nil {
		s.Config, err = config.ParseObject(text)
	}
	if err == nil && spec != "" && Device != nil {
		s.Device, err = Device(spec)
	}
	var r *report.Report
	if err == nil {
		r, err = Answer(q, s, library)
	}
	if err != nil {
		out = out.Set("error", faultValue(err))
		if err.Need != "" {
			out = out.Set("need", str(err.Need))
		}
		return out
	}
	regions := config.Value{Kind: config.Object}
	for _, x := range Regions(r) {
		regions.Keys, regions.Vals = append(regions.Keys, x.ID), append(regions.Vals, str(x.HTML))
	}
	return out.Set("error", null).Set("title", str(view.Title(r))).Set("spoken", str(view.Spoken(r))).Set("regions", regions)
}

func str(s string) config.Value { return config.Value{Kind: config.String, Text: s} }

// faultValue is an error as the page reads it.
func faultValue(e *fault.Error) config.Value {
	o := config.Value{Kind: config.Object}
	for _, f := range [...][2]string{{"field", e.Field}, {"given", e.Given}, {"problem", e.Problem}, {"allowed", e.Allowed}, {"hint", e.Hint}} {
		o.Keys, o.Vals = append(o.Keys, f[0]), append(o.Vals, str(f[1]))
	}
	return o.Set("line", config.Value{Kind: config.Number, Text: units.Itoa(int64(e.Line))})
}
