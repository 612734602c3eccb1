package report

import (
	"llmsize/core/arch"
	"llmsize/core/memory"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Comparison leads from one report's figure to another's: To − From is the sum
// of the steps.
type Comparison struct {
	Name     string // "parameters"
	Unit     string // "params", "bytes" or "flops"
	From, To int64
	Steps    []Step // none is zero
}

// Step is what one role, term or factor makes of a difference.
type Step struct {
	Name   string // "attention"; "keys and values"
	Note   string // what changed: "8,192 → 32,768 tokens"; may be empty
	Amount int64
}

// Compare leads from report a to report b, figure by figure: two models, or one
// model under two queries. A figure is there when both reports have it. FLOPs
// are left out where they pass 2^60.
func Compare(a, b *Report) []Comparison {
	out := []Comparison{
		roles("parameters", "params", a, b, func(r *Report) (by [arch.NumRoles]int64, rest, total int64) {
			return rolesOf(r, 8), 0, int64(r.Parameters.Total)
		}),
		roles("bytes of the weights", "bytes", a, b, func(r *Report) (by [arch.NumRoles]int64, rest, total int64) {
			w := &r.Weights
			if w.Bits == 0 {
				return by, int64(w.Bytes), int64(w.Bytes)
			}
			by = rolesOf(r, w.Bits)
			for _, n := range by {
				rest -= n
			}
			return by, rest + int64(w.Bytes), int64(w.Bytes)
		}),
	}
	if a.Cache.Bytes > 0 || b.Cache.Bytes > 0 {
		out = append(out, compareCaches(a, b))
	}
	for _, x := range []struct {
		name string
		work func(r *Report) *Work
	}{
		{"FLOPs of the prefill", func(r *Report) *Work { return &r.Compute.Prefill }},
		{"FLOPs of one new token", func(r *Report) *Work { return &r.Compute.Decode }},
		{"FLOPs of one training sequence, forward", func(r *Report) *Work { return &r.Compute.Train.Forward }},
	} {
		if c, ok := compareWork(x.name, x.work(a), x.work(b)); ok {
			out = append(out, c)
		}
	}
	return out
}

// rolesOf is the parameters by role, times bits, in eighths.
func rolesOf(r *Report, bits int64) (by [arch.NumRoles]int64) {
	for i, n := range r.Parameters.ByRole {
		by[i] = int64(n) / 8 * bits
		by[i] += int64(n) % 8 * bits / 8
	}
	return by
}

// roles compares figures by role; rest is what belongs to none: buffers, scales.
func roles(name, unit string, a, b *Report, figure func(*Report) (by [arch.NumRoles]int64, rest, total int64)) Comparison {
	c := Comparison{Name: name, Unit: unit}
	from, fromRest, fromTotal := figure(a)
	to, toRest, toTotal := figure(b)
	c.From, c.To = fromTotal, toTotal
	for i := range from {
		c.step(arch.Role(i).String(), "", to[i]-from[i])
	}
	c.step("not by role", "", toRest-fromRest)
	return c
}

// step adds a step that is not nothing.
func (c *Comparison) step(name, note string, n int64) {
	if n != 0 {
		c.Steps = append(c.Steps, Step{name, note, n})
	}
}

// compareCaches pairs the terms of two caches by what they keep, and takes pairs
// apart by their factors: layers, bytes of a token in a layer, tokens, sequences.
func compareCaches(a, b *Report) Comparison {
	c := Comparison{Name: "bytes of the cache", Unit: "bytes", From: int64(a.Cache.Bytes), To: int64(b.Cache.Bytes)}
	used := make([]bool, len(b.Cache.Terms))
	for i := range a.Cache.Terms {
		x := &a.Cache.Terms[i]
		at := -1
		for j := range b.Cache.Terms {
			y := &b.Cache.Terms[j]
			if !used[j] && y.What == x.What && (y.Window > 0) == (x.Window > 0) && (at < 0 || y.Kind == x.Kind) {
				at = j
			}
		}
		if at < 0 {
			c.step(cacheName(x), "only the first keeps it", -x.Bytes)
			continue
		}
		used[at] = true
		c.pair(x, &b.Cache.Terms[at], a.Query.Int(query.Batch), b.Query.Int(query.Batch))
	}
	for j := range b.Cache.Terms {
		if !used[j] {
			c.step(cacheName(&b.Cache.Terms[j]), "only the second keeps it", b.Cache.Terms[j].Bytes)
		}
	}
	return c
}

func cacheName(t *memory.CacheTerm) string {
	if t.Window > 0 {
		return t.What + ", windowed"
	}
	return t.What
}

// pair takes the difference of two terms of a kind apart, factor by factor in a
// fixed order.
func (c *Comparison) pair(x, y *memory.CacheTerm, fromBatch, toBatch int64) {
	from := [...]int64{x.Layers, x.Each, max(x.Tokens, 1), fromBatch}
	to := [...]int64{y.Layers, y.Each, max(y.Tokens, 1), toBatch}
	words := [...]string{"layers", "bytes of a token in a layer", "tokens", "sequences"}
	if x.Tokens == 0 {
		words[1] = "bytes of a state"
	}
	if product(from[:]) != x.Bytes || product(to[:]) != y.Bytes {
		c.step(cacheName(x), "", y.Bytes-x.Bytes)
		return
	}
	now := from
	for i := range now {
		before := product(now[:])
		now[i] = to[i]
		note := units.Group(from[i]) + " → " + units.Group(to[i]) + " " + words[i]
		c.step(cacheName(x), note, product(now[:])-before)
	}
}

// product multiplies factors whose product is known to fit, or nearly: a step on
// the way may pass int64, and then wraps like its neighbour, so that the sum holds.
func product(factors []int64) int64 {
	n := int64(1)
	for _, f := range factors {
		n *= f
	}
	return n
}

// compareWork compares two passes by role and by kind of operation.
func compareWork(name string, a, b *Work) (Comparison, bool) {
	c := Comparison{Name: name, Unit: "flops"}
	from, fromSum, ok1 := operations(a)
	to, toSum, ok2 := operations(b)
	if !ok1 || !ok2 || fromSum == 0 && toSum == 0 {
		return c, false
	}
	c.From, c.To = fromSum, toSum
	for i := range from {
		label := "attention scores"
		switch {
		case i < int(arch.NumRoles):
			label = arch.Role(i).String()
		case i == int(arch.NumRoles)+1:
			label = "scans and convolutions"
		}
		c.step(label, "", to[i]-from[i])
	}
	return c, true
}

// operations sorts a pass: matrix products by role, then scores, then scans and
// convolutions.
func operations(w *Work) (by [arch.NumRoles + 2]int64, sum int64, ok bool) {
	for i := range w.Terms {
		t := &w.Terms[i]
		for j, x := range [...]float64{t.Matmul, t.Score, t.Conv, t.Scan} {
			if !(x < 1<<60) {
				return by, 0, false
			}
			at := int(t.Role)
			if j > 0 {
				at = int(arch.NumRoles) + j/2
			}
			by[at] += int64(x)
			if sum += int64(x); sum > 1<<60 {
				return by, 0, false
			}
		}
	}
	return by, sum, true
}
