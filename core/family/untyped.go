package family

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/formula"
)

// typed gives a config without a model type the type whose class it names: a few
// files have none. The warning says so; the error that there must be a type, with
// Need set while not every file is loaded.
func (lib *Library) typed(cfg config.Value) (config.Value, fault.Warning, *fault.Error) {
	class := firstClass(cfg)
	for _, f := range lib.files {
		if class != "" && len(f.types) > 0 && namesClass(f.text, class) {
			w := fault.Warning{Field: "model_type", Text: "is absent; " + fault.Clip(class, 60) + " is a class of " + f.types[0]}
			return config.Value{Kind: config.String, Text: f.types[0]}, w, nil
		}
	}
	err := &fault.Error{Field: "model_type", Problem: "must be given: it names the architecture", Allowed: `a type such as "llama"`,
		Hint: "paste the whole config.json of a model"}
	if class != "" && lib.named(familiarFile) == nil {
		err.Need = class
	}
	return config.Value{}, fault.Warning{}, err
}

// namesClass reports whether a file's `class` and `classes` lines name a class,
// without parsing the rest.
func namesClass(text, class string) bool {
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && text[end] != '\n' {
			end++
		}
		line := text[i:end]
		i = end + 1
		many := len(line) > 8 && line[:8] == "classes "
		if !many && (len(line) <= 6 || line[:6] != "class ") {
			continue
		}
		x := formula.NewLexer(line, 0)
		x.Word()
		name := x.Word()
		for x.Tok.Kind != formula.TokenEnd {
			w := x.Word()
			for _, c := range classSuffix {
				if many && c.kind == w && name+c.suffix == class {
					return true
				}
			}
			if !many && (name == class || w == class) { // an alias
				return true
			}
		}
	}
	return false
}
