package train

import "llmsize/core/arch"

// tally adds up one kind of layer.
type tally struct {
	m        *arch.Model
	q        *Question
	p        *arch.Part
	tokens   float64 // of the part's stream, in a micro-batch
	live     int64   // width of the matrix input that is kept since the last norm
	normAt   int     // norms of heads seen in the part
	sums     map2
	moment   float64 // bytes while the loss is worked out
	products int     // products with matrices so far, in the layer
	outputs  float64 // bytes that every second of them gives
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
	for i := range attending(p) {
		if x := &p.Tensors[i]; x.Role == arch.Norm && x.Op == arch.Scale && len(x.Dims) > 0 {
			t.norm(i)
		}
	}
	t.output()
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
	case p.Role == arch.Position && t.saves("first", 1) != 0: // the embeddings, with positions added
		for i := range p.Tensors {
			if d := p.Tensors[i].Dims; len(d) == 2 {
				width = d[1].Size
			}
		}
	}
	if d := t.saves("dropout", t.masks()); d > 0 && width > 0 {
		t.wide(masks, d*width)
	}
}

// output adds what the part's products give that a layer keeps while it makes the rest again.
func (t *tally) output() {
	p, tp := t.p, float64(t.q.Layout.TP)
	cuts := slices(p)
	row := float64(float64(t.value()) * t.tokens)
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Op != arch.MatMul || len(x.Dims) != 2 || x.ActiveOf > 1 {
			continue
		}
		_, out := sides(x)
		each := float64(row * float64(out))
		if t.products++; t.products%2 == 1 {
			if cuts[i] == columns {
				t.outputs = float64(t.outputs + float64(each/tp))
			} else {
				t.outputs = float64(t.outputs + each)
			}
		}
		if tp > 1 && cuts[i] == rows { // the sums of all slices, scattered
			t.outputs = float64(t.outputs + float64(each/tp))
		}
	}
	if h := p.Get("heads"); h > 0 && t.q.Saving.Flash {
		v := p.Get("head_dim")
		if p.Has("v_dim") {
			v = p.Get("v_dim")
		}
		t.outputs = float64(t.outputs + float64(float64((t.value()*v+4)*h)*t.tokens)/tp)
	}
}

// attending is how many of a part's tensors stand before those of an index, the last of
// them the matrix from the heads back to the stream. What an index picks is a choice,
// through which no gradient goes, so nothing of it is kept.
func attending(p *arch.Part) int {
	if p.Get("index_scores") == 0 {
		return len(p.Tensors)
	}
	heads, stream := p.Get("heads")*p.Get("v_dim"), int64(0)
	if !p.Has("v_dim") {
		heads = p.Get("heads") * p.Get("head_dim")
	}
	for i := range p.Tensors {
		if x := &p.Tensors[i]; x.Op == arch.MatMul && len(x.Dims) == 2 {
			in, out := sides(x)
			if in == heads && out == stream {
				return i + 1
			}
			if stream == 0 {
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
	if p.Role == arch.State { // of what the mixer gives, head by head where its weight is one head's
		rows = t.perHead(w)
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

// perHead is how many heads a mixer's one norm of width w works on: what its last
// matrix takes, head by head. Several norms are of something else.
func (t *tally) perHead(w int64) int64 {
	in, count := int64(0), 0
	for i := range t.p.Tensors {
		switch x := &t.p.Tensors[i]; {
		case x.Op == arch.MatMul && len(x.Dims) >= 2:
			in, _ = sides(x)
		case x.Role == arch.Norm && !isBias(x.Name):
			count++
		}
	}
	if count != 1 || in%w != 0 {
		return 1
	}
	return in / w
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
	n := attending(p)
	for i := range n {
		if x := &p.Tensors[i]; x.Op == arch.MatMul && len(x.Dims) == 2 {
			last = i
			linears++
			_, out := sides(x)
			fused = fused || out == (h+2*p.Get("kv_heads"))*d
		}
	}
	first, up := int64(0), int64(0)
	for i := range n {
		x := &p.Tensors[i]
		if x.Op != arch.MatMul || len(x.Dims) != 2 || i == last && linears > 1 {
			continue
		}
		in, out := sides(x)
		if own := x.Stream == "" || x.Stream == p.Stream; own && in != first {
			t.input(mixer, in)
			if first == 0 {
				first = in // the part's own input, whatever latents are between
			}
		}
		if latent := p.Get("latent"); in == latent && out == h*(d-p.Get("rope")+v) {
			up = out
		}
		if width == 0 {
			width = in
			if out == 2*h*d && !fused { // a gate beside the queries: itself, its sigmoid, what it multiplies
				t.inner(mixer, 3*t.value()*h*d)
			}
		}
	}
	keys := kv * (d + v)
	switch {
	case fused && h == p.Get("kv_heads") && !t.learned() && t.saves("view", 1) != 0: // the values stay a view of all three
		keys = kv*d + (h+2*kv)*d
	case up > 0 && !t.q.Saving.Fused: // a view of what the latent is multiplied to, with the keys before they get their rotary part
		keys = kv*d + up
	}
	t.inner(mixer, t.value()*(h*d+keys)+max(t.saves("qk", 2)-t.value(), 0)*(h+kv)*d)
	if linears > 1 {
		t.inner(mixer, t.value()*h*v)
	}
	pairs := t.tokens * float64(t.q.Saving.Seq)
	if t.q.Saving.Flash {
		t.inner(sums, 4*h)
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
			if n := t.saves("router", 0); n > t.value() { // a copy of its own
				t.wide(experts, n*in)
				continue
			}
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
	if !t.q.Saving.Fused { // in fp32: the gradient of the log-probabilities, and that of the logits, which is made from both
		t.moment = float64(float64(8*out)*all) / float64(t.q.Layout.TP)
	}
}
