package step

import (
	"llmsize/core/model"
	"llmsize/core/train"
)

// sliced is how many parameters a rank of tensor and expert parallelism holds, and how many of them are experts'.
func (p *plan) sliced() (total, experts int64) {
	l := train.Layout{TP: p.o.tp(), PP: 1, EP: p.o.ep(), DP: 1}
	for bi := range p.m.Blocks {
		for ki := range p.m.Blocks[bi].Kinds {
			k := &p.m.Blocks[bi].Kinds[ki]
			for pi := range k.Parts {
				if besides(&k.Parts[pi]) { // each rank holds it whole
					continue
				}
				for i, n := range l.Elements(&k.Parts[pi]) {
					t := &k.Parts[pi].Tensors[i]
					if t.Buffer {
						continue
					}
					total += n * k.Count
					if t.ActiveOf > 1 {
						experts += n * k.Count
					}
				}
			}
		}
	}
	if p.headTied {
		total += p.head.n
	}
	return total, experts
}

// slices is what a rank of tensor parallelism holds of each of a part's tensors; nil where it holds all.
func (p *plan) slices(x *model.Part) []int64 {
	if p.o.tp() == 1 || besides(x) {
		return nil
	}
	l := train.Layout{TP: p.o.tp(), PP: 1, EP: 1, DP: 1}
	return l.Elements(x)
}

// place gives the program's weights their storage and their leaves.
func (p *plan) place(m *machine, shared int32) {
	m.leafs = append(m.leafs, leaf{}) // once
	frozen := len(p.o.Adapters) > 0
	set := func(w *weight, adapter bool) {
		if w == nil {
			return
		}
		w.st = shared
		if frozen && !adapter {
			w.leaf = 0
		}
	}
	mat := func(x *matrix) {
		if x == nil {
			return
		}
		set(x.p, false)
		set(x.bias, false)
		set(x.a, true)
		set(x.b, true)
	}
	nor := func(n *norm) {
		if n != nil {
			set(n.p, false)
			set(n.bias, false)
		}
	}
	ffn := func(f *mlp) {
		if f != nil {
			mat(f.up)
			mat(f.gate)
			mat(f.down)
			nor(f.subNorm)
		}
	}
	for i := range p.kinds {
		for j := range p.kinds[i].branches {
			b := &p.kinds[i].branches[j]
			nor(b.pre)
			nor(b.post)
			if a := b.attn; a != nil {
				set(a.table, false)
				for _, x := range [...]*matrix{a.q, a.k, a.v, a.qkv, a.o, a.qa, a.qb, a.kva, a.kvb, a.door} {
					mat(x)
				}
				for _, n := range [...]*norm{a.qaNorm, a.kvNorm, a.qNorm, a.kNorm, a.subNorm} {
					nor(n)
				}
			}
			if s := b.scan; s != nil {
				for _, x := range [...]*matrix{s.in, s.out, s.x, s.dt, s.gate, s.rate, s.write} {
					mat(x)
				}
				for _, x := range [...]*weight{s.conv, s.convBias, s.decay, s.skip, s.bias} {
					set(x, false)
				}
				for _, n := range [...]*norm{s.steps, s.enter, s.leave, s.gated} {
					nor(n)
				}
			}
			ffn(b.mlp)
			if b.also != nil {
				nor(b.own)
				nor(b.also.pre)
				nor(b.also.post)
			}
			if e := b.mixture(); e != nil {
				mat(e.router)
				set(e.scale, false)
				mat(e.sgate)
				mat(e.up)
				mat(e.down)
				ffn(e.shared)
			}
		}
	}
	nor(p.final)
	nor(p.headNorm)
	nor(p.encoded)
	for i := range p.opening.norms {
		nor(&p.opening.norms[i])
	}
	mat(p.dense)
	for i := range p.first {
		nor(&p.first[i])
	}
	own := func(w *weight) {
		set(w, false)
		if w != nil && w.leaf != 0 {
			m.leafs = append(m.leafs, leaf{n: w.n, w: w.w})
			w.leaf = int32(len(m.leafs))
		}
	}
	own(p.embed)
	own(p.position)
	own(p.types)
	own(p.opening.position)
	if p.tied && p.embed != nil { // one parameter, read two ways
		p.head.st, p.head.leaf = p.embed.st, p.embed.leaf
	} else {
		own(p.head)
	}
	own(p.headBias)
}
