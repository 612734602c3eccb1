package report

import (
	"llmsize/core/config"
	"llmsize/core/formula"
	"llmsize/core/units"
)

// Field returns a value of the tree by its dotted path, such as
// "parameters.by_role.attention" or "compute.conventions.palm.per_token" (an item
// of a list by its name or its place), or the whole number that an expression over
// paths and whole numbers comes to:
//
//	12*config.num_hidden_layers*config.hidden_size^2
//	config.hidden_size/config.num_attention_heads
//
// Package formula has the signs; / must come out even, // rounds down. ok is false
// when a name is gone, isn't a whole number, or a step passes int64: a number in
// prose then fails the build.
func (r *Report) Field(path string) (v config.Value, ok bool) {
	all := r.Numbers()
	if v, ok := lookup(all.with(path), path); ok {
		return v, true
	}
	n, problem := formula.Parse(path)
	if problem != "" {
		return config.Value{}, false
	}
	x := n.Eval(all.At(""))
	return number(x.N).Read(), x.Kind == formula.Int
}

// lookup descends by the dots of a path. Names may hold dots themselves, as
// those of tensors do.
func lookup(v config.Value, path string) (config.Value, bool) {
	for i := 1; i <= len(path); i++ {
		if i < len(path) && path[i] != '.' {
			continue
		}
		x := child(v, path[:i])
		if x.Kind == config.Absent {
			continue
		}
		if i == len(path) {
			return x, true
		}
		if x, ok := lookup(x, path[i+1:]); ok {
			return x, true
		}
	}
	return config.Value{}, false
}

// child is a value of an object by its key, of a list by its place from 0, or by
// the name that an item bears: compute.conventions.palm.per_token.
func child(v config.Value, key string) config.Value {
	if v.Kind != config.List {
		return *v.Get(key)
	}
	for i := range v.Items {
		if name := v.Items[i].Get("name"); units.Itoa(int64(i)) == key || name.Kind == config.String && name.Text == key {
			return v.Items[i]
		}
	}
	return config.Value{}
}

// each calls f for everything that a path with stars stands for; above is where v stands.
func each(v config.Value, path, above string, f func(path string, v config.Value)) {
	for i := 0; i < len(path); i++ {
		if path[i] != '*' {
			continue
		}
		if i > 0 {
			v, _ = lookup(v, path[:i-1])
			above += path[:i]
		}
		put := func(name string, x config.Value) {
			if i+1 == len(path) {
				f(above+name, x)
			} else {
				each(x, path[i+2:], above+name+".", f)
			}
		}
		for k, x := range v.Items {
			put(units.Itoa(int64(k)), x)
		}
		for k, x := range v.Vals {
			put(v.Keys[k], x)
		}
		return
	}
	if x, ok := lookup(v, path); ok {
		f(above+path, x)
	}
}

// plain is a value of a tree as a formula takes it.
func plain(v config.Value) formula.Value {
	switch v.Kind {
	case config.Number:
		if n, ok := v.Int(); ok {
			return formula.Whole(n)
		}
		if f, ok := v.Float(); ok {
			return formula.Number(f)
		}
	case config.String:
		return formula.Value{Kind: formula.Text, Text: v.Text}
	case config.Bool:
		if v.Text == "true" {
			return formula.Value{Kind: formula.Bool, N: 1}
		}
		return formula.Value{Kind: formula.Bool}
	}
	return formula.Value{}
}
