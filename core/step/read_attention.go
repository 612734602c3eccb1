package step

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/model"
)

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
	if p.position != nil || fact(p.m, "rope", 1) == 0 || p.slopes() {
		a.rope = 0
	} else if r := x.Get(model.Rope); r > 0 {
		a.rope = r
	} else if n, ok := config.ParseInt(text(p.m, "rotary_dim")); ok && n > 0 {
		a.rope = min(n, a.d)
	} else if f, ok := partial(p.m); ok {
		a.rope = int64(float64(float64(a.d)*f)) / 2 * 2
	}
	a.cross, a.gate = x.Get(model.Cross) != 0, x.Get(model.Gated) != 0
	a.own = x.Get(model.Packed) == 0 || a.h != a.kv
	switch fact(p.m, "heads", 0) {
	case 1:
		a.bare = true
	case 2: // the others have no positions
		if a.bare = x.Get(model.Chunk) > 0; !a.bare {
			a.rope, a.joined = 0, false
		}
	}
	a.softcap = fact(p.m, "softcap", 0) != 0
	a.joined = a.latent > 0 || a.rope > 0 && a.rope < a.d || fact(p.m, "joined", 0) != 0
	for i := range x.Tensors {
		t := &x.Tensors[i]
		switch {
		case t.Role == model.Position && len(t.Dims) == 2:
			a.table = p.weight(t.Elements, t.Dims[0].Size, t.Dims[1].Size)
		case t.Role == model.Norm && isBias(t):
		case t.Role == model.Norm:
			n := p.norm(x.Tensors[i : i+1])
			if i+1 < len(x.Tensors) && x.Tensors[i+1].Role == model.Norm && isBias(&x.Tensors[i+1]) {
				n = p.norm(x.Tensors[i : i+2])
			}
			switch {
			case ends(t.Name, "sub_norm.weight"):
				a.subNorm = n
			case a.latent > 0 && len(t.Dims) == 1 && t.Dims[0].Expr == x.Expr(model.Latent):
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
			case a.latent > 0:
				if !a.latentMatrix(t, m) {
					return nil, "a projection that latent attention seldom has"
				}
			case a.door == nil && out == a.h*a.dv && x.Gates(t):
				a.door = m
			case in == a.h*a.dv && (a.q != nil || a.qkv != nil || a.qb != nil) && (a.v != nil || a.qkv != nil || a.kvb != nil || i == len(x.Tensors)-1):
				a.o = m
			case out == (a.h+2*a.kv)*a.d && a.qkv == nil && a.q == nil && !a.gate:
				a.qkv = m
			case a.q == nil && (out == a.h*a.d && !a.gate || out == 2*a.h*a.d && a.gate):
				a.q = m
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
	case fact(p.m, "biased", 0) != 0 && a.window > 0:
		return nil, "positions added to scores of a window"
	case p.o.cp() > 1 && (p.eager || a.window > 0 && a.window < p.o.Seq || a.latent > 0):
		return nil, "attention that PyTorch's context parallelism does not pass around: windows, latents, or scores that are stored"
	case p.o.tp() > 1 && (a.latent > 0 || a.h%p.o.tp() != 0 || a.kv%p.o.tp() != 0):
		return nil, "heads that tensor parallelism does not divide"
	case a.o == nil, a.latent > 0 && (a.kva == nil || a.kvb == nil || a.q == nil && a.qb == nil), a.latent == 0 && a.qkv == nil && (a.q == nil || a.k == nil || a.v == nil && fact(p.m, "values", 0) == 0), (a.gate || a.door != nil) && p.o.tp() > 1:
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

// latentMatrix finds the place of one of latent attention's matrices by how its sides are written: a latent may be as
// wide as the other one, as all heads or as the stream.
func (a *attn) latentMatrix(t *model.Tensor, m *matrix) bool {
	in, out := t.Sides()
	latent := a.part.Expr(model.Latent)
	at := &a.qa
	switch {
	case a.part.OfHeads(in):
		at = &a.o
	case a.part.OfHeads(out) && in.Expr == latent:
		at = &a.kvb
	case a.part.OfHeads(out) && a.qa != nil:
		at = &a.qb
	case a.part.OfHeads(out):
		at = &a.q
	case strings.HasPrefix(out.Expr, latent+" + "):
		at = &a.kva
	}
	if *at != nil {
		return false
	}
	*at = m
	return true
}

// slopes reports whether the mask that a class makes for all layers holds a slope for each head (ALiBi), as Falcon's config says:
// then nothing is turned.
func (p *plan) slopes() bool { return fact(p.m, "masked", 0) == 1 && text(p.m, "alibi") == "true" }

// partial is the share of a head that is turned.
func partial(m *model.Model) (float64, bool) {
	return decimal(text(m, "partial_rotary_factor"))
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
