package arch

import (
	"llmsize/core/config"
	"llmsize/core/units"
)

// kind is the type of a value in the family language.
type kind uint8

const (
	kNull kind = iota
	kBool
	kInt
	kFloat
	kStr
	kList
	kObj
)

var kindWords = [...]string{"null", "true or false", "a whole number", "a number", "text", "a list", "an object"}

// val is a value in the family language. Booleans are kept in n as 0 and 1.
type val struct {
	k kind
	n int64
	f float64
	s string
	l []val
	o *config.Value
}

func vInt(n int64) val { return val{k: kInt, n: n} }

func vBool(b bool) val {
	if b {
		return val{k: kBool, n: 1}
	}
	return val{k: kBool}
}

// truth is Python's: null, false, 0, "", [] are false.
func (v val) truth() bool {
	switch v.k {
	case kNull:
		return false
	case kBool, kInt:
		return v.n != 0
	case kFloat:
		return v.f != 0
	case kStr:
		return v.s != ""
	case kList:
		return len(v.l) > 0
	}
	return len(v.o.Keys) > 0
}

// num returns a number as a float, for mixed arithmetic.
func (v val) num() (float64, bool) {
	switch v.k {
	case kInt, kBool:
		return float64(v.n), true
	case kFloat:
		return v.f, true
	}
	return 0, false
}

func (v val) equal(w val) bool {
	if v.k != w.k {
		a, ok1 := v.num()
		b, ok2 := w.num()
		return ok1 && ok2 && a == b
	}
	switch v.k {
	case kNull:
		return true
	case kBool, kInt:
		return v.n == w.n
	case kFloat:
		return v.f == w.f
	case kStr:
		return v.s == w.s
	case kList:
		if len(v.l) != len(w.l) {
			return false
		}
		for i := range v.l {
			if !v.l[i].equal(w.l[i]) {
				return false
			}
		}
		return true
	}
	return v.o.JSON() == w.o.JSON()
}

// json writes the value for messages and for the list of keys.
func (v val) json() string {
	switch v.k {
	case kBool:
		if v.n != 0 {
			return "true"
		}
		return "false"
	case kInt:
		return units.Itoa(v.n)
	case kFloat:
		return floatText(v.f)
	case kStr:
		return string(config.AppendQuoted(nil, v.s))
	case kList:
		s := "["
		for i, x := range v.l {
			if i > 0 {
				s += ", "
			}
			s += x.json()
		}
		return s + "]"
	case kObj:
		return v.o.JSON()
	}
	return "null"
}

// floatText writes a float with up to six decimals: enough for ratios and
// dropout rates, which are all a config holds.
func floatText(f float64) string {
	if f < 0 {
		return "-" + floatText(-f)
	}
	if f >= 1e12 {
		return "1e12 or more"
	}
	n := int64(f*1e6 + 0.5)
	s := units.Itoa(n / 1e6)
	rest := n % 1e6
	if rest == 0 {
		return s + ".0"
	}
	d := units.Itoa(1e6 + rest)[1:]
	for d[len(d)-1] == '0' {
		d = d[:len(d)-1]
	}
	return s + "." + d
}

// fromConfig turns a JSON value into a language value. A number that is neither
// a whole number nor a float that can be read (NaN, infinities) is a float with
// text, which no size accepts.
func fromConfig(c config.Value) val {
	switch c.Kind {
	case config.Bool:
		return vBool(c.Text == "true")
	case config.Number:
		if n, ok := c.Int(); ok {
			return vInt(n)
		}
		f, _ := c.Float()
		return val{k: kFloat, f: f, s: c.Text}
	case config.String:
		return val{k: kStr, s: c.Text}
	case config.List:
		l := make([]val, len(c.Items))
		for i, x := range c.Items {
			l[i] = fromConfig(x)
		}
		return val{k: kList, l: l}
	case config.Object:
		return val{k: kObj, o: &c}
	}
	return val{}
}
