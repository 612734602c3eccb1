package family

import (
	"llmsize/core/fault"
	"llmsize/core/formula"
)

// Family is what a family file says of itself, with all that it inherits: for
// reference pages. Counting does not need it.
type Family struct {
	File    string   // "qwen2", without ".arch"
	Title   string   // "Qwen2"
	Sources []string // where its facts are from
	Classes []Class  // in the order in which a config without one gets them
	Keys    []Declaration
	Inert   []string // keys of its own that change no tensor
	Above   []string // files that it inherits from, the nearest last
	Parts   []string // files of the models that its class may build inside
}

// Class is one class of a family.
type Class struct {
	Name, Kind string // "Qwen2ForCausalLM", "causal"
}

// Declaration is a config key as a family declares it. Expressions are in the
// family's language (doc.go), over the names of other keys.
type Declaration struct {
	Name     string
	Aliases  []string
	Path     string // dotted, where it is read first; empty when it stands at the top
	Type     string // size, count, int, bool, float, str, list, any
	Optional bool   // null is a value of its own
	Required bool   // the class has no default
	Default  string // an expression; empty when there is none
	Null     string // what null means, when that is not the default
	Kinds    string // the entries that a list may have; empty: any
	Each     string // a list has one entry for each of this many
}

// Declared returns what the family of a model type declares.
func (lib *Library) Declared(modelType string) (Family, *fault.Error) {
	name, ok := lib.File(modelType)
	if !ok {
		return Family{}, unknownType(modelType)
	}
	return lib.DeclaredIn(name)
}

// DeclaredIn returns what a file declares.
func (lib *Library) DeclaredIn(name string) (Family, *fault.Error) {
	r, err := lib.resolve(name, 0)
	if err != nil {
		return Family{}, err
	}
	f := Family{File: name, Title: r.title, Sources: r.source, Inert: r.inert, Parts: lib.parts(r)}
	if own, err := lib.parse(name); err == nil {
		f.Above = own.above()
	}
	for _, c := range r.classes {
		f.Classes = append(f.Classes, Class{c.name, c.kind})
	}
	for i := range r.syms {
		k := r.syms[i].key
		if k == nil {
			continue
		}
		d := Declaration{Name: k.name, Aliases: k.aliases, Path: k.path, Type: k.typ, Optional: k.optional, Required: k.def == nil}
		for _, x := range [...]struct {
			e    *formula.Node
			into *string
		}{{k.def, &d.Default}, {k.null, &d.Null}, {k.length, &d.Each}, {k.kinds, &d.Kinds}} {
			if x.e != nil {
				*x.into = x.e.String()
			}
		}
		f.Keys = append(f.Keys, d)
	}
	return f, nil
}

// Words are the texts that the family of a model type compares with or knows: what a key of that family may say. It is
// for those who try values.
func (lib *Library) Words(modelType string) []string {
	name, ok := lib.File(modelType)
	if !ok {
		return nil
	}
	r, err := lib.resolve(name, 0)
	if err != nil {
		return nil
	}
	var out []string
	var of func(e *formula.Node)
	of = func(e *formula.Node) {
		if e == nil {
			return
		}
		if e.Op == formula.Const && e.Kind == formula.Text && e.Text != "" && !has(out, e.Text) {
			out = append(out, e.Text)
		}
		for _, a := range e.Args {
			of(a)
		}
	}
	var in func(list []*stmt)
	in = func(list []*stmt) {
		for _, s := range list {
			for _, a := range s.args {
				of(a)
			}
			for _, e := range [...]*formula.Node{s.bias, s.when, s.uses, s.groups, s.tied} {
				of(e)
			}
			for i := range s.props {
				of(s.props[i].e)
			}
			in(s.body)
			in(s.alt)
		}
	}
	for i := range r.syms {
		of(r.syms[i].let)
		if k := r.syms[i].key; k != nil {
			of(k.def)
			of(k.null)
		}
	}
	for _, d := range r.defs {
		of(d.e)
	}
	for _, b := range r.blocks {
		in(b.body)
	}
	return out
}
