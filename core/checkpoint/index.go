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
	key   []byte
	list  List // the names, with the places of their files in Files
	last  int  // the file of the tensor before
	begun bool
}

// NewIndex begins one.
func NewIndex(file string) *Index {
	x := &Index{Name: file}
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
	x.list.sort()
	for i := 1; i < x.list.count; i++ {
		if x.list.at(i-1).name == x.list.at(i).name {
			return &fault.Error{File: x.Name, Field: fault.Clip(x.list.Name(i), 120), Problem: "the name appears twice in the index", Allowed: "once"}
		}
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
		x.key = append(x.key[:0], text...)
		return nil
	}
	switch {
	case x.depth == 2 && x.in == "metadata" && is(x.key, "total_size") && e == evNumber:
		x.Total, _ = wholeNumber(text)
	case x.depth == 2 && x.in == "weight_map":
		if e != evText {
			return x.json.fail("the file of " + fault.Clip(string(x.key), 120) + " is not a text")
		}
		return x.put(text)
	}
	return nil
}

// put takes one tensor of the map.
func (x *Index) put(text []byte) *fault.Error {
	f := x.last
	for f < len(x.Files) && !is(text, x.Files[f]) { // mostly the same as before
		f++
	}
	if f == len(x.Files) {
		for f = 0; f < len(x.Files) && !is(text, x.Files[f]); {
			f++
		}
	}
	x.last = f
	if err := x.file(f, text); err != nil {
		return err
	}
	if err := x.list.add(f, x.key, 0, nil); err != nil {
		err.File = x.Name
		return err
	}
	return nil
}

// file keeps the name of the file of that number, where it is a new one.
func (x *Index) file(f int, text []byte) *fault.Error {
	if f < len(x.Files) {
		return nil
	}
	file := string(text)
	if !plainFile(file) {
		return &fault.Error{File: x.Name, Field: fault.Clip(string(x.key), 120), Given: fault.Clip(file, 120), Problem: "the index names a file outside its folder", Allowed: "a name without .. and without a leading /"}
	}
	if f >= maxFiles {
		return &fault.Error{File: x.Name, Problem: "the index names too many files", Allowed: "up to " + units.Group(maxFiles)}
	}
	x.Files = append(x.Files, file)
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
	same := make([]int32, len(l.texts.texts)) // the index's number of a text of the list
	for t, s := range l.texts.texts {
		same[t] = -1
		if n, ok := x.list.texts.at[s]; ok {
			same[t] = n
		}
	}
	for i := range l.count {
		t := l.at(i)
		j := x.list.find(name{same[t.name.text], t.name.index})
		switch {
		case j < 0:
			return &fault.Error{File: l.FileOf(i).Name, Field: fault.Clip(l.Name(i), 120), Problem: "the file holds this tensor, but " + x.Name + " does not name it"}
		case x.Files[x.list.at(j).file] != l.FileOf(i).Name:
			return &fault.Error{File: x.Name, Field: fault.Clip(l.Name(i), 120), Given: x.Files[x.list.at(j).file], Problem: "the index says that this tensor is in another file than it is in (" + l.FileOf(i).Name + ")"}
		}
	}
	for j := 0; j < x.list.count && x.list.count != l.count; j++ {
		if s := x.list.Name(j); l.Find(s) < 0 {
			return &fault.Error{File: x.Name, Field: fault.Clip(s, 120), Given: x.Files[x.list.at(j).file], Problem: "the index names this tensor, but its file does not hold it"}
		}
	}
	return nil
}
