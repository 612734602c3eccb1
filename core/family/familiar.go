package family

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/work"
)

// familiarFile names the types that a config of an unknown one may be read as.
const familiarFile = "familiar"

// leastFamiliar is the likeness from which a type is taken for one: some five keys
// that it reads, and little that speaks against it.
const leastFamiliar = 3

// familiar finds the type whose keys a config of an unknown type has most of:
// the count is then an estimate that says so. Of equal ones the first listed
// wins. The error has Need set while the file that lists them is not loaded, and
// says that the type is unknown when nothing is like it.
func (lib *Library) familiar(cfg *config.Value, modelType string, budget *work.Budget) (file, like string, err *fault.Error) {
	unknown := unknownType(modelType)
	if lib.named(familiarFile) == nil {
		return "", "", unknown
	}
	unknown.Need = ""
	unknown.Hint = "its keys are not like a known type's either; check the spelling, or count a type that is built the same way with set.model_type"
	f, err := lib.parse(familiarFile)
	if err != nil {
		return "", "", err
	}
	best := leastFamiliar - 1
	defer budget.About(budget.About("model_type"))
	known := make([]bool, len(cfg.Keys)) // to be without effect
	for i, k := range cfg.Keys {
		known[i], _ = lib.inert(k)
		budget.Spend(lookup)
	}
	for _, t := range f.familiar {
		name, ok := lib.File(t)
		if !ok {
			return "", "", &fault.Error{File: f.file, Line: 1, Problem: "there is no type " + t}
		}
		fam, err := lib.resolve(name, 0)
		if err != nil {
			return "", "", err
		}
		if !budget.Times(int64(len(cfg.Keys)+len(fam.syms)), lookup) {
			return "", "", budget.Err()
		}
		n := likeness(cfg, fam, known)
		if c, ok := defaultClass(fam.classes); ok && suffix(c.name) != suffix(firstClass(cfg)) && firstClass(cfg) != "" {
			continue
		}
		if n > best {
			best, file, like = n, name, t
		}
	}
	if file == "" {
		return "", "", unknown
	}
	return file, like, nil
}

// likeness is two for every key that the family reads, less two for every one
// that it does not know, less one for every size of its own that is not there.
// known tells the config's keys that no family reads.
func likeness(cfg *config.Value, fam *resolved, known []bool) int {
	s := scope{fam: fam, cfg: cfg}
	n := 0
	for i, k := range cfg.Keys {
		if s.reads(k) {
			n += 2
		} else if !known[i] && !has(fam.inert, k) {
			n -= 2
		}
	}
	for i := range fam.syms {
		// Switches and what follows from other keys are often left out.
		if k := fam.syms[i].key; k != nil && k.typ != "bool" && (k.def == nil || k.def.Op == formula.Const) {
			if v, _ := s.find(k); v.Kind == config.Absent {
				n--
			}
		}
	}
	return n
}

// firstClass is the name of the config's class, or "".
func firstClass(cfg *config.Value) string {
	if a := cfg.Get("architectures"); len(a.Items) > 0 {
		return a.Items[0].Text
	}
	return ""
}

// suffix is what a class's name ends with: "ForCausalLM".
func suffix(class string) string {
	for i := 1; i+3 < len(class); i++ {
		if class[i:i+3] == "For" {
			return class[i:]
		}
	}
	return ""
}
