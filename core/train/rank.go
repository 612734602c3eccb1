package train

import (
	"llmsize/core/model"
	"llmsize/core/work"
)

// Machine is what layouts are placed on.
type Machine struct {
	Devices int64
	Memory  int64   // bytes of one
	Node    int64   // devices on one node, which tensor parallelism does not leave
	Balance float64 // operations that a device can do while it sends a byte to a neighbour on its node
	Across  float64 // how much longer a byte to another node takes over one device's adapter
}

// between is how much longer a byte takes in a group of ranks that is spread over nodes. A ring over a data-parallel group enters each
// node once, over the adapters of all its ranks there; what other groups send goes from one device to one, over its own.
func (on *Machine) between(i int, l *Layout) float64 {
	if i != byDP {
		return on.Across
	}
	return max(1, on.Across/float64(max(1, min(l.Ranks(), on.Node/l.TP))))
}

// The machine where a device's own figures are not known: an H100's 989 TFLOPS over
// 450 GB/s, and 50 GB/s from board to board (eight adapters of 400 Gb/s; NVIDIA's
// exemplar-performance, README, peak theoretical throughput).
const (
	Balance = 989e12 / 450e9
	Across  = 450.0 / 50
)

// Work is what a step computes.
type Work struct {
	Sequences int64   // of a step, over all devices
	FLOPs     float64 // of one sequence, forward and backward
	Forward   float64 // the part of FLOPs that full recomputation repeats
	Scores    float64 // the part that selective recomputation repeats
	Ops       float64 // the part that recomputation of every second product repeats
}

// Placed is a layout that fits.
type Placed struct {
	Layout    Layout
	Recompute string
	Micro     int64 // sequences of a micro-batch
	Batches   int64 // micro-batches of a rank in a step
	Bytes     int64 // on the fullest device
	Host      int64 // with the host, for it
	Sent      []Sent
	Total     float64 // bytes that the busiest device sends in a step
	// Cost is the rule that layouts are ranked by: 1 is computing alone. It is
	// (1 + Again) · (1 + Idle) · Uneven + Talk.
	Cost   float64
	Again  float64 // FLOPs that recomputation repeats, as a part of the rest
	Idle   float64 // time in which a pipeline fills and empties: (p−1)/(v·m)
	Uneven float64 // the largest stage's layers over an even one's, times the busiest rank's sequences over an even one's
	Talk   float64 // sending, as a part of computing
}

// Ranking is the layouts of a machine that fit, the cheapest first.
type Ranking struct {
	List  []Placed // at most the asked number
	Tried int64    // ways to divide the model over the devices
	Fit   int64    // those that fit with some ZeRO stage, recomputation and micro-batch
	Cut   bool     // the question's steps were spent before all ways were tried: the list is of those that were
}

// Rule says what a ranking goes by.
const Rule = "compute that is repeated or idle, and bytes sent at the speed of the device's link (nine times slower between nodes), nothing overlapped, as a part of computing alone. It orders layouts; it predicts no time"

// mostRanks bounds stages and expert parallelism: more than anybody has.
const mostRanks = 1 << 12

// Rank looks through the layouts that a model can have on a machine and lists those
// that fit by cost.
//
// It divides the devices into tp × pp × cp × dp: tp over the numbers up to a node
// that divide the heads, pp up to the layers, ep over the common divisors of the
// experts and the ranks with the same weights, cp as it is asked. For each it takes
// the ZeRO stage, the recomputation and the micro-batch (powers of two) that cost
// least and fit; without one of these it does not fit. Sequences are dealt out to the
// ranks; the last micro-batch may be short.
//
// The cost is a rule:
//
//	(1 + a) · (1 + (p−1)/(v·m)) · u + s
//
// with a what recomputation repeats, (p−1)/(v·m) the pipeline's bubble for m
// micro-batches (Narayanan et al. 2021, arXiv 2104.04473, section 2.2), u how much
// more the largest stage has than an even one, and s the bytes sent times Balance
// (and Machine.between for groups over several nodes) over the FLOPs of the device.
//
// It takes its steps from what the model's budget has left, as one part of it, and
// stops where they are spent ([Ranking.Cut]).
func Rank(m *model.Model, q *Question, w Work, on Machine, most int) (out Ranking) {
	out.Tried, out.Cut = divide(m, q, w, on, func(one *plan, x *Question, f *traffic) {
		if best, ok := one.cheapest(x, f, &w, &on); ok {
			out.Fit++
			out.put(best, most)
		}
	})
	for i := range out.List {
		out.List[i].Describe(m, q, &on)
	}
	return out
}

// Ways gives all layouts that [Rank] looks through with each ZeRO stage, recomputation and micro-batch whose sum of
// parts is within room: for who holds them to something else than that sum. It returns how many divisions of the
// devices were tried, and whether the question's steps were spent before all were.
func Ways(m *model.Model, q *Question, w Work, on Machine, room int64, found func(x *Placed)) (tried int64, cut bool) {
	return divide(m, q, w, on, func(one *plan, x *Question, f *traffic) { one.ways(x, f, &w, &on, room, found) })
}

// divide goes through the divisions of the devices that a model can have.
func divide(m *model.Model, q *Question, w Work, on Machine, found func(one *plan, x *Question, f *traffic)) (tried int64, cut bool) {
	p, err := anyhow(m, q)
	if err != nil || on.Devices < 1 || !(w.FLOPs > 0) {
		return 0, false
	}
	budget := m.Work.Rest(1)
	if budget == nil {
		budget = work.New(0)
	}
	s := ShapeOf(m)
	f := trafficOf(m)
	layers, cp := max(s.Layers, 1), max(q.Layout.CP, 1)
	for t := int64(1); t <= on.Node; t++ {
		if on.Devices%(t*cp) != 0 || !s.Sliced(t) {
			continue
		}
		rest := on.Devices / (t * cp)
		shared := common(s.experts, rest*cp)
		for e := int64(1); e <= min(shared, mostRanks); e++ {
			if shared%e != 0 {
				continue
			}
			one := plan{m: m, slots: p.slots, budget: budget}
			x := with(q, Layout{TP: t, PP: 1, EP: e, DP: 1, CP: cp})
			one.cut(&x)
			for stages := int64(1); stages <= min(layers, rest, mostRanks); stages++ {
				d := rest / stages
				if rest%stages != 0 || d*cp%e != 0 || d > w.Sequences {
					continue
				}
				l := Layout{TP: t, PP: stages, EP: e, DP: d, CP: cp, VP: 1}
				if v := q.Layout.VP; stages > 1 && v > 1 && v*stages <= layers {
					l.VP = v
				}
				x := with(q, l)
				one.spread(&l)
				tried++
				if found(&one, &x, &f); budget.Err() != nil {
					return tried, true
				}
			}
		}
	}
	return tried, false
}

// What looking at a stage, and at a micro-batch, takes: steps as core/work has them.
const (
	stageSteps = 4
	microSteps = 6
)

// cheapest is the ZeRO stage, recomputation and micro-batch of a layout that fit and cost least.
func (p *plan) cheapest(q *Question, f *traffic, w *Work, on *Machine) (best Placed, ok bool) {
	p.ways(q, f, w, on, on.Memory, func(x *Placed) {
		if !ok || x.Cheaper(&best) {
			best, ok = *x, true
		}
	})
	return best, ok
}

// ways are the ZeRO stages, recomputations and micro-batches of a layout whose sum of parts is within room.
func (p *plan) ways(q *Question, f *traffic, w *Work, on *Machine, room int64, found func(x *Placed)) {
	l := &q.Layout
	kept := make([]float64, len(p.stages))
	states := make([][4]float64, len(p.stages))
	q.Saving.Micro = 1
	last := int64(3)
	if l.Ranks() == 1 && q.Offload != OffloadAll {
		last = 0
	}
	if !p.budget.Spend(int64(len(p.stages)) * int64(len(p.slots)) * last / 2) {
		return
	}
	for i := range p.stages {
		for l.Zero = 0; l.Zero <= last; l.Zero++ {
			for j := range p.slots {
				if y := &p.slots[j]; !y.host(q) {
					states[i][l.Zero] = float64(states[i][l.Zero] + y.bytes(q, &p.stages[i]))
				}
			}
		}
	}
	largest := p.largest()
	rank := up(w.Sequences, l.DP) // sequences of the busiest rank
	uneven := float64(up(max(f.layers, 1), l.PP)*l.PP) / float64(max(f.layers, 1))
	uneven = float64(uneven * float64(rank*l.DP) / float64(w.Sequences))
	alone := float64(w.FLOPs * float64(w.Sequences) / float64(l.Devices())) // of a device, in a step
	far := wide(l, on.Node)
	for _, recompute := range Recomputes {
		q.Saving.Recompute = recompute
		again := 0.0
		switch recompute {
		case "selective":
			if again = w.Scores / w.FLOPs; q.Saving.Flash {
				continue // nothing that it would make again is kept
			}
		case "ops":
			again = w.Ops / w.FLOPs
		case "full":
			again = w.Forward / w.FLOPs
		}
		if !p.budget.Spend(int64(len(p.stages)) * stageSteps) {
			return
		}
		for i := range p.stages {
			kept[i] = p.kept(q, &p.stages[i])
		}
		for l.Zero = 0; l.Zero <= last; l.Zero++ {
			if q.Offload == OffloadAll && l.Zero < 3 {
				continue
			}
			for b := int64(1); b <= rank; b *= 2 {
				if !p.budget.Spend(microSteps + int64(len(kept))/20) {
					return
				}
				held := 0.0
				for i := range kept {
					held = max(held, float64(states[i][l.Zero]+float64(kept[i]*float64(b))))
				}
				if held > float64(room) {
					break
				}
				n := up(rank, b)
				x := Placed{Layout: *l, Recompute: recompute, Micro: b, Batches: n, Bytes: int64(held), Again: again, Uneven: uneven,
					Idle: float64(l.PP-1) / float64(max(l.VP, 1)*n)}
				weighted := 0.0
				for i, y := range f.sent(q, largest, step{b, n}) {
					x.Total = float64(x.Total + y)
					if far[i] {
						y = float64(y * on.between(i, l))
					}
					weighted = float64(weighted + y)
				}
				x.Talk = float64(weighted * on.Balance / alone)
				x.Cost = float64(float64((1+again)*(1+x.Idle)*uneven) + x.Talk)
				found(&x)
			}
		}
	}
}

// Cheaper orders layouts: by cost, then by memory, then the simpler.
func (x *Placed) Cheaper(y *Placed) bool {
	if x.Cost != y.Cost {
		return x.Cost < y.Cost
	}
	if x.Bytes != y.Bytes {
		return x.Bytes < y.Bytes
	}
	return x.Layout.TP*x.Layout.PP < y.Layout.TP*y.Layout.PP
}

// put adds a layout to the list, in order.
func (r *Ranking) put(x Placed, most int) {
	at := len(r.List)
	for at > 0 && x.Cheaper(&r.List[at-1]) {
		at--
	}
	if at >= most {
		return
	}
	if len(r.List) < most {
		r.List = append(r.List, x)
	}
	copy(r.List[at+1:], r.List[at:])
	r.List[at] = x
}

// Describe fills in what a list shows of a way of q's run beside its cost.
func (x *Placed) Describe(m *model.Model, q *Question, on *Machine) {
	ask := with(q, x.Layout)
	ask.Saving.Recompute, ask.Saving.Micro = x.Recompute, x.Micro
	p, err := prepare(m, &ask)
	if err != nil {
		return
	}
	if held, err := p.hold(&ask); err == nil {
		x.Bytes, x.Host = held.Bytes, held.Host
	}
	f := trafficOf(m)
	x.Sent = f.list(&ask, p.largest(), step{x.Micro, x.Batches}, on.Node)
}
