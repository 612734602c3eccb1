package rules

import (
	"llmsize/core/report"
)

// Quantity is what a rule is about.
type Quantity uint8

// The quantities, in the order in which tables show them.
const (
	Parameters       Quantity = iota // of the whole model
	ActiveParameters                 // that work on one token
	Weights                          // bytes of the weights in the query's format
	CachePerToken                    // bytes that one more token adds to one sequence
	Cache                            // bytes of the cache for the query's context and batch
	Memory                           // bytes of weights and cache
	TrainingBytes                    // what the fullest device holds under the query's recipe
	TrainingFLOPs                    // forward and backward over one sequence of the query's seq tokens
	DecodeFLOPs                      // one new token for each sequence
	NumQuantities                    // how many there are
)

var quantityNames = [NumQuantities]struct{ name, unit string }{
	{"parameters", "params"},
	{"active parameters", "params"},
	{"bytes of the weights", "bytes"},
	{"bytes of cache for one token", "bytes"},
	{"bytes of the cache", "bytes"},
	{"bytes of weights and cache", "bytes"},
	{"bytes to train", "bytes"},
	{"FLOPs to train on one sequence", "flops"},
	{"FLOPs of one new token", "flops"},
}

// String is the quantity in words: "bytes of the weights".
func (q Quantity) String() string { return quantityNames[q].name }

// Unit is "params", "bytes" or "flops".
func (q Quantity) Unit() string { return quantityNames[q].unit }

// exact is the engine's own figure for a report. ok is false where there is none:
// a model without a cache, or a report without its FLOPs.
func (q Quantity) exact(r *report.Report) (n int64, ok bool) {
	switch q {
	case Parameters:
		return int64(r.Parameters.Total), true
	case ActiveParameters:
		return int64(r.Parameters.Active), true
	case Weights:
		return int64(r.Weights.Bytes), true
	case CachePerToken:
		return int64(r.Cache.PerToken), r.Cache.PerToken > 0
	case Cache:
		return int64(r.Cache.Bytes), r.Cache.Bytes > 0
	case Memory:
		return int64(r.Weights.Bytes) + int64(r.Cache.Bytes), r.Weights.Bytes > 0
	case TrainingBytes:
		if r.Training.Memory == nil {
			return 0, false
		}
		return r.Training.Memory.Bytes, true
	case TrainingFLOPs:
		return wholeFLOPs(&r.Compute.Train.Forward, 3)
	case DecodeFLOPs:
		return wholeFLOPs(&r.Compute.Decode, 1)
	}
	return 0, false
}

// Rule is one rule of thumb or habit of counting.
type Rule struct {
	Name    string   // short and fixed, for figures and links: "12lh2"
	Title   string   // "Twelve L h squared"
	Formula string   // in the site's letters: "12·L·h²"
	Says    string   // the formula in words, a sentence
	Right   string   // the condition under which it is right, a sentence
	Users   []string // papers and programs that count so
	Of      Quantity

	by method
}

// method is how a rule counts. ok is false where the model has not what it needs.
// Methods are pointers to data or plain functions, so that the table is laid out
// when it is compiled and a program that does not ask for it does not hold it.
type method interface {
	eval(r *report.Report, of Quantity) (value int64, terms []Term, ok bool)
}

// function is a method without data.
type function func(r *report.Report, of Quantity) (int64, []Term, bool)

func (f function) eval(r *report.Report, of Quantity) (int64, []Term, bool) { return f(r, of) }

// Term is one cause of a difference: what it adds to the rule's value on the way
// to the exact one.
type Term struct {
	Cause  Cause
	Amount int64
}

// Answer is a rule worked out for a report. Exact − Value is the sum of the terms.
type Answer struct {
	Rule  *Rule
	Value int64 // what the rule says
	Exact int64
	Terms []Term // none is zero
}

// Apply works the rule out for a report. ok is false where the rule has nothing
// to say: the model lacks what it counts, or a product passes int64.
func (rule *Rule) Apply(r *report.Report) (a Answer, ok bool) {
	a.Rule = rule
	if a.Exact, ok = rule.Of.exact(r); !ok {
		return a, false
	}
	value, terms, ok := rule.by.eval(r, rule.Of)
	if !ok {
		return a, false
	}
	a.Value = value
	rest := a.Exact - value
	for _, t := range terms {
		if t.Amount != 0 {
			a.put(t)
		}
		rest -= t.Amount
	}
	if rest != 0 {
		a.put(Term{Unexplained, rest})
	}
	return a, true
}

// put adds a term, to the one of the same cause if there is one.
func (a *Answer) put(t Term) {
	for i := range a.Terms {
		if a.Terms[i].Cause == t.Cause {
			if a.Terms[i].Amount += t.Amount; a.Terms[i].Amount == 0 {
				a.Terms = append(a.Terms[:i], a.Terms[i+1:]...)
			}
			return
		}
	}
	a.Terms = append(a.Terms, t)
}

// Named returns the rule with that name.
func Named(name string) (*Rule, bool) {
	for i := range table {
		if table[i].Name == name {
			return &table[i], true
		}
	}
	return nil, false
}

// All lists the rules in the order of their quantities.
func All() []Rule { return table[:] }

// Applying lists the answers of all rules that have something to say about a report.
func Applying(r *report.Report) []Answer {
	var out []Answer
	for i := range table {
		if a, ok := table[i].Apply(r); ok {
			out = append(out, a)
		}
	}
	return out
}
