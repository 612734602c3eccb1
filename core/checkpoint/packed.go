package checkpoint

import (
	"strings"

	"llmsize/core/config"
)

// What quantized checkpoints store of a matrix, by the names that their writers
// give. Of a module B with a matrix B.weight [out, in]:
//
//	GPTQ (AutoGPTQ, GPTQModel)    B.qweight I32 [in·bits/32, out], B.qzeros, B.scales [in/g, out], B.g_idx [in]
//	AWQ (AutoAWQ)                 B.qweight I32 [in, out·bits/32], B.qzeros, B.scales [in/g, out]
//	EXL2                          B.q_weight I32 [in·bits/32, out], B.q_invperm [in], B.q_scale, …
//	bitsandbytes, 4 bits          B.weight U8 [in·out/2, 1], or of another type as many bytes, for FSDP; B.weight.absmax, B.weight.quant_map, …
//	bitsandbytes, 8 bits          B.weight I8 [out, in], B.SCB, B.weight_format
//	compressed-tensors            B.weight_packed I32 [out, in·bits/32], or U8 [out, in·bits/8] of floats of 4 or 6 bits;
//	                              B.weight_scale, B.weight_shape, B.weight_zero_point, B.weight_global_scale, …;
//	                              2:4 sparse: B.compressed, B.bitmask U8 [out, in/8]
//	FP8                           B.weight F8_E4M3 [out, in], B.weight_scale_inv or B.weight_scale, B.input_scale
//	Model Optimizer, NVFP4        B.weight U8 [out, in/2], B.weight_scale F8_E4M3 [out, in/16], B.weight_scale_2
//	  with 4-bit integers         B.weight U8 [out/2, in], B.weight_scale [out, in/g], B.pre_quant_scale
//	MX floats                     B.weight I8 or U8 [out, in/2], B.scale F8_E8M0 [out, in/32]
//	MXFP4 of gpt-oss              X_blocks U8 [experts, out, in/32, 16], X_scales [experts, out, in/32] for X [experts, in, out]
//	MLX                           B.weight U32 [out, in·bits/32], B.scales, B.biases [out, in/g]
//
// layouts.go has those that fewer people use. What is packed in none of these ways is
// not taken for missing: see unread in verify.go.
//
// A name alone does not make a tensor packing data: a scale may be learnt. What
// it belongs to has to be there, and be stored in a way that needs it.

// Logical is what a stored tensor stands for.
type Logical struct {
	Packing  bool  // it is read with another: a scale, zero points, an index list, a codebook, a shape
	Packed   bool  // its elements are packed: Dims and Elements are those that it stands for
	Elements int64 // 0 for packing data
	Dims     []int64
	flat     bool // the shape is not in the header, only the elements (two to a byte: one may be one too many)
	turned   bool // the class holds the last two sides the other way round
	own      name // the tensor's name in the class's words
}

// Packings is what a config says about how matrices are packed, for what tensors
// do not say themselves.
type Packings struct {
	method string
	groups []packing
	named  config.Value // MLX, HQQ: modules with a packing of their own
	any    bool         // there is such a part of the config
	int4   bool         // torchao: two to a byte
}

type packing struct{ bits, group int64 }

// ReadPackings reads quantization_config, and quantization as MLX writes it.
func ReadPackings(cfg config.Value) Packings {
	var p Packings
	for _, path := range []string{"", "text_config", "llm_config", "language_config", "thinker_config"} {
		c := &cfg
		if path != "" {
			c = cfg.Get(path)
		}
		for _, key := range []string{"quantization_config", "quantization"} {
			q := c.Get(key)
			if q.Kind != config.Object || p.any {
				continue
			}
			p.any = true
			p.method = q.Get("quant_method").Text
			if p.method == "hqq" {
				p.readHQQ(q.Get("quant_config"))
				continue
			}
			p.int4 = strings.Contains(q.Get("quant_type").Get("default").Get("_type").Text, "Int4")
			if p.method == "" {
				p.named = *q
			}
			groups := q.Get("config_groups")
			for _, g := range groups.Vals {
				w := g.Get("weights")
				p.groups = append(p.groups, onePacking(w, "num_bits"))
			}
			if len(groups.Vals) == 0 {
				p.groups = append(p.groups, onePacking(q, "bits"))
			}
		}
	}
	return p
}

func onePacking(v *config.Value, key string) packing {
	for _, k := range []string{key, "bits", "w_bit", "nbits"} {
		if n, ok := v.Get(k).Int(); ok && n > 0 && n <= 32 {
			g, _ := v.Get("group_size").Int()
			return packing{n, g}
		}
	}
	return packing{}
}

// endings of names that packing data have, with what the rest of the name is
// followed by in the tensor that they belong to.
var endings = []struct {
	end    string
	owners []string
	of     ownerKind
}{
	{".qzeros", []string{".qweight"}, anyOwner},
	{".act_global_scale", []string{".qweight"}, anyOwner}, // FP-Quant
	{".forward_hadamard_matrix", []string{".qweight"}, anyOwner},
	{".backward_hadamard_matrix", []string{".qweight"}, anyOwner},
	{".g_idx", []string{".qweight"}, anyOwner},
	{".scales", []string{".qweight"}, anyOwner},
	{".scales", []string{".weight"}, integers},
	{".biases", []string{".weight"}, integers},
	{".q_scale", []string{".q_weight"}, anyOwner},
	{".q_scale_max", []string{".q_weight"}, anyOwner},
	{".q_groups", []string{".q_weight"}, anyOwner},
	{".q_group_map", []string{".q_weight"}, anyOwner},
	{".q_perm", []string{".q_weight"}, anyOwner},
	{".q_invperm", []string{".q_weight"}, anyOwner},
	{".weight.absmax", []string{".weight"}, anyOwner},
	{".weight.quant_map", []string{".weight"}, anyOwner},
	{".weight.nested_absmax", []string{".weight"}, anyOwner},
	{".weight.nested_quant_map", []string{".weight"}, anyOwner},
	{".weight.quant_state.bitsandbytes__nf4", []string{".weight"}, anyOwner},
	{".weight.quant_state.bitsandbytes__fp4", []string{".weight"}, anyOwner},
	{".SCB", []string{".weight"}, integers},
	{".tables", []string{".weight"}, integers}, // HIGGS
	{".tables2", []string{".weight"}, integers},
	{".weight_format", []string{".weight"}, integers},
	{".weight_shape", []string{".weight_packed"}, anyOwner},
	{".weight_g_idx", []string{".weight_packed", ".weight"}, anyOwner},
	{".bitmask", []string{".compressed"}, anyOwner},
	{".row_offsets", []string{".compressed"}, anyOwner},
	{".shape", []string{".compressed"}, anyOwner},
	{".weight_scale", weightOwners, anyOwner},
	{".weight_scale_inv", weightOwners, anyOwner},
	{".weight_scale_2", weightOwners, anyOwner},
	{".weight_global_scale", weightOwners, anyOwner},
	{".weight_zero_point", weightOwners, anyOwner},
	{".input_scale", weightOwners, anyOwner},
	{".input_zero_point", weightOwners, anyOwner},
	{".input_global_scale", weightOwners, anyOwner},
	{".input_scale_ub", weightOwners, anyOwner}, // fbgemm
	{"._scale", []string{"._data"}, anyOwner},   // quanto
	{"._shift", []string{"._data"}, anyOwner},
	{".activation_scale", weightOwners, anyOwner},
	{".output_scale", weightOwners, anyOwner},
	{".output_zero_point", weightOwners, anyOwner},
	{".pre_quant_scale", weightOwners, anyOwner},
	{".qscale_weight", weightOwners, anyOwner},
	{".qscale_act", weightOwners, anyOwner},
	{".scale", []string{".weight"}, unscaled},
	{".scale_inv", []string{".weight"}, unscaled},
	{".zero_point", []string{".weight"}, unscaled},
	{"_scales", []string{"_blocks"}, anyOwner},
	{"_scale", []string{""}, unscaled},
	{"_scales", []string{""}, unscaled},
	{"_scale_inv", []string{""}, unscaled},
	{"_weight_scale", []string{"", "_packed"}, unscaled},
	{"_weight_scale_2", []string{""}, unscaled},
	{"_input_scale", []string{""}, unscaled},
	{".k_scale", nil, anyOwner}, // of the cache
	{".v_scale", nil, anyOwner},
	{".q_scale", nil, anyOwner},
	{".kv_scale", nil, anyOwner},
	{".prob_scale", nil, anyOwner},
	{".k_zero_point", nil, anyOwner},
	{".v_zero_point", nil, anyOwner},
}

var weightOwners = []string{".weight", ".weight_packed", ".qweight", ".compressed", ".weight._data"}

// ownerKind is how what packing data belong to has to be stored.
type ownerKind uint8

const (
	anyOwner ownerKind = iota
	integers           // in integers
	unscaled           // in integers, or floats of eight bits and less
)

// View reads a finished list through a config's packings.
type View struct {
	*List
	packings Packings
	words    []word // by text, filled on use
}

// word is what a text of names is by its ending.
type word struct {
	known bool
	own   int32 // the text of the tensor in the class's words
	how   packHow
	packs []owner         // non-empty for what may be packing data
	side  [numSides]int32 // texts of what may stand beside it, -1 for those that no name has
}

// owner is a text that packing data may belong to; text -1 needs none.
type owner struct {
	text int32
	of   ownerKind
}

type packHow uint8

const (
	plainName packHow = iota // .weight, or anything else
	qweight
	qWeight // EXL2
	weightPacked
	compressed
	blocksName
	hqqName // the rest in layouts.go
	aqlmName
	marlinName
	marlin24Name
	torchaoName
)

// What may stand beside a matrix.
const (
	sScales = iota
	sZeros
	sIndex
	sInvperm
	sBitmask
	sAbsmax
	sState4
	sState4f
	sWeightScale
	sScale
	sScaleInv
	sUnderScale
	sUnderScaleInv
	sBlockScales
	sCodebooks
	sScalePacked
	sMarlin
	numSides
)

// NewView prepares one.
func NewView(l *List, p Packings) *View {
	return &View{List: l, packings: p, words: make([]word, len(l.texts.texts))}
}

func cutEnd(s, end string) (string, bool) {
	if strings.HasSuffix(s, end) {
		return s[:len(s)-len(end)], true
	}
	return s, false
}

// text returns the number of a text, -1 when no name has it.
func (v *View) text(s string) int32 {
	if n, ok := v.texts.at[s]; ok {
		return n
	}
	return -1
}

// word reads a text's ending.
func (v *View) word(t int32) *word {
	w := &v.words[t]
	if w.known {
		return w
	}
	w.known = true
	s := v.texts.texts[t]
	own := s
	base, isWeight := cutEnd(s, ".weight")
	for i := range w.side {
		w.side[i] = -1
	}
	if b, ok := cutEnd(s, ".qweight"); ok {
		base, own, w.how = b, b+".weight", qweight
	} else if b, ok := cutEnd(s, ".q_weight"); ok {
		base, own, w.how = b, b+".weight", qWeight
	} else if b, ok := cutEnd(s, ".weight_packed"); ok {
		base, own, w.how = b, b+".weight", weightPacked
	} else if b, ok := cutEnd(s, "_packed"); ok && v.text(b+"_scale") >= 0 {
		base, own, w.how = b, b, weightPacked
	} else if b, ok := cutEnd(s, ".compressed"); ok && v.text(b+".bitmask") >= 0 {
		base, own, w.how = b, b, compressed
		if !strings.HasSuffix(own, ".weight") {
			own += ".weight"
		}
	} else if b, ok := cutEnd(s, "._data"); ok && v.text(b+"._scale") >= 0 {
		own = b
	} else if b, ok := cutEnd(s, "_blocks"); ok && v.text(b+"_scales") >= 0 {
		base, own, w.how = b, b, blocksName
		w.side[sBlockScales] = v.text(b + "_scales")
	} else if b, how := v.layout(s); how != plainName {
		base, own, w.how = b, b+".weight", how
	}
	w.own = v.texts.number(strings.Replace(own, ".base_layer.", ".", 1)) // as peft calls what it adapts
	for len(v.words) < len(v.texts.texts) {
		v.words = append(v.words, word{})
	}
	w = &v.words[t]
	if w.how != plainName || isWeight {
		for i, end := range [...]string{sScales: ".scales", sZeros: ".qzeros", sIndex: ".g_idx", sInvperm: ".q_invperm", sBitmask: ".bitmask",
			sWeightScale: ".weight_scale", sScale: ".scale", sScaleInv: ".weight_scale_inv", sCodebooks: ".codebooks", sScalePacked: ".scale_packed", sMarlin: ".s"} {
			if end != "" {
				w.side[i] = v.text(base + end)
			}
		}
	}
	if w.how == plainName {
		w.side[sAbsmax], w.side[sState4], w.side[sState4f] = v.text(s+".absmax"), v.text(s+".quant_state.bitsandbytes__nf4"), v.text(s+".quant_state.bitsandbytes__fp4")
		w.side[sUnderScale], w.side[sUnderScaleInv] = v.text(s+"_scale"), v.text(s+"_scale_inv")
	}
	if w.how == weightPacked && w.side[sWeightScale] < 0 {
		w.side[sWeightScale] = v.text(base + "_scale")
	}
	w.packs = v.beside(w.packs, t, s)
	for _, e := range endings {
		base, ok := cutEnd(s, e.end)
		if !ok {
			continue
		}
		if e.owners == nil {
			w.packs = append(w.packs, owner{-1, anyOwner})
		}
		for _, o := range e.owners {
			if n := v.text(base + o); n >= 0 && n != t && base != "" {
				w.packs = append(w.packs, owner{n, e.of})
			}
		}
	}
	return w
}

// side finds what is beside tensor n: its place, -1 for nothing.
func (v *View) side(w *word, n name, which int) int {
	if w.side[which] < 0 {
		return -1
	}
	return v.find(name{w.side[which], n.index})
}

// Logical says what tensor i stands for.
func (v *View) Logical(i int) Logical {
	t := v.at(i)
	w := v.word(t.name.text)
	kind := types[t.typ].kind
	if len(w.packs) > 0 && v.packing(w.packs, t) {
		return Logical{Packing: true, own: t.name}
	}
	dims := v.dims(t.shape)
	out := Logical{Dims: dims, Elements: v.Elements(i), own: name{w.own, t.name.index}}
	last := int64(0)
	if len(dims) > 0 {
		last = dims[len(dims)-1]
	}
	switch {
	case w.how >= hqqName, v.side(w, t.name, sScalePacked) >= 0, v.packings.method == "higgs", v.packings.method == "fp_quant" && w.how == qweight:
		return v.laidOut(out, w, t, dims)
	case w.how == qweight && kind == whole && len(dims) == 2:
		out.setGPTQ(v, w, t, dims)
	case w.how == qWeight && len(dims) == 2:
		if j := v.side(w, t.name, sInvperm); j >= 0 {
			out.set([]int64{dims[1], v.Elements(j)})
		}
	case w.how == weightPacked && len(dims) >= 2 && (t.typ.String() == "I32" || types[t.typ].bits == 8):
		out.set(widened(dims, v.packedRow(w, t, last)))
	case w.how == compressed:
		if j := v.side(w, t.name, sBitmask); j >= 0 { // which elements are there: one bit for each
			if b := v.Dims(j); len(b) > 0 && b[len(b)-1] < 1<<58 {
				out.set(widened(b, 8*b[len(b)-1]))
			}
		}
	case w.how == blocksName && kind == whole && len(dims) >= 2 && v.side(w, t.name, sBlockScales) >= 0:
		x := append([]int64(nil), dims[:len(dims)-2]...)
		if row, ok := times(dims[len(dims)-2], 2*last); ok && last < 1<<30 {
			out.set(append(x, row))
			out.turned = true
		}
	case w.how == plainName && (kind == whole && v.side(w, t.name, sAbsmax) >= 0 || v.side(w, t.name, sState4) >= 0 || v.side(w, t.name, sState4f) >= 0):
		if n, ok := times(out.Elements, types[t.typ].bits/4); ok {
			out.Elements, out.Dims, out.Packed, out.flat = n, []int64{n}, true, true
		}
	case t.typ.String() == "U32" && len(dims) >= 2 && v.side(w, t.name, sScales) >= 0:
		if s := v.Dims(v.side(w, t.name, sScales)); len(s) > 0 {
			out.set(widened(dims, v.mlxRow(t.name, last, s[len(s)-1])))
		}
	case w.how == plainName && kind == whole && types[t.typ].bits == 8 && len(dims) >= 2:
		out.Packed = v.any8(w, t.name)
		out.turned = v.packings.method == "eetq" // inputs first
		if v.packings.method == "bitnet" && t.typ.String() == "U8" && out.Packed && len(dims) == 2 && dims[0] < 1<<58 {
			out.set([]int64{4 * dims[0], last}) // four rows of -1, 0 and 1 in a byte
			break
		}
		n := len(dims) - 2
		switch j := v.side(w, t.name, sWeightScale); {
		case v.halves(w, t.name, last):
			out.set(widened(dims, 2*last))
		case j >= 0 && t.typ.String() == "U8" && len(v.Dims(j)) == len(dims) && dims[n] < 1<<58 && v.Dims(j)[n] == 2*dims[n]:
			x := append([]int64(nil), dims...)
			x[n] *= 2
			out.set(x)
		}
	case kind == small || kind == exponents:
		out.Packed = true
	}
	return out
}

// set gives the unpacked shape, unless it passes what can be counted.
func (x *Logical) set(dims []int64) {
	if n, ok := product(dims); ok {
		x.Dims, x.Elements, x.Packed = dims, n, true
	}
}

// widened is a shape with another last side.
func widened(dims []int64, last int64) []int64 {
	out := append([]int64(nil), dims...)
	out[len(out)-1] = last
	return out
}

// packing reports whether what tensor t may belong to is there.
func (v *View) packing(owners []owner, t *tensor) bool {
	for _, o := range owners {
		if o.text < 0 {
			return true
		}
		i := v.find(name{o.text, t.name.index})
		if i < 0 {
			continue
		}
		kind := types[v.at(i).typ].kind
		switch {
		case o.of == anyOwner, o.of == integers && kind == whole, o.of == unscaled && (kind == whole || kind == small),
			o.of == unscaled && types[t.typ].kind == exponents:
			return true
		}
	}
	return false
}

// setGPTQ unpacks GPTQ's and AWQ's: what is beside the integers says which it is.
func (x *Logical) setGPTQ(v *View, w *word, t *tensor, dims []int64) {
	rows, cols := dims[0], dims[1]
	per := types[t.typ].bits // of a container
	bits := v.packings.first(4).bits
	scales, zeros, index := v.side(w, t.name, sScales), v.side(w, t.name, sZeros), v.side(w, t.name, sIndex)
	lastOf := func(i int) int64 {
		if i < 0 || len(v.Dims(i)) != 2 {
			return 0
		}
		return v.Dims(i)[1]
	}
	outs := lastOf(scales)
	awq := v.packings.method == "awq"
	if awq && outs > 0 && v.Dims(scales)[0] == rows { // AWQ's other layout, for products with one vector: rows are outputs
		if in, ok := times(cols, per); ok {
			x.set([]int64{rows, in / max(bits, 1)})
		}
		return
	}
	if outs > 0 {
		awq = outs != cols
	}
	if awq {
		if outs == 0 {
			outs, _ = times(cols, per/max(bits, 1))
		}
		x.set([]int64{outs, rows})
		return
	}
	in := int64(0)
	if index >= 0 {
		in = v.Elements(index)
	} else {
		if z := lastOf(zeros); z > 0 && cols > 0 && z < 1<<50 && z*per/cols > 0 {
			bits = z * per / cols
		}
		if n, ok := times(rows, per); ok {
			in = n / max(bits, 1)
		}
	}
	x.set([]int64{cols, in})
}

// first is the config's packing, def bits where it names none.
func (p *Packings) first(def int64) packing {
	for _, g := range p.groups {
		if g.bits > 0 {
			return g
		}
	}
	return packing{bits: def}
}

// packedRow is how many elements a row of compressed-tensors' integers, or of its bytes, stands
// for: of the config's groups, the one that its scales agree with.
func (v *View) packedRow(w *word, t *tensor, last int64) int64 {
	scales, whole := int64(0), types[t.typ].bits
	if j := v.side(w, t.name, sWeightScale); j >= 0 {
		if s := v.Dims(j); len(s) > 0 {
			scales = s[len(s)-1]
		}
	}
	for _, g := range v.packings.groups {
		if g.bits <= 0 || g.group <= 0 || scales > 1<<40 || last > 1<<50 {
			continue
		}
		in := scales * g.group
		per := max(whole/g.bits, 1) // whole elements of an integer: compressed-tensors leaves over the bits that make no element
		if (in*g.bits+whole-1)/whole == last || whole == 32 && (in+per-1)/per == last {
			return in
		}
	}
	bits := int64(4)
	if whole == 32 {
		bits = v.packings.first(4).bits
	}
	if in, ok := times(last, whole); ok {
		return in / bits
	}
	return 0
}

// mlxRow is how many elements a row of MLX's integers stands for.
func (v *View) mlxRow(n name, last, scales int64) int64 {
	p := v.packings.first(0)
	full := v.nameText(n)
	base, _ := cutEnd(full, ".weight")
	if named := v.packings.named.Get(base); named.Kind == config.Object {
		if own := onePacking(named, "bits"); own.bits > 0 {
			p = own
		}
	}
	group := p.group
	if group <= 0 {
		group = 64
	}
	in, ok := times(scales, group)
	bits, ok2 := times(last, 32)
	switch {
	case p.bits > 0 && ok2 && !(ok && in > 0 && bits%in == 0 && bits/in <= 8): // scales that fit no format of that many weights
		return bits / p.bits
	case !ok:
		return 0
	}
	return in // the scales say it, also of a module in other bits than the config's
}

// any8 reports whether a scale stands beside a matrix of eight-bit integers.
func (v *View) any8(w *word, n name) bool {
	for _, s := range [...]int{sWeightScale, sScale, sScaleInv, sUnderScale, sUnderScaleInv} {
		if v.side(w, n, s) >= 0 {
			return true
		}
	}
	base, ok := cutEnd(v.texts.texts[n.text], ".weight")
	return ok && v.text(base+".SCB") >= 0
}

// halves reports whether bytes hold two 4-bit floats each: a scale of E4M3 for
// every 8 bytes (16 floats, NVFP4), or of E8M0 for every 16 (32 floats, MXFP4).
func (v *View) halves(w *word, n name, last int64) bool {
	for _, s := range [...]int{sWeightScale, sScale, sScaleInv, sUnderScale, sUnderScaleInv} {
		j := v.side(w, n, s)
		if j < 0 || len(v.Dims(j)) < 2 {
			continue
		}
		d := v.Dims(j)
		switch scales, t := d[len(d)-1], v.at(j).typ; {
		case scales <= 0:
		case types[t].kind == small:
			return last/scales == 8
		case types[t].kind == exponents || t.String() == "U8":
			return last/scales == 16
		}
	}
	return false
}
