package view

import (
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Headline is [Title] for those who have not asked: it tells whether the model is the one that its name says.
func Headline(r *report.Report) string {
	if len(r.Query.Set) == 0 {
		return Title(r)
	}
	return Name(r) + ", changed: " + r.Parameters.Total.Short() + " parameters"
}

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
	switch {
	case ofTraining(&r.Query):
		return s + whileTrained(r, unit)
	case ofRunning(&r.Query):
		return s + whetherItFits(r, unit)
	}
	return s
}

// Beside says in words what a question is compared with, beside another model, whose slug is in its vs: "2 other values",
// "context=32000 and weights=fp8"; "" where nothing is. It holds no text of the link's own: a
// word that the page would show as its own could be anybody's.
func Beside(q *query.Query) string {
	words, others := "", 0
	for _, s := range q.Vs {
		p, known := query.ParamNamed(s.Key)
		if !known || p.Worded() {
			others++
			continue
		}
		if words != "" {
			words += " and "
		}
		words += s.Key + "=" + s.Value
	}
	switch {
	case len(q.Vs) == 0:
		return ""
	case len(q.Vs) == 1 && others == 1:
		return "another value"
	case others > 0 || len(q.Vs) > 2:
		return units.Itoa(int64(len(q.Vs))) + " other values"
	}
	return words
}

// DescribedBySizes reports whether report.Sizes has all that [Described] says about a
// question: it takes a fifth of report.Answer's time.
func DescribedBySizes(q *query.Query) bool { return !ofTraining(q) && !ofRunning(q) }

// OfTraining reports whether a question is about training: it sets a key of a run.
func OfTraining(q *query.Query) bool { return ofTraining(q) }

// OfRunning reports whether a question is about running the model: it sets a key of devices, of a layout or of drafting.
func OfRunning(q *query.Query) bool { return ofRunning(q) }

func ofTraining(q *query.Query) bool {
	return sets(q, query.Optimizer, query.LoRATargets) || sets(q, query.CP, query.GlobalBatch) || sets(q, query.Rate, query.Kernels) ||
		sets(q, query.Program, query.Outputs) || sets(q, query.OptimizerKernel, query.Rollouts)
}

func ofRunning(q *query.Query) bool {
	return sets(q, query.Device, query.DP) || sets(q, query.Draft, query.Accept)
}

// sets reports whether a question sets one of the parameters from first to last.
func sets(q *query.Query, first, last query.Param) bool {
	for p := first; p <= last; p++ {
		if q.Has(p) {
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
	share := ""
	if x.Accelerators > max(x.Device.Count, 1) {
		share = " on the fullest"
	}
	s := " On " + where(x) + ": " + units.Bytes(x.Fullest.Total.Bytes).In(unit) + share + ", " + report.FitWords(x.Fits)
	if x.Context > 0 && !x.AnyContext {
		s += ", longest context " + units.Group(x.Context)
	}
	if sides := r.Sides(); sides != nil {
		s += "; with " + sides.How() + " it " + report.FitWords(sides.Fits)
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

// Note is the answer in a few words, for the corner of a picture: what the question is about, else what of the
// model works at once, or what it weighs.
func Note(r *report.Report) string {
	unit := unitOf(r)
	q, x := &r.Query, &r.Running
	switch {
	case ofTraining(q) && r.Training.Memory != nil:
		s := "training takes " + units.Bytes(r.Training.Memory.Bytes).In(unit)
		if r.Training.Devices > 1 {
			s += " on the fullest device"
		}
		return s
	case ofRunning(q) && x.Device != nil && x.Fullest != nil:
		s := fits(x.Fits) + where(x) + ", "
		if x.Accelerators > 1 {
			s += "up to " + units.Bytes(x.Fullest.Total.Bytes).In(unit) + " each"
		} else {
			s += units.Bytes(x.Fullest.Total.Bytes).In(unit)
		}
		return s
	case (sets(q, query.Context, query.Batch) || sets(q, query.KV, query.KVPolicy)) && r.Cache.Bytes > 0:
		return r.Weights.Bytes.In(unit) + " + " + r.Cache.Bytes.In(unit) + " cache"
	case r.Parameters.Active != r.Parameters.Total && r.Parameters.ByRole[model.Expert] > 0 && !q.Has(query.Weights):
		return r.Parameters.Active.Short() + " active per token"
	}
	return r.Weights.Bytes.In(unit) + " in " + r.Weights.Format
}

// where names the devices that a model runs on.
func where(x *report.Running) string {
	if n := x.Accelerators / max(x.Device.Count, 1); n > 1 {
		return units.Group(n) + " × " + x.Device.Name
	}
	return x.Device.Name
}

// fits says how what is held stands to what a device has.
func fits(answer string) string {
	switch answer {
	case "yes":
		return "fits "
	case "no":
		return "too much for "
	}
	return "may fit "
}
