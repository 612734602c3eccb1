package train

import (
	"math"

	"llmsize/core/model"
)

// Most is the largest number that fits.
type Most struct {
	N     int64  // 0 when not even one does
	Any   bool   // nothing bounds it, up to 2^40
	Binds string // the part that takes most where one more no longer fits: "activations"
	Stage int64  // on this pipeline stage
}

// Least is the smallest choice that fits.
type Least struct {
	N     int64
	OK    bool   // false when none does
	Binds string // the part that takes most where the choice before no longer fits; empty when the first does
}

// Inverse is what fits devices of a size, each choice with all others as they are asked.
type Inverse struct {
	Micro     Most  // sequences of a micro-batch
	Seq       Most  // tokens of a sequence
	Zero      Least // ZeRO stage
	Recompute Least // index into [Recomputes]
	// Bound is what takes most on the fullest device of the question, and whether that fits.
	Fits  bool
	Bound string
}

// Recomputes are the choices of recomputation, by what is made again; host is none of its own: it moves what full keeps.
var Recomputes = []string{"none", "selective", "ops", "full"}

// mostTokens bounds what is searched.
const mostTokens = int64(1) << 40

// Solve turns the question round: what is the largest micro-batch, the longest
// sequence, the smallest ZeRO stage and the least recomputation, when a device has
// room for that many bytes? Memory grows with each, so the answers are exact: one more
// does not fit. [Fewest] asks for devices.
//
// The micro-batch is a quotient, because activations grow in step with it; the
// sequence is the root of a parabola through three lengths (scores grow with its
// square), and both are then tried, with their neighbours.
func Solve(m *model.Model, q *Question, room int64) (x Inverse) {
	p, err := prepare(m, q)
	if err != nil {
		return x
	}
	x.Fits, x.Bound = p.fits(q, room), p.binds(q)
	ask := *q
	x.Micro = p.micro(ask, room)
	x.Seq = p.seq(ask, room)
	for ask.Layout.Zero = 0; ask.Layout.Zero <= 3; ask.Layout.Zero++ {
		if q.Offload == OffloadAll && ask.Layout.Zero < 3 {
			continue
		}
		if x.Zero.try(p, &ask, room, ask.Layout.Zero) {
			break
		}
	}
	ask = *q
	for i, name := range Recomputes {
		ask.Saving.Recompute = name
		if x.Recompute.try(p, &ask, room, int64(i)) {
			break
		}
	}
	return x
}

// try takes a choice when it fits, and else says what bound it.
func (x *Least) try(p *plan, q *Question, room, n int64) bool {
	if p.fits(q, room) {
		x.N, x.OK = n, true
		return true
	}
	x.Binds = p.binds(q)
	return false
}

// fits reports whether every stage has room.
func (p *plan) fits(q *Question, room int64) bool {
	for i := range p.stages {
		if p.bytes(q, &p.stages[i]) > float64(room) {
			return false
		}
	}
	return true
}

// fullest is the stage that holds most, and its bytes.
func (p *plan) fullest(q *Question) (at int, most float64) {
	for i := range p.stages {
		if n := p.bytes(q, &p.stages[i]); n > most {
			at, most = i, n
		}
	}
	return at, most
}

// binds names the part that takes most on the fullest device.
func (p *plan) binds(q *Question) string {
	at, _ := p.fullest(q)
	s := &p.stages[at]
	var parts [NumParts]float64
	for i := range p.slots {
		if w := &p.slots[i]; !w.host(q) {
			parts[w.part] = float64(parts[w.part] + w.bytes(q, s))
		}
	}
	parts[Activations] = p.kept(q, s)
	best := Weights
	for i := range parts {
		if parts[i] > parts[best] {
			best = Part(i)
		}
	}
	return best.String()
}

// micro is the largest micro-batch.
func (p *plan) micro(q Question, room int64) Most {
	guess := float64(mostTokens)
	for i := range p.stages {
		s := &p.stages[i]
		q.Saving.Micro = 1
		one := p.kept(&q, s)
		if rest := float64(room) - (p.bytes(&q, s) - one); one > 0 && rest/one < guess {
			guess = rest / one
		}
	}
	return largest(guess, 1, func(n int64) (bool, *plan, *Question) {
		q.Saving.Micro = n
		return p.fits(&q, room), p, &q
	})
}

// seq is the longest sequence, in steps of one token for each piece of it.
func (p *plan) seq(q Question, room int64) Most {
	step := max(q.Layout.CP, 1)
	l := q.Layout
	again := plan{m: p.m, slots: p.slots}
	at := func(n int64) *plan {
		q.Saving.Seq = n * step
		again.units, again.stages = nil, nil
		again.cut(&q)
		again.spread(&l)
		return &again
	}
	// f(n) = c + b·n + a·n², through three lengths
	const d = 4096
	var f [3]float64
	for i := range f {
		_, f[i] = at(int64(i+1) * d).fullest(&q)
	}
	a := (f[2] - 2*f[1] + f[0]) / (2 * d * d)
	b := (f[1]-f[0])/d - 3*a*d
	c := f[0] - b*d - a*d*d - float64(room)
	guess := float64(mostTokens)
	if a > 0 && a*float64(mostTokens) > 1 {
		guess = (math.Sqrt(max(b*b-4*a*c, 0)) - b) / (2 * a)
	} else if b > 0 {
		guess = -c / b
	}
	return largest(guess, step, func(n int64) (bool, *plan, *Question) {
		x := at(n)
		return x.fits(&q, room), x, &q
	})
}

// largest finds the largest n that fits, where all below do: from a guess in steps
// that double, then by halving the gap. A good guess costs two or three questions.
// The answer is n · unit.
func largest(guess float64, unit int64, ask func(n int64) (bool, *plan, *Question)) (x Most) {
	bound := mostTokens / unit
	low, high := int64(0), bound+1 // low fits, high does not
	fits := func(n int64) bool {
		ok, p, q := ask(n)
		if ok {
			low = n
			return true
		}
		at, _ := p.fullest(q)
		high, x.Binds, x.Stage = n, p.binds(q), int64(at)
		return false
	}
	at := int64(1)
	if guess >= float64(bound) {
		at = bound
	} else if guess > 1 {
		at = int64(guess)
	}
	if fits(at) {
		for step := int64(1); low < bound && fits(min(low+step, bound)); step *= 2 {
		}
	} else {
		for step := int64(1); high > 1 && !fits(max(high-step, 1)); step *= 2 {
		}
	}
	for low+1 < high && low < bound {
		fits(low + (high-low)/2)
	}
	x.N, x.Any = low*unit, low == bound
	return x
}
