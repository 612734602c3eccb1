package step

import (
	"llmsize/core/model"
)

func (p *plan) mlp(x *model.Part, role model.Role) (*mlp, string) {
	f := &mlp{act: p.act, gated: x.Get(model.Gated) != 0}
	var ms []*matrix
	for i := range x.Tensors {
		t := &x.Tensors[i]
		if t.Role == model.Norm && !isBias(t) {
			f.subNorm = p.norm(x.Tensors[i : i+1])
		}
		if t.Role == role && t.Op == model.MatMul && len(t.Dims) == 2 && t.ActiveOf <= 1 {
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
	e.up, e.down = &matrix{}, &matrix{}
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
			way := e.up
			if n := t.Elements * t.Copies; i == last {
				down, way = n, e.down
			} else {
				up += n
			}
			p.adapt(way, t, p.o.ep())
		case t.Role == model.Router && t.Op == model.MatMul && len(t.Dims) == 2 && e.router == nil:
			e.router = p.matrix(x.Tensors, i)
		case ends(t.Name, "router.scale"):
			e.scale = p.weight(t.Elements, 1, t.Elements)
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
	if of := x.Tensors[last].ActiveOf; e.k < 1 || e.e > 0 && of != e.e {
		return nil, "experts that do nothing"
	}
	h := e.router.p.in
	ep := p.o.ep()
	e.up.p, e.down.p = p.weight(up/ep, h, up/e.e/h), p.weight(down/ep, e.width, h)
	if len(shared) > 0 {
		e.shared = &mlp{act: p.act, gated: x.Get(model.Gated) != 0}
		if why := e.shared.set(shared); why != "" {
			return nil, why
		}
	}
	return e, ""
}
