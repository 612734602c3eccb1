// Package report answers a query: the one call that every host makes.
//
// [Answer] takes a query and the config that it is about, and returns a
// [Report]: every figure with the terms that it adds up. The page shows it
// (site/view), the command prints it, the build takes the numbers in prose from
// it by name ([Report.Number]), and [Report.JSON] is what programs read. All
// of them see the same integers.
package report

import (
	"llmsize/core/arch"
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/quant"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Subject is what a query is about: a config, and whose it is.
type Subject struct {
	Slug   string // the catalogue's name for it; empty for a config that was pasted
	Name   string // "Llama-3.1-8B"
	Config config.Value
}

// Report is the answer.
type Report struct {
	Query      query.Query
	Subject    Subject
	Config     config.Value // with the query's overrides in place
	Model      *arch.Model
	Warnings   []fault.Warning // about the model first, then about the query
	Parameters Parameters
	Weights    Weights
	Cache      Cache
	Compute    Compute
	Training   Training
}

// Exact reports whether the parameter count is exact.
func (r *Report) Exact() bool { return r.Model.Exact() }

// Status is "exact" or "estimate".
func (r *Report) Status() string {
	if r.Exact() {
		return "exact"
	}
	return "estimate"
}

// Parameters is the count, by role and by component.
type Parameters struct {
	Total   units.Params // trainable, tied counted once, buffers left out
	Buffers units.Params // elements of persistent buffers
	Stored  units.Params // Total + Buffers: the sum over the tensors
	Active  units.Params // per token, buffers left out
	// Beside Active, because papers differ in what they call active.
	ActiveWithoutEmbedding        units.Params
	ActiveWithoutEmbeddingAndHead units.Params
	Tied                          bool                        // the head is the embedding
	ByRole                        [arch.NumRoles]units.Params // adds up to Total
	Components                    []Component                 // adds up to Stored
}

// Component is a part of the model in all the layers of one kind.
type Component struct {
	Block    string // "layers"; the part's own title outside layers
	Kind     string // what sets the layers apart; empty when all are alike
	Title    string // "attention"
	Role     arch.Role
	Layers   int64        // 1 outside layers
	InLayers bool         // whether it stands in a repeated block
	Each     units.Params // in one layer
	Total    units.Params // in all of them
	Rows     []Row
}

// Row is a run of tensors of a component.
type Row struct {
	Name   string // "self_attn.q_proj.weight", without the layer's prefix
	Full   string // with it: "model.layers.{0-31}.self_attn.q_proj.weight"
	Role   arch.Role
	Dims   []arch.Dim
	Copies int64        // in one layer: experts
	Each   units.Params // one tensor
	Total  units.Params // all copies in all layers
	Buffer bool
	TiedTo string // not stored: it is that tensor
}

// Weights is what the tensors take in the query's format.
type Weights struct {
	Format string // "bf16"
	Asked  string // "auto" when the config decides
	Why    string // where auto found it: "torch_dtype"
	Bits   int64
	Bytes  units.Bytes
}

// Answer counts a subject for a query, in every lens. The error names what
// cannot be answered; with Need set, a family that the library lacks.
func Answer(q query.Query, s Subject, lib *arch.Library) (*Report, *fault.Error) {
	r, err := Sizes(q, s, lib)
	if err != nil {
		return nil, err
	}
	r.work()
	if err := r.training(); err != nil {
		return nil, err
	}
	return r, nil
}

// Sizes answers the first part of a query: parameters, the bytes of the weights
// and of the cache. It is all that the page's first program holds; the other
// lenses are loaded when somebody looks through them.
func Sizes(q query.Query, s Subject, lib *arch.Library) (*Report, *fault.Error) {
	cfg, err := q.Apply(s.Config)
	if err != nil {
		return nil, err
	}
	m, err := arch.Describe(cfg, lib)
	if err != nil {
		return nil, err
	}
	r := &Report{Query: q, Subject: s, Config: cfg, Model: m, Warnings: m.Warnings}
	r.Parameters = countParameters(m)
	if err := r.weigh(); err != nil {
		return nil, err
	}
	if err := r.cache(); err != nil {
		return nil, err
	}
	return r, nil
}

// weigh works out the bytes of the weights.
func (r *Report) weigh() *fault.Error {
	w := &r.Weights
	w.Asked = r.Query.Get(query.Weights)
	w.Format = w.Asked
	if w.Asked == "auto" {
		w.Format, w.Why = ownFormat(r.Config)
		if own := r.Config.Get("quantization_config"); own.Kind == config.Object {
			method := own.Get("quant_method").Text
			r.Warnings = append(r.Warnings, fault.Warning{Field: "quantization_config",
				Text: "the checkpoint is quantized (" + fault.Clip(method, 40) + "); the bytes are those of its unquantized tensors in " + w.Format})
		}
	}
	p, ok := quant.PlainNamed(w.Format)
	if !ok {
		return &fault.Error{Field: "weights", Given: w.Format, Problem: "is not a format of weights"}
	}
	w.Bits = p.Bits
	n := int64(r.Parameters.Stored)
	if n > (1<<63-1)/w.Bits {
		return &fault.Error{Field: "weights", Given: w.Format, Problem: "the weights are too large to count"}
	}
	w.Bytes = units.Bytes(n * w.Bits / 8)
	return nil
}

// ownFormat is the format that a config names for itself, and the key that does.
func ownFormat(cfg config.Value) (format, why string) {
	for _, where := range []string{"", "text_config"} {
		c := cfg
		if where != "" {
			c = cfg.Get(where)
		}
		for _, key := range []string{"dtype", "torch_dtype"} {
			if f, ok := quant.FromDType(c.Get(key).Text); ok {
				if where != "" {
					key = where + "." + key
				}
				return f, key
			}
		}
	}
	return "bf16", ""
}
