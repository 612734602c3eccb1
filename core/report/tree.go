package report

import (
	"llmsize/core/arch"
	"llmsize/core/config"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Tree returns the report as a JSON value with fixed names: what --json prints,
// what a model's page offers as data, and what numbers in prose are taken from.
// Integers are exact; what does not apply is absent.
func (r *Report) Tree() config.Value {
	m := r.Model
	t := object(
		"query", text(r.Query.String()),
		"model", object(
			"name", text(r.Subject.Name), "model_type", text(m.Type), "architecture", text(m.Class), "family", text(m.Family),
			"status", text(r.Status()), "warnings", r.warnings()),
		"parameters", r.parameters(),
		"memory", r.memoryTree(),
		"compute", r.computeTree(),
		"training", r.trainingTree(),
		"layer", r.layer(), "layers", r.layers(),
	)
	if running, ok := r.runningTree(); ok {
		t = t.Set("running", running)
	}
	if rule, ok := r.twelve(); ok {
		t = t.Set("rules", object("12lh2", rule))
	}
	if r.Other != nil {
		t = t.Set("compare", r.compareTree())
	}
	keys := config.Value{Kind: config.Object}
	for _, k := range m.Keys {
		v, err := config.Parse(k.Value)
		if err != nil {
			continue
		}
		name := k.Path + k.Name
		if keys.Has(name) {
			continue
		}
		keys.Keys, keys.Vals = append(keys.Keys, name), append(keys.Vals, v)
	}
	return t.Set("config", keys)
}

// memoryTree is every lens on bytes; training is absent where the model cannot be trained so.
func (r *Report) memoryTree() config.Value {
	o := object("weights", r.weightsTree(), "kv_cache", r.cacheTree())
	if r.Training.Memory != nil {
		o = o.Set("training", r.trainingMemory())
	}
	return o.Set("total", r.totalTree())
}

// JSON returns the tree as indented text.
func (r *Report) JSON() string { return string(indent(nil, r.Tree(), 0)) + "\n" }

func (r *Report) warnings() config.Value {
	l := config.Value{Kind: config.List}
	for _, w := range r.Warnings {
		l.Items = append(l.Items, text(w.String()))
	}
	return l
}

func (r *Report) parameters() config.Value {
	p := &r.Parameters
	roles := config.Value{Kind: config.Object}
	for i, n := range p.ByRole {
		if n != 0 {
			roles = roles.Set(arch.Role(i).String(), number(int64(n)))
		}
	}
	parts := config.Value{Kind: config.List}
	for _, c := range p.Components {
		o := object("block", text(c.Block), "title", text(c.Title), "role", text(c.Role.String()), "layers", number(c.Layers), "each", number(int64(c.Each)), "total", number(int64(c.Total)))
		if c.Kind != "" {
			o = o.Set("kind", text(c.Kind))
		}
		parts.Items = append(parts.Items, o)
	}
	return object("total", number(int64(p.Total)), "buffers", number(int64(p.Buffers)), "stored", number(int64(p.Stored)),
		"active", number(int64(p.Active)), "active_without_embedding", number(int64(p.ActiveWithoutEmbedding)),
		"active_without_embedding_and_head", number(int64(p.ActiveWithoutEmbeddingAndHead)),
		"by_role", roles, "components", parts)
}

func (r *Report) cacheTree() config.Value {
	terms := config.Value{Kind: config.List}
	for _, t := range r.Cache.Terms {
		o := object("what", text(t.What), "layers", number(t.Layers), "elements", number(t.Elements), "format", text(t.Format), "bytes", number(t.Bytes))
		if t.Tokens > 0 {
			o = o.Set("tokens", number(t.Tokens))
		}
		if t.Window > 0 {
			o = o.Set("window", number(t.Window))
		}
		terms.Items = append(terms.Items, o)
	}
	o := object("bytes", number(int64(r.Cache.Bytes)), "bytes_per_token", number(int64(r.Cache.PerToken)),
		"format", text(r.Query.Get(query.KV)), "policy", text(r.Query.Get(query.KVPolicy)), "terms", terms)
	all := config.Value{Kind: config.Object}
	for i := range r.Running.Policies {
		if p := &r.Running.Policies[i]; p.Name != "" && p.Fault == nil {
			all = all.Set(p.Name, number(p.Bytes))
		}
	}
	if len(all.Keys) > 0 {
		o = o.Set("policies", all)
	}
	return o
}

// layer is the first layer of the first stack, in short.
func (r *Report) layer() config.Value {
	o := config.Value{Kind: config.Object}
	for _, b := range r.Model.Blocks {
		if b.Index == "" || len(b.Pattern) == 0 {
			continue
		}
		full := layerTree(&b.Kinds[b.Pattern[0]], b.Index)
		for i, key := range full.Keys {
			if key != "count" && key != "tensors" {
				o = o.Set(key, full.Vals[i])
			}
		}
		return o
	}
	return o
}

func text(s string) config.Value { return config.Value{Kind: config.String, Text: s} }

func number(n int64) config.Value {
	return config.Value{Kind: config.Number, Text: units.Itoa(n)}
}

// object makes an object of names and values in turn.
func object(pairs ...any) config.Value {
	o := config.Value{Kind: config.Object}
	for i := 0; i < len(pairs); i += 2 {
		o.Keys = append(o.Keys, pairs[i].(string))
		o.Vals = append(o.Vals, pairs[i+1].(config.Value))
	}
	return o
}

// indent writes a value over several lines; lists of plain values stay on one.
func indent(b []byte, v config.Value, depth int) []byte {
	pad := func(d int) {
		b = append(b, '\n')
		for ; d > 0; d-- {
			b = append(b, ' ', ' ')
		}
	}
	switch {
	case v.Kind == config.Object && len(v.Keys) > 0:
		b = append(b, '{')
		for i, k := range v.Keys {
			if i > 0 {
				b = append(b, ',')
			}
			pad(depth + 1)
			b = config.AppendQuoted(b, k)
			b = append(b, ':', ' ')
			b = indent(b, v.Vals[i], depth+1)
		}
		pad(depth)
		return append(b, '}')
	case v.Kind == config.List && len(v.Items) > 0 && (v.Items[0].Kind == config.Object || v.Items[0].Kind == config.String):
		b = append(b, '[')
		for i, x := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			pad(depth + 1)
			b = indent(b, x, depth+1)
		}
		pad(depth)
		return append(b, ']')
	}
	return append(b, v.JSON()...)
}
