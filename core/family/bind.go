package family

import "llmsize/core/formula"

// longest is how many nodes a bound expression may have: past it nobody reads one, and it stays as the file has it.
const longest = 24

// bind is an expression with its names bound: what a block was given stands for its parameter, and what a let says for
// the let, so that the names that are left are keys. Of a condition the branch that is taken is left. What is no
// arithmetic, or long, stays a name.
func (s *scope) bind(e *formula.Node) *formula.Node {
	if s.err != nil || e.Op == formula.Const {
		return e
	}
	left := longest
	if b := s.bound(e, &left, 0); left > 0 {
		return b
	}
	return e
}

// open reports whether an expression names a local: what isn't a key, and stands for another size elsewhere.
func (s *scope) open(e *formula.Node) bool {
	for i := range s.locals {
		if e.Op == formula.Name && s.locals[i].name == e.Name {
			return true
		}
	}
	for _, a := range e.Args {
		if s.open(a) {
			return true
		}
	}
	return false
}

// standsFor is what a local stands for: its expression bound, where that is arithmetic.
func (s *scope) standsFor(e *formula.Node) *formula.Node {
	if b := s.bind(e); arithmetic(b) {
		return b
	}
	return nil
}

func (s *scope) bound(e *formula.Node, left *int, depth int) *formula.Node {
	if *left--; *left <= 0 || depth > 12 {
		return e
	}
	switch e.Op {
	case formula.Name:
		for i := len(s.locals) - 1; i >= 0; i-- {
			if l := &s.locals[i]; l.name == e.Name {
				if l.bound != nil {
					return l.bound
				}
				return e
			}
		}
		at := s.fam.find(e.Name)
		if at < 0 || s.fam.syms[at].let == nil || !s.slots[at].done || s.slots[at].v.k != kInt {
			return e
		}
		sl := &s.slots[at]
		if sl.bound == nil { // a let stands for the same wherever it is named
			saved := s.locals
			s.locals = nil
			sl.bound = e
			if b := s.bound(s.fam.syms[at].let, left, depth+1); *left > 0 && arithmetic(b) {
				sl.bound = b
			}
			s.locals = saved
		}
		return sl.bound
	case formula.Cond:
		branch := e.Args[2]
		if s.eval(e.Args[1]).truth() {
			branch = e.Args[0]
		}
		return s.bound(branch, left, depth+1)
	case formula.Add, formula.Sub, formula.Mul, formula.IDiv:
		a, b := s.bound(e.Args[0], left, depth+1), s.bound(e.Args[1], left, depth+1)
		if e.Op == formula.IDiv && depth > 0 {
			if x, y := s.eval(e.Args[0]), s.eval(e.Args[1]); x.k != kInt || y.k != kInt || y.n < 1 || x.n%y.n != 0 {
				*left = 0 // what is rounded down inside a sum isn't a quotient to read
				return e
			}
		}
		if a == e.Args[0] && b == e.Args[1] {
			return e
		}
		return &formula.Node{Op: e.Op, Args: []*formula.Node{a, b}, Line: e.Line}
	}
	return e
}

// arithmetic reports whether an expression is sums, products and quotients of names and numbers.
func arithmetic(e *formula.Node) bool {
	switch e.Op {
	case formula.Const:
		return e.Kind == formula.Int
	case formula.Name:
		return true
	case formula.Add, formula.Sub, formula.Mul, formula.IDiv:
		return arithmetic(e.Args[0]) && arithmetic(e.Args[1])
	}
	return false
}
