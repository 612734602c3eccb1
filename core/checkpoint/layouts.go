package checkpoint

import (
	"strings"

	"llmsize/core/config"
)

// Layouts of packed matrices that fewer checkpoints have. Of a module B with a matrix B.weight [out, in]:
//
//	HQQ (hqq/core/quantize.py, bitpack.py)        B.W_q: groups of the matrix as rows or columns, packed along rows: two in
//	                                              a byte, four, or ten of three bits in 32; B.scale, B.zero one for each group.
//	                                              B.shape holds that shape, as data
//	AQLM (aqlm/inference.py)                      B.codes [out/o, in/i, books], B.codebooks [books, entries, o, i], B.scales [out/o, 1, 1, 1]
//	Marlin with 2:4 sparsity (compressed-tensors, B.weight_packed I32 [in/32, out·bits/2], B.scale_packed [groups, out], B.meta
//	  marlin_24.py)                               which halves of the inputs are there
//	Marlin (AutoGPTQ)                             B.B I32 [in/16, out·bits/2], B.s [groups, out]; sparse: B.B_24 [in/32, …], B.B_meta
//	torchao (safetensors of its tensors)          B._weight_qdata [out, in], or two to a byte; B._weight_scale, …
//	FP-Quant                                      B.qweight U8 [out, in/2], B.scales
//	HIGGS (transformers, integrations/higgs.py)   B.weight I16 [out·bits/16, in], B.scales, B.tables

// layoutNames are endings of such matrices, with what has to stand beside each.
var layoutNames = []struct {
	end, beside string
	how         packHow
}{
	{".W_q", "", hqqName}, {".codes", ".codebooks", aqlmName}, {".B", ".s", marlinName}, {".B_24", ".s", marlin24Name}, {"._weight_qdata", "", torchaoName},
}

// layoutPacks are endings of packing data by the ending of what they belong to.
var layoutPacks = []struct{ of, ends string }{
	{".W_q", ".scale .zero .zero_scale .scale_q .zero_q .shape .nbits .group_size .axis .packing .unpack_view_dtype .compute_dtype .view_as_float .quant_scale .quant_zero" +
		" .channel_wise .optimize .round_zero .offload_meta .stores_quant_config .encoded_state_dict .meta"},
	{".codes", ".codebooks .scales"},
	{".weight_packed", ".scale_packed .meta"},
	{".B", ".s .workspace"},
	{".B_24", ".s .workspace .B_meta"},
	{"._weight_qdata", "._weight_scale ._weight_zero_point ._weight_scale_and_zero ._weight_per_tensor_scale ._weight_act_pre_scale"},
}

// readHQQ reads HQQ's sizes: one for all modules, or by the end of a module's name.
func (p *Packings) readHQQ(q *config.Value) {
	if w := q.Get("weight_quant_params"); w.Kind == config.Object {
		p.groups = append(p.groups, onePacking(w, "nbits"))
		return
	}
	p.named = *q
}

// layout tells one of them by the ending of a text; base is the module.
func (v *View) layout(s string) (base string, how packHow) {
	for _, n := range layoutNames {
		if b, ok := cutEnd(s, n.end); ok && (n.beside == "" || v.text(b+n.beside) >= 0) {
			return b, n.how
		}
	}
	return s, plainName
}

// beside adds what text t, s, may be packing data of.
func (v *View) beside(packs []owner, t int32, s string) []owner {
	at := strings.LastIndexByte(s, '.')
	if at <= 0 {
		return packs
	}
	for _, p := range layoutPacks {
		if n := v.text(s[:at] + p.of); n >= 0 && n != t && strings.Contains(p.ends+" ", s[at:]+" ") {
			packs = append(packs, owner{n, anyOwner})
		}
	}
	return packs
}

// laidOut unpacks one. It takes and gives a copy: TinyGo would put the caller's on the heap, for every tensor, if a pointer went through here.
func (v *View) laidOut(x Logical, w *word, t *tensor, dims []int64) Logical {
	last := func(side int) int64 { // the last side of what is beside it
		if j := v.side(w, t.name, side); j >= 0 {
			if d := v.Dims(j); len(d) > 0 {
				return d[len(d)-1]
			}
		}
		return 0
	}
	rows := int64(0)
	if len(dims) > 0 {
		rows = dims[0]
	}
	outs := last(sScalePacked)
	switch {
	case w.how == hqqName:
		x.setHQQ(v, w, t)
	case w.how == aqlmName && len(dims) == 3:
		if j := v.side(w, t.name, sCodebooks); j >= 0 && len(v.Dims(j)) == 4 {
			if out, ok := times(dims[0], v.Dims(j)[2]); ok {
				if in, ok := times(dims[1], v.Dims(j)[3]); ok {
					x.set([]int64{out, in})
				}
			}
		}
	case w.how == torchaoName && v.packings.int4 && len(dims) == 2:
		if in, ok := times(dims[1], 2); ok {
			x.set([]int64{rows, in})
		}
	case w.how == torchaoName:
		x.Packed = true
	case w.how == qweight && types[t.typ].bits == 8 && len(dims) == 2 && dims[1] < 1<<58:
		x.set([]int64{rows, 2 * dims[1]})
	case w.how == plainName && t.typ.String() == "I16" && len(dims) == 2 && rows < 1<<50:
		x.set([]int64{rows * 16 / v.packings.first(4).bits, dims[1]})
	case w.how == marlinName, w.how == marlin24Name:
		outs = last(sMarlin)
		fallthrough
	case w.how == weightPacked:
		per := int64(32)
		if w.how == marlinName {
			per = 16
		}
		if in, ok := times(rows, per); ok && outs > 0 {
			x.set([]int64{outs, in})
		}
	}
	return x
}

// setHQQ counts the elements of HQQ's; their shape is not in the header.
func (x *Logical) setHQQ(v *View, w *word, t *tensor) {
	p := v.packings.first(0)
	if v.packings.named.Kind == config.Object {
		base, _ := cutEnd(v.nameText(t.name), ".W_q")
		for i, key := range v.packings.named.Keys {
			if strings.HasSuffix(base, key) {
				p = onePacking(v.packings.named.Vals[i].Get("weight_quant_params"), "nbits")
			}
		}
	}
	if p.bits == 0 {
		p.bits = 4
	}
	size, _ := t.typ.dataBytes(x.Elements)
	n := int64(0)
	if p.bits == 3 {
		n, _ = times(size/4, 10)
	} else if bits, ok := times(size, 8); ok {
		n = bits / p.bits
	}
	if j := v.side(w, t.name, sScale); j >= 0 && p.group > 0 {
		// Scales say it exactly, where three bits to an element leave some over.
		if whole, ok := times(v.Elements(j), p.group); ok && whole > 0 && whole <= n {
			n = whole
		}
	}
	if n > 0 {
		x.Elements, x.Dims, x.Packed, x.flat = n, []int64{n}, true, true
	}
}
