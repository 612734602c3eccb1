package family

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/units"
)

// maxSize bounds every size in a config, and maxLayers what is listed one by
// one. The largest real ones are a vocabulary of 262,144 and 126 layers.
const (
	maxSize   = 1 << 40
	maxLayers = 4_096
)

// at returns the value under a dotted path, or the zero Value.
func at(v *config.Value, path string) *config.Value {
	for i := 0; i < len(path); i++ {
		if path[i] == '.' {
			sub := v.Get(path[:i])
			if sub.Kind != config.Object {
				return &config.Value{}
			}
			return at(sub, path[i+1:])
		}
	}
	return v.Get(path)
}

// layerLists are the lists with an entry for each layer that transformers checks in
// any config (5.23.0, configuration_utils.py, validate_layer_type), and the entries
// that it takes, the older names that it renames among them. A family whose class
// takes others says so with `of`.
var layerLists = []struct {
	name  string
	kinds string
}{
	{"layer_types", "full_attention sliding_attention chunked_attention window_attention indexed_attention compressed_sparse_attention heavily_compressed_attention minimax_m3_sparse " +
		"conv moe hybrid hybrid_sliding reference_sliding_attention linear_attention mamba attention deepseek_sparse_attention qwen_sparse_attention"},
	{"mlp_layer_types", "sparse dense"},
}

// activations are the functions that transformers has by name (5.23.0, activations.py). A name that is not there makes the
// class refuse the config. A class that does not look up one of activationKeys says so with `inert hidden_act`; of the
// first two null is refused too.
const (
	activations = "gelu silu relu gelu_new gelu_pytorch_tanh gelu_fast quick_gelu relu2 swish gelu_10 gelu_python gelu_python_tanh gelu_accurate " +
		"hardswish laplace leaky_relu linear mish relu6 sigmoid sqrtsoftplus tanh prelu xielu"
	activationKeys = "hidden_act activation_function hidden_activation"
)

// activation reports whether a key of that name says which function is applied. Files have other things too under activation alone.
func (s *scope) activation(name string) bool {
	for _, end := range [...]string{"_act", "_activation", "activation_function", "_act_fn", "_act_func"} {
		if n := len(name) - len(end); n >= 0 && name[n:] == end {
			return true
		}
	}
	return name == "activation" && s.reads(name)
}

// refuse is an error about a value of the config.
func (s *scope) refuse(field string, c *config.Value, problem, allowed string) {
	s.fail(&fault.Error{Field: field, Given: fault.Clip(c.JSON(), 60), Problem: problem, Allowed: allowed, Line: c.Line})
}

// ruled holds a config's keys to rules that are the same for every class: read by
// the family or not, the class checks them.
func (b *builder) ruled() {
	s := &b.scope
	b.activated(s.cfg, s.path)
	for i, name := range s.cfg.Keys {
		c := &s.cfg.Vals[i]
		v := fromConfig(c)
		layers := s.fam.find("num_hidden_layers") >= 0
		switch {
		case name == "head_dim" && v.k == kInt:
			// transformers 5.23.0, modeling_rope_utils.py, validate_rope: pairs of a head's entries are turned.
			if (v.n < 1 || v.n > 4 && v.n%2 == 1) && (v.n != 0 || s.cfg.Get("qk_rope_head_dim").Text != "0") {
				s.refuse(s.path+name, c, "must be an even number above 0: rotary positions turn pairs", "")
			}
		case name == "pad_token_id" && v.k == kInt:
			// torch.nn.Embedding. A class whose embedding has no row for it says so with `inert pad_token_id`.
			if s.fam.find("vocab_size") >= 0 && !has(s.fam.inert, name) {
				if n := s.lookup("vocab_size", 0).n; v.n >= n || v.n < -n {
					s.refuse(s.path+name, c, "must be below vocab_size: it is a row of the embedding", "")
				}
			}
		case (name == "layer_types" || name == "mlp_layer_types") && !s.reads(name) && (layers || s.cfg.Has("num_hidden_layers")):
			s.kinds(name, v, nil, c.Line)
			if name == "layer_types" && v.k == kList && layers {
				s.fits(name, v, &formula.Node{Op: formula.Name, Name: "num_hidden_layers"}, c.Line)
			}
		}
	}
}

// activated holds the activations that a config names to those that there are.
func (b *builder) activated(cfg *config.Value, path string) {
	s := &b.scope
	for i, name := range cfg.Keys {
		c := &cfg.Vals[i]
		if s.activation(name) && !(among(activationKeys, name) && has(s.fam.inert, name)) &&
			(c.Kind == config.Null && name != "hidden_activation" && among(activationKeys, name) || c.Kind == config.String && !among(activations, c.Text)) {
			s.refuse(path+name, c, "is not an activation function that transformers has", activations)
		}
		if (c.Text == "prelu" || c.Text == "xielu") && s.activation(name) && !s.reads(name) {
			b.warn(fault.Warning{Field: path + name, Text: c.Text + " has weights of its own in each layer, which are not counted", Inexact: true})
		}
	}
}

// kinds checks that a list of kinds of layer has known entries.
// Without a list of its own, known is what transformers takes under that name; any
// other list is not looked at.
func (s *scope) kinds(name string, v val, known []val, line int) {
	for i := range layerLists {
		if p := &layerLists[i]; p.name == name && known == nil && v.k == kList {
			for left := p.kinds; left != ""; {
				var k string
				k, left = first(left)
				known = append(known, vStr(k))
			}
		}
	}
	if known == nil || v.k != kList || !s.spend(int64(len(v.list())*len(known))) {
		return
	}
next:
	for i, x := range v.list() {
		for _, k := range known {
			if x.equal(k) {
				continue next
			}
		}
		words := vList(known).json()
		s.fail(&fault.Error{Field: s.path + name, Given: fault.Clip(x.json(), 60), Problem: "entry " + units.Itoa(int64(i)) + " isn't a kind of layer that the class knows", Allowed: words[1 : len(words)-1], Line: line})
		return
	}
}

// fits checks that a list has one entry for each of n.
func (s *scope) fits(name string, v val, of *formula.Node, line int) {
	if n := s.size(of); s.err == nil && n != int64(len(v.list())) {
		s.fail(&fault.Error{Field: s.path + name, Given: "a list of " + units.Itoa(int64(len(v.list()))), Problem: "the list does not fit " + of.String() + " = " + units.Itoa(n),
			Allowed: "one entry a layer: " + units.Itoa(n), Hint: "change both together", Line: line})
	}
}

// find returns what the config gives for a key, and under which name.
func (s *scope) find(k *keyDef) (*config.Value, string) {
	if k.path != "" {
		if v := at(s.cfg, k.path); v.Kind != config.Absent {
			return v, k.path
		}
	}
	if v := s.cfg.Get(k.name); v.Kind != config.Absent && (k.path == "" || v.Kind != config.Null) {
		return v, k.name
	}
	for _, a := range k.aliases {
		if v := s.cfg.Get(a); v.Kind != config.Absent {
			return v, a
		}
	}
	return &config.Value{}, ""
}

// key works out a key: the config's value, checked, or the class's default.
func (s *scope) key(k *keyDef) (val, string) {
	if v, ok := forced(s.set, k.name); ok {
		return v, ""
	}
	s.spend(int64(2 + len(s.cfg.Keys)/8))
	c, name := s.find(k)
	switch c.Kind {
	case config.Absent:
		if v, ok := forced(s.preset, k.name); ok {
			return v, ""
		}
		if k.def == nil {
			s.fail(&fault.Error{Field: s.path + k.name, Problem: "must be given: the class has no default for it", Allowed: allowed(k)})
			return val{}, ""
		}
		return s.defaultOf(k), ""
	case config.Null:
		switch {
		case k.null != nil:
			return s.eval(k.null), name
		case k.optional:
			return val{}, name
		case k.def != nil && (k.length != nil && k.length.Name == "num_hidden_layers" || k.def.Op != formula.Const && k.def.Op != formula.List):
			return s.defaultOf(k), name
		}
		s.fail(&fault.Error{Field: s.path + name, Given: "null", Problem: "must not be null", Allowed: allowed(k), Line: c.Line,
			Hint: "leave the key out to get the class's default"})
		return val{}, name
	}
	defer s.work.About(s.work.About(s.path + name))
	v := s.typed(k, c, name)
	if s.err != nil {
		return val{}, name
	}
	var known []val
	if k.kinds != nil {
		known = s.eval(k.kinds).list()
	}
	s.kinds(name, v, known, c.Line)
	if k.length != nil && v.k == kList {
		s.fits(name, v, k.length, c.Line)
	}
	return v, name
}

// typed is a value of the config that is of the key's type.
func (s *scope) typed(k *keyDef, c *config.Value, name string) val {
	v := s.taken(c)
	if msg := check(k.typ, v); msg != "" {
		hint := ""
		if v.k == kStr && (k.typ == "size" || k.typ == "count" || k.typ == "int") {
			hint = "write the number without quotes"
		}
		s.fail(&fault.Error{Field: s.path + name, Given: fault.Clip(c.JSON(), 60), Problem: msg, Allowed: allowed(k), Hint: hint, Line: c.Line})
	}
	return v
}

// defaultOf works out the default of a key. A list with a length is made entry
// by entry, with i as the index, unless its expression is a list already.
func (s *scope) defaultOf(k *keyDef) val {
	if k.length == nil {
		return s.eval(k.def)
	}
	n := s.size(k.length)
	if s.err != nil {
		return val{}
	}
	if n > maxLayers {
		s.tooMany(k.length, n)
		return val{}
	}
	l := make([]val, n)
	s.locals = append(s.locals, local{name: "i"})
	defer func() { s.locals = s.locals[:len(s.locals)-1] }()
	for i := range l {
		if s.err != nil {
			break
		}
		s.locals[len(s.locals)-1].v = vInt(int64(i))
		v := s.eval(k.def)
		if v.k == kList {
			s.fits(k.name, v, k.length, 0)
			return v
		}
		if v.k == kNull && i == 0 {
			return v
		}
		l[i] = v
	}
	return vList(l)
}

// check returns what is wrong with a given value, or "".
func check(typ string, v val) string {
	switch typ {
	case "size", "count", "int":
		switch {
		case v.k == kFloat && v.str() != "" && !digitFirst(v.str()):
			return "must be a whole number, not " + v.str()
		case v.k == kFloat:
			return "must be a whole number, without point or exponent"
		case v.k != kInt:
			return "must be a whole number, not " + kindWords[v.k]
		case v.n > maxSize || v.n < -maxSize:
			return "the number is too large"
		case typ == "size" && v.n < 1:
			return "must be 1 or more"
		case typ == "count" && v.n < 0:
			return "must not be negative"
		}
	case "bool":
		if v.k != kBool {
			return "must be true or false, not " + kindWords[v.k]
		}
	case "float":
		if v.k != kInt && v.k != kFloat || v.k == kFloat && !digitFirst(v.str()) {
			return "must be a number, not " + kindWords[v.k]
		}
	case "str":
		if v.k != kStr {
			return "must be text, not " + kindWords[v.k]
		}
	case "list":
		if v.k != kList {
			return "must be a list, not " + kindWords[v.k]
		}
	}
	return ""
}

// digitFirst tells a number from NaN and the infinities by its text.
func digitFirst(s string) bool {
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	return s != "" && isDigit(s[0])
}

// allowed says in words what a key takes.
func allowed(k *keyDef) string {
	s := ""
	for _, t := range keyTypes {
		if t.name == k.typ {
			s = t.takes
		}
	}
	if k.typ == "size" || k.typ == "count" {
		s += " to " + units.Group(maxSize)
	}
	if k.length != nil {
		s += " with one entry for each of " + k.length.String()
	}
	if k.optional {
		s += ", or null"
	}
	return s
}
