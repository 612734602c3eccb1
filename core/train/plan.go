package train

import (
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/work"
)

// plan is a model cut for a run: what one layer of each kind takes on a device,
// and which layers each stage has. It answers for any ZeRO stage, offload and
// recomputation without cutting again, and for any number of sequences in a
// micro-batch: activations grow in step with them.
type plan struct {
	m      *model.Model
	units  []unit
	stages []stage
	slots  []slot
	budget *work.Budget // of a search through layouts; nil has no end
}

// states is what a device holds for parameters, in elements, before ZeRO.
type states struct {
	trained, frozen share
	values          [maxGroups]share // the optimizer's, by group
	whole, grads    int64            // elements of the largest layer, and those of them that get gradients
}

// plus adds n layers of another.
func (s *states) plus(x *states, n int64) {
	s.trained.plus(x.trained, n)
	s.frozen.plus(x.frozen, n)
	for i := range s.values {
		s.values[i].plus(x.values[i], n)
	}
}

// unit is one layer of a kind, or one block outside layers.
type unit struct {
	states
	totals // activations of one sequence
	block  *model.Block
	kind   int
	tied   []tied // tensors that are another's, and are stored again where that is not
}

// tied is a head tied to the embedding: a copy stands on its stage when the embedding does not.
type tied struct {
	home int // the unit that has the tensor
	states
}

// held is what a stage has of a unit: layers, and layers times the micro-batches in flight.
type held struct {
	unit           int
	layers, flying int64
}

// stage is a pipeline stage.
type stage struct {
	states
	held []held
}

// anyhow prepares a model for a run in layouts of the caller's own: the question's may be none that the model can have.
func anyhow(m *model.Model, q *Question) (*plan, *fault.Error) {
	x := with(q, Layout{TP: 1, PP: 1, EP: 1, DP: 1, CP: 1, VP: 1})
	return prepare(m, &x)
}

// prepare cuts a model for a run, in a layout that it can have ([Layout.Check]).
func prepare(m *model.Model, q *Question) (*plan, *fault.Error) {
	total := float64(0)
	m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		total = float64(total + float64(t.Params(layers)))
	})
	if total > 1<<56 {
		return nil, &fault.Error{Problem: "the model is too large to train: its states are more than we can count"}
	}
	p := &plan{m: m, slots: slotsOf(q)}
	p.cut(q)
	p.spread(&q.Layout)
	return p, nil
}

// cut works out the units: what tensor, expert and context parallelism leave of each.
func (p *plan) cut(q *Question) {
	l := &q.Layout
	for bi := range p.m.Blocks {
		b := &p.m.Blocks[bi]
		for ki := range b.Kinds {
			u := unit{block: b, kind: ki}
			parts := b.Kinds[ki].Parts
			for pi := range parts {
				cuts := slices(&parts[pi])
				for ti := range parts[pi].Tensors {
					t := &parts[pi].Tensors[ti]
					switch {
					case t.Buffer, t.TiedTo != "" && t.Role != model.Head:
					case t.TiedTo != "":
						x := tied{home: p.home(t.TiedTo)}
						x.states.take(q, l, &parts[pi], t, cuts[ti], b.Index != "")
						u.tied = append(u.tied, x)
					default:
						u.states.take(q, l, &parts[pi], t, cuts[ti], b.Index != "")
					}
				}
			}
			u.adapters(q)
			p.activations(&u, q)
			p.units = append(p.units, u)
		}
	}
}

// home is the unit that holds a tensor; -1 when none does.
func (p *plan) home(name string) int {
	at := 0
	for bi := range p.m.Blocks {
		for ki := range p.m.Blocks[bi].Kinds {
			parts := p.m.Blocks[bi].Kinds[ki].Parts
			for pi := range parts {
				for ti := range parts[pi].Tensors {
					if t := &parts[pi].Tensors[ti]; t.Name == name && t.TiedTo == "" {
						return at
					}
				}
			}
			at++
		}
	}
	return -1
}

// take adds a tensor of one layer.
func (s *states) take(q *Question, l *Layout, p *model.Part, t *model.Tensor, c cut, inside bool) {
	expert := t.ActiveOf > 1
	each, copies := l.share(p, t, c)
	s.whole += each * copies
	if len(q.Adapters) > 0 {
		s.frozen.add(expert, each*copies)
		return
	}
	s.trained.add(expert, each*copies)
	s.grads += each * copies
	r, k := int64(1), each
	if d := len(t.Dims); d > 1 {
		r, k = sliced(p, t, c, l.TP)
	}
	for i, n := range q.Optimizer.values(each, r, k, inside) {
		s.values[i].add(expert, n*copies)
	}
}

// sliced is the sides of a matrix on a device.
func sliced(p *model.Part, t *model.Tensor, c cut, tp int64) (rows, cols int64) {
	d := len(t.Dims)
	rows, cols = t.Dims[d-2].Size, t.Dims[d-1].Size
	n := parts(p, t, c, tp)
	if (c == columns) != t.Transposed {
		return up(rows, n), cols
	}
	return rows, up(cols, n)
}

// adapters adds LoRA's matrices beside one layer's.
func (u *unit) adapters(q *Question) {
	l := &q.Layout
	for ai := range q.Adapters {
		a := &q.Adapters[ai]
		if a.Block != u.block || a.Kind != u.kind {
			continue
		}
		expert, over := a.Base.ActiveOf > 1, int64(1)
		if expert {
			over = l.EP
		}
		down, upward := a.Rank*a.In/over, a.Rank*a.Out/over
		switch slicesOf(a) {
		case columns:
			upward = up(upward, l.TP)
		case rows:
			down = up(down, l.TP)
		}
		u.trained.add(expert, (down+upward)*a.Copies)
		u.grads += (down + upward) * a.Copies
		for i, n := range q.Optimizer.values(down, a.Rank, a.In, true) {
			u.values[i].add(expert, n*a.Copies)
		}
		for i, n := range q.Optimizer.values(upward, a.Out, a.Rank, true) {
			u.values[i].add(expert, n*a.Copies)
		}
	}
}

// slicesOf is how the matrix of an adapter is divided.
func slicesOf(a *Adapter) cut {
	for i, c := range slices(a.Part) {
		if &a.Part.Tensors[i] == a.Base {
			return c
		}
	}
	return whole
}

// spread divides the units over pipeline stages.
func (p *plan) spread(l *Layout) {
	n := l.virtual()
	pieces := stagesOf(p.m, n, n)
	p.stages = make([]stage, l.PP)
	for i := range pieces {
		at, piece := int64(i)%l.PP, int64(i)/l.PP
		p.put(&p.stages[at], pieces[i], flight(l, at, piece))
	}
	for i := range p.stages {
		p.sum(&p.stages[i], l)
	}
}

// first is the first of a layout's stages, without the others: most layouts that do
// not fit are told by it.
func (p *plan) first(l *Layout) (s stage) {
	p.put(&s, stagesOf(p.m, l.PP, 1)[0], flight(l, 0, 0))
	p.sum(&s, l)
	return s
}

// put adds layers to a stage, with that many micro-batches in flight.
func (p *plan) put(s *stage, piece []model.Stretch, flight int64) {
	for _, x := range piece {
		s.put(p.index(x.Block, x.Kind), x.Layers, flight)
	}
}

// sum adds up what a stage's layers take.
func (p *plan) sum(s *stage, l *Layout) {
	for _, h := range s.held {
		u := &p.units[h.unit]
		s.plus(&u.states, h.layers)
		whole, grads := u.whole, u.grads
		for j := range u.tied {
			if t := &u.tied[j]; l.PP > 1 && !s.has(t.home) {
				s.plus(&t.states, h.layers)
				whole, grads = whole+t.whole, grads+t.grads
			}
		}
		s.whole, s.grads = max(s.whole, whole), max(s.grads, grads)
	}
}

// index is where the unit of a kind of layer stands.
func (p *plan) index(b *model.Block, kind int) int {
	at := 0
	for bi := range p.m.Blocks {
		if &p.m.Blocks[bi] == b {
			break
		}
		at += len(p.m.Blocks[bi].Kinds)
	}
	return at + kind
}

// put adds layers of a unit.
func (s *stage) put(unit int, layers, flight int64) {
	for i := range s.held {
		if h := &s.held[i]; h.unit == unit {
			h.layers += layers
			h.flying += layers * flight
			return
		}
	}
	s.held = append(s.held, held{unit, layers, layers * flight})
}

// has reports whether a stage has a unit.
func (s *stage) has(unit int) bool {
	for _, h := range s.held {
		if h.unit == unit {
			return true
		}
	}
	return false
}

// bytes is what a device of a stage holds in all; past 2^62 it is too much to count.
func (p *plan) bytes(q *Question, s *stage) float64 {
	sum := 0.0
	for i := range p.slots {
		if w := &p.slots[i]; !w.host(q) {
			sum = float64(sum + w.bytes(q, s))
		}
	}
	return float64(sum + p.kept(q, s))
}
