package report

import (
	"llmsize/core/config"
	"llmsize/core/figure"
	"llmsize/core/jsonout"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Tree returns the report as a JSON value with fixed names: what --json prints,
// what a model's page offers as data, and what numbers in prose are taken from.
// Integers are exact; what does not apply is absent.
func (r *Report) Tree() jsonout.Value {
	t := object()
	for _, name := range sections {
		t = t.Set(name, r.section(name))
	}
	return own(own(t, r, figure.Live), r, figure.Others)
}

// sections are the names that the report's JSON has at its top, in order.
var sections = [...]string{"query", "model", "parameters", "memory", "compute", "training", "layer", "layers", "running", "predicted", "rules", "compare", "config"}

// section is what a name holds at the top, but for the figures that nobody counts (own); null where that does not apply.
func (r *Report) section(name string) jsonout.Value {
	m := r.Model
	switch name {
	case "query":
		return text(r.Query.String())
	case "model":
		return object(
			"name", text(r.Subject.Name), "model_type", text(m.Type), "architecture", text(m.Class), "family", text(m.Family),
			"status", text(r.Status()), "warnings", r.warnings())
	case "parameters":
		return r.parameters().Set("status", text(r.Counted()))
	case "memory":
		return r.memoryTree()
	case "compute":
		return r.unsure(r.computeTree())
	case "training":
		return r.unsure(r.trainingTree())
	case "layer":
		return r.layer()
	case "layers":
		return r.layers()
	case "running":
		if running, ok := r.runningTree(); ok {
			return r.unsure(running)
		}
	case "predicted":
		if r.Predicted.Len() > 0 {
			return r.unsure(r.Predicted)
		}
	case "rules":
		if rule, ok := r.twelve(); ok {
			return object("12lh2", rule)
		}
	case "compare":
		if r.Other != nil {
			return r.compareTree()
		}
	case "config":
		return r.keysTree()
	}
	return jsonout.Value{}
}

// keysTree are the keys that the model was described by, with their values.
func (r *Report) keysTree() jsonout.Value {
	keys := config.Value{Kind: config.Object}
	for _, k := range r.Model.Keys {
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
	return jsonout.Of(keys)
}

// unsure marks what follows from more than the count.
func (r *Report) unsure(o jsonout.Value) jsonout.Value {
	if !r.Exact() {
		o = o.Set("status", text("estimate"))
	}
	return o
}

// memoryTree is every lens on bytes; training is absent where the model cannot be trained so, and what holds
// tokens where it reads none.
func (r *Report) memoryTree() jsonout.Value {
	o := object("weights", r.weightsTree())
	if !reads(r.Model) {
		return o
	}
	o = o.Set("kv_cache", r.unsure(r.cacheTree()))
	if r.Training.Memory != nil {
		t := r.unsure(r.trainingMemory())
		if why := r.SumUnsure(); why != "" {
			t = t.Set("status", text("estimate")).Set("reason", text(why))
		}
		if r.Timelines.Training.Len() > 0 {
			t = t.Set("timeline", r.Timelines.Training)
		}
		o = o.Set("training", t)
	}
	if r.Timelines.Inference.Len() > 0 {
		o = o.Set("inference", object("timeline", r.Timelines.Inference))
	}
	return o.Set("total", r.totalTree())
}

// JSON returns the tree as indented text.
func (r *Report) JSON() string { return r.Tree().Indent() }

func (r *Report) warnings() jsonout.Value {
	l := jsonout.List()
	for _, w := range r.Warnings {
		l = l.Append(text(w.String()))
	}
	return l
}

func (r *Report) parameters() jsonout.Value {
	p := &r.Parameters
	roles := jsonout.Object()
	for i, n := range p.ByRole {
		if n != 0 {
			roles = roles.Set(model.Role(i).String(), number(int64(n)))
		}
	}
	parts := jsonout.List()
	for _, c := range p.Components {
		o := object("block", text(c.Block), "title", text(c.Title), "role", text(c.Role.String()), "layers", number(c.Layers), "each", number(int64(c.Each)), "total", number(int64(c.Total)))
		if c.Kind != "" {
			o = o.Set("kind", text(c.Kind))
		}
		parts = parts.Append(o)
	}
	var whole, terms, missing jsonout.Value
	if x := p.Repository; x != nil {
		whole, terms = number(int64(x.Total)), jsonout.List()
		for _, t := range x.Terms {
			terms = terms.Append(object("reason", text(t.Reason), "parameters", number(int64(t.Parameters))))
		}
		if x.Missing > 0 {
			missing = number(int64(x.Missing))
		}
	}
	return object("total", number(int64(p.Total)), "buffers", number(int64(p.Buffers)), "stored", number(int64(p.Stored)),
		"active", number(int64(p.Active)), "active_without_embedding", number(int64(p.ActiveWithoutEmbedding)),
		"active_without_embedding_and_head", number(int64(p.ActiveWithoutEmbeddingAndHead)),
		"by_role", roles, "repository", whole, "repository_terms", terms, "repository_missing", missing, "components", parts)
}

func (r *Report) cacheTree() jsonout.Value {
	terms := jsonout.List()
	for _, t := range r.Cache.Terms {
		o := object("what", text(t.What), "layers", number(t.Layers), "elements", number(t.Elements), "format", text(t.Format), "bytes", number(t.Bytes), "bytes_each", number(t.Each))
		if f, ok := memory.FormatNamed(t.Format); ok {
			o = o.Set("bits", jsonout.Float(float64(8*f.Bytes)/float64(f.Block), 9))
		}
		if t.Tokens > 0 {
			o = o.Set("tokens", number(t.Tokens))
		}
		if t.Window > 0 {
			o = o.Set("window", number(t.Window))
		}
		terms = terms.Append(o)
	}
	o := object("bytes", number(int64(r.Cache.Bytes)), "bytes_per_token", number(int64(r.Cache.PerToken)),
		"format", text(r.Query.Get(query.KV)), "policy", text(r.Query.Get(query.KVPolicy)), "terms", terms)
	all := jsonout.Object()
	for _, p := range r.Policies() {
		if p.Fault == nil {
			all = all.Set(p.Name, number(p.Bytes))
		}
	}
	if all.Len() > 0 {
		o = o.Set("policies", all)
	}
	return o
}

// layer is the first layer of the first stack, in short.
func (r *Report) layer() jsonout.Value {
	o := jsonout.Object()
	for _, b := range r.Model.Blocks {
		if b.Index == "" || len(b.Pattern) == 0 {
			continue
		}
		full := layerTree(&b.Kinds[b.Pattern[0]], b.Index)
		for _, key := range full.Read().Keys {
			if key != "count" && key != "tensors" {
				o = o.Set(key, full.Get(key))
			}
		}
		return o
	}
	return o
}

func text(s string) jsonout.Value { return jsonout.Text(s) }

func number[N ~int64 | ~int](n N) jsonout.Value { return jsonout.Int(n) }

func object(pairs ...any) jsonout.Value { return jsonout.Object(pairs...) }

func boolean(b bool) jsonout.Value { return jsonout.Bool(b) }

func flops(f units.FLOPs) jsonout.Value { return jsonout.FLOPs(f) }

// seconds writes a time to the nanosecond.
func seconds(s float64) jsonout.Value { return jsonout.Float(s, 9) }

func millionths(x float64) jsonout.Value { return jsonout.Float(x, 6) }

func thousandths(x float64) jsonout.Value { return jsonout.Float(x, 3) }
