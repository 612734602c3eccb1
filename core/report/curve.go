package report

import (
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/units"
)

// CacheAt is the cache at one context: of the report's query, and of the same
// model with plain multi-head attention ([memory.Multihead]), in bytes.
type CacheAt struct {
	Context          int64
	Bytes, Multihead int64
}

// CacheCurve works the cache out at several contexts, all else as the query asks.
// Contexts at which it cannot be counted are left out.
func (r *Report) CacheCurve(contexts []int64) []CacheAt {
	q, err := r.CacheQuestion()
	if err != nil {
		return nil
	}
	plain := memory.Multihead(r.Model)
	out := make([]CacheAt, 0, len(contexts))
	for _, n := range contexts {
		q.Context = n
		if !r.Query.Has(query.Prompt) {
			q.Encoder = n
		}
		at := CacheAt{Context: n}
		if _, at.Bytes, err = memory.Cache(r.Model, q); err != nil {
			continue
		}
		full := q
		full.Policy = memory.Minimum
		if _, at.Multihead, err = memory.Cache(plain, full); err != nil {
			continue
		}
		out = append(out, at)
	}
	return out
}

// Positions is how many positions the config names; 0 when it names none.
func (r *Report) Positions() int64 {
	n, _ := r.positions()
	return n
}

// positions is how many positions the config names, or its class's default, and
// under which key.
func (r *Report) positions() (int64, string) {
	for _, given := range [...]bool{true, false} {
		for _, name := range [...]string{"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length", "model_max_length"} {
			if !given {
				if n, ok := r.Model.Value(name); ok && n > 1 && n < query.MaxCount {
					return n, name
				}
				continue
			}
			for _, x := range [...]*config.Value{&r.Config, r.Config.Get("text_config")} {
				if n, ok := x.Get(name).Int(); ok && n > 1 && n < query.MaxCount {
					return n, name
				}
			}
		}
	}
	return 0, ""
}

// StepActivations is what a pass over one new token of every sequence works with,
// beside weights and cache, in bytes: the footprint's activations (or compute
// buffer) and logits of such a step.
func (r *Report) StepActivations() int64 {
	q, err := r.CacheQuestion()
	if err != nil {
		return 0
	}
	terms, _, err := memory.Footprint(r.Model, memory.Serving{CacheQuestion: q, Prompt: 1, Flash: r.Query.Get(query.Flash) == "on", TP: max(r.Running.Layout.TP, 1), Devices: 1})
	if err != nil {
		return 0
	}
	n := int64(0)
	for i := range terms {
		if w := terms[i].What; w != "weights" && w != "cache" && w != "runtime" {
			n += terms[i].Bytes
		}
	}
	return n
}

// Resized counts the model again with some config keys set, beside those that
// the query sets: its parameters in the layers and outside of them.
func (r *Report) Resized(set []query.Setting) (layers, rest units.Params, err *fault.Error) {
	q := r.Query
	for _, s := range set {
		if err := q.PutSet(s.Key, s.Value); err != nil {
			return 0, 0, err
		}
	}
	cfg, err := q.Apply(r.Subject.Config)
	if err != nil {
		return 0, 0, err
	}
	m, err := family.DescribeWithin(cfg, r.lib, r.Model.Work.Rest(4)) // a chart asks for four
	if err != nil {
		return 0, 0, err
	}
	layers, rest = InLayers(m)
	return layers, rest, nil
}

// InLayers divides a model's trainable parameters into those of its layers and
// those outside of them.
func InLayers(m *model.Model) (layers, rest units.Params) {
	m.Each(func(b *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, n int64) {
		switch {
		case t.Buffer || t.TiedTo != "":
		case b.Index != "":
			layers += t.Params(n)
		default:
			rest += t.Params(n)
		}
	})
	return layers, rest
}
