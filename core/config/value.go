// Package config reads a config.json into a tree of values.
//
// It is a strict JSON reader (RFC 8259) with three differences. Python's NaN,
// Infinity and -Infinity are numbers, because real configs hold them
// ("time_step_limit": [0.0, Infinity]); a key that stands twice in one object
// is an error, because the two readers of such a file would disagree; and depth
// and size are bounded, so that no input can exhaust a page. Numbers keep their
// text: 4096, 4096.0 and "4096" are different answers to "how wide?".
//
// encoding/json would do as well natively, but costs the page 85 kB; jsonparser
// (9 kB) accepts broken input. A test holds this reader against encoding/json.
package config

// Kind is the JSON type of a value.
type Kind uint8

// The kinds of a Value. Absent is the kind of a key that is not there.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	List
	Object
)

var kindNames = [...]string{"nothing", "null", "true or false", "a number", "text", "a list", "an object"}

// String returns the kind in words, for messages: "a number".
func (k Kind) String() string { return kindNames[k] }

// Value is one JSON value. The zero Value is absent.
type Value struct {
	Kind  Kind
	Text  string   // a number as written, a string decoded, "true" or "false"
	Items []Value  // of a list
	Keys  []string // of an object, in the order of the file
	Vals  []Value  // of an object, beside Keys
	Line  int      // where it stands, from 1
}

// absent is what is under a key that is not there.
var absent Value

// Get returns the value under key, or one that is absent: to read, not to change. A Value is large to hand over.
func (v *Value) Get(key string) *Value {
	for i, k := range v.Keys {
		if k == key {
			return &v.Vals[i]
		}
	}
	return &absent
}

// Has reports whether the object has key, be it null.
func (v *Value) Has(key string) bool { return v.Get(key).Kind != Absent }

// Set returns a copy of the object with key set to x: in its old place, or at
// the end when it is new. v is not changed.
func (v Value) Set(key string, x Value) Value {
	n := len(v.Keys)
	at := n
	for i, k := range v.Keys {
		if k == key {
			at = i
		}
	}
	if at == n {
		n++
	}
	keys, vals := make([]string, n), make([]Value, n)
	copy(keys, v.Keys)
	copy(vals, v.Vals)
	keys[at], vals[at] = key, x
	return Value{Kind: Object, Keys: keys, Vals: vals, Line: v.Line}
}

// Copy returns an object that Put may change: its own objects are new, lists and
// texts are shared.
func (v *Value) Copy() Value {
	out := *v
	if v.Kind == Object {
		out.Keys, out.Vals = append([]string{}, v.Keys...), make([]Value, len(v.Vals))
		for i := range v.Vals {
			out.Vals[i] = v.Vals[i].Copy()
		}
	}
	return out
}

// Put sets a value of a Copy by a dotted path, in its old place or at the end,
// making objects on the way ("text_config.num_hidden_layers"). It reports false
// when the path runs through something that is not an object.
func (v *Value) Put(path string, x Value) bool {
	if v.Kind != Object {
		return false
	}
	head, rest := path, ""
	for i := 0; i < len(path); i++ {
		if path[i] == '.' {
			head, rest = path[:i], path[i+1:]
			break
		}
	}
	at := 0
	for at < len(v.Keys) && v.Keys[at] != head {
		at++
	}
	if at == len(v.Keys) {
		v.Keys, v.Vals = append(v.Keys, head), append(v.Vals, Value{})
	}
	if rest == "" {
		v.Vals[at] = x
		return true
	}
	if sub := &v.Vals[at]; sub.Kind == Absent || sub.Kind == Null {
		*sub = Value{Kind: Object}
	}
	return v.Vals[at].Put(rest, x)
}

// Int returns the whole number that v is written as. ok is false for anything
// else: fractions, exponents, strings, numbers past int64.
func (v *Value) Int() (n int64, ok bool) {
	if v.Kind != Number {
		return 0, false
	}
	return ParseInt(v.Text)
}

// ParseInt reads a whole number as JSON writes it; ok is false for anything else.
func ParseInt(s string) (n int64, ok bool) {
	neg := false
	if s != "" && s[0] == '-' {
		s, neg = s[1:], true
	}
	if s == "" || len(s) > 19 {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		d := int64(c - '0')
		if n > (1<<63-1-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	if neg {
		n = -n
	}
	return n, true
}

// Float returns the number, correctly rounded for up to 15 significant digits
// and powers of ten up to 22 (both steps are then exact); past that it may be
// one unit in the last place off. ok is false for NaN, infinities and other kinds.
func (v *Value) Float() (x float64, ok bool) {
	if v.Kind != Number {
		return 0, false
	}
	return ParseFloat(v.Text)
}

// ParseFloat reads a decimal number as JSON writes it. strconv.ParseFloat would
// cost the page 15 kB.
func ParseFloat(s string) (x float64, ok bool) {
	neg := false
	if s != "" && s[0] == '-' {
		s, neg = s[1:], true
	}
	var m uint64
	exp, i, digits := 0, 0, 0
	point := false
	for ; i < len(s); i++ {
		c := s[i]
		if c == '.' && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		if m < 1e17 {
			m = m*10 + uint64(c-'0')
			if point {
				exp--
			}
		} else if !point {
			exp++
		}
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		eneg, e := false, 0
		if i < len(s) && (s[i] == '-' || s[i] == '+') {
			eneg = s[i] == '-'
			i++
		}
		for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			if e < 10000 {
				e = e*10 + int(s[i]-'0')
			}
		}
		if eneg {
			e = -e
		}
		exp += e
	}
	if i != len(s) {
		return 0, false
	}
	// Trailing zeros of "1.50" would push a short number out of the exact range.
	for m != 0 && m%10 == 0 && exp < 0 {
		m /= 10
		exp++
	}
	x = float64(m)
	for exp > 0 && x != 0 && x < 1e300 {
		step := min(exp, 22)
		x *= pow10[step]
		exp -= step
	}
	for exp < 0 && x != 0 {
		step := min(-exp, 22)
		x /= pow10[step]
		exp += step
	}
	if exp > 0 && x != 0 {
		return 0, false
	}
	if neg {
		x = -x
	}
	return x, true
}

var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Size is how many values v holds, itself included; long texts count as several.
func (v *Value) Size() int64 {
	n := int64(1 + len(v.Text)/32)
	for i := range v.Items {
		n += v.Items[i].Size()
	}
	for i := range v.Vals {
		n += 1 + v.Vals[i].Size()
	}
	return n
}

// JSON returns the value as compact JSON, keys in order.
func (v *Value) JSON() string { return string(v.append(nil)) }

func (v *Value) append(b []byte) []byte {
	switch v.Kind {
	case Bool, Number:
		return append(b, v.Text...)
	case String:
		return AppendQuoted(b, v.Text)
	case List:
		b = append(b, '[')
		for i := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.Items[i].append(b)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, k := range v.Keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendQuoted(b, k)
			b = append(b, ':')
			b = v.Vals[i].append(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// AppendQuoted appends s as a JSON string to b.
func AppendQuoted(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
