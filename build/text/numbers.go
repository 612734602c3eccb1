// The engine puts its numbers into prose, formulas and code, so that no derived number is typed by hand.
//
// # What authors write
//
//	{= parameters.total =}                          8,030,261,248
//	{= parameters.total short =}                    8.03 B
//	{= memory.weights.bytes gib weights=q4_k_m =}   4.58 GiB
//	{= parameters.active percent of parameters.total =}
//	{= memory.kv_cache.bytes ratio model=llama-2-7b of memory.kv_cache.bytes =}
//
// Between {= and =} stand words in this order: a field of the report, by the path it has in
// the report's JSON; a format, if any; keys of the query that differ from the page's own
// query, if any; and for percent and ratio, "of" and a second field with its own keys.
//
// # Formats
//
//	exact     the default: every digit, thousands separated; text as it is
//	plain     every digit, no separators
//	short     three digits and a prefix: 8.03 B, 16.1 GB, 15.1 TFLOP
//	gb, gib   bytes with three digits, in decimal or binary multiples; also what an expression comes to
//	sci       1.23 × 10²³
//	percent   of a second field: 12.5%
//	ratio     of a second field: 3.50; ratio.1 and ratio.0 have one decimal and none
//
// A field that is gone, a format that does not fit or a query that cannot be answered is an error.

package text

import (
	"fmt"
	"slices"
	"strings"

	"llmsize/core/spell"
)

// Unit says what a number counts, which decides how its short form reads.
type Unit int

// The units that short forms know.
const (
	Count Unit = iota // a plain number: "8.19 K"
	Params
	Bytes
	FLOPs
	Seconds
	Joules
)

// Value is one field of a report.
type Value struct {
	Int     int64
	Float   float64 // instead of Int, when IsFloat: totals past 2^63, and times
	IsFloat bool
	Text    string // instead of both, for a field in words
	IsText  bool
	Unit    Unit
	Query   string // that was answered, in canonical form; empty means as it was asked
}

// Resolver answers what a field of the report for a query is. Its errors say what is
// wrong with the query, or which fields there are.
type Resolver interface {
	Number(query, field string) (Value, error)
}

// operand is a field of the report for the page's query with some keys changed.
type operand struct {
	field string
	keys  []string // "key=value"
}

// Expr is a parsed expression, what is between {= and =}.
type Expr struct {
	value, of operand
	format    string
}

var formats = []string{"exact", "plain", "short", "gb", "gib", "sci", "percent", "ratio", "ratio.0", "ratio.1", "ratio.2", "ratio.3"}

// ParseNumber reads an expression.
func ParseNumber(source string) (Expr, error) {
	words := strings.Fields(source)
	if len(words) == 0 {
		return Expr{}, fmt.Errorf("{= =} is empty: name a field, such as parameters.total")
	}
	for _, word := range words {
		if seen := spell.Out(word); seen != word {
			return Expr{}, fmt.Errorf("{= %s =}: %q holds a character that nobody sees", spell.Out(source), seen)
		}
	}
	e := Expr{format: "exact"}
	e.value.field, words = words[0], words[1:]
	if len(words) > 0 && words[0] != "of" && !strings.Contains(words[0], "=") {
		e.format, words = words[0], words[1:]
		if !slices.Contains(formats, e.format) {
			return Expr{}, fmt.Errorf("{= %s =}: %q isn't a format (%s)", source, e.format, strings.Join(formats, ", "))
		}
	}
	target := &e.value
	for i, word := range words {
		switch {
		case word == "of" && target == &e.value && i+1 < len(words):
			target = &e.of
		case target == &e.of && e.of.field == "":
			e.of.field = word
		case strings.Index(word, "=") > 0:
			target.keys = append(target.keys, word)
		default:
			return Expr{}, fmt.Errorf("{= %s =}: %q is not key=value", source, word)
		}
	}
	needsTwo := e.format == "percent" || strings.HasPrefix(e.format, "ratio")
	if needsTwo != (e.of.field != "") {
		return Expr{}, fmt.Errorf(`{= %s =}: percent and ratio, and only they, take "of" and a second field`, source)
	}
	return e, nil
}

// Overlay changes keys of a query. Each key of keys ("key=value") takes the place of the
// query's own or goes to the end; the host puts the canonical order right.
func Overlay(query string, keys ...string) string {
	parts := slices.DeleteFunc(strings.Split(query, "&"), func(s string) bool { return s == "" })
	for _, set := range keys {
		key, _, _ := strings.Cut(set, "=")
		at := slices.IndexFunc(parts, func(s string) bool { return strings.HasPrefix(s, key+"=") })
		if at < 0 {
			parts = append(parts, set)
		} else {
			parts[at] = set
		}
	}
	return strings.Join(parts, "&")
}

// Result is an evaluated expression.
type Result struct {
	Value Value  // of the first operand
	Query string // that it was asked with
	Field string

	text string // with a comma in thousands and plain spaces
}

// Eval answers the expression on a page whose query is given.
func (e Expr) Eval(r Resolver, query string) (Result, error) {
	ask := func(o operand) (Value, string, error) {
		q := Overlay(query, o.keys...)
		v, err := r.Number(q, o.field)
		if err != nil {
			return v, q, fmt.Errorf("{= %s … =} with %s: %w", o.field, q, err)
		}
		return v, q, nil
	}
	v, q, err := ask(e.value)
	if err != nil {
		return Result{}, err
	}
	var of Value
	if e.of.field != "" {
		if of, _, err = ask(e.of); err != nil {
			return Result{}, err
		}
	}
	text, err := format(v, of, e.format)
	if err != nil {
		return Result{}, fmt.Errorf("{= %s %s =}: %w", e.value.field, e.format, err)
	}
	if v.Query != "" {
		q = v.Query
	}
	return Result{Value: v, Query: q, Field: e.value.field, text: text}, nil
}
