package family

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/units"
)

// call works out a function of the family language.
func (s *scope) call(e *formula.Node) val {
	// given(KEY) asks about the config, not about the value.
	if e.Name == "given" && len(e.Args) == 1 && e.Args[0].Op == formula.Name {
		n := e.Args[0].Name
		s.lookup(n, e.Line)
		i := s.fam.find(n)
		return vBool(i >= 0 && s.slots[i].given != "")
	}
	if (e.Name == "each" || e.Name == "those") && len(e.Args) == 2 && e.Args[0].Op == formula.Name {
		return s.each(e)
	}
	args := make([]val, len(e.Args))
	for i, a := range e.Args {
		args[i] = s.eval(a)
	}
	for i, v := range args {
		if i == 0 && v.k == kList && len(args) > 1 {
			s.spend(v.deep()) // looked for among
		}
		s.spend(v.size())
	}
	if s.err != nil {
		return val{}
	}
	if d := s.fam.def(e.Name); d != nil {
		return s.own(e, d, e.Args, args)
	}
	for i := range funcs {
		f := &funcs[i]
		if f.name != e.Name || len(args) < f.min {
			continue
		}
		if f.cost != nil && !s.spend(f.cost(args)) {
			return val{}
		}
		v, ok := f.do(args)
		s.spend(v.size())
		if !ok {
			s.fail(&fault.Error{Field: s.blame(e), Given: fault.Clip(args[0].json(), 60), Problem: "cannot work out " + e.String()})
		}
		return v
	}
	s.failAt("", e.Line, "the function is not known, or has too few arguments: "+e.Name)
	return val{}
}

// each is a function of the family's own for each entry of a list, or for each
// number below a count: each(F, LIST|N) lists what it gives, those(F, LIST|N)
// the entries for which it holds.
func (s *scope) each(e *formula.Node) val {
	d, over := s.fam.def(e.Args[0].Name), s.eval(e.Args[1])
	if over.k == kInt {
		over, _ = rangeOf([]val{over})
	}
	if d == nil || over.k != kList {
		s.failIn(e.Args[1], &fault.Error{Given: fault.Clip(over.json(), 60), Problem: e.Name + " takes a function of the family's own, and a list or a count: " + e.String()})
		return val{}
	}
	var out []val
	for _, x := range over.list() {
		switch v := s.own(e, d, e.Args[1:], []val{x}); {
		case s.err != nil:
			return val{}
		case e.Name == "each":
			out = append(out, v)
		case v.truth():
			out = append(out, x)
		}
	}
	return vList(out)
}

// own works out a function that the family defines: its parameters and the
// family's keys and lets are in scope, nothing else.
func (s *scope) own(e *formula.Node, d *funcDef, from []*formula.Node, args []val) val {
	if len(args) != len(d.params) {
		s.failAt("", e.Line, "the function "+e.Name+" takes "+units.Itoa(int64(len(d.params)))+" arguments")
		return val{}
	}
	if s.calls++; s.calls > deepest+around {
		s.tooDeep(e)
		return val{}
	}
	saved := s.locals
	s.locals = parameters(d, from, args, saved)
	v := s.eval(d.e)
	s.locals = saved
	s.calls--
	return v
}

// parameters are a function's, with what gave each, over the locals of the call, and its value where it is worked out.
func parameters(d *funcDef, from []*formula.Node, args []val, in []local) []local {
	out := make([]local, len(d.params))
	for i, p := range d.params {
		if out[i].name = p; i < len(from) {
			out[i].from, out[i].in = from[i], in
		}
		if i < len(args) {
			out[i].v = args[i]
		}
	}
	return out
}

// deepest is how many entries a list may have that a family's own function goes through with one call inside the other, each of
// which takes a part of a small stack; around is for the calls that such functions have around and behind those.
const deepest, around = 60, 4

// tooDeep is the fault of a call inside too many others: a function that goes through a list calls itself for each entry, so
// the config's longest list is at fault, or the family if none is long.
func (s *scope) tooDeep(e *formula.Node) {
	at, n := 0, deepest/2
	for i := range s.cfg.Vals {
		if v := &s.cfg.Vals[i]; v.Kind == config.List && len(v.Items) > n {
			at, n = i, len(v.Items)
		}
	}
	if n == deepest/2 {
		s.failIn(e, &fault.Error{Given: s.blameValue(e), Problem: "functions call each other without end: " + e.Name})
		return
	}
	s.fail(&fault.Error{Field: s.cfg.Keys[at], Given: units.Itoa(int64(n)) + " entries", Problem: "is too long", Allowed: "at most " + units.Itoa(deepest) + " entries", Line: s.cfg.Vals[at].Line})
}

// fn is a function of the language: how many arguments it needs, what it
// does (false for arguments that it has no answer for), and what that takes.
type fn struct {
	name string
	min  int
	do   func(a []val) (val, bool)
	cost func(a []val) int64 // steps, where they are more than its arguments and its value have entries
}

var funcs = []fn{
	{name: "min", min: 1, do: func(a []val) (val, bool) { return extreme(a, false) }},
	{name: "max", min: 1, do: func(a []val) (val, bool) { return extreme(a, true) }},
	{name: "int", min: 1, do: func(a []val) (val, bool) { return truncate(a[0], 0) }},
	{name: "floor", min: 1, do: func(a []val) (val, bool) { return truncate(a[0], -1) }},
	{name: "ceil", min: 1, do: func(a []val) (val, bool) { return truncate(a[0], 1) }},
	{name: "round", min: 1, do: func(a []val) (val, bool) { return roundEven(a[0]) }},
	{name: "len", min: 1, do: length},
	{name: "sum", min: 1, do: sum},
	{name: "sqrt", min: 1, do: isqrt},
	// log is the natural logarithm of a number above 0.
	{name: "log", min: 1, do: logarithm},
	{name: "roundup", min: 2, do: roundUp},
	// cycle(list, n) repeats a list and cuts it at n; range(n) is [0 … n-1].
	{name: "cycle", min: 2, do: cycle},
	{name: "range", min: 1, do: rangeOf},
	// index(list, x) is the first place of x, or -1; count(list, x) how often it stands there.
	{name: "index", min: 2, do: func(a []val) (val, bool) { return search(a, true) }},
	{name: "count", min: 2, do: func(a []val) (val, bool) { return search(a, false) }},
	// places(list, x) is the list of every place of x.
	{name: "places", min: 2, do: places},
	// pair(3) is [3, 3], and a list of two is itself: height and width; pow(2, 3) is 8.
	{name: "pair", min: 1, do: pair},
	{name: "pow", min: 2, do: power},
	{name: "text", min: 1, do: func(a []val) (val, bool) { return asText(a[0]) }},
	{name: "isobj", min: 1, do: func(a []val) (val, bool) { return vBool(a[0].k == kObj), true }},
	{name: "islist", min: 1, do: func(a []val) (val, bool) { return vBool(a[0].k == kList), true }},
	{name: "isint", min: 1, do: func(a []val) (val, bool) { return vBool(a[0].k == kInt), true }},
	{name: "char", min: 2, do: char},
	// numbers("3,4,17") is the list of the whole numbers that a text has.
	{name: "numbers", min: 1, do: numbers},
	// primes(n, k) lists the first k primes from n on.
	{name: "primes", min: 2, do: primes, cost: primesCost},
	// get(object, name) is what is under a name, which may be a number; null where nothing does.
	{name: "get", min: 2, do: get},
}

func extreme(a []val, larger bool) (val, bool) {
	if len(a) == 1 && a[0].k == kList {
		a = a[0].list()
	}
	if len(a) == 0 {
		return val{}, false
	}
	best := a[0]
	for _, v := range a {
		x, ok1 := v.num()
		y, ok2 := best.num()
		if !ok1 || !ok2 {
			return val{}, false
		}
		if (x > y) == larger && x != y {
			best = v
		}
	}
	return best, true
}

// truncate turns a number whole: towards zero, down (-1) or up (+1).
func truncate(v val, dir int) (val, bool) {
	if v.k == kInt || v.k == kBool {
		return vInt(v.n), true
	}
	f := v.float()
	if v.k != kFloat || f > 9e18 || f < -9e18 {
		return val{}, false
	}
	n := int64(f)
	if dir > 0 && float64(n) < f {
		n++
	}
	if dir < 0 && float64(n) > f {
		n--
	}
	return vInt(n), true
}

// roundEven is Python's round: halves go to the even neighbour.
func roundEven(v val) (val, bool) {
	lo, ok := truncate(v, -1)
	if !ok || v.k != kFloat {
		return lo, ok
	}
	if d := v.float() - float64(lo.n); d > 0.5 || (d == 0.5 && lo.n%2 != 0) {
		lo.n++
	}
	return lo, true
}

func length(a []val) (val, bool) {
	switch a[0].k {
	case kList:
		return vInt(int64(len(a[0].list()))), true
	case kStr:
		return vInt(int64(len(a[0].str()))), true
	case kObj:
		return vInt(int64(len(a[0].obj().Keys))), true
	}
	return val{}, false
}

func sum(a []val) (val, bool) {
	var n int64
	for _, v := range a[0].list() {
		if v.k != kInt && v.k != kBool || (n+v.n > n) != (v.n > 0) {
			return val{}, false
		}
		n += v.n
	}
	return vInt(n), a[0].k == kList
}

// isqrt is the whole part of a square root.
func isqrt(a []val) (val, bool) {
	n := a[0].n
	if a[0].k != kInt || n < 0 {
		return val{}, false
	}
	lo, hi := int64(0), int64(3037000499)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if mid*mid <= n {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return vInt(lo), true
}

func logarithm(a []val) (val, bool) {
	x, ok := a[0].num()
	if !ok || x <= 0 {
		return val{}, false
	}
	return vFloat(ln(x), ""), true
}

// roundUp is the smallest multiple of the second that is no smaller than the first.
func roundUp(a []val) (val, bool) {
	if a[0].k != kInt || a[1].k != kInt || a[1].n <= 0 || a[0].n < 0 || a[0].n > 1<<62 || a[1].n > 1<<61 {
		return val{}, false
	}
	return vInt((a[0].n + a[1].n - 1) / a[1].n * a[1].n), true
}

func cycle(a []val) (val, bool) {
	if a[0].k != kList || len(a[0].list()) == 0 || a[1].k != kInt || a[1].n < 0 || a[1].n > maxLayers {
		return val{}, false
	}
	out := make([]val, a[1].n)
	for i := range out {
		out[i] = a[0].list()[i%len(a[0].list())]
	}
	return vList(out), true
}

func rangeOf(a []val) (val, bool) {
	if a[0].k != kInt || a[0].n < 0 || a[0].n > maxLayers {
		return val{}, false
	}
	out := make([]val, a[0].n)
	for i := range out {
		out[i] = vInt(int64(i))
	}
	return vList(out), true
}

func search(a []val, first bool) (val, bool) {
	n := int64(0)
	for i, v := range a[0].list() {
		if v.equal(a[1]) {
			if first {
				return vInt(int64(i)), true
			}
			n++
		}
	}
	if first {
		n = -1
	}
	return vInt(n), a[0].k == kList
}

// places lists every place of a value in a list.
func places(a []val) (val, bool) {
	var out []val
	for i, v := range a[0].list() {
		if v.equal(a[1]) {
			out = append(out, vInt(int64(i)))
		}
	}
	return vList(out), a[0].k == kList
}

// asText turns a whole number or a text into text.
func asText(v val) (val, bool) {
	switch v.k {
	case kStr:
		return v, true
	case kInt:
		return vStr(units.Itoa(v.n)), true
	}
	return val{}, false
}

// char is one character of a text: char("M*M-", 1) is "*".
func char(a []val) (val, bool) {
	i := a[1].n
	if a[0].k != kStr || a[1].k != kInt || i < 0 || i >= int64(len(a[0].str())) {
		return val{}, false
	}
	return vStr(a[0].str()[i : i+1]), true
}

// numbers lists the whole numbers of a text: runs of at most 9 digits.
func numbers(a []val) (val, bool) {
	var out []val
	text := a[0].str()
	for i := 0; i < len(text); {
		n, from := int64(0), i
		for i < len(text) && isDigit(text[i]) && i-from < 9 {
			n = n*10 + int64(text[i]-'0')
			i++
		}
		if i > from {
			out = append(out, vInt(n))
		} else {
			i++
		}
	}
	return vList(out), a[0].k == kStr
}

// mostPrime bounds the numbers among which primes are looked for, and how many.
const mostPrime = 1 << 40

// primes lists the first primes from a number on, by dividing.
func primes(a []val) (val, bool) {
	n, k := a[0].n, a[1].n
	if a[0].k != kInt || a[1].k != kInt || n > mostPrime || k < 0 || k > maxLayers {
		return val{}, false
	}
	out := make([]val, 0, k)
	for n = max(n, 2); int64(len(out)) < k; n++ {
		d := int64(2)
		for d*d <= n && n%d != 0 {
			d += 1 + d&1
		}
		if d*d > n {
			out = append(out, vInt(n))
		}
	}
	return vList(out), true
}

// primesCost is what they take: a division by every odd number up to the root for each, ten of them a step, and as much
// again for the numbers between.
func primesCost(a []val) int64 {
	root, _ := isqrt([]val{vInt(max(min(a[0].n, mostPrime), 0))})
	return min(max(a[1].n, 0), maxLayers) * (10 + root.n/8)
}

// pair is the height and the width that one number or a list of two gives.
func pair(a []val) (val, bool) {
	if a[0].k == kInt {
		return vList([]val{a[0], a[0]}), true
	}
	return a[0], a[0].k == kList && len(a[0].list()) == 2
}

// power is a whole number times itself, as often as the second says.
func power(a []val) (val, bool) {
	out, ok := int64(1), a[0].k == kInt && a[1].k == kInt && a[1].n >= 0 && a[1].n <= 63
	for i := int64(0); ok && i < a[1].n; i++ {
		out, ok = formula.Product(out, a[0].n)
	}
	return vInt(out), ok
}

// get is the entry of an object: get(per_layer_config, 5) reads the name "5".
func get(a []val) (val, bool) {
	name, ok := asText(a[1])
	if !ok || a[0].k != kObj && a[0].k != kNull {
		return val{}, false
	}
	if a[0].k == kNull {
		return val{}, true
	}
	obj, key := a[0].obj(), name.str()
	if a[1].k == kInt { // the library writes the numbers of layers with as many digits as the last one has
		for n := len(key); n < 4 && !obj.Has(key); n++ {
			key = "0" + key
		}
	}
	return fromConfig(obj.Get(key)), true
}
