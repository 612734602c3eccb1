package family

import (
	"llmsize/core/fault"
	"llmsize/core/formula"
)

// Pack makes a bundle of family files, which [Library.AddPacked] adds to another library.
func (lib *Library) Pack(names []string) (string, *fault.Error) {
	var all packer
	for _, name := range names {
		in := lib.named(name)
		if in == nil {
			return "", &fault.Error{Given: name, Problem: "there is no such file"}
		}
		if in.packed == nil {
			f, err := in.read(name+".arch", in.text)
			if err != nil {
				return "", err
			}
			var p packer
			p.family(f)
			in.packed = p.out
		}
		all.word(name)
		all.num(len(in.packed))
		all.out = append(all.out, in.packed...)
	}
	return string(all.out), nil
}

// packer writes what unpacker reads.
type packer struct{ out []byte }

func (p *packer) family(f *family) {
	p.words(f.types)
	p.word(f.title)
	p.word(f.like)
	for _, list := range f.lists() {
		p.words(*list)
	}
	p.num(len(f.saves))
	for _, s := range f.saves {
		p.word(s.Name)
		p.long(s.Value)
	}
	p.num(len(f.classes))
	for _, c := range f.classes {
		p.word(c.name)
		p.word(c.kind)
		p.words(c.aliases)
	}
	p.num(len(f.syms))
	for _, s := range f.syms {
		p.word(s.name)
		if s.key == nil {
			p.num(0)
			p.node(s.let)
			continue
		}
		k := s.key
		p.num(1 + one(k.optional))
		p.words(k.aliases)
		p.word(k.path)
		p.word(k.typ)
		for _, n := range [...]*formula.Node{k.length, k.kinds, k.def, k.null} {
			p.node(n)
		}
	}
	p.num(len(f.defs))
	for _, d := range f.defs {
		p.word(d.name)
		p.words(d.params)
		p.node(d.e)
	}
	p.num(len(f.blocks))
	for _, b := range f.blocks {
		p.word(b.name)
		p.words(b.params)
		p.body(b.body)
	}
}

func (p *packer) num(n int) { p.long(int64(n)) }

func (p *packer) long(n int64) {
	digits := []byte{byte('@' + n%30)}
	for n /= 30; n > 0; n /= 30 {
		digits = append(digits, byte('`'+n%30))
	}
	for i := len(digits) - 1; i >= 0; i-- {
		p.out = append(p.out, digits[i])
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *packer) word(s string) {
	p.out = append(append(p.out, s...), '\n')
}

func (p *packer) words(list []string) {
	p.num(len(list))
	for _, s := range list {
		p.word(s)
	}
}

func (p *packer) node(n *formula.Node) {
	if n == nil {
		p.num(0)
		return
	}
	p.num(int(n.Op) + 1)
	switch n.Op {
	case formula.Const:
		p.num(int(n.Kind))
		switch n.Kind {
		case formula.Bool, formula.Int:
			p.long(n.N)
		case formula.Float, formula.Text:
			p.word(n.Text)
		}
		return
	case formula.Name, formula.Call, formula.Field:
		p.word(n.Name)
	}
	if n.Op.Arity() < 0 {
		p.num(len(n.Args))
	}
	for _, a := range n.Args {
		p.node(a)
	}
}

func (p *packer) nodes(list []*formula.Node) {
	p.num(len(list))
	for _, n := range list {
		p.node(n)
	}
}

func (p *packer) body(body []*stmt) {
	p.num(len(body))
	for _, s := range body {
		p.num(int(s.op))
		var has, bit int
		mark := func(yes bool) {
			if yes {
				has |= 1 << bit
			}
			bit++
		}
		for _, w := range s.words() {
			mark(*w != "")
		}
		mark(s.args != nil)
		mark(s.body != nil)
		mark(s.props != nil)
		mark(s.alt != nil)
		mark(s.role != 0)
		for _, n := range s.exprs() {
			mark(*n != nil)
		}
		for _, b := range s.flags() {
			mark(*b)
		}
		p.num(has)
		for _, w := range s.words() {
			if *w != "" {
				p.word(*w)
			}
		}
		if s.args != nil {
			p.nodes(s.args)
		}
		if s.props != nil {
			p.num(len(s.props))
			for _, x := range s.props {
				p.num(int(x.name))
				p.node(x.e)
			}
		}
		if s.role != 0 {
			p.num(int(s.role))
		}
		for _, n := range s.exprs() {
			if *n != nil {
				p.node(*n)
			}
		}
		if s.body != nil {
			p.body(s.body)
		}
		if s.alt != nil {
			p.body(s.alt)
		}
	}
}
