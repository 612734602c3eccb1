package quant

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
	"llmsize/core/work"
)

// own is what a config's quantization_config says about single modules.
type own struct {
	skip   modules // stay as they were
	groups []group // the first that names a module has it; empty: the plan's scheme has all
	known  []known
	field  string // where the config says so
	work   *work.Budget
}

// known is what stores a module in every layer of a stack: kinds of layer have
// modules of the same names.
type known struct {
	module, index string
	usual         *scheme
	layers        int
	of            []*scheme // one where all layers store it alike
}

// group is modules that share a scheme.
type group struct {
	of     modules
	scheme *scheme // nil: stay as they were
}

// divided is a part of a tensor's layers with what stores it; nil when nothing does.
type divided struct {
	Stored
	scheme *scheme
}

// divide parts a tensor's layers by the lists of the config.
func (o *own) divide(st Stored, b *model.Block, kind int, t *model.Tensor, usual *scheme) []divided {
	module, _ := moduleOf(t.Name)
	of := o.schemes(module, b, usual)
	if len(of) == 1 {
		return []divided{{st, of[0]}}
	}
	var out []divided
	for l, s := range of {
		if int(b.Pattern[l]) == kind {
			out = joinDivided(out, st, s, int64(l), t.Copies)
		}
	}
	return out
}

// schemes is what stores a module in each layer of a block, or in all of them.
func (o *own) schemes(module string, b *model.Block, usual *scheme) []*scheme {
	layers := max(len(b.Pattern), 1)
	defer o.work.About(o.work.About(o.field))
	if !o.work.Spend(int64(len(o.known)/4 + layers/4)) {
		return nil
	}
	for i := range o.known {
		if k := &o.known[i]; k.module == module && k.index == b.Index && k.usual == usual && k.layers == layers {
			return k.of
		}
	}
	marks, of := make([]bool, layers), make([]*scheme, layers)
	if len(o.groups) == 0 {
		for l := range of {
			of[l] = usual
		}
	}
	for i := len(o.groups) - 1; i >= 0; i-- { // the first wins: it writes last
		clear(marks)
		if !o.groups[i].of.mark(module, b.Index, marks, o.work) {
			return nil
		}
		for l, on := range marks {
			if on {
				of[l] = o.groups[i].scheme
			}
		}
	}
	clear(marks)
	o.skip.mark(module, b.Index, marks, o.work)
	for l, on := range marks {
		if on {
			of[l] = nil
		}
	}
	if alike(of) {
		of = of[:1]
	}
	o.known = append(o.known, known{module, b.Index, usual, layers, of})
	return of
}

// alike reports whether all layers have one scheme.
func alike(of []*scheme) bool {
	for _, s := range of {
		if s != of[0] {
			return false
		}
	}
	return true
}

// joinDivided adds a layer to the part with that scheme.
func joinDivided(out []divided, st Stored, s *scheme, layer, copies int64) []divided {
	for i := range out {
		d := &out[i]
		if d.scheme != s {
			continue
		}
		d.Tensors += copies
		if last := &d.Layers[len(d.Layers)-1]; last.To == layer-1 {
			last.To = layer
		} else {
			d.Layers = append(d.Layers, model.Span{From: layer, To: layer})
		}
		return out
	}
	d := divided{st, s}
	d.Tensors, d.Layers = copies, []model.Span{{From: layer, To: layer}}
	return append(out, d)
}

// Own returns the recipe that a config names for itself: its
// quantization_config, at the top or in the language model's part, else its
// dtype, else bf16. why is the key that says so, empty when nothing does. The
// warnings say what was not understood; the recipe then leaves it out.
//
// Checkpoints differ from the recipe by what their config does not say: a head
// that is stored twice, layers that predict further tokens.
func Own(cfg *config.Value) (r Recipe, why string, warnings []fault.Warning) {
	dtype, from := DType(cfg)
	rest, ok := PlainNamed(dtype)
	if !ok {
		rest, _ = PlainNamed("bf16")
	}
	if c, field := quantized(cfg); field != "" {
		o := ownReader{q: c.Get("quantization_config"), top: c, field: field}
		o.plan.rest = rest
		o.read()
		if o.more > 0 {
			o.warnings = append(o.warnings, fault.Warning{Field: field, Text: units.Group(o.more) + " more parts are not understood"})
		}
		if field != "quantization_config" {
			o.plan.towers = false // it speaks for its own part
		}
		if o.plan.linear != nil {
			return Recipe{Name: o.name, Text: o.text, plan: o.plan}, field, o.warnings
		}
		warnings = o.warnings
	}
	return plainRecipe(rest), from, warnings
}

// Quantized reports whether a config has a quantization_config.
func Quantized(cfg *config.Value) bool {
	_, field := quantized(cfg)
	return field != ""
}

// quantized returns the part of a config that has a quantization_config, and the
// dotted name of that; empty when none has.
func quantized(cfg *config.Value) (*config.Value, string) {
	if q := cfg.Get("quantization_config"); q.Kind == config.Object {
		return cfg, "quantization_config"
	}
	for _, path := range []string{"text_config", "llm_config", "language_config", "thinker_config"} {
		c := cfg.Get(path)
		if q := c.Get("quantization_config"); q.Kind == config.Object {
			return c, path + ".quantization_config"
		}
	}
	return nil, ""
}

// DType returns the plain format that a config's dtype names ("bf16"), and the
// key that does; both are empty when none does.
func DType(cfg *config.Value) (format, why string) {
	for _, where := range []string{"", "text_config"} {
		c := cfg
		if where != "" {
			c = cfg.Get(where)
		}
		for _, key := range []string{"dtype", "torch_dtype"} {
			if f, ok := FromDType(c.Get(key).Text); ok {
				if where != "" {
					key = where + "." + key
				}
				return f, key
			}
		}
	}
	return "", ""
}

// ownReader reads one quantization_config.
type ownReader struct {
	q, top   *config.Value
	field    string
	plan     plan
	name     string // the recipe's name where it has one, else words for it
	text     string
	asIs     bool // what the list of exceptions names is not in 16 bits either
	warnings []fault.Warning
	more     int64 // warnings that are only counted
}

// mostWarned is how many parts that are not understood are named one by one.
const mostWarned = 50

func (o *ownReader) warn(key, text string) {
	if len(o.warnings) == mostWarned {
		o.more++
		return
	}
	field := o.field
	if key != "" {
		field += "." + fault.Clip(key, 60)
	}
	o.warnings = append(o.warnings, fault.Warning{Field: field, Text: text, Inexact: false})
}

// use makes s the scheme of all linear layers.
func (o *ownReader) use(name string, s scheme) { o.name, o.plan.linear = name, &s }

// read dispatches on quant_method.
func (o *ownReader) read() {
	q := o.q
	method := q.Get("quant_method").Text
	algo, producer := q.Get("quant_algo").Text, q.Get("producer")
	o.plan.own = &own{field: o.field}
	o.text = "as quantization_config says: " + fault.Clip(method, 40)
	switch method {
	case "awq":
		o.awq()
	case "gptq", "auto-round", "intel/auto-round":
		o.gptq(method)
	case "bitsandbytes", "bitsandbytes_4bit", "bitsandbytes_8bit":
		o.bitsandbytes()
	case "fp8":
		o.fp8()
	case "fbgemm_fp8":
		o.use("fp8 rows", rows8("fp8 rows", 32))
	case "mxfp4":
		o.use("mxfp4", mxfp4)
		o.plan.experts = true
	case "compressed-tensors":
		o.compressed()
	case "modelopt":
		o.modelopt(algo)
	default:
		switch {
		case q.Get("config_groups").Kind == config.Object && q.Get("format").Kind == config.String:
			o.compressed()
		case algo != "" || producer.Get("name").Text == "modelopt":
			o.modelopt(algo)
		case isTrue(q.Get("load_in_4bit")) || isTrue(q.Get("load_in_8bit")):
			o.bitsandbytes()
		default:
			o.warn("quant_method", fault.Clip(method, 40)+" is not a method that is known here; the bytes are those of the tensors in "+o.plan.rest.Name)
			o.plan.own = nil
			return
		}
	}
	o.leaveOut()
}

// leaveOut reads the lists of modules that stay as they were.
func (o *ownReader) leaveOut() {
	var list []string
	for _, key := range []string{"modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules", "llm_int8_skip_modules"} {
		if !(o.asIs && key == "ignore") {
			list = append(list, texts(o.q.Get(key))...)
		}
	}
	o.plan.own.skip = listModules(list)
	n := o.plan.own.skip.unread
	for i := range o.plan.own.groups {
		n += o.plan.own.groups[i].of.unread
	}
	if n > 0 {
		o.warn("", units.Group(int64(n))+" names of modules could not be read and are left out of account")
	}
}

// texts returns the strings of a list.
func texts(v *config.Value) []string {
	var out []string
	for _, x := range v.Items {
		if x.Kind == config.String {
			out = append(out, x.Text)
		}
	}
	return out
}

// intOf returns the first of the keys that is a whole number, else def.
func intOf(v *config.Value, def int64, keys ...string) int64 {
	for _, k := range keys {
		if n, ok := v.Get(k).Int(); ok {
			return n
		}
	}
	return def
}
