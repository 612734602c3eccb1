package formula

// Number works a formula of sums, products, quotients, max, min and sum out over floats: what a page needs, whose program
// has no room for [Node.Eval]. Whole numbers are exact to 2^53. value gives 0 for what is absent, and so does Number where a term of it is.
func (n *Node) Number(value func(name string) float64) float64 {
	switch n.Op {
	case Const:
		if n.Kind == Float {
			return n.F
		}
		return float64(n.N)
	case Name:
		return value(n.Name)
	case Call:
		out := 0.0
		for i, a := range n.Args {
			x := a.Number(value)
			switch {
			case n.Name == "sum":
				out = float64(out + x)
			case n.Name == "max" && x > out, n.Name == "min" && (i == 0 || x < out):
				out = x
			}
		}
		return out
	}
	if len(n.Args) != 2 {
		return 0
	}
	a, b := n.Args[0].Number(value), n.Args[1].Number(value)
	switch {
	case n.Op == Add:
		return float64(a + b)
	case n.Op == Sub:
		return float64(a - b)
	case n.Op == Mul:
		return float64(a * b)
	case n.Op == Div && b != 0:
		return float64(a / b)
	case n.Op == IDiv && b >= 1 && a < 1<<53:
		return float64(int64(a) / int64(b))
	}
	return 0
}
