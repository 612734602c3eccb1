package explain

import (
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
)

// Host is what those who ask know beside the core: the devices of the catalogue.
type Host struct {
	Devices []*device.Device
	// Also adds to a report what is counted apart from it, for the figure at a path; nil where a host has nothing to add.
	Also func(r *report.Report, path string)
}

// named returns a device by its slug.
func (h *Host) named(slug string) *device.Device {
	for _, d := range h.Devices {
		if d.Slug == slug {
			return d
		}
	}
	return nil
}

// Source is one key that an answer may depend on.
type Source struct {
	Name  string       // "context", "num_key_value_heads", "text_config.vocab_size"
	Asked bool         // a key of the question, not of the config
	Value config.Value // what it is; the default where it is not given
	Given bool         // whether the config, or the question, says so
	Expr  string       // of a default: the expression over other keys that it is
	param query.Param
	tower bool
}

// Key is the key as a question spells it: "set.hidden_size", "context".
func (s *Source) Key() string {
	if s.Asked {
		return s.Name
	}
	return "set." + s.Name
}

// Sources lists every key of the question, and every key that the config has or the family reads.
func Sources(r *report.Report) []Source {
	var out []Source
	for p := query.Param(0); p < query.NumParams; p++ {
		switch p {
		case query.Model, query.Units, query.Versus, query.Mine: // whose answer it is, and how it is shown
			continue
		}
		text := r.Query.Get(p)
		v := config.Value{Kind: config.String, Text: text}
		if n, err := config.Parse(text); err == nil && n.Kind == config.Number {
			v = n
		}
		out = append(out, Source{Name: query.About(p).Name, Asked: true, Value: v, Given: r.Query.Has(p), param: p})
	}
	seen := map[string]bool{}
	for i := range r.Model.Keys {
		k := &r.Model.Keys[i]
		name := k.Path + k.Name
		if k.Given != "" {
			name = k.Path + k.Given
		}
		if seen[name] || !spelled(name) {
			continue
		}
		seen[name] = true
		v, err := config.Parse(k.Value)
		if err != nil {
			v = config.Value{Kind: config.Null}
		}
		s := Source{Name: name, Value: v, Given: k.Given != "", Expr: k.Expr, tower: k.Tower}
		if given := at(r.Config, name); given.Kind != config.Absent {
			s.Value, s.Given = given, true
		}
		out = append(out, s)
	}
	leaves(r.Config, "", func(name string, v config.Value) {
		if !seen[name] && spelled(name) {
			seen[name] = true
			out = append(out, Source{Name: name, Value: v, Given: true})
		}
	})
	return out
}

// leaves calls f for every value of a config that isn't an object, and for objects.
func leaves(v config.Value, path string, f func(name string, v config.Value)) {
	for i, k := range v.Keys {
		name := k
		if path != "" {
			name = path + "." + k
		}
		f(name, v.Vals[i])
		if v.Vals[i].Kind == config.Object {
			leaves(v.Vals[i], name, f)
		}
	}
}

// at is what is under a dotted path.
func at(v config.Value, path string) config.Value {
	from := 0
	for i := 0; i <= len(path); i++ {
		if i == len(path) || path[i] == '.' {
			v = *v.Get(path[from:i])
			from = i + 1
		}
	}
	return v
}

// spelled reports whether a question can name the key.
func spelled(name string) bool {
	var q query.Query
	return q.PutSet(name, "1") == nil
}

// ask answers the report's question with one key changed. A list that has an entry for each of what the key counts is
// given as many entries, where the key cannot be changed without.
func ask(r *report.Report, h *Host, s *Source, value string) (*report.Report, *fault.Error) {
	q := r.Query.Alone()
	if err := q.PutKey(s.Key(), value); err != nil {
		return nil, err
	}
	d := r.Subject.Device
	if s.Asked && s.param == query.Device {
		if d = h.named(value); d == nil {
			return nil, &fault.Error{Field: "device", Given: value, Problem: "is not a device of the catalogue"}
		}
	}
	out, err := r.Again(q, d)
	if err == nil || s.Asked || err.Need != "" {
		return out, err
	}
	before, ok1 := s.Value.Int()
	v, fail := config.Parse(value)
	after, ok2 := v.Int()
	if fail != nil || !ok1 || !ok2 || after < 1 || after > 4096 {
		return nil, err
	}
	parent := above(s.Name)
	changed, in := false, at1(r.Config, parent)
	for i, k := range in.Keys {
		list := in.Vals[i]
		if list.Kind == config.List && int64(len(list.Items)) == before && spelled(k) {
			longer := repeated(list, int(after))
			changed = q.PutSet(join(parent, k), longer.JSON()) == nil
		}
	}
	if !changed {
		return nil, err
	}
	return r.Again(q, d)
}

// above is the path of the object that a key stands in.
func above(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[:i]
		}
	}
	return ""
}

func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

func at1(v config.Value, path string) config.Value {
	if path == "" {
		return v
	}
	return at(v, path)
}

// repeated is a list cut to n entries, or gone through again.
func repeated(list config.Value, n int) config.Value {
	out := config.Value{Kind: config.List, Items: make([]config.Value, n)}
	for i := range out.Items {
		out.Items[i] = list.Items[i%len(list.Items)]
	}
	return out
}
