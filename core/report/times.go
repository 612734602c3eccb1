package report

import (
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/serve"
	"llmsize/core/units"
)

// The names of comparisons of times.
const (
	Prefill   = "time of the prefill, at best"
	NextToken = "time of one new token, at best"
)

// compareTimes compares two passes at best. Where one thing bounds both, the steps
// are what it has to read, compute or send, at the first side's rate, then the
// rate. Where another bounds the second, they lead to what the first's bound takes
// there, and a last step says what binds instead, and by which factor.
func compareTimes(name string, a, b *Report, x, y *serve.Pass, work func(*Report) *Work) (Comparison, bool) {
	c := Comparison{Name: name, Unit: "ns", From: nanoseconds(x.Seconds), To: nanoseconds(y.Seconds)}
	if c.From <= 0 || c.To <= 0 {
		return c, false
	}
	changed := x.Binds != y.Binds
	from, to := roadOf(a, x, x.Binds, work), roadOf(b, y, x.Binds, work)
	if !(to.seconds > 0) { // such a peak or link is not known there
		c.step("another bound", x.Binds+" → "+y.Binds, c.To-c.From)
		return c, true
	}
	at, sum := c.From, from.sum()
	rate := float64(sum / from.seconds)
	faster := float64(to.sum() / to.seconds)
	same := rate-faster < rate*1e-9 && faster-rate < rate*1e-9
	last := nanoseconds(to.seconds)
	left := 0 // terms that differ still: the last one ends where the rate leaves it
	for i := range from.terms {
		if from.terms[i] != to.terms[i] {
			left++
		}
	}
	for i := range from.terms {
		p, q := from.terms[i], to.terms[i]
		if p == q {
			continue
		}
		left--
		sum = float64(sum + float64(q-p))
		next := nanoseconds(float64(sum / rate))
		if left == 0 && same {
			next = last
		}
		c.step(from.names[i], from.short(a, p)+" → "+from.short(a, q), next-at)
		at = next
	}
	if !same {
		c.step("rate", from.short(nil, rate)+"/s → "+from.short(nil, faster)+"/s", last-at)
		at = last
	}
	if changed {
		c.step("another bound", x.Binds+" → "+y.Binds+", "+units.Fixed(int64(float64(y.Seconds/to.seconds*1e6)+0.5), 1e6, 2)+" times as long", c.To-at)
		at = c.To
	}
	c.step("rounding", "", c.To-at)
	return c, true
}

// road is what one bound of a pass has to do, term by term, and how long that takes.
type road struct {
	names   []string
	terms   []float64 // bytes, or FLOPs
	flops   bool
	seconds float64
}

func (x *road) sum() float64 {
	sum := 0.0
	for _, t := range x.terms {
		sum = float64(sum + t)
	}
	return sum
}

// short is an amount of a road's in its short form, in the report's units; without
// one, a rate.
func (x *road) short(r *Report, n float64) string {
	switch {
	case x.flops:
		return units.FLOPs(n).Short()
	case r == nil:
		return units.Bytes(n + 0.5).GB()
	}
	return units.Bytes(n + 0.5).In(r.Query.Get(query.Units))
}

// roadOf is what a bound of a pass has to do: "memory", "compute" or "link".
func roadOf(r *Report, p *serve.Pass, bound string, work func(*Report) *Work) road {
	switch bound {
	case "memory":
		return road{names: []string{"weights", "cache"}, terms: []float64{p.Weights, p.Cache}, seconds: p.Memory}
	case "link":
		t := &p.Traffic
		return road{names: []string{"all-reduce", "between stages", "to experts and back"}, terms: []float64{t.AllReduce, t.Stages, t.Experts}, seconds: p.Link}
	}
	x := road{names: make([]string, model.NumRoles+2), terms: make([]float64, model.NumRoles+2), flops: true, seconds: p.Compute}
	for i := range x.names {
		x.names[i] = operation(i)
	}
	replicas := max(r.Running.Layout.DP, 1)
	batch := r.Query.Int(query.Batch)
	part := float64((batch+replicas-1)/replicas) / float64(batch) // of the sequences
	rest := p.FLOPs
	for i := range work(r).Terms {
		t := &work(r).Terms[i]
		for j, n := range [...]float64{t.Matmul, t.Score, t.Conv, t.Scan} {
			at := int(t.Role)
			if j > 0 {
				at = int(model.NumRoles) + j/2
			}
			if n = float64(n * part); at != int(model.Head) {
				x.terms[at] = float64(x.terms[at] + n)
				rest = float64(rest - n)
			}
		}
	}
	// What remains is the head: a prefill has it for the last token only (Running.Speed).
	if rest > p.FLOPs*1e-9 {
		x.terms[model.Head] = rest
	}
	return x
}

// nanoseconds rounds a time; one that passes 2^62 is none.
func nanoseconds(s float64) int64 {
	if !(s < 4e9) {
		return 0
	}
	return int64(float64(s*1e9) + 0.5)
}
