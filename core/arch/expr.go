package arch

import (
	"llmsize/core/config"
	"llmsize/core/units"
)

// exprOp is the operator of an expression node.
type exprOp uint8

const (
	xConst exprOp = iota
	xName
	xCall
	xIndex
	xField
	xList
	xCond // a if b else c: args are a, b, c
	xNeg
	xNot
	xAnd
	xOr
	xAdd
	xSub
	xMul
	xDiv
	xIDiv
	xMod
	xEq
	xNe
	xLt
	xLe
	xGt
	xGe
	xIn
	xNotIn
)

// expr is a parsed expression.
type expr struct {
	op   exprOp
	val  val
	name string
	args []*expr
	line int
}

// token kinds.
const (
	tEnd = iota
	tNum
	tStr
	tName
	tOp
)

type token struct {
	kind int
	text string
	pos  int
}

// lexer reads the tokens of one line.
type lexer struct {
	src  string
	pos  int
	tok  token
	line int
	err  string
}

func newLexer(src string, line int) *lexer {
	x := &lexer{src: src, line: line}
	x.next()
	return x
}

func isNameStart(c byte) bool {
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (x *lexer) next() {
	for x.pos < len(x.src) && (x.src[x.pos] == ' ' || x.src[x.pos] == '\t') {
		x.pos++
	}
	start := x.pos
	if start >= len(x.src) || x.src[start] == '#' {
		x.tok = token{tEnd, "", start}
		x.pos = len(x.src)
		return
	}
	c := x.src[start]
	switch {
	case isNameStart(c):
		for x.pos < len(x.src) && (isNameStart(x.src[x.pos]) || isDigit(x.src[x.pos])) {
			x.pos++
		}
		x.tok = token{tName, x.src[start:x.pos], start}
	case isDigit(c):
		for x.pos < len(x.src) && (isDigit(x.src[x.pos]) || x.src[x.pos] == '.' || x.src[x.pos] == '_' ||
			((x.src[x.pos] == '-') && x.src[x.pos-1] == 'e') || x.src[x.pos] == 'e') {
			x.pos++
		}
		x.tok = token{tNum, x.src[start:x.pos], start}
	case c == '"':
		x.pos++
		for x.pos < len(x.src) && x.src[x.pos] != '"' {
			x.pos++
		}
		if x.pos >= len(x.src) {
			x.err = "a closing quote is missing"
			x.tok = token{tEnd, "", start}
			return
		}
		x.tok = token{tStr, x.src[start+1 : x.pos], start}
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
		x.tok = token{tOp, x.src[start:x.pos], start}
	}
}

// word reads raw text up to the next space: a tensor name, a path.
func (x *lexer) word() string {
	x.pos = x.tok.pos
	start := x.pos
	for x.pos < len(x.src) && x.src[x.pos] != ' ' && x.src[x.pos] != '\t' {
		x.pos++
	}
	w := x.src[start:x.pos]
	x.next()
	return w
}

func (x *lexer) is(text string) bool {
	return (x.tok.kind == tOp || x.tok.kind == tName) && x.tok.text == text
}

// accept consumes the token when it is text.
func (x *lexer) accept(text string) bool {
	if x.is(text) {
		x.next()
		return true
	}
	return false
}

func (x *lexer) fail(msg string) {
	if x.err == "" {
		x.err = msg
	}
}

// binary operators by rising precedence; comparison does not chain.
var levels = [...][]struct {
	text string
	op   exprOp
}{
	{{"or", xOr}},
	{{"and", xAnd}},
	{}, // not
	{{"==", xEq}, {"!=", xNe}, {"<=", xLe}, {">=", xGe}, {"<", xLt}, {">", xGt}, {"in", xIn}},
	{{"+", xAdd}, {"-", xSub}},
	{{"*", xMul}, {"//", xIDiv}, {"/", xDiv}, {"%", xMod}},
}

func (x *lexer) expr() *expr {
	a := x.binary(0)
	if x.accept("if") {
		c := x.binary(0)
		if !x.accept("else") {
			x.fail("else is missing after if")
		}
		return &expr{op: xCond, args: []*expr{a, c, x.expr()}, line: x.line}
	}
	return a
}

func (x *lexer) binary(level int) *expr {
	if level == len(levels) {
		return x.unary()
	}
	if level == 2 {
		if x.accept("not") {
			return &expr{op: xNot, args: []*expr{x.binary(2)}, line: x.line}
		}
		return x.binary(3)
	}
	a := x.binary(level + 1)
next:
	for {
		for _, o := range levels[level] {
			if x.accept(o.text) {
				a = &expr{op: o.op, args: []*expr{a, x.binary(level + 1)}, line: x.line}
				continue next
			}
		}
		if level == 3 && x.is("not") {
			x.next()
			if !x.accept("in") {
				x.fail("in is missing after not")
			}
			a = &expr{op: xNotIn, args: []*expr{a, x.binary(level + 1)}, line: x.line}
			continue
		}
		return a
	}
}

func (x *lexer) unary() *expr {
	if x.accept("-") {
		return &expr{op: xNeg, args: []*expr{x.unary()}, line: x.line}
	}
	a := x.primary()
	for {
		switch {
		case x.is("["):
			x.next()
			i := x.expr()
			if !x.accept("]") {
				x.fail("a closing bracket is missing")
			}
			a = &expr{op: xIndex, args: []*expr{a, i}, line: x.line}
		case x.is("."):
			x.next()
			if x.tok.kind != tName {
				x.fail("a name is missing after the dot")
			}
			a = &expr{op: xField, name: x.tok.text, args: []*expr{a}, line: x.line}
			x.next()
		default:
			return a
		}
	}
}

func (x *lexer) primary() *expr {
	t := x.tok
	switch t.kind {
	case tNum:
		x.next()
		c := config.Value{Kind: config.Number, Text: strip(t.text)}
		if n, ok := c.Int(); ok {
			return &expr{op: xConst, val: vInt(n), line: x.line}
		}
		f, ok := c.Float()
		if !ok {
			x.fail("this is not a number: " + t.text)
		}
		return &expr{op: xConst, val: vFloat(f, t.text), line: x.line}
	case tStr:
		x.next()
		return &expr{op: xConst, val: vStr(t.text), line: x.line}
	case tName:
		x.next()
		switch t.text {
		case "true", "false":
			return &expr{op: xConst, val: vBool(t.text == "true"), line: x.line}
		case "null":
			return &expr{op: xConst, line: x.line}
		}
		if x.is("(") {
			x.next()
			return &expr{op: xCall, name: t.text, args: x.list(")"), line: x.line}
		}
		return &expr{op: xName, name: t.text, line: x.line}
	case tOp:
		if t.text == "(" {
			x.next()
			a := x.expr()
			if !x.accept(")") {
				x.fail("a closing parenthesis is missing")
			}
			return a
		}
		if t.text == "[" {
			x.next()
			return &expr{op: xList, args: x.list("]"), line: x.line}
		}
	}
	x.fail("an expression is missing")
	return &expr{op: xConst, line: x.line}
}

// list reads expressions up to the closing token.
func (x *lexer) list(closing string) []*expr {
	var args []*expr
	for !x.accept(closing) {
		if x.tok.kind == tEnd || x.err != "" {
			x.fail("a closing " + closing + " is missing")
			return args
		}
		args = append(args, x.expr())
		if !x.accept(",") && !x.is(closing) {
			x.fail("a comma is missing")
			return args
		}
	}
	return args
}

// strip drops the underscores of 1_000_000.
func strip(s string) string {
	out := ""
	for i := 0; i < len(s); i++ {
		if s[i] != '_' {
			out += s[i : i+1]
		}
	}
	return out
}

var opText = [...]string{xAnd: " and ", xOr: " or ", xAdd: " + ", xSub: " - ", xMul: " * ", xDiv: " / ", xIDiv: " // ", xMod: " % ",
	xEq: " == ", xNe: " != ", xLt: " < ", xLe: " <= ", xGt: " > ", xGe: " >= ", xIn: " in ", xNotIn: " not in "}

func precedence(op exprOp) int {
	switch op {
	case xCond:
		return 0
	case xOr:
		return 1
	case xAnd:
		return 2
	case xNot:
		return 3
	case xEq, xNe, xLt, xLe, xGt, xGe, xIn, xNotIn:
		return 4
	case xAdd, xSub:
		return 5
	case xMul, xDiv, xIDiv, xMod:
		return 6
	}
	return 7
}

// String writes the expression in canonical form, with the parentheses it needs.
func (e *expr) String() string { return e.text(0) }

func (e *expr) text(outer int) string {
	p := precedence(e.op)
	s := ""
	switch e.op {
	case xConst:
		if e.val.k == kInt {
			return units.Itoa(e.val.n)
		}
		return e.val.json()
	case xName:
		return e.name
	case xCall:
		return e.name + "(" + joinExprs(e.args) + ")"
	case xList:
		return "[" + joinExprs(e.args) + "]"
	case xIndex:
		return e.args[0].text(7) + "[" + e.args[1].text(0) + "]"
	case xField:
		return e.args[0].text(7) + "." + e.name
	case xNeg:
		return "-" + e.args[0].text(7)
	case xNot:
		s = "not " + e.args[0].text(p)
	case xCond:
		s = e.args[0].text(1) + " if " + e.args[1].text(1) + " else " + e.args[2].text(0)
	default:
		s = e.args[0].text(p) + opText[e.op] + e.args[1].text(p+1)
	}
	if p < outer {
		return "(" + s + ")"
	}
	return s
}

func joinExprs(args []*expr) string {
	s := ""
	for i, a := range args {
		if i > 0 {
			s += ", "
		}
		s += a.text(0)
	}
	return s
}
