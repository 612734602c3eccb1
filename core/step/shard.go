package step

import (
	"llmsize/core/model"
	"llmsize/core/train"
)

// Shard is how FSDP2 shards a model: PyTorch's fully_shard on each layer and on the root, whose group is
// what no layer holds (torch 2.15, torch/distributed/fsdp/_fully_shard).
type Shard struct {
	Ranks int64
	Held  int64 // bytes of a sharded parameter
	Sum   int64 // bytes of a value of a gradient while it is reduced
	Keep  bool  // reshard_after_forward=False: what was gathered stays until the backward pass is done with it
}

// group is what one call gathers: elements on this rank, and of all ranks together, padding included.
type group struct {
	own, all  int64
	sum, sums int64 // the same of what gets a gradient
	several   bool
}

// shards is the state of a step's collectives.
type shards struct {
	Shard
	root     group
	idle     int64 // elements on this rank of towers' layers, which nothing passes through: nobody gathers them
	kinds    []group
	pattern  []uint16
	compute  int64 // bytes of a gathered parameter
	flat     int32 // what the last collective gave: it lives until the next one
	ahead    int32 // the same of the layer that was asked for ahead
	reducing int32 // what goes into the last reduction
	whole    []int32
	rootOut  int32
	waiting  []int32 // gradients of the group at work, not reduced yet
	kept     []int32 // those of the root
	inRoot   bool
	at       int
}

// groups adds up what each group holds.
func (p *plan) groups(s Shard) *shards {
	x := &shards{Shard: s, compute: p.o.Param, pattern: p.pattern, kinds: make([]group, len(p.kinds)), whole: make([]int32, len(p.pattern))}
	for bi := range p.m.Blocks {
		b := &p.m.Blocks[bi]
		for ki := range b.Kinds {
			g, tower := &x.root, besideText(b)
			var idle group
			switch {
			case b.Index != "" && tower:
				g = &idle
			case b.Index != "":
				g = &x.kinds[ki]
			}
			add := func(own, all int64) {
				g.own += own
				g.all += all
				if !tower {
					g.sum += own
					g.sums += all
				}
			}
			n := 0
			for pi := range b.Kinds[ki].Parts {
				sliced := p.slices(&b.Kinds[ki].Parts[pi])
				for i := range b.Kinds[ki].Parts[pi].Tensors {
					t := &b.Kinds[ki].Parts[pi].Tensors[i]
					if t.Buffer || t.TiedTo != "" {
						continue
					}
					n++
					if sliced != nil && t.ActiveOf <= 1 { // this rank's slice, divided once more
						own := (sliced[i] + s.Ranks - 1) / s.Ranks
						add(own, own*s.Ranks)
						continue
					}
					first, copies, ranks := int64(1), t.Copies, s.Ranks
					switch {
					case t.ActiveOf > 1 && len(t.Each) > 0 && p.o.ep() == 1: // the class holds all experts' as one tensor, whose rows are experts
						own := (copies + ranks - 1) / ranks * t.Elements
						add(own, own*ranks)
						continue
					case len(t.Dims) > 0:
						first = t.Dims[0].Size
					}
					each := t.Elements / first
					if ep := p.o.ep(); ep > 1 && t.ActiveOf > 1 { // of its experts, among the ranks that have the same
						ranks = max(ranks/ep, 1)
						if len(t.Each) > 0 {
							copies /= ep
						} else {
							first /= ep
						}
					}
					rows := (first + ranks - 1) / ranks
					add(rows*each*copies, rows*ranks*each*copies)
				}
			}
			g.several = g.several || n > 1
			x.idle += idle.own * b.Kinds[ki].Count
		}
	}
	if len(p.o.Adapters) > 0 {
		x.adapted(p)
	}
	return x
}

// adapted says of which parameters a group's gradients are with LoRA: of its adapters alone, beside a base that may be in
// few bits.
func (x *shards) adapted(p *plan) {
	all := append([]group{x.root}, x.kinds...)
	for i := range all {
		all[i].sum, all[i].sums = 0, 0
	}
	for i := range p.o.Adapters {
		a := &p.o.Adapters[i]
		for k := range x.kinds {
			if a.Kind == k && a.Block.Index != "" {
				n := (a.In + a.Out) * a.Rank * a.Copies
				all[k+1].sum += (n + x.Ranks - 1) / x.Ranks
				all[k+1].sums += n
			}
		}
	}
	if p.o.Frozen > 0 {
		for i := range all {
			all[i].own, all[i].all = p.fewer(all[i].own), p.fewer(all[i].all)
		}
	}
	x.root, x.kinds = all[0], all[1:]
}

// fewer is how many values of the passes' format take as much as n of the base model's.
func (p *plan) fewer(n int64) int64 {
	total := int64(0)
	p.m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		total += t.Elements * t.Copies * layers
	})
	return int64(float64(n) * (float64(p.o.Frozen) / float64(max(total*p.o.Param, 1))))
}

// adapters is how many values of LoRA's adapters this rank holds.
func (x *shards) adapters(list []train.Adapter) (trained int64) {
	for i := range list {
		if a := &list[i]; !besideText(a.Block) {
			trained += (a.Params() + x.Ranks - 1) / x.Ranks
		}
	}
	return trained
}

// own is how many parameters this rank holds, with layers of these kinds, and how many of them get a gradient.
func (x *shards) own(all []uint16) (held, trained int64) {
	held, trained = x.root.own+x.idle, x.root.sum
	for _, k := range all {
		held += x.kinds[k].own
		trained += x.kinds[k].sum
	}
	return held, trained
}

// gather asks for a group's parameters: a flat copy of this rank's in the format of the work, where that is
// another than the one they are held in, and the collective's flat result.
func (x *shards) gather(m *machine, g *group) int32 {
	in := int32(0)
	if x.compute != x.Held {
		in = m.alloc(g.own, x.compute, Gathered)
	}
	out := m.alloc(g.all, x.compute, Gathered)
	m.release(in)
	return out
}

// forward gathers before a layer's forward pass; the last result lives until then.
func (x *shards) forward(m *machine, g *group) int32 {
	out := x.gather(m, g)
	m.release(x.flat)
	x.flat = out
	return m.alloc(g.all, x.compute, Gathered)
}

func (x *shards) enterRoot(m *machine) { x.rootOut = x.forward(m, &x.root) }

func (x *shards) enterLayer(m *machine, i int) { x.whole[i] = x.forward(m, &x.kinds[x.pattern[i]]) }

func (x *shards) leaveLayer(m *machine, i int) {
	if !x.Keep {
		m.release(x.whole[i])
		x.whole[i] = 0
	}
}

func (x *shards) leaveRoot(m *machine) {
	if !x.Keep {
		m.release(x.rootOut)
		x.rootOut = 0
	}
	m.release(x.flat)
	x.flat = 0
}

// back begins the backward pass: the root is gathered again, and the last layer ahead of its turn.
func (x *shards) back(m *machine) {
	if x.rootOut == 0 {
		out := x.gather(m, &x.root)
		x.rootOut = m.alloc(x.root.all, x.compute, Gathered)
		m.release(out)
	}
	x.inRoot = true
	x.at = len(x.pattern)
	x.prefetch(m)
}

func (x *shards) prefetch(m *machine) {
	if i := x.at - 1; i >= 0 && x.whole[i] == 0 {
		x.ahead = x.gather(m, &x.kinds[x.pattern[i]])
	}
}

// border is between two layers, going back: the one above has its gradients, the one below is gathered.
func (x *shards) border(m *machine, layer int) {
	if x.at < len(x.pattern) {
		m.release(x.whole[x.at])
		x.whole[x.at] = 0
		x.reduce(m, &x.kinds[x.pattern[x.at]], x.waiting)
		x.waiting = x.waiting[:0]
	}
	x.inRoot = layer < 0
	x.at = layer
	if layer < 0 {
		return
	}
	if x.whole[layer] == 0 {
		x.whole[layer] = m.alloc(x.kinds[x.pattern[layer]].all, x.compute, Gathered)
		m.release(x.ahead)
		x.ahead = 0
	}
	x.prefetch(m)
}

// reduce adds a group's gradients up over the ranks: a flat copy of them goes in, this rank's part comes out.
func (x *shards) reduce(m *machine, g *group, grads []int32) {
	m.release(x.reducing)
	x.reducing = m.alloc(g.sums, x.Sum, Gathered)
	for _, s := range grads {
		m.release(s)
	}
	own := m.alloc(g.sum, x.Sum, Gradients)
	if x.Sum != x.Held {
		cast := m.alloc(g.sum, x.Held, Gradients)
		m.release(own)
		own = cast
	}
	if m.main || m.host { // added to what is there, or gone
		m.release(own)
	}
}

// end is the root's turn, after everything else.
func (x *shards) end(m *machine) {
	m.release(x.rootOut)
	x.rootOut = 0
	m.release(x.reducing)
	x.reducing = 0
	x.reduce(m, &x.root, x.kept)
	m.release(x.reducing)
	x.reducing = 0
	x.kept = x.kept[:0]
}
