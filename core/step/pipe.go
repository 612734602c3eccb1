package step

import (
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/train"
)

// Pipe is pipeline parallelism: the layers stand on Ranks devices one after another, in Pieces of each.
type Pipe struct {
	Ranks    int64
	Pieces   int64 // stages of a rank, which it takes in turns; 0 is 1
	Batches  int64 // micro-batches of a step; 0: twice as many as ranks
	Schedule Schedule
	Rank     int64 // whose timeline is asked for, from 0
}

// Schedule is the order of a pipeline's passes.
type Schedule uint8

// The schedules, as PyTorch has them (torch 2.15, torch/distributed/pipelining/schedules.py): one backward pass for
// each forward pass once the pipeline is full (Narayanan et al. 2021, arXiv 2104.04473, section 2.2; with several
// pieces interleaved, Schedule1F1B and ScheduleInterleaved1F1B), all forward passes first (Huang et al. 2018, arXiv
// 1811.06965, ScheduleGPipe), and gradients of weights put off into what would be idle time (Qi et al. 2023, arXiv
// 2401.10241, ScheduleInterleavedZeroBubble).
const (
	InTurn Schedule = iota
	AllForward
	ZeroBubble
)

// Rank is what one rank of a pipeline comes to.
type Rank struct {
	Model  int64 // bytes of its parameters
	Flight int64 // passes whose activations it holds at most
	Peak   int64
	At     Moment
}

// inner is what a piece of a pipeline lacks: the start of the model, its end, or both.
type inner struct {
	first, last bool
	width       int64 // of the residual stream, where no embedding says it
}

// turn is one pass in a rank's order.
type turn struct {
	what  uint8 // forward, backward, or the gradients of weights that it put off
	piece int64
	batch int64
}

const (
	ahead uint8 = iota
	back
	weights
)

// order is a rank's passes, as PyTorch's schedules list them, of n micro-batches.
func (p *Pipe) order(rank, n int64) (out []turn) {
	v := max(p.Pieces, 1)
	if v == 1 && p.Schedule == InTurn {
		warm := min(n, p.Ranks-rank)
		for i := range warm {
			out = append(out, turn{ahead, 0, i})
		}
		for i := range n {
			out = append(out, turn{back, 0, i})
			if warm+i < n {
				out = append(out, turn{ahead, 0, warm + i})
			}
		}
		return out
	}
	round := n / max(n/p.Ranks, 1)
	hops := int64(2)
	if p.Schedule == ZeroBubble {
		hops = 1
	}
	warm := min((v-1)*round+hops*(p.Ranks-1-rank), n*v)
	if p.Schedule == AllForward {
		warm = n * v
	}
	var seen [3][]int64
	for i := range seen {
		seen[i] = make([]int64, v)
	}
	next := func(what uint8, piece int64) {
		out = append(out, turn{what, piece, seen[what][piece]})
		seen[what][piece]++
	}
	behind := func(op int64) int64 { return v - 1 - (op-warm)/round%v }
	put := int64(0)
	for op := int64(0); op < warm+n*v; op++ {
		if op < n*v {
			next(ahead, op/round%v)
		}
		if op < warm {
			continue
		}
		next(back, behind(op))
		if p.Schedule == ZeroBubble && op-warm >= rank {
			next(weights, behind(warm+put))
			put++
		}
	}
	for ; p.Schedule == ZeroBubble && put < n*v; put++ {
		next(weights, behind(warm+put))
	}
	return out
}

// counted is how many micro-batches are followed: once the pipeline is full each is like the one before. Where all
// forward passes come first each adds its own.
func (p *Pipe) counted() int64 {
	n := p.Batches
	if n == 0 {
		n = 2 * p.Ranks
	}
	if p.Schedule == AllForward {
		return min(n, mostPasses)
	}
	if most := 3 * p.Ranks; n > most {
		n = most
	}
	if n > p.Ranks { // pieces are taken for a round of micro-batches each
		n -= n % p.Ranks
	}
	return n
}

// mostPasses bounds what is followed of a schedule that runs all forward passes first.
const mostPasses = 1 << 12

// leap is what a pass adds to what is live before it: at its highest point, and at its end.
type leap struct {
	high Moment
	end  Split
}

// stage is what the passes of a piece of layers add.
type stage struct {
	ahead         leap
	first, later  leap // backward passes: the first makes the gradients, later ones add to them
	put, putLater leap // the gradients of weights that were put off
}

// pipeline is the step of a device that runs some of the layers, micro-batch by micro-batch.
func pipeline(m *model.Model, o *Options) (*Timeline, *fault.Error) {
	p := o.Pipe
	v := max(p.Pieces, 1)
	if p.counted()*v > mostPasses {
		return nil, &fault.Error{Field: "pp", Problem: "the pipeline has too many passes to follow", Allowed: "fewer stages, pieces or micro-batches"}
	}
	pieces := train.Stages(m, p.Ranks*v)
	known := map[string]*stage{}
	ask := *o
	ask.Pipe, ask.puts = nil, p.Schedule == ZeroBubble
	ask.inner.width = width(m)
	if o.Shard != nil { // weights stay gathered and gradients whole from one micro-batch to the next
		ask.Shard, ask.Main = nil, o.Shard.Sum
	}
	var t *Timeline
	ranks := make([]Rank, p.Ranks)
	apart := int64(0)
	for rank := range p.Ranks {
		var own []model.Stretch
		stages := make([]*stage, v)
		for i := range v {
			at := i*p.Ranks + rank
			own = append(own, pieces[at]...)
			one := ask
			one.inner.first, one.inner.last = at > 0, at < p.Ranks*v-1
			name := one.name(m, pieces[at])
			if known[name] == nil {
				x, err := one.stage(m, pieces[at])
				if err != nil {
					return nil, err
				}
				known[name] = x
			}
			stages[i] = known[name]
		}
		one := ask
		one.Shard, one.Main = o.Shard, o.Main
		one.inner.first, one.inner.last = rank > 0, rank < p.Ranks-1
		x, err := one.scheduled(m, own, stages, p, rank)
		if err != nil {
			return nil, err
		}
		apart = max(apart, x.Apart)
		r := &ranks[rank]
		r.Model, r.Flight = x.Model, x.flight
		for _, h := range x.High {
			if n := h.Live.Total(); n > r.Peak {
				r.Peak, r.At = n, h
			}
		}
		if rank == p.Rank {
			t = x
		}
	}
	t.Ranks = ranks
	t.Apart = apart
	return t, nil
}

// width is that of the residual stream.
func width(m *model.Model) int64 {
	for bi := range m.Blocks {
		for pi := range m.Blocks[bi].Kinds[0].Parts {
			if x := &m.Blocks[bi].Kinds[0].Parts[pi]; x.Role == model.Embedding && len(x.Tensors) > 0 && len(x.Tensors[0].Dims) == 2 {
				return x.Tensors[0].Dims[1].Size
			}
		}
	}
	return 0
}

// name tells pieces apart that take different passes.
func (o *Options) name(m *model.Model, list []model.Stretch) string {
	b := []byte{'0', '0'}
	if o.inner.first {
		b[0] = '1'
	}
	if o.inner.last {
		b[1] = '1'
	}
	for _, s := range list {
		at := 0
		for &m.Blocks[at] != s.Block {
			at++
		}
		b = append(b, byte(at), byte(s.Kind), byte(s.Kind>>8), byte(s.Layers), byte(s.Layers>>8), byte(s.Layers>>16))
	}
	return string(b)
}

// cut is some stretches of a model as one of their own. A head that is tied to an embedding elsewhere has its own copy.
func cut(m *model.Model, list []model.Stretch) *model.Model {
	out := *m
	out.Blocks = nil
	var last *model.Block
	for _, s := range list {
		if s.Block.Index == "" {
			out.Blocks = append(out.Blocks, *s.Block)
			last = nil
			continue
		}
		if last != s.Block {
			b := *s.Block
			b.Pattern, b.Kinds = nil, append([]model.Kind{}, b.Kinds...)
			for i := range b.Kinds {
				b.Kinds[i].Count = 0
			}
			out.Blocks = append(out.Blocks, b)
			last = s.Block
		}
		b := &out.Blocks[len(out.Blocks)-1]
		b.Kinds[s.Kind].Count += s.Layers
		for range s.Layers {
			b.Pattern = append(b.Pattern, uint16(s.Kind))
		}
	}
	names := map[string]bool{}
	out.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, _ int64) { names[t.Name] = true })
	for bi := range out.Blocks {
		if b := &out.Blocks[bi]; b.Index == "" {
			b.Kinds = append([]model.Kind{}, b.Kinds...)
			b.Kinds[0].Parts = untied(b.Kinds[0].Parts, names)
		}
	}
	return &out
}

// untied gives parts their own copies of tensors that are tied to what is not there.
func untied(parts []model.Part, names map[string]bool) []model.Part {
	parts = append([]model.Part{}, parts...)
	for i := range parts {
		for j := range parts[i].Tensors {
			if t := &parts[i].Tensors[j]; t.TiedTo != "" && !names[t.TiedTo] {
				parts[i].Tensors = append([]model.Tensor{}, parts[i].Tensors...)
				parts[i].Tensors[j].TiedTo = ""
			}
		}
	}
	return parts
}

// kept are the adapters of some stretches, with the layers that these have.
func kept(list []train.Adapter, own []model.Stretch) (out []train.Adapter) {
	for _, a := range list {
		n := int64(0)
		for _, s := range own {
			if s.Block == a.Block && s.Kind == a.Kind {
				n += s.Layers
			}
		}
		if n > 0 {
			a.Layers = n
			out = append(out, a)
		}
	}
	return out
}

// stage runs a piece's passes once, and the backward pass again over gradients that are there.
func (o *Options) stage(m *model.Model, list []model.Stretch) (*stage, *fault.Error) {
	own := cut(m, list)
	x := &stage{}
	run := func(later, puts bool) (f, b leap, put int64, err *fault.Error) {
		r, why := ready(own, o)
		if why != "" {
			return f, b, 0, cannot(m, why)
		}
		r.puts = puts
		var t Timeline
		r.settleIn(&t)
		r.main = r.main || later
		start := r.live
		r.passes()
		if r.work.Times(int64(len(r.p.all)), 2*perMoment); r.work.Err() != nil {
			return f, b, 0, r.work.Err()
		}
		ends, ok := r.p.assemble(r.legs, r.late, start, &t.Curve, &t.High, &t.InPlace)
		if !ok || r.over {
			return f, b, 0, tooLarge(o)
		}
		f = leap{t.High[Forward], ends[Forward]}
		b = leap{t.High[Backward], ends[Backward]}
		for c := range start {
			f.high.Live[c] -= start[c]
			f.end[c] -= start[c]
			b.high.Live[c] -= ends[Forward][c]
			b.end[c] -= ends[Forward][c]
		}
		return f, b, r.largest, nil
	}
	var err *fault.Error
	if x.ahead, x.first, _, err = run(false, false); err != nil {
		return nil, err
	}
	if _, x.later, _, err = run(true, false); err != nil {
		return nil, err
	}
	return x, o.putOff(x, run)
}

// putOff divides a backward pass in two: what gradients of weights need stays until their own pass.
func (o *Options) putOff(x *stage, run func(later, puts bool) (f, b leap, put int64, err *fault.Error)) *fault.Error {
	if !o.puts {
		return nil
	}
	for _, y := range [...]struct {
		later    bool
		pass, to *leap
	}{{false, &x.first, &x.put}, {true, &x.later, &x.putLater}} {
		whole := *y.pass
		_, inputs, largest, err := run(y.later, true)
		if err != nil {
			return err
		}
		*y.pass = inputs
		y.to.high = Moment{Phase: Backward, Layer: -1, Part: "weights' gradients", Op: "product"}
		y.to.high.Live[Gradients] = largest
		for c := range whole.end {
			y.to.end[c] = whole.end[c] - inputs.end[c]
		}
	}
	return nil
}

// keepWhole makes what a pipeline's rank keeps whole of its shards between micro-batches: the weights as the passes read
// them, and the gradients as they are reduced in the end (torch 2.15, torch/distributed/pipelining/stage.py,
// backward_maybe_with_nosync; pytorch/torchtitan, docs: reshard_after_forward is off where there is a pipeline).
func (r *program) keepWhole() {
	s := r.shards
	if s == nil {
		return
	}
	all, sums := s.root.all, s.root.sums
	for _, k := range r.p.all {
		all, sums = all+s.kinds[k].all, sums+s.kinds[k].sums
	}
	r.alloc(all, s.compute, Gathered)
	r.alloc(sums, s.Sum, Gradients)
}

// scheduled lays a rank's passes out in the order of its schedule.
func (o *Options) scheduled(m *model.Model, own []model.Stretch, stages []*stage, p *Pipe, rank int64) (*Timeline, *fault.Error) {
	all := *o
	all.Adapters = kept(o.Adapters, own)
	if len(o.Adapters) > 0 && len(all.Adapters) == 0 {
		return nil, &fault.Error{Field: "lora-targets", Problem: "a stage has no adapters to train"}
	}
	r, why := ready(cut(m, own), &all)
	if why != "" {
		return nil, cannot(m, why)
	}
	t := &Timeline{}
	opt := r.settleIn(t)
	r.keepWhole()
	live := r.live
	made := make([]bool, len(stages))
	flying := int64(0)
	note := func(x Moment) {
		if x.Live.Total() >= t.High[x.Phase].Live.Total() {
			t.High[x.Phase] = x
		}
		if rank == p.Rank { // the others are asked for their peaks
			t.Curve = append(t.Curve, x)
		}
	}
	if !m.Work.Times(p.counted()*max(p.Pieces, 1), perTurn) {
		return nil, m.Work.Err()
	}
	for _, y := range p.order(rank, p.counted()) {
		s := stages[y.piece]
		var l *leap
		switch later := made[y.piece]; {
		case y.what == ahead:
			l = &s.ahead
			flying++
			t.flight = max(t.flight, flying)
		case y.what == back && !later:
			l = &s.first
			made[y.piece] = true
		case y.what == back:
			l = &s.later
		case y.batch == 0:
			l = &s.put
		default:
			l = &s.putLater
		}
		if y.what == back {
			flying--
		}
		x := l.high
		x.Batch, x.Piece = int32(y.batch), int32(y.piece)
		for c := range live {
			x.Live[c] += live[c]
			live[c] += l.end[c]
		}
		note(x)
		if total := live.Total(); total < 0 || total > 1<<60 {
			return nil, tooLarge(o)
		}
		if y.what == ahead && live.Total() > t.AfterForward {
			t.AfterForward, t.Kept = live.Total(), live
		}
	}
	t.AfterBackward = live.Total()
	x := Moment{Phase: Optimize, Layer: -1, Op: "optimizer", Live: live}
	x.Live[Temporaries] += opt.moment
	note(x)
	t.Apart = r.reduced() // once the last micro-batch has gone back
	if r.over {
		return nil, tooLarge(o)
	}
	return t, nil
}
