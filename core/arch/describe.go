package arch

import (
	"llmsize/core/config"
	"llmsize/core/fault"
)

// Describe resolves a config to its typed layers and their tensors.
//
// The family is the one that lists the config's model_type, or, where there is
// none, that has the class; architectures[0] picks its class. An absent key has
// the class's default. A key that the family neither reads nor knows to be without
// effect becomes a warning, and the count an estimate.
//
// The error is of the config (a field, its value, what is allowed), or has Need
// set when the family's file is not in the library.
func Describe(cfg config.Value, lib *Library) (*Model, *fault.Error) {
	mt := cfg.Get("model_type")
	var untyped fault.Warning
	switch {
	case cfg.Kind != config.Object:
		return nil, &fault.Error{Problem: "a config is a JSON object"}
	case mt.Kind == config.Absent || mt.Kind == config.Null:
		var err *fault.Error
		if mt, untyped, err = lib.typed(cfg); err != nil {
			return nil, err
		}
	case mt.Kind != config.String:
		return nil, &fault.Error{Field: "model_type", Given: fault.Clip(mt.JSON(), 60), Problem: "must be text", Allowed: `a type such as "llama"`, Line: mt.Line}
	}
	name, ok := lib.File(mt.Text)
	like := ""
	if !ok {
		var err *fault.Error
		if name, like, err = lib.familiar(cfg, mt.Text); err != nil {
			return nil, err
		}
	}
	fam, err := lib.resolve(name, 0)
	if err != nil {
		return nil, err
	}
	m := &Model{Type: mt.Text, Family: fam.title, LoRA: fam.lora, Saves: fam.saves}
	if like != "" {
		m.Warnings = []fault.Warning{{Field: "model_type", Text: fault.Clip(mt.Text, 60) + " is not known; read as " + like + ", by its keys", Inexact: true}}
	}
	for i, s := range fam.source {
		if i > 0 {
			m.Source += "; "
		}
		m.Source += s
	}
	b := &builder{lib: lib, model: m, scope: scope{fam: fam, cfg: cfg}, active: 1, activeOf: 1, known: new([]string)}
	b.chooseClass()
	if untyped.Text != "" {
		b.warn(untyped)
	}
	b.run()
	if b.scope.err != nil {
		return nil, b.scope.err
	}
	if err := m.total(); err != nil {
		return nil, err
	}
	return m, nil
}

// chooseClass sets the class and its kind from architectures[0].
func (b *builder) chooseClass() {
	m, s := b.model, &b.scope
	first := s.cfg.Get("architectures")
	name := ""
	switch {
	case first.Kind == config.List && len(first.Items) > 0 && first.Items[0].Kind == config.String:
		name = first.Items[0].Text
	case first.Kind != config.Absent && first.Kind != config.Null && !(first.Kind == config.List && len(first.Items) == 0):
		s.fail(&fault.Error{Field: "architectures", Given: fault.Clip(first.JSON(), 60), Problem: "must be a list of class names", Allowed: `["LlamaForCausalLM"]`, Line: first.Line})
		return
	}
	for _, c := range s.fam.classes {
		if c.is(name) {
			m.Class, m.Kind = c.name, c.kind
			return
		}
	}
	c, ok := defaultClass(s.fam.classes)
	if !ok {
		s.fail(&fault.Error{File: b.model.Type, Problem: "the family names no class"})
		return
	}
	m.Class, m.Kind = c.name, c.kind
	if len(m.Warnings) > 0 {
		return // a class of a type that is not known is not known either, and that is said already
	}
	if name == "" {
		b.warn(fault.Warning{Field: "architectures", Text: "is absent; counted as " + c.name})
	} else {
		b.warn(fault.Warning{Field: "architectures", Text: fault.Clip(name, 60) + " is not a class known for " + m.Type + "; counted as " + c.name, Inexact: true})
	}
}

// defaultClass is the class that stands for a type when the config names none:
// its causal or conditional-generation class, else its masked-LM class, else the base.
func defaultClass(classes []classDef) (classDef, bool) {
	for _, kinds := range [][2]string{{"causal", "seq2seq"}, {"masked", "masked"}, {"base", "encoder"}} {
		for _, c := range classes {
			if c.kind == kinds[0] || c.kind == kinds[1] {
				return c, true
			}
		}
	}
	if len(classes) == 0 {
		return classDef{}, false
	}
	return classes[0], true
}

// total checks that the sum over all tensors stays inside int64.
func (m *Model) total() *fault.Error {
	var sum int64
	over := false
	m.Each(func(_ *Block, _ *Kind, _ *Part, t *Tensor, layers int64) {
		n, ok := mul64(t.Elements, t.Copies)
		if ok {
			n, ok = mul64(n, layers)
		}
		if sum += n; !ok || sum < 0 {
			over = true
			sum = 0
		}
	})
	if over {
		return &fault.Error{Problem: "the sizes are too large: the total passes 9,223,372,036,854,775,807 parameters", Hint: "check the number of digits of each size"}
	}
	return nil
}
