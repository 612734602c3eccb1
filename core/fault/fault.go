// Package fault is how the engine says no, and how it says "yes, but".
//
// An error names the field, the value given, what is allowed and a hint, so
// that every host can put it beside the input it is about. A warning is a
// sentence about an answer that was given all the same. Neither wraps another
// error: the engine does no I/O, so there is nothing beneath it to report, and
// errors.Is and errors.As cost a page 4 kB (docs/decisions.md).
package fault

// Error is why a question could not be answered. It implements error.
type Error struct {
	Field   string // the key or query parameter at fault: "num_hidden_layers", "set.hidden_size"; empty when the whole input is
	Given   string // the value as it was given, shortened; empty when it is absent
	Problem string // what is wrong: "must be a whole number"
	Allowed string // what is allowed: "1 or more"; may be empty
	Hint    string // what to do next; may be empty
	File    string // where it stands, if that is known: "llama.arch"
	Line    int    // line in File or in the config's text, from 1; 0 when unknown
	Need    string // a family that the host has not loaded yet: load it and ask again
}

// Error returns one line: field: problem (given …); allowed; hint.
func (e *Error) Error() string {
	s := ""
	if e.File != "" && e.Line > 0 {
		s = e.File + ":" + itoa(e.Line) + ": "
	} else if e.File != "" {
		s = e.File + ": "
	} else if e.Line > 0 {
		s = "line " + itoa(e.Line) + ": "
	}
	if e.Field != "" {
		s += e.Field + ": "
	}
	s += e.Problem
	if e.Given != "" {
		s += " (given " + e.Given + ")"
	}
	if e.Allowed != "" {
		s += "; allowed: " + e.Allowed
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Warning is a sentence about an answer: what was assumed, and which field made it so.
type Warning struct {
	Field string // the key it is about; empty when it is about the whole
	Text  string // a sentence without its full stop
	// Inexact is set when the warning makes the count an estimate: an unknown key, an unknown class.
	Inexact bool
}

// String returns "field: text", or the text alone.
func (w Warning) String() string {
	if w.Field == "" {
		return w.Text
	}
	return w.Field + ": " + w.Text
}

// Clip shortens a value for a message to n bytes, at a rune boundary, with an ellipsis.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// itoa is strconv.Itoa for the small positive numbers of line counts.
func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
