package train

import (
	"llmsize/core/model"
	"llmsize/core/units"
)

// Sent is what a device sends in a step for one kind of parallelism. Collectives
// go round a ring, in which each of n ranks sends (n−1)/n of what is gathered or
// scattered, and twice that of what is reduced for all (Patarasuk and Yuan 2009,
// doi 10.1016/j.jpdc.2008.09.002).
type Sent struct {
	By      string // the query's key: "tp"
	What    string // "all-gather and reduce-scatter"
	Formula string // in the letters of traffic.sent
	Values  string // the same with numbers
	Bytes   float64
	Wide    bool // the ranks stand on several nodes
	Source  string
}

// traffic is what of a model decides how much is sent.
type traffic struct {
	hidden int64
	mixers float64 // attention, state and feed-forward steps of a layer of a stage, of all layers on average
	topk   float64 // experts of a token, over the layers
	moe    float64 // layers with experts
	keys   float64 // key and value elements of a token
	layers int64
}

// trafficOf reads a model for stages of a layout.
func trafficOf(m *model.Model) (f traffic) {
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if b.Index == "" {
			continue
		}
		f.layers += int64(len(b.Pattern))
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			n := float64(k.Count)
			for pi := range k.Parts {
				p := &k.Parts[pi]
				if p.Stream != "" && p.Stream != "encoder" || p.Get(model.Unused) != 0 {
					continue
				}
				switch {
				case p.Get(model.Heads) > 0:
					f.mixers = float64(f.mixers + n)
					d := p.Get(model.HeadDim)
					v := d
					if p.Has(model.VDim) {
						v = p.Get(model.VDim)
					}
					kv := p.Get(model.KVHeads)
					if kv == 0 {
						kv = p.Get(model.Heads)
					}
					f.keys = float64(f.keys + float64(n*float64(kv*(d+v))))
				case p.Get(model.StateSize) > 0, p.Role == model.FFN:
					f.mixers = float64(f.mixers + n)
				case p.Get(model.Experts) > 0:
					f.moe = float64(f.moe + n)
					f.topk = float64(f.topk + float64(n*float64(p.Get(model.TopK))))
				}
				if f.hidden == 0 {
					f.hidden = widthOf(p)
				}
			}
		}
	}
	if h, ok := m.Value("hidden_size"); ok && h > 0 {
		f.hidden = h
	}
	return f
}

// widthOf is what the first matrix of a part takes.
func widthOf(p *model.Part) int64 {
	for i := range p.Tensors {
		if x := &p.Tensors[i]; x.Op == model.MatMul && len(x.Dims) >= 2 {
			in, _ := x.Sides()
			return in.Size
		}
	}
	return 0
}

// step is one optimizer step of a layout: m micro-batches on each of its ranks.
type step struct {
	micro   int64 // sequences of a micro-batch
	batches int64 // micro-batches of a rank
}

// Kinds of traffic, in the order in which they are shown.
const (
	byTP = iota
	byCP
	byEP
	byPP
	byDP
	numTraffic
)

// sent works out what the busiest device sends in a step, in bytes, with
//
//	n  tokens of a micro-batch on a device: micro · seq / c
//	m  micro-batches; t, c, e, p, d  the ranks of tp, cp, ep, pp, and dp × cp
//	L  layers of the largest stage; h hidden size; a bytes of an activation
//	w, g  bytes of a weight and of a gradient; Φ trained parameters of the device
//
//	tensor    m · n·h·a · (t−1)/t · (5 for each mixer and feed-forward)  sequence parallel: an all-gather and a
//	          reduce-scatter each way, and one more all-gather for the weights' gradients; 4 without, all-reduces
//	          (Korthikanti et al. 2022, arXiv 2205.05198, section 4.2.2; Shoeybi et al. 2019, arXiv 1909.08053,
//	          section 3); 2 more where layers are made again, 1 where ops are. Experts that are divided take K tokens for one.
//	context   m · n·K·a/t · 3(c−1)                                      keys and values round a ring, and back with
//	          their gradients (Liu et al. 2023, arXiv 2310.01889, section 3); a fourth time where scores are made again
//	experts   m · n·k·h·a · 4(e−1)/e  of each layer with experts         to them and back, both ways (Lepikhin et al.
//	          2020, arXiv 2006.16668, section 3), each of t slices its share of the tokens under sequence parallelism
//	stages    m · n·h·a · 2v                                            to the next, and the gradient back (Narayanan
//	          et al. 2021, arXiv 2104.04473, section 2.2); one less where there are two stages
//	data      (d−1)/d · Φ · 2g       ZeRO 0: an all-reduce of gradients
//	          (d−1)/d · Φ · (g + w)  ZeRO 1: a reduce-scatter of gradients, an all-gather of weights
//	          (d−1)/d · Φ · (m·g + w)  ZeRO 2: gradients after each micro-batch, because none keeps them whole
//	          (d−1)/d · Φ · m·(g + 2w) ZeRO 3: weights for the passes of each micro-batch too
//	          (Rajbhandari et al. 2019, arXiv 1910.02054, section 7); of experts with d/e ranks
//
// Left out are the embedding's and the loss's own, each a layer's at most.
func (f *traffic) sent(q *Question, s *stage, x step) (out [numTraffic]float64) {
	l := &q.Layout
	t, c, e, p, v := float64(l.TP), float64(max(l.CP, 1)), float64(l.EP), l.PP, max(l.VP, 1)
	a := 4.0
	if q.Precision.half() {
		a = 2
	}
	n := float64(float64(x.micro) * float64(q.Saving.Seq) / c)
	m := float64(x.batches)
	row := float64(n * float64(f.hidden) * a)
	share := float64(up(f.layers, p)) / float64(max(f.layers, 1))
	again, routed := 0.0, 0.0
	switch q.Saving.Recompute {
	case "full", onHost:
		again, routed = 2, 2
	case "ops": // what slices scatter is kept, what they gather is not
		again, routed = 1, 2
	}
	if l.TP > 1 {
		steps := float64(f.mixers + f.moe)
		if l.EP > 1 {
			steps = float64(f.mixers + f.topk)
		}
		each := 4 + again
		if q.Saving.Sequence {
			each++
		}
		out[byTP] = float64(m * row * float64((t-1)/t) * each * steps * share)
	}
	if c > 1 {
		each := 3.0
		if r := q.Saving.Recompute; r != "none" && r != "" && r != "ops" {
			each++
		}
		out[byCP] = float64(m * n * f.keys * a / t * each * (c - 1) * share)
	}
	if l.EP > 1 {
		out[byEP] = float64(m * row * f.topk * float64((e-1)/e) * (4 + routed) * share)
		if q.Saving.Sequence {
			out[byEP] = float64(out[byEP] / t)
		}
	}
	if p > 1 {
		hops := 2 * v
		if p == 2 {
			hops--
		}
		out[byPP] = float64(m * row * float64(hops))
		if q.Saving.Sequence {
			out[byPP] = float64(out[byPP] / t)
		}
	}
	d := float64(l.Ranks())
	out[byDP] = float64(q.reduced(float64(s.trained.dense), float64(s.frozen.dense), m)*(d-1)/d) +
		float64(q.reduced(float64(s.trained.expert), float64(s.frozen.expert), m)*(d-e)/d)
	return out
}

// reduced is the bytes of gradients and weights that ranks with the same weights exchange in a
// step of m micro-batches, before (d−1)/d.
func (q *Question) reduced(trained, frozen, m float64) float64 {
	g, w := float64(q.Precision.Grad+q.Precision.Main), float64(q.Precision.multiplied())
	switch q.Layout.Zero {
	case 0:
		return float64(trained * 2 * g)
	case 1:
		return float64(trained * float64(g+w))
	case 2:
		return float64(trained * float64(float64(m*g)+w))
	}
	if q.FrozenOf > 0 {
		frozen = float64(frozen * float64(q.Frozen) / float64(q.FrozenOf))
	} else {
		frozen = float64(frozen * w)
	}
	return float64(m * float64(float64(trained*float64(g+float64(2*w)))+float64(2*frozen)))
}

// wide reports which groups of ranks are spread over several nodes of that many devices, when
// neighbours are those of tp, then cp, then dp (of which ep takes its ranks), then pp.
func wide(l *Layout, node int64) (out [numTraffic]bool) {
	c := max(l.CP, 1)
	out[byTP] = l.TP > node
	out[byCP] = l.TP*c > node
	out[byEP] = l.TP*l.EP > node
	out[byDP] = l.TP*l.Ranks() > node
	out[byPP] = l.Devices() > node
	return out
}

// Volumes lists what the busiest device sends in a step of those sequences over
// all devices, node of them to a node: traffic.sent has the formulas. batches is
// the micro-batches of a rank.
func Volumes(m *model.Model, q *Question, sequences, node int64) (list []Sent, batches int64) {
	p, err := prepare(m, q)
	if err != nil {
		return nil, 0
	}
	batches = up(up(sequences, q.Layout.DP), q.Saving.Micro)
	f := trafficOf(m)
	return f.list(q, p.largest(), step{q.Saving.Micro, batches}, node), batches
}

// largest is the stage that trains most: it sends most.
func (p *plan) largest() *stage {
	best := &p.stages[0]
	for i := range p.stages {
		if a, b := &p.stages[i].trained, &best.trained; a.dense+a.expert > b.dense+b.expert {
			best = &p.stages[i]
		}
	}
	return best
}

// list is sent with its formulas.
func (f *traffic) list(q *Question, s *stage, x step, node int64) (out []Sent) {
	l := &q.Layout
	bytes, far := f.sent(q, s, x), wide(l, node)
	tensor := Sent{By: "tp", What: "all-reduce", Formula: "m·n·h·a·(t−1)/t·4·steps", Source: "Shoeybi et al. 2019, arXiv 1909.08053, section 3"}
	if q.Saving.Sequence {
		tensor.What, tensor.Formula, tensor.Source = "all-gather and reduce-scatter", "m·n·h·a·(t−1)/t·5·steps", "Korthikanti et al. 2022, arXiv 2205.05198, section 4.2.2"
	}
	data := Sent{By: "dp", What: "all-reduce of gradients", Formula: "(d−1)/d·Φ·2g", Source: "Rajbhandari et al. 2019, arXiv 1910.02054, section 7"}
	switch l.Zero {
	case 1:
		data.What, data.Formula = "reduce-scatter of gradients, all-gather of weights", "(d−1)/d·Φ·(g + w)"
	case 2:
		data.What, data.Formula = "reduce-scatter of gradients after each micro-batch, all-gather of weights", "(d−1)/d·Φ·(m·g + w)"
	case 3:
		data.What, data.Formula = "all-gather of weights for both passes, reduce-scatter of gradients, each micro-batch", "(d−1)/d·Φ·m·(g + 2w)"
	}
	rows := [numTraffic]Sent{
		byTP: tensor,
		byCP: {By: "cp", What: "keys and values round a ring, and their gradients", Formula: "m·n·K·a/t·3(c−1)", Source: "Liu et al. 2023, arXiv 2310.01889, section 3"},
		byEP: {By: "ep", What: "all-to-all, to experts and back", Formula: "m·n·k·h·a·4(e−1)/e", Source: "Lepikhin et al. 2020, arXiv 2006.16668, section 3"},
		byPP: {By: "pp", What: "point to point, activations and their gradients", Formula: "m·n·h·a·2v", Source: "Narayanan et al. 2021, arXiv 2104.04473, section 2.2"},
		byDP: data,
	}
	n := x.micro * q.Saving.Seq / max(l.CP, 1)
	of := func(name string, n int64) string { return name + " = " + units.Group(n) + ", " }
	batch := of("m", x.batches) + of("n", n)
	for i := range rows {
		if !(bytes[i] > 0) {
			continue
		}
		r := rows[i]
		r.Bytes, r.Wide = bytes[i], far[i]
		switch i {
		case byTP:
			r.Values = batch + of("h", f.hidden) + of("t", l.TP)
		case byCP:
			r.Values = batch + of("K", int64(f.keys)) + of("c", l.CP)
		case byEP:
			r.Values = batch + of("h", f.hidden) + of("k over all layers", int64(f.topk)) + of("e", l.EP)
		case byPP:
			r.Values = batch + of("h", f.hidden) + of("v", max(l.VP, 1))
		case byDP:
			r.Values = of("d", l.Ranks()) + of("Φ", s.trained.dense+s.trained.expert) + of("m", x.batches) + of("g", q.Precision.Grad+q.Precision.Main) + of("w", q.Precision.multiplied())
		}
		r.Values = r.Values[:len(r.Values)-2]
		out = append(out, r)
	}
	return out
}
