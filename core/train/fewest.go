package train

import (
	"llmsize/core/model"
)

// mostDevices and mostTries bound the search for the fewest devices.
const (
	mostDevices = 1 << 14
	mostTries   = 96
	mostLooks   = 1 << 12 // at what is told without trying
)

// Fewest is the fewest devices that hold a run, with its ZeRO stage, recomputation,
// micro-batch and context parallelism: of each number tensor parallelism over those
// of up to node devices that divide the heads, stages up to the layers, and the rest
// data-parallel, which helps from ZeRO stage 1 on and where experts are divided.
// It begins where all states would just fit beside half of the layers' activations,
// if they could be divided evenly: that many the stages hold on average, because
// stage i of p has p − i micro-batches in flight.
func Fewest(m *model.Model, q *Question, room, node int64) (best Layout, ok bool) {
	p, err := anyhow(m, q)
	if err != nil {
		return best, false
	}
	s := ShapeOf(m)
	layers := max(s.Layers, 1)
	cp := max(q.Layout.CP, 1)
	shards := q.Layout.Zero > 0 || len(s.experts) > 0
	var sizes []int64
	var plans []plan   // by tensor and expert parallelism
	var wholes []stage // by size: all of the model, experts not divided
	var keys [][2]int64
	var least, kept []float64 // by size: devices that it needs at least, activations that stages hold on average
	for t := int64(1); t <= node; t++ {
		if !s.Sliced(t) {
			continue
		}
		l := Layout{TP: t, PP: 1, EP: 1, DP: 1, Zero: q.Layout.Zero}
		x := with(q, l)
		one := plan{m: p.m, slots: p.slots}
		one.cut(&x)
		one.spread(&l)
		half := float64(one.lightest(&x) * float64(layers) / float64(2*cp))
		rest := float64(room) - half
		if rest <= 0 {
			continue
		}
		states := one.lasting(&x, &one.stages[0])
		wholes = append(wholes, one.stages[0])
		sizes, least, kept = append(sizes, t), append(least, float64(states*float64(t))/rest), append(kept, half)
	}
	tries, looks := 0, 0
	for n := cp; n <= mostDevices && len(sizes) > 0 && (shards || n <= layers*sizes[len(sizes)-1]*cp); n += cp {
		for i := len(sizes) - 1; i >= 0; i-- {
			t := sizes[i]
			if n%(t*cp) != 0 || float64(n) < least[i] {
				continue
			}
			rest := n / (t * cp)
			for stages := min(layers, rest, mostRanks); stages >= 1; stages-- {
				d := rest / stages
				if rest%stages != 0 || d > 1 && !shards {
					continue
				}
				l := Layout{TP: t, PP: stages, EP: common(s.experts, d*cp), DP: d, CP: q.Layout.CP, Zero: q.Layout.Zero}
				x := with(q, l)
				if all := wholes[i].divided(l.EP); p.lasting(&x, &all)/float64(stages)+kept[i] > float64(room) {
					if looks++; looks == mostLooks {
						return best, false
					}
					continue // not even if the stages were alike
				}
				at := -1
				for j := range keys {
					if keys[j] == [2]int64{t, l.EP} {
						at = j
					}
				}
				if at < 0 {
					at = len(keys)
					keys = append(keys, [2]int64{t, l.EP})
					plans = append(plans, plan{m: p.m, slots: p.slots})
					plans[at].cut(&x)
				}
				if one := plans[at].first(&l); plans[at].bytes(&x, &one) <= float64(room) {
					if plans[at].spread(&l); plans[at].fits(&x, room) {
						return l, true
					}
				}
				if tries++; tries == mostTries {
					return best, false
				}
			}
		}
	}
	return best, false
}

// lasting is the bytes of a stage's states, those for a moment left out.
func (p *plan) lasting(q *Question, s *stage) (bytes float64) {
	for i := range p.slots {
		if w := &p.slots[i]; !w.host(q) && w.from != gathered && w.from != leaving {
			bytes = float64(bytes + w.bytes(q, s))
		}
	}
	return bytes
}

// divided is a stage's states with its experts over e ranks, rounded down.
func (s stage) divided(e int64) stage {
	s.trained.expert /= e
	s.frozen.expert /= e
	for i := range s.values {
		s.values[i].expert /= e
	}
	return s
}

// lightest is the activations of the layer that keeps least.
func (p *plan) lightest(q *Question) float64 {
	least := -1.0
	for _, h := range p.stages[0].held {
		if p.units[h.unit].block.Index == "" {
			continue
		}
		one := stage{held: []held{{h.unit, 1, 1}}}
		u := &p.units[h.unit]
		again := float64(max(u.again(q.Saving.Recompute).bytes, u.moment.bytes) * float64(q.Saving.Micro))
		if n := p.kept(q, &one) - again; least < 0 || n < least {
			least = n
		}
	}
	return max(least, 0)
}

// with is a question with another layout.
func with(q *Question, l Layout) Question {
	x := *q
	x.Layout = l
	x.Saving.Sequence = q.Saving.Split && l.TP > 1
	return x
}

// common is the largest number that divides n and all of a list, 1 for none.
func common(all []int64, n int64) int64 {
	if len(all) == 0 {
		return 1
	}
	for _, a := range all {
		for a != 0 {
			n, a = a, n%a
		}
	}
	return n
}
