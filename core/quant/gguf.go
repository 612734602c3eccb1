package quant

import (
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// A GGUF file of a recipe is what llama.cpp's quantiser writes from a file whose
// matrices are F16: experts of a layer are one tensor, multi-head latent
// attention's kv_b is two, vectors, norms, biases and convolutions are F32, and
// what the quantiser leaves alone (routers) stays F16. convert_hf_to_gguf writes
// routers in F32; [Weights.Notes] says how many bytes more that is. Towers for
// images and sound, which llama.cpp keeps in a file of their own, are F16.
// Source: src/llama-quant.cpp and conversion/ in llama.cpp as in
// llama-cpp-python 0.3.36.

// entry is one tensor of a GGUF file, in every layer of a kind.
type entry struct {
	name   string // "attn_v.weight"
	role   model.Role
	slot   slot
	fixed  ggml   // kept in this type; same when the recipe decides
	shape  matrix // count > 1: a stack of experts or heads
	n      int64  // such tensors in a layer
	before int64  // tensors of its slot before it in the layer
}

// file is a model laid out as GGUF.
type file struct {
	entries int // of all kinds
	facts   facts
	blocks  [][][]entry // by block, by kind
	router  int64       // elements of routers
	towers  int64       // bytes of towers
	alien   bool        // some matrix has a name that is not llama.cpp's
}

// weighGGUF picks a type for every tensor and adds up.
func (s *Weigher) weighGGUF(r *mix) (Weights, *fault.Error) {
	m := s.Model
	if s.file == nil {
		s.file = layOut(m)
	}
	f := s.file
	w := Weights{Runs: make([]Stored, 0, f.entries)}
	ok := true
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if b.Index == "" {
			for _, e := range f.blocks[bi][0] {
				ok = ok && w.put(e.stored(f.facts.pick(r, e.slot, e.shape.row, e.shape.count > 1, place{}), nil, e.n))
			}
			continue
		}
		ok = ok && f.layers(&w, r, m, bi)
	}
	for _, e := range ropeFactors(m, s.Config) {
		ok = ok && w.put(e.stored(tF32, nil, 1))
	}
	if !ok {
		return w, tooLarge(r.name)
	}
	if f.router > 0 {
		w.Notes = append(w.Notes, fault.Warning{Field: "weights", Text: "routers are counted in F16; files made by convert_hf_to_gguf keep them in F32, which is " + units.Group(2*f.router) + " bytes more"})
	}
	if block := ggmlTypes[r.base].block; block > 1 {
		if n := f.uneven(m, block); n > 0 {
			w.Notes = append(w.Notes, fault.Warning{Field: "weights", Text: units.Group(n) + " matrices have rows that blocks of " + units.Itoa(block) + " do not divide; they take the type that stands in: " + ggmlTypes[ggmlTypes[r.base].next].name + " for " + ggmlTypes[r.base].name})
		}
	}
	if f.towers > 0 {
		w.Notes = append(w.Notes, fault.Warning{Field: "weights", Text: units.Group(f.towers) + " bytes are towers for images and sound in F16, which llama.cpp keeps in a file of their own"})
	}
	if f.alien {
		w.Notes = append(w.Notes, fault.Warning{Field: "weights", Text: "some matrices have no name in llama.cpp; they take the recipe's base type"})
	}
	return w, nil
}

// uneven counts the matrices whose rows blocks of that size do not divide.
func (f *file) uneven(m *model.Model, block int64) int64 {
	n := int64(0)
	for bi, kinds := range f.blocks {
		for ki, list := range kinds {
			for i := range list {
				if e := &list[i]; e.fixed == same && e.shape.row%block != 0 {
					n += e.n * m.Blocks[bi].Kinds[ki].Count
				}
			}
		}
	}
	return n
}

// stored is the entry in a type.
func (e *entry) stored(t ggml, layers []model.Span, n int64) Stored {
	if e.fixed != same {
		t = e.fixed
	}
	ty := &ggmlTypes[t]
	rows := e.shape.count * e.shape.rows
	return Stored{Role: e.role, Name: e.name, Layers: layers, Type: ty.name, Tensors: n, Elements: rows * e.shape.row, Bytes: rows * (e.shape.row / ty.block) * ty.bytes}
}

// layers picks types through a stack, layer by layer in the order in which the
// quantiser meets them, and gathers equal ones to runs. What the recipe does not
// tell apart by its place is picked once, for all layers of a kind.
func (f *file) layers(w *Weights, r *mix, m *model.Model, bi int) bool {
	b := &m.Blocks[bi]
	runs, spans := make([][]run, len(b.Kinds)), make([][]model.Span, len(b.Kinds))
	for k := range runs {
		runs[k], spans[k] = make([]run, 0, 2*len(f.blocks[bi][k])), b.Spans(k)
	}
	apart := f.facts.apart(r)
	var seen [][numSlots]int64
	for li, kind := range b.Pattern {
		first := len(runs[kind]) == 0
		for ei := range f.blocks[bi][kind] {
			switch e := &f.blocks[bi][kind][ei]; {
			case e.fixed == same && apart[e.slot]:
				if seen == nil {
					seen = f.ranks(m, bi)
				}
				t := f.facts.pick(r, e.slot, e.shape.row, e.shape.count > 1, place{int64(li), seen[li][e.slot] + e.before})
				runs[kind] = join(runs[kind], ei, t, int64(li), len(spans[kind]))
			case first:
				t := e.fixed
				if t == same {
					t = f.facts.pick(r, e.slot, e.shape.row, e.shape.count > 1, place{})
				}
				runs[kind] = append(runs[kind], run{ei, t, spans[kind], b.Kinds[kind].Count})
			}
		}
	}
	prefix := stackPrefix(m, b)
	for k := range runs {
		for _, x := range runs[k] {
			e := f.blocks[bi][k][x.entry]
			e.name = prefix + e.name
			if !w.put(e.stored(x.t, x.layers, x.n*e.n)) {
				return false
			}
		}
	}
	return true
}

// run is the layers in which an entry has a type.
type run struct {
	entry  int
	t      ggml
	layers []model.Span
	n      int64
}

// join adds a layer to the entry's run of that type. The first layer of a kind has
// made a run of every entry, in order: the entry's own come no sooner. A run of all
// layers of the kind has that number of spans.
func join(runs []run, entry int, t ggml, layer int64, spans int) []run {
	for i := min(entry, len(runs)); i < len(runs); i++ {
		x := &runs[i]
		if x.entry != entry || x.t != t {
			continue
		}
		x.n++
		if last := &x.layers[len(x.layers)-1]; last.To == layer-1 {
			last.To = layer
		} else {
			x.layers = append(x.layers, model.Span{From: layer, To: layer})
		}
		return runs
	}
	return append(runs, run{entry, t, append(make([]model.Span, 0, spans), model.Span{From: layer, To: layer}), 1})
}

// stacks counts the text stacks of a model: two in encoder-decoders.
func stacks(m *model.Model) int {
	n := 0
	for i := range m.Blocks {
		if isText(&m.Blocks[i]) {
			n++
		}
	}
	return n
}

// isText reports whether a block is a stack of the language model's layers.
func isText(b *model.Block) bool {
	if b.Index == "" {
		return false
	}
	for k := range b.Kinds {
		for p := range b.Kinds[k].Parts {
			if !tower(b.Kinds[k].Parts[p].Role) {
				return true
			}
		}
	}
	return false
}

// tower reports whether a role belongs to another modality.
func tower(r model.Role) bool { return r == model.Vision || r == model.Audio || r == model.Projector }

// encoder reports whether a stack works on the encoder's tokens.
func encoder(b *model.Block) bool {
	for k := range b.Kinds {
		for _, p := range b.Kinds[k].Parts {
			if p.Stream == "encoder" && p.Get(model.Cross) == 0 {
				return true
			}
		}
	}
	return false
}

// stackPrefix is what the names of a stack's tensors begin with.
func stackPrefix(m *model.Model, b *model.Block) string {
	switch {
	case !isText(b):
		return ""
	case stacks(m) < 2:
		return "blk.{i}."
	case encoder(b):
		return "enc.blk.{i}."
	}
	return "dec.blk.{i}."
}

// order is the layers of a stack as the quantiser meets them: by number, but by
// the letters of their names where the names begin with enc. or dec.
func order(m *model.Model, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	if stacks(m) < 2 {
		return list
	}
	for i := 1; i < n; i++ {
		for j := i; j > 0 && before(list[j], list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list
}

// before compares two layer numbers by their digits followed by a dot.
func before(a, b int) bool { return units.Itoa(int64(a))+"." < units.Itoa(int64(b))+"." }

// ranks is how many tensors of each slot come before each layer of a stack.
func (f *file) ranks(m *model.Model, bi int) [][numSlots]int64 {
	b := &m.Blocks[bi]
	all := make([][numSlots]int64, len(b.Pattern))
	seen := f.seenBefore(m, bi)
	for _, li := range order(m, len(b.Pattern)) {
		all[li] = seen
		for _, e := range f.blocks[bi][b.Pattern[li]] {
			if e.fixed == same {
				seen[e.slot] += e.n
			}
		}
	}
	return all
}

// seenBefore is how many tensors of each slot the quantiser has met in stacks
// that come before: a decoder's before an encoder's.
func (f *file) seenBefore(m *model.Model, bi int) (seen [numSlots]int64) {
	if stacks(m) < 2 || !encoder(&m.Blocks[bi]) {
		return seen
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if i == bi || !isText(b) || encoder(b) {
			continue
		}
		for k := range b.Kinds {
			for _, e := range f.blocks[i][k] {
				if e.fixed == same {
					seen[e.slot] += e.n * b.Kinds[k].Count
				}
			}
		}
	}
	return seen
}
