package arch

import (
	"llmsize/core/fault"
)

// Library holds the families that a host has loaded, as text until one is
// asked for. The native hosts load all of them (package families); a page
// begins with one model's and adds the rest when a config needs them.
//
// A Library is not for concurrent use: asking for a type may parse its files.
type Library struct {
	text     map[string]string // by file name without .arch
	types    map[string]string // model_type to file
	parsed   map[string]*family
	resolved map[string]*resolved
	order    []string // model types as they were added
}

// NewLibrary returns a library without families.
func NewLibrary() *Library {
	return &Library{text: map[string]string{}, types: map[string]string{}, parsed: map[string]*family{}, resolved: map[string]*resolved{}}
}

// bundleMark begins each file of a bundle.
const bundleMark = "=== "

// Bundle joins files into one text that AddBundle takes apart.
func Bundle(names []string, text func(name string) string) string {
	s := ""
	for _, n := range names {
		s += bundleMark + n + "\n" + text(n)
		if s[len(s)-1] != '\n' {
			s += "\n"
		}
	}
	return s
}

// AddBundle adds every file of a bundle.
func (lib *Library) AddBundle(bundle string) {
	name, start := "", 0
	flush := func(end int) {
		if name != "" {
			lib.Add(name, bundle[start:end])
		}
	}
	for i := 0; i < len(bundle); {
		end := i
		for end < len(bundle) && bundle[end] != '\n' {
			end++
		}
		if end-i > len(bundleMark) && bundle[i:i+len(bundleMark)] == bundleMark {
			flush(i)
			name, start = bundle[i+len(bundleMark):end], min(end+1, len(bundle))
		}
		i = end + 1
	}
	flush(len(bundle))
}

// Add adds one family file under its name without ".arch". A file that is
// already there stays as it is.
func (lib *Library) Add(name, text string) {
	if _, ok := lib.text[name]; ok {
		return
	}
	lib.text[name] = text
	for _, t := range headerTypes(text) {
		lib.types[t] = name
		lib.order = append(lib.order, t)
	}
}

// headerTypes returns the words of the `type` lines, without parsing the rest.
func headerTypes(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && text[end] != '\n' {
			end++
		}
		if line := text[i:end]; len(line) > 5 && line[:5] == "type " {
			for x := newLexer(line[5:], 0); x.tok.kind != tEnd; {
				out = append(out, x.word())
			}
		}
		i = end + 1
	}
	return out
}

// Types returns every model type in the order in which its file was added.
func (lib *Library) Types() []string { return lib.order }

// File returns the name of the file that a type stands in, and whether there is one.
func (lib *Library) File(modelType string) (string, bool) {
	f, ok := lib.types[modelType]
	return f, ok
}

// Closure returns the files that a type's family needs, its parents first: what
// a page must be given to answer for it.
func (lib *Library) Closure(modelType string) ([]string, *fault.Error) {
	name, ok := lib.types[modelType]
	if !ok {
		return nil, unknownType(modelType)
	}
	var out []string
	var add func(n string) *fault.Error
	add = func(n string) *fault.Error {
		for _, o := range out {
			if o == n {
				return nil
			}
		}
		f, err := lib.parse(n)
		if err != nil {
			return err
		}
		for _, up := range f.above() {
			if err := add(up); err != nil {
				return err
			}
		}
		out = append(out, n)
		return nil
	}
	err := add(name)
	return out, err
}

// Text returns a family file as it was added.
func (lib *Library) Text(name string) string { return lib.text[name] }

func unknownType(t string) *fault.Error {
	return &fault.Error{Field: "model_type", Given: fault.Clip(t, 60), Problem: "this model type is not known", Need: t}
}

func (f *family) above() []string {
	var up []string
	if f.like != "" {
		up = append(up, f.like)
	}
	return append(up, f.with...)
}

// fileOf finds a file by its name, or by a model type that stands in it.
func (lib *Library) fileOf(name string) (string, bool) {
	if _, ok := lib.text[name]; ok {
		return name, true
	}
	f, ok := lib.types[name]
	return f, ok
}

func (lib *Library) parse(name string) (*family, *fault.Error) {
	if f, ok := lib.parsed[name]; ok {
		return f, nil
	}
	text, ok := lib.text[name]
	if !ok {
		return nil, &fault.Error{Field: "model_type", Given: name, Problem: "this family's file is not loaded", Need: name}
	}
	f, err := parseFamily(name+".arch", text)
	if err != nil {
		return nil, err
	}
	for i, up := range f.with {
		if n, ok := lib.fileOf(up); ok {
			f.with[i] = n
		}
	}
	if n, ok := lib.fileOf(f.like); ok && f.like != "" {
		f.like = n
	}
	lib.parsed[name] = f
	return f, nil
}

// resolved is a family with all that it inherits.
type resolved struct {
	title   string
	source  []string
	classes []classDef
	keys    []*keyDef
	lets    map[string]*expr
	defs    map[string]*funcDef
	blocks  map[string]*blockDef
	inert   map[string]bool
	names   map[string]int // key name to its place in keys; -1 for a let
}

// resolve merges a file with its parents. Nearer wins: own lines, then `with`
// files from the last to the first, then `like`.
func (lib *Library) resolve(name string, depth int) (*resolved, *fault.Error) {
	if r, ok := lib.resolved[name]; ok {
		return r, nil
	}
	f, err := lib.parse(name)
	if err != nil {
		return nil, err
	}
	if depth > 12 {
		return nil, &fault.Error{File: f.file, Line: 1, Problem: "the family inherits from itself"}
	}
	r := &resolved{title: f.title, source: f.source, lets: map[string]*expr{}, defs: map[string]*funcDef{}, blocks: map[string]*blockDef{}, inert: map[string]bool{}, names: map[string]int{"class": -1}}
	for _, up := range f.above() {
		u, err := lib.resolve(up, depth+1)
		if err != nil {
			return nil, err
		}
		r.inherit(u, up == f.like)
	}
	for _, k := range f.keys {
		r.addKey(k)
	}
	for _, n := range f.letSeq {
		r.addLet(n, f.lets[n])
	}
	for n, d := range f.defs {
		r.defs[n] = d
	}
	for n, b := range f.blocks {
		r.blocks[n] = b
	}
	for _, k := range f.inert {
		r.inert[k] = true
	}
	if len(f.classes) > 0 {
		r.classes = f.classes
	}
	lib.resolved[name] = r
	return r, nil
}

func (r *resolved) inherit(u *resolved, like bool) {
	for _, k := range u.keys {
		if k != nil {
			r.addKey(k)
		}
	}
	for n, e := range u.lets {
		r.addLet(n, e)
	}
	for n, d := range u.defs {
		r.defs[n] = d
	}
	for n, b := range u.blocks {
		r.blocks[n] = b
	}
	for k := range u.inert {
		r.inert[k] = true
	}
	if like {
		r.classes = u.classes
		if r.title == "" {
			r.title = u.title
		}
		if len(r.source) == 0 {
			r.source = u.source
		}
	}
}

// addKey sets a key, in the place of an inherited key or let of that name.
func (r *resolved) addKey(k *keyDef) {
	delete(r.lets, k.name)
	if i, ok := r.names[k.name]; ok && i >= 0 {
		r.keys[i] = k
		return
	}
	r.names[k.name] = len(r.keys)
	r.keys = append(r.keys, k)
}

// addLet sets a let; an inherited key of that name is no key any more.
func (r *resolved) addLet(name string, e *expr) {
	if i, ok := r.names[name]; ok && i >= 0 {
		r.keys[i] = nil
	}
	r.names[name] = -1
	r.lets[name] = e
}
