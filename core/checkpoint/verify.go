package checkpoint

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/model"
	"llmsize/core/quant"
	"llmsize/core/units"
)

// Kinds of differences, from the worst on.
const (
	Missing   = "missing"   // the class has it, the checkpoint lacks it
	Shape     = "shape"     // both have it, of another shape
	Extra     = "extra"     // the checkpoint has it, the class lacks it
	Precision = "precision" // another dtype than the config's
)

// Reasons of differences.
const (
	Prediction = "prediction" // layers that predict further tokens
	Tied       = "tied"       // stored again, though the class takes one for both
	Buffer     = "buffer"     // what a class computes or no longer keeps: positions, masks
	Scale      = "scale"      // what packed matrices are read with
	Adapter    = "adapter"    // LoRA and its like
	Other      = "other"
)

// Verdicts, the first that applies.
const (
	Alone   = "alone"   // no config of a known kind to compare with
	Differs = "differs" // something is missing or of another shape
	MoreIn  = "extra"   // the checkpoint holds more
	OtherIn = "precision"
	Equal   = "equal"
)

// maxListed is how many names a difference lists.
const maxListed = 20

// Difference is tensors that differ in one way for one reason.
type Difference struct {
	Kind, Reason string
	Tensors      int64
	// Parameters is the elements of these tensors: unpacked, but those of packing
	// data as they stand; of missing ones, what the class has.
	Parameters int64
	Names      []string // the first 20
	How        []string // of each name: shapes that differ, or the dtype
}

// Verdict is what comes of holding a config against a checkpoint.
type Verdict struct {
	Known       bool  // there is a config of a known kind
	Config      int64 // parameters that its class has: trainable, tied ones once
	Buffers     int64 // elements of buffers that the class stores
	Tensors     int64 // that the checkpoint stores
	Parameters  int64 // their elements, unpacked, without packing data
	Bytes       int64 // of tensor data
	Differences []Difference
	Verdict     string
	Renamed     []Renamed // names that differ by what they begin with
	Regrouped   bool      // experts, or matrices of one module, are in other tensors than in the class, of the same size together
	// Unread is how many matrices of the class the checkpoint packs in a way that is not unpacked here, and Assumed their elements, which are the
	// class's; Method is what the config calls that way.
	Unread, Assumed int64
	Method          string
	Biases          bool // modules that pack a matrix store a bias that the class lacks
}

// Renamed is what the names of some tensors begin with in the checkpoint and in the class.
type Renamed struct{ From, To string }

// Verify holds a config and the model that it describes against a finished list.
// m is nil where no config of a known kind is there.
func Verify(l *List, cfg config.Value, m *model.Model) Verdict {
	v := verifier{View: NewView(l, ReadPackings(cfg)), seen: make([]bool, l.Len()), cfg: cfg}
	v.out.Tensors, v.out.Bytes = int64(l.Len()), l.Bytes
	for i := range l.count {
		v.out.Parameters = plus(v.out.Parameters, v.Logical(i).Elements)
	}
	if m == nil {
		v.out.Verdict = Alone
		return v.out
	}
	v.out.Known = true
	v.expect(m)
	v.rename()
	v.dtype(cfg)
	v.match()
	v.ties()
	v.biases()
	v.regroup()
	v.unread()
	v.settle()
	return v.out
}

// plus adds what is not negative; past int64 it stays there. Only a header that
// claims more bytes than any disk has comes so far.
func plus(a, b int64) int64 {
	if a > 1<<63-1-b {
		return 1<<63 - 1
	}
	return a + b
}

// verifier is the state of Verify.
type verifier struct {
	*View
	cfg     config.Value
	out     Verdict
	seen    []bool // by tensor: accounted for
	wanted  []wanted
	stored  map[string][]int32 // by text in the class's words: texts of tensors, packing data left out
	stacks  []stack
	plain   string // the config's dtype, as a plain format; empty when it has none
	diffs   [4][6]Difference
	missing []missing
}

// wanted is a run of tensors of the class.
type wanted struct {
	t      *model.Tensor
	text   string  // the name with numbers out
	index  []place // what each number is
	layers []int32 // the layers that have it
	dims   []int64
	from   string // the text under which the checkpoint has it; "" for none
	tied   bool
}

// place is where a number of a name comes from.
type place struct {
	fixed int32 // ≥ 0: the number itself
	layer bool
	each  int // else an index of t.Each
}

// stack is layers: what their names begin with, up to the number, and how many there are.
type stack struct {
	text   string // "model.layers.#."
	slot   int    // which number is the layer's
	layers int32
}

// missing is a tensor of the class that no name of the checkpoint led to.
type missing struct {
	w     *wanted
	index [slots]int32
	found bool
}

// dtype takes what the config says of the format of what is not packed. A config that transformers writes has the format of the class's first
// parameter: where that is kept in 32 bits whatever the others are in, the largest of the others says what they are in.
func (v *verifier) dtype(cfg config.Value) {
	f, key := quant.DType(&cfg)
	if key == "" {
		return
	}
	v.plain = f
	if v.plain != "fp32" || len(v.wanted) == 0 || !v.wanted[0].t.F32 {
		return
	}
	most := int64(0)
	for i := range v.wanted {
		w := &v.wanted[i]
		if w.t.F32 || w.t.Buffer || w.t.Elements <= most {
			continue
		}
		for _, t := range v.stored[w.from] {
			w.all(func(index [slots]int32) {
				if at := v.find(name{t, index}); at >= 0 && types[v.Type(at)].kind == floats {
					most, v.plain = w.t.Elements, types[v.Type(at)].plain
				}
			})
		}
	}
}

// expect lists the class's tensors.
func (v *verifier) expect(m *model.Model) {
	m.EachUsed(func(b *model.Block, k *model.Kind, p *model.Part, t *model.Tensor, _ int64) {
		for _, t := range spelled(t) {
			w := wanted{t: t, tied: t.TiedTo != ""}
			var ok bool
			if w.text, w.index, ok = open(t, b.Index); !ok {
				return
			}
			for _, d := range t.Dims {
				w.dims = append(w.dims, d.Size)
			}
			w.layers = []int32{0}
			if b.Index != "" {
				w.layers = w.layers[:0]
				for i, kind := range b.Pattern {
					if &b.Kinds[kind] == k {
						w.layers = append(w.layers, int32(i))
					}
				}
				v.stack(&w, len(b.Pattern))
			}
			if t.Buffer {
				v.out.Buffers += t.Elements * t.Copies * int64(len(w.layers))
			} else if !w.tied {
				v.out.Config += t.Elements * t.Copies * int64(len(w.layers))
			}
			v.wanted = append(v.wanted, w)
		}
	})
}

// spelled writes out an index that is a part of a word, as in experts.expert_{e}: names keep only whole words apart.
func spelled(t *model.Tensor) []*model.Tensor {
	for e := range t.Each {
		x := &t.Each[e]
		at := strings.Index(t.Name, "{"+x.Name+"}")
		if at < 1 || t.Name[at-1] == '.' {
			continue
		}
		var out []*model.Tensor
		for i := range x.N {
			one := *t
			one.Name = t.Name[:at] + units.Itoa(i) + t.Name[at+len(x.Name)+2:]
			one.Each = append(append([]model.Index(nil), t.Each[:e]...), t.Each[e+1:]...)
			one.Copies /= x.N
			out = append(out, spelled(&one)...)
		}
		return out
	}
	return []*model.Tensor{t}
}

// stack keeps what the names of a stack of layers begin with.
func (v *verifier) stack(w *wanted, layers int) {
	slot := 0
	for i := 0; i < len(w.text); i++ {
		if w.text[i] != '#' {
			continue
		}
		if w.index[slot].layer {
			text := w.text[:i+1] + "."
			for j := range v.stacks {
				if v.stacks[j].text == text && v.stacks[j].slot == slot {
					return
				}
			}
			v.stacks = append(v.stacks, stack{text, slot, int32(layers)})
			return
		}
		slot++
	}
}

// open takes the numbers and open indices out of a tensor's name; ok is false
// when it has more of them than a name keeps apart.
func open(t *model.Tensor, layer string) (string, []place, bool) {
	var out []byte
	var index []place
	s := t.Name
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] != '.' {
			j++
		}
		seg := s[i:j]
		p := place{fixed: -1, each: -1}
		if len(seg) > 2 && seg[0] == '{' && seg[len(seg)-1] == '}' {
			id := seg[1 : len(seg)-1]
			for e := range t.Each {
				if t.Each[e].Name == id {
					p.each = e
				}
			}
			p.layer = p.each < 0 && id == layer
			seg = "#"
		} else if n, ok := number(seg); ok {
			p.fixed = n
			seg = "#"
		}
		if seg == "#" {
			index = append(index, p)
		}
		out = append(append(out, seg...), s[j:min(j+1, len(s))]...)
		i = j + 1
	}
	return string(out), index, len(index) <= slots
}

// all calls f with the numbers of every tensor of a run.
func (w *wanted) all(f func(index [slots]int32)) {
	var eachIndex [8]int32
	var walk func(layer int32, e int)
	walk = func(layer int32, e int) {
		if e < len(w.t.Each) && e < len(eachIndex) {
			for i := int64(0); i < w.t.Each[e].N; i++ {
				eachIndex[e] = int32(i)
				walk(layer, e+1)
			}
			return
		}
		index := [slots]int32{-1, -1, -1, -1}
		for i, p := range w.index {
			switch {
			case p.fixed >= 0:
				index[i] = p.fixed
			case p.layer:
				index[i] = layer
			case p.each >= 0:
				index[i] = eachIndex[p.each]
			}
		}
		f(index)
	}
	for _, layer := range w.layers {
		walk(layer, 0)
	}
}

// match looks for every tensor of the class.
func (v *verifier) match() {
	for wi := range v.wanted {
		w := &v.wanted[wi]
		if w.tied {
			continue
		}
		texts := v.stored[w.from]
		w.all(func(index [slots]int32) {
			for _, t := range texts {
				if i := v.find(name{t, index}); i >= 0 && !v.seen[i] {
					v.meet(i, w)
					return
				}
			}
			v.missing = append(v.missing, missing{w: w, index: index})
		})
	}
}

// meet compares a tensor with what the class has under its name.
func (v *verifier) meet(i int, w *wanted) {
	v.seen[i] = true
	x := v.Logical(i)
	if x.Packing { // the class itself has a tensor that is named like packing data
		x = Logical{Dims: v.Dims(i), Elements: v.Elements(i)}
		v.out.Parameters = plus(v.out.Parameters, x.Elements)
	}
	if !v.fits(&x, w) {
		how := shapeText(x.Dims) + " where the class has " + shapeText(w.dims)
		if x.flat {
			how = units.Group(x.Elements) + " elements where the class has " + shapeText(w.dims)
		}
		v.put(1, Other, i, x.Elements, how)
		return
	}
	if w.t.Buffer && (types[v.Type(i)].kind == whole || v.Type(i).String() == "F32") {
		return // the config's dtype is that of parameters; a class makes its buffers in its own
	}
	if w.t.F32 && v.Type(i).String() == "F32" {
		return
	}
	if !v.expected(v.Type(i), x.Packed) {
		v.put(3, Other, i, x.Elements, v.Type(i).String())
	}
}

// fits compares shapes. A tensor of one element has none worth comparing, and sides of one say nothing in a GGUF file: a tensor there
// has four sides, of which a writer may leave out those at the end. MLX has a convolution's inputs behind the sides of its window.
func (v *verifier) fits(x *Logical, w *wanted) bool {
	want := w.t.Elements
	if x.flat {
		return x.Elements == want+want%2
	}
	if x.Elements != want {
		return false
	}
	if want == 1 || same(x.Dims, w.dims) || v.gguf && same(wide(x.Dims), wide(w.dims)) {
		return true
	}
	n := len(x.Dims)
	if v.mlx && n == len(w.dims) && n > 2 && x.Dims[0] == w.dims[0] && x.Dims[n-1] == w.dims[1] && same(x.Dims[1:n-1], w.dims[2:]) {
		return true
	}
	return x.turned && n == len(w.dims) && n >= 2 && same(x.Dims[:n-2], w.dims[:n-2]) && x.Dims[n-1] == w.dims[n-2] && x.Dims[n-2] == w.dims[n-1]
}

// wide leaves out sides of one.
func wide(dims []int64) (out []int64) {
	for _, d := range dims {
		if d != 1 {
			out = append(out, d)
		}
	}
	return out
}

func same(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// expected reports whether a type is what the config says: its dtype, or a format
// that its quantization names. A GGUF file says of each tensor what it is.
func (v *verifier) expected(t Type, packed bool) bool {
	x := &types[t]
	switch {
	case v.gguf || v.plain == "" && x.kind == floats:
		return true
	case packed || x.kind != floats:
		return v.packings.any || x.plain != "" && x.plain == v.plain
	}
	return x.plain == v.plain
}

// put adds tensor i to a difference.
func (v *verifier) put(kind int, reason string, i int, elements int64, how ...string) {
	d := v.diff(kind, reason)
	d.Tensors++
	d.Parameters = plus(d.Parameters, elements)
	if len(d.Names) < maxListed {
		d.Names, d.How = append(d.Names, v.Name(i)), append(d.How, how...)
	}
}

var kinds = [...]string{Missing, Shape, Extra, Precision}
var reasons = [...]string{Prediction, Tied, Buffer, Scale, Adapter, Other}

func (v *verifier) diff(kind int, reason string) *Difference {
	for r := range reasons {
		if reasons[r] == reason {
			d := &v.diffs[kind][r]
			d.Kind, d.Reason = kinds[kind], reason
			return d
		}
	}
	return v.diff(kind, Other)
}

// ties accounts for tensors that the class takes for others: stored again, or stored instead.
func (v *verifier) ties() {
	for wi := range v.wanted {
		w := &v.wanted[wi]
		if !w.tied {
			continue
		}
		texts := v.stored[w.from]
		if len(texts) == 0 {
			continue
		}
		w.all(func(index [slots]int32) {
			for _, t := range texts {
				i := v.find(name{t, index})
				if i < 0 || v.seen[i] {
					continue
				}
				x := v.Logical(i)
				if x.Packing || !v.fits(&x, w) {
					continue
				}
				v.seen[i] = true
				m := v.missed(w.t.TiedTo)
				for of := w.t.TiedTo; m == nil && strings.Contains(of, "."); { // a part of a model may be tied to what is outside it
					_, of, _ = strings.Cut(of, ".")
					m = v.missed(of)
				}
				if m != nil {
					m.found = true
				} else {
					v.put(2, Tied, i, x.Elements)
				}
			}
		})
	}
}

// biases takes the bias of a head's matrix for the one beside it, which is the same vector in the class: LUKE's lm_head.decoder.bias for
// lm_head.bias, of which a file holds one.
func (v *verifier) biases() {
	for wi := range v.wanted {
		w := &v.wanted[wi]
		module, ok := cutEnd(w.text, ".weight")
		at := strings.LastIndexByte(module, '.')
		if !ok || at < 0 {
			continue
		}
		for _, t := range v.stored[module+".bias"] {
			w.all(func(index [slots]int32) {
				i := v.find(name{t, index})
				if m := v.missed(module[:at] + ".bias"); m != nil && i >= 0 && !v.seen[i] && v.Elements(i) == m.w.t.Elements {
					v.seen[i], m.found = true, true
				}
			})
		}
	}
}

// missed finds a missing tensor by its name.
func (v *verifier) missed(text string) *missing {
	s, index := split(nil, text)
	for i := range v.missing {
		if m := &v.missing[i]; !m.found && m.w.text == string(s) && m.index == index {
			return m
		}
	}
	return nil
}

// regroup takes experts that are in other tensors than in the class (one for all
// of them, gate and up in one) for the same when they are as large together. MLX does so in any module: it keeps DeepSeek's kv_b_proj as
// embed_q and unembed_out, and LFM2's w1 as gate_proj.
func (v *verifier) regroup() {
	if len(v.missing) == 0 {
		return
	}
	type sums struct{ want, have int64 }
	groups := map[string]*sums{}
	at := func(key string) *sums {
		if groups[key] == nil {
			groups[key] = &sums{}
		}
		return groups[key]
	}
	for i := range v.missing {
		if m := &v.missing[i]; !m.found {
			if key := v.home(v.fillText(m.w.text, m.index), m.w.t.Op == model.MatMul); key != "" {
				at(key).want += m.w.t.Elements
			}
		}
	}
	if len(groups) == 0 {
		return
	}
	for i := range v.count {
		if v.seen[i] {
			continue
		}
		if x := v.Logical(i); !x.Packing {
			if key := v.home(v.asClass(i), len(x.Dims) > 1); key != "" && groups[key] != nil {
				at(key).have += x.Elements
			}
		}
	}
	for i := range v.missing {
		if m := &v.missing[i]; !m.found {
			if g := groups[v.home(v.fillText(m.w.text, m.index), m.w.t.Op == model.MatMul)]; g != nil && g.want == g.have {
				m.found, v.out.Regrouped = true, true
			}
		}
	}
	for i := range v.count {
		if v.seen[i] {
			continue
		}
		if x := v.Logical(i); !x.Packing {
			if g := groups[v.home(v.asClass(i), len(x.Dims) > 1)]; g != nil && g.want == g.have {
				v.seen[i] = true
				if !v.expected(v.Type(i), x.Packed) {
					v.put(3, Other, i, x.Elements, v.Type(i).String())
				}
			}
		}
	}
}

// unread takes a matrix that is missing for one that is packed in a way that is not unpacked here, where the matrix's module stores
// something else in its place, and the config names a packing or that is a matrix of integers. What is stored there is packing data; of the elements we have the class's word alone.
func (v *verifier) unread() {
	if len(v.missing) == 0 {
		return
	}
	beside := map[string][]int32{} // by the module's text: texts of what it stores
	for t, s := range v.texts.texts {
		for at := strings.LastIndexByte(s, '.'); at > 0; at = strings.LastIndexByte(s[:at], '.') {
			beside[s[:at]] = append(beside[s[:at]], int32(t))
			if strings.IndexByte(s[at:], '#') >= 0 {
				break // modules below are modules of their own
			}
		}
	}
	for mi := range v.missing {
		m := &v.missing[mi]
		module, ok := cutEnd(m.w.text, ".weight")
		if m.found || !ok || m.w.t.Op != model.MatMul {
			continue
		}
		for _, stem := range v.stems(module) {
			var stored []int
			packed := v.packings.any
			for _, t := range beside[stem] {
				if i := v.find(name{t, m.index}); i >= 0 && !v.seen[i] && !strings.HasSuffix(v.texts.texts[t], ".bias") {
					stored = append(stored, i)
					packed = packed || types[v.Type(i)].kind == whole && len(v.Dims(i)) > 1
				}
			}
			if !packed {
				continue
			}
			for _, i := range stored {
				if x := v.Logical(i); !x.Packing {
					v.out.Parameters -= min(x.Elements, v.out.Parameters)
				}
				v.seen[i], m.found = true, true
				v.put(2, Scale, i, v.Elements(i))
			}
		}
		if m.found {
			v.out.Unread++
			v.out.Assumed = plus(v.out.Assumed, m.w.t.Elements)
			v.out.Parameters = plus(v.out.Parameters, m.w.t.Elements)
			v.out.Method = v.packings.method
		}
	}
}

// stems are what the checkpoint may call a module of the class.
func (v *verifier) stems(module string) []string {
	out := []string{module}
	for _, r := range v.out.Renamed {
		if strings.HasPrefix(module, r.To) {
			out = append(out, r.From+module[len(r.To):])
		}
	}
	return out
}

// home is the module within which tensors may be regrouped, "" for none: the one that has the experts, else of matrices in MLX's files the one above.
func (v *verifier) home(s string, matrix bool) string {
	for _, word := range []string{".experts.", ".switch_mlp."} {
		if i := strings.Index(s, word); i >= 0 {
			return s[:i]
		}
	}
	if at := strings.LastIndexByte(s, '.'); v.mlx && matrix && at > 0 {
		return s[:max(strings.LastIndexByte(s[:at], '.'), 0)]
	}
	return ""
}

// fillText writes a text with numbers.
func (v *verifier) fillText(text string, index [slots]int32) string {
	return (&interner{texts: []string{text}}).fill(name{0, index})
}

// asClass writes tensor i's name as the class would begin it.
func (v *verifier) asClass(i int) string {
	s := v.Name(i)
	for _, r := range v.out.Renamed {
		if !strings.Contains(r.From, "#") && strings.HasPrefix(s, r.From) && (r.From != "" || !strings.HasPrefix(s, r.To)) {
			return r.To + s[len(r.From):]
		}
	}
	return s
}

// settle says why each of the rest is extra or missing, and gives the verdict.
func (v *verifier) settle() {
	for i := range v.missing {
		m := &v.missing[i]
		if m.found {
			continue
		}
		reason := Other
		if m.w.t.Buffer {
			reason = Buffer
		}
		d := v.diff(0, reason)
		d.Tensors++
		d.Parameters += m.w.t.Elements
		if len(d.Names) < maxListed {
			d.Names = append(d.Names, v.fillText(m.w.text, m.index))
		}
	}
	ahead := v.ahead()
	for i := range v.count {
		if v.seen[i] {
			continue
		}
		x := v.Logical(i)
		n := x.Elements
		if x.Packing {
			n = v.Elements(i)
		}
		v.put(2, v.reason(i, &x, ahead), i, n)
	}
	for k := range v.diffs {
		for r := range v.diffs[k] {
			if d := &v.diffs[k][r]; d.Tensors > 0 {
				v.out.Differences = append(v.out.Differences, *d)
			}
		}
	}
	v.out.Verdict = Equal
	for _, d := range v.out.Differences {
		switch d.Kind {
		case Missing, Shape:
			v.out.Verdict = Differs
			return
		case Extra:
			v.out.Verdict = MoreIn
		case Precision:
			if v.out.Verdict == Equal {
				v.out.Verdict = OtherIn
			}
		}
	}
}
