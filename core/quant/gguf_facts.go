package quant

import (
	"llmsize/core/config"
	"llmsize/core/model"
)

// What the quantiser and the converter ask of a model as a whole.

// headGroups is the query heads to a key head in the first layer: 0 where that
// layer is recurrent and has no fused query, key and value matrix.
func headGroups(m *model.Model, f *file) int64 {
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
				if p := &k.Parts[pi]; p.Get(model.KVHeads) > 0 {
					if p.Get(model.Latent) > 0 && !wholeKVB(m) {
						return p.Get(model.Heads)
					}
					return p.Get(model.Heads) / p.Get(model.KVHeads)
				}
			}
		}
	}
	return 0
}

// wholeKVB reports whether llama.cpp keeps kv_b in one piece: the family says so.
func wholeKVB(m *model.Model) bool { return says(m, "gguf_whole_kv_b") }

// says reports whether the family says something of its GGUF files.
func says(m *model.Model, name string) bool {
	n, _ := m.Value(name)
	return n != 0
}

// seventy reports whether llama.cpp takes the model for a 70B, by which it means
// 80 layers of Llama's plan with grouped heads or biases on the queries (Qwen2),
// or 68 of Jais 2's, which has no gate.
func seventy(m *model.Model) bool {
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if n := len(b.Pattern); !isText(b) || n != 80 && n != 68 || len(b.Kinds) != 1 {
			continue
		}
		norms, gated, grouped, qBias := 0, false, false, false
		for pi := range b.Kinds[0].Parts {
			p := &b.Kinds[0].Parts[pi]
			gated = gated || p.Get(model.Gated) != 0
			grouped = grouped || p.Get(model.KVHeads) > 0 && p.Get(model.Heads) != p.Get(model.KVHeads)
			for ti := range p.Tensors {
				t := &p.Tensors[ti]
				if t.Role == model.Norm && len(t.Dims) == 1 {
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
func ropeFactors(m *model.Model, cfg *config.Value) []entry {
	vec := func(name string, n int64) entry {
		return entry{role: model.Other, name: name, fixed: tF32, n: 1, shape: matrix{1, 1, n}}
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
func widestHead(m *model.Model) int64 {
	w := int64(0)
	for _, p := range m.Parts() {
		if !tower(p.Role) {
			w = max(w, p.Get(model.HeadDim))
		}
	}
	return w
}
