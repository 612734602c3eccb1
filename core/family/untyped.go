package family

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/fault"
)

// typed gives a config without a model type the type whose class it names: a few
// files have none. The warning says so; the error that there must be a type, with
// Need set while not every file is loaded.
func (lib *Library) typed(cfg *config.Value) (string, fault.Warning, *fault.Error) {
	class := firstClass(cfg)
	for _, f := range lib.files {
		if class != "" && len(f.types) > 0 && lib.names(f, class) {
			w := fault.Warning{Field: "model_type", Text: "is absent; " + fault.Clip(class, 60) + " is a class of " + f.types[0]}
			return f.types[0], w, nil
		}
	}
	err := &fault.Error{Field: "model_type", Problem: "must be given: it names the architecture", Allowed: `a type such as "llama"`,
		Hint: "paste the whole config.json of a model"}
	if class != "" && lib.named(familiarFile) == nil {
		err.Need = class
	}
	return "", fault.Warning{}, err
}

// names reports whether a file has a class.
func (lib *Library) names(f *file, class string) bool {
	fam, err := lib.parse(f.name)
	for i := 0; err == nil && i < len(fam.classes); i++ {
		if fam.classes[i].is(class) {
			return true
		}
	}
	return false
}

// elsewhere is the type whose code a config's auto_map names, where the file of the config's own type says so: JinaBERT's configs
// say that they are of BERT. Else it is the config's own.
func (lib *Library) elsewhere(cfg *config.Value, own string) string {
	file, _ := lib.File(own)
	if fam, err := lib.parse(file); err == nil {
		named := cfg.Get("auto_map").Get("AutoConfig").Text
		for i := 1; i < len(fam.codes); i += 2 {
			if strings.HasSuffix(named, fam.codes[i-1]) {
				return fam.codes[i]
			}
		}
	}
	return own
}
