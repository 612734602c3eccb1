package train

import (
	"strings"

	"llmsize/core/model"
)

// tally adds up one kind of layer, by the rows of [keeps].
type tally struct {
	m        *model.Model
	q        *Question
	p        *model.Part
	tokens   float64                  // of the part's stream, in a micro-batch
	live     *model.Dim               // width of the matrix input that is kept since the last norm
	normAt   int                      // norms of heads seen in the part
	products int                      // with matrices so far, in the layer
	sizes    ['z' - 'A' + 1]model.Dim // that the letters of the table stand for

	totals
	noting bool     // whether terms are noted
	added  []Addend // those of what is being added
}

// totals are what one layer keeps.
type totals struct {
	sums    []total // by part and reason, in order of first use
	moment  total   // while the loss is worked out
	input   total   // what goes into the layer
	outputs total   // what every second product gives
}

// total is what a part keeps for a reason.
type total struct {
	title, what string
	bytes       float64
	terms       []Addend // that the bytes are the sum of, where they are noted
}

// total finds the sum of the part for a reason.
func (t *tally) total(what string) *total {
	switch what {
	case gradients:
		return &t.moment
	case inputs:
		return &t.input
	case outputs:
		return &t.outputs
	}
	for i := range t.sums {
		if x := &t.sums[i]; x.what == what && x.title == t.p.Title {
			return x
		}
	}
	if t.sums == nil {
		t.sums = make([]total, 0, 4)
	}
	t.sums = append(t.sums, total{title: t.p.Title, what: what})
	return &t.sums[len(t.sums)-1]
}

// saves returns a fact of the family's plain modules.
func (t *tally) saves(name string, otherwise int64) int64 {
	if t.q.Saving.Fused {
		return otherwise
	}
	return t.m.Fact(name, otherwise)
}

// value is the bytes of one value.
func (t *tally) value() int64 {
	if t.q.Precision.half() {
		return 2
	}
	return 4
}

// reads keeps a matrix's input, once for all that read it.
func (t *tally) reads(what string, width *model.Dim) {
	if !width.Same(t.live) {
		t.let('i', width).keepFor(what, matrixInput)
		t.live = width
	}
}

// stream is what goes into a layer: the input of its first matrix.
func (t *tally) stream(k *model.Kind) {
	for pi := range k.Parts {
		for i := range k.Parts[pi].Tensors {
			if x := &k.Parts[pi].Tensors[i]; x.Op == model.MatMul && len(x.Dims) >= 2 {
				in, _ := x.Sides()
				t.let('i', in).keep(layerInput)
				return
			}
		}
	}
}

// part adds one step of a layer.
func (t *tally) part(p *model.Part) {
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
		if x := &p.Tensors[i]; x.Op == model.MatMul && x.Uses == 0 || p.Get(model.Unused) != 0 {
			return // built, but no pass runs it
		}
	}
	t.tokens = float64(float64(n) * float64(t.q.Saving.Micro))
	if p.Stream != "pooled" {
		t.tokens = float64(t.tokens / float64(max(t.q.Layout.CP, 1)))
	}
	t.heads()
	for i := range attending(p) {
		if x := &p.Tensors[i]; x.Role == model.Norm && x.Op == model.Scale && len(x.Dims) > 0 {
			t.norm(i)
		}
	}
	t.everySecond()
	var width *model.Dim
	switch {
	case p.Get(model.Heads) > 0:
		width = t.attention()
	case p.Role == model.Head:
		t.head()
	case p.Role == model.State:
		t.state()
	case p.Role == model.Expert:
		t.experts()
		width = t.live
	case p.Role == model.FFN:
		width = t.feedForward()
	case p.Role == model.Position && t.saves("first", 1) != 0: // the embeddings, with positions added
		for i := range p.Tensors {
			if d := p.Tensors[i].Dims; len(d) == 2 {
				width = &d[1]
			}
		}
	}
	if d := t.saves("dropout", t.masks()); d > 0 && width != nil {
		t.count('m', d).let('i', width).keep(dropped)
	}
}

// everySecond adds what the part's products give that a layer keeps while it makes the rest again.
func (t *tally) everySecond() {
	p := t.p
	cuts := slices(p)
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Op != model.MatMul || len(x.Dims) != 2 || x.ActiveOf > 1 {
			continue
		}
		_, out := x.Sides()
		t.let('o', out)
		if t.products++; t.products%2 == 1 {
			if cuts[i] == columns {
				t.keep(columnProduct)
			} else {
				t.keep(wholeProduct)
			}
		}
		if t.q.Layout.TP > 1 && cuts[i] == rows { // the sums of all slices, scattered
			t.keep(columnProduct)
		}
	}
	if t.q.Saving.Flash {
		t.keep(flashProduct)
	}
}

// attending is how many of a part's tensors stand before those of an index, the last of
// them the matrix from the heads back to the stream. What an index picks is a choice,
// through which no gradient goes, so nothing of it is kept.
func attending(p *model.Part) int {
	if p.Get(model.IndexScores) == 0 {
		return len(p.Tensors)
	}
	var stream *model.Dim
	for i := range p.Tensors {
		if x := &p.Tensors[i]; x.Op == model.MatMul && len(x.Dims) == 2 {
			in, out := x.Sides()
			if out.Same(stream) {
				return i + 1
			}
			if stream == nil {
				stream = in
			}
		}
	}
	return len(p.Tensors)
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
	t.m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, x *model.Tensor, _ int64) {
		found = found || x.Role == model.Position
	})
	return found
}

// norm adds tensor i of the part, a norm's weight. A layer norm saves its input,
// mean and deviation. A root-mean-square norm, written out, saves the input in
// fp32, its deviation and the result in 16 bits; some multiply the weight in fp32.
func (t *tally) norm(i int) {
	p := t.p
	x := &p.Tensors[i]
	w := model.Dim{Size: x.Elements}
	if len(x.Dims) == 1 {
		w = x.Dims[0]
	}
	if n := len(x.Name); n > 5 && x.Name[n-5:] == ".bias" {
		return
	}
	rows := number(1)
	attends := t.size('a').Size > 0
	if d := t.size('d'); attends && d.Size == w.Size && !read(p, &w) {
		w = *d
		if rows = *t.size('a'); t.normAt > 0 {
			if rows = *t.size('k'); rows.Size < 1 {
				rows = number(1)
			}
		}
		t.normAt++
	}
	if p.Role == model.State { // of what the mixer gives, head by head where its weight is one head's
		rows = t.perHead(w)
	}
	layer := i+1 < len(p.Tensors) && p.Tensors[i+1].Role == model.Norm && p.Tensors[i+1].Elements == w.Size && isBias(p.Tensors[i+1].Name)
	each, stats := t.saves("norm", 6), int64(4)
	if p.Role == model.State { // a mixer's own norm multiplies its weight in the stream's format, whatever those around it do
		each = 6
	}
	switch {
	case t.q.Saving.Fused:
		each, stats = t.value(), 0
	case layer && each == 6 || each == 2:
		each, stats = t.value(), 8
	case each == 6:
		each = 4 + t.value()
	}
	t.count('n', each).let('w', &w).let('r', &rows).count('s', stats)
	if rows.Size > 1 || attends {
		t.keep(headNorm)
		return
	}
	t.keep(streamNorm)
	t.live = nil
}

// perHead is how many heads a mixer's one norm of width w works on: what its last
// matrix takes, head by head. Several norms are of something else.
func (t *tally) perHead(w model.Dim) model.Dim {
	var in *model.Dim
	count := 0
	for i := range t.p.Tensors {
		switch x := &t.p.Tensors[i]; {
		case x.Op == model.MatMul && len(x.Dims) >= 2:
			in, _ = x.Sides()
		case x.Role == model.Norm && !isBias(x.Name):
			count++
		}
	}
	if count != 1 || in == nil || in.Size%w.Size != 0 {
		return number(1)
	}
	rows := number(in.Size / w.Size)
	if t.noting && rows.Size > 1 {
		if rows.Expr = inBrackets(in.Expr) + " // " + inBrackets(w.Expr); strings.HasSuffix(in.Expr, " * "+w.Expr) {
			rows.Expr = in.Expr[:len(in.Expr)-len(w.Expr)-len(" * ")]
		}
	}
	return rows
}

// inBrackets is an expression as a factor.
func inBrackets(s string) string {
	if strings.Contains(s, " ") {
		return "(" + s + ")"
	}
	return s
}

// read reports whether a matrix of the part takes values of that width: what makes them is no head then.
func read(p *model.Part, w *model.Dim) bool {
	for i := range p.Tensors {
		if x := &p.Tensors[i]; x.Op == model.MatMul && len(x.Dims) >= 2 {
			if in, _ := x.Sides(); in.Same(w) {
				return true
			}
		}
	}
	return false
}

func isBias(name string) bool { return len(name) > 5 && name[len(name)-5:] == ".bias" }

// attention adds the inputs of the projections, queries, keys, values and scores.
func (t *tally) attention() (width *model.Dim) {
	p := t.p
	h, own := t.size('a'), t.size('k').Size
	if own == 0 || t.saves("kv", 0) == 0 && !t.q.Saving.Flash {
		t.let('k', h) // copied for every query head
	}
	last, linears := -1, 0
	n := attending(p)
	for i := range n {
		if x := &p.Tensors[i]; x.Op == model.MatMul && len(x.Dims) == 2 {
			last = i
			linears++
		}
	}
	var first, up *model.Dim
	grouped := false
	for i := range n {
		x := &p.Tensors[i]
		if x.Op != model.MatMul || len(x.Dims) != 2 || i == last && linears > 1 && !grouped {
			continue
		}
		in, out := x.Sides()
		if i != last && p.OfHeads(in) { // the way back to the stream begins with a group of heads at a time
			grouped = true
			continue
		}
		if own := x.Stream == "" || x.Stream == p.Stream; own && !in.Same(first) {
			t.reads(mixer, in)
			if first == nil {
				first = in // the part's own input, whatever latents are between
			}
		}
		if p.OfHeads(out) && in.Expr == p.Expr(model.Latent) {
			up = out
		}
		if p.Gates(x) {
			t.keep(ownGate)
		}
		if width == nil {
			width = in
			if p.Get(model.Gated) != 0 {
				t.keep(gate)
			}
		}
	}
	t.count('q', max(t.saves("qk", 2)-t.value(), 0))
	switch {
	case h.Size == own && p.Get(model.Packed) != 0: // copied for no other head
		t.keep(packedQKV)
	case up != nil && !t.q.Saving.Fused:
		t.let('o', up).keep(latentQKV)
	default:
		t.keep(plainQKV)
	}
	if linears > 1 {
		t.keep(weighted)
	}
	if t.q.Saving.Flash {
		t.keep(rowSums)
		return width
	}
	each := t.saves("scores", 6)
	switch {
	case t.q.Saving.Fused:
		each = 2*t.value() + t.masks()
	case !t.q.Precision.half(): // one storage in fp32, which casts leave as it is
		each = max(each-2, 4)
	}
	t.count('p', each).keep(pairScores)
	return width
}

// feedForward adds the input of the part's matrices, and the activation function's widths.
func (t *tally) feedForward() (width *model.Dim) {
	var last *model.Tensor
	for i := range t.p.Tensors {
		x := &t.p.Tensors[i]
		if x.Role != model.FFN || x.Op != model.MatMul || len(x.Dims) != 2 || x.ActiveOf > 1 {
			continue
		}
		if last == nil {
			width, _ = x.Sides()
			t.reads(ffn, width)
		}
		last = x
	}
	if last != nil {
		in, _ := last.Sides()
		t.count('z', t.between()).let('i', in).keep(between)
	}
	return width
}

// between is how many intermediate widths a feed-forward keeps: what its
// activation function needs and gives, and with a gate the way up and the product.
func (t *tally) between() int64 {
	n := t.q.Saving.Act
	if n == 0 {
		n = t.saves("act", 2)
	}
	if t.p.Get(model.Gated) != 0 {
		n += 2
	}
	return n
}

// experts adds the router's probabilities, each token's copies to and from its
// experts, and these.
func (t *tally) experts() {
	p := t.p
	e, k, w := letter("'E", p.Get(model.Experts)), letter("'K", p.Get(model.TopK)), letter("'f_E", p.Get(model.Width))
	var stream *model.Dim
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Op != model.MatMul || len(x.Dims) < 2 {
			continue
		}
		in, _ := x.Sides()
		if stream == nil {
			stream = in
		}
		if x.Role == model.Router {
			if n := t.saves("router", 0); n > t.value() { // a copy of its own
				t.count('x', n).let('i', in).keep(routerCopy)
				continue
			}
			t.reads(experts, in)
		}
		if x.ActiveOf > 1 {
			k.Size = x.Active
		}
	}
	if stream == nil {
		return
	}
	if t.live == nil {
		t.reads(experts, stream)
	}
	t.let('E', &e).let('K', &k).let('w', &w).let('i', t.live).count('z', t.between())
	t.keep(routing)
	t.keep(copies)
	t.keep(expertsBetween)
	t.feedForward()
}

// state adds a recurrent or convolutional mixer: the inputs and outputs of its
// matrices and convolutions, once each. Its scan is taken to be made again.
func (t *tally) state() {
	p := t.p
	last := -1
	for i := range p.Tensors {
		if p.Tensors[i].Op == model.MatMul {
			last = i
		}
	}
	for i := range p.Tensors {
		x := &p.Tensors[i]
		switch {
		case x.Op == model.Conv && len(x.Dims) > 0:
			t.let('i', &x.Dims[0]).keep(mixed)
		case x.Op != model.MatMul || len(x.Dims) < 2:
		case i == last:
			in, _ := x.Sides()
			t.let('i', in).keep(mixed)
		case len(x.Dims) == 3: // a matrix for each head
			in, out := x.Sides()
			t.let('c', &x.Dims[0]).let('i', in).let('o', out).keep(headwise)
		default:
			in, out := x.Sides()
			t.reads(mixer, in)
			t.let('i', out).keep(mixed)
		}
	}
}

// head adds its matrices' inputs and the log-probabilities in fp32: one position
// less than there are tokens has a next one.
func (t *tally) head() {
	p := t.p
	var last *model.Tensor
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Op != model.MatMul || len(x.Dims) != 2 {
			continue
		}
		in, _ := x.Sides()
		t.reads(loss, in)
		last = x
	}
	if last == nil {
		return
	}
	_, out := last.Sides()
	t.let('o', out).count('x', t.saves("head", 0))
	t.keep(logitsCopy)
	t.keep(logProbabilities)
	if !t.q.Saving.Fused {
		t.keep(lossGradients)
	}
}
