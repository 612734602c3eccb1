package family

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/model"
)

// submodel runs another family on a nested config.
func (b *builder) submodel(st *stmt) {
	s := &b.scope
	tv := s.eval(st.args[0])
	if s.err != nil {
		return
	}
	if tv.k != kStr {
		s.type_(st.args[0], "the name of a model type", tv)
		return
	}
	name, ok := b.lib.fileOf(tv.str())
	if !ok {
		s.fail(&fault.Error{Field: s.path + st.name + ".model_type", Given: fault.Clip(tv.str(), 60), Problem: "this model type is not known", Need: tv.str()})
		return
	}
	if b.depth++; b.depth > 60 {
		s.failAt(st.file, st.line, "models contain each other without end")
		return
	}
	fam, err := b.lib.resolve(name, 0)
	if err != nil {
		s.fail(err)
		return
	}
	sub := *b
	cfg := s.cfg
	path := s.path
	if st.name != "" {
		cfg = at(s.cfg, st.name)
		path += st.name + "."
		if cfg.Kind != config.Absent && cfg.Kind != config.Null && cfg.Kind != config.Object {
			s.refuse(s.path+st.name, cfg, "must be an object: the config of a part of the model", "")
			return
		}
	}
	*b.known = append(*b.known, path)
	sub.scope = scope{fam: fam, cfg: cfg, path: path, work: s.work, unit: s.unit}
	b.given(st.body, &sub.scope)
	sub.joined = st.name == ""
	if sub.joined { // two families read one config: each knows what the other reads
		b.share(s.fam)
		b.share(fam)
	}
	if st.hasRole {
		sub.force, sub.tower = true, st.role
	} else if b.model.Inner == nil { // its modules are the model's
		b.model.Inner = fam.saves
	}
	if st.at != "" {
		sub.prefix = b.name(st.at)
	}
	sub.home = sub.prefix
	kind := b.model.Kind
	if st.form != "" {
		if b.model.Kind = b.fill(st.form); b.bare && b.model.Kind == "causal" {
			b.model.Kind = "base"
		}
	}
	if s.err == nil {
		sub.run()
		s.fail2(sub.scope.err)
	}
	if st.stream != "" && s.err == nil {
		s.locals = append(s.locals, local{name: st.stream, sub: &sub.scope})
	}
	b.model.Kind = kind
	b.depth--
}

// given reads the lines under a submodel: what its config is made to say.
func (b *builder) given(list []*stmt, sub *scope) {
	s := &b.scope
	for _, in := range list {
		switch in.op {
		case sSet:
			sub.set = append(sub.set, local{name: in.name, v: s.eval(in.args[0])})
		case sDefault:
			sub.preset = append(sub.preset, local{name: in.name, v: s.eval(in.args[0])})
		case sIf:
			if s.eval(in.args[0]).truth() {
				b.given(in.body, sub)
			} else {
				b.given(in.alt, sub)
			}
		case sUse:
			if def := s.fam.block(in.name); def != nil && len(def.params) == 0 {
				b.given(def.body, sub)
				continue
			}
			fallthrough
		default:
			s.failAt(in.file, in.line, "under submodel only set, default, if and use lines can stand")
		}
	}
}

// share accounts for the keys of a family that reads the same config.
func (b *builder) share(fam *resolved) {
	path := b.scope.path
	for i := range fam.syms {
		if k := fam.syms[i].key; k != nil {
			*b.known = append(*b.known, path+k.name+".", path+head(k.path, '.')+".")
			for _, a := range k.aliases {
				*b.known = append(*b.known, path+a+".")
			}
		}
	}
	for _, name := range fam.inert {
		*b.known = append(*b.known, path+name+".")
	}
}

// fail2 keeps an error that may be nil.
func (s *scope) fail2(e *fault.Error) {
	if e != nil {
		s.fail(e)
	}
}

// keys lists what the family read, and warns of what nobody did.
func (b *builder) keys() {
	s := &b.scope
	for i := range s.fam.syms {
		k := s.fam.syms[i].key
		if k == nil {
			continue
		}
		s.spend(lookup)
		s.lookup(k.name, 0) // checked even when no tensor asked for it
		sl := &s.slots[i]
		if s.err != nil {
			return
		}
		s.spend(sl.v.deep())
		key := model.Key{Name: k.name, Given: sl.given, Value: sl.v.json(), Also: k.aliases, Tower: b.force}
		if s.path != "" {
			key.Path = s.path
		}
		if sl.given == "" && k.def != nil && k.def.Op != formula.Const {
			key.Expr = k.def.String()
		}
		b.model.Keys = append(b.model.Keys, key)
	}
	if !b.guess {
		b.ruled()
	}
	defer s.work.About(s.work.About(s.path))
	for _, name := range s.cfg.Keys {
		s.work.About(s.path + name)
		if !s.spend(3 * lookup) {
			return
		}
		if has(*b.known, s.path+name+".") {
			continue
		}
		if c := s.cfg.Get(name); c.Kind == config.Object && !b.guess {
			b.activated(c, s.path+name+".") // of a part that no family of its own builds
		}
		if !s.reads(name) && !has(s.fam.inert, name) {
			inert, loaded := b.lib.inert(name)
			if !loaded {
				s.fail(&fault.Error{Field: s.path + fault.Clip(name, 60), Problem: "is not known yet", Need: inertFile})
				return
			}
			if inert {
				continue
			}
			b.strange(fault.Warning{Field: s.path + fault.Clip(name, 60), Text: "is not a key known for " + b.typeName() + ", so the count is an estimate", Inexact: true})
		}
	}
}

func (b *builder) typeName() string {
	if t := b.scope.cfg.Get("model_type"); t.Kind == config.String && b.scope.path != "" {
		return fault.Clip(t.Text, 60)
	}
	return b.model.Type
}

// reads reports whether the family has a key of that name, alias or path head.
func (s *scope) reads(name string) bool {
	for i := range s.fam.syms {
		k := s.fam.syms[i].key
		if k == nil {
			continue
		}
		if k.name == name || head(k.path, '.') == name {
			return true
		}
		for _, a := range k.aliases {
			if a == name {
				return true
			}
		}
	}
	return false
}

// head is a text up to what ends its first word.
func head(text string, end byte) string {
	for i := 0; i < len(text); i++ {
		if text[i] == end {
			return text[:i]
		}
	}
	return text
}
