package formula

import "llmsize/core/config"

// Op is the operator of a node.
type Op uint8

// The operators. A node's operands are its Args.
const (
	Const Op = iota // Kind, N and Text say which
	Name            // Name
	Call            // Name(Args…)
	Index           // Args[0][Args[1]]
	Field           // Args[0].Name
	List
	Cond // Args[0] if Args[1] else Args[2]
	Neg
	Not
	And
	Or
	Add
	Sub
	Mul
	Div  // a quotient that may have a fraction
	IDiv // a quotient rounded down
	Mod
	Pow
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	In
	NotIn
)

// Arity is how many operands an operator has; -1 for any number.
func (o Op) Arity() int64 {
	switch o {
	case Const, Name:
		return 0
	case Call, List:
		return -1
	case Field, Neg, Not:
		return 1
	case Cond:
		return 3
	}
	return 2
}

// Kind is the kind of a constant.
type Kind uint8

// The kinds of constants.
const (
	Null  Kind = iota
	Bool       // N is 0 or 1
	Int        // N
	Float      // F, and Text as it was written
	Text       // Text
)

// Node is an expression: an operator and its operands.
type Node struct {
	Op   Op
	Kind Kind // of a constant
	N    int64
	F    float64
	Text string // of a constant
	Name string // of a name, a field, a function
	Args []*Node
	Line int // in the file that it was read from

	Kept any // what an interpreter made of a constant, for the next time
}

// TokenKind is the kind of a token.
type TokenKind uint8

// The kinds of tokens.
const (
	TokenEnd TokenKind = iota
	TokenNumber
	TokenText
	TokenName
	TokenSign
)

// Token is a piece of a line.
type Token struct {
	Kind TokenKind
	Text string
	pos  int
}

// Lexer reads the tokens of one line, and expressions made of them.
type Lexer struct {
	Tok   Token // the next
	Line  int   // in its file
	Err   string
	src   string
	pos   int
	paths bool // names hold dots and braces: they are paths of a report
}

// NewLexer returns a Lexer of a line of a family file.
func NewLexer(src string, line int) *Lexer {
	x := &Lexer{src: src, Line: line}
	x.Next()
	return x
}

// Parse reads a formula over paths of a report: "seconds * device.board_watts", "12*config.hidden_size^2".
// problem says what is wrong with it; it is empty when nothing is.
func Parse(src string) (n *Node, problem string) {
	x := &Lexer{src: src, paths: true}
	x.Next()
	n = x.Expr()
	if x.Err == "" && x.Tok.Kind != TokenEnd {
		x.Err = "this is not understood: " + x.Rest()
	}
	return n, x.Err
}

// Rest is the line from the next token on.
func (x *Lexer) Rest() string { return x.src[x.Tok.pos:] }

func isNameStart(c byte) bool {
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Next reads the next token.
func (x *Lexer) Next() {
	for x.pos < len(x.src) && (x.src[x.pos] == ' ' || x.src[x.pos] == '\t') {
		x.pos++
	}
	start := x.pos
	if start >= len(x.src) || x.src[start] == '#' {
		x.Tok = Token{TokenEnd, "", start}
		x.pos = len(x.src)
		return
	}
	c := x.src[start]
	switch {
	case isNameStart(c):
		for x.pos < len(x.src) && (isNameStart(x.src[x.pos]) || isDigit(x.src[x.pos]) || x.paths && x.inPath()) {
			x.pos++
		}
		x.Tok = Token{TokenName, x.src[start:x.pos], start}
	case isDigit(c):
		for x.pos < len(x.src) && (isDigit(x.src[x.pos]) || x.src[x.pos] == '.' || x.src[x.pos] == '_' ||
			((x.src[x.pos] == '-') && x.src[x.pos-1] == 'e') || x.src[x.pos] == 'e') {
			x.pos++
		}
		x.Tok = Token{TokenNumber, x.src[start:x.pos], start}
	case c == '"':
		x.pos++
		for x.pos < len(x.src) && x.src[x.pos] != '"' {
			x.pos++
		}
		if x.pos >= len(x.src) {
			x.Err = "a closing quote is missing"
			x.Tok = Token{TokenEnd, "", start}
			return
		}
		x.Tok = Token{TokenText, x.src[start+1 : x.pos], start}
		x.pos++
	default:
		n := 1
		if start+1 < len(x.src) {
			switch x.src[start : start+2] {
			case "->", "==", "!=", "<=", ">=", "//":
				n = 2
			}
		}
		x.pos += n
		x.Tok = Token{TokenSign, x.src[start:x.pos], start}
	}
}

// inPath accepts what only a path has: dots, the braces of an index, and a star after a dot.
func (x *Lexer) inPath() bool {
	c := x.src[x.pos]
	return c == '.' || c == '{' || c == '}' || c == '*' && x.src[x.pos-1] == '.'
}

// Word reads raw text up to the next space: a tensor name, a path.
func (x *Lexer) Word() string {
	x.pos = x.Tok.pos
	start := x.pos
	for x.pos < len(x.src) && x.src[x.pos] != ' ' && x.src[x.pos] != '\t' {
		x.pos++
	}
	w := x.src[start:x.pos]
	x.Next()
	return w
}

// Is reports whether the next token is text.
func (x *Lexer) Is(text string) bool {
	return (x.Tok.Kind == TokenSign || x.Tok.Kind == TokenName) && x.Tok.Text == text
}

// Accept consumes the token when it is text.
func (x *Lexer) Accept(text string) bool {
	if x.Is(text) {
		x.Next()
		return true
	}
	return false
}

// Fail says what is wrong with the line; the first word on it holds.
func (x *Lexer) Fail(msg string) {
	if x.Err == "" {
		x.Err = msg
	}
}

// levels are the binary operators by rising precedence; comparison does not chain.
var levels = [...][]struct {
	text string
	op   Op
}{
	{{"or", Or}},
	{{"and", And}},
	{}, // not
	{{"==", Eq}, {"!=", Ne}, {"<=", Le}, {">=", Ge}, {"<", Lt}, {">", Gt}, {"in", In}},
	{{"+", Add}, {"-", Sub}},
	{{"*", Mul}, {"//", IDiv}, {"/", Div}, {"%", Mod}},
}

// Expr reads an expression.
func (x *Lexer) Expr() *Node {
	a := x.binary(0)
	if x.Accept("if") {
		c := x.binary(0)
		if !x.Accept("else") {
			x.Fail("else is missing after if")
		}
		return &Node{Op: Cond, Args: []*Node{a, c, x.Expr()}, Line: x.Line}
	}
	return a
}

func (x *Lexer) binary(level int) *Node {
	if level == len(levels) {
		return x.unary()
	}
	if level == 2 {
		if x.Accept("not") {
			return &Node{Op: Not, Args: []*Node{x.binary(2)}, Line: x.Line}
		}
		return x.binary(3)
	}
	a := x.binary(level + 1)
next:
	for {
		for _, o := range levels[level] {
			if x.Accept(o.text) {
				a = &Node{Op: o.op, Args: []*Node{a, x.binary(level + 1)}, Line: x.Line}
				continue next
			}
		}
		if level == 3 && x.Is("not") {
			x.Next()
			if !x.Accept("in") {
				x.Fail("in is missing after not")
			}
			a = &Node{Op: NotIn, Args: []*Node{a, x.binary(level + 1)}, Line: x.Line}
			continue
		}
		return a
	}
}

func (x *Lexer) unary() *Node {
	if x.Accept("-") {
		return &Node{Op: Neg, Args: []*Node{x.unary()}, Line: x.Line}
	}
	a := x.primary()
	for {
		switch {
		case x.Is("["):
			x.Next()
			i := x.Expr()
			if !x.Accept("]") {
				x.Fail("a closing bracket is missing")
			}
			a = &Node{Op: Index, Args: []*Node{a, i}, Line: x.Line}
		case x.Is("."):
			x.Next()
			if x.Tok.Kind != TokenName {
				x.Fail("a name is missing after the dot")
			}
			if a.Op == Const && (a.Kind == Int || a.Kind == Float) {
				x.Fail("a number has no keys") // written without its space, it would be another number
			}
			a = &Node{Op: Field, Name: x.Tok.Text, Args: []*Node{a}, Line: x.Line}
			x.Next()
		case x.Accept("^"):
			a = &Node{Op: Pow, Args: []*Node{a, x.unary()}, Line: x.Line}
		default:
			return a
		}
	}
}

func (x *Lexer) primary() *Node {
	t := x.Tok
	switch t.Kind {
	case TokenNumber:
		x.Next()
		c := config.Value{Kind: config.Number, Text: Digits(t.Text)}
		if n, ok := c.Int(); ok {
			return &Node{Kind: Int, N: n, Line: x.Line}
		}
		f, ok := c.Float()
		if !ok {
			x.Fail("this is not a number: " + t.Text)
		}
		return &Node{Kind: Float, F: f, Text: t.Text, Line: x.Line}
	case TokenText:
		x.Next()
		return &Node{Kind: Text, Text: t.Text, Line: x.Line}
	case TokenName:
		x.Next()
		switch t.Text {
		case "true":
			return &Node{Kind: Bool, N: 1, Line: x.Line}
		case "false":
			return &Node{Kind: Bool, Line: x.Line}
		case "null":
			return &Node{Op: Const, Line: x.Line}
		}
		if x.Is("(") {
			x.Next()
			return &Node{Op: Call, Name: t.Text, Args: x.List(")"), Line: x.Line}
		}
		return &Node{Op: Name, Name: t.Text, Line: x.Line}
	case TokenSign:
		if t.Text == "(" {
			x.Next()
			a := x.Expr()
			if !x.Accept(")") {
				x.Fail("a closing parenthesis is missing")
			}
			return a
		}
		if t.Text == "[" {
			x.Next()
			return &Node{Op: List, Args: x.List("]"), Line: x.Line}
		}
	}
	x.Fail("an expression is missing")
	return &Node{Op: Const, Line: x.Line}
}

// List reads expressions up to the closing token.
func (x *Lexer) List(closing string) []*Node {
	var args []*Node
	for !x.Accept(closing) {
		if x.Tok.Kind == TokenEnd || x.Err != "" {
			x.Fail("a closing " + closing + " is missing")
			return args
		}
		args = append(args, x.Expr())
		if !x.Accept(",") && !x.Is(closing) {
			x.Fail("a comma is missing")
			return args
		}
	}
	return args
}

// Digits is a number of a formula without the underscores of 1_000_000.
func Digits(s string) string {
	out := ""
	for i := 0; i < len(s); i++ {
		if s[i] != '_' {
			out += s[i : i+1]
		}
	}
	return out
}
