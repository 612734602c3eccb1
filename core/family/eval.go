package family

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/units"
	"llmsize/core/work"
)

// Steps of what is not one: a name is looked for among some hundred, a tensor is
// made of several expressions and texts.
const (
	lookup = 25
	making = 20
)

// scope is where names have values: the config's keys and the family's lets,
// each worked out when first asked for, and the locals of the running blocks.
type scope struct {
	fam    *resolved
	cfg    *config.Value
	path   string // of cfg inside the whole config, with a trailing dot; empty at the top
	slots  []slot // beside fam.syms
	locals []local
	set    []local // values that the enclosing model forces
	preset []local // defaults that the enclosing model gives
	calls  int     // depth of the family's own functions
	work   *work.Budget
	unit   Unit
	err    *fault.Error
}

type slot struct {
	busy, done bool
	v          val
	given      string        // the name under which the config gave it
	bound      *formula.Node // what a let stands for; see bind
}

type local struct {
	name string
	v    val
	open bool   // an index: it may appear in names, not in expressions
	sub  *scope // of a submodel: its values are behind a dot

	bound *formula.Node // what it stands for, over names of keys; nil where that is not known

	from *formula.Node // the expression that gave the value, over names of `in`; nil where there is none
	in   []local       // the locals where it was given
}

// spend takes n steps from the budget; past it, that is the error.
func (s *scope) spend(n int64) bool {
	if s.work.Spend(n) {
		return true
	}
	s.fail(s.work.Err())
	return false
}

// fail keeps the first error.
func (s *scope) fail(e *fault.Error) {
	if s.err == nil {
		s.err = e
	}
}

// failIn is an error in an expression: of the config's key that is most likely at fault, else of the family file's line.
func (s *scope) failIn(e *formula.Node, f *fault.Error) {
	if f.Field = s.blame(e); f.Field == "" {
		f.Line = e.Line
	}
	s.fail(f)
}

func (s *scope) failAt(file string, line int, msg string) {
	s.fail(&fault.Error{File: file, Line: line, Problem: msg})
}

// lookup returns the value of a name.
func (s *scope) lookup(name string, line int) val {
	for i := len(s.locals) - 1; i >= 0; i-- {
		if s.locals[i].name == name {
			if s.locals[i].open {
				s.failAt("", line, "the index "+name+" has no single value here: use vary")
			}
			return s.locals[i].v
		}
	}
	at := s.fam.find(name)
	if at < 0 {
		switch name {
		case "asked_height":
			return vInt(s.unit.Height)
		case "asked_width":
			return vInt(s.unit.Width)
		case "asked_ms":
			return vInt(s.unit.Millis)
		}
		s.failAt("", line, "the name is not known: "+name)
		return val{}
	}
	sl := &s.slots[at]
	if sl.done {
		return sl.v
	}
	if sl.busy {
		s.failAt("", line, "the value depends on itself: "+name)
		return val{}
	}
	sl.busy = true
	// A key or let is worked out at the top, whatever block asks for it first.
	saved := s.locals
	s.locals = nil
	if sym := &s.fam.syms[at]; sym.key != nil {
		sl.v, sl.given = s.key(sym.key)
	} else if sl.v, sl.done = forced(s.set, name); !sl.done {
		sl.v = s.eval(sym.let)
	}
	if e := s.err; e != nil && e.File == "" && e.Field == "" && e.Line > 0 {
		e.File = s.fam.syms[at].file // which need not be the statement's
	}
	s.locals = saved
	sl.busy, sl.done = false, true
	return sl.v
}

// forced is what the enclosing model gives a name.
func forced(list []local, name string) (val, bool) {
	for _, f := range list {
		if f.name == name {
			return f.v, true
		}
	}
	return val{}, false
}

// nested is the submodel that a local stands for, or nil.
func (s *scope) nested(e *formula.Node) *scope {
	for i := len(s.locals) - 1; i >= 0 && e.Op == formula.Name; i-- {
		if s.locals[i].name == e.Name {
			return s.locals[i].sub
		}
	}
	return nil
}

// eval works out an expression. After an error the value is meaningless.
func (s *scope) eval(e *formula.Node) val {
	if s.err != nil || !s.spend(1) {
		return val{}
	}
	switch e.Op {
	case formula.Const:
		return constant(e)
	case formula.Name:
		return s.lookup(e.Name, e.Line)
	case formula.Call:
		return s.call(e)
	case formula.Cond:
		if s.eval(e.Args[1]).truth() {
			return s.eval(e.Args[0])
		}
		return s.eval(e.Args[2])
	case formula.And:
		if v := s.eval(e.Args[0]); !v.truth() {
			return v
		}
		return s.eval(e.Args[1])
	case formula.Or:
		if v := s.eval(e.Args[0]); v.truth() {
			return v
		}
		return s.eval(e.Args[1])
	case formula.Not:
		return vBool(!s.eval(e.Args[0]).truth())
	case formula.List:
		l := make([]val, len(e.Args))
		for i, a := range e.Args {
			l[i] = s.eval(a)
		}
		return vList(l)
	case formula.Field:
		if sub := s.nested(e.Args[0]); sub != nil {
			v := sub.lookup(e.Name, e.Line)
			s.fail2(sub.err)
			return v
		}
		v := s.eval(e.Args[0])
		if v.k == kNull {
			return val{}
		}
		if v.k != kObj {
			s.type_(e, "an object before ."+e.Name, v)
			return val{}
		}
		return s.taken(v.obj().Get(e.Name))
	case formula.Neg:
		v := s.eval(e.Args[0])
		if s.err != nil {
			return val{}
		}
		switch {
		case v.k == kFloat:
			return vFloat(-v.float(), "")
		case v.k != kInt && v.k != kBool:
			s.type_(e, "a number", v)
		case v.n == -v.n && v.n != 0: // the least of all has no opposite
			s.overflow(e)
		}
		return vInt(-v.n)
	}
	a, b := s.eval(e.Args[0]), s.eval(e.Args[1])
	if s.err != nil {
		return val{}
	}
	switch e.Op {
	case formula.Index:
		if a.k != kList || b.k != kInt {
			s.type_(e, "a list and a whole number", a)
			return val{}
		}
		i, l := b.n, a.list()
		if i < 0 {
			i += int64(len(l))
		}
		if i < 0 || i >= int64(len(l)) {
			s.failIn(e, &fault.Error{Given: "a list of " + units.Itoa(int64(len(l))), Problem: "the list is too short: it has no place " + units.Itoa(b.n)})
			return val{}
		}
		return l[i]
	case formula.Eq:
		s.spend(a.deep())
		return vBool(a.equal(b))
	case formula.Ne:
		s.spend(a.deep())
		return vBool(!a.equal(b))
	case formula.In, formula.NotIn:
		found := false
		s.spend(b.deep())
		switch b.k {
		case kList:
			for _, x := range b.list() {
				found = found || x.equal(a)
			}
		case kStr:
			found = a.k == kStr && contains(b.str(), a.str())
		case kNull:
		default:
			s.type_(e, "a list after in", b)
		}
		return vBool(found == (e.Op == formula.In))
	}
	return s.arith(e, a, b)
}

func contains(s, sub string) bool {
	for i := 0; i+len(sub) <= len(s); i++ {
		if s[i:i+len(sub)] == sub {
			return true
		}
	}
	return false
}

// arith is the rest of the operators: numbers, joined texts and lists, order.
func (s *scope) arith(e *formula.Node, a, b val) val {
	if e.Op == formula.Add && a.k == b.k && (a.k == kStr || a.k == kList) {
		if a.k == kStr {
			return vStr(a.str() + b.str())
		}
		s.spend(a.size() + b.size())
		return vList(append(append([]val{}, a.list()...), b.list()...))
	}
	if e.Op == formula.Mul && a.k == kList && b.k == kInt {
		if b.n < 0 || b.n > maxLayers {
			s.tooMany(e, b.n)
			return val{}
		}
		if !s.spend(int64(len(a.list())) * b.n) {
			return val{}
		}
		out := make([]val, 0, len(a.list())*int(b.n))
		for i := int64(0); i < b.n; i++ {
			out = append(out, a.list()...)
		}
		return vList(out)
	}
	x, ok1 := a.num()
	y, ok2 := b.num()
	if !ok1 {
		s.type_(e, "a number", a)
		return val{}
	}
	if !ok2 {
		s.type_(e, "a number", b)
		return val{}
	}
	switch e.Op {
	case formula.Lt:
		return vBool(x < y)
	case formula.Le:
		return vBool(x <= y)
	case formula.Gt:
		return vBool(x > y)
	case formula.Ge:
		return vBool(x >= y)
	}
	if (e.Op == formula.Div || e.Op == formula.IDiv || e.Op == formula.Mod) && y == 0 {
		s.failIn(e.Args[1], &fault.Error{Given: "0", Problem: "dividing by zero in " + e.String()})
		return val{}
	}
	if a.k == kFloat || b.k == kFloat || e.Op == formula.Div {
		switch e.Op {
		case formula.Add:
			x = float64(x + y)
		case formula.Sub:
			x = float64(x - y)
		case formula.Mul:
			x = float64(x * y)
		case formula.Div:
			x = float64(x / y)
		default:
			s.type_(e, "whole numbers", a)
		}
		return vFloat(x, "")
	}
	p, q := a.n, b.n
	switch e.Op {
	case formula.Pow:
		s.failIn(e, &fault.Error{Problem: "a family file has no powers: write " + e.String() + " as a product"})
		return val{}
	case formula.Add:
		if r := p + q; (r > p) == (q > 0) {
			return vInt(r)
		}
		s.overflow(e)
		return val{}
	case formula.Sub:
		if r := p - q; (r < p) == (q > 0) {
			return vInt(r)
		}
		s.overflow(e)
		return val{}
	case formula.Mul:
		r, ok := formula.Product(p, q)
		if !ok {
			s.overflow(e)
		}
		return vInt(r)
	case formula.IDiv:
		r := p / q
		if p%q != 0 && (p < 0) != (q < 0) {
			r--
		}
		return vInt(r)
	}
	r := p % q
	if r != 0 && (r < 0) != (q < 0) {
		r += q
	}
	return vInt(r)
}

// taken is a value of the config as one of the language.
func (s *scope) taken(c *config.Value) val {
	s.spend(c.Size())
	return fromConfig(c)
}

func (s *scope) overflow(e *formula.Node) {
	s.failIn(e, &fault.Error{Given: s.blameValue(e), Problem: "the sizes are too large: " + e.String() + " passes 9,223,372,036,854,775,807",
		Hint: "check the number of digits"})
}

func (s *scope) tooMany(e *formula.Node, n int64) {
	s.failIn(e, &fault.Error{Given: units.Itoa(n), Problem: "this is more than we can list", Allowed: "0 to " + units.Group(maxLayers)})
}

func (s *scope) type_(e *formula.Node, want string, got val) {
	s.failIn(e, &fault.Error{Given: fault.Clip(got.json(), 60), Problem: "must be " + want + ", not " + kindWords[got.k], Hint: "needed for " + e.String()})
}

// blame returns the config key in an expression that is most likely at fault:
// of those that the config gave, the one with the largest value.
func (s *scope) blame(e *formula.Node) string {
	name, _ := s.blameFor(e)
	return name
}

func (s *scope) blameValue(e *formula.Node) string {
	_, v := s.blameFor(e)
	return v
}

// blameFor is blame, and the value given. Where a local stands, what gave it is looked through, out to the keys; the
// nodes still to look at are on a list of their own, for a function that calls itself makes long chains of them.
func (s *scope) blameFor(e *formula.Node) (name, value string) {
	type place struct {
		e  *formula.Node
		in []local
	}
	best := int64(-1 << 63)
	seen := make([]bool, len(s.fam.syms)+len(s.fam.defs))
	todo := []place{{e, s.locals}}
	for left := 2_000; len(todo) > 0 && left > 0; left-- {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at.e == nil {
			continue
		}
		for i, d := range s.fam.defs {
			if at.e.Op == formula.Call && d.name == at.e.Name && !seen[len(s.fam.syms)+i] {
				seen[len(s.fam.syms)+i] = true
				todo = append(todo, place{d.e, parameters(d, at.e.Args, nil, at.in)})
			}
		}
		for i := len(at.e.Args) - 1; i >= 0; i-- {
			todo = append(todo, place{at.e.Args[i], at.in})
		}
		if at.e.Op != formula.Name {
			continue
		}
		l := len(at.in) - 1
		for l >= 0 && at.in[l].name != at.e.Name {
			l--
		}
		if l >= 0 {
			if sub := at.in[l].sub; sub != nil && sub.path != "" && name == "" {
				name = sub.path[:len(sub.path)-1] // of what is inside another model, that model's config
			}
			todo = append(todo, place{at.in[l].from, at.in[l].in})
			continue
		}
		i := s.fam.find(at.e.Name)
		if i < 0 || seen[i] {
			continue
		}
		seen[i] = true
		sym, sl := &s.fam.syms[i], &s.slots[i]
		if sym.key == nil {
			todo = append(todo, place{e: sym.let})
		} else if sl.done {
			n := sl.v.n
			if sl.given == "" {
				n = 0
				todo = append(todo, place{e: sym.key.def})
			}
			if n > best {
				best, name, value = n, s.path+at.e.Name, fault.Clip(sl.v.json(), 60)
				if sl.given != "" {
					name = s.path + sl.given
				}
			}
		}
	}
	return name, value
}

// size works out an expression that must be a whole number, 0 or more.
func (s *scope) size(e *formula.Node) int64 {
	v := s.eval(e)
	if s.err != nil {
		return 0
	}
	if v.k == kBool {
		return v.n
	}
	if v.k != kInt || v.n < 0 {
		s.failIn(e, &fault.Error{Given: fault.Clip(v.json(), 60), Problem: e.String() + " must be a whole number, 0 or more"})
		return 0
	}
	return v.n
}
