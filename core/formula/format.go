package formula

import "llmsize/core/units"

// Style is how a formula is printed.
type Style uint8

// The styles.
const (
	Source Style = iota // as it is read: "a * b // c"
	People              // "a · b / c": what the page sets as a formula
	LaTeX               // `a \cdot \frac{b}{c}`
)

var sourceSigns = [...]string{And: " and ", Or: " or ", Add: " + ", Sub: " - ", Mul: " * ", Div: " / ", IDiv: " // ", Mod: " % ", Pow: "^",
	Eq: " == ", Ne: " != ", Lt: " < ", Le: " <= ", Gt: " > ", Ge: " >= ", In: " in ", NotIn: " not in "}

// sign is an operator in a style.
func (s Style) sign(op Op) string {
	if s != Source {
		switch op {
		case Mul:
			if s == LaTeX {
				return ` \cdot `
			}
			return " · "
		case Sub:
			if s == People {
				return " − "
			}
		case IDiv:
			return " / "
		case Eq:
			return " = "
		case Ne:
			return " ≠ "
		case Le:
			return " ≤ "
		case Ge:
			return " ≥ "
		}
	}
	return sourceSigns[op]
}

func precedence(op Op) int {
	switch op {
	case Cond:
		return 0
	case Or:
		return 1
	case And:
		return 2
	case Not:
		return 3
	case Eq, Ne, Lt, Le, Gt, Ge, In, NotIn:
		return 4
	case Add, Sub:
		return 5
	case Mul, Div, IDiv, Mod:
		return 6
	case Pow:
		return 8
	}
	return 7
}

// String writes the expression as it is read, with the parentheses it needs.
func (n *Node) String() string { return n.Format(Source, nil) }

// Format writes the expression in a style. name says what is written for a name: parentheses that it needs come with it. For
// people, a name that nothing stands for is left out, of a list, a product or a quotient. nil leaves names as they are.
func (n *Node) Format(s Style, name func(string) string) string { return n.text(0, s, name) }

func (n *Node) text(outer int, style Style, name func(string) string) string {
	p := precedence(n.Op)
	s := ""
	switch n.Op {
	case Const:
		return n.constant()
	case Name:
		if name != nil {
			return name(n.Name)
		}
		return n.Name
	case Call:
		if style == People {
			list, many := joined(n.Args, name)
			if !many {
				return list
			}
			return n.Name + "(" + list + ")"
		}
		if style == LaTeX {
			return `\operatorname{` + n.Name + `}(` + join(n.Args, style, name) + ")"
		}
		return n.Name + "(" + join(n.Args, style, name) + ")"
	case List:
		return "[" + join(n.Args, style, name) + "]"
	case Index:
		return n.Args[0].text(7, style, name) + "[" + n.Args[1].text(0, style, name) + "]"
	case Field:
		return n.Args[0].text(7, style, name) + "." + n.Name
	case Neg:
		return "-" + n.Args[0].text(7, style, name)
	case Not:
		s = "not " + n.Args[0].text(p, style, name)
	case Cond:
		s = n.Args[0].text(1, style, name) + " if " + n.Args[1].text(1, style, name) + " else " + n.Args[2].text(0, style, name)
	case Pow:
		if style == LaTeX {
			return n.Args[0].text(9, style, name) + "^{" + n.Args[1].text(0, style, name) + "}"
		}
		s = n.Args[0].text(9, style, name) + "^" + n.Args[1].text(p, style, name)
	case Div, IDiv:
		if style == LaTeX {
			return `\frac{` + n.Args[0].text(0, style, name) + "}{" + n.Args[1].text(0, style, name) + "}"
		}
		fallthrough
	default:
		a, b := n.Args[0].text(p, style, name), n.Args[1].text(p+1, style, name)
		switch {
		case b == "" && style == People:
			return n.Args[0].text(outer, style, name)
		case a == "" && style == People && n.Op == Mul:
			return n.Args[1].text(outer, style, name)
		case a == "" && style == People && (n.Op == Div || n.Op == IDiv):
			a = "1"
		}
		s = a + style.sign(n.Op) + b
	}
	if p < outer {
		return "(" + s + ")"
	}
	return s
}

// constant writes a constant.
func (n *Node) constant() string {
	switch n.Kind {
	case Bool:
		if n.N != 0 {
			return "true"
		}
		return "false"
	case Int:
		return units.Itoa(n.N)
	case Float:
		return n.Text
	case Text:
		return `"` + n.Text + `"`
	}
	return "null"
}

// joined writes a list for people, without what is left out; many reports whether it is more than one thing.
func joined(args []*Node, name func(string) string) (list string, many bool) {
	for _, a := range args {
		x := a.text(0, People, name)
		if x == "" {
			continue
		}
		if list != "" {
			list, many = list+", ", true
		}
		list += x
		many = many || a.Op == Name && starred(a.Name)
	}
	return list, many
}

func join(args []*Node, style Style, name func(string) string) string {
	s := ""
	for i, a := range args {
		if i > 0 {
			s += ", "
		}
		s += a.text(0, style, name)
	}
	return s
}

// Names calls f for every name in the expression, from left to right.
func (n *Node) Names(f func(name string)) {
	if n.Op == Name {
		f(n.Name)
	}
	for _, a := range n.Args {
		a.Names(f)
	}
}
