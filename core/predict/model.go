package predict

import "math"

// Step is what a step of decoding costs beside what it reads and multiplies, as runs show it.
type Step struct {
	Share    float64 // of the bandwidth at which weights are read
	Cache    float64 // of the bandwidth at which the cache is read
	Experts  float64 // how much longer a byte of experts takes than another weight's
	Layer    float64 // seconds a plain layer: launches, norms, the least time of an attention
	Tensor   float64 // seconds a layer for each doubling of the devices that share it
	Busy     float64 // of the devices' rate at which many sequences are multiplied
	Sequence float64 // seconds a sequence: sampling, the host
	Narrowed float64 // which power of what 8 and 4 bits multiply faster is reached
	Routed   float64 // how much of the rate is left for experts, each of which sees few tokens
	Links    float64 // of a link's rate at which tensor ranks exchange hidden states
	Hides    float64 // 1 where launches go on while kernels read, so that the longer of both counts; else 0
}

// Fill is what a prefill costs.
type Fill struct {
	Half, Narrow float64 // of [Rate], at 10^14 FLOP/s: weights of 16 bits; narrower ones, which are widened or multiplied as integers
	Scores       float64 // the same for attention's scores
	Slope        float64 // by which power of the rate that share falls: launches and memory bind faster devices more
	Layer        float64 // seconds a layer for every chunk
	Routed       float64 // how much of the rate is left for experts, each of which sees few tokens
	Chunk        float64 // tokens that the engine reads at once where nobody says otherwise; 0 is the whole prompt
}

// Load is what a server under load costs.
type Load struct {
	Mix   float64 // how much of other users' prefills a user's decoding waits for
	First float64 // seconds before a prefill begins
	Own   float64 // how many times its bound by [Step.Busy] a prefill takes
	Queue float64 // how much of each other user's prefill one waits for, when all begin at once
	Clash float64 // how much of the prefills that one finds under way, which are a part of the others by how long their answers take
	Steps float64 // steps of decoding that one waits for
}

// Parts are the seconds of a step of decoding by what they go to.
type Parts struct {
	Read     float64 // weights and cache, at the device's bandwidth
	Kernels  float64 // what kernels do not reach of it
	Products float64 // of the sequences beyond the first
	Layers   float64 // launches, norms, the least time of an attention
	Links    float64 // what tensor ranks exchange, and wait for each other
	Host     float64 // sampling
}

// Sum is all parts together.
func (p *Parts) Sum() float64 {
	return float64(float64(p.Read+p.Kernels) + float64(p.Products+p.Layers) + float64(p.Links+p.Host))
}

// Step is a step for the sequences of each replica, with the bytes that each has cached.
func (w *Work) Step(s *Step, sequences float64, cache float64, rate float64) (p Parts) {
	weights := w.Weights(int64(sequences + 0.5))
	always := min(w.Always, weights)
	all := float64(w.Bandwidth * w.TP)
	p.Read = float64(float64(weights+float64(cache*sequences)) / all)
	read := float64(float64(always+float64((weights-always)*s.Experts)) / s.Share)
	read = float64(read + float64(cache*sequences)/s.Cache)
	p.Kernels = float64(float64(read/all) - p.Read)
	if sequences > 1 && s.Busy > 0 && rate > 0 {
		p.Products = float64(float64(w.Matmul+w.Head) * (sequences - 1) / float64(w.busy(s, rate)*w.TP))
	}
	p.Layers = max(float64(float64(w.Launches*s.Layer)-float64(s.Hides*float64(p.Read+p.Kernels))), 0)
	p.Links = float64(float64(w.Layers*float64(s.Tensor*math.Log2(w.TP))) + w.exchange(s, sequences))
	p.Host = float64(s.Sequence * (sequences - 1))
	return p
}

// Decode is the seconds of a step.
func (w *Work) Decode(s *Step, sequences float64, cache float64, rate float64) float64 {
	p := w.Step(s, sequences, cache, rate)
	return p.Sum()
}

// Prefill is the seconds of reading tokens of each of some sequences, chunk of them at once (0: as many as the engine takes);
// scores is the FLOPs of attention for each. Every chunk reads the weights that its tokens need, which is most of the time where
// chunks are small. Stages work on different chunks at a time, but for the first ones and the last.
func (w *Work) Prefill(f *Fill, tokens, sequences, chunk, scores, rate float64) float64 {
	if chunk == 0 {
		chunk = f.Chunk
	}
	if all := float64(tokens * sequences); chunk == 0 || chunk > all {
		chunk = max(all, 1)
	}
	share := f.Narrow
	if w.Half {
		share = f.Half
	}
	if w.Experts > 0 && f.Routed > 0 {
		share = float64(share * f.Routed)
	}
	n := float64(float64(tokens*w.Matmul) + w.Head)
	chunks := math.Ceil(float64(tokens * sequences / chunk))
	t := float64(float64(n/share+scores/f.Scores) * sequences / float64(rate*w.TP))
	t = float64(t * math.Pow(float64(rate/1e14), f.Slope))
	t = float64(t + float64(chunks*float64(float64(w.Launches*f.Layer)+float64(w.Weights(int64(chunk+0.5))/float64(w.Bandwidth*w.TP)))))
	return float64(t * float64(chunks+w.PP-1) / float64(chunks*w.PP))
}

// Reading is the seconds that a server's devices need for one user's prompt.
func (w *Work) Reading(s *Step, tokens, scores, rate float64) float64 {
	n := float64(float64(tokens*w.Matmul) + float64(2*scores))
	t := float64(n/float64(w.busy(s, rate)*w.TP) + float64(w.Launches*s.Layer/2))
	return float64(t + w.exchange(s, tokens))
}

// exchange is the seconds that tensor ranks' links are busy for that many tokens: two all-reduces of the hidden state a layer, for each of which
// every rank sends 2 (n - 1) / n of it, in 16 bits. It is 0 where no source gives the link's rate.
func (w *Work) exchange(s *Step, tokens float64) float64 {
	if w.TP < 2 || w.Link == 0 || s.Links == 0 {
		return 0
	}
	return float64(float64(w.Layers*w.Hidden*tokens*2*2*2*float64(w.TP-1)/w.TP) / float64(s.Links*w.Link))
}

// busy is the FLOP/s of a device that multiplies for many sequences or tokens at once.
func (w *Work) busy(s *Step, rate float64) float64 {
	r := float64(s.Busy * rate)
	if w.Rate > 0 && rate > w.Rate {
		r = float64(float64(s.Busy*w.Rate) * math.Pow(float64(rate/w.Rate), s.Narrowed))
	}
	if w.Experts > 0 {
		r = float64(r * s.Routed)
	}
	return r
}

// Token is the seconds between a user's tokens, with that many users on a replica, who each send a prompt and generate
// output tokens: a step, and the part of the others' prefills that comes between. Stages work on different users at a time: while
// a token passes through all of them, each has stepped for every user in turn, and has read its layers' part of the others' prompts.
func (w *Work) Token(s *Step, l *Load, users, output, cache, reading, rate float64) float64 {
	return float64(w.Decode(s, max(users/w.PP, 1), cache, rate) + float64(l.Mix*float64(users-1)*reading/float64(output*w.PP)))
}

// FirstToken is the seconds until a user's first token. A prompt passes through all stages; others' take a stage's time each.
func (w *Work) FirstToken(s *Step, l *Load, users, output, cache, reading, rate float64) float64 {
	step := w.Decode(s, max(users/w.PP, 1), cache, rate)
	wait := float64(l.First + float64(l.Steps*step))
	others := float64(float64(users-1) * reading / float64(reading+float64(output*step)))
	return float64(wait + float64(l.Own*reading*float64(1+float64(float64(l.Queue*(users-1))+float64(l.Clash*others))/w.PP)))
}

// Train is what a step of training costs.
type Train struct {
	Share    float64 // of a device's rate at which products are multiplied
	Narrowed float64 // which power of what 8 and 4 bits multiply faster is reached
	Routed   float64 // how much of the rate is left for models with experts
	Passes   float64 // how often a layer's hidden state goes through memory, in 16 bits
	Picked   float64 // the same for each expert that a token picks
	Beyond   float64 // how much longer it takes for each doubling of the devices that share a layer beyond those that one switch joins
	Launch   float64 // seconds a layer of a micro-batch takes whatever its size: launches, the host
	Routing  float64 // the same, more, where experts are picked
	Links    float64 // of a link's rate at which tensor ranks exchange hidden states; 0 is without them
}

// Layout is how a training run is spread, and what its products take.
type Layout struct {
	FLOPs  float64 // of one token, all passes together
	Rate   float64 // FLOP/s of a device in the format of the products
	Beyond float64 // as [Library.Beyond] has it
	Tokens float64 // of a micro-batch
	TP, CP float64 // devices that share its layers, and its sequence
	PP, VP float64 // stages, and parts of each
	Micro  float64 // micro-batches of a pipeline in a step; 0 where nobody says
	Link   float64 // bytes a second of a device's link, one direction; 0 where no source gives it
}

// Bound is the least seconds of a device for one token: its products at the peak.
func (x *Layout) Bound() float64 { return float64(x.FLOPs / x.Rate) }

// Training is the seconds of a device for one token of a run.
func (w *Work) Training(t *Train, x *Layout) float64 {
	r := w.busy(&Step{Busy: t.Share, Narrowed: t.Narrowed, Routed: t.Routed}, x.Rate)
	state := float64(w.Layers * w.Hidden * 2 * float64(t.Passes+float64(t.Picked*float64(w.Picked))))
	seconds := float64(x.FLOPs/r + state/w.Bandwidth)
	each := t.Launch
	if w.Experts > 0 {
		each = float64(each + t.Routing)
	}
	// Each of the devices that share a layer launches for it.
	seconds = float64(seconds + float64(w.Layers*each*x.TP*x.CP)/x.Tokens)
	if x.TP > 1 && x.Link > 0 && t.Links > 0 {
		// Two all-reduces of the hidden state a layer in each direction: every rank sends 2 (n - 1) / n of it, in 16 bits
		// (Shoeybi et al. 2019, arXiv 1909.08053, section 3).
		sent := float64(w.Layers * w.Hidden * 2 * 4 * 2 * float64(x.TP-1))
		seconds = float64(seconds + sent/float64(t.Links*x.Link))
	}
	if x.PP > 1 && x.Micro > 0 {
		// A stage waits while the others fill and drain (Narayanan et al. 2021, arXiv 2104.04473, section 2.2).
		seconds = float64(seconds * float64(1+float64(x.PP-1)/float64(x.VP*x.Micro)))
	}
	return float64(seconds * float64(1+float64(t.Beyond*math.Log2(x.Beyond))))
}
