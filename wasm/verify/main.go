// Command verify is the program that reads headers of checkpoints and holds a config against them, for the page, and that
// answers for a checkpoint whose class nobody knows. Package program says how arguments and results pass. It fetches nothing: a
// worker brings it pieces of headers, from the hub or from files that were dropped.
//
//	put(bundle); x.families()          // add family files
//	put(config); x.begin()             // a checkpoint begins; config may be empty → {need?} the type whose family is not loaded
//	put(names); x.pick()               // {"folder": "", "names": [], "file": ""}: which are the checkpoint → {files} or {choose}
//	put(name); x.index()               // an index begins; its pieces: bytes at x.room(n), then x.feed()
//	x.files()                          // the index ends → {files: [name, …]}
//	put(name); put(size); x.open()     // a file begins; size in decimal, -1 when it is not known → state
//	x.room(n), x.feed()                // its next n bytes, from state.at on, which the page writes where room says → state
//	x.ended()                          // the file has no more bytes → state
//	x.verdict()                        // all files are read → the verdict's JSON, html, and metadata: a GGUF file's own config; or {need}
//	x.keep()                           // the verdict was alone: {text}, the model that the checkpoint makes
//	put(text); x.hold()                // in another instance, which then answers for it
//	x.answer(), x.region(i)            // as all programs; the model is the one that is held
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
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/view"
	"llmsize/wasm/program"
)

var (
	cfg    config.Value
	known  *model.Model // of the config, when its kind is known
	list   *checkpoint.List
	index  *checkpoint.Index
	inside bool // pieces are the index's
	reader *checkpoint.Reader
	piece  []byte // of a file
	held   *model.Model
)

func init() {
	program.Lenses()
	program.Answer, program.Regions = alone, marked
}

// marked are the regions, those of which say what is assumed that follow from more than the count.
func marked() []view.Region {
	all := view.All()
	for i := range all {
		switch x := all[i]; x.ID {
		case "fit", "bytes", "running", "training", "compute":
			all[i].HTML = func(r *report.Report) string { return view.Unsure(r) + x.HTML(r) }
		}
	}
	return all
}

// alone answers for the checkpoint that is held.
func alone(q query.Query, s report.Subject, lib *family.Library) (*report.Report, *fault.Error) {
	if held == nil {
		return nil, &fault.Error{Problem: "no checkpoint has been read"}
	}
	m := *held // a question leaves what it works with in it
	s.Model = &m
	return report.Answer(q, s, lib)
}

//go:wasmexport keep
func keep() unsafe.Pointer {
	if list == nil || list.Len() > checkpoint.MaxAlone {
		n, file := 0, ""
		if list != nil {
			n, file = list.Len(), list.Files[0].Name
		}
		return failed(&fault.Error{File: file, Problem: "the checkpoint has " + units.Group(int64(n)) + " tensors, more than an answer is worked out from; its count and its types are exact",
			Allowed: "up to " + units.Group(checkpoint.MaxAlone) + " for a kind that is not known"})
	}
	return give(jsonout.Object("text", jsonout.Text(checkpoint.Keep(checkpoint.Model(list, cfg)))))
}

//go:wasmexport hold
func hold() unsafe.Pointer {
	var err *fault.Error
	if held, err = checkpoint.Kept(string(program.Bytes())); err != nil {
		return failed(err)
	}
	return give(jsonout.Object())
}

func give(v jsonout.Value) unsafe.Pointer { return program.Give(v.String()) }

func failed(err *fault.Error) unsafe.Pointer {
	return give(jsonout.Object("error", jsonout.Object("file", jsonout.Text(err.File), "field", jsonout.Text(err.Field), "problem", jsonout.Text(err.Problem),
		"allowed", jsonout.Text(err.Allowed), "hint", jsonout.Text(err.Hint), "text", jsonout.Text(err.Error()))))
}

func names(list []string) jsonout.Value {
	out := jsonout.List()
	for _, s := range list {
		out = out.Append(jsonout.Text(s))
	}
	return out
}

//go:wasmexport begin
func begin() unsafe.Pointer {
	text := string(program.Bytes())
	cfg, known, list, index, reader, inside = config.Value{}, nil, &checkpoint.List{}, nil, nil, false
	if text == "" {
		return give(jsonout.Object())
	}
	var err *fault.Error
	if cfg, err = config.ParseObject(text); err != nil {
		return failed(err)
	}
	if need := describe(); need != "" {
		return give(jsonout.Object("need", jsonout.Text(need)))
	}
	return give(jsonout.Object())
}

// describe finds the config's class; a config of no known kind has none. It returns the type whose family is needed.
func describe() (need string) {
	m, err := family.Describe(cfg, program.Library())
	switch {
	case err != nil:
		return err.Need
	case m.ReadAs == "":
		known = m
	}
	return ""
}

//go:wasmexport pick
func pick() unsafe.Pointer {
	asked, err := config.ParseObject(string(program.Bytes()))
	if err != nil {
		return failed(err)
	}
	folder, file := asked.Get("folder").Text, asked.Get("file").Text
	var all []string
	for _, n := range asked.Get("names").Items {
		if file == "" || checkpoint.Matches(n.Text, file) {
			all = append(all, n.Text)
		}
	}
	if file != "" && len(all) == 0 {
		return failed(&fault.Error{File: folder, Given: file, Problem: "the repository has no such file"})
	}
	if several := checkpoint.Several(all); len(several) > 0 {
		return give(jsonout.Object("choose", names(several)))
	}
	files, err := checkpoint.Pick(folder, all)
	if err != nil {
		return failed(err)
	}
	return give(jsonout.Object("files", names(files)))
}

//go:wasmexport index
func begins() unsafe.Pointer {
	index, inside = checkpoint.NewIndex(string(program.Bytes())), true
	return give(jsonout.Object())
}

//go:wasmexport files
func files() unsafe.Pointer {
	inside = false
	if err := index.End(); err != nil {
		return failed(err)
	}
	return give(jsonout.Object("files", names(index.Files)))
}

//go:wasmexport open
func open() unsafe.Pointer {
	a := program.Taken(2)
	if list == nil {
		return failed(&fault.Error{Problem: "a file without a checkpoint"})
	}
	n, ok := config.ParseInt(a[1])
	if !ok {
		n = -1
	}
	reader = checkpoint.NewReader(list, a[0], n)
	return state()
}

func state() unsafe.Pointer {
	reader.Skipped(reader.Skip())
	return give(jsonout.Object("at", jsonout.Int(reader.Pos()), "need", jsonout.Int(max(reader.Need()-reader.Pos(), 1)), "done", jsonout.Bool(reader.Done())))
}

// room is where the next piece of a file goes, of n bytes. One room serves all pieces: TinyGo's build frees nothing, and headers may be long.
//
//go:wasmexport room
func room(n int32) unsafe.Pointer {
	if int(n)+1 > cap(piece) {
		piece = make([]byte, n+1)
	}
	piece = piece[:n+1] // one more, so that even an empty piece has a place
	return unsafe.Pointer(&piece[0])
}

//go:wasmexport feed
func feed() unsafe.Pointer {
	b := piece[:max(len(piece)-1, 0)]
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
		index = nil
	}
	if list.GGUF() {
		cfg, known = list.Config(), nil
		if need := describe(); need != "" {
			return give(jsonout.Object("need", jsonout.Text(need)))
		}
	}
	out := checkpoint.Verify(list, cfg, known)
	v := out.JSON().Set("words", jsonout.Text(out.Words())).Set("html", jsonout.Text(view.Verdict(&out, list)))
	if list.GGUF() && cfg.Kind == config.Object {
		v = v.Set("metadata", jsonout.Text(cfg.JSON()))
	}
	return give(v)
}

func main() { program.Wait() }
