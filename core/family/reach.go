package family

import (
	"llmsize/core/fault"
	"llmsize/core/formula"
)

// Reach returns the files that a file's family reads and those of the parts that it names, its
// parents first: what a page must be given to answer most configs of it. A part that only a config
// names is not among them; the program asks for it by its own name.
func (lib *Library) Reach(name string) ([]string, *fault.Error) {
	var out []string
	roots := []string{name}
	for i := 0; i < len(roots); i++ { // roots grow
		var err *fault.Error
		if out, err = lib.above(out, roots[i]); err != nil {
			return nil, err
		}
		fam, err := lib.resolve(roots[i], 0)
		if err != nil {
			return nil, err
		}
		for _, part := range lib.parts(fam) {
			if !has(roots, part) {
				roots = append(roots, part)
			}
		}
	}
	return out, nil
}

// parts are the files that a family's submodel lines name, by themselves or through what the
// family derives.
func (lib *Library) parts(fam *resolved) []string {
	var names, seen []string
	var texts func(e *formula.Node)
	texts = func(e *formula.Node) {
		if e == nil {
			return
		}
		if e.Op == formula.Const && e.Text != "" {
			if file, ok := lib.fileOf(e.Text); ok && !has(names, file) {
				names = append(names, file)
			}
		}
		if i := fam.find(e.Name); e.Op == formula.Name && i >= 0 && !has(seen, e.Name) {
			seen = append(seen, e.Name)
			texts(fam.syms[i].let)
			if k := fam.syms[i].key; k != nil {
				texts(k.def)
				texts(k.null)
			}
		}
		for _, a := range e.Args {
			texts(a)
		}
	}
	var walk func(list []*stmt)
	walk = func(list []*stmt) {
		for _, s := range list {
			if s.op == sSubmodel {
				texts(s.args[0])
			}
			walk(s.body)
			walk(s.alt)
		}
	}
	for _, b := range fam.blocks {
		walk(b.body)
	}
	return names
}
