package memory

import (
	"llmsize/core/fault"
	"llmsize/core/model"
)

// Status is how well a term of a footprint is known.
type Status uint8

// The statuses.
const (
	Exact    Status = iota // counted, to the byte
	Planned                // llama.cpp's own plan, followed step by step
	Bound                  // no less than Low and no more than High
	Band                   // measured: between Low and High in the runs that Source names
	Estimate               // of a checkpoint alone: what its warnings say is assumed
)

// String is the status's fixed name.
func (s Status) String() string {
	return [...]string{"exact", "planned", "bound", "band", "estimate"}[s]
}

// Term is one thing that running a model takes memory for, on one device.
type Term struct {
	What      string
	Status    Status
	Bytes     int64
	Low, High int64
	Source    string // of a band or a plan
}

// Fits is whether a term has room in a number of bytes: "yes", "no", or "unclear", where it depends on where in the band a run lies.
func (t *Term) Fits(room int64) string {
	switch {
	case t.High <= room:
		return "yes"
	case t.Low > room:
		return "no"
	}
	return "unclear"
}

// Serving is what a footprint depends on beside the model.
type Serving struct {
	CacheQuestion
	Prompt  int64 // tokens prefilled per sequence
	Flash   bool  // attention scores are never stored
	Weights int64 // bytes of the device's weights
	Shared  bool  // Weights is a share that was not counted tensor by tensor
	TP      int64 // devices that share every matrix
	Devices int64 // in all
	Extra   Term  // what else the device holds; Bytes 0 is nothing
}

// Prepared is a model made ready to be divided over devices: what the layers of
// each kind cache, of which a [Piece] says how many layers it has.
type Prepared struct {
	m             *model.Model
	vocab, hidden int64 // of the whole model, for a stage that has no head
	learned       bool  // positions are added, not turned into queries and keys
	first         []int // of each block, where its first kind is in kinds
	kinds         []prepared
}

// prepared is the layers of one kind.
type prepared struct {
	decodes bool // the decoder's own tokens pass
	specs   []spec
}

// Prepare makes a model ready, with a device's share of heads in cached. Only the
// policy, the formats and the encoder of q are read.
func Prepare(m, cached *model.Model, asked *CacheQuestion) *Prepared {
	question := *asked
	q := &question
	x := &Prepared{m: m, learned: learned(m), first: make([]int, len(m.Blocks))}
	x.vocab, x.hidden = HeadSize(m)
	q.Context = most                            // so that no window is left out because the context is shorter
	specs := make([]spec, 0, 4*len(m.Blocks)+8) // one place for those of all kinds
	for bi := range m.Blocks {
		b := &cached.Blocks[bi]
		x.first[bi] = len(x.kinds)
		for ki := range b.Kinds {
			from := len(specs)
			if specs = kindSpecs(specs, b, &b.Kinds[ki], q); q.Policy == Paged {
				specs = push(specs, pagedState(b, &b.Kinds[ki], q))
			}
			n := from
			for i := from; i < len(specs); i++ {
				if specs[i].Elements > 0 { // a layer without a recurrence has no state
					specs[n] = specs[i]
					n++
				}
			}
			specs = specs[:n]
			x.kinds = append(x.kinds, prepared{b.Index != "" && decodes(&b.Kinds[ki]), specs[from:len(specs):len(specs)]})
		}
	}
	return x
}

// Piece is the part of a model that a device holds, made ready: what does not
// change with the tokens is worked out once, so that it can be asked again and
// again (what is the longest context that fits).
type Piece struct {
	of      *Prepared
	centred bool          // the last norm does not work in place
	layers  []*model.Kind // of the decoder, in order
	walk    *walk         // of them, once it is needed
	specs   []spec
	windows []int64     // of the specs
	terms   []CacheTerm // of the last question, whose place the next one takes
	sums    []Term      // likewise
	last    planned
	why     string // what llama.cpp's plan does not know
}

// planned is a plan for a number of tokens and cells, and what it came to.
type planned struct{ tokens, cells, bytes int64 }

// Piece is what a device holds that has these layers of the model.
func (x *Prepared) Piece(held []model.Stretch) *Piece {
	p := &Piece{of: x}
	order, counts := make([]int, 0, len(x.kinds)), make([]int64, len(x.kinds)) // kinds as they come up, layers of each
	n := int64(0)
	for i := range held {
		n += held[i].Layers
	}
	p.layers = make([]*model.Kind, 0, n)
	bi, specs := 0, 0
	for _, h := range held {
		for h.Block != &x.m.Blocks[bi] {
			bi++
		}
		k := x.first[bi] + h.Kind
		if counts[k] == 0 {
			order = append(order, k)
			specs += len(x.kinds[k].specs)
		}
		counts[k] += h.Layers
		if h.Block.Index == "" {
			p.centred = centred(h.Block, p.centred)
		} else if x.kinds[k].decodes {
			for range h.Layers {
				p.layers = append(p.layers, &h.Block.Kinds[h.Kind])
			}
		}
	}
	p.specs = make([]spec, 0, specs)
	for _, k := range order {
		of := x.kinds[k].specs
		for i := range of {
			of[i].Layers = counts[k]
			p.specs = merge(p.specs, &of[i])
		}
	}
	p.windows = make([]int64, len(p.specs))
	for i := range p.specs {
		p.windows[i] = p.specs[i].Window
	}
	return p
}

// Cache is what the piece caches.
func (p *Piece) Cache(q *CacheQuestion) (int64, *fault.Error) {
	for i := range p.specs {
		s := &p.specs[i]
		if s.Window = p.windows[i]; s.Window > q.Context+s.prefix && q.Policy != Paged && q.Policy != LlamaCpp {
			s.Window = 0
		}
	}
	if p.terms == nil {
		p.terms = make([]CacheTerm, 0, len(p.specs))
	}
	_, n, err := lay(p.terms[:0], p.specs, q)
	return n, err
}

// most is a context that no window reaches.
const most = int64(1) << 62

// Footprint works out what a device holds while it runs a model: weights, cache,
// the activations of the tokens that are processed at once, logits, and what the
// runtime keeps for itself.
//
// Under the policy "llama.cpp" activations are its compute buffer and logits its
// output buffer. Elsewhere activations are planned in 16 bits for the tokens that
// are processed at once: the whole prompt for transformers, the chunk for the
// others. Measured peaks lie between 0.7 and 1.3 of that plan (docs/accuracy.md).
// Logits are one row for each sequence, in 16 to 32 bits. The runtime is CUDA's
// context and the libraries' workspaces, and NCCL's buffers where devices talk.
func Footprint(m *model.Model, s Serving) ([]Term, Term, *fault.Error) {
	return whole(m, &s.CacheQuestion).Footprint(&s)
}

// whole is all of a model.
func whole(m *model.Model, q *CacheQuestion) *Piece { return Prepare(m, m, q).Piece(m.Stretches()) }

// Footprint is the package's function for a piece.
func (p *Piece) Footprint(s *Serving) ([]Term, Term, *fault.Error) {
	return p.footprint(make([]Term, 0, maxTerms), s)
}

// Total is the sum of the piece's footprint.
func (p *Piece) Total(s *Serving) (Term, *fault.Error) {
	if p.sums == nil {
		p.sums = make([]Term, 0, maxTerms)
	}
	_, sum, err := p.footprint(p.sums, s)
	return sum, err
}

// maxTerms is how many terms a footprint has at most.
const maxTerms = 6

// footprint adds the terms to a list.
func (p *Piece) footprint(terms []Term, s *Serving) ([]Term, Term, *fault.Error) {
	kv, err := p.Cache(&s.CacheQuestion)
	if err != nil {
		return nil, Term{}, err
	}
	terms = append(terms, Term{What: "weights", Bytes: s.Weights}, Term{What: "cache", Bytes: kv})
	if s.Shared {
		terms[0].Status, terms[0].Low, terms[0].High = Bound, s.Weights-s.Weights/50, s.Weights+s.Weights/50
	}
	if s.Policy == LlamaCpp {
		b, err := p.llamaBuffers(&s.CacheQuestion, s.Flash)
		if err != nil {
			return nil, Term{}, err
		}
		compute := Term{What: "compute buffer", Status: Planned, Bytes: b.Compute, Source: "llama.cpp, ggml-alloc.c"}
		if b.Why != "" {
			compute.Status, compute.Low, compute.High = Bound, b.Compute/2, 2*b.Compute
			compute.Source = "the plan does not know " + b.Why
		}
		terms = append(terms, compute, Term{What: "output buffer", Bytes: b.Output})
	} else {
		a, logits, err := p.activations(s)
		if err != nil {
			return nil, Term{}, err
		}
		terms = append(terms, a)
		if logits.Bytes > 0 {
			terms = append(terms, logits)
		}
	}
	if s.Extra.Bytes > 0 {
		terms = append(terms, s.Extra)
	}
	if p.of.m.Counted {
		for i := range terms[1:] { // the weights are those of the files
			terms[i+1].Status = Estimate
		}
	}
	terms = append(terms, Runtime(s.Devices))
	sum := Term{What: "total"}
	for i := range terms {
		t := &terms[i]
		if t.High == 0 {
			t.Low, t.High = t.Bytes, t.Bytes
		}
		sum.Bytes += t.Bytes
		sum.Low += t.Low
		sum.High += t.High
		sum.Status = max(sum.Status, t.Status)
	}
	if sum.High < 0 || sum.Bytes < 0 {
		return nil, Term{}, tooLarge()
	}
	return terms, sum, nil
}

// activations plans a pass in 16 bits.
func (p *Piece) activations(s *Serving) (Term, Term, *fault.Error) {
	vocab, hidden := p.of.vocab, p.of.hidden
	tokens, ok := product(s.Prompt, s.Batch)
	if s.Policy != Transformers {
		tokens = min(s.Chunk, tokens)
	}
	_, ok2 := product(tokens, max(vocab, hidden, s.Context), 4096)
	logits, ok3 := product(s.Batch, (vocab+s.TP-1)/max(s.TP, 1), 4)
	if !ok || !ok2 || !ok3 {
		return Term{}, Term{}, tooLarge()
	}
	at := planned{tokens: tokens}
	if !s.Flash {
		at.cells = s.Context // the scores of that many keys
	}
	if p.last.tokens != at.tokens || p.last.cells != at.cells {
		g := graph{q: &s.CacheQuestion, flash: s.Flash, tp: max(s.TP, 1), width: 2, u: tokens, cells: s.Context, h: hidden}
		g.run(p)
		at.bytes = g.peak
		p.last = at
	}
	n := p.last.bytes
	a := Term{What: "activations", Status: Band, Bytes: n, Low: n * 7 / 10, High: n * 13 / 10, Source: "measured, docs/accuracy.md"}
	return a, Term{What: "logits", Status: Bound, Bytes: logits, Low: logits / 2, High: logits}, nil
}

// Runtime is what a GPU's runtime keeps: 0.3 to 0.6 GiB for the context and the
// libraries' workspaces, and 0.35 to 0.4 GiB for NCCL's buffers where there are
// several devices (the tables of NVIDIA's ai-dynamo/aiconfigurator, systems).
func Runtime(devices int64) Term {
	const mib = 1 << 20
	t := Term{What: "runtime", Status: Band, Low: 307 * mib, High: 614 * mib, Source: "ai-dynamo/aiconfigurator, systems"}
	if devices > 1 {
		t.Low += 358 * mib
		t.High += 410 * mib
	}
	t.Bytes = (t.Low + t.High) / 2
	return t
}
