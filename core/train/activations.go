package train

import (
	"llmsize/core/arch"
)

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
// Beside them stands what is there for a moment only: the layer that full
// recomputation makes again, or the logits with their gradients, whichever is more.
//
// Fused counts Megatron-LM's kernels instead: norms save their input alone,
// dropout masks are one byte, scores take 5 bytes. For GPT that is the table of
// Korthikanti et al. 2022, arXiv 2205.05198, section 4: s·b·h·(34 + 5·a·s/h).
type Saving struct {
	Seq, Micro int64 // tokens of a sequence, sequences of a micro-batch
	Flash      bool
	Recompute  string // none, selective (the scores are made again), full (all but each layer's input is)
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
	Layer       float64 // bytes of one layer and one micro-batch
	Bytes       float64 // of all layers and of all micro-batches in flight
	Again       bool    // there for a moment only: made again in the backward pass for one layer at a time, or the loss's
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
)

// tally adds up one kind of layer.
type tally struct {
	m      *arch.Model
	q      *Question
	p      *arch.Part
	tokens float64 // of the part's stream, in a micro-batch
	live   int64   // width of the matrix input that is kept since the last norm
	normAt int     // norms of heads seen in the part
	sums   map2
	moment float64 // bytes while the loss is worked out
}

// map2 is bytes by what, in order of first use.
type map2 []struct {
	title, what string
	bytes       float64
}

func (t *tally) add(what string, bytes float64) {
	if bytes == 0 {
		return
	}
	for i := range t.sums {
		if x := &t.sums[i]; x.what == what && x.title == t.p.Title {
			x.bytes = float64(x.bytes + bytes)
			return
		}
	}
	t.sums = append(t.sums, struct {
		title, what string
		bytes       float64
	}{t.p.Title, what, bytes})
}

// saves returns a fact of the family's plain modules.
func (t *tally) saves(name string, otherwise int64) int64 {
	if t.q.Saving.Fused {
		return otherwise
	}
	for _, x := range t.m.Saves {
		if x.Name == name {
			return x.Value
		}
	}
	return otherwise
}

// wide adds n bytes a token of what every slice of tensor parallelism has, unless
// sequence parallelism divides it; inner adds what is always divided.
func (t *tally) wide(what string, n int64) {
	x := float64(float64(n) * t.tokens)
	if t.q.Saving.Sequence {
		x = float64(x / float64(t.q.Layout.TP))
	}
	t.add(what, x)
}

func (t *tally) inner(what string, n int64) {
	t.add(what, float64(float64(n)*t.tokens)/float64(t.q.Layout.TP))
}

// value is the bytes of one value.
func (t *tally) value() int64 {
	if t.q.Precision.half() {
		return 2
	}
	return 4
}

// input keeps a matrix's input, once for all that read it.
func (t *tally) input(what string, width int64) {
	if width != t.live {
		t.wide(what, t.value()*width)
		t.live = width
	}
}

// activations works out what one layer keeps of one sequence.
func (p *plan) activations(u *unit, q *Question) {
	k := &u.block.Kinds[u.kind]
	one := *q
	one.Saving.Micro = 1
	t := tally{m: p.m, q: &one}
	for pi := range k.Parts {
		t.part(&k.Parts[pi])
	}
	u.sums, u.moment = t.sums, t.moment
	u.input = float64(float64(t.value()*t.width(k)) * t.tokens)
	if q.Saving.Sequence {
		u.input = float64(u.input / float64(q.Layout.TP))
	}
}

// again is what one layer takes for a moment only: what recomputation makes again
// of it, or the loss. at is the sum that it is, -1 for all of it.
func (u *unit) again(recompute string) (bytes float64, at int) {
	bytes, at = 0, -1
	switch {
	case recompute == "full" && u.block.Index != "":
		for i := range u.sums {
			bytes = float64(bytes + u.sums[i].bytes)
		}
	case recompute == "selective":
		for i := range u.sums {
			if u.sums[i].what == scores && u.sums[i].bytes > bytes {
				bytes, at = u.sums[i].bytes, i
			}
		}
	}
	return bytes, at
}

// kept is the bytes of activations on a device of a stage: of one sequence, times those of a micro-batch.
func (p *plan) kept(q *Question, s *stage) float64 {
	sum, most := 0.0, 0.0
	for _, h := range s.held {
		u := &p.units[h.unit]
		again, _ := u.again(q.Saving.Recompute)
		most = max(most, again, u.moment)
		if q.Saving.Recompute == "full" && u.block.Index != "" {
			if again > 0 {
				sum = float64(sum + float64(u.input*float64(h.flying)))
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
	for _, h := range s.held {
		u := &p.units[h.unit]
		label := u.block.Kinds[u.kind].Label
		moment := func(title, what string, bytes float64) {
			if bytes = float64(bytes * micro); bytes > again.Layer {
				again = Saved{Block: u.block.Title, Kind: label, Title: title, What: what, Layers: 1, Layer: bytes, Bytes: bytes, Again: true}
			}
		}
		keep := func(title, what string, bytes float64) {
			bytes = float64(bytes * micro)
			out = append(out, Saved{Block: u.block.Title, Kind: label, Title: title, What: what, Layers: h.layers, Layer: bytes, Bytes: float64(bytes * float64(h.flying))})
		}
		moment("loss", "logits and their gradients", u.moment)
		made, at := u.again(q.Saving.Recompute)
		if q.Saving.Recompute == "full" && u.block.Index != "" {
			if made > 0 {
				keep("layer", inputs, u.input)
				moment("layer", "all of it", made)
			}
			continue
		}
		if at >= 0 {
			moment(u.sums[at].title, scores, made)
		}
		for _, x := range u.sums {
			if x.what != scores || q.Saving.Recompute != "selective" {
				keep(x.title, x.what, x.bytes)
			}
		}
	}
	if again.Layer > 0 {
		out = append(out, again)
	}
	return out
}

// width is the residual stream's: the input of the layer's first matrix.
func (t *tally) width(k *arch.Kind) int64 {
	for pi := range k.Parts {
		for i := range k.Parts[pi].Tensors {
			if x := &k.Parts[pi].Tensors[i]; x.Op == arch.MatMul && len(x.Dims) >= 2 {
				in, _ := sides(x)
				return in
			}
		}
	}
	return 0
}

// sides returns how many values a matrix takes and gives.
func sides(x *arch.Tensor) (in, out int64) {
	n := len(x.Dims)
	out, in = x.Dims[n-2].Size, x.Dims[n-1].Size
	if x.Transposed {
		return out, in
	}
	return in, out
}

// part adds one step of a layer.
func (t *tally) part(p *arch.Part) {
	t.p, t.normAt = p, 0
	n := t.q.Saving.Seq
	switch p.Stream {
	case "", "encoder":
	case "pooled":
		n = 1
	default:
		return // image and audio towers: the query says nothing of their tokens
	}
	for i := range p.Tensors {
		if x := &p.Tensors[i]; x.Op == arch.MatMul && x.Uses == 0 || p.Get("unused") != 0 {
			return // built, but no pass runs it
		}
	}
	t.tokens = float64(float64(n) * float64(t.q.Saving.Micro))
	if p.Stream != "pooled" {
		t.tokens = float64(t.tokens / float64(max(t.q.Layout.CP, 1)))
	}
	for i := range p.Tensors {
		if x := &p.Tensors[i]; x.Role == arch.Norm && x.Op == arch.Scale && len(x.Dims) > 0 {
			t.norm(i)
		}
	}
	width := int64(0)
	switch {
	case p.Get("heads") > 0:
		width = t.attention()
	case p.Role == arch.Head:
		t.head()
	case p.Role == arch.State:
		t.state()
	case p.Role == arch.Expert:
		t.experts()
		width = t.live
	case p.Role == arch.FFN:
		width = t.feedForward(arch.FFN)
	}
	if d := t.saves("dropout", t.masks()); d > 0 && width > 0 {
		t.wide("dropout masks", d*width)
	}
}

// masks is one byte where fused kernels drop out: in models with learned
// positions, as GPT's authors trained them.
func (t *tally) masks() int64 {
	if t.q.Saving.Fused && t.learned() {
		return 1
	}
	return 0
}

// learned reports whether the model has learned positions. Without, queries and
// keys are turned, which makes new tensors of them.
func (t *tally) learned() bool {
	found := false
	t.m.Each(func(_ *arch.Block, _ *arch.Kind, _ *arch.Part, x *arch.Tensor, _ int64) {
		found = found || x.Role == arch.Position
	})
	return found
}

// norm adds tensor i of the part, a norm's weight. A layer norm saves its input,
// mean and deviation. A root-mean-square norm, written out, saves the input in
// fp32, its deviation and the result in 16 bits; some multiply the weight in fp32.
func (t *tally) norm(i int) {
	p := t.p
	x := &p.Tensors[i]
	w := x.Elements
	if n := len(x.Name); n > 5 && x.Name[n-5:] == ".bias" {
		return
	}
	rows := int64(1)
	if d := p.Get("head_dim"); d == w && p.Get("heads") > 0 {
		if rows = p.Get("heads"); t.normAt > 0 {
			rows = max(p.Get("kv_heads"), 1)
		}
		t.normAt++
	}
	layer := i+1 < len(p.Tensors) && p.Tensors[i+1].Role == arch.Norm && p.Tensors[i+1].Elements == w && isBias(p.Tensors[i+1].Name)
	each, stats := t.saves("norm", 6), int64(4)
	switch {
	case t.q.Saving.Fused:
		each, stats = t.value(), 0
	case layer && each == 6 || each == 2:
		each, stats = t.value(), 8
	case each == 6:
		each = 4 + t.value()
	}
	n := (each*w + stats) * rows
	if rows > 1 || p.Get("heads") > 0 {
		t.inner(norms, n)
		return
	}
	t.wide(norms, n)
	t.live = 0
}

func isBias(name string) bool { return len(name) > 5 && name[len(name)-5:] == ".bias" }

// attention adds the inputs of the projections, queries, keys, values and scores.
func (t *tally) attention() (width int64) {
	p := t.p
	h, kv, d := p.Get("heads"), p.Get("kv_heads"), p.Get("head_dim")
	v := d
	if p.Has("v_dim") {
		v = p.Get("v_dim")
	}
	if kv == 0 || t.saves("kv", 0) == 0 && !t.q.Saving.Flash {
		kv = h // copied for every query head
	}
	last, linears, fused := -1, 0, false
	for i := range p.Tensors {
		if x := &p.Tensors[i]; x.Op == arch.MatMul && len(x.Dims) == 2 {
			last = i
			linears++
			_, out := sides(x)
			fused = fused || out == (h+2*p.Get("kv_heads"))*d
		}
	}
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Op != arch.MatMul || len(x.Dims) != 2 || i == last && linears > 1 {
			continue
		}
		in, out := sides(x)
		if x.Stream == "" || x.Stream == p.Stream {
			t.input(mixer, in)
		}
		if width == 0 {
			width = in
			if out == 2*h*d && !fused { // a gate beside the queries: itself, its sigmoid, what it multiplies
				t.inner(mixer, 3*t.value()*h*d)
			}
		}
	}
	keys := kv * (d + v)
	if fused && h == p.Get("kv_heads") && !t.learned() && t.saves("view", 1) != 0 { // the values stay a view of all three
		keys = kv*d + (h+2*kv)*d
	}
	t.inner(mixer, t.value()*(h*d+keys)+max(t.saves("qk", 2)-t.value(), 0)*(h+kv)*d)
	if linears > 1 {
		t.inner(mixer, t.value()*h*v)
	}
	pairs := t.tokens * float64(t.q.Saving.Seq)
	if t.q.Saving.Flash {
		t.inner("softmax sums", 4*h)
		return width
	}
	each := t.saves("scores", 6)
	switch {
	case t.q.Saving.Fused:
		each = 2*t.value() + t.masks()
	case !t.q.Precision.half(): // one storage in fp32, which casts leave as it is
		each = max(each-2, 4)
	}
	t.add(scores, float64(float64(each*h)*pairs)/float64(t.q.Layout.TP))
	return width
}

// feedForward adds the matrices of a role in the part: their input, and the
// activation function's widths.
func (t *tally) feedForward(role arch.Role) (width int64) {
	var last *arch.Tensor
	for i := range t.p.Tensors {
		x := &t.p.Tensors[i]
		if x.Role != role || x.Op != arch.MatMul || len(x.Dims) != 2 || x.ActiveOf > 1 {
			continue
		}
		if last == nil {
			width, _ = sides(x)
			t.input(ffn, width)
		}
		last = x
	}
	if last != nil {
		in, _ := sides(last)
		t.inner(ffn, t.value()*in*t.widths())
	}
	return width
}

// widths is how many intermediate widths a feed-forward keeps: what its
// activation function needs and gives, and with a gate the way up and the product.
func (t *tally) widths() int64 {
	n := t.q.Saving.Act
	if n == 0 {
		n = t.saves("act", 2)
	}
	if t.p.Get("gated") != 0 {
		n += 2
	}
	return n
}

// experts adds the router's probabilities, each token's copies to and from its
// experts, and these.
func (t *tally) experts() {
	p := t.p
	e, k, w := p.Get("experts"), p.Get("topk"), p.Get("width")
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Op != arch.MatMul || len(x.Dims) < 2 {
			continue
		}
		if in, _ := sides(x); x.Role == arch.Router {
			t.input(experts, in)
		}
		if x.ActiveOf > 1 {
			k = x.Active
		}
	}
	if t.live == 0 {
		if h, ok := t.m.Value("hidden_size"); ok {
			t.input(experts, h)
		}
	}
	t.wide(experts, 4*e+8*k)              // probabilities in fp32, weights and indices of the chosen
	t.wide(experts, 2*t.value()*k*t.live) // a copy of the token for each expert, and what comes back
	t.inner(experts, t.value()*k*w*t.widths())
	t.feedForward(arch.FFN)
}

// state adds a recurrent or convolutional mixer: the inputs and outputs of its
// matrices and convolutions, once each. Its scan is taken to be made again.
func (t *tally) state() {
	p := t.p
	last := -1
	for i := range p.Tensors {
		if p.Tensors[i].Op == arch.MatMul {
			last = i
		}
	}
	for i := range p.Tensors {
		x := &p.Tensors[i]
		switch {
		case x.Op == arch.Conv && len(x.Dims) > 0:
			t.inner(mixer, t.value()*x.Dims[0].Size)
		case x.Op != arch.MatMul || len(x.Dims) < 2:
		case i == last:
			in, _ := sides(x)
			t.inner(mixer, t.value()*in)
		default:
			in, out := sides(x)
			t.input(mixer, in)
			t.inner(mixer, t.value()*out)
		}
	}
}

// head adds its matrices' inputs and the log-probabilities in fp32: one position
// less than there are tokens has a next one.
func (t *tally) head() {
	p := t.p
	var last *arch.Tensor
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Op != arch.MatMul || len(x.Dims) != 2 {
			continue
		}
		in, _ := sides(x)
		t.input(loss, in)
		last = x
	}
	if last == nil {
		return
	}
	_, out := sides(last)
	all := t.tokens
	t.inner(loss, t.saves("head", 0)*out)
	if t.q.Layout.CP <= 1 { // the last of several pieces is one shorter, the others are not
		t.tokens = max(all-float64(t.q.Saving.Micro), float64(t.q.Saving.Micro))
	}
	t.inner(loss, 4*out)
	t.tokens = all
	if !t.q.Saving.Fused { // logits, their gradient in fp32, and that cast to the logits' own format
		t.moment = float64(float64((2*t.value()+4)*out)*all) / float64(t.q.Layout.TP)
	}
}
