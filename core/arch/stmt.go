package arch

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
	x := newLexer(l.text, l.no)
	s := &stmt{line: l.no, file: p.file}
	word := x.word()
	if r, ok := roleByName(word); ok && r != Norm { // norms are lines of their own
		s.op, s.role = sPart, r
		if x.tok.kind == tStr {
			s.title = x.tok.text
			x.next()
		}
		p.props(x, s)
		p.end(x)
		return s
	}
	switch word {
	case "at":
		s.op, s.name = sAt, x.word()
	case "stream":
		s.op, s.name = sStream, x.word()
		if x.accept("stride") {
			s.stride = x.expr()
		}
		if x.accept("plus") {
			s.plus = x.expr()
		}
	case "layers", "repeat", "for":
		s.op = opNamed(word)
		s.name = x.tok.text
		x.next()
		if word == "for" && !x.accept("in") {
			x.fail("for NAME in EXPRESSION")
		}
		s.args = []*expr{x.expr()}
		if x.tok.kind == tStr && word == "layers" {
			s.title = x.tok.text
			x.next()
		}
		if x.accept("at") {
			s.at = x.word()
		}
	case "experts":
		s.op = sExperts
		s.name = x.tok.text
		x.next()
		s.args = []*expr{x.expr()}
		if !x.accept("active") {
			x.fail("experts NAME COUNT active COUNT")
		}
		s.args = append(s.args, x.expr())
		if x.accept("at") {
			s.at = x.word()
		}
	case "if", "elif":
		s.op = sIf
		if word == "elif" {
			s.title = word
		}
		s.args = []*expr{x.expr()}
	case "else":
		s.op, s.title = sIf, word
	case "let", "vary", "set", "default", "value":
		s.op = opNamed(word)
		s.name = x.tok.text
		x.next()
		if !x.accept("=") {
			x.fail(word + " NAME = EXPRESSION")
		}
		s.args = []*expr{x.expr()}
	case "use":
		s.op, s.name = sUse, x.tok.text
		x.next()
		if x.accept("(") {
			s.args = x.list(")")
		}
	case "require", "warn", "estimate":
		s.op = sRequire
		if word == "warn" {
			s.op = sWarn
		}
		if word == "estimate" {
			s.op = sEstimate
		}
		s.args = []*expr{x.expr()}
		if !x.accept(":") {
			x.fail(word + ` CONDITION : FIELD "message"`)
		}
		s.name = x.word()
		s.title = x.tok.text
		x.next()
	case "submodel":
		s.op = sSubmodel
		s.args = []*expr{x.expr()}
		for {
			switch {
			case x.accept("at"):
				s.at = x.word()
				continue
			case x.accept("from"):
				s.name = x.word()
				continue
			case x.accept("class"):
				s.form = x.word()
				continue
			case x.accept("role"):
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

func (p *fileParser) role(x *lexer, s *stmt) {
	r, ok := roleByName(x.word())
	if !ok {
		x.fail("this role is not known")
	}
	s.role, s.hasRole = r, true
}

// props reads name=expression pairs.
func (p *fileParser) props(x *lexer, s *stmt) {
	for x.tok.kind == tName {
		name := x.tok.text
		x.next()
		if !x.accept("=") {
			x.fail("a property is written name=expression")
			return
		}
		if !has(propNames, name) {
			x.fail("this property is not known: " + name)
		}
		s.props = append(s.props, propExpr{name, x.expr()})
	}
}

// tensor reads the operands of a tensor line.
func (p *fileParser) tensor(x *lexer, s *stmt) {
	s.name = x.word()
	switch s.form {
	case "linear":
		s.args = []*expr{x.expr()}
		if !x.accept("->") {
			x.fail("linear NAME IN -> OUT")
		}
		s.args = append(s.args, x.expr())
	case "norm", "batchnorm":
		s.args = []*expr{x.expr()}
	case "embed":
		s.args = []*expr{x.expr()}
		if !x.accept(",") {
			x.fail("embed NAME ROWS, WIDTH")
		}
		s.args = append(s.args, x.expr())
	case "conv":
		s.args = []*expr{x.expr()}
		if !x.accept("->") {
			x.fail("conv NAME IN -> OUT kernel K")
		}
		s.args = append(s.args, x.expr())
		if !x.accept("kernel") {
			x.fail("conv NAME IN -> OUT kernel K")
		}
		s.args = append(s.args, x.expr())
		for x.accept(",") {
			s.args = append(s.args, x.expr())
		}
	default:
		if !x.accept("[") {
			x.fail(s.form + " NAME [SIZE, …]")
			return
		}
		s.args = x.list("]")
	}
	for {
		switch {
		case x.accept("bias"):
			s.bias = x.expr()
			continue
		case x.accept("when"):
			s.when = x.expr()
			continue
		case x.accept("uses"):
			s.uses = x.expr()
			continue
		case x.accept("groups"):
			s.groups = x.expr()
			continue
		case x.accept("tied"):
			s.tied = x.expr()
			if !x.accept("to") {
				x.fail("tied CONDITION to NAME")
			}
			s.tiedTo = x.word()
			continue
		case x.accept("empty"):
			s.empty = true
			continue
		case x.accept("transposed"):
			s.transposed = true
			continue
		case x.accept("on"):
			s.stream = x.word()
			continue
		case x.accept("role"):
			p.role(x, s)
			continue
		}
		return
	}
}
