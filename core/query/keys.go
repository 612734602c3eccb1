package query

import "llmsize/core/units"

// Key is a key of the question, for lists of them.
type Key struct {
	Name, Default, Meaning string
	Allowed                []string // every choice, or what is allowed in words
}

// Keys lists every key of the question, in canonical order.
func Keys() []Key {
	var out []Key
	for p := Param(0); p < NumParams; p++ {
		in := params[p]
		k := Key{Name: in.Name, Default: in.Default, Meaning: meanings[p], Allowed: in.Allowed}
		switch p {
		case Prompt:
			k.Default = "context"
		case Image, Sound:
			k.Default = "by family"
		case Users:
			k.Default = "batch"
		case OnDevice:
			k.Default = "all"
		}
		if len(k.Allowed) == 0 {
			k.Allowed = []string{allowedWords[in.kind]}
		}
		out = append(out, k)
		switch p {
		case Model:
			out = append(out, Key{Name: "set.KEY", Meaning: "overrides a config key; dots descend", Allowed: []string{"JSON, else text"}})
		case Versus:
			out = append(out, Key{Name: "vs.KEY", Meaning: "what the second side of a comparison asks otherwise", Allowed: []string{"what KEY allows"}})
		}
	}
	return out
}

// Names lists the names of all keys.
func Names() []string {
	out := make([]string, NumParams)
	for p := range out {
		out[p] = params[p].Name
	}
	return out
}

var allowedWords = [...]string{
	name:    "a name: letters, digits, - . _",
	count:   "1 to " + units.Group(MaxCount),
	length:  "1 to " + units.Group(MaxCount) + "; typed, 32k is 32,768, in a link 32,000",
	whole:   "0 to " + units.Group(MaxCount),
	percent: "1 to 100",
	choice:  "",
	tokens:  "20x, or 1 to " + units.Group(MaxCount),
	free:    "names, separated by commas",
	vast:    "1 to 10^18; 80B is 80,000,000,000",
	amount:  "a number above 0 with up to four decimals, such as 2.5",
	share:   "0 up to 1, such as 0.05",
	picture: "pixels across and down, 1 to " + units.Group(maxSide) + " each, such as 1024x768",
}
