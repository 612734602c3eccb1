package quant

import (
	"llmsize/core/model"
)

// layOut turns a model's tensors into those of a GGUF file, and gathers the
// facts that the quantiser asks for.
func layOut(m *model.Model) *file {
	f := &file{blocks: make([][][]entry, len(m.Blocks))}
	l := layout{file: f, wholeKVB: wholeKVB(m), careful: says(m, "gguf_careful")}
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		f.blocks[bi] = make([][]entry, len(b.Kinds))
		if f.facts.layers == 0 && isText(b) {
			f.facts.layers = int64(len(b.Pattern))
		}
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			l.list, l.inLayers = make([]entry, 0, 16), b.Index != ""
			l.layers = k.Count
			for pi := range k.Parts {
				p := &k.Parts[pi]
				if n := p.Get(model.Experts); n > f.facts.experts {
					f.facts.experts = n
				}
				l.heads = max(l.heads, p.Get(model.Heads))
				for ti := range p.Tensors {
					if t := &p.Tensors[ti]; t.TiedTo == "" {
						l.tensor(p, ti)
					}
				}
			}
			f.blocks[bi][ki] = l.list
			f.entries += len(l.list)
			rank(l.list)
			for _, e := range l.list {
				if e.slot == attnV && e.fixed == same {
					f.facts.values += e.n * k.Count
				}
			}
		}
	}
	if !l.hasHead {
		// The embedding stands for the output matrix and takes its type.
		f.reslot(embed, head)
	}
	f.facts.gqa = headGroups(m, f)
	f.facts.seventy = seventy(m)
	if f.facts.falcon = l.falcon && !l.bloom; f.facts.falcon && f.facts.gqa == l.heads {
		f.facts.gqa = 1 // its files with one shared head say that there are as many as query heads
	}
	return f
}

// layout is the state of layOut: the entries of the kind of layer at hand.
type layout struct {
	*file
	list     []entry
	inLayers bool
	layers   int64
	hasHead  bool
	wholeKVB bool
	careful  bool
	heads    int64
	falcon   bool
	bloom    bool
}

// tensor adds the entries that a tensor of the model becomes.
func (l *layout) tensor(p *model.Part, i int) {
	t := &p.Tensors[i]
	module, isWeight := moduleOf(t.Name)
	module = trimIndex(module)
	one, _ := lastWords(module)
	x, isMatrix := matrixOf(p, i)
	e := entry{role: t.Role, n: 1, shape: x}
	if t.Role != model.Expert || len(t.Each) == 0 {
		e.n = t.Copies
	} else {
		e.shape.count *= t.Copies // the experts of a layer are one tensor
	}
	switch {
	case hasWords(module, "pooler"), hasWords(module, "predictions"):
		return // a file has no such tensors
	case tower(t.Role):
		e.name, e.fixed = t.Name, tF16
		if t.Op != model.MatMul && t.Op != model.Conv || len(t.Dims) < 2 {
			e.fixed = tF32
		}
		e.shape = vector(t, &e)
		l.towers += e.stored(e.fixed, nil, 1).Bytes * e.n * l.layers
		l.list = append(l.list, e)
		return
	case !isMatrix || !isWeight || e.shape.count*e.shape.rows == 1 || t.Role == model.Norm || t.Role == model.Position && one != "relative_attention_bias" || one == "correction_coefs" || one == "prediction_coefs":
		e.name, e.fixed = one+ending(t.Name), tF32
		e.shape = vector(t, &e)
		l.list = append(l.list, e)
		l.bloom = l.bloom || one == "word_embeddings_layernorm"
		return
	case t.Role == model.Router:
		e.name, e.fixed = "ffn_gate_inp.weight", tF16
		l.router += e.shape.elements() * e.n * l.layers
		l.list = append(l.list, e)
		return
	}
	w, known := l.word(t, module)
	e.name, e.slot = w.name, w.slot
	switch {
	case t.Role == model.Embedding && t.Op == model.Lookup && !known:
		e.name, e.slot = "token_embd", embed
	case w.name == "token_types":
		e.fixed = tF32
	case one == "relative_attention_bias":
		e.name, e.fixed = "attn_rel_b", tF16
	case w.name == "per_layer_model_proj", w.name == "laurel_l", w.name == "laurel_r", w.name == "altup_proj", w.name == "altup_unembd_proj", w.name == "altup_router":
		e.fixed = tF16
	case w.name == "indexer.q_proj", w.name == "indexer.k_proj":
		e.fixed = tF16
	case w.slot == head:
		l.hasHead = true
	case !known && l.inLayers && t.Role != model.State:
		l.alien = true
	}
	if p.Role == model.Expert && w.slot != other {
		if t.Role == model.Expert {
			e.name += "_exps"
		} else if t.Role == model.FFN {
			e.name += "_shexp"
		}
	}
	l.falcon = l.falcon || suffix(module, "self_attention.query_key_value")
	l.split(p, i, e, one)
}

// word finds a matrix's name and slot: by its role's list, else by the list of
// what may be anywhere.
func (l *layout) word(t *model.Tensor, module string) (word, bool) {
	if l.inLayers {
		if w, ok := find(wordsFor(t.Role), module); ok {
			return w, true
		}
	}
	return find(outsideWords, module)
}

// split adds an entry, or the two that its matrix is cut into.
func (l *layout) split(p *model.Part, i int, e entry, one string) {
	a, b := e, e
	t := &p.Tensors[i]
	switch {
	case e.name == "attn_kv_b" && p.Get(model.Latent) > 0 && !l.wholeKVB:
		// Absorbed attention multiplies by the two halves apart: keys transposed.
		heads, latent, rope := p.Get(model.Heads), p.Get(model.Latent), p.Get(model.Rope)
		keys, values := matrix{heads, latent, p.Get(model.HeadDim) - rope}, matrix{heads, p.Get(model.VDim), latent}
		if keys.elements()+values.elements() == e.shape.elements() {
			a.name, a.slot, a.shape = "attn_k_b", other, keys
			b.name, b.slot, b.shape = "attn_v_b", other, values
		}
	case suffix(t.Name, "}.experts.gate_up_proj"): // right under the layer, as in Gemma 4: kept whole
		a.name, a.slot = "ffn_gate_up_exps", ffnGate
		b = a
	case e.slot == ffnUp && (one == "gate_up_proj" && p.Role == model.Expert || one == "input_linear" || one == "w13_weight"):
		a.shape.rows, b.shape.rows = e.shape.rows/2, e.shape.rows-e.shape.rows/2
		a.name, a.slot = "ffn_gate"+e.name[len("ffn_up"):], ffnGate
	case one == "in_proj_qkvz":
		// Queries, keys and values are the convolution's channels; the rest is the gate.
		rows := int64(0)
		for _, t := range p.Tensors {
			if t.Op == model.Conv {
				rows = t.Dims[0].Size
			}
		}
		if rows <= 0 || rows >= e.shape.rows {
			break
		}
		a.shape.rows, b.shape.rows = rows, e.shape.rows-rows
		b.name, b.slot = "attn_gate", other
	}
	two := a.name != b.name
	if l.careful {
		for _, x := range [...]*entry{&a, &b} {
			switch {
			case among(careful, x.name):
				x.fixed = tF16
			case among(careful8, x.name):
				x.slot = eight
			}
		}
	}
	a.name += ".weight"
	l.list = append(l.list, a)
	if two {
		b.name += ".weight"
		l.list = append(l.list, b)
	}
}

// vector is the shape of what isn't a matrix, or is taken whole.
func vector(t *model.Tensor, e *entry) matrix {
	n := max(e.shape.count, 1)
	if e.shape.row == 0 {
		n = t.Copies / e.n
	}
	return matrix{n, 1, t.Elements * t.Copies / e.n / n}
}

// rank numbers the entries of a slot in a layer, in the order of their names.
func rank(list []entry) {
	for i := range list {
		for j := range list {
			if list[j].slot == list[i].slot && list[j].fixed == same && (list[j].name < list[i].name || list[j].name == list[i].name && j < i) {
				list[i].before += list[j].n
			}
		}
	}
}

// reslot gives every entry of one slot another.
func (f *file) reslot(from, to slot) {
	for _, kinds := range f.blocks {
		for _, list := range kinds {
			for i := range list {
				if list[i].slot == from {
					list[i].slot = to
				}
			}
		}
	}
}

// trimIndex takes an open index off the end: altup_projections.{j}.
func trimIndex(s string) string {
	if len(s) == 0 || s[len(s)-1] != '}' {
		return s
	}
	for i := len(s) - 1; i > 0; i-- {
		if s[i] == '.' {
			return s[:i]
		}
	}
	return s
}

// ending is what a tensor's name ends with in a GGUF file.
func ending(name string) string {
	if _, isWeight := moduleOf(name); !isWeight {
		return ".bias"
	}
	return ".weight"
}

func suffix(s, end string) bool { return len(s) >= len(end) && s[len(s)-len(end):] == end }
