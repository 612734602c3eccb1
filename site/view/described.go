package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Described is the answer in a few plain sentences, as a shared link shows it: the exact
// count, then what the question is about.
func Described(r *report.Report) string {
	unit := unitOf(r)
	p := &r.Parameters
	s := p.Total.String() + " parameters"
	if !r.Exact() {
		s += " (an estimate)"
	}
	if p.Active != p.Total {
		s += ", " + p.Active.Short() + " active for each token"
	}
	s += ". Weights " + r.Weights.Bytes.In(unit) + " in " + r.Weights.Format
	if r.Cache.Bytes > 0 {
		s += ", cache " + r.Cache.Bytes.In(unit) + " for "
		if batch := r.Query.Int(query.Batch); batch > 1 {
			s += units.Group(batch) + " × "
		}
		s += units.Group(r.Query.Int(query.Context)) + " tokens"
	}
	s += "."
	if asks(r, query.Optimizer, query.LoRATargets) {
		return s + whileTrained(r, unit)
	}
	if asks(r, query.Device, query.DP) {
		return s + whetherItFits(r, unit)
	}
	return s
}

// asks reports whether a question sets one of the parameters from first to last.
func asks(r *report.Report, first, last query.Param) bool {
	for p := first; p <= last; p++ {
		if r.Query.Has(p) {
			return true
		}
	}
	return false
}

// whetherItFits says so, and what would.
func whetherItFits(r *report.Report, unit string) string {
	x := &r.Running
	if x.Device == nil || x.Fullest == nil {
		return ""
	}
	where, share := x.Device.Name, ""
	if n := x.Accelerators / max(x.Device.Count, 1); n > 1 {
		where, share = units.Group(n)+" × "+where, " on the fullest"
	}
	s := " On " + where + ": " + units.Bytes(x.Fullest.Total.Bytes).In(unit) + share + ", "
	switch x.Fits {
	case "yes":
		s += "fits"
	case "no":
		s += "does not fit"
	default:
		s += "may fit"
	}
	if x.Context > 0 && !x.AnyContext {
		s += ", longest context " + units.Group(x.Context)
	}
	return s + "."
}

// whileTrained says what the fullest device holds while the model is trained.
func whileTrained(r *report.Report, unit string) string {
	t := &r.Training
	if t.Memory == nil {
		return ""
	}
	s := " Training takes " + units.Bytes(t.Memory.Bytes).In(unit) + " on the fullest device"
	if t.Trainable != r.Parameters.Total {
		s += ", " + t.Trainable.Short() + " parameters of adapters"
	}
	return s + "."
}
