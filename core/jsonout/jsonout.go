// Package jsonout makes JSON for programs, and cannot make anything else.
//
// A [Value] comes from the functions of this package alone. A number is a whole
// number or a finite decimal with a fixed count of digits, never grouped; text is
// UTF-8; what is not known is left out rather than written as NaN. RFC 8259 has
// no NaN and no infinity.
package jsonout

import (
	"unicode/utf8"

	"llmsize/core/config"
	"llmsize/core/units"
)

// Value is a JSON value. The zero Value is absent: [Object] and [Value.Set] leave
// its key out.
type Value struct{ v config.Value }

// Int is a whole number, exact.
func Int[N ~int64 | ~int](n N) Value { return numeral(units.Itoa(int64(n))) }

// Float is a number with a given count of decimals (at most 9), rounded half up. A number
// that float64 holds without a fraction has every digit. It is absent when x is
// not finite.
func Float(x float64, decimals int) Value {
	sign := ""
	if x < 0 {
		sign, x = "-", -x
	}
	if !units.Finite(x) {
		return Value{}
	}
	scale := 1.0
	for range decimals {
		scale *= 10
	}
	whole, rest := units.Digits(x), ""
	if x < 1<<53 {
		n := int64(x)
		part := int64(float64((x-float64(n))*scale) + 0.5)
		if part == int64(scale) {
			n, part = n+1, 0
		}
		whole, rest = units.Itoa(n), units.Itoa(int64(scale) + part)[1:]
		if n == 0 && part == 0 {
			sign = ""
		}
	} else {
		rest = units.Itoa(int64(scale))[1:]
	}
	if decimals == 0 {
		return numeral(sign + whole)
	}
	return numeral(sign + whole + "." + rest)
}

// FLOPs is a number of operations with every digit. It is absent when f is not
// finite.
func FLOPs(f units.FLOPs) Value { return Float(float64(f), 0) }

// Text is text; bytes that are no UTF-8 become U+FFFD.
func Text(s string) Value {
	return Value{config.Value{Kind: config.String, Text: valid(s)}}
}

// Bool is true or false.
func Bool(b bool) Value {
	if b {
		return Value{config.Value{Kind: config.Bool, Text: "true"}}
	}
	return Value{config.Value{Kind: config.Bool, Text: "false"}}
}

// Of is a value of a config. Python writes NaN, Infinity and -Infinity into
// configs, and numbers may pass what programs read: these become text.
func Of(v config.Value) Value {
	switch v.Kind {
	case config.Number:
		if _, ok := v.Float(); !ok {
			return Text(v.Text)
		}
		return Value{config.Value{Kind: config.Number, Text: v.Text}}
	case config.String:
		return Text(v.Text)
	case config.List:
		l := List()
		for _, x := range v.Items {
			l = l.Append(Of(x))
		}
		return l
	case config.Object:
		o := Object()
		for i, k := range v.Keys {
			o.v.Keys, o.v.Vals = append(o.v.Keys, valid(k)), append(o.v.Vals, Of(v.Vals[i]).v)
		}
		return o
	}
	return Value{v}
}

// List is a list. An absent item is written as null.
func List(items ...Value) Value {
	l := Value{config.Value{Kind: config.List}}
	for _, x := range items {
		l = l.Append(x)
	}
	return l
}

// Append is the list with one item more; l must not be used afterwards.
func (l Value) Append(x Value) Value {
	l.v.Items = append(l.v.Items, x.v)
	return l
}

// Len is how many items a list or keys an object has.
func (l Value) Len() int { return len(l.v.Items) + len(l.v.Keys) }

// Object is an object of names (string) and values (Value) in turn. Names differ.
func Object(pairs ...any) Value {
	n := len(pairs) / 2
	o := Value{config.Value{Kind: config.Object, Keys: make([]string, 0, n), Vals: make([]config.Value, 0, n)}}
	for i := 0; i < len(pairs); i += 2 {
		if x := pairs[i+1].(Value); x.v.Kind != config.Absent {
			o.v.Keys, o.v.Vals = append(o.v.Keys, valid(pairs[i].(string))), append(o.v.Vals, x.v)
		}
	}
	return o
}

// Set is the object with key set to x, in its old place or at the end. Nothing
// is set when x is absent. o is not changed.
func (o Value) Set(key string, x Value) Value {
	if x.v.Kind == config.Absent {
		return o
	}
	return Value{o.v.Set(valid(key), x.v)}
}

// Get is the value under a key of an object, or an absent one.
func (o Value) Get(key string) Value { return Value{*o.v.Get(key)} }

// Read is the value for reading.
func (o Value) Read() config.Value { return o.v }

// String is the value as JSON, compact, keys in order.
func (o Value) String() string { return o.v.JSON() }

// Indent is the value as JSON over several lines, the last with its line end.
// Lists of plain values stay on one line.
func (o Value) Indent() string { return string(append(indent(nil, &o.v, 0), '\n')) }

func numeral(digits string) Value { return Value{config.Value{Kind: config.Number, Text: digits}} }

// valid is s with bytes that are no UTF-8 replaced.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	b := make([]byte, 0, len(s)+2)
	for _, r := range s {
		b = utf8.AppendRune(b, r)
	}
	return string(b)
}

func indent(b []byte, v *config.Value, depth int) []byte {
	pad := func(d int) {
		b = append(b, '\n')
		for ; d > 0; d-- {
			b = append(b, ' ', ' ')
		}
	}
	switch {
	case v.Kind == config.Object && len(v.Keys) > 0:
		b = append(b, '{')
		for i, k := range v.Keys {
			if i > 0 {
				b = append(b, ',')
			}
			pad(depth + 1)
			b = config.AppendQuoted(b, k)
			b = append(b, ':', ' ')
			b = indent(b, &v.Vals[i], depth+1)
		}
		pad(depth)
		return append(b, '}')
	case v.Kind == config.List && len(v.Items) > 0 && (v.Items[0].Kind == config.Object || v.Items[0].Kind == config.String):
		b = append(b, '[')
		for i := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			pad(depth + 1)
			b = indent(b, &v.Items[i], depth+1)
		}
		pad(depth)
		return append(b, ']')
	}
	return append(b, v.JSON()...)
}
