// Package report answers a query: the one call that every host makes.
//
// [Answer] takes a query and the config that it is about, and returns a
// [Report]: every figure with the terms that it adds up. The page shows it
// (site/view), the command prints it, the build takes the numbers in prose from
// it by name ([Report.Numbers]), and [Report.JSON] is what programs read. All
// of them see the same integers.
package report

import (
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/units"
	"llmsize/core/work"
)

// Subject is what a query is about: a config, and whose it is.
type Subject struct {
	Slug   string // the catalogue's name for it; empty for a config that was pasted
	Name   string // "Llama-3.1-8B"
	Config config.Value
	// Model is what the config would describe, where its kind is not known and a checkpoint says more: the
	// config then gives no more than formats. Nil elsewhere.
	Model *model.Model
	// described is what the config describes, where another answer has worked it out.
	described *model.Model
	Device    *device.Device // the query's device, where the host knows it
	// Stored is what the model's published checkpoint holds beside its class, as the host knows; StoredKnown says
	// that it does, be it nothing.
	Stored      []RepositoryTerm
	StoredKnown bool
	// StoredBuffers is how many elements of the class's buffers that checkpoint holds; nil for all of them.
	StoredBuffers *int64
	// Work is what one answer may take: nil is a new work.Standard for each. A host sets it to allow less, or to have the
	// reading of the config count too; then it is for one answer.
	Work *work.Budget
}

// Report is the answer.
type Report struct {
	Query      query.Query
	Subject    Subject
	Config     config.Value // with the query's overrides in place
	Model      *model.Model
	Warnings   []fault.Warning // about the model first, then about the query
	Parameters Parameters
	Weights    Weights
	Cache      Cache
	Compute    Compute
	Training   Training
	Running    Running

	Timelines Timelines     // what a host that shows them has added
	Predicted jsonout.Value // what core/predict has added, for a host that shows it

	Other *Report // the second side of a comparison, once CompareWith has answered it

	lib *family.Library // of the families, for Resized
}

// Timelines are the parts of the JSON on what is live in each moment, which core/timeline counts when a host asks for
// them; empty until then.
type Timelines struct{ Training, Inference, Inverse, Layouts jsonout.Value }

// Exact reports whether the parameter count is exact.
func (r *Report) Exact() bool { return r.Model.Exact() }

// Status is "exact" or "estimate".
func (r *Report) Status() string {
	if r.Exact() {
		return "exact"
	}
	return "estimate"
}

// Counted is the status of the count and the weights: exact for a checkpoint too, of which the rest is an estimate.
func (r *Report) Counted() string {
	if r.Model.Counted {
		return "exact"
	}
	return r.Status()
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
	Tied                          bool                         // the head is the embedding
	ByRole                        [model.NumRoles]units.Params // adds up to Total
	Components                    []Component                  // adds up to Stored
	Repository                    *Repository                  // of the published checkpoint; nil where it is not known
}

// Component is a part of the model in all the layers of one kind.
type Component struct {
	Block    string // "layers"; the part's own title outside layers
	Kind     string // what sets the layers apart; empty when all are alike
	Title    string // "attention"
	Role     model.Role
	Layers   int64        // 1 outside layers
	InLayers bool         // whether it is in a repeated block
	Each     units.Params // in one layer
	Total    units.Params // in all of them
	Rows     []Row
}

// Row is a run of tensors of a component.
type Row struct {
	Name   string // "self_attn.q_proj.weight", without the layer's prefix
	Full   string // with it: "model.layers.{0-31}.self_attn.q_proj.weight"
	Role   model.Role
	Dims   []model.Dim
	Copies int64        // in one layer: experts
	Each   units.Params // one tensor
	Total  units.Params // all copies in all layers
	Active units.Params // of these, what works on one token
	Buffer bool
	TiedTo string // not stored: it is that tensor
}

// Answer counts a subject for a query, in every lens. The error names what
// cannot be answered; with Need set, a family that the library lacks. A run that
// the model cannot have (a layout that divides no heads, adapters of modules that
// it lacks) takes away only what is said about that run: it is named in the
// warnings, and in Training.Fault and Running.Fault.
func Answer(q query.Query, s Subject, lib *family.Library) (*Report, *fault.Error) {
	r, err := sizes(q, s, lib, (*Report).weigh, func(m *model.Model, cache memory.CacheQuestion) ([]memory.CacheTerm, int64, *fault.Error) {
		return memory.Cache(m, inEngine(cache, &s.Config))
	})
	if err != nil {
		return nil, err
	}
	r.Subject.Device = typed(&r.Query, r.Subject.Device)
	r.repository()
	unsaid, large := r.units()
	if !reads(r.Model) {
		f := &fault.Error{Problem: "it reads no text: what it takes is counted for a picture, a sound or a window of a series"}
		switch {
		case len(r.Compute.Units()) > 0:
		case r.Parameters.Stored == 0:
			f = &fault.Error{Problem: "it holds no tensor, so nothing is stored or multiplied"}
		case large:
			f = &fault.Error{Problem: "it reads no text, and what it takes is more than can be counted", Hint: "check the number of digits of each size"}
		case unsaid != "":
			f = &fault.Error{Problem: "it reads no text, and nothing says how many tokens of its input pass through " + unsaid}
		default:
			f = &fault.Error{Problem: "it reads no text, and nothing in its family, nor in this config, says how much a pass reads: what that takes is not counted"}
		}
		r.Training.Fault, r.Running.Fault = f, f
		r.warn(f, "there is no cache and no next token, and training and running are not answered")
		return r, nil
	}
	if err := r.work(); err != nil {
		return nil, err
	}
	r.Training.Fault = r.training()
	if err := r.running(); err != nil {
		return nil, err
	}
	switch run, training := r.Running.Fault, r.Training.Fault; {
	case run != nil && training != nil && *run == *training:
		r.warn(run, "training, and running on this layout, are not answered")
	default:
		r.warn(training, "training is not answered")
		r.warn(run, "running on this layout is not answered")
	}
	return r, nil
}

// warn names a fault that takes away a part of the answer.
func (r *Report) warn(f *fault.Error, lost string) {
	if f != nil {
		why := *f
		why.Field = ""
		r.Warnings = append(r.Warnings, fault.Warning{Field: f.Field, Text: why.Error() + "; " + lost})
	}
}

// Sizes answers the first part of a query: parameters, the bytes of the weights
// in a plain format, and of the cache without blocks and padding. Recipes of weights and the other lenses take
// [Answer]: then the error's Need is [Lenses].
func Sizes(q query.Query, s Subject, lib *family.Library) (*Report, *fault.Error) {
	return sizes(q, s, lib, (*Report).weighPlain, heldOnly)
}

// Count is Sizes without the cache: all that the page's first program holds, which is loaded with the page.
func Count(q query.Query, s Subject, lib *family.Library) (*Report, *fault.Error) {
	return sizes(q, s, lib, (*Report).weighPlain, nil)
}

// Briefly is Sizes, or Answer where these say that they need it. The config is described once.
func Briefly(q query.Query, s Subject, lib *family.Library) (*Report, *fault.Error) {
	_, m, err := s.describe(&q, lib)
	if err != nil {
		return nil, err
	}
	s.Work = m.Work
	again := func() {
		if s.Model == nil {
			own := *m
			s.described = &own
		}
	}
	again()
	r, err := Sizes(q, s, lib)
	if err == nil || err.Need != Lenses {
		return r, err
	}
	again()
	return Answer(q, s, lib)
}

// describe is the config under a query's overrides, and what it describes.
func (s *Subject) describe(q *query.Query, lib *family.Library) (config.Value, *model.Model, *fault.Error) {
	cfg, err := q.Apply(s.Config)
	if err != nil {
		return cfg, nil, err
	}
	budget := s.Work
	if budget == nil {
		budget = work.New(0)
	}
	m := s.Model
	if s.described != nil {
		m, s.described = s.described, nil
		m.Work = budget
	} else if m == nil {
		unit := family.Unit{Millis: q.Millis()}
		unit.Width, unit.Height = q.Picture()
		m, err = family.DescribeFor(cfg, lib, budget, unit)
	} else if m.Work = budget; len(q.Set) > 0 {
		err = &fault.Error{Field: "set." + q.Set[0].Key, Problem: "a checkpoint's sizes can't be changed", Hint: "give a config of a known kind to change its keys"}
	}
	return cfg, m, err
}

func sizes(q query.Query, s Subject, lib *family.Library, weigh func(*Report) *fault.Error, lay layout) (*Report, *fault.Error) {
	cfg, m, err := s.describe(&q, lib)
	if err != nil {
		return nil, err
	}
	r := &Report{Query: q, Subject: s, Config: cfg, Model: m, Warnings: m.Warnings[:len(m.Warnings):len(m.Warnings)], lib: lib}
	r.Parameters.count(m)
	if err := weigh(r); err != nil {
		return nil, err
	}
	if lay != nil {
		if err := r.cache(lay); err != nil {
			return nil, err
		}
	}
	return r, nil
}
