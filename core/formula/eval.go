package formula

import "math/bits"

// Value is what a formula comes to: a whole number in N, else a number in F, or text. The zero Value is nothing.
type Value struct {
	Kind Kind // Int, Float, Text or Bool; Null is nothing
	N    int64
	F    float64
	Text string
}

// Whole is a whole number.
func Whole(n int64) Value { return Value{Kind: Int, N: n} }

// Number is a number that need not be whole.
func Number(f float64) Value { return Value{Kind: Float, F: f} }

// Float is a number as a float; 0 for what is none.
func (v Value) Float() float64 {
	if v.Kind == Float {
		return v.F
	}
	return float64(v.N)
}

// OK reports whether there is a number.
func (v Value) OK() bool { return v.Kind == Int || v.Kind == Float }

// Env says what names stand for. Name returns nothing for a figure that is absent; Each gives the numbers of all that
// a name with a star stands for.
type Env interface {
	Value(name string) Value
	Each(name string, f func(Value))
}

// Eval works the formula out. A sum, a difference, a product or a quotient of something absent is absent; min, max and
// sum leave out what is absent. Whole numbers stay whole while they fit into int64 and a quotient comes out even.
func (n *Node) Eval(env Env) Value {
	switch n.Op {
	case Const:
		return Value{n.Kind, n.N, n.F, n.Text}
	case Name:
		return env.Value(n.Name)
	case Call:
		return n.call(env)
	case Cond:
		if n.Args[1].Eval(env).true() {
			return n.Args[0].Eval(env)
		}
		return n.Args[2].Eval(env)
	case Neg:
		return arithmetic(Sub, Whole(0), n.Args[0].Eval(env))
	case Not:
		return truth(!n.Args[0].Eval(env).true())
	case And:
		return truth(n.Args[0].Eval(env).true() && n.Args[1].Eval(env).true())
	case Or:
		return truth(n.Args[0].Eval(env).true() || n.Args[1].Eval(env).true())
	}
	if len(n.Args) != 2 {
		return Value{}
	}
	a, b := n.Args[0].Eval(env), n.Args[1].Eval(env)
	switch n.Op {
	case Eq, Ne:
		same := a.Kind == b.Kind && a.Kind == Text && a.Text == b.Text || a.OK() && b.OK() && a.Float() == b.Float()
		return truth(same == (n.Op == Eq))
	case Lt:
		return truth(a.OK() && b.OK() && a.Float() < b.Float())
	case Le:
		return truth(a.OK() && b.OK() && a.Float() <= b.Float())
	case Gt:
		return truth(a.OK() && b.OK() && a.Float() > b.Float())
	case Ge:
		return truth(a.OK() && b.OK() && a.Float() >= b.Float())
	}
	return arithmetic(n.Op, a, b)
}

func (v Value) true() bool { return v.Kind == Bool && v.N != 0 || v.OK() && v.Float() != 0 }

func truth(b bool) Value {
	if b {
		return Value{Kind: Bool, N: 1}
	}
	return Value{Kind: Bool}
}

// call works out a function.
func (n *Node) call(env Env) Value {
	var out Value
	take := func(v Value) {
		switch {
		case !v.OK():
		case !out.OK():
			out = v
		case n.Name == "sum":
			out = arithmetic(Add, out, v)
		case n.Name == "max" && v.Float() > out.Float(), n.Name == "min" && v.Float() < out.Float():
			out = v
		}
	}
	switch n.Name {
	case "sum", "max", "min":
		for _, a := range n.Args {
			if a.Op == Name && starred(a.Name) {
				if n.Name == "sum" {
					take(Whole(0)) // of nothing
				}
				env.Each(a.Name, take)
			} else {
				take(a.Eval(env))
			}
		}
	case "ceil", "floor":
		if len(n.Args) != 1 {
			return out
		}
		v := n.Args[0].Eval(env)
		if v.Kind == Float && v.F < 1<<62 && v.F > -(1<<62) {
			k := int64(v.F)
			if n.Name == "ceil" && float64(k) < v.F {
				k++
			}
			if n.Name == "floor" && float64(k) > v.F {
				k--
			}
			return Whole(k)
		}
		return v
	}
	return out
}

func starred(name string) bool {
	for i := 0; i < len(name); i++ {
		if name[i] == '*' {
			return true
		}
	}
	return false
}

// arithmetic joins two numbers: exactly where both are whole and so is what comes out.
func arithmetic(op Op, a, b Value) Value {
	if !a.OK() || !b.OK() {
		return Value{}
	}
	if a.Kind == Int && b.Kind == Int {
		if n, ok := whole(op, a.N, b.N); ok {
			return Whole(n)
		}
	}
	x, y := a.Float(), b.Float()
	switch op {
	case Add:
		return Number(float64(x + y))
	case Sub:
		return Number(float64(x - y))
	case Mul:
		return Number(float64(x * y))
	case Div:
		if y != 0 {
			return Number(float64(x / y))
		}
	case Pow:
		if b.Kind == Int && b.N >= 0 && b.N <= 64 {
			p := 1.0
			for range b.N {
				p = float64(p * x)
			}
			return Number(p)
		}
	}
	return Value{}
}

// whole joins two whole numbers; ok is false where a whole number does not come out, or none of int64.
func whole(op Op, a, b int64) (n int64, ok bool) {
	switch op {
	case Add:
		n = a + b
		return n, (n > a) == (b > 0)
	case Sub:
		n = a - b
		return n, (n < a) == (b > 0)
	case Mul:
		return Product(a, b)
	case Div:
		if b == 0 || a%b != 0 {
			return 0, false
		}
		return a / b, true
	case IDiv, Mod:
		if b == 0 || b == -1 {
			return 0, false
		}
		q, r := a/b, a%b
		if r != 0 && (r < 0) != (b < 0) {
			q, r = q-1, r+b
		}
		if op == Mod {
			return r, true
		}
		return q, true
	case Pow:
		if b < 0 || b > 64 {
			return 0, false
		}
		n, ok = 1, true
		for i := int64(0); i < b && ok; i++ {
			n, ok = Product(n, a)
		}
		return n, ok
	}
	return 0, false
}

// Product multiplies with a check for overflow.
func Product(a, b int64) (int64, bool) {
	neg := (a < 0) != (b < 0)
	ua, ub := uint64(a), uint64(b)
	if a < 0 {
		ua = -ua
	}
	if b < 0 {
		ub = -ub
	}
	hi, lo := bits.Mul64(ua, ub)
	if hi != 0 || lo > 1<<63-1 {
		return 0, false
	}
	if neg {
		return -int64(lo), true
	}
	return int64(lo), true
}

// Taken is the formula without the branches that a condition does not take, and without what is absent from a list.
func (n *Node) Taken(env Env) *Node {
	if n.Op == Cond {
		if n.Args[1].Eval(env).true() {
			return n.Args[0].Taken(env)
		}
		return n.Args[2].Taken(env)
	}
	if len(n.Args) == 0 {
		return n
	}
	out := *n
	out.Args = nil
	for _, a := range n.Args {
		if n.Op == Call && !(a.Op == Name && starred(a.Name)) && !a.Eval(env).OK() {
			continue
		}
		out.Args = append(out.Args, a.Taken(env))
	}
	return &out
}
