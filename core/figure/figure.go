// Package figure declares the numbers of an answer: each once.
//
// A [Figure] says what a number is: where it is in the report's JSON (its ID), what readers call it, its unit, its
// formula over other figures and over what is asked, where that is from. Whoever shows, explains or compares numbers
// walks these declarations: the page (site/view), the command, numbers in prose (build/answers), core/report's
// comparisons, core/explain. docs/figures.md adds one from nothing.
//
// A formula's names are figures: first those that stand beside the figure itself, then paths from the top. ask.KEY is
// what the question says of a key, config.KEY what the config says. A formula is shown only where it comes to the
// figure's value; where engines round and pad, it may not.
package figure

import (
	"llmsize/core/formula"
	"llmsize/core/units"
)

// Unit is what a number counts.
type Unit uint8

// The units.
const (
	Count Unit = iota // tokens, layers, devices: a plain number
	Params
	Bytes
	FLOPs
	Seconds
	Joules
	Watts
	Rate      // bytes a second
	FLOPRate  // FLOPs a second
	Percent   // of 100
	Ratio     // a number with a fraction
	Words     // no number
	numUnits_ // how many there are
)

// Figure is a declaration.
type Figure struct {
	ID      string // its path in the JSON; * stands for any text. Of several that fit a path the first holds
	At      string // its name in links (#at=); empty where the page shows it nowhere by itself
	Label   string // what readers call it: "Next token"
	About   string // what is said beside the label: "at best"
	Unit    Unit
	Formula string
	Source  string // where the formula is from, in HTML without markup
	Note    string // what a reader must know to use it
	Status  string // "estimate", "band"; empty for what is exact, or a bound
	Own     bool   // its value is what its formula comes to: nobody counts it elsewhere
	Lens    string // the lens that shows it by itself: "running", "training", "compute"
}

// Name is the figure in a sentence: "energy for each token, while decoding, at best". "KV cache" stays as it is.
func (f *Figure) Name() string {
	s := f.Label
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && !(s[1] >= 'A' && s[1] <= 'Z') {
		s = string(s[0]+'a'-'A') + s[1:]
	}
	if f.About != "" {
		s += ", " + f.About
	}
	return s
}

// Find returns the declaration of a path: the first that fits it.
func Find(path string) *Figure {
	for _, list := range [...][]Figure{Live, Others} {
		if f := in(list, path); f != nil {
			return f
		}
	}
	return nil
}

// Shown returns the declaration of a path among those that a lens shows or takes apart ([Live]). A key of the question needs none.
func Shown(path string) *Figure {
	f := in(Live, path)
	if key, ok := Asked(path); ok && f == nil {
		return &Figure{ID: path, Label: key}
	}
	return f
}

func in(list []Figure, path string) *Figure {
	for i := range list {
		if Fits(list[i].ID, path) {
			return &list[i]
		}
	}
	return nil
}

// Named returns the path of the figure that a link names.
func Named(at string) (path string, ok bool) {
	for _, list := range [...][]Figure{Live, Others} {
		for i := range list {
			if list[i].At == at && at != "" {
				return list[i].ID, true
			}
		}
	}
	return "", false
}

// Fits reports whether a path is one that a pattern stands for. A star is some text, dots included.
func Fits(pattern, path string) bool {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '*' {
			for j := i + 1; j <= len(path); j++ {
				if Fits(pattern[i+1:], path[j:]) {
					return true
				}
			}
			return false
		}
		if i >= len(path) || path[i] != pattern[i] {
			return false
		}
	}
	return len(path) == len(pattern)
}

// Beside is the path of a name that is in the formula of the figure at path.
func Beside(path, name string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' {
			return path[:i+1] + name
		}
	}
	return name
}

// Asked returns the key of the question that a formula names: ask.tokens_per_second is tokens-per-second.
func Asked(name string) (key string, ok bool) {
	const ask = "ask."
	if len(name) <= len(ask) || name[:len(ask)] != ask {
		return "", false
	}
	b := []byte(name[len(ask):])
	for i := range b {
		if b[i] == '_' {
			b[i] = '-'
		}
	}
	return string(b), true
}

// Short is a number as readers take it in: "16.1 GB", "4.80 ms"; bytes says whether in "gb" or "gib".
func (u Unit) Short(v formula.Value, bytes string) string {
	switch {
	case v.Kind == formula.Text:
		return v.Text
	case v.Kind != formula.Int:
		return u.Brief(v.Float(), bytes)
	case u == Params:
		return units.Params(v.N).Short()
	case u == Bytes:
		return units.Bytes(v.N).In(bytes)
	case u == Count || u == Ratio || u == Words:
		return units.Group(v.N)
	}
	return u.Brief(v.Float(), bytes)
}

// Brief is Short of a float, in three digits.
func (u Unit) Brief(f float64, bytes string) string {
	n := int64(1<<63 - 1)
	if f < 9e18 && f > -9e18 {
		n = int64(f + 0.5)
	}
	switch u {
	case Params:
		return units.Params(n).Short()
	case Bytes:
		return units.Bytes(n).In(bytes)
	case FLOPs:
		return units.FLOPs(f).Short()
	case Seconds:
		return units.Seconds(f).Short()
	case Joules:
		return units.Joules(f).Short()
	case Watts:
		return units.Group(n) + " W"
	case Rate:
		return units.Bytes(n).In("gb") + "/s"
	case FLOPRate:
		return units.FLOPs(f).Short() + "/s"
	case Percent:
		return decimal(f, 1) + "%"
	}
	if f == float64(n) {
		return units.Group(n)
	}
	if f < 0 || f > 1e12 {
		return units.FLOPs(f).Digits()
	}
	return units.Three(f)
}

// decimal writes a number with a number of decimals.
func decimal(f float64, n int) string {
	scale := int64(1)
	for range n {
		scale *= 10
	}
	if f > 1e12 || f < 0 {
		return units.FLOPs(f).Digits()
	}
	return units.Fixed(int64(f*float64(scale)+0.5), scale, n)
}

// Exact is a number with every digit, for people.
func (u Unit) Exact(v formula.Value, bytes string) string {
	switch {
	case v.Kind != formula.Int || u == Seconds || u == Joules:
		return u.Short(v, bytes)
	case u == Bytes:
		return units.Group(v.N) + " bytes"
	}
	return units.Group(v.N)
}

// String names the unit in JSON: "bytes".
func (u Unit) String() string { return unitNames[u] }

var unitNames = [numUnits_]string{"", "params", "bytes", "flops", "seconds", "joules", "watts", "bytes/s", "flops/s", "percent", "", "words"}
