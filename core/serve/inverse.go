package serve

import (
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/quant"
	"llmsize/core/train"
)

// Fits reports whether every device of the layout has room, by the upper end of
// every band.
func (p *Plan) Fits(room int64) bool {
	return p.fits(&p.ask.Cache, p.ask.Prompt, room)
}

// FitsAs is Fits for the same model with other weights.
func (p *Plan) FitsAs(w *quant.Weights, room int64) bool {
	ask, as := *p.ask, *p
	ask.Weights, as.ask = w, &ask
	n := len(p.held)
	as.weights, as.heaviest = make([]int64, n), make([]int64, n)
	as.weigh(shares(&ask))
	as.draft = draftOf(&ask)
	return as.Fits(room)
}

// Most is the most of something that fits.
type Most struct {
	N     int64    // 0 when not even one fits
	Any   bool     // nothing grows, so any number fits
	Binds string   // the term that leaves no room for more
	Need  [3]int64 // bytes of the fullest device at one, at N, and at the next that does not fit
}

// LargestContext is the most tokens that each of the batch's sequences may hold
// on devices with that many bytes, the prompt being the context.
//
// What a device needs grows with the context in straight pieces: a number of bytes a
// token, less once a window is full. llama.cpp's cells come in steps of 256.
func (p *Plan) LargestContext(room int64) Most {
	q, step := p.ask.Cache, int64(1)
	if q.Policy == memory.LlamaCpp {
		step = memory.LlamaPad
	}
	m := p.largest(room, func(n int64) (*memory.CacheQuestion, int64) {
		q.Context = n * step
		if p.ask.Prompt == 0 && q.Encoder > 0 {
			q.Encoder = q.Context // an encoder reads the prompt
		}
		return &q, 0
	})
	m.N *= step
	return m
}

// LargestBatch is the most sequences of the question's context that fit.
func (p *Plan) LargestBatch(room int64) Most {
	q := p.ask.Cache
	return p.largest(room, func(n int64) (*memory.CacheQuestion, int64) {
		q.Batch = n
		return &q, p.ask.Prompt
	})
}

// largest finds the largest n whose question fits.
func (p *Plan) largest(room int64, at func(n int64) (*memory.CacheQuestion, int64)) (m Most) {
	m.N, m.Any = solve(room, func(n int64) (int64, bool) {
		total, _, ok := p.need(at(n))
		return total.High, ok
	})
	// What binds is what has grown most since one of it; when not even one fits, what takes most.
	ask := func(n int64) (total int64, terms []memory.Term) {
		q, prompt := at(n)
		sum, stage, _ := p.need(q, prompt)
		return sum.High, p.terms(stage, q, prompt)
	}
	var one, now []memory.Term
	m.Need[0], one = ask(1)
	m.Need[1], now = m.Need[0], one
	if m.N > 1 {
		m.Need[1], now = ask(m.N)
	}
	next, _, _ := p.need(at(m.N + 1))
	m.Need[2] = next.High
	most := int64(0)
	for i := range now {
		n := now[i].High
		if m.N > 1 && i < len(one) {
			n -= one[i].High
		}
		if n > most && !m.Any {
			m.Binds, most = now[i].What, n
		}
	}
	return m
}

// solve finds the largest n whose need does not pass the room, where need grows
// with n in nearly straight pieces: it asks where a line through the newest two
// answers crosses, and goes further each time that falls short. ok is false for
// a need that is too large to count. more is set when everything fits.
func solve(room int64, need func(n int64) (bytes int64, ok bool)) (n int64, more bool) {
	below, ok := need(1)
	if !ok || below > room {
		return 0, false
	}
	low, high := int64(1), most             // low fits and needs below; high does not, or is as far as anybody asks
	above, known := int64(0), false         // what high needs
	slope, gap, rose := 0.0, int64(1), true // bytes for one more; the least step; whether the last one fitted
	for next := int64(1024); low+1 < high; {
		next = min(max(next, low+1), high-1)
		bytes, ok := need(next)
		fitted := ok && bytes <= room
		if gap *= 2; fitted != rose {
			gap, rose = 1, fitted
		}
		if ok {
			slope = float64(bytes-below) / float64(next-low)
		}
		if fitted {
			low, below = next, bytes
		} else {
			high, above, known = next, bytes, ok
		}
		if known {
			slope = float64(above-below) / float64(high-low)
		}
		far := float64(low) * 64
		if slope > 0 {
			far = float64(low) + float64(float64(room-below)/slope)
		} else if high < most {
			far = float64(low + (high-low)/2)
		}
		far = min(far, float64(high))
		if next = min(int64(far), high-gap); fitted {
			next = max(int64(far), low+gap)
		}
	}
	return low, high == most
}

// last finds the last n for which something holds, where it holds for all below:
// doubling, then halving the gap.
func last(holds func(n int64) bool) int64 {
	low, high := int64(0), int64(1)
	for ; high < most && holds(high); high *= 2 {
		low = high
	}
	for low+1 < high {
		if mid := low + (high-low)/2; holds(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// most bounds what is searched: contexts, batches.
const most = int64(1) << 40

// widest is the tensor parallelism up to which devices are sought: what one board has.
const widest = 8

// FewestDevices is the fewest devices that hold the plan's model, and how: each number
// is tried with every tensor parallelism up to eight that divides the model, the
// widest first, the rest in stages. ok is false when not even eight devices for
// each layer have room.
//
// No fewer are tried than weights and cache take, divided evenly, beside the
// runtime on each. Whether any number has room is asked when the first has not.
func (p *Plan) FewestDevices(room int64) (best train.Layout, ok bool) {
	m, w := p.ask.Model, p.ask.Weights
	shape := train.ShapeOf(m)
	layers := max(shape.Layers, 1)
	var widths []int64
	for tp := int64(widest); tp > 0; tp-- {
		if shape.Sliced(tp) {
			widths = append(widths, tp)
		}
	}
	q := p.ask.Cache
	if q.Policy != memory.Transformers {
		q.Policy = memory.Minimum // the others hold no less
	}
	_, shared, err := memory.Cache(m, q)
	if err != nil {
		return best, false
	}
	shared += w.Bytes
	s := search{ask: *p.ask, layers: layers}
	for i := range w.Runs {
		s.runs += 1 + int64(len(w.Runs[i].Layers))
	}
	if tp := p.ask.Layout.TP; tp <= widest {
		s.ready[tp] = p.ready
	}
	failed := false
	for n := int64(1); n <= widest*layers; n++ {
		free := room - memory.Runtime(n).High
		if free <= 0 || shared/n > free {
			continue
		}
		for _, tp := range widths {
			if n%tp != 0 || n/tp > layers {
				continue
			}
			if s.try(tp, n/tp, room) {
				return train.Layout{TP: tp, PP: n / tp, EP: 1, DP: 1}, true
			}
			if m.Work.Err() != nil {
				return best, false // which isn't an answer; who asked for one sees the fault
			}
			if !failed && !s.try(widths[0], layers, room) && !s.try(1, layers, room) {
				return best, false
			}
			failed = true
		}
	}
	return best, false
}

// search is what layouts of one model have in common: what a device of each
// tensor parallelism has of every tensor, with one stage and with several.
type search struct {
	ask    Ask
	layers int64
	runs   int64 // runs of layers in all tensors
	shares [widest + 1][2][]share
	all    [widest + 1][2]int64 // bytes of the shares in all layers
	ready  [widest + 1]*memory.Prepared
}

// try reports whether a layout fits.
func (s *search) try(tp, pp, room int64) bool {
	s.ask.Layout = train.Layout{TP: tp, PP: pp, EP: 1, DP: 1}
	list, all := &s.shares[tp][min(pp-1, 1)], &s.all[tp][min(pp-1, 1)]
	if *list == nil {
		*list = shares(&s.ask)
		for _, x := range *list {
			*all += int64(float64(x.each * float64(overlap(x.spans, 0, most))))
		}
	}
	if *all/pp > room-memory.Runtime(tp*pp).High { // the fullest stage holds no less than an even part
		return false
	}
	if n := int64(len(*list)); !s.ask.Model.Work.Spend((s.layers+4*pp+n)/2 + pp*max(n, s.runs)/8) { // each stage looks through the list
		return false
	}
	if s.ready[tp] == nil {
		s.ready[tp] = prepared(&s.ask)
	}
	p := divide(&s.ask)
	p.ready, p.draft = s.ready[tp], draftOf(&s.ask)
	p.weigh(*list)
	return p.Fits(room)
}

// Obvious is the layout that somebody who names none means by n devices: tensor
// parallelism over as many of up to eight as divide n and the model, the rest
// stages while there are layers for them, replicas otherwise.
func Obvious(m *model.Model, n int64) train.Layout {
	shape := train.ShapeOf(m)
	layers := max(shape.Layers, 1)
	for tp := min(n, 8); tp > 1; tp-- {
		if n%tp == 0 && shape.Sliced(tp) {
			if n/tp <= layers {
				return train.Layout{TP: tp, PP: n / tp, EP: 1, DP: 1}
			}
			return train.Layout{TP: tp, PP: 1, EP: 1, DP: n / tp}
		}
	}
	if n <= layers {
		return train.Layout{TP: 1, PP: n, EP: 1, DP: 1}
	}
	return train.Layout{TP: 1, PP: 1, EP: 1, DP: n}
}
