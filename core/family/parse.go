package family

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/model"
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
	role       model.Role
	hasRole    bool
	transposed bool
	args       []*formula.Node // dims, operands, a condition
	bias, when *formula.Node
	uses       *formula.Node
	frozen     *formula.Node // of a batch norm: when it is only buffers
	f32        bool          // of a tensor: made in 32 bits whatever the dtype is
	empty      bool          // of a tensor: stored even where it has no elements
	groups     *formula.Node
	tied       *formula.Node // of a tensor: when it is not stored, because it is another
	tiedTo     string        // which
	stream     string        // of a tensor: whose tokens it works on, when not its part's; of a submodel: its name
	at         string
	props      []propExpr
	body, alt  []*stmt
}

type propExpr struct {
	name model.Property
	e    *formula.Node
}

// keyDef is one `key` line.
type keyDef struct {
	name     string
	aliases  []string
	path     string        // dotted, when it does not stand at the top under its name
	typ      string        // size, count, int, bool, float, str, list, any; empty when it follows from the default
	optional bool          // null is a value
	length   *formula.Node // of list[N]
	kinds    *formula.Node // the entries that a list may have; nil: any, or what layerLists says
	def      *formula.Node // nil: the key must be given
	null     *formula.Node // what null means, when that is not the default
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
	e      *formula.Node
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
	takes   []string // "LETTERS NAME …": what keys of these names may hold
	checks  []string // blocks of rules for this file's own types
	lora    model.LoRA
	saves   []model.Named
	// familiar are the types that a config of an unknown one may be read as; one file has them.
	familiar []string
	codes    []string // CLASS TYPE …: configs that name the class in auto_map are of that type
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

// whole reports whether the class is the base class of that stem with a head: LlavaForConditionalGeneration of Llava.
func (c *classDef) whole(stem string) bool {
	for _, a := range c.aliases {
		if strings.HasPrefix(a, stem+"For") {
			return true
		}
	}
	return strings.HasPrefix(c.name, stem+"For")
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
func (p *fileParser) end(x *formula.Lexer) {
	if x.Err != "" {
		p.fail(x.Line, x.Err)
	} else if x.Tok.Kind != formula.TokenEnd {
		p.fail(x.Line, "this is not understood: "+fault.Clip(x.Rest(), 40))
	}
}

func (p *fileParser) topLevel() {
	l := p.lines[p.at]
	if l.indent != 0 {
		p.fail(l.no, "this line is indented under nothing")
		return
	}
	p.at++
	x := formula.NewLexer(l.text, l.no)
	f := p.fam
	switch word := x.Word(); word {
	case "type":
		for x.Tok.Kind != formula.TokenEnd {
			f.types = append(f.types, x.Word())
		}
	case "title":
		f.title = x.Rest()
		return
	case "source":
		f.source = append(f.source, x.Rest())
		return
	case "like":
		f.like = x.Word()
	case "with":
		for x.Tok.Kind != formula.TokenEnd {
			f.with = append(f.with, x.Word())
		}
	case "class":
		name := x.Word()
		c := classDef{name: name, kind: x.Word()}
		for x.Accept("alias") {
			c.aliases = append(c.aliases, x.Word())
		}
		f.classes = append(f.classes, c)
	case "classes":
		stem := x.Word()
		for x.Tok.Kind != formula.TokenEnd {
			k := x.Word()
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
		for x.Tok.Kind != formula.TokenEnd {
			f.familiar = append(f.familiar, x.Word())
		}
	case "code":
		f.codes = append(f.codes, x.Word(), x.Word())
	case "saves":
		for x.Tok.Kind == formula.TokenName {
			name := x.Tok.Text
			x.Next()
			n, ok := config.ParseInt(x.Tok.Text)
			if !ok || !has(model.SavesNames, name) {
				x.Fail("saves NAME NUMBER …; the names are " + model.SavesNames[0] + " and those beside it in core/model")
				break
			}
			x.Next()
			f.saves = append(f.saves, model.Named{Name: name, Value: n})
		}
	case "lora":
		l := &f.lora
		list := &l.Targets
		switch {
		case x.Accept("experts"):
			list = &l.Experts
		case x.Accept("router"):
			list = &l.Routers
		case x.Accept("name"):
			list = &l.Names
		}
		for x.Tok.Kind != formula.TokenEnd {
			*list = append(*list, x.Word())
		}
	case "check":
		for x.Tok.Kind != formula.TokenEnd {
			f.checks = append(f.checks, x.Word())
		}
	case "inert":
		for x.Tok.Kind != formula.TokenEnd {
			f.inert = append(f.inert, x.Word())
		}
	case "takes":
		f.takes = append(f.takes, x.Rest())
		return
	case "key":
		p.key(x)
	case "let":
		name := x.Tok.Text
		x.Next()
		if !x.Accept("=") {
			x.Fail("let NAME = EXPRESSION")
		}
		p.symbol(x, symbol{name: name, let: x.Expr()})
	case "def":
		name := x.Tok.Text
		x.Next()
		d := &funcDef{name: name, params: params(x)}
		if !x.Accept("=") {
			x.Fail("def NAME(PARAMETERS) = EXPRESSION")
		}
		d.e = x.Expr()
		f.defs = append(f.defs, d)
	case "block":
		name := x.Tok.Text
		x.Next()
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
func params(x *formula.Lexer) []string {
	var out []string
	if x.Accept("(") {
		for !x.Accept(")") {
			if x.Tok.Kind != formula.TokenName {
				x.Fail("a parameter's name is missing")
				return out
			}
			out = append(out, x.Tok.Text)
			x.Next()
			x.Accept(",")
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
func (p *fileParser) symbol(x *formula.Lexer, s symbol) {
	for _, o := range p.fam.syms {
		if o.name == s.name {
			x.Fail("the name appears twice: " + s.name)
		}
	}
	s.file = p.file
	p.fam.syms = append(p.fam.syms, s)
}

// key reads: key NAME [alias A]… [from PATH] [: TYPE[?] [of KINDS]] [= DEFAULT] [null EXPR]
func (p *fileParser) key(x *formula.Lexer) {
	k := &keyDef{name: x.Tok.Text, line: x.Line, file: p.file}
	if x.Tok.Kind != formula.TokenName {
		x.Fail("a key's name is missing")
	}
	x.Next()
	for {
		if x.Accept("alias") {
			k.aliases = append(k.aliases, x.Tok.Text)
			x.Next()
			continue
		}
		if x.Accept("from") {
			k.path = x.Word()
			continue
		}
		break
	}
	if x.Accept(":") {
		k.typ = x.Tok.Text
		known := false
		for _, t := range keyTypes {
			known = known || t.name == k.typ
		}
		if !known {
			x.Fail("the type of a key is size, count, int, bool, float, str, list or any")
		}
		x.Next()
		if x.Accept("[") {
			k.length = x.Expr()
			if !x.Accept("]") {
				x.Fail("a closing bracket is missing")
			}
		}
		k.optional = x.Accept("?")
		if x.Accept("of") {
			k.kinds = x.Expr()
		}
	}
	if x.Accept("=") {
		k.def = x.Expr()
	}
	if x.Accept("null") {
		k.null = x.Expr()
	}
	if k.typ == "" {
		k.typ = "size"
		if k.def != nil && k.def.Op == formula.Const {
			switch k.def.Kind {
			case formula.Bool:
				k.typ = "bool"
			case formula.Float:
				k.typ = "float"
			case formula.Text:
				k.typ = "str"
			case formula.Null:
				x.Fail("a key with the default null needs a type: key " + k.name + " : size? = null")
			case formula.Int:
				if k.def.N == 0 {
					k.typ = "count"
				}
			}
		} else if k.def != nil && k.def.Op == formula.List {
			k.typ = "list"
		}
	}
	p.symbol(x, symbol{name: k.name, key: k})
}
