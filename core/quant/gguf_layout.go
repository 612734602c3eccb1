package quant

import (
	"llmsize/core/arch"
	"llmsize/core/config"
)

// layOut turns a model's tensors into those of a GGUF file, and gathers the
// facts that the quantiser asks for.
func layOut(m *arch.Model) *file {
	f := &file{blocks: make([][][]entry, len(m.Blocks))}
	l := layout{file: f, wholeKVB: wholeKVB(m)}
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
				if n := p.Get("experts"); n > f.facts.experts {
					f.facts.experts = n
				}
				l.heads = max(l.heads, p.Get("heads"))
				for ti := range p.Tensors {
					if t := &p.Tensors[ti]; t.TiedTo == "" {
						l.tensor(p, ti)
					}
				}
			}
			f.blocks[bi][ki] = l.list
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
	heads    int64
	falcon   bool
	bloom    bool
}

// tensor adds the entries that a tensor of the model becomes.
func (l *layout) tensor(p *arch.Part, i int) {
	t := &p.Tensors[i]
	module, isWeight := moduleOf(t.Name)
	module = trimIndex(module)
	one, _ := lastWords(module)
	x, isMatrix := matrixOf(p, i)
	e := entry{n: 1, shape: x}
	if t.Role != arch.Expert || len(t.Each) == 0 {
		e.n = t.Copies
	} else {
		e.shape.count *= t.Copies // the experts of a layer are one tensor
	}
	switch {
	case hasWords(module, "pooler"), hasWords(module, "predictions"):
		return // a file has no such tensors
	case tower(t.Role):
		e.name, e.fixed = t.Name, tF16
		if t.Op != arch.MatMul && t.Op != arch.Conv || len(t.Dims) < 2 {
			e.fixed = tF32
		}
		e.shape = vector(t, &e)
		l.towers += e.stored(e.fixed, nil, 1).Bytes * e.n * l.layers
		l.list = append(l.list, e)
		return
	case !isMatrix || !isWeight || e.shape.count*e.shape.rows == 1 || t.Role == arch.Norm || t.Role == arch.Position && one != "relative_attention_bias" || one == "correction_coefs" || one == "prediction_coefs":
		e.name, e.fixed = one+ending(t.Name), tF32
		e.shape = vector(t, &e)
		l.list = append(l.list, e)
		l.bloom = l.bloom || one == "word_embeddings_layernorm"
		return
	case t.Role == arch.Router:
		e.name, e.fixed = "ffn_gate_inp.weight", tF16
		l.router += e.shape.elements() * e.n * l.layers
		l.list = append(l.list, e)
		return
	}
	w, known := l.word(t, module)
	e.name, e.slot = w.name, w.slot
	switch {
	case t.Role == arch.Embedding && t.Op == arch.Lookup && !known:
		e.name, e.slot = "token_embd", embed
	case w.name == "token_types":
		e.fixed = tF32
	case one == "relative_attention_bias":
		e.name, e.fixed = "attn_rel_b", tF16
	case w.name == "per_layer_model_proj", w.name == "laurel_l", w.name == "laurel_r", w.name == "altup_proj", w.name == "altup_unembd_proj", w.name == "altup_router":
		e.fixed = tF16
	case w.slot == head:
		l.hasHead = true
	case !known && l.inLayers && t.Role != arch.State:
		l.alien = true
	}
	if p.Role == arch.Expert && w.slot != other {
		if t.Role == arch.Expert {
			e.name += "_exps"
		} else if t.Role == arch.FFN {
			e.name += "_shexp"
		}
	}
	l.falcon = l.falcon || suffix(module, "self_attention.query_key_value")
	l.split(p, i, e, one)
}

// word finds a matrix's name and slot: by its role's list, else by the list of
// what stands anywhere.
func (l *layout) word(t *arch.Tensor, module string) (word, bool) {
	if l.inLayers {
		if w, ok := find(wordsFor(t.Role), module); ok {
			return w, true
		}
	}
	return find(outsideWords, module)
}

// split adds an entry, or the two that its matrix is cut into.
func (l *layout) split(p *arch.Part, i int, e entry, one string) {
	a, b := e, e
	t := &p.Tensors[i]
	switch {
	case e.name == "attn_kv_b" && p.Get("latent") > 0 && !l.wholeKVB:
		// Absorbed attention multiplies by the two halves apart: keys transposed.
		heads, latent, rope := p.Get("heads"), p.Get("latent"), p.Get("rope")
		keys, values := matrix{heads, latent, p.Get("head_dim") - rope}, matrix{heads, p.Get("v_dim"), latent}
		if keys.elements()+values.elements() == e.shape.elements() {
			a.name, a.slot, a.shape = "attn_k_b", other, keys
			b.name, b.slot, b.shape = "attn_v_b", other, values
		}
	case suffix(t.Name, "}.experts.gate_up_proj"): // right under the layer, as in Gemma 4: kept whole
		a.name, a.slot = "ffn_gate_up_exps", ffnGate
		b = a
	case e.slot == ffnUp && (one == "gate_up_proj" && p.Role == arch.Expert || one == "input_linear" || one == "w13_weight"):
		a.shape.rows, b.shape.rows = e.shape.rows/2, e.shape.rows-e.shape.rows/2
		a.name, a.slot = "ffn_gate"+e.name[len("ffn_up"):], ffnGate
	case one == "in_proj_qkvz":
		// Queries, keys and values are the convolution's channels; the rest is the gate.
		rows := int64(0)
		for _, t := range p.Tensors {
			if t.Op == arch.Conv {
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
	a.name += ".weight"
	l.list = append(l.list, a)
	if two {
		b.name += ".weight"
		l.list = append(l.list, b)
	}
}

// vector is the shape of what is no matrix, or is taken whole.
func vector(t *arch.Tensor, e *entry) matrix {
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

// headGroups is the query heads to a key head in the first layer: 0 where that
// layer is recurrent and has no fused query, key and value matrix.
func headGroups(m *arch.Model, f *file) int64 {
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if !isText(b) || len(b.Pattern) == 0 {
			continue
		}
		first := b.Pattern[0]
		recurrent := true
		for _, e := range f.blocks[bi][first] {
			recurrent = recurrent && e.slot != attnV && e.slot != attnQ && e.slot != attnOut
		}
		if recurrent {
			return 0
		}
		for ki := -1; ki < len(b.Kinds); ki++ {
			k := &b.Kinds[max(ki, 0)]
			if ki < 0 {
				k = &b.Kinds[first]
			}
			for pi := range k.Parts {
				if p := &k.Parts[pi]; p.Get("kv_heads") > 0 {
					if p.Get("latent") > 0 && !wholeKVB(m) {
						return p.Get("heads")
					}
					return p.Get("heads") / p.Get("kv_heads")
				}
			}
		}
	}
	return 0
}

// wholeKVB reports whether llama.cpp keeps kv_b in one piece: the family says so.
func wholeKVB(m *arch.Model) bool {
	n, _ := m.Value("gguf_whole_kv_b")
	return n != 0
}

// seventy reports whether llama.cpp takes the model for a 70B, by which it means
// 80 layers of Llama's plan with grouped heads or biases on the queries (Qwen2),
// or 68 of Jais 2's, which has no gate.
func seventy(m *arch.Model) bool {
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if n := len(b.Pattern); !isText(b) || n != 80 && n != 68 || len(b.Kinds) != 1 {
			continue
		}
		norms, gated, grouped, qBias := 0, false, false, false
		for pi := range b.Kinds[0].Parts {
			p := &b.Kinds[0].Parts[pi]
			gated = gated || p.Get("gated") != 0
			grouped = grouped || p.Get("kv_heads") > 0 && p.Get("heads") != p.Get("kv_heads")
			for ti := range p.Tensors {
				t := &p.Tensors[ti]
				if t.Role == arch.Norm && len(t.Dims) == 1 {
					norms++
				}
				module, isWeight := moduleOf(t.Name)
				if one, _ := lastWords(module); one == "q_proj" && !isWeight {
					qBias = true
				}
			}
		}
		switch {
		case len(b.Pattern) == 68:
			return !gated && qBias
		case gated && norms == 2:
			return grouped || qBias
		}
	}
	return false
}

// ropeFactors are the vectors that a converter writes for scaled rotary
// positions: one for Llama 3's scaling and Gemma 4's proportional one, of half a
// head; two for LongRoPE, as long as the config's lists.
func ropeFactors(m *arch.Model, cfg config.Value) []entry {
	vec := func(name string, n int64) entry {
		return entry{name: name, fixed: tF32, n: 1, shape: matrix{1, 1, n}}
	}
	for _, path := range []string{"", "text_config", "llm_config"} {
		c := cfg
		if path != "" {
			c = cfg.Get(path)
		}
		for _, key := range []string{"rope_scaling", "rope_parameters"} {
			r := c.Get(key)
			if full := r.Get("full_attention"); full.Kind == config.Object {
				r = full
			}
			kind := r.Get("rope_type").Text
			if kind == "" {
				kind = r.Get("type").Text
			}
			long, short := len(r.Get("long_factor").Items), len(r.Get("short_factor").Items)
			switch {
			case long > 0 && short > 0:
				return []entry{vec("rope_factors_long.weight", int64(long)), vec("rope_factors_short.weight", int64(short))}
			case kind == "llama3", kind == "proportional":
				return []entry{vec("rope_freqs.weight", widestHead(m)/2)}
			}
		}
	}
	return nil
}

// widestHead is the width of the widest attention head of the text stacks.
func widestHead(m *arch.Model) int64 {
	w := int64(0)
	for bi := range m.Blocks {
		for ki := range m.Blocks[bi].Kinds {
			for pi := range m.Blocks[bi].Kinds[ki].Parts {
				if p := &m.Blocks[bi].Kinds[ki].Parts[pi]; !tower(p.Role) {
					w = max(w, p.Get("head_dim"))
				}
			}
		}
	}
	return w
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
