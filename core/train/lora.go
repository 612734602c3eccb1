package train

import (
	"strings"

	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// Adapter is a pair of low-rank matrices beside one matrix, or beside one
// tensor of all experts: B·A is added to it, A is Rank × In and B is Out × Rank
// (Hu et al. 2021, arXiv 2106.09685, section 4.1). The matrix itself is frozen.
type Adapter struct {
	Module string // in the class's names, with its indices open: "model.layers.{i}.self_attn.q_proj"
	Base   *model.Tensor
	Part   *model.Part
	Block  *model.Block
	Kind   int   // of the block
	In     int64 // columns of A
	Out    int64 // rows of B
	Rank   int64 // rows of A and columns of B; over fused experts, that of all of them
	Layers int64
	Copies int64 // in one layer
}

// Params is how many parameters the adapters of this matrix have in all layers: r·(in + out) each.
func (a *Adapter) Params() int64 { return a.Rank * (a.In + a.Out) * a.Layers * a.Copies }

// adapting is what a query's targets come to for a model.
type adapting struct {
	m       *model.Model
	names   []string // last names of modules; nil: every linear module
	fused   bool     // experts as two tensors, and their router's weight
	outside bool     // without routers
	text    bool     // without image and audio towers, as in peft's own pattern for Gemma 4
	head    *model.Tensor
}

// Adapters lists what LoRA of a rank adds to a model. Targets are all-linear
// (every linear module but the head, as peft 0.21.2 takes them),
// all-linear-no-experts (the same without routed experts and their router),
// peft-default (what peft adapts in a type when it is told nothing), or module
// names with commas between; q, k, v and o stand for q_proj, k_proj, v_proj and
// o_proj. Names that the model has no module of come back in missing.
//
// In types whose experts transformers 5 holds as two tensors, peft adapts these
// as one matrix for all experts: rank r·E beside the way down, 2·r·E beside gate
// and up. Its targets are last names there, so shared experts and dense layers
// whose projections go by the same names are left out, and the router's weight
// is taken (peft/utils/transformers_weight_conversion.py).
func Adapters(m *model.Model, rank int64, targets string) (list []Adapter, missing []string, err *fault.Error) {
	a := adapting{m: m, head: output(m)}
	switch targets {
	case "all-linear":
		a.fused = len(m.LoRA.Experts) == 3
	case "all-linear-no-experts":
		a.outside = true
	case "peft-default":
		a.text = true
		if a.names = m.LoRA.Targets; len(a.names) == 0 {
			return nil, nil, &fault.Error{Field: "lora-targets", Given: targets, Problem: "peft has no default for " + m.Type, Allowed: "all-linear, all-linear-no-experts, or names of modules such as q_proj,v_proj"}
		}
	default:
		a.names = moduleNames(targets)
	}
	if e := m.LoRA.Experts; len(e) == 3 && a.names != nil {
		a.fused = has(a.names, e[0]) || has(a.names, e[2]) || has(a.names, "gate")
		if has(a.names, e[0]) != has(a.names, e[1]) {
			return nil, nil, &fault.Error{Field: "lora-targets", Given: fault.Clip(targets, 60), Problem: "peft adapts one of " + e[0] + " and " + e[1] + " only with the other, since experts hold both as one tensor", Allowed: "both, or neither"}
		}
	}
	found := make([]bool, len(a.names))
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for ki := range b.Kinds {
			for pi := range b.Kinds[ki].Parts {
				p := &b.Kinds[ki].Parts[pi]
				for ti := range p.Tensors {
					x := Adapter{Base: &p.Tensors[ti], Part: p, Block: b, Kind: ki, Rank: rank, Layers: b.Kinds[ki].Count}
					if a.take(&x, found) {
						list = append(list, x)
					}
				}
			}
		}
	}
	for i, n := range a.names {
		if !found[i] {
			missing = append(missing, n)
		}
	}
	if len(list) == 0 {
		return nil, missing, &fault.Error{Field: "lora-targets", Given: fault.Clip(targets, 60), Problem: "the model has none of these modules", Allowed: "all-linear, all-linear-no-experts, or names of its linear modules", Hint: a.some()}
	}
	return list, missing, sum(list)
}

// take decides about one tensor, and fills in the adapter.
func (a *adapting) take(x *Adapter, found []bool) bool {
	t := x.Base
	if t.Buffer || t.Op != model.MatMul {
		return false
	}
	x.Module, x.Copies = a.module(t.Name), t.Copies
	last := x.Module[dot(x.Module)+1:]
	routed := t.ActiveOf > 1 || t.Role == model.Expert
	if a.fused && a.expert(x, last, routed) {
		for i, n := range a.names {
			found[i] = found[i] || n == last && x.Rank > 0
		}
		return x.Rank > 0
	}
	if !t.Linear || len(t.Dims) != 2 || routed {
		return false
	}
	x.Out, x.In = t.Dims[0].Size, t.Dims[1].Size
	if t.Transposed {
		x.In, x.Out = x.Out, x.In
	}
	if a.names == nil {
		return t != a.head && (t.Role != model.Router || !a.outside && has(a.m.LoRA.Routers, last))
	}
	if a.text && (x.Part.Role == model.Vision || x.Part.Role == model.Audio) {
		return false
	}
	for i, n := range a.names {
		if n == last {
			found[i] = true
			return true
		}
	}
	return false
}

// output is the matrix that gives the model's output: the head's last. Others
// of a head are linear modules like any other.
func output(m *model.Model) (head *model.Tensor) {
	m.EachUsed(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, _ int64) {
		if t.Role == model.Head && t.Linear {
			head = t
		}
	})
	return head
}

// expert applies the rule for types whose experts are adapted as two tensors.
// It reports whether the rule decided; an adapter of rank 0 is none.
func (a *adapting) expert(x *Adapter, last string, routed bool) bool {
	t, e := x.Base, a.m.LoRA.Experts
	x.Copies = 1
	named := func(name string) bool { return a.names == nil || has(a.names, name) }
	switch {
	case last == "gate" && len(t.Dims) == 2:
		x.Out, x.In = t.Dims[0].Size, t.Dims[1].Size
		if !named(last) {
			x.Rank = 0
		}
		return true
	case !routed:
		x.Copies = t.Copies
		if last == e[0] || last == e[1] || last == e[2] {
			x.Rank = 0
			return true
		}
		return false
	}
	n := len(t.Dims)
	x.Out, x.In = t.Dims[n-2].Size, t.Dims[n-1].Size
	x.Module = x.Module[:dot(x.Module)]
	if len(t.Each) > 0 { // one tensor an expert in the checkpoint
		x.Module = x.Module[:dot(x.Module)]
	}
	x.Rank *= t.ActiveOf
	switch {
	case (last == e[0] || last == "gate_up_proj") && named(e[0]):
		if last == e[0] {
			x.Out *= 2
		}
		x.Rank *= 2
		x.Module += ".base_layer"
	case last == e[2] && named(last):
	default: // the way up is part of the gate's
		x.Rank = 0
	}
	return true
}

// module is the class's name for a checkpoint's tensor.
func (a *adapting) module(name string) string {
	if n := len(name) - len(".weight"); n > 0 && name[n:] == ".weight" {
		name = name[:n]
	}
	l := a.m.LoRA.Names
	for i := 0; i+1 < len(l); i += 2 {
		for j := 0; j+len(l[i]) <= len(name); j++ {
			if name[j:j+len(l[i])] == l[i] {
				name = name[:j] + l[i+1] + name[j+len(l[i]):]
				break
			}
		}
	}
	return name
}

// some names modules that could be targets, each name once, and what peft takes of them.
func (a *adapting) some() string {
	const most = 8
	var names []string
	a.m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, _ int64) {
		name := a.module(t.Name)
		name = name[dot(name)+1:]
		if t.Linear && t.Role != model.Head && len(names) < most && !has(names, name) {
			names = append(names, name)
		}
	})
	if len(names) == 0 {
		return ""
	}
	hint := "it has " + strings.Join(names, ", ")
	if len(a.m.LoRA.Targets) > 0 {
		hint += "; peft-default takes " + strings.Join(a.m.LoRA.Targets, ", ")
	}
	return hint
}

// moduleNames splits a list of targets; single letters are short for q_proj…
func moduleNames(list string) []string {
	var out []string
	start := 0
	for i := 0; i <= len(list); i++ {
		if i < len(list) && list[i] != ',' {
			continue
		}
		if w := list[start:i]; w != "" {
			if len(w) == 1 && (w == "q" || w == "k" || w == "v" || w == "o") {
				w += "_proj"
			}
			if !has(out, w) {
				out = append(out, w)
			}
		}
		start = i + 1
	}
	return out
}

// sum checks that the adapters stay countable.
func sum(list []Adapter) *fault.Error {
	total := int64(0)
	for i := range list {
		x := &list[i]
		n, ok := units.Add(x.In, x.Out)
		for _, by := range [...]int64{x.Rank, x.Layers, x.Copies} {
			if ok {
				n, ok = units.Mul(n, by)
			}
		}
		if ok {
			total, ok = units.Add(total, n)
		}
		if !ok || total > most {
			return &fault.Error{Field: "lora-rank", Given: units.Group(x.Rank), Problem: "the adapters are too large to count", Allowed: "up to " + units.Group(most) + " parameters in all adapters"}
		}
	}
	return nil
}

// dot is the place of the last dot of a name, -1 when there is none.
func dot(s string) int {
	i := len(s) - 1
	for i >= 0 && s[i] != '.' {
		i--
	}
	return i
}

func has(list []string, w string) bool {
	for _, x := range list {
		if x == w {
			return true
		}
	}
	return false
}
