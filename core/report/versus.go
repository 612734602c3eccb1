package report

import (
	"llmsize/core/fault"
	"llmsize/core/jsonout"
)

// CompareWith answers the second side of the report's query (query.Second) and
// keeps it in r.Other. other is what it is about: another model's config, or the
// report's own subject again. A query without a second side is left as it is.
func (r *Report) CompareWith(other Subject) *fault.Error {
	second, ok := r.Query.Second()
	if !ok {
		return nil
	}
	if other.Work == nil || other.Work == r.Model.Work {
		other.Work = r.Model.Work.Rest(1) // both sides are one question
	}
	x, err := Answer(second, other, r.lib)
	if err != nil {
		if err.Field != "" {
			err.Field = "." + err.Field
		}
		err.Field = "vs" + err.Field
		return err
	}
	r.Other = x
	return nil
}

// compareTree is how the report leads to its other side: every figure that both
// have, with the steps between.
func (r *Report) compareTree() jsonout.Value {
	figures := jsonout.List()
	for _, c := range Compare(r, r.Other) {
		figures = figures.Append(c.JSON())
	}
	o := r.Other
	return object("query", text(o.Query.String()), "name", text(o.Subject.Name), "status", text(o.Status()), "warnings", o.warnings(), "figures", figures)
}
