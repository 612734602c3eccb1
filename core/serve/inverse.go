package serve

import (
	"llmsize/core/arch"
	"llmsize/core/train"
)

// most bounds what is searched: contexts, batches.
const most = int64(1) << 40

// Fits reports whether every device of the layout has room: by the upper end of
// every band.
func (a *Ask) Fits(memory int64) bool {
	return prepare(a).fits(a.Cache, a.Prompt, memory)
}

// LargestContext is the most tokens that each of the batch's sequences may hold
// on devices with so many bytes, the prompt being the context; 0 when not even
// one fits. more is set when there is no bound, because nothing grows.
func LargestContext(a *Ask, memory int64) (n int64, more bool) {
	p, q := prepare(a), a.Cache
	return largest(func(n int64) bool {
		q.Context = n
		return p.fits(q, 0, memory)
	})
}

// LargestBatch is the most sequences of the question's context that fit.
func LargestBatch(a *Ask, memory int64) (n int64, more bool) {
	p, q := prepare(a), a.Cache
	return largest(func(n int64) bool {
		q.Batch = n
		return p.fits(q, a.Prompt, memory)
	})
}

// largest finds the largest n that fits, where all below fit: doubling, then
// halving the gap, some 40 questions in all.
func largest(fits func(n int64) bool) (int64, bool) {
	if !fits(1) {
		return 0, false
	}
	low, high := int64(1), int64(2)
	for ; high < most && fits(high); high *= 2 {
		low = high
	}
	if high >= most {
		return low, true
	}
	for low+1 < high {
		if mid := low + (high-low)/2; fits(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low, false
}

// maxDevices bounds the search for the fewest.
const maxDevices = 4096

// FewestDevices is the fewest devices that hold the model, and how: each number
// is tried with the two largest tensor parallelisms up to eight that its heads
// allow, the rest in stages. ok is false when no number up to 4,096 does.
func FewestDevices(a *Ask, memory int64) (best train.Layout, ok bool) {
	ask := *a
	ask.Layout = train.Layout{TP: 1, PP: 1, EP: 1, DP: 1}
	stages, err := Stages(&ask)
	if err != nil || memory <= 0 {
		return best, false
	}
	shared := stages[0].Terms[0].Low + stages[0].Terms[1].Low // weights and cache, which devices divide at best
	n := max(1, (shared+memory-1)/memory)
	layers, heads := shape(a.Model)
	for tries := 0; n <= maxDevices && tries < 64; n++ {
		for tp, left := min(n, 8), 2; tp >= 1 && left > 0; tp-- {
			if n%tp != 0 || !divides(heads, tp) || n/tp > max(layers, 1) {
				continue
			}
			tries++
			left--
			ask.Layout = train.Layout{TP: tp, PP: n / tp, EP: 1, DP: 1}
			if ask.Fits(memory) {
				return ask.Layout, true
			}
		}
	}
	return best, false
}

// shape is the layers of all stacks, and the heads of every attention.
func shape(m *arch.Model) (layers int64, heads []int64) {
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if b.Index != "" {
			layers += int64(len(b.Pattern))
		}
		for ki := range b.Kinds {
			for pi := range b.Kinds[ki].Parts {
				if h := b.Kinds[ki].Parts[pi].Get("heads"); h > 0 {
					heads = append(heads, h)
				}
			}
		}
	}
	return layers, heads
}

func divides(heads []int64, tp int64) bool {
	for _, h := range heads {
		if h%tp != 0 {
			return false
		}
	}
	return true
}

// Obvious is the layout that somebody who names none means by n devices: tensor
// parallelism over as many of up to eight as divide n and the heads, the rest
// stages while there are layers for them, replicas otherwise.
func Obvious(m *arch.Model, n int64) train.Layout {
	layers, heads := shape(m)
	for tp := min(n, 8); tp > 1; tp-- {
		if n%tp == 0 && divides(heads, tp) {
			if n/tp <= max(layers, 1) {
				return train.Layout{TP: tp, PP: n / tp, EP: 1, DP: 1}
			}
			return train.Layout{TP: tp, PP: 1, EP: 1, DP: n / tp}
		}
	}
	if n <= max(layers, 1) {
		return train.Layout{TP: 1, PP: n, EP: 1, DP: 1}
	}
	return train.Layout{TP: 1, PP: 1, EP: 1, DP: n}
}
