package report

import (
	"llmsize/core/model"
	"llmsize/core/quant"
	"llmsize/core/units"
)

// RepositoryTerm is what a checkpoint stores beside its class for one reason.
type RepositoryTerm struct {
	Reason     string       // "prediction", "tied", "buffer", "scale", "other"
	Parameters units.Params // elements, unpacked
}

// Repository is what the model's published checkpoint holds.
type Repository struct {
	Total   units.Params     // the class's parameters and buffers, without what is missing, and the terms
	Terms   []RepositoryTerm // what is stored beside them
	Missing units.Params     // elements of the class's buffers that it lacks
}

// repository adds up what the published checkpoint holds: what the host knows of
// this one, else what the family declares of its. It stays nil where neither
// says so, where keys are overridden (that checkpoint is nobody's), and where the
// packing data cannot be counted.
func (r *Report) repository() {
	if len(r.Query.Set) > 0 || r.Subject.Model != nil {
		return
	}
	m := r.Model
	if !m.Published && !r.Subject.StoredKnown {
		return
	}
	whole := *m
	whole.Blocks = append(append([]model.Block{}, m.Blocks...), m.Beside...)
	scales, ok := int64(0), false
	for _, t := range r.Subject.Stored { // the host has counted them
		ok = ok || t.Reason == "scale"
	}
	if !ok {
		if scales, ok = quant.Scales(&whole, &r.Config); !ok {
			return
		}
	}
	out := &Repository{Total: r.Parameters.Stored}
	if n := r.Subject.StoredBuffers; n != nil && units.Params(*n) < r.Parameters.Buffers {
		out.Missing = r.Parameters.Buffers - units.Params(*n)
		out.Total -= out.Missing
	}
	put := func(reason string, n units.Params) {
		if n == 0 {
			return
		}
		out.Total += n
		for i := range out.Terms {
			if out.Terms[i].Reason == reason {
				out.Terms[i].Parameters += n
				return
			}
		}
		out.Terms = append(out.Terms, RepositoryTerm{reason, n})
	}
	beside := model.Model{Blocks: m.Beside}
	beside.Each(func(_ *model.Block, _ *model.Kind, p *model.Part, t *model.Tensor, layers int64) {
		put(p.Title, t.Params(layers))
	})
	for _, t := range r.Subject.Stored {
		put(t.Reason, t.Parameters)
	}
	put("scale", units.Params(scales))
	r.Parameters.Repository = out
}
