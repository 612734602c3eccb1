package report

import (
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/serve"
	"llmsize/core/train"
	"llmsize/core/units"
)

// Comparison leads from one report's figure to another's: To − From is the sum
// of the steps.
type Comparison struct {
	Name     string // "parameters"
	Unit     string // "params", "bytes", "flops" or "ns", nanoseconds
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
//
// A step is a role, a term, or one factor of these: layers, then what a layer
// has, then bytes. Factors change one after the other, in this order, so what two
// of them do together is the later one's.
func Compare(a, b *Report) []Comparison {
	out := []Comparison{compareParameters(a, b), compareWeights(a, b)}
	if a.Cache.Bytes > 0 || b.Cache.Bytes > 0 {
		out = append(out, compareCaches(a, b))
	}
	out = append(out, compareFootprints(a, b))
	work := func(name string, x, y *Work, times factor) {
		if c, ok := compareWork(name, x, y, times); ok {
			out = append(out, c)
		}
	}
	ask := func(p query.Param) (int64, int64) { return a.Query.Int(p), b.Query.Int(p) }
	prompt, prompt2 := ask(query.Prompt)
	batch, batch2 := ask(query.Batch)
	seq, seq2 := ask(query.Seq)
	work("FLOPs of the prefill", &a.Compute.Prefill, &b.Compute.Prefill, factor{"tokens", times(prompt, batch), times(prompt2, batch2)})
	work("FLOPs of one new token", &a.Compute.Decode, &b.Compute.Decode, factor{"sequences", batch, batch2})
	work("FLOPs of one training sequence, forward", &a.Compute.Train.Forward, &b.Compute.Train.Forward, factor{"tokens", seq, seq2})
	if x, y := a.Training.Memory, b.Training.Memory; x != nil && y != nil {
		c := Comparison{Name: "bytes to train, fullest device", Unit: "bytes", From: x.Bytes, To: y.Bytes}
		for p := range x.Parts {
			c.step(train.Part(p).String(), "", y.Parts[p]-x.Parts[p])
		}
		out = append(out, c)
	}
	for _, x := range [...]struct {
		name string
		a, b *serve.Pass
		work func(*Report) *Work
	}{
		{Prefill, &a.Running.Speed.Prefill, &b.Running.Speed.Prefill, func(r *Report) *Work { return &r.Compute.Prefill }},
		{NextToken, &a.Running.Speed.Decode, &b.Running.Speed.Decode, func(r *Report) *Work { return &r.Compute.Decode }},
	} {
		if c, ok := compareTimes(x.name, a, b, x.a, x.b, x.work); ok {
			out = append(out, c)
		}
	}
	for i := range figure.Live {
		f := &figure.Live[i]
		if !f.Own || f.Lens == "" {
			continue
		}
		of := func(r *Report) side {
			return side{func(name string) string { return r.PathOf(f.ID, name) }, r.Of}
		}
		if e, _ := formula.Parse(f.Formula); a.Of(f.ID) > 0 && b.Of(f.ID) > 0 {
			if c, ok := compareFigure(f, unitOf(f.Unit, 0), e, of(a), of(b), a.Query.Get(query.Units), figure.Shown); ok {
				out = append(out, c)
			}
		}
	}
	if c, ok := compareRoom(a, b); ok {
		out = append(out, c)
	}
	if c, ok := compareTrainingRoom(a, b); ok {
		out = append(out, c)
	}
	return out
}

// step adds a step that is not nothing.
func (c *Comparison) step(name, note string, n int64) {
	if n != 0 {
		c.Steps = append(c.Steps, Step{name, note, n})
	}
}

// times is a product of counts, 0 where it passes int64: no difference is split by it.
func times(a, b int64) int64 {
	n, _ := units.Mul(a, b)
	return n
}

// factor is one factor of two amounts: how many there are on either side.
type factor struct {
	words    string // "layers"
	from, to int64
}

// split leads from one product to another, factor by factor. It reports false,
// and does nothing, when the factors do not make the amounts.
func (c *Comparison) split(name string, from, to int64, factors ...factor) bool {
	all := true // no step on the way passes int64
	product := func(changed int) int64 {
		n, ok := int64(1), true
		for i, f := range factors {
			by := f.from
			if i < changed {
				by = f.to
			}
			if n, ok = units.Mul(n, by); !ok {
				all = false
			}
		}
		return n
	}
	for i := range factors {
		product(i)
	}
	if product(0) != from || product(len(factors)) != to || !all {
		return false
	}
	for i, f := range factors {
		c.step(name, units.Group(f.from)+" → "+units.Group(f.to)+" "+f.words, product(i+1)-product(i))
	}
	return true
}

// compareParameters compares role by role, and layers apart from what each holds.
func compareParameters(a, b *Report) Comparison {
	c := Comparison{Name: "parameters", Unit: "params", From: int64(a.Parameters.Total), To: int64(b.Parameters.Total)}
	for role := range model.NumRoles {
		from, to := int64(a.Parameters.ByRole[role]), int64(b.Parameters.ByRole[role])
		if !c.role(a, b, role, from, to, 1) {
			c.step(role.String(), "", to-from)
		}
	}
	return c
}

// role takes a role's difference apart where its elements, times scale, are the
// same in every layer that has any, or are one matrix. It reports false where not.
func (c *Comparison) role(a, b *Report, role model.Role, from, to, scale int64) bool {
	x, ok1 := a.Parameters.spread(role)
	y, ok2 := b.Parameters.spread(role)
	if !ok1 || !ok2 || x.layered != y.layered {
		return false
	}
	words := [...]string{"rows", "columns"}
	if x.layered {
		words = [...]string{"layers", "in each layer"}
	}
	return c.split(role.String(), from, to, factor{words[0], x.times, y.times}, factor{words[1], x.each * scale, y.each * scale})
}

// spread is how a role's parameters are spread over the model: times · each.
type spread struct {
	times, each int64
	layered     bool
}

// spread finds it; ok is false where layers differ, or there is more than one
// matrix outside layers.
func (p *Parameters) spread(role model.Role) (s spread, ok bool) {
	kind, layers, sum := "", int64(0), int64(0)
	close := func() bool { // one kind of layer has been summed up
		same := s.times == 0 || s.each == sum
		if s.times, s.each = s.times+layers, sum; sum == 0 {
			same = false
		}
		layers, sum = 0, 0
		return same
	}
	for i := range p.Components {
		x := &p.Components[i]
		for j := range x.Rows {
			row := &x.Rows[j]
			if row.Role != role || row.TiedTo != "" || row.Buffer {
				continue
			}
			if !x.InLayers {
				if s.times > 0 || layers > 0 || len(row.Dims) != 2 || row.Copies != 1 {
					return s, false
				}
				s.times, s.each = row.Dims[0].Size, row.Dims[1].Size
				continue
			}
			at := x.Block + "\x00" + x.Kind
			if s.times > 0 && !s.layered || layers > 0 && at != kind && !close() {
				return s, false
			}
			kind, layers, s.layered = at, x.Layers, true
			sum += int64(row.Each) * row.Copies
		}
	}
	if layers > 0 && !close() {
		return s, false
	}
	return s, s.times > 0
}

// compareWeights compares bytes role by role: what the parameters make, then what
// the format makes.
func compareWeights(a, b *Report) Comparison {
	c := Comparison{Name: "bytes of the weights", Unit: "bytes", From: int64(a.Weights.Bytes), To: int64(b.Weights.Bytes)}
	from, to := a.bytesByRole(), b.bytesByRole()
	x, y := a.Weights.Bits/8, b.Weights.Bits/8
	formats := a.Weights.Format + " → " + b.Weights.Format
	if a.Weights.Format == b.Weights.Format {
		formats = ""
	}
	elementsA, elementsB := a.elementsByRole(), b.elementsByRole()
	for role := range model.NumRoles {
		name := role.String()
		parameters := func(each int64) {
			if !c.role(a, b, role, elementsA[role]*each, elementsB[role]*each, each) {
				c.step(name, "", (elementsB[role]-elementsA[role])*each)
			}
		}
		switch {
		case x > 0:
			parameters(x)
			c.step(name, formats, to[role]-elementsB[role]*x)
		case y > 0:
			c.step(name, formats, elementsA[role]*y-from[role])
			parameters(y)
		default:
			c.step(name, formats, to[role]-from[role])
		}
	}
	return c
}

// bytesByRole is what each role's tensors take, buffers with them.
func (r *Report) bytesByRole() [model.NumRoles]int64 {
	if r.Weights.Bits == 0 {
		return r.Weights.ByRole
	}
	by := r.elementsByRole()
	for i := range by {
		by[i] *= r.Weights.Bits / 8
	}
	return by
}

// elementsByRole counts what is stored.
func (r *Report) elementsByRole() (by [model.NumRoles]int64) {
	for i := range r.Parameters.Components {
		for j := range r.Parameters.Components[i].Rows {
			if row := &r.Parameters.Components[i].Rows[j]; row.TiedTo == "" {
				by[row.Role] += int64(row.Total)
			}
		}
	}
	return by
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
		y := &b.Cache.Terms[at]
		each := "bytes of a token in a layer"
		if x.Tokens == 0 {
			each = "bytes of a state"
		}
		if !c.split(cacheName(x), x.Bytes, y.Bytes, factor{"layers", x.Layers, y.Layers}, factor{each, x.Each, y.Each},
			factor{"tokens", max(x.Tokens, 1), max(y.Tokens, 1)}, factor{"sequences", a.Query.Int(query.Batch), b.Query.Int(query.Batch)}) {
			c.step(cacheName(x), "", y.Bytes-x.Bytes)
		}
	}
	for j := range b.Cache.Terms {
		if !used[j] {
			c.step(cacheName(&b.Cache.Terms[j]), "only the second keeps it", b.Cache.Terms[j].Bytes)
		}
	}
	return c
}

// compareFootprints compares what runs, term by term, as if one device held it.
func compareFootprints(a, b *Report) Comparison {
	x, y := &a.Running, &b.Running
	c := Comparison{Name: "bytes to run", Unit: "bytes", From: x.Total.Bytes, To: y.Total.Bytes}
	c.terms(x.Terms, y.Terms, func(t *memory.Term) int64 { return t.Bytes })
	return c
}

// terms adds a step for each term of two footprints; amount is what one counts.
func (c *Comparison) terms(from, to []memory.Term, amount func(t *memory.Term) int64) {
	of := func(list []memory.Term) []item {
		out := make([]item, len(list))
		for i := range list {
			out[i] = item{name: list[i].What, n: amount(&list[i])}
		}
		return out
	}
	c.items(of(from), of(to), nil)
}

// item is an entry of a list that adds up to a figure.
type item struct {
	name string
	n    int64
	path string // where it stands; empty where several of a name are one
}

// items adds a step for each entry of two lists, paired by name; within takes the difference of two apart, if it can.
func (c *Comparison) items(from, to []item, within func(x, y *item) bool) {
	at := func(list []item, name string) *item {
		for i := range list {
			if list[i].name == name {
				return &list[i]
			}
		}
		return nil
	}
	for i := range from {
		x := &from[i]
		switch y := at(to, x.name); {
		case y == nil:
			c.step(x.name, "only the first has it", -x.n)
		case within == nil || !within(x, y):
			c.step(x.name, "", y.n-x.n)
		}
	}
	for i := range to {
		if y := &to[i]; at(from, y.name) == nil {
			c.step(y.name, "only the second has it", y.n)
		}
	}
}

func cacheName(t *memory.CacheTerm) string {
	if t.Window > 0 {
		return t.What + ", windowed"
	}
	return t.What
}

// compareWork compares two passes by role and by kind of operation; times is
// how many tokens go through the weights, which is a step of its own where each
// takes the same.
func compareWork(name string, a, b *Work, times factor) (Comparison, bool) {
	c := Comparison{Name: name, Unit: "flops"}
	from, fromSum, ok1 := operations(a)
	to, toSum, ok2 := operations(b)
	if !ok1 || !ok2 || fromSum == 0 && toSum == 0 {
		return c, false
	}
	c.From, c.To = fromSum, toSum
	for i := range from {
		label := operation(i)
		if times.from <= 0 || times.to <= 0 || i >= int(model.NumRoles) ||
			!c.split(label, from[i], to[i], times, factor{"FLOPs for each", from[i] / times.from, to[i] / times.to}) {
			c.step(label, "", to[i]-from[i])
		}
	}
	return c, true
}

// operation is the name of what operations sorts a pass by.
func operation(i int) string {
	switch i {
	case int(model.NumRoles):
		return "attention scores"
	case int(model.NumRoles) + 1:
		return "scans and convolutions"
	}
	return model.Role(i).String()
}

// operations sorts a pass: matrix products by role, then scores, then scans and
// convolutions.
func operations(w *Work) (by [model.NumRoles + 2]int64, sum int64, ok bool) {
	for i := range w.Terms {
		t := &w.Terms[i]
		for j, x := range [...]float64{t.Matmul, t.Score, t.Conv, t.Scan} {
			if !(x < 1<<60) {
				return by, 0, false
			}
			at := int(t.Role)
			if j > 0 {
				at = int(model.NumRoles) + j/2
			}
			by[at] += int64(x)
			if sum += int64(x); sum > 1<<60 {
				return by, 0, false
			}
		}
	}
	return by, sum, true
}
