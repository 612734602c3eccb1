package family

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/model"
	"llmsize/core/units"
	"llmsize/core/work"
)

// Describe resolves a config to its typed layers and their tensors.
//
// The family is the one that lists the config's model_type. Where that one says that the code which auto_map names is of
// another type, it is that type's; where the config has no type, it is the one that has the class. architectures[0]
// picks its class. An absent key has the class's default. A key that the family neither reads nor knows to be without
// effect becomes a warning, and the count an estimate.
//
// The error is of the config (a field, its value, what is allowed), or has Need
// set when the family's file is not in the library.
func Describe(cfg config.Value, lib *Library) (*model.Model, *fault.Error) {
	return DescribeWithin(cfg, lib, work.New(0))
}

// DescribeWithin is Describe for a host that sets the budget. The error names the
// key that took most of it, when it is not enough. The model keeps the budget: what is worked
// out from the model later takes from it too.
func DescribeWithin(cfg config.Value, lib *Library, budget *work.Budget) (*model.Model, *fault.Error) {
	return DescribeFor(cfg, lib, budget, Unit{})
}

// Unit is a picture or a sound for which somebody asks; 0 is a family's own.
type Unit struct {
	Height, Width int64 // of a picture, in pixels
	Millis        int64 // of a sound, in milliseconds
}

// DescribeFor is DescribeWithin for a picture and a sound of some size: what a family makes of
// The size is in the model's values, under the names of model.Model.Image and Audio.
func DescribeFor(cfg config.Value, lib *Library, budget *work.Budget, unit Unit) (*model.Model, *fault.Error) {
	mt := cfg.Get("model_type")
	is := mt.Text
	var untyped fault.Warning
	switch {
	case cfg.Kind != config.Object:
		return nil, &fault.Error{Problem: "a config is a JSON object"}
	case mt.Kind == config.Absent || mt.Kind == config.Null:
		var err *fault.Error
		if is, untyped, err = lib.typed(&cfg); err != nil {
			return nil, err
		}
	case mt.Kind != config.String:
		return nil, &fault.Error{Field: "model_type", Given: fault.Clip(mt.JSON(), 60), Problem: "must be text", Allowed: `a type such as "llama"`, Line: mt.Line}
	}
	is = lib.elsewhere(&cfg, is)
	name, ok := lib.File(is)
	like := ""
	if !ok {
		var err *fault.Error
		if name, like, err = lib.familiar(&cfg, is, budget); err != nil {
			return nil, err
		}
	}
	fam, err := lib.resolve(name, 0)
	if err != nil {
		return nil, err
	}
	m := &model.Model{Type: is, Family: fam.title, LoRA: fam.lora, Saves: fam.saves, Work: budget, ReadAs: like}
	if like != "" {
		m.Warnings = []fault.Warning{{Field: "model_type", Text: fault.Clip(is, 60) + " is not known; read as " + like + ", by its keys", Inexact: true}}
	}
	for i, s := range fam.source {
		if i > 0 {
			m.Source += "; "
		}
		m.Source += s
	}
	b := &builder{lib: lib, model: m, scope: scope{fam: fam, cfg: &cfg, work: budget, unit: unit}, active: 1, activeOf: 1, known: new([]string), heavy: new(heavy), unread: new(int), guess: like != ""}
	b.chooseClass()
	if untyped.Text != "" {
		b.warn(untyped)
	}
	b.run()
	if b.scope.err != nil {
		return nil, b.named(b.scope.err)
	}
	if n := *b.unread - mostUnread; n > 0 {
		b.warn(fault.Warning{Text: units.Group(int64(n)) + " more keys are not known for " + m.Type, Inexact: true})
	}
	if err := total(m); err != nil {
		return nil, err
	}
	if b.heavy.key == "" {
		b.heavy.key = "model_type"
	}
	spend(m, b.heavy.key)
	if budget.Err() != nil {
		return nil, b.named(budget.Err())
	}
	return m, nil
}

// named gives a fault of the budget a key, where none was at work when it ran out.
func (b *builder) named(e *fault.Error) *fault.Error {
	if e == b.scope.work.Err() && e.Field == "" {
		if e.Field = b.heavy.key; e.Field == "" {
			e.Field = "model_type"
		}
	}
	return e
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
		s.refuse("architectures", first, "must be a list of class names", `["LlamaForCausalLM"]`)
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
	// A class for another task, such as PerceiverForMaskedLM or SeamlessM4TForTextToText, may be less than the model, or more.
	if stem, ok := strings.CutSuffix(name, "Model"); ok && c.kind == "causal" && c.whole(stem) {
		m.Class, m.Kind, b.bare = name, "base", true
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

// What is written and worked out later for each piece of a model, in every lens, in
// steps. Measured with build/bench.
const (
	perTensor = 150
	perPart   = 100
	perKind   = 400
	perLayer  = 4 // and for each kind of layer: several lenses look through all layers for each kind
	perPlace  = 8 // of a tensor in a layer: GGUF recipes pick layer by layer
)

// spend takes from the budget what the lenses and the page do with the model,
// which is much the same for each of its pieces; tensors have paid when they were made. key is the config's that made
// it large: later steps are for it, too.
func spend(m *model.Model, key string) {
	m.Work.About(key)
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		m.Work.Times(int64(len(b.Kinds)), perKind+perLayer*int64(len(b.Pattern)))
		for ki := range b.Kinds {
			m.Work.Spend(perPart * int64(len(b.Kinds[ki].Parts)))
			for pi := range b.Kinds[ki].Parts {
				n := int64(len(b.Kinds[ki].Parts[pi].Tensors))
				m.Work.Times(b.Kinds[ki].Count, perPlace*n)
			}
		}
	}
}

// total checks that the sum over all tensors stays inside int64.
func total(m *model.Model) *fault.Error {
	var sum int64
	over := false
	m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		n, ok := formula.Product(t.Elements, t.Copies)
		if ok {
			n, ok = formula.Product(n, layers)
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
