package checkpoint

import (
	"llmsize/core/fault"
	"llmsize/core/units"
)

// Index is a model.safetensors.index.json: which tensor is in which file.
//
//	{"metadata": {…}, "weight_map": {"NAME": "FILE", …}}
//
// Write takes the text in pieces, End closes it.
type Index struct {
	Name  string   // of the index itself, for messages
	Files []string // in the order in which they come up
	Total int64    // metadata.total_size, 0 where there is none

	json  events
	depth int
	in    string // the key at depth 1
	key   string
	names interner
	at    map[name]uint16
	begun bool
}

// NewIndex begins one.
func NewIndex(file string) *Index {
	x := &Index{Name: file, at: map[name]uint16{}}
	x.json.on = x.event
	return x
}

// Write takes the next bytes.
func (x *Index) Write(p []byte) *fault.Error {
	if !x.begun && len(p) > 0 {
		if x.begun = true; isMarkup(string(p[:min(len(p), 64)])) {
			return &fault.Error{File: x.Name, Problem: "this is a web page, not an index", Hint: "a sign-in or an error page may have been saved in its place"}
		}
	}
	err := x.json.write(p)
	if err != nil && err.File == "" {
		err.File = x.Name
	}
	return err
}

// End checks that the text came to its end.
func (x *Index) End() *fault.Error {
	switch {
	case x.json.state != stDone:
		return &fault.Error{File: x.Name, Problem: "the index ends too early, at byte " + units.Group(x.json.pos), Hint: "fetch the file again"}
	case len(x.Files) == 0:
		return &fault.Error{File: x.Name, Problem: "the index names no file", Allowed: `"weight_map": {"name": "file", …}`}
	}
	return nil
}

func (x *Index) event(e event, text []byte) *fault.Error {
	switch e {
	case evObject, evList:
		x.depth++
		if x.depth == 1 && e == evList || x.depth > 1 && x.in == "weight_map" && (x.depth > 2 || e == evList) {
			return x.json.fail("the index is not what it has to be")
		}
		return nil
	case evEnd:
		x.depth--
		return nil
	case evKey:
		if x.depth == 1 {
			x.in = string(text)
		}
		x.key = string(text)
		return nil
	}
	switch {
	case x.depth == 2 && x.in == "metadata" && x.key == "total_size" && e == evNumber:
		x.Total, _ = wholeNumber(text)
	case x.depth == 2 && x.in == "weight_map":
		if e != evText {
			return x.json.fail("the file of " + fault.Clip(x.key, 120) + " is not a text")
		}
		return x.put(string(text))
	}
	return nil
}

// put takes one tensor of the map.
func (x *Index) put(file string) *fault.Error {
	if !plainFile(file) {
		return &fault.Error{File: x.Name, Field: fault.Clip(x.key, 120), Given: fault.Clip(file, 120), Problem: "the index names a file outside its folder", Allowed: "a name without .. and without a leading /"}
	}
	f := 0
	for f < len(x.Files) && x.Files[f] != file {
		f++
	}
	if f == len(x.Files) {
		if f >= maxFiles {
			return &fault.Error{File: x.Name, Problem: "the index names too many files", Allowed: "up to " + units.Group(maxFiles)}
		}
		x.Files = append(x.Files, file)
	}
	n := x.names.intern(x.key)
	switch _, twice := x.at[n]; {
	case twice:
		return &fault.Error{File: x.Name, Field: fault.Clip(x.key, 120), Problem: "the name stands twice in the index", Allowed: "once"}
	case len(x.at) >= MaxTensors || x.names.bytes > maxNames:
		return &fault.Error{File: x.Name, Problem: "the index names more tensors than are read", Allowed: "up to " + units.Group(MaxTensors)}
	}
	x.at[n] = uint16(f)
	return nil
}

// plainFile reports whether a name stays inside its folder.
func plainFile(s string) bool {
	if s == "" || len(s) > 512 || s[0] == '/' {
		return false
	}
	from := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && (s[i] == '\\' || s[i] == ':' || s[i] < 0x20) {
			return false
		}
		if i == len(s) || s[i] == '/' {
			if w := s[from:i]; w == ".." || w == "." || w == "" {
				return false
			}
			from = i + 1
		}
	}
	return true
}

// Check holds the headers against the index: every tensor in the file that the
// index says, and no other. The list is finished.
func (x *Index) Check(l *List) *fault.Error {
	for i := range l.count {
		s := l.Name(i)
		f, ok := x.at[x.names.look(s)]
		switch {
		case !ok:
			return &fault.Error{File: l.FileOf(i).Name, Field: fault.Clip(s, 120), Problem: "the file holds this tensor, but " + x.Name + " does not name it"}
		case x.Files[f] != l.FileOf(i).Name:
			return &fault.Error{File: x.Name, Field: fault.Clip(s, 120), Given: x.Files[f], Problem: "the index says that this tensor is in another file than it is in (" + l.FileOf(i).Name + ")"}
		}
	}
	if len(x.at) != l.count {
		worst := ""
		for n := range x.at { // the first by name, so that the message is the same every time
			if s := x.names.fill(n); l.Find(s) < 0 && (worst == "" || s < worst) {
				worst = s
			}
		}
		f := x.at[x.names.look(worst)]
		return &fault.Error{File: x.Name, Field: fault.Clip(worst, 120), Given: x.Files[f], Problem: "the index names this tensor, but its file does not hold it"}
	}
	return nil
}
