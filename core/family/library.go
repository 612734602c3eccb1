package family

import (
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/model"
)

// Library holds the families that a host has loaded, as text until one is
// asked for. The native hosts load all of them (package families); a page
// begins with one model's and adds the rest when a config needs them.
//
// A Library is not for concurrent use: asking for a type may parse its files.
type Library struct {
	files []*file
	order []string // model types as they were added
}

// file is one family file: its text, and what was made of it so far.
type file struct {
	name, text string
	types      []string
	read       func(file, text string) (*family, *fault.Error)
	fam        *family
	res        *resolved
	packed     []byte
}

// NewLibrary returns a library without families.
func NewLibrary() *Library { return &Library{} }

// named returns the file of that name, or nil.
func (lib *Library) named(name string) *file {
	for _, f := range lib.files {
		if f.name == name {
			return f
		}
	}
	return nil
}

// has reports whether a list holds a word.
func has(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// among is has of a text that lists words, with spaces between: as one text they weigh less than half in the page's program.
func among(words, word string) bool {
	for words != "" {
		var w string
		if w, words = first(words); w == word {
			return true
		}
	}
	return false
}

// first is the first word of a text, and those behind it.
func first(words string) (word, rest string) {
	word = head(words, ' ')
	return word, words[min(len(word)+1, len(words)):]
}

// Add adds one family file under its name without ".arch". A file that is
// already there stays as it is.
func (lib *Library) Add(name, text string) {
	if lib.named(name) != nil {
		return
	}
	lib.add(&file{name: name, text: text, types: headerTypes(text), read: parseFamily})
}

func (lib *Library) add(f *file) {
	lib.files = append(lib.files, f)
	lib.order = append(lib.order, f.types...)
}

// Copy returns a library with the same files, which may be asked while others ask this one.
// Nobody may ask or add to this one meanwhile.
func (lib *Library) Copy() *Library {
	files, out := make([]file, len(lib.files)), &Library{order: append([]string(nil), lib.order...)}
	for i, f := range lib.files {
		files[i] = *f
		out.files = append(out.files, &files[i])
	}
	return out
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
			for x := formula.NewLexer(line[5:], 0); x.Tok.Kind != formula.TokenEnd; {
				out = append(out, x.Word())
			}
		}
		i = end + 1
	}
	return out
}

// Types returns every model type in the order in which its file was added.
func (lib *Library) Types() []string { return lib.order }

// TypesOf returns the model types that are in a file.
func (lib *Library) TypesOf(file string) []string {
	if f := lib.named(file); f != nil {
		return f.types
	}
	return nil
}

// File returns the name of the file that a type stands in, and whether there is one.
func (lib *Library) File(modelType string) (string, bool) {
	for _, f := range lib.files {
		if has(f.types, modelType) {
			return f.name, true
		}
	}
	return "", false
}

// Closure returns the files that a type's family needs, its parents first: what
// a page must be given to answer for it.
func (lib *Library) Closure(modelType string) ([]string, *fault.Error) {
	name, ok := lib.File(modelType)
	if !ok {
		return nil, unknownType(modelType)
	}
	return lib.above(nil, name)
}

// above adds a file and what is above it, parents first, to those that are there already.
func (lib *Library) above(out []string, name string) ([]string, *fault.Error) {
	if has(out, name) {
		return out, nil
	}
	f, err := lib.parse(name)
	if err != nil {
		return nil, err
	}
	for _, up := range f.above() {
		if out, err = lib.above(out, up); err != nil {
			return nil, err
		}
	}
	return append(out, name), nil
}

func unknownType(t string) *fault.Error {
	return &fault.Error{Field: "model_type", Given: fault.Clip(t, 60), Problem: "this model type is not known", Need: t}
}

// rulesFile names the rules that classes share.
const rulesFile = "rules"

func (f *family) above() []string {
	var up []string
	if f.like != "" {
		up = append(up, f.like)
	}
	return append(up, f.with...)
}

// fileOf finds a file by its name, or by a model type that is in it.
func (lib *Library) fileOf(name string) (string, bool) {
	if lib.named(name) != nil {
		return name, true
	}
	return lib.File(name)
}

func (lib *Library) parse(name string) (*family, *fault.Error) {
	in := lib.named(name)
	if in != nil && in.fam != nil {
		return in.fam, nil
	}
	if in == nil {
		return nil, &fault.Error{Field: "model_type", Given: name, Problem: "this family's file is not loaded", Need: name}
	}
	f, err := in.read(name+".arch", in.text)
	if err != nil {
		return nil, err
	}
	if len(f.checks) > 0 {
		f.with = append(f.with, rulesFile)
	}
	for i, up := range f.with {
		if n, ok := lib.fileOf(up); ok {
			f.with[i] = n
		}
	}
	if n, ok := lib.fileOf(f.like); ok && f.like != "" {
		f.like = n
	}
	in.fam = f
	return f, nil
}

// resolved is a family with all that it inherits.
type resolved struct {
	title   string
	source  []string
	classes []classDef
	syms    []symbol // the first is class
	defs    []*funcDef
	blocks  []*blockDef
	inert   []string
	takes   []take // the nearest first
	checks  []string
	lora    model.LoRA
	saves   []model.Named
}

// symbol is a name of the family: a key, or a let.
type symbol struct {
	name string
	key  *keyDef
	let  *formula.Node
	file string // that it stands in
}

// find returns the place of a name, or -1.
func (r *resolved) find(name string) int {
	for i := range r.syms {
		if r.syms[i].name == name {
			return i
		}
	}
	return -1
}

func (r *resolved) def(name string) *funcDef {
	for _, d := range r.defs {
		if d.name == name {
			return d
		}
	}
	return nil
}

func (r *resolved) block(name string) *blockDef {
	for _, b := range r.blocks {
		if b.name == name {
			return b
		}
	}
	return nil
}

// resolve merges a file with its parents. Nearer wins: own lines, then `with`
// files from the last to the first, then `like`.
func (lib *Library) resolve(name string, depth int) (*resolved, *fault.Error) {
	f, err := lib.parse(name)
	if err != nil {
		return nil, err
	}
	in := lib.named(name)
	if in.res != nil {
		return in.res, nil
	}
	if depth > 12 {
		return nil, &fault.Error{File: f.file, Line: 1, Problem: "the family inherits from itself"}
	}
	r := &resolved{title: f.title, source: f.source, syms: []symbol{{name: "class"}}, checks: f.checks}
	for _, up := range f.above() {
		u, err := lib.resolve(up, depth+1)
		if err != nil {
			return nil, err
		}
		r.merge(u.syms[1:], u.defs, u.blocks, u.inert)
		r.takes = append(u.takes[:len(u.takes):len(u.takes)], r.takes...)
		r.lora.Inherit(&u.lora)
		r.saves = append(inherited(u.saves), r.saves...)
		if up == f.like {
			r.classes = u.classes
			if r.title == "" {
				r.title = u.title
			}
			if len(r.source) == 0 {
				r.source = u.source
			}
		}
	}
	r.merge(f.syms, f.defs, f.blocks, f.inert)
	r.takes = append(takesOf(f.takes), r.takes...)
	r.lora.Inherit(&f.lora)
	r.saves = append(append([]model.Named{}, f.saves...), r.saves...)
	r.lora.Targets, r.lora.Experts = f.lora.Targets, f.lora.Experts
	if len(f.classes) > 0 {
		r.classes = f.classes
	}
	in.res = r
	return r, nil
}

// inherited is what a family's class keeps that is true of classes written like it.
func inherited(saves []model.Named) []model.Named {
	var out []model.Named
	for _, s := range saves {
		if s.Name != model.Checked {
			out = append(out, s)
		}
	}
	return out
}

// merge puts names in; one that is there already is replaced in its place.
func (r *resolved) merge(syms []symbol, defs []*funcDef, blocks []*blockDef, inert []string) {
	for _, x := range syms {
		if i := r.find(x.name); i >= 0 {
			r.syms[i] = x
		} else {
			r.syms = append(r.syms, x)
		}
	}
	r.defs = replaced(r.defs, defs, func(d *funcDef) string { return d.name })
	r.blocks = replaced(r.blocks, blocks, func(b *blockDef) string { return b.name })
	r.inert = append(r.inert, inert...)
}

// replaced is a list with others in it, in the places of those of their names where there are such.
func replaced[T any](list, with []T, name func(T) string) []T {
next:
	for _, x := range with {
		for i := range list {
			if name(list[i]) == name(x) {
				list[i] = x
				continue next
			}
		}
		list = append(list, x)
	}
	return list
}
