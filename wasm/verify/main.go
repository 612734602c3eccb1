// Command verify is the program that reads headers of checkpoints and holds a config against them, for the page.
// It is driven over its memory like the counting programs (package program), and fetches nothing: a
// worker brings it pieces of headers, from the hub or from files that were dropped.
//
//	put(bundle); x.families()          // add family files
//	put(config); x.begin()             // a checkpoint begins; config may be empty → {need?} the type whose family is not loaded
//	put(name); x.index()               // an index begins; its pieces: put(bytes); x.feed()
//	x.files()                          // the index ends → {files: [name, …]}
//	put(name); put(size); x.open()     // a file begins; size in decimal, -1 when it is not known → state
//	put(bytes); x.feed()               // its next bytes, from state.at on → state
//	x.ended()                          // the file has no more bytes → state
//	x.verdict()                        // all files are read → the verdict's JSON and html
//
// state is {at, need, done}: read on from at, need bytes at least, until it is done. Every answer may be
// {error: {file, field, problem, allowed, hint, text}} instead; then begin is next.
package main

import (
	"unsafe"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/site/view"
)

var (
	library   = family.NewLibrary()
	arguments [][]byte
	result    string

	cfg     config.Value
	counted *model.Model
	list    *checkpoint.List
	index   *checkpoint.Index
	inside  bool // pieces are the index's
	reader  *checkpoint.Reader
)

//go:wasmexport argument
func argument(n int32) unsafe.Pointer {
	b := make([]byte, n+1)
	arguments = append(arguments, b[:n])
	return unsafe.Pointer(&b[0])
}

//go:wasmexport length
func length() int32 { return int32(len(result)) }

//go:wasmexport families
func families() { library.AddPacked(string(take(0))) }

// take empties the arguments and returns one of them.
func take(i int) []byte {
	list := arguments
	if i == len(list)-1 || len(list) == 0 {
		arguments = nil
	}
	if i >= len(list) {
		return nil
	}
	return list[i]
}

func give(v jsonout.Value) unsafe.Pointer {
	result = v.String()
	return unsafe.Pointer(unsafe.StringData(result))
}

func failed(err *fault.Error) unsafe.Pointer {
	return give(jsonout.Object("error", jsonout.Object("file", jsonout.Text(err.File), "field", jsonout.Text(err.Field), "problem", jsonout.Text(err.Problem),
		"allowed", jsonout.Text(err.Allowed), "hint", jsonout.Text(err.Hint), "text", jsonout.Text(err.Error()))))
}

//go:wasmexport begin
func begin() unsafe.Pointer {
	text := string(take(0))
	cfg, counted, list, index, reader, inside = config.Value{}, nil, &checkpoint.List{}, nil, nil, false
	if text == "" {
		return give(jsonout.Object())
	}
	var err *fault.Error
	if cfg, err = config.ParseObject(text); err != nil {
		return failed(err)
	}
	return describe()
}

// describe finds the config's class; a config of no known kind has none.
func describe() unsafe.Pointer {
	m, err := family.Describe(cfg, library)
	switch {
	case err != nil && err.Need != "":
		return give(jsonout.Object("need", jsonout.Text(err.Need)))
	case err == nil && m.ReadAs == "":
		counted = m
	}
	return give(jsonout.Object())
}

//go:wasmexport index
func begins() unsafe.Pointer {
	index, inside = checkpoint.NewIndex(string(take(0))), true
	return give(jsonout.Object())
}

//go:wasmexport files
func files() unsafe.Pointer {
	inside = false
	if err := index.End(); err != nil {
		return failed(err)
	}
	names := jsonout.List()
	for _, f := range index.Files {
		names = names.Append(jsonout.Text(f))
	}
	return give(jsonout.Object("files", names))
}

//go:wasmexport open
func open() unsafe.Pointer {
	if list == nil || len(arguments) < 2 {
		return failed(&fault.Error{Problem: "a file without a checkpoint"})
	}
	name, size := string(arguments[0]), string(arguments[1])
	arguments = nil
	n, ok := config.Value{Kind: config.Number, Text: size}.Int()
	if !ok {
		n = -1
	}
	reader = checkpoint.NewReader(list, name, n)
	return state()
}

func state() unsafe.Pointer {
	reader.Skipped(reader.Skip())
	return give(jsonout.Object("at", jsonout.Int(reader.Pos()), "need", jsonout.Int(max(reader.Need()-reader.Pos(), 1)), "done", jsonout.Bool(reader.Done())))
}

//go:wasmexport feed
func feed() unsafe.Pointer {
	b := take(0)
	if inside {
		if err := index.Write(b); err != nil {
			return failed(err)
		}
		return give(jsonout.Object())
	}
	if reader == nil {
		return failed(&fault.Error{Problem: "bytes of no file"})
	}
	if err := reader.Write(b); err != nil {
		return failed(err)
	}
	return state()
}

//go:wasmexport ended
func ended() unsafe.Pointer {
	if err := reader.End(); err != nil {
		return failed(err)
	}
	return state()
}

//go:wasmexport verdict
func verdict() unsafe.Pointer {
	if err := list.Finish(); err != nil {
		return failed(err)
	}
	if index != nil {
		if err := index.Check(list); err != nil {
			return failed(err)
		}
	}
	if list.GGUF() {
		cfg = list.Config()
		counted = nil
		if out := describe(); counted == nil && result != "{}" {
			return out // a family that is not loaded
		}
	}
	v := checkpoint.Verify(list, cfg, counted)
	return give(v.JSON().Set("words", jsonout.Text(v.Words())).Set("html", jsonout.Text(view.Verdict(&v, list))))
}

func main() { wait() }
