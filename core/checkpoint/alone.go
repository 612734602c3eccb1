package checkpoint

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// Model makes a model of the tensors alone, for a checkpoint whose class nobody
// knows: its layers and their tensors are those of the file, so parameters are
// exact. Names tell what a tensor is for; what an attention layer caches follows
// from the widths of keys and values and from the sizes of heads that the config or a
// GGUF file's metadata give under their usual names. The warnings say what was
// assumed, and make everything but the count an estimate.
//
// cfg may be absent. The list is finished.
func Model(l *List, cfg config.Value) *model.Model {
	b := alone{View: NewView(l, ReadPackings(cfg)), cfg: cfg}
	b.model = modelAlone()
	if kind := cfg.Get("model_type").Text; kind != "" {
		b.model.Type = kind
	}
	if first := cfg.Get("architectures"); len(first.Items) > 0 && first.Items[0].Kind == config.String {
		b.model.Class = first.Items[0].Text
	}
	b.gather()
	b.sizes()
	for i := range b.stacks {
		b.block(&b.stacks[i])
	}
	if b.rest > 0 {
		b.model.Blocks = append(b.model.Blocks, model.Block{Title: "others", Kinds: []model.Kind{{Count: 1, Parts: []model.Part{b.others("", b.rest)}}}, Pattern: []uint16{0}})
	}
	b.values()
	if b.unread {
		b.model.Counted = false
		b.warn("", "matrices are packed in a way that isn't unpacked here: parameters are the numbers that are stored, not those that they stand for", true)
	}
	b.warn("", "read from the checkpoint's headers alone: "+exactly(b.unread)+"; cache, memory and FLOPs are estimates, for what a tensor does is taken from its name, and every matrix to be used once for a token, causally", true)
	return b.model
}

// exactly says what of the count is exact.
func exactly(unread bool) string {
	if unread {
		return "bytes are exact"
	}
	return "parameters and their bytes are exact"
}

// modelAlone is what all such models have in common.
func modelAlone() *model.Model {
	return &model.Model{Type: "unknown", Class: "checkpoint", Kind: "causal", Family: "a checkpoint alone", Source: "the headers of the files", Counted: true}
}

// alone is the state of Model.
type alone struct {
	*View
	cfg    config.Value
	model  *model.Model
	stacks []pile
	at     map[string]int
	hidden int64
	heads  int64
	kv     int64
	dim    int64
	topk   int64
	window int64
	said   map[string]bool
	opened [2][]stored
	unread bool  // matrices of integers are stored that nothing unpacks, though the config names a packing
	made   int   // tensors of the model
	rest   int64 // elements outside layers that are too many for it
}

// pile is layers, or what is outside layers: its text is then a whole name.
type pile struct {
	prefix string    // "model.layers.#."; a whole text outside layers
	layers [][]int32 // tensors by their place in the list
	inside bool
}

// stored is one tensor of a layer.
type stored struct {
	rest  string // its name behind the layer's number, numbers out
	index [slots]int32
	x     Logical
}

// Bounds of the model. Layers that are alike share their tensors, so that published checkpoints stay far below. What comes after is added up.
const (
	maxAlone  = 1 << 12 // tensors of the model
	maxInside = 1 << 14 // tensors of a layer, and layers
)

// gather sorts the tensors into stacks. A number stands for a layer where the
// numbers with the same beginning run from 0 without a gap.
func (b *alone) gather() {
	b.at = map[string]int{}
	most := map[string]int32{}
	seen := map[string]map[int32]bool{}
	var x Logical // one for all: what a function value is given escapes
	each := func(f func(i int, x *Logical, text string)) {
		for i := range b.count {
			if x = b.Logical(i); !x.Packing {
				f(i, &x, b.texts.texts[x.own.text])
			}
		}
	}
	stem := func(text string) string { return text[:strings.IndexByte(text, '#')+1] }
	each(func(i int, x *Logical, text string) {
		if x.own.index[0] < 0 {
			return
		}
		if x.own.index[0] >= maxInside {
			most[stem(text)] = maxInside
			return
		}
		s := stem(text)
		if seen[s] == nil {
			seen[s] = map[int32]bool{}
		}
		seen[s][x.own.index[0]] = true
		most[s] = max(most[s], x.own.index[0])
	})
	each(func(i int, x *Logical, text string) {
		if t := b.Type(i); b.packings.any && types[t].kind == whole && !x.Packed && len(x.Dims) > 1 {
			b.unread = true
		}
		key, layer, inside := text, int32(0), false
		if n := x.own.index[0]; n >= 0 {
			if s := stem(text); n < maxInside && int(most[s])+1 == len(seen[s]) {
				key, layer, inside = s, n, true
			} else if len(b.stacks) < maxAlone {
				key = b.fillName(x.own)
			}
		}
		j, ok := b.at[key]
		if !ok && len(b.stacks) >= maxAlone {
			b.rest = plus(b.rest, x.Elements)
			return
		}
		if !ok {
			j = len(b.stacks)
			b.at[key] = j
			b.stacks = append(b.stacks, pile{prefix: key, inside: inside})
		}
		p := &b.stacks[j]
		for len(p.layers) <= int(layer) {
			p.layers = append(p.layers, nil)
		}
		p.layers[layer] = append(p.layers[layer], int32(i))
	})
}

func (b *alone) fillName(n name) string { return b.texts.fill(n) }

// size returns the first of the keys that is a whole number, at the top or in the language model's part.
func (b *alone) size(keys ...string) int64 {
	for _, path := range []string{"", "text_config", "llm_config"} {
		c := &b.cfg
		if path != "" {
			c = b.cfg.Get(path)
		}
		for _, k := range keys {
			if n, ok := c.Get(k).Int(); ok && n > 0 {
				return n
			}
			for _, x := range c.Get(k).Items {
				if n, ok := x.Int(); ok && n > 0 {
					return n
				}
			}
		}
	}
	return 0
}

// sizes takes what the config says under the usual names.
func (b *alone) sizes() {
	b.said = map[string]bool{}
	b.hidden = b.size("hidden_size", "n_embd", "d_model", "dim", "embedding_length")
	b.heads = b.size("num_attention_heads", "n_head", "num_heads", "n_heads", "attention_head_count")
	b.kv = b.size("num_key_value_heads", "n_kv_heads", "num_kv_heads", "attention_head_count_kv")
	b.dim = b.size("head_dim", "attention_key_length", "d_kv")
	b.topk = b.size("num_experts_per_tok", "moe_topk", "num_experts_per_token", "moe_k", "expert_used_count")
	b.window = b.size("sliding_window", "attention_sliding_window")
	if b.dim == 0 && b.heads > 0 && b.hidden%b.heads == 0 {
		b.dim = b.hidden / b.heads
		b.warn("", "a head is taken to be "+units.Itoa(b.dim)+" wide, hidden_size ÷ num_attention_heads", true)
	}
}

func (b *alone) warn(field, text string, inexact bool) {
	if !b.said[text] {
		b.said[text] = true
		b.model.Warnings = append(b.model.Warnings, fault.Warning{Field: field, Text: text, Inexact: inexact})
	}
}

// block makes one of a stack: layers with the same tensors are of one kind.
func (b *alone) block(p *pile) {
	if !p.inside {
		one, _ := b.open(p, p.layers[0], 0)
		t := one[0]
		role, ok := towerOf(p.prefix)
		if !ok {
			role = roleOf(p.prefix, &t)
		}
		part := model.Part{Role: role, Title: titleOf(p.prefix)}
		part.Tensors = []model.Tensor{b.tensor(p.prefix, &t, nil, part.Role)}
		b.model.Blocks = append(b.model.Blocks, model.Block{Title: part.Title, Kinds: []model.Kind{{Count: 1, Parts: []model.Part{part}}}, Pattern: []uint16{0}})
		return
	}
	blk := model.Block{Index: "i", Title: "layers", Pattern: make([]uint16, len(p.layers))}
	prefix := strings.Replace(p.prefix, "#", "{i}", 1) + "."
	if one, _ := b.open(p, p.layers[0], 0); len(one) == 1 && one[0].rest == "" {
		prefix = strings.TrimSuffix(prefix, ".")
	}
	kinds := map[uint64]int{}
	var first []int // layer of each kind
	for i, layer := range p.layers {
		list, rest := b.open(p, layer, 0)
		key := signature(list, rest)
		k, ok := kinds[key]
		if ok {
			other, more := b.open(p, p.layers[first[k]], 1)
			ok = rest == more && alike(list, other)
		}
		if !ok {
			k = len(blk.Kinds)
			kinds[key] = k
			first = append(first, i)
			blk.Kinds = append(blk.Kinds, model.Kind{Parts: b.parts(prefix, list, rest)})
		}
		blk.Pattern[i] = uint16(k)
		blk.Kinds[k].Count++
	}
	if len(blk.Kinds) > 1 {
		for k := range blk.Kinds {
			blk.Kinds[k].Label = "kind " + units.Itoa(int64(k+1))
		}
	}
	b.model.Blocks = append(b.model.Blocks, blk)
}

// open writes out the tensors of a layer, for as long as no other is opened in its place; rest is the elements of those that are too many.
func (b *alone) open(p *pile, layer []int32, place int) (list []stored, rest int64) {
	list = b.opened[place][:0]
	for n, i := range layer {
		x := b.Logical(int(i))
		if n >= maxInside {
			rest = plus(rest, x.Elements)
			continue
		}
		text := b.texts.texts[x.own.text]
		if p.inside {
			text = strings.TrimPrefix(text[len(p.prefix):], ".")
		} else {
			text = p.prefix
		}
		list = append(list, stored{text, x.own.index, x})
	}
	b.opened[place] = list
	return list, rest
}

// alike reports whether two layers have the same tensors.
func alike(a, b []stored) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.rest != y.rest || [slots - 1]int32(x.index[1:]) != [slots - 1]int32(y.index[1:]) || !same(x.x.Dims, y.x.Dims) {
			return false
		}
	}
	return true
}

// signature is a hash of what layers of one kind have in common.
func signature(list []stored, rest int64) uint64 {
	h := uint64(14695981039346656037) ^ uint64(rest)
	put := func(n uint64) { h = (h ^ n) * 1099511628211 }
	for i := range list {
		t := &list[i]
		for k := range len(t.rest) {
			put(uint64(t.rest[k]))
		}
		for _, n := range t.index[1:] {
			put(uint64(n) + 1<<40)
		}
		for _, d := range t.x.Dims {
			put(uint64(d))
			h ^= h >> 29
		}
		put(uint64(len(t.x.Dims)) + 1<<50)
	}
	return h
}

// parts groups a layer's tensors by what they are for, in the order in which they come up.
func (b *alone) parts(prefix string, list []stored, rest int64) []model.Part {
	var parts []model.Part
	at := map[model.Role]int{}
	for i := 0; i < len(list); {
		if b.made >= maxAlone {
			rest = plus(rest, list[i].x.Elements)
			i++
			continue
		}
		// Tensors that differ in their numbers alone stand together: the list is sorted.
		n := 1
		for i+n < len(list) && list[i+n].rest == list[i].rest && same(list[i+n].x.Dims, list[i].x.Dims) {
			n++
		}
		t := &list[i]
		role := roleOf(t.rest, t)
		if tower, ok := towerOf(prefix); ok {
			role = tower
		}
		home := role
		if role == model.Router || strings.Contains(t.rest, "shared_expert") {
			home = model.Expert
		}
		j, ok := at[home]
		if !ok {
			j = len(parts)
			at[home] = j
			parts = append(parts, model.Part{Role: home, Title: home.String()})
		}
		parts[j].Tensors = append(parts[j].Tensors, b.run(prefix, list[i:i+n], role)...)
		i += n
	}
	if rest > 0 {
		parts = append(parts, b.others(prefix, rest))
	}
	for i := range parts {
		b.props(&parts[i])
	}
	return parts
}

// others is a part of what is too much for the model: as many elements as the tensors have together.
func (b *alone) others(prefix string, elements int64) model.Part {
	b.warn("", "the checkpoint has more kinds of tensors than are told apart; the rest is added up", true)
	return model.Part{Role: model.Other, Title: model.Other.String(), Tensors: []model.Tensor{{Name: prefix + "(others)", Role: model.Other, Op: model.Scale,
		Dims: []model.Dim{{Size: elements}}, Elements: elements, Active: 1, ActiveOf: 1, Uses: 1, Copies: 1}}}
}

// run makes tensors of those that differ in their numbers alone: one with an open index
// where the numbers run from 0, else each by itself.
func (b *alone) run(prefix string, list []stored, role model.Role) []model.Tensor {
	if n := len(list); n > 1 {
		whole := true
		for i := range list {
			whole = whole && list[i].index[1] == int32(i) && list[i].index[2] == list[0].index[2] && list[i].index[3] == list[0].index[3]
		}
		if whole {
			return []model.Tensor{b.tensor(prefix, &list[0], &model.Index{Name: "e", N: int64(n)}, role)}
		}
	}
	var out []model.Tensor
	for i := range list {
		out = append(out, b.tensor(prefix, &list[i], nil, role))
	}
	return out // at most maxInside
}

// tensor makes one. Outside layers prefix is its name.
func (b *alone) tensor(prefix string, t *stored, each *model.Index, role model.Role) model.Tensor {
	b.made++
	out := model.Tensor{Name: prefix, Role: role, Op: model.MatMul, Active: 1, ActiveOf: 1, Uses: 1, Elements: t.x.Elements, Copies: 1}
	if strings.Contains(prefix, "{i}") {
		rest := t.rest
		used := 1
		for strings.Contains(rest, "#") && used < slots && t.index[used] >= 0 {
			by := units.Itoa(int64(t.index[used]))
			if used == 1 && each != nil {
				by = "{e}"
			}
			rest = strings.Replace(rest, "#", by, 1)
			used++
		}
		out.Name += rest
	}
	for _, d := range t.x.Dims {
		out.Dims = append(out.Dims, model.Dim{Size: d})
	}
	if each != nil {
		out.Each, out.Copies = []model.Index{*each}, each.N
	}
	many := out.Copies
	if role == model.Expert && each == nil && len(t.x.Dims) == 3 {
		many = t.x.Dims[0]
	}
	if role == model.Expert && many > 1 {
		out.ActiveOf, out.Active = many, many
		if b.topk > 0 && b.topk <= many {
			out.Active = b.topk
		} else {
			b.warn("", "how many experts work on a token is not said; all of them are taken to", true)
		}
	}
	switch {
	case role == model.Embedding || role == model.Position:
		out.Op = model.Lookup
	case len(t.x.Dims) < 2 || role == model.Norm:
		out.Op = model.Scale
	}
	out.Linear = out.Op == model.MatMul && len(t.x.Dims) == 2
	return out
}

// props says what an attention layer caches, and what a feed-forward is.
func (b *alone) props(p *model.Part) {
	find := func(words ...string) int64 { // outputs of the matrix of that name
		for i := range p.Tensors {
			t := &p.Tensors[i]
			for _, w := range words {
				if len(t.Dims) == 2 && (strings.HasSuffix(t.Name, w+".weight") || strings.HasSuffix(t.Name, w)) {
					return t.Dims[0].Size
				}
			}
		}
		return 0
	}
	prop := func(name model.Property, n int64) { p.Props = append(p.Props, model.Prop{Name: name, Value: n}) }
	switch p.Role {
	case model.Attention:
		q, k, v := find("q_proj", "query", ".q", "wq", "attn_q"), find("k_proj", "key", ".k", "wk", "attn_k"), find("v_proj", "value", ".v", "wv", "attn_v")
		dim, kv := b.dim, b.kv
		if k == 0 && find("kv_a_proj_with_mqa", "attn_kv_a_mqa") == 0 && b.heads > 0 && dim > 0 {
			if kv == 0 {
				kv = b.heads
			}
			q, k, v = b.heads*dim, kv*dim, kv*dim // one matrix for all three: the config's heads
		}
		if k == 0 || q == 0 {
			b.warn("", "what attention caches does not show in names and shapes; it is left out", true)
			return
		}
		if dim == 0 || k%dim != 0 || q%dim != 0 {
			if dim = 128; k%dim != 0 || q%dim != 0 {
				dim = 64
			}
			if k%dim != 0 || q%dim != 0 {
				dim = k
			}
			b.warn("", "the width of a head is not said; "+units.Itoa(dim)+" is assumed", true)
		}
		prop(model.Heads, q/dim)
		prop(model.KVHeads, k/dim)
		prop(model.HeadDim, dim)
		if v > 0 && v != k && k >= dim && v%(k/dim) == 0 {
			prop(model.VDim, v/(k/dim))
		}
		if b.window > 0 {
			b.warn("", "a window of "+units.Itoa(b.window)+" tokens is named, but not which layers have it; all are taken to see everything", true)
		}
	case model.FFN:
		if n := find("up_proj", "fc1", "c_fc", "w3", "ffn_up", "dense_h_to_4h"); n > 0 {
			prop(model.Width, n)
		}
		if find("gate_proj", "w1", "ffn_gate") > 0 {
			prop(model.Gated, 1)
		}
	case model.Expert:
		for i := range p.Tensors {
			if t := &p.Tensors[i]; t.Role == model.Expert && t.ActiveOf > 1 {
				prop(model.Experts, t.ActiveOf)
				prop(model.TopK, t.Active)
				return
			}
		}
	}
}

// values exports the figures that formulas name.
func (b *alone) values() {
	put := func(name string, n int64) {
		if n > 0 {
			b.model.Values = append(b.model.Values, model.Named{Name: name, Value: n})
		}
	}
	layers := 0
	vocab := int64(0)
	for i := range b.model.Blocks {
		blk := &b.model.Blocks[i]
		if blk.Index != "" {
			layers = max(layers, len(blk.Pattern))
			continue
		}
		for _, p := range blk.Kinds[0].Parts {
			if t := &p.Tensors[0]; p.Role == model.Embedding && len(t.Dims) == 2 && t.Dims[0].Size > vocab {
				vocab = t.Dims[0].Size
				if b.hidden == 0 {
					b.hidden = t.Dims[1].Size
				}
			}
		}
	}
	put("hidden_size", b.hidden)
	put("num_hidden_layers", int64(layers))
	put("num_attention_heads", b.heads)
	put("num_key_value_heads", b.kv)
	put("head_dim", b.dim)
	put("vocab_size", vocab)
}

// roleWords tell a tensor's role by words of its name, the first that fits.
var roleWords = []struct {
	word string
	role model.Role
}{
	{"vision", model.Vision}, {"visual", model.Vision}, {"image", model.Vision}, {"audio", model.Audio}, {"projector", model.Projector}, {"merger", model.Projector},
	{"norm", model.Norm}, {"ln_", model.Norm}, {"ln1", model.Norm}, {"ln2", model.Norm},
	{"lm_head", model.Head}, {"embed_out", model.Head}, {"output.weight", model.Head}, {"classifier", model.Head}, {"score.", model.Head},
	{"position", model.Position}, {"wpe", model.Position},
	{"embed", model.Embedding}, {"embd", model.Embedding}, {"wte", model.Embedding}, {"tok_", model.Embedding},
	{"shared_expert", model.FFN}, {"shexp", model.FFN}, {"experts", model.Expert}, {"exps", model.Expert}, {"switch_mlp", model.Expert},
	{"router", model.Router}, {"gate_inp", model.Router}, {"mlp.gate.", model.Router}, {"moe.gate.", model.Router}, {"feed_forward.gate.", model.Router},
	{"mamba", model.State}, {"ssm", model.State}, {"mixer", model.State}, {"conv", model.State}, {"linear_attn", model.State}, {"recurrent", model.State}, {"time_mix", model.State},
	{"attn", model.Attention}, {"attention", model.Attention}, {"q_proj", model.Attention}, {"k_proj", model.Attention}, {"v_proj", model.Attention}, {"o_proj", model.Attention},
	{"mlp", model.FFN}, {"ffn", model.FFN}, {"ff.", model.FFN}, {"feed_forward", model.FFN}, {"up_proj", model.FFN}, {"down_proj", model.FFN}, {"gate_proj", model.FFN}, {"fc", model.FFN}, {"dense", model.FFN},
}

// towerOf is the role of tensors whose names begin so where they are a tower's: its attention keeps nothing for the next token. A
// GGUF file of a projector begins its names with v, a and mm (clip.cpp in llama.cpp).
func towerOf(prefix string) (model.Role, bool) {
	s := strings.ToLower(prefix)
	for _, w := range roleWords[:towerWords] {
		if strings.Contains(s, w.word) {
			return w.role, true
		}
	}
	switch {
	case begins(s, "v."):
		return model.Vision, true
	case begins(s, "a."):
		return model.Audio, true
	case begins(s, "mm."):
		return model.Projector, true
	}
	return model.Other, false
}

// towerWords is how many of roleWords name towers.
const towerWords = 6

// roleOf guesses what a tensor is for.
func roleOf(name string, t *stored) model.Role {
	s := strings.ToLower(name)
	for _, w := range roleWords {
		if strings.Contains(s, w.word) {
			if w.role == model.Norm && len(t.x.Dims) > 1 {
				continue
			}
			return w.role
		}
	}
	return model.Other
}

// titleOf is what a tensor outside layers is called: its name without what says that it is a weight.
func titleOf(name string) string {
	s, _ := cutEnd(name, ".weight")
	return s[strings.LastIndexByte(s, '.')+1:]
}
