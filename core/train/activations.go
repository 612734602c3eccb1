package train

// Saving is which activations are kept for the backward pass.
//
// What is counted is what autograd saves of transformers' plain modules in 16
// bits (fp32 in fp32), each storage once: the input of every matrix, what norms and activation
// functions need for their gradients, queries, keys and values, the scores twice
// (softmax in fp32, and in 16 bits for the product with the values), the loss's
// log-probabilities in fp32. With flash attention the scores are not stored, only
// one fp32 value for each query and head (Dao et al. 2022, arXiv 2205.14135,
// section 3.1), and keys and values stay as narrow as they are.
//
// What does not grow with tokens is left out: rotary tables, copies of a router's matrix.
//
// Beside them stands what is there for a moment only: the layer that full
// recomputation makes again, or the logits with their gradients, whichever is more.
//
// Ops is torchtitan's selective checkpointing operation by operation (pytorch/torchtitan,
// torchtitan/parallelisms/parallelize_llama.py, commit 9dec370, its _save_list): the outputs of the
// first, the third, … product of a layer are kept, attention's and its row sums, and what slices scatter.
// Experts' grouped products are none of these.
//
// Fused counts Megatron-LM's kernels instead: norms save their input alone,
// dropout masks are one byte, scores take 5 bytes. For GPT that is the table of
// Korthikanti et al. 2022, arXiv 2205.05198, section 4: s·b·h·(34 + 5·a·s/h).
type Saving struct {
	Seq, Micro int64 // tokens of a sequence, sequences of a micro-batch
	Flash      bool
	// Recompute is none, selective (the scores are made again), ops (all but each layer's input, what every
	// second product with a matrix gives, and what flash attention does), full (all but each layer's input) or host
	// (these inputs wait with the host).
	Recompute string
	// Sequence is sequence parallelism: what tensor parallelism leaves whole is divided by tokens (section 4.2.2).
	Sequence bool
	Split    bool  // whether a layout that has tensor parallelism has it: what [Solve] and [Rank] try
	Act      int64 // how many of a feed-forward's widths the activation function keeps; 0: as the family does
	Fused    bool
}

// Saved is what one component keeps in the layers of a stage.
type Saved struct {
	Block, Kind string
	Title       string // "self attention"
	What        string // "scores"
	Layers      int64
	Layer       float64  // bytes of one layer and one micro-batch
	Flying      int64    // layers, each as often as micro-batches are in flight in its piece
	Bytes       float64  // of all layers and of all micro-batches in flight
	Again       bool     // there for a moment only: made again in the backward pass for one layer at a time, or the loss's
	Terms       []Addend // the bytes of a layer and a token; only of [Terms]
}

// The kinds of what is saved.
const (
	norms   = "norms"
	mixer   = "projections"
	scores  = "scores"
	ffn     = "feed-forward"
	experts = "experts"
	loss    = "logits and loss"
	inputs  = "layer inputs"
	outputs = "every second product, and attention"
	sums    = "softmax sums"
	masks   = "dropout masks"
	remade  = "all of it"

	gradients = "logits and their gradients"
)

// activations works out what one layer keeps of one sequence.
func (p *plan) activations(u *unit, q *Question) {
	k := &u.block.Kinds[u.kind]
	one := *q
	one.Saving.Micro = 1
	t := tally{m: p.m, q: &one, noting: q.terms}
	t.count('e', t.value())
	for pi := range k.Parts {
		t.part(&k.Parts[pi])
	}
	t.stream(k)
	u.totals = t.totals
}

// Means says what is kept for a reason, and why.
func (s *Saved) Means() string {
	switch s.What {
	case norms:
		return "a norm's input in fp32, its deviation and its result, for its weight's gradient; of a layer norm, and with fused kernels, the input alone"
	case mixer:
		return "the inputs of the matrices, for their gradients, and queries, keys, values and what they sum to, for each other's"
	case scores:
		return "the softmax in fp32 and in 16 bits, a pair of tokens and a head"
	case masks:
		return "which values were dropped"
	case sums:
		return "a number a head, from which flash attention makes the scores again"
	case ffn:
		return "the first matrix's input, what the activation function takes and gives, with a gate the way up and the product, the last matrix's input"
	case experts:
		return "the router's probabilities, a token's copies to and from its experts, and what a feed-forward keeps, for each of them"
	case loss:
		return "the head's input, and log-probabilities in fp32"
	case inputs:
		return "what goes into a layer, from which recomputation makes it again"
	case outputs:
		return "the outputs that torchtitan's policy keeps, so that these products are not made again"
	case remade:
		return "what recomputation makes again of one layer at a time"
	case gradients:
		return "the gradients of the log-probabilities and of the logits, in fp32"
	}
	return ""
}

// repeats reports whether a layer keeps its input, and little or nothing beside it.
func (u *unit) repeats(recompute string) bool {
	return u.block.Index != "" && (recompute == "full" || recompute == "ops" || recompute == onHost)
}

// onHost is the recomputation whose layers' inputs wait with the host.
const onHost = "host"

// again is what one layer takes for a moment only: all of it, or the largest scores of one part.
func (u *unit) again(recompute string) (made total) {
	switch {
	case u.repeats(recompute):
		for i := range u.sums {
			made.bytes = float64(made.bytes + u.sums[i].bytes)
			made.terms = append(made.terms, u.sums[i].terms...)
		}
	case recompute == "selective":
		for i := range u.sums {
			if u.sums[i].what == scores && u.sums[i].bytes > made.bytes {
				made = u.sums[i]
			}
		}
	}
	return made
}

// kept is the bytes of activations on a device of a stage: of one sequence, times those of a micro-batch.
func (p *plan) kept(q *Question, s *stage) float64 {
	sum, most := 0.0, 0.0
	for _, h := range s.held {
		u := &p.units[h.unit]
		again := u.again(q.Saving.Recompute).bytes
		most = max(most, again, u.moment.bytes)
		if u.repeats(q.Saving.Recompute) {
			if again > 0 && q.Saving.Recompute != onHost {
				sum = float64(sum + float64(u.input.bytes*float64(h.flying)))
			}
			if q.Saving.Recompute == "ops" {
				sum = float64(sum + float64(u.outputs.bytes*float64(h.flying)))
			}
			continue
		}
		for i := range u.sums {
			if u.sums[i].what != scores || q.Saving.Recompute != "selective" {
				sum = float64(sum + float64(u.sums[i].bytes*float64(h.flying)))
			}
		}
	}
	return float64(float64(sum+most) * float64(q.Saving.Micro))
}

// save lists what a stage keeps.
func (p *plan) save(q *Question, s *stage) (out []Saved) {
	var again Saved
	micro := float64(q.Saving.Micro)
	rows := 1
	for _, h := range s.held {
		rows += max(len(p.units[h.unit].sums), 2)
	}
	out = make([]Saved, 0, rows)
	for _, h := range s.held {
		u := &p.units[h.unit]
		label := u.block.Kinds[u.kind].Label
		moment := func(title, what string, x *total) {
			if bytes := float64(x.bytes * micro); bytes > again.Layer {
				again = Saved{Block: u.block.Title, Kind: label, Title: title, What: what, Layers: 1, Layer: bytes, Flying: 1, Bytes: bytes, Again: true, Terms: x.terms}
			}
		}
		keep := func(title, what string, x *total) {
			bytes := float64(x.bytes * micro)
			out = append(out, Saved{Block: u.block.Title, Kind: label, Title: title, What: what, Layers: h.layers, Layer: bytes, Flying: h.flying, Bytes: float64(bytes * float64(h.flying)), Terms: x.terms})
		}
		moment("loss", gradients, &u.moment)
		made := u.again(q.Saving.Recompute)
		if u.repeats(q.Saving.Recompute) {
			if made.bytes > 0 {
				if q.Saving.Recompute != onHost {
					keep("layer", inputs, &u.input)
				}
				moment("layer", remade, &made)
			}
			if q.Saving.Recompute == "ops" && u.outputs.bytes > 0 {
				keep("layer", outputs, &u.outputs)
			}
			continue
		}
		moment(made.title, scores, &made)
		for i := range u.sums {
			if x := &u.sums[i]; x.what != scores || q.Saving.Recompute != "selective" {
				keep(x.title, x.what, x)
			}
		}
	}
	if again.Layer > 0 {
		out = append(out, again)
	}
	return out
}
