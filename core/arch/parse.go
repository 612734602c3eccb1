package arch

import (
	"llmsize/core/config"
	"llmsize/core/fault"
)

// stmtOp is what a line of a block does.
type stmtOp uint8

const (
	sAt stmtOp = iota
	sLayers
	sRepeat
	sFor
	sIf
	sLet
	sVary
	sUse
	sPart
	sExperts
	sTensor
	sRequire
	sWarn
	sEstimate
	sSubmodel
	sStream
	sSet
	sDefault
	sValue
)

// stmt is one line of a block with the lines indented under it.
type stmt struct {
	op         stmtOp
	line       int
	file       string
	form       string // of a tensor: linear, norm, batchnorm, embed, param, matrix, conv, buffer
	name       string // tensor name, prefix, variable, block, field
	title      string // title of a part, message of a rule
	role       Role
	hasRole    bool
	transposed bool
	args       []*expr // dims, operands, a condition
	bias, when *expr
	uses       *expr
	empty      bool // of a tensor: stored even where it has no elements
	groups     *expr
	tied       *expr  // of a tensor: when it is not stored, because it is another
	tiedTo     string // which
	stream     string // of a tensor: whose tokens it works on, when not its part's
	stride     *expr  // of a stream: pixels from one of its tokens to the next
	plus       *expr  // of a stream: tokens beside those of the image, or all where there is no stride
	at         string
	props      []propExpr
	body, alt  []*stmt
}

type propExpr struct {
	name string
	e    *expr
}

// keyDef is one `key` line.
type keyDef struct {
	name     string
	aliases  []string
	path     string // dotted, when it does not stand at the top under its name
	typ      string // size, count, int, bool, float, str, list, any; empty when it follows from the default
	optional bool   // null is a value
	length   *expr  // of list[N]
	def      *expr  // nil: the key must be given
	null     *expr  // what null means, when that is not the default
	line     int
	file     string
}

// blockDef is a named block with parameters.
type blockDef struct {
	name   string
	params []string
	body   []*stmt
}

// funcDef is a function of the family's own: def window(i) = …
type funcDef struct {
	name   string
	params []string
	e      *expr
}

// family is one parsed file.
type family struct {
	file    string
	types   []string
	title   string
	source  []string
	like    string
	with    []string
	classes []classDef
	syms    []symbol // keys and lets
	defs    []*funcDef
	blocks  []*blockDef
	inert   []string
	lora    LoRA
	saves   []Prop
	// familiar are the types that a config of an unknown one may be read as; one file has them.
	familiar []string
}

// classDef is one class of a family; aliases are names under which configs from
// outside transformers know it.
type classDef struct {
	name, kind string
	aliases    []string
}

func (c *classDef) is(name string) bool {
	for _, a := range c.aliases {
		if a == name {
			return true
		}
	}
	return c.name == name
}

// srcLine is one line of a family file that says something.
type srcLine struct {
	indent, no int
	text       string
}

// parseFamily reads a family file. The error names the file and the line.
func parseFamily(file, src string) (*family, *fault.Error) {
	p := &fileParser{file: file, fam: &family{file: file}}
	p.split(src)
	for p.err == nil && p.at < len(p.lines) {
		p.topLevel()
	}
	return p.fam, p.err
}

type fileParser struct {
	file  string
	lines []srcLine
	at    int
	fam   *family
	err   *fault.Error
}

func (p *fileParser) split(src string) {
	no, start := 1, 0
	for i := 0; i <= len(src); i++ {
		if i < len(src) && src[i] != '\n' {
			continue
		}
		text := src[start:i]
		if n := len(text); n > 0 && text[n-1] == '\r' {
			text = text[:n-1]
		}
		indent := 0
		for indent < len(text) && text[indent] == ' ' {
			indent++
		}
		if indent < len(text) && text[indent] != '#' {
			if text[indent] == '\t' {
				p.fail(no, "indent with spaces, not tabs")
			}
			p.lines = append(p.lines, srcLine{indent, no, text[indent:]})
		}
		start = i + 1
		no++
	}
}

func (p *fileParser) fail(line int, msg string) {
	if p.err == nil {
		p.err = &fault.Error{File: p.file, Line: line, Problem: msg}
	}
}

// end checks that the line was read to its end.
func (p *fileParser) end(x *lexer) {
	if x.err != "" {
		p.fail(x.line, x.err)
	} else if x.tok.kind != tEnd {
		p.fail(x.line, "this is not understood: "+fault.Clip(x.src[x.tok.pos:], 40))
	}
}

func (p *fileParser) topLevel() {
	l := p.lines[p.at]
	if l.indent != 0 {
		p.fail(l.no, "this line is indented under nothing")
		return
	}
	p.at++
	x := newLexer(l.text, l.no)
	f := p.fam
	switch word := x.word(); word {
	case "type":
		for x.tok.kind != tEnd {
			f.types = append(f.types, x.word())
		}
	case "title":
		f.title = x.src[x.tok.pos:]
		return
	case "source":
		f.source = append(f.source, x.src[x.tok.pos:])
		return
	case "like":
		f.like = x.word()
	case "with":
		for x.tok.kind != tEnd {
			f.with = append(f.with, x.word())
		}
	case "class":
		name := x.word()
		c := classDef{name: name, kind: x.word()}
		for x.accept("alias") {
			c.aliases = append(c.aliases, x.word())
		}
		f.classes = append(f.classes, c)
	case "classes":
		stem := x.word()
		for x.tok.kind != tEnd {
			k := x.word()
			known := false
			for _, c := range classSuffix {
				if c.kind == k {
					f.classes = append(f.classes, classDef{name: stem + c.suffix, kind: k})
					known = true
				}
			}
			if !known {
				p.fail(l.no, "this kind of class is not known: "+k)
			}
		}
	case "familiar":
		for x.tok.kind != tEnd {
			f.familiar = append(f.familiar, x.word())
		}
	case "saves":
		for x.tok.kind == tName {
			name := x.tok.text
			x.next()
			n, ok := config.Value{Kind: config.Number, Text: x.tok.text}.Int()
			if !ok || !has(savesNames, name) {
				x.fail("saves NAME NUMBER …; the names are " + savesNames[0] + " and those beside it in lora.go")
				break
			}
			x.next()
			f.saves = append(f.saves, Prop{Name: name, Value: n})
		}
	case "lora":
		l := &f.lora
		list := &l.Targets
		switch {
		case x.accept("experts"):
			list = &l.Experts
		case x.accept("router"):
			list = &l.Routers
		case x.accept("name"):
			list = &l.Names
		}
		for x.tok.kind != tEnd {
			*list = append(*list, x.word())
		}
	case "inert":
		for x.tok.kind != tEnd {
			f.inert = append(f.inert, x.word())
		}
	case "key":
		p.key(x)
	case "let":
		name := x.tok.text
		x.next()
		if !x.accept("=") {
			x.fail("let NAME = EXPRESSION")
		}
		p.symbol(x, symbol{name: name, let: x.expr()})
	case "def":
		name := x.tok.text
		x.next()
		d := &funcDef{name: name, params: params(x)}
		if !x.accept("=") {
			x.fail("def NAME(PARAMETERS) = EXPRESSION")
		}
		d.e = x.expr()
		f.defs = append(f.defs, d)
	case "block":
		name := x.tok.text
		x.next()
		b := &blockDef{name: name, params: params(x)}
		p.end(x)
		b.body = p.body(0)
		f.blocks = append(f.blocks, b)
		return
	default:
		p.fail(l.no, "this line does not begin with a known word: "+word)
	}
	p.end(x)
}

// params reads (A, B), or nothing.
func params(x *lexer) []string {
	var out []string
	if x.accept("(") {
		for !x.accept(")") {
			if x.tok.kind != tName {
				x.fail("a parameter's name is missing")
				return out
			}
			out = append(out, x.tok.text)
			x.next()
			x.accept(",")
		}
	}
	return out
}

// classSuffix maps the kind of a class to how transformers names it.
var classSuffix = []struct{ kind, suffix string }{
	{"causal", "ForCausalLM"}, {"base", "Model"}, {"masked", "ForMaskedLM"}, {"seq2seq", "ForConditionalGeneration"},
	{"sequence", "ForSequenceClassification"}, {"token", "ForTokenClassification"}, {"question", "ForQuestionAnswering"},
	{"choice", "ForMultipleChoice"}, {"encoder", "EncoderModel"},
}

// keyTypes are the types of keys, and what a key of that type takes.
var keyTypes = []struct{ name, takes string }{
	{"size", "a whole number from 1"}, {"count", "a whole number from 0"}, {"int", "a whole number"}, {"bool", "true or false"},
	{"float", "a number"}, {"str", "text"}, {"list", "a list"}, {"any", "any value"},
}

// symbol adds a key or a let, which must be the only one of its name.
func (p *fileParser) symbol(x *lexer, s symbol) {
	for _, o := range p.fam.syms {
		if o.name == s.name {
			x.fail("the name stands twice: " + s.name)
		}
	}
	p.fam.syms = append(p.fam.syms, s)
}

// key reads: key NAME [alias A]… [from PATH] [: TYPE[?]] [= DEFAULT] [null EXPR]
func (p *fileParser) key(x *lexer) {
	k := &keyDef{name: x.tok.text, line: x.line, file: p.file}
	if x.tok.kind != tName {
		x.fail("a key's name is missing")
	}
	x.next()
	for {
		if x.accept("alias") {
			k.aliases = append(k.aliases, x.tok.text)
			x.next()
			continue
		}
		if x.accept("from") {
			k.path = x.word()
			continue
		}
		break
	}
	if x.accept(":") {
		k.typ = x.tok.text
		known := false
		for _, t := range keyTypes {
			known = known || t.name == k.typ
		}
		if !known {
			x.fail("the type of a key is size, count, int, bool, float, str, list or any")
		}
		x.next()
		if x.accept("[") {
			k.length = x.expr()
			if !x.accept("]") {
				x.fail("a closing bracket is missing")
			}
		}
		k.optional = x.accept("?")
	}
	if x.accept("=") {
		k.def = x.expr()
	}
	if x.accept("null") {
		k.null = x.expr()
	}
	if k.typ == "" {
		k.typ = "size"
		if k.def != nil && k.def.op == xConst {
			switch k.def.val.k {
			case kBool:
				k.typ = "bool"
			case kFloat:
				k.typ = "float"
			case kStr:
				k.typ = "str"
			case kNull:
				x.fail("a key with the default null needs a type: key " + k.name + " : size? = null")
			case kInt:
				if k.def.val.n == 0 {
					k.typ = "count"
				}
			}
		} else if k.def != nil && k.def.op == xList {
			k.typ = "list"
		}
	}
	p.symbol(x, symbol{name: k.name, key: k})
}
