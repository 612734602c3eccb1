package family

import (
	"math"

	"llmsize/core/config"
	"llmsize/core/formula"
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

// val is a value in the family language, small because it is copied everywhere:
// a whole number or a boolean (0, 1) is n, a float its bits in n, the rest is in
// the box. The zero val is null.
type val struct {
	k kind
	x *box
	n int64
}

// box holds what does not fit beside the kind.
type box struct {
	s string // of a text; of a float that a config gave, as it was written
	l []val
	o *config.Value
}

func (v val) float() float64 { return math.Float64frombits(uint64(v.n)) }

func (v val) str() string {
	if v.x == nil {
		return ""
	}
	return v.x.s
}

func (v val) list() []val {
	if v.x == nil {
		return nil
	}
	return v.x.l
}

func (v val) obj() *config.Value { return v.x.o }

func vFloat(f float64, text string) val {
	v := val{k: kFloat, n: int64(math.Float64bits(f))}
	if text != "" {
		v.x = &box{s: text}
	}
	return v
}

func vStr(s string) val { return val{k: kStr, x: &box{s: s}} }

func vList(l []val) val { return val{k: kList, x: &box{l: l}} }

func vInt(n int64) val { return val{k: kInt, n: n} }

func vBool(b bool) val {
	if b {
		return val{k: kBool, n: 1}
	}
	return val{k: kBool}
}

// constant is the value of a constant in a family's file, made once.
func constant(e *formula.Node) val {
	switch e.Kind {
	case formula.Bool:
		return vBool(e.N != 0)
	case formula.Int:
		return vInt(e.N)
	case formula.Null:
		return val{}
	}
	v, ok := e.Kept.(val)
	if !ok {
		if v = vStr(e.Text); e.Kind == formula.Float {
			v = vFloat(e.F, e.Text)
		}
		e.Kept = v
	}
	return v
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// truth is Python's: null, false, 0, "", [] are false.
func (v val) truth() bool {
	switch v.k {
	case kNull:
		return false
	case kBool, kInt:
		return v.n != 0
	case kFloat:
		return v.float() != 0
	case kStr:
		return v.str() != ""
	case kList:
		return len(v.list()) > 0
	}
	return len(v.obj().Keys) > 0
}

// num returns a number as a float, for mixed arithmetic.
func (v val) num() (float64, bool) {
	switch v.k {
	case kInt, kBool:
		return float64(v.n), true
	case kFloat:
		return v.float(), true
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
		return v.float() == w.float()
	case kStr:
		return v.str() == w.str()
	case kList:
		a, b := v.list(), w.list()
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if !a[i].equal(b[i]) {
				return false
			}
		}
		return true
	}
	return v.obj().JSON() == w.obj().JSON()
}

// size is the steps that it takes to look through a value, but not into what it holds.
func (v val) size() int64 {
	switch v.k {
	case kStr:
		return 1 + int64(len(v.str())/16)
	case kList:
		return 1 + int64(len(v.list()))
	case kObj:
		return 1 + int64(len(v.obj().Keys)/4)
	}
	return 1
}

// deep is size with all that the value holds: the steps of a comparison.
func (v val) deep() int64 {
	n := v.size()
	switch v.k {
	case kList:
		for _, x := range v.list() {
			n += x.deep()
		}
	case kObj:
		n += 4 * v.obj().Size()
	}
	return n
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
		return floatText(v.float())
	case kStr:
		return string(config.AppendQuoted(nil, v.str()))
	case kList:
		b := []byte{'['}
		for i, x := range v.list() {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(b, x.json()...)
		}
		return string(append(b, ']'))
	case kObj:
		return v.obj().JSON()
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
func fromConfig(c *config.Value) val {
	switch c.Kind {
	case config.Bool:
		return vBool(c.Text == "true")
	case config.Number:
		if n, ok := c.Int(); ok {
			return vInt(n)
		}
		f, _ := c.Float()
		return vFloat(f, c.Text)
	case config.String:
		return vStr(c.Text)
	case config.List:
		l := make([]val, len(c.Items))
		for i := range c.Items {
			l[i] = fromConfig(&c.Items[i])
		}
		return vList(l)
	case config.Object:
		return val{k: kObj, x: &box{o: c}}
	}
	return val{}
}
