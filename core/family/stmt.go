package family

import (
	"llmsize/core/formula"
	"llmsize/core/model"
)

// body reads the lines that are indented deeper than indent.
func (p *fileParser) body(indent int) []*stmt {
	var out []*stmt
	inner := -1
	for p.err == nil && p.at < len(p.lines) && p.lines[p.at].indent > indent {
		l := p.lines[p.at]
		if inner < 0 {
			inner = l.indent
		}
		if l.indent != inner {
			p.fail(l.no, "this line is indented by another amount than the one above")
			return out
		}
		p.at++
		s := p.stmt(l)
		if s == nil {
			return out
		}
		if len(p.lines) > p.at && p.lines[p.at].indent > l.indent {
			switch s.op {
			case sAt, sLayers, sRepeat, sFor, sIf, sPart, sExperts, sSubmodel, sStream:
				s.body = p.body(l.indent)
			default:
				p.fail(p.lines[p.at].no, "nothing can be indented under this kind of line")
			}
		}
		if s.title == "elif" || s.title == "else" {
			prev := lastIf(out)
			if prev == nil {
				p.fail(l.no, s.title+" without if")
				return out
			}
			if s.title == "else" {
				prev.alt = s.body
			} else {
				s.title = ""
				prev.alt = []*stmt{s}
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// lastIf returns the innermost open if of the chain that ends the list.
func lastIf(out []*stmt) *stmt {
	if len(out) == 0 || out[len(out)-1].op != sIf {
		return nil
	}
	s := out[len(out)-1]
	for len(s.alt) == 1 && s.alt[0].op == sIf {
		s = s.alt[0]
	}
	if s.alt != nil {
		return nil
	}
	return s
}

// opNamed is the op of a statement that begins with that word.
func opNamed(word string) stmtOp {
	for _, o := range opNames {
		if o.word == word {
			return o.op
		}
	}
	return sAt
}

var opNames = []struct {
	word string
	op   stmtOp
}{{"layers", sLayers}, {"repeat", sRepeat}, {"for", sFor}, {"let", sLet}, {"vary", sVary}, {"set", sSet}, {"default", sDefault}, {"value", sValue}}

func (p *fileParser) stmt(l srcLine) *stmt {
	x := formula.NewLexer(l.text, l.no)
	s := &stmt{line: l.no, file: p.file}
	word := x.Word()
	if r, ok := model.RoleNamed(word); ok && r != model.Norm { // norms are lines of their own
		s.op, s.role = sPart, r
		if x.Tok.Kind == formula.TokenText {
			s.title = x.Tok.Text
			x.Next()
		}
		p.props(x, s)
		p.end(x)
		return s
	}
	switch word {
	case "at":
		s.op, s.name = sAt, x.Word()
	case "stream":
		s.op, s.name = sStream, x.Word()
		if x.Accept("stride") {
			s.props = append(s.props, propExpr{model.Stride, x.Expr()})
			if x.Accept("floor") {
				one, _ := formula.Parse("1")
				s.props = append(s.props, propExpr{model.Floor, one})
			}
		}
		if x.Accept("plus") {
			s.props = append(s.props, propExpr{model.Plus, x.Expr()})
		}
	case "layers", "repeat", "for":
		s.op = opNamed(word)
		s.name = x.Tok.Text
		x.Next()
		if word == "for" && !x.Accept("in") {
			x.Fail("for NAME in EXPRESSION")
		}
		s.args = []*formula.Node{x.Expr()}
		if x.Tok.Kind == formula.TokenText && word == "layers" {
			s.title = x.Tok.Text
			x.Next()
		}
		if x.Accept("at") {
			s.at = x.Word()
		}
	case "experts":
		s.op = sExperts
		s.name = x.Tok.Text
		x.Next()
		s.args = []*formula.Node{x.Expr()}
		if !x.Accept("active") {
			x.Fail("experts NAME COUNT active COUNT")
		}
		s.args = append(s.args, x.Expr())
		if x.Accept("at") {
			s.at = x.Word()
		}
	case "if", "elif":
		s.op = sIf
		if word == "elif" {
			s.title = word
		}
		s.args = []*formula.Node{x.Expr()}
	case "else":
		s.op, s.title = sIf, word
	case "let", "vary", "set", "default", "value":
		s.op = opNamed(word)
		s.name = x.Tok.Text
		x.Next()
		if !x.Accept("=") {
			x.Fail(word + " NAME = EXPRESSION")
		}
		s.args = []*formula.Node{x.Expr()}
	case "use":
		s.op, s.name = sUse, x.Tok.Text
		x.Next()
		if x.Accept("(") {
			s.args = x.List(")")
		}
	case "require", "warn", "estimate":
		s.op = sRequire
		if word == "warn" {
			s.op = sWarn
		}
		if word == "estimate" {
			s.op = sEstimate
		}
		s.args = []*formula.Node{x.Expr()}
		if !x.Accept(":") {
			x.Fail(word + ` CONDITION : FIELD "message"`)
		}
		s.name = x.Word()
		s.title = x.Tok.Text
		x.Next()
	case "submodel":
		s.op = sSubmodel
		s.args = []*formula.Node{x.Expr()}
		for {
			switch {
			case x.Accept("at"):
				s.at = x.Word()
				continue
			case x.Accept("from"):
				s.name = x.Word()
				continue
			case x.Accept("as"):
				s.stream = x.Word()
				continue
			case x.Accept("class"):
				s.form = x.Word()
				continue
			case x.Accept("role"):
				p.role(x, s)
				continue
			}
			break
		}
	case "linear", "norm", "batchnorm", "embed", "param", "matrix", "conv", "buffer":
		s.op, s.form = sTensor, word
		p.tensor(x, s)
	default:
		p.fail(l.no, "this line does not begin with a known word: "+word)
		return nil
	}
	p.end(x)
	return s
}

func (p *fileParser) role(x *formula.Lexer, s *stmt) {
	r, ok := model.RoleNamed(x.Word())
	if !ok {
		x.Fail("this role is not known")
	}
	s.role, s.hasRole = r, true
}

// props reads name=expression pairs.
func (p *fileParser) props(x *formula.Lexer, s *stmt) {
	for x.Tok.Kind == formula.TokenName {
		name := x.Tok.Text
		x.Next()
		if !x.Accept("=") {
			x.Fail("a property is written name=expression")
			return
		}
		known, ok := model.PropertyNamed(name)
		if !ok {
			x.Fail("this property is not known: " + name)
		}
		s.props = append(s.props, propExpr{known, x.Expr()})
	}
}

// tensor reads the operands of a tensor line.
func (p *fileParser) tensor(x *formula.Lexer, s *stmt) {
	s.name = x.Word()
	switch s.form {
	case "linear":
		s.args = []*formula.Node{x.Expr()}
		if !x.Accept("->") {
			x.Fail("linear NAME IN -> OUT")
		}
		s.args = append(s.args, x.Expr())
	case "norm", "batchnorm":
		s.args = []*formula.Node{x.Expr()}
	case "embed":
		s.args = []*formula.Node{x.Expr()}
		if !x.Accept(",") {
			x.Fail("embed NAME ROWS, WIDTH")
		}
		s.args = append(s.args, x.Expr())
	case "conv":
		s.args = []*formula.Node{x.Expr()}
		if !x.Accept("->") {
			x.Fail("conv NAME IN -> OUT kernel K")
		}
		s.args = append(s.args, x.Expr())
		if !x.Accept("kernel") {
			x.Fail("conv NAME IN -> OUT kernel K")
		}
		s.args = append(s.args, x.Expr())
		for x.Accept(",") {
			s.args = append(s.args, x.Expr())
		}
	default:
		if !x.Accept("[") {
			x.Fail(s.form + " NAME [SIZE, …]")
			return
		}
		s.args = x.List("]")
	}
	for {
		switch {
		case x.Accept("bias"):
			s.bias = x.Expr()
			continue
		case x.Accept("when"):
			s.when = x.Expr()
			continue
		case x.Accept("frozen"):
			s.frozen = x.Expr()
			continue
		case x.Accept("uses"):
			s.uses = x.Expr()
			continue
		case x.Accept("groups"):
			s.groups = x.Expr()
			continue
		case x.Accept("tied"):
			s.tied = x.Expr()
			if !x.Accept("to") {
				x.Fail("tied CONDITION to NAME")
			}
			s.tiedTo = x.Word()
			continue
		case x.Accept("empty"):
			s.empty = true
			continue
		case x.Accept("f32"):
			s.f32 = true
			continue
		case x.Accept("transposed"):
			s.transposed = true
			continue
		case x.Accept("on"):
			s.stream = x.Word()
			continue
		case x.Accept("role"):
			p.role(x, s)
			continue
		}
		return
	}
}
