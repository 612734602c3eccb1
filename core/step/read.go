package step

import (
	"strings"

	"llmsize/core/model"
)

// prepare reads a model's parts as a program. What it cannot read it says.
func prepare(m *model.Model, o *Options) (*plan, string) {
	p := &plan{m: m, o: o, eager: o.Eager || fact(m, "eager", 0) != 0, act: fact(m, "act", 2), headCap: fact(m, "head", 0) != 0}
	switch text(m, "feed_forward_proj") { // where the family reads the activation function by its name
	case `"gated-gelu"`:
		p.act = 5
	case `"relu"`, `"gated-relu"`:
		p.act = 1
	}
	n := fact(m, "dropout", 0)
	able := n > 0 || fact(m, "drops", 0) > 0
	if n == 0 && o.Residuals == Dropped {
		n = fact(m, "drops", 0)
	}
	if n > 0 && !o.NoDropout && o.Residuals != Kept {
		p.drop, p.half = 1, n == 1
	}
	p.dropFirst = p.drop > 0
	if o.Embedded != DropoutOfClass {
		p.dropFirst = able && o.Embedded == Dropped
	}
	p.dropFirst = p.dropFirst && fact(m, "first", 1) != 0
	way := fact(m, "chances", 0)
	p.own = way == 1 || way == 0 && fact(m, "dropout", 0) > 0 && fact(m, "scores", 0) == 0
	if p.chance = (way > 0 || p.own) && !o.NoDropout; o.Chances != DropoutOfClass {
		p.chance = o.Chances == Dropped
	}
	p.wide = fact(m, "wide", 0) != 0 && text(m, "residual_in_fp32") != "false"
	p.arena = make([]weight, 0, 256)
	p.h = o.inner.width
	layers := false
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		switch {
		case besideText(b):
			if o.Pipe != nil || o.inner.width > 0 {
				return nil, "a tower beside layers that stages of a pipeline share"
			}
		case b.Index != "":
			if layers {
				if p.bridge > 0 || (p.encoded == nil || fact(m, "biased", 0) == 0) && p.opening.position == nil || o.tp() > 1 || o.cp() > 1 || o.Shard != nil || o.Policy != nil || o.inner.width > 0 {
					return nil, "two stacks of layers"
				}
				p.bridge = len(p.pattern)
			} else if b.Kinds[0].Parts[0].Stream == encoder {
				p.encodes = true
			}
			layers = true
			for _, k := range b.Pattern {
				p.pattern = append(p.pattern, k+uint16(len(p.kinds)))
			}
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
	case p.encodes && p.bridge == 0:
		return nil, "an encoder alone"
	}
	if way := fact(m, "bare", 0); way > 0 && p.final == nil && p.embed != nil {
		p.final = &norm{n: p.h, each: way}
		if fact(m, "entry", 0) != 0 {
			p.first = append(p.first, norm{n: p.h, each: way})
		}
	}
	switch {
	case p.embed == nil && !o.inner.first:
		return nil, "no embedding of tokens"
	case p.head == nil && !o.inner.last:
		return nil, "no LM head"
	case len(p.kinds) == 0:
		return nil, "no layers"
	}
	return p, ""
}

// besideText reports whether a block reads pictures or sound: a tower, or what brings its results to the text. A batch of text
// passes by it.
func besideText(b *model.Block) bool {
	for ki := range b.Kinds {
		for pi := range b.Kinds[ki].Parts {
			if !besides(&b.Kinds[ki].Parts[pi]) {
				return false
			}
		}
	}
	return true
}

func besides(x *model.Part) bool {
	return x.Stream != "" && (x.Role == model.Vision || x.Role == model.Audio || x.Role == model.Projector)
}

// encoder is the name of an encoder's tokens.
const encoder = "encoder"

func isBias(t *model.Tensor) bool { return ends(t.Name, "bias") }

// once is the leaf of parameters that one operator uses once: its gradient is there when that has run.
const once = 1

// weight makes a parameter of the program.
func (p *plan) weight(n, in, out int64) *weight {
	if len(p.arena) == cap(p.arena) {
		p.arena = make([]weight, 0, 256)
	}
	p.largest = max(p.largest, n)
	p.arena = append(p.arena, weight{n: n, in: in, out: out, w: p.o.param(), leaf: once})
	return &p.arena[len(p.arena)-1]
}

func (p *plan) outer(x *model.Part, after bool) string {
	switch {
	case x.Stream != "" && x.Stream != encoder:
		return "tokens of another kind"
	case x.Role == model.Embedding && p.embed != nil && len(x.Tensors) == 1 && x.Tensors[0].TiedTo != "": // the same table, read once more
	case x.Role == model.Embedding && !after && p.embed == nil:
		t := &x.Tensors[0]
		for i := 1; i < len(x.Tensors); i++ {
			if x.Tensors[i].TiedTo == "" { // another name of the same table is stored at most
				return "an embedding of several tensors"
			}
		}
		if len(t.Dims) != 2 {
			return "an embedding that isn't a table"
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
			return "positions that aren't in a table"
		}
		p.position = p.weight(t.Elements, t.Dims[0].Size, t.Dims[1].Size)
	case x.Role == model.Norm && !after:
		p.first = append(p.first, *p.norm(x.Tensors))
	case x.Role == model.Position && p.encodes && p.bridge == 0 && len(x.Tensors[0].Dims) == 2:
		t := &x.Tensors[0]
		p.opening.position = p.weight(t.Elements, t.Dims[0].Size, t.Dims[1].Size)
	case x.Role == model.Norm && p.encodes && p.encoded == nil && x.Stream == encoder:
		p.encoded = p.norm(x.Tensors)
	case x.Role == model.Norm && p.encodes && p.bridge == 0:
		p.opening.norms = append(p.opening.norms, *p.norm(x.Tensors))
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
		case t.Buffer:
			p.headSum = p.headSum || ends(t.Name, "_bias")
		case isBias(t) && t.Role == model.Norm:
		case t.Role == model.Norm || len(t.Dims) == 1 && !isBias(t):
			n := 1
			if i+1 < len(x.Tensors) && isBias(&x.Tensors[i+1]) {
				n = 2
			}
			p.headNorm = p.norm(x.Tensors[i : i+n])
		case len(t.Dims) == 2 && t.Op == model.MatMul && t.Dims[0].Size == t.Dims[1].Size && p.dense == nil && t.TiedTo == "" && followed(x, i):
			p.dense = p.matrix(x.Tensors, i)
		case len(t.Dims) == 2 && t.Op == model.MatMul && p.head == nil:
			in, out := sides(t)
			if out < tp {
				return "fewer outputs than tensor parallelism has ranks"
			}
			rows := (out + tp - 1) / tp // the first rank's, which has no fewer than others (torch, chunk)
			p.head = p.weight(rows*in, in, rows)
			p.head.whole = true
			if t.TiedTo == "" {
				break
			}
			if p.embed == nil || out != p.embed.in || in != p.embed.out {
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
		if x.Stream != "" && x.Stream != encoder || x.Get(model.Cross) != 0 && p.bridge == 0 || x.Get(model.Unused) != 0 || x.Get(model.Shared) != 0 {
			return out, "layers that read other tokens or other layers' keys"
		}
		var b branch
		switch {
		case x.Role == model.Other && isNumber(x):
			out.scaled = true
			continue
		case x.Role == model.Norm:
			norms = append(norms, p.norm(x.Tensors))
			continue
		case x.Role == model.Attention && x.Get(model.Heads) > 0:
			b.attn, why = p.attention(x)
		case x.Role == model.FFN:
			b.mlp, why = p.mlp(x, model.FFN)
			if n := len(out.branches); n > 0 && why == "" && len(norms) == 0 && out.branches[n-1].experts != nil && out.branches[n-1].experts.shared == nil { // every token goes through it, beside the experts
				out.branches[n-1].experts.shared = b.mlp
				continue
			}
		case x.Role == model.Expert && x.Get(model.Experts) > 0:
			b.experts, why = p.experts(x)
		case x.Role == model.State:
			b.scan, why = p.scan(x)
		default:
			return out, "a mixer that is not attention"
		}
		if why != "" {
			return out, why
		}
		close(false)
		switch n := len(norms); {
		case n == 0:
		case n == 1:
			b.pre, norms = norms[0], nil
		case n == 2 && len(out.branches) == 0 && fact(p.m, "parallel", 0) != 0: // one for each of two branches
			b.pre, norms = norms[0], norms[1:]
		default:
			return out, "norms in an order of their own"
		}
		if way := fact(p.m, "bare", 0); way > 0 && b.pre == nil {
			b.pre = &norm{n: p.h, each: way}
		}
		out.branches = append(out.branches, b)
	}
	close(true)
	if n := len(out.branches); len(norms) == 1 && n > 1 && out.branches[n-1].experts != nil && out.branches[n-2].mlp != nil {
		b, also := &out.branches[n-2], out.branches[n-1]
		b.own, b.post, b.also = b.post, norms[0], &also
		out.branches, norms = out.branches[:n-1], nil
	}
	if len(norms) > 0 || len(out.branches) == 0 {
		return out, "norms in an order of their own"
	}
	n := len(out.branches)
	out.summed = fact(p.m, "summed", 0) != 0
	out.parallel = fact(p.m, "parallel", 0) != 0 && text(p.m, "use_parallel_residual", "parallel_attn") != "false" ||
		n == 2 && out.branches[0].pre != nil && out.branches[1].pre == nil && out.branches[0].post == nil
	return out, ""
}

// isNumber reports whether a part is one number that is not trained: what a layer gives is multiplied by it.
func isNumber(x *model.Part) bool {
	return len(x.Tensors) == 1 && x.Tensors[0].Buffer && x.Tensors[0].Elements == 1
}

// followed reports whether a part has another matrix after tensor i: an LM head of as many words as the stream is wide
// has none.
func followed(x *model.Part, i int) bool {
	for i++; i < len(x.Tensors); i++ {
		if x.Tensors[i].Op == model.MatMul {
			return true
		}
	}
	return false
}

// sides returns how many values a matrix takes and gives.
func sides(t *model.Tensor) (in, out int64) {
	i, o := t.Sides()
	return i.Size, o.Size
}

// matrix finds the linear module of a tensor and the bias beside it.
func (p *plan) matrix(ts []model.Tensor, i int) *matrix {
	t := &ts[i]
	in, out := sides(t)
	x := &matrix{p: p.weight(t.Elements, in, out)}
	if i+1 < len(ts) && isBias(&ts[i+1]) && ts[i+1].Elements == out {
		x.bias = p.weight(out, 1, out)
	}
	p.adapt(x, t, 1)
	return x
}

// adapt puts LoRA's matrices beside a tensor of which that many ranks share the experts.
func (p *plan) adapt(x *matrix, t *model.Tensor, ep int64) {
	if ad := p.o.adapter(t); ad != nil {
		rank := ad.Rank / ep
		x.a = p.weight(rank*ad.In, ad.In, rank)
		x.b = p.weight(rank*ad.Out, rank, ad.Out)
		x.a.w, x.b.w = p.o.AdapterBytes, p.o.AdapterBytes
	}
}

// Checked reports whether a training step of this model's type was compared with its class's own run, which kept as much to
// within 1% and peaked as high to within 3%: the family says so (model.Checked).
func Checked(m *model.Model) bool { return compared(m) != 0 }

// compared is how far a model was: where a class around another reads the text, as far as both were.
func compared(m *model.Model) int64 {
	least, said, classes := int64(0), 0, 1
	for _, list := range [...][]model.Named{m.Saves, m.Inner} {
		for _, x := range list {
			if x.Name == model.Checked {
				if said++; said == 1 || x.Value < least {
					least = x.Value
				}
			}
		}
	}
	for i := range m.Blocks {
		if besideText(&m.Blocks[i]) {
			classes = 2
		}
	}
	if said < classes {
		return 0
	}
	return least
}

// CheckedServing reports whether a prefill and a token after it were compared, too, and peaked as high to within 3%.
func CheckedServing(m *model.Model) bool { return compared(m) >= 2 }

// CheckedStored reports whether both were compared with scores that are stored, too, or the class always stores them.
func CheckedStored(m *model.Model) bool {
	return compared(m) == 3 || fact(m, "eager", 0) != 0
}

// fact is what the family says of its class's plain modules.
func fact(m *model.Model, name string, otherwise int64) int64 { return m.Fact(name, otherwise) }

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
