package family

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/model"
)

// A page's program is given family files packed: as they were understood, not as they were written. So it does not hold what
// reads their language, nor what that says of their slips, which only their author sees. A number is its digits to base 30, the
// last one as a letter from '@' on, those before it from '`' on; a word goes to the end of a line; a list is its length and
// what it holds; an expression is 0 when there is none. Lines have no numbers.

// AddPacked adds every file of a bundle that [Library.Pack] made. A file that is already there stays as it is.
func (lib *Library) AddPacked(bundle string) {
	u := unpacker{text: bundle}
	for u.at < len(bundle) {
		name, n := u.word(), int(u.num())
		text := bundle[u.at : u.at+n]
		u.at += n
		if lib.named(name) == nil {
			types := unpacker{text: text}
			lib.add(&file{name: name, text: text, types: types.words(), read: unpack})
		}
	}
}

// unpacker reads what packer writes.
type unpacker struct {
	text string
	at   int
	file string
}

func unpack(file, text string) (*family, *fault.Error) {
	u := unpacker{text: text, file: file}
	f := &family{file: file, types: u.words(), title: u.word(), like: u.word()}
	for _, list := range f.lists() {
		*list = u.words()
	}
	for range u.num() {
		f.saves = append(f.saves, model.Named{Name: u.word(), Value: u.num()})
	}
	for range u.num() {
		f.classes = append(f.classes, classDef{u.word(), u.word(), u.words()})
	}
	for range u.num() {
		s := symbol{name: u.word(), file: file}
		key := u.num()
		if key == 0 {
			s.let = u.node()
		} else {
			s.key = &keyDef{name: s.name, file: file, optional: key > 1, aliases: u.words(), path: u.word(), typ: u.word(),
				length: u.node(), kinds: u.node(), def: u.node(), null: u.node()}
		}
		f.syms = append(f.syms, s)
	}
	for range u.num() {
		f.defs = append(f.defs, &funcDef{u.word(), u.words(), u.node()})
	}
	for range u.num() {
		f.blocks = append(f.blocks, &blockDef{u.word(), u.words(), u.body()})
	}
	return f, nil
}

func (u *unpacker) num() int64 {
	var n int64
	for {
		c := int64(u.text[u.at])
		u.at++
		n = n*30 + c&31
		if c < '`' {
			return n
		}
	}
}

func (u *unpacker) word() string {
	from := u.at
	for u.text[u.at] != '\n' {
		u.at++
	}
	u.at++
	return u.text[from : u.at-1]
}

func (u *unpacker) words() (out []string) {
	for range u.num() {
		out = append(out, u.word())
	}
	return out
}

func (u *unpacker) node() *formula.Node {
	op := u.num()
	if op == 0 {
		return nil
	}
	n := &formula.Node{Op: formula.Op(op - 1)}
	switch n.Op {
	case formula.Const:
		switch n.Kind = formula.Kind(u.num()); n.Kind {
		case formula.Bool, formula.Int:
			n.N = u.num()
		case formula.Float:
			n.Text = u.word()
			n.F, _ = config.ParseFloat(formula.Digits(n.Text))
		case formula.Text:
			n.Text = u.word()
		}
		return n
	case formula.Name, formula.Call, formula.Field:
		n.Name = u.word()
	}
	args := n.Op.Arity()
	if args < 0 {
		args = u.num()
	}
	for range args {
		n.Args = append(n.Args, u.node())
	}
	return n
}

func (u *unpacker) nodes() (out []*formula.Node) {
	for range u.num() {
		out = append(out, u.node())
	}
	return out
}

func (u *unpacker) body() (out []*stmt) {
	for range u.num() {
		s := &stmt{op: stmtOp(u.num()), file: u.file}
		has := u.num()
		for _, at := range s.words() {
			if has&1 != 0 {
				*at = u.word()
			}
			has >>= 1
		}
		if has&1 != 0 {
			s.args = u.nodes()
		}
		if has&4 != 0 {
			for range u.num() {
				s.props = append(s.props, propExpr{model.Property(u.num()), u.node()})
			}
		}
		if has&16 != 0 {
			s.role = model.Role(u.num())
		}
		nested := has
		has >>= 5
		for _, at := range s.exprs() {
			if has&1 != 0 {
				*at = u.node()
			}
			has >>= 1
		}
		for _, at := range s.flags() {
			*at = has&1 != 0
			has >>= 1
		}
		if nested&2 != 0 {
			s.body = u.body()
		}
		if nested&8 != 0 {
			s.alt = u.body()
		}
		out = append(out, s)
	}
	return out
}

// lists are the lists of words of a file, in the order in which they are packed.
func (f *family) lists() [11]*[]string {
	l := &f.lora
	return [...]*[]string{&f.source, &f.with, &f.inert, &f.takes, &f.checks, &f.familiar, &f.codes, &l.Targets, &l.Experts, &l.Routers, &l.Names}
}

// words, exprs and flags are what a line may have, in the order in which they are packed.
func (s *stmt) words() [6]*string {
	return [...]*string{&s.name, &s.form, &s.title, &s.at, &s.tiedTo, &s.stream}
}

func (s *stmt) exprs() [6]**formula.Node {
	return [...]**formula.Node{&s.bias, &s.when, &s.uses, &s.frozen, &s.groups, &s.tied}
}

func (s *stmt) flags() [4]*bool { return [...]*bool{&s.hasRole, &s.transposed, &s.empty, &s.f32} }
