package train

import (
	"llmsize/core/model"
)

// stagesOf divides the layers of all stacks, in order, into equal stages; what
// remains goes one each to the first. What is before a stack goes with its
// first layer, what follows the last with its last.
//
// Of pp stages it works the first n out.
func stagesOf(m *model.Model, pp, n int64) [][]model.Stretch {
	layers := int64(0)
	for bi := range m.Blocks {
		if m.Blocks[bi].Index != "" {
			layers += int64(len(m.Blocks[bi].Pattern))
		}
	}
	out := make([][]model.Stretch, n)
	all := make([]model.Stretch, 0, len(m.Blocks)+int(min(layers, 4*n))) // one place for all, as stages follow each other
	put := func(at int64, s model.Stretch) {
		if len(out[at]) == 0 {
			all = all[len(all):]
		}
		all = append(all, s)
		out[at] = all[:len(all):len(all)]
	}
	stage, room := int64(0), up(layers, pp)
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if b.Index == "" {
			at := stage
			if room == 0 && stage < pp-1 && stackAfter(m, bi) {
				at++
			}
			if at < n {
				put(at, model.Stretch{Block: b, Layers: b.Kinds[0].Count})
			}
			continue
		}
		for _, kind := range b.Pattern {
			if room == 0 && stage < pp-1 {
				stage++
				room = layers / pp
				if stage < layers%pp {
					room++
				}
			}
			if stage >= n {
				return out
			}
			room--
			s := out[stage]
			if n := len(s); n > 0 && s[n-1].Block == b && s[n-1].Kind == int(kind) {
				s[n-1].Layers++
				continue
			}
			put(stage, model.Stretch{Block: b, Kind: int(kind), Layers: 1})
		}
	}
	return out
}

// stackAfter reports whether layers follow a block.
func stackAfter(m *model.Model, bi int) bool {
	for _, b := range m.Blocks[bi+1:] {
		if b.Index != "" {
			return true
		}
	}
	return false
}

// flight is how many micro-batches' activations a device of a stage holds of its
// v pieces of layers, at most.
//
// With one piece (one forward and one backward pass in turn) stage i of p has
// p − i in flight. With v pieces the device runs piece after piece for p
// micro-batches each, and is 2(p−i−1) + (v−1)p + 1 passes ahead before the first
// backward pass: in layers, on the first stage, L/p · p · (1 + (p−1)/(p·v))
// (Narayanan et al. 2021, arXiv 2104.04473, section 2.2; Korthikanti et al. 2022,
// arXiv 2205.05198, section 4.2.3).
//
// No more are in flight than a step has.
func flight(l *Layout, stage, piece int64) int64 {
	p, v := l.PP, max(l.VP, 1)
	n := p - stage
	if v > 1 {
		ahead := 2*(p-stage-1) + (v-1)*p + 1
		n = ahead/(p*v)*p + min(max(ahead%(p*v)-piece*p, 0), p)
	}
	if l.Batches > 0 {
		n = min(n, l.Batches)
	}
	return n
}
