package train

import (
	"strings"

	"llmsize/core/model"
)

// tally adds up one kind of layer.
type tally struct {
	m        *model.Model
	q        *Question
	p        *model.Part
	tokens   float64    // of the part's stream, in a micro-batch
	live     *model.Dim // width of the matrix input that is kept since the last norm
	normAt   int        // norms of heads seen in the part
	sums     map2
	moment   float64 // bytes while the loss is worked out
	products int     // products with matrices so far, in the layer
	outputs  float64 // bytes that every second of them gives

	bytes, product int64 // of a token: what was added up since it was last put somewhere, and what is multiplied
	short          bool  // the last position is left out
	noted          *noted
	added          []Addend // what bytes is the sum of, where terms are noted
}

// map2 is bytes by what, in order of first use.
type map2 []struct {
	title, what string
	bytes       float64
}

// add puts bytes of the part, and the products that they are, with what it keeps for a reason.
func (t *tally) add(what string, bytes float64, divided bool) {
	if bytes == 0 {
		t.added = nil
		return
	}
	at := 0
	for at < len(t.sums) && (t.sums[at].what != what || t.sums[at].title != t.p.Title) {
		at++
	}
	if at == len(t.sums) {
		if at == 0 {
			t.sums = make(map2, 0, 4)
		}
		t.sums = append(t.sums, struct {
			title, what string
			bytes       float64
		}{title: t.p.Title, what: what})
		if t.noted != nil {
			t.noted.sums = append(t.noted.sums, nil)
		}
	}
	t.sums[at].bytes = float64(t.sums[at].bytes + bytes)
	if t.noted != nil {
		t.note(&t.noted.sums[at], divided)
	}
}

// saves returns a fact of the family's plain modules.
func (t *tally) saves(name string, otherwise int64) int64 {
	if t.q.Saving.Fused {
		return otherwise
	}
	return t.m.Fact(name, otherwise)
}

// of begins a product, in bytes of a token, which is added to what is put next.
func (t *tally) of(n int64) *tally {
	t.bytes += t.product
	if t.product = n; t.noted != nil {
		t.begin(number(n))
	}
	return t
}

// by multiplies the product by a size.
func (t *tally) by(d model.Dim) *tally {
	if t.product *= d.Size; t.noted != nil {
		t.multiply(d)
	}
	return t
}

// take is the bytes of a token that were added up.
func (t *tally) take() float64 {
	n := t.bytes + t.product
	t.bytes, t.product = 0, 0
	return float64(n)
}

// wide puts what every slice of tensor parallelism has, unless sequence parallelism
// divides it; inner puts what is always divided.
func (t *tally) wide(what string) {
	x := float64(t.take() * t.tokens)
	if t.q.Saving.Sequence {
		x = float64(x / float64(t.q.Layout.TP))
	}
	t.add(what, x, t.q.Saving.Sequence)
}

func (t *tally) inner(what string) {
	t.add(what, float64(t.take()*t.tokens)/float64(t.q.Layout.TP), true)
}

// pairs puts what is kept of each token for every token of the sequence.
func (t *tally) pairs(what string) {
	pairs := t.tokens * float64(t.q.Saving.Seq)
	if t.noted != nil {
		t.multiply(letter("'s", t.q.Saving.Seq))
	}
	t.add(what, float64(t.take()*pairs)/float64(t.q.Layout.TP), true)
}

// gives puts what a product gives with the outputs.
func (t *tally) gives(divided bool) {
	x := float64(t.take() * t.tokens)
	if divided {
		x = float64(x / float64(t.q.Layout.TP))
	}
	t.outputs = float64(t.outputs + x)
	if t.noted != nil {
		t.note(&t.noted.outputs, divided)
	}
}

// value is the bytes of one value.
func (t *tally) value() int64 {
	if t.q.Precision.half() {
		return 2
	}
	return 4
}

// values begins the product of a number of values.
func (t *tally) values() *tally { return t.of(t.value()) }

// input keeps a matrix's input, once for all that read it.
func (t *tally) input(what string, width *model.Dim) {
	if !width.Same(t.live) {
		t.values().by(*width).wide(what)
		t.live = width
	}
}

// stream is what goes into a layer: the input of its first matrix.
func (t *tally) stream(k *model.Kind) float64 {
	for pi := range k.Parts {
		for i := range k.Parts[pi].Tensors {
			if x := &k.Parts[pi].Tensors[i]; x.Op == model.MatMul && len(x.Dims) >= 2 {
				in, _ := x.Sides()
				x := float64(t.values().by(*in).take() * t.tokens)
				if t.noted != nil {
					t.note(&t.noted.input, t.q.Saving.Sequence)
				}
				return x
			}
		}
	}
	return 0
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
	for i := range attending(p) {
		if x := &p.Tensors[i]; x.Role == model.Norm && x.Op == model.Scale && len(x.Dims) > 0 {
			t.norm(i)
		}
	}
	t.output()
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
		width = t.feedForward(model.FFN)
	case p.Role == model.Position && t.saves("first", 1) != 0: // the embeddings, with positions added
		for i := range p.Tensors {
			if d := p.Tensors[i].Dims; len(d) == 2 {
				width = &d[1]
			}
		}
	}
	if d := t.saves("dropout", t.masks()); d > 0 && width != nil {
		t.of(d).by(*width).wide(masks)
	}
}

// output adds what the part's products give that a layer keeps while it makes the rest again.
func (t *tally) output() {
	p := t.p
	cuts := slices(p)
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Op != model.MatMul || len(x.Dims) != 2 || x.ActiveOf > 1 {
			continue
		}
		_, out := x.Sides()
		if t.products++; t.products%2 == 1 {
			t.values().by(*out).gives(cuts[i] == columns)
		}
		if t.q.Layout.TP > 1 && cuts[i] == rows { // the sums of all slices, scattered
			t.values().by(*out).gives(true)
		}
	}
	if !t.q.Saving.Flash {
		return
	}
	if h, _, _, v := heads(p); h.Size > 0 {
		t.values().by(v).by(h).of(4).by(h).gives(true)
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
	h, kv, d, _ := heads(p)
	attends := h.Size > 0
	if attends && d.Size == w.Size && !read(p, &w) {
		w = d
		if rows = h; t.normAt > 0 {
			if rows = kv; kv.Size < 1 {
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
	t.of(each).by(w).by(rows).of(stats).by(rows)
	if rows.Size > 1 || attends {
		t.inner(norms)
		return
	}
	t.wide(norms)
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
	if t.noted != nil && rows.Size > 1 {
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
	h, kv, d, v := heads(p)
	own := kv.Size
	if own == 0 || t.saves("kv", 0) == 0 && !t.q.Saving.Flash {
		kv = h // copied for every query head
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
			t.input(mixer, in)
			if first == nil {
				first = in // the part's own input, whatever latents are between
			}
		}
		if p.OfHeads(out) && in.Expr == p.Expr(model.Latent) {
			up = out
		}
		if width == nil {
			width = in
			if p.Get(model.Gated) != 0 { // the gate itself, its sigmoid, what it multiplies
				t.of(3).by(number(t.value())).by(h).by(d).inner(mixer)
			}
		}
	}
	t.values().by(h).by(d).values().by(kv).by(d)
	switch {
	case h.Size == own && p.Get(model.Packed) != 0: // copied for no other head, the values stay a view of all three
		t.values().by(h).by(d).of(2).by(number(t.value())).by(kv).by(d)
	case up != nil && !t.q.Saving.Fused: // a view of what the latent is multiplied to, with the keys before they get their rotary part
		t.values().by(*up)
	default:
		t.values().by(kv).by(v)
	}
	if more := t.saves("qk", 2) - t.value(); more > 0 {
		t.of(more).by(h).by(d).of(more).by(kv).by(d)
	}
	t.inner(mixer)
	if linears > 1 {
		t.values().by(h).by(v).inner(mixer)
	}
	if t.q.Saving.Flash {
		t.of(4).by(h).inner(sums)
		return width
	}
	each := t.saves("scores", 6)
	switch {
	case t.q.Saving.Fused:
		each = 2*t.value() + t.masks()
	case !t.q.Precision.half(): // one storage in fp32, which casts leave as it is
		each = max(each-2, 4)
	}
	t.of(each).by(h).pairs(scores)
	return width
}

// feedForward adds the matrices of a role in the part: their input, and the
// activation function's widths.
func (t *tally) feedForward(role model.Role) (width *model.Dim) {
	var last *model.Tensor
	for i := range t.p.Tensors {
		x := &t.p.Tensors[i]
		if x.Role != role || x.Op != model.MatMul || len(x.Dims) != 2 || x.ActiveOf > 1 {
			continue
		}
		if last == nil {
			width, _ = x.Sides()
			t.input(ffn, width)
		}
		last = x
	}
	if last != nil {
		in, _ := last.Sides()
		t.values().by(t.between()).by(*in).inner(ffn)
	}
	return width
}

// between is how many intermediate widths a feed-forward keeps: what its
// activation function needs and gives, and with a gate the way up and the product.
func (t *tally) between() model.Dim {
	n := t.q.Saving.Act
	if n == 0 {
		n = t.saves("act", 2)
	}
	if t.p.Get(model.Gated) != 0 {
		n += 2
	}
	return number(n)
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
				t.of(n).by(*in).wide(experts)
				continue
			}
			t.input(experts, in)
		}
		if x.ActiveOf > 1 {
			k.Size = x.Active
		}
	}
	if stream == nil {
		return
	}
	if t.live == nil {
		t.input(experts, stream)
	}
	t.of(4).by(e).of(8).by(k).wide(experts)                       // probabilities in fp32, weights and indices of the chosen
	t.of(2).by(number(t.value())).by(k).by(*t.live).wide(experts) // a copy of the token for each expert, and what comes back
	t.values().by(t.between()).by(k).by(w).inner(experts)
	t.feedForward(model.FFN)
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
			t.values().by(x.Dims[0]).inner(mixer)
		case x.Op != model.MatMul || len(x.Dims) < 2:
		case i == last:
			in, _ := x.Sides()
			t.values().by(*in).inner(mixer)
		case len(x.Dims) == 3: // a matrix for each head
			in, out := x.Sides()
			t.values().by(x.Dims[0]).by(*in).values().by(x.Dims[0]).by(*out).inner(mixer)
		default:
			in, out := x.Sides()
			t.input(mixer, in)
			t.values().by(*out).inner(mixer)
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
		t.input(loss, in)
		last = x
	}
	if last == nil {
		return
	}
	_, out := last.Sides()
	all := t.tokens
	t.of(t.saves("head", 0)).by(*out).inner(loss)
	if t.q.Layout.CP <= 1 { // the last of several pieces is one shorter, the others are not
		t.tokens = max(all-float64(t.q.Saving.Micro), float64(t.q.Saving.Micro))
		t.short = t.tokens < all
	}
	t.of(4).by(*out).inner(loss)
	t.tokens, t.short = all, false
	if !t.q.Saving.Fused { // in fp32: the gradient of the log-probabilities, and that of the logits, which is made from both
		t.of(8).by(*out)
		t.moment = float64(t.take()*all) / float64(t.q.Layout.TP)
		if t.noted != nil {
			t.noted.moment = nil
			t.note(&t.noted.moment, true)
		}
	}
}
