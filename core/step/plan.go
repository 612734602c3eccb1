package step

import (
	"strings"

	"llmsize/core/model"
)

// norm is a norm as a program has it.
type norm struct {
	p, bias *weight
	each    int64 // bytes that a plain module keeps of a value: 2 PyTorch's own kernel, 6 or 8 and more one that is written out
}

// attn is softmax attention as a program has it.
type attn struct {
	q, k, v, qkv, o      *matrix // qkv where one matrix makes all three
	qa, kva, qb, kvb     *matrix // latent attention: down and up
	qaNorm, kvNorm       *norm
	qNorm, kNorm         *norm
	h, kv, d, dv, latent int64
	rope                 int64 // width of a head that is turned; 0: positions are learned
	window               int64
	gate                 bool // the queries' matrix makes a gate beside them
	sinks                bool
	softcap              bool
	copied               bool // heads stand one behind another in what the kernel gives: it is copied
	part                 *model.Part
}

// matrix is a linear module: its weight, its bias, and what LoRA puts beside it.
type matrix struct {
	p, bias *weight
	a, b    *weight // adapters
}

// columns and rows divide a module among the ranks of tensor parallelism.
func (x *matrix) columns(tp int64) {
	if x != nil {
		x.p.n, x.p.out = x.p.n/tp, x.p.out/tp
		if x.bias != nil {
			x.bias.n, x.bias.out = x.bias.n/tp, x.bias.out/tp
		}
	}
}

func (x *matrix) rows(tp int64) { x.p.n, x.p.in = x.p.n/tp, x.p.in/tp }

// mlp is a feed-forward, or an expert's.
type mlp struct {
	up, gate, down *matrix
	fused          bool // gate and up are one matrix
	width          int64
	act            int64
	gated          bool
}

// experts is a mixture.
type experts struct {
	router   *matrix
	own      int64 // bytes of a value of the router's input where it is copied for its product
	up, down *weight
	bias     bool
	e, k     int64
	width    int64
	act      int64
	shared   *mlp
	sgate    *matrix
}

// branch is what is added to the stream once: a mixer or a feed-forward, with the norms around it.
type branch struct {
	pre, post *norm
	attn      *attn
	mlp       *mlp
	experts   *experts
}

// kind is a layer as a program has it.
type kind struct {
	branches []branch
	summed   bool  // a norm after a branch is one of the sum
	parallel bool  // all branches read the same stream
	params   int64 // elements
	trained  int64 // those that get a gradient
}

// plan is a model as a program.
type plan struct {
	m         *model.Model
	o         *Options
	embed     *weight
	types     *weight // embeddings of token types
	position  *weight
	first     []norm // norms before the layers
	kinds     []kind
	all       []uint16 // the kind of every layer
	pattern   []uint16 // of every layer that is laid out
	final     *norm
	dense     *matrix // what a masked language model has before its head
	headNorm  *norm
	head      *weight
	headBias  *weight
	tied      bool // embedding and head are one parameter
	headTied  bool // the config ties them, but tensor parallelism holds two
	h         int64
	eager     bool
	drop      int64 // bytes of a residual's dropout mask: 0 or 1
	dropFirst bool
	headCap   bool
	act       int64
	largest   int64 // elements of the largest parameter
	arena     []weight
}

// fact is what the family says of its class's plain modules.
func fact(m *model.Model, name string, otherwise int64) int64 {
	for _, x := range m.Saves {
		if x.Name == name {
			return x.Value
		}
	}
	return otherwise
}

// text returns a key's value as JSON.
func text(m *model.Model, names ...string) string {
	for i := range m.Keys {
		for _, n := range names {
			if m.Keys[i].Is(n) {
				return m.Keys[i].Value
			}
		}
	}
	return ""
}

func ends(s, tail string) bool { return strings.HasSuffix(s, tail) }

// prepare reads a model's parts as a program. What it cannot read it says.
func prepare(m *model.Model, o *Options) (*plan, string) {
	p := &plan{m: m, o: o, eager: o.Eager || fact(m, "eager", 0) != 0, act: fact(m, "act", 2), headCap: fact(m, "head", 0) != 0}
	if fact(m, "dropout", 0) > 0 && !o.NoDropout {
		p.drop = 1
	}
	p.dropFirst = p.drop > 0 && fact(m, "first", 1) != 0
	p.arena = make([]weight, 0, 256)
	layers := false
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		switch {
		case b.Index != "":
			if layers {
				return nil, "two stacks of layers"
			}
			layers = true
			p.pattern = b.Pattern
			for ki := range b.Kinds {
				k, why := p.layer(&b.Kinds[ki])
				if why != "" {
					return nil, why
				}
				p.kinds = append(p.kinds, k)
			}
		default:
			for pi := range b.Kinds[0].Parts {
				if why := p.outer(&b.Kinds[0].Parts[pi], layers); why != "" {
					return nil, why
				}
			}
		}
	}
	switch {
	case p.embed == nil:
		return nil, "no embedding of tokens"
	case p.head == nil:
		return nil, "no LM head"
	case len(p.kinds) == 0:
		return nil, "no layers"
	}
	return p, ""
}

func isBias(t *model.Tensor) bool { return ends(t.Name, "bias") }

// weight makes a parameter of the program.
func (p *plan) weight(n, in, out int64) *weight {
	if len(p.arena) == cap(p.arena) {
		p.arena = make([]weight, 0, 256)
	}
	p.largest = max(p.largest, n)
	p.arena = append(p.arena, weight{n: n, in: in, out: out, w: p.o.param(), leaf: once})
	return &p.arena[len(p.arena)-1]
}

// once is the leaf of parameters that one operator uses once: its gradient is there when that has run.
const once = 1

func (p *plan) outer(x *model.Part, after bool) string {
	switch {
	case x.Stream != "":
		return "tokens of another kind"
	case x.Role == model.Embedding && !after && p.embed == nil:
		t := &x.Tensors[0]
		if len(t.Dims) != 2 || len(x.Tensors) != 1 {
			return "an embedding of several tensors"
		}
		p.embed = p.weight(t.Elements, t.Dims[0].Size, t.Dims[1].Size) // its gradient is whole under tensor parallelism
		p.h = t.Dims[1].Size
	case x.Role == model.Embedding && !after:
		t := &x.Tensors[0]
		if len(t.Dims) != 2 || len(x.Tensors) != 1 || t.Dims[1].Size != p.h {
			return "an embedding of another width"
		}
		p.types = p.weight(t.Elements, t.Dims[0].Size, t.Dims[1].Size)
	case x.Role == model.Position && !after:
		t := &x.Tensors[0]
		if len(t.Dims) != 2 {
			return "positions that are no table"
		}
		p.position = p.weight(t.Elements, t.Dims[0].Size, t.Dims[1].Size)
	case x.Role == model.Norm && !after:
		p.first = append(p.first, *p.norm(x.Tensors))
	case x.Role == model.Norm && p.final == nil:
		p.final = p.norm(x.Tensors)
	case x.Role == model.Head && p.head == nil:
		return p.readHead(x)
	default:
		return "a part outside the layers: " + x.Title
	}
	return ""
}

// readHead reads the LM head: one matrix, before which a masked language model has another and a norm.
func (p *plan) readHead(x *model.Part) string {
	tp := p.o.tp()
	for i := range x.Tensors {
		t := &x.Tensors[i]
		switch {
		case t.Buffer || isBias(t) && t.Role == model.Norm:
		case t.Role == model.Norm || len(t.Dims) == 1 && !isBias(t):
			n := 1
			if i+1 < len(x.Tensors) && isBias(&x.Tensors[i+1]) {
				n = 2
			}
			p.headNorm = p.norm(x.Tensors[i : i+n])
		case len(t.Dims) == 2 && t.Op == model.MatMul && t.Dims[0].Size == t.Dims[1].Size && p.dense == nil && t.TiedTo == "":
			p.dense = p.matrix(x.Tensors, i)
		case len(t.Dims) == 2 && t.Op == model.MatMul && p.head == nil:
			in, out := sides(t)
			p.head = p.weight(t.Elements/tp, in, out/tp)
			if t.TiedTo == "" {
				break
			}
			if out != p.embed.in || in != p.embed.out {
				return "a head that is tied to something else"
			}
			p.tied, p.headTied = tp == 1, tp > 1 // parallelize_module makes two of a tied one
		case len(t.Dims) == 1 && isBias(t):
			if p.head == nil {
				if p.dense == nil {
					p.headBias = p.weight(t.Elements, 1, t.Elements)
				}
				break // the dense step's: read with it
			}
			if t.TiedTo == "" && p.headBias == nil {
				p.headBias = p.weight(t.Elements, 1, t.Elements)
			}
		default:
			return "a head of several matrices"
		}
	}
	return ""
}

func sides(t *model.Tensor) (in, out int64) {
	n := len(t.Dims)
	out, in = t.Dims[n-2].Size, t.Dims[n-1].Size
	if t.Transposed {
		return out, in
	}
	return in, out
}

func (p *plan) norm(ts []model.Tensor) *norm {
	x := &norm{each: fact(p.m, "norm", 6)}
	for i := range ts {
		if t := &ts[i]; isBias(t) {
			x.bias = p.weight(t.Elements, 1, t.Elements)
			x.each = 2
		} else {
			x.p = p.weight(t.Elements, 1, t.Elements)
		}
	}
	return x
}

// layer reads the parts of a kind of layer.
func (p *plan) layer(k *model.Kind) (out kind, why string) {
	var norms []*norm // since the last branch
	close := func(last bool) {
		// of the norms after a branch the first is its own, if two stand there, if it ends the layer, or if
		// the first branch has none before it
		if n := len(out.branches); n > 0 && len(norms) > 0 && (len(norms) > 1 || last || out.branches[0].pre == nil) {
			out.branches[n-1].post, norms = norms[0], norms[1:]
		}
	}
	for pi := range k.Parts {
		x := &k.Parts[pi]
		for i := range x.Tensors {
			if t := &x.Tensors[i]; !t.Buffer && t.TiedTo == "" {
				out.params += t.Elements * t.Copies
			}
		}
		if x.Stream != "" || x.Get(model.Cross) != 0 || x.Get(model.Unused) != 0 || x.Get(model.Shared) != 0 {
			return out, "layers that read other tokens or other layers' keys"
		}
		var b branch
		switch {
		case x.Role == model.Norm:
			norms = append(norms, p.norm(x.Tensors))
			continue
		case x.Role == model.Attention && x.Get(model.Heads) > 0:
			b.attn, why = p.attention(x)
		case x.Role == model.FFN:
			b.mlp, why = p.mlp(x, model.FFN)
		case x.Role == model.Expert && x.Get(model.Experts) > 0:
			b.experts, why = p.experts(x)
		default:
			return out, "a mixer that is not attention"
		}
		if why != "" {
			return out, why
		}
		close(false)
		switch len(norms) {
		case 0:
		case 1:
			b.pre = norms[0]
		default:
			return out, "norms in an order of their own"
		}
		norms = nil
		out.branches = append(out.branches, b)
	}
	close(true)
	if len(norms) > 0 || len(out.branches) == 0 {
		return out, "norms in an order of their own"
	}
	n := len(out.branches)
	out.summed = fact(p.m, "summed", 0) != 0
	out.parallel = fact(p.m, "parallel", 0) != 0 && text(p.m, "use_parallel_residual", "parallel_attn") != "false" ||
		n == 2 && out.branches[0].pre != nil && out.branches[1].pre == nil && out.branches[0].post == nil
	return out, ""
}

// matrix finds the linear module of a tensor and the bias beside it.
func (p *plan) matrix(ts []model.Tensor, i int) *matrix {
	t := &ts[i]
	in, out := sides(t)
	x := &matrix{p: p.weight(t.Elements, in, out)}
	if i+1 < len(ts) && isBias(&ts[i+1]) && ts[i+1].Elements == out {
		x.bias = p.weight(out, 1, out)
	}
	if ad := p.o.adapter(t); ad != nil {
		x.a = p.weight(ad.Rank*in, in, ad.Rank)
		x.b = p.weight(ad.Rank*out, ad.Rank, out)
		x.a.w, x.b.w = p.o.AdapterBytes, p.o.AdapterBytes
	}
	return x
}

func (p *plan) attention(x *model.Part) (*attn, string) {
	a := &attn{part: x, h: x.Get(model.Heads), kv: x.Get(model.KVHeads), d: x.Get(model.HeadDim), dv: x.Get(model.VDim), latent: x.Get(model.Latent), window: max(x.Get(model.Window), x.Get(model.Chunk))}
	if a.kv == 0 {
		a.kv = a.h
	}
	if a.dv == 0 {
		a.dv = a.d
	}
	if x.Get(model.IndexWidth) > 0 || x.Get(model.Compress) > 0 {
		return nil, "attention that picks its keys"
	}
	a.rope = a.d
	if p.position != nil || fact(p.m, "rope", 1) == 0 {
		a.rope = 0
	} else if r := x.Get(model.Rope); r > 0 {
		a.rope = r
	} else if f, ok := partial(p.m); ok {
		a.rope = int64(float64(float64(a.d)*f)) / 2 * 2
	}
	a.softcap = fact(p.m, "softcap", 0) != 0
	a.copied = fact(p.m, "copied", 0) != 0
	for i := range x.Tensors {
		t := &x.Tensors[i]
		switch {
		case t.Role == model.Norm && isBias(t):
		case t.Role == model.Norm:
			n := p.norm(x.Tensors[i : i+1])
			if i+1 < len(x.Tensors) && x.Tensors[i+1].Role == model.Norm && isBias(&x.Tensors[i+1]) {
				n = p.norm(x.Tensors[i : i+2])
			}
			switch w := t.Elements; {
			case a.latent > 0 && w == a.latent:
				a.kvNorm = n
			case a.latent > 0:
				a.qaNorm = n
			case a.qNorm == nil:
				a.qNorm = n
			case a.kNorm == nil:
				a.kNorm = n
			default:
				return nil, "a third norm of heads"
			}
		case t.Op == model.MatMul && len(t.Dims) == 2:
			in, out := sides(t)
			m := p.matrix(x.Tensors, i)
			switch {
			case a.latent > 0 && in == a.latent:
				a.kvb = m
			case a.latent > 0 && out == a.latent+x.Get(model.Rope):
				a.kva = m
			case in == a.h*a.dv && (a.q != nil || a.qkv != nil || a.qb != nil) && (a.v != nil || a.qkv != nil || a.kvb != nil):
				a.o = m
			case a.latent > 0 && out == a.h*a.d && (a.qa != nil):
				a.qb = m
			case a.latent > 0 && out == a.h*a.d:
				a.q = m
			case a.latent > 0 && a.qa == nil:
				a.qa = m
			case out == (a.h+2*a.kv)*a.d && a.qkv == nil && a.q == nil:
				a.qkv = m
			case a.q == nil && (out == a.h*a.d || out == 2*a.h*a.d):
				a.q = m
				a.gate = out == 2*a.h*a.d
			case a.k == nil && out == a.kv*a.d:
				a.k = m
			case a.v == nil && out == a.kv*a.dv:
				a.v = m
			default:
				return nil, "a projection that attention seldom has"
			}
		case t.Op == model.MatMul:
			return nil, "a projection of three sides"
		case len(t.Dims) == 1 && ends(t.Name, "sinks"):
			a.sinks = true
		}
	}
	switch {
	case p.o.tp() > 1 && (a.latent > 0 || a.h%p.o.tp() != 0 || a.kv%p.o.tp() != 0):
		return nil, "heads that tensor parallelism does not divide"
	case a.o == nil, a.latent > 0 && (a.kva == nil || a.kvb == nil || a.q == nil && a.qb == nil), a.latent == 0 && a.qkv == nil && (a.q == nil || a.k == nil || a.v == nil), a.gate:
		return nil, "attention whose projections are not the usual ones"
	}
	if tp := p.o.tp(); tp > 1 {
		a.h, a.kv = a.h/tp, a.kv/tp
		for _, m := range [...]*matrix{a.q, a.k, a.v, a.qkv} {
			m.columns(tp)
		}
		a.o.rows(tp)
	}
	return a, ""
}

// partial is the share of a head that is turned.
func partial(m *model.Model) (float64, bool) {
	s := text(m, "partial_rotary_factor", "rotary_pct")
	if s == "" {
		return 0, false
	}
	return decimal(s)
}

// decimal reads a plain decimal fraction: "0.25".
func decimal(s string) (x float64, ok bool) {
	scale := 0.0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			x = float64(x*10) + float64(c-'0')
			scale *= 10
		case c == '.' && scale == 0:
			scale = 1
		default:
			return 0, false
		}
	}
	if scale > 0 {
		x /= scale
	}
	return x, len(s) > 0 && x > 0 && x <= 1
}

func (p *plan) mlp(x *model.Part, role model.Role) (*mlp, string) {
	f := &mlp{act: p.act, gated: x.Get(model.Gated) != 0}
	var ms []*matrix
	for i := range x.Tensors {
		if t := &x.Tensors[i]; t.Role == role && t.Op == model.MatMul && len(t.Dims) == 2 && t.ActiveOf <= 1 {
			m := p.matrix(x.Tensors, i)
			ms = append(ms, m)
		}
	}
	why := f.set(ms)
	if tp := p.o.tp(); tp > 1 && why == "" {
		f.up.columns(tp)
		f.gate.columns(tp)
		f.down.rows(tp)
	}
	return f, why
}

func (f *mlp) set(ms []*matrix) string {
	switch {
	case f.gated && len(ms) == 3:
		f.gate, f.up, f.down = ms[0], ms[1], ms[2]
		f.width = f.down.p.in
	case f.gated && len(ms) == 2 && ms[0].p.out == 2*ms[1].p.in:
		f.up, f.down, f.fused = ms[0], ms[1], true
		f.width = f.down.p.in
	case !f.gated && len(ms) == 2:
		f.up, f.down = ms[0], ms[1]
		f.width = f.down.p.in
	default:
		return "a feed-forward of other matrices"
	}
	return ""
}

func (p *plan) experts(x *model.Part) (*experts, string) {
	if p.o.tp() > 1 {
		return nil, "experts under tensor parallelism"
	}
	e := &experts{e: x.Get(model.Experts), k: x.Get(model.TopK), width: x.Get(model.Width), act: p.act, own: fact(p.m, "router", 0)}
	up, down := int64(0), int64(0)
	last := -1 // the way down comes last
	for i := range x.Tensors {
		if t := &x.Tensors[i]; t.Op == model.MatMul && t.ActiveOf > 1 {
			last = i
		}
	}
	var shared []*matrix
	for i := range x.Tensors {
		t := &x.Tensors[i]
		switch {
		case t.Op == model.MatMul && t.ActiveOf > 1:
			e.k = t.Active
			if n := t.Elements * t.Copies; i == last {
				down = n
			} else {
				up += n
			}
		case t.Role == model.Router && t.Op == model.MatMul && len(t.Dims) == 2:
			e.router = p.matrix(x.Tensors, i)
		case t.Role == model.Expert && isBias(t), ends(t.Name, "_proj_bias"):
			e.bias = true
		case t.Op == model.MatMul && len(t.Dims) == 2:
			m := p.matrix(x.Tensors, i)
			if m.p.out == 1 {
				e.sgate = m
			} else {
				shared = append(shared, m)
			}
		}
	}
	if e.router == nil || up == 0 || down == 0 {
		return nil, "experts of other matrices"
	}
	h := e.router.p.in
	e.up = p.weight(up, h, up/e.e/h)
	e.down = p.weight(down, e.width, h)
	if len(shared) > 0 {
		e.shared = &mlp{act: p.act, gated: x.Get(model.Gated) != 0}
		if why := e.shared.set(shared); why != "" {
			return nil, why
		}
	}
	return e, ""
}
