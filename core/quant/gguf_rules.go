package quant

// What llama.cpp's quantiser makes of a tensor depends on what the tensor is
// for, on where its layer stands, and on a few facts of the model. The rules are
// those of src/llama-quant.cpp (llama_tensor_get_type_impl) in llama.cpp as in
// llama-cpp-python 0.3.36, without an importance matrix, restated as a table.

// slot is what a tensor is for, as far as the quantiser tells apart.
type slot uint8

const (
	other slot = iota // takes the base type
	head              // output.weight, or the embedding that stands for it
	embed
	attnQ
	attnK
	attnV // and fused query, key and value matrices
	attnOut
	ffnUp
	ffnGate
	ffnDown
	eight // no less than eight bits
	numSlots
)

// when is a condition on a tensor's place and on the model.
type when uint8

const (
	never when = iota
	always
	firstEighth    // i < n/8
	firstSixteenth // i < n/16
	firstTwo       // i < 2
	firstFour      // i < 4
	moreBits       // the first eighth, the last eighth, and every third between
	middle         // n/8 ≤ i < 7n/8
	gqa4           // four query heads or more to a key head
	gqa4Experts4   // that, or four experts or more
	eighthOrEight  // i < n/8, or with exactly eight experts also moreBits
)

// rule is a type under a condition, and the type otherwise; same stands for the
// base type.
type rule struct {
	when        when
	then, other ggml
}

// mix is a recipe of llama.cpp's: the base type, and the slots that differ.
type mix struct {
	name   string
	base   ggml
	head   ggml // of output.weight
	embed  ggml // of token_embd.weight beside an output of its own
	v      rule
	k, q   ggml
	out    ggml // of attn_output.weight
	out8   ggml // of it with exactly eight experts
	down   rule
	up     rule // gate and up
	lowest bool // below three bits a weight, where eight experts change less
}

// mixes are the recipes, under the names of --help in lower case. BF16 stands
// apart as gguf-bf16, because bf16 is a plain format.
var mixes = []mix{
	{name: "f16", base: tF16},
	{name: "gguf-bf16", base: tBF16},
	{name: "q8_0", base: tQ80, head: tQ80},
	{name: "q6_k", base: tQ6K, head: tQ6K},
	{name: "q5_k_m", base: tQ5K, head: tQ6K, v: rule{when: moreBits, then: tQ6K}, down: rule{when: moreBits, then: tQ6K}},
	{name: "q5_k_s", base: tQ5K, head: tQ6K},
	{name: "q5_1", base: tQ51, head: tQ6K},
	{name: "q5_0", base: tQ50, head: tQ6K},
	{name: "q4_k_m", base: tQ4K, head: tQ6K, v: rule{when: moreBits, then: tQ6K}, down: rule{when: moreBits, then: tQ6K}, out8: tQ5K},
	{name: "q4_k_s", base: tQ4K, head: tQ6K, v: rule{when: firstFour, then: tQ5K}, down: rule{when: firstEighth, then: tQ5K}, out8: tQ5K},
	{name: "q4_1", base: tQ41, head: tQ6K},
	{name: "q4_0", base: tQ40, head: tQ6K},
	{name: "q3_k_l", base: tQ3K, head: tQ6K, v: rule{when: always, then: tQ5K}, down: rule{when: always, then: tQ5K}, out: tQ5K},
	{name: "q3_k_m", base: tQ3K, head: tQ6K, v: rule{firstTwo, tQ5K, tQ4K}, down: rule{firstSixteenth, tQ5K, tQ4K}, out: tQ4K, out8: tQ5K},
	{name: "q3_k_s", base: tQ3K, head: tQ6K, out8: tQ5K},
	{name: "q2_k", base: tQ2K, head: tQ6K, v: rule{gqa4, tQ4K, tQ3K}, down: rule{when: always, then: tQ3K}, out: tQ3K, out8: tQ5K},
	{name: "q2_k_s", base: tQ2K, head: tQ6K, v: rule{when: gqa4, then: tQ4K}, down: rule{when: firstEighth, then: tQ4K}},
	{name: "iq4_nl", base: tIQ4NL, head: tQ6K, v: rule{when: gqa4, then: tQ5K}, down: rule{when: firstEighth, then: tQ5K}, out8: tQ5K},
	{name: "iq4_xs", base: tIQ4XS, head: tQ6K, v: rule{when: gqa4, then: tQ5K}, down: rule{when: firstEighth, then: tQ5K}, out8: tQ5K},
	{name: "iq3_m", base: tIQ3S, head: tQ6K, v: rule{when: always, then: tQ4K}, down: rule{when: eighthOrEight, then: tQ4K}, out: tQ4K, out8: tQ5K},
	{name: "iq3_s", base: tIQ3S, head: tQ6K, v: rule{when: gqa4, then: tQ4K}, out8: tQ5K},
	{name: "iq3_xs", base: tIQ3S, head: tQ6K, v: rule{when: gqa4, then: tQ4K}, k: tIQ3XXS, q: tIQ3XXS, out8: tQ5K, up: rule{when: middle, then: tIQ3XXS}},
	{name: "iq3_xxs", base: tIQ3XXS, head: tQ5K, embed: tIQ3S, v: rule{gqa4, tQ4K, tIQ3S}, k: tIQ2S, q: tIQ2S, down: rule{firstEighth, tQ4K, tQ3K}, out: tIQ3S, out8: tQ5K},
	{name: "iq2_m", base: tIQ2S, head: tQ5K, embed: tIQ3S, v: rule{gqa4Experts4, tQ4K, tIQ3S}, down: rule{when: firstEighth, then: tIQ3S}, out: tIQ3S, out8: tQ5K, lowest: true},
	{name: "iq2_s", base: tIQ2XS, head: tQ5K, embed: tIQ3S, v: rule{gqa4Experts4, tQ4K, tIQ3S}, down: rule{when: firstEighth, then: tIQ3S}, out: tIQ3S, out8: tQ5K, lowest: true},
	{name: "iq2_xs", base: tIQ2XS, head: tQ5K, embed: tQ2K, v: rule{gqa4Experts4, tQ4K, tQ2K}, down: rule{when: firstEighth, then: tQ2K}, out8: tQ5K, lowest: true},
	{name: "iq2_xxs", base: tIQ2XXS, head: tQ5K, embed: tQ2K, v: rule{gqa4Experts4, tQ4K, tQ2K}, down: rule{when: firstEighth, then: tQ2K}, out8: tQ5K, lowest: true},
	{name: "iq1_m", base: tIQ1M, head: tQ5K, embed: tQ2K, v: rule{gqa4Experts4, tQ4K, tQ2K}, down: rule{when: firstEighth, then: tQ2K}, out: tIQ2XXS, out8: tQ5K, lowest: true},
	{name: "iq1_s", base: tIQ1S, head: tQ5K, embed: tQ2K, v: rule{gqa4Experts4, tQ4K, tQ2K}, down: rule{when: firstEighth, then: tQ2K}, out: tIQ2XXS, out8: tQ5K, lowest: true},
	{name: "tq1_0", base: tTQ10, head: tQ6K, embed: tQ4K},
	{name: "tq2_0", base: tTQ20, head: tQ6K, embed: tQ4K},
	{name: "mxfp4_moe", base: tMXFP4, head: tQ80},
}

// facts are what the rules ask of a model.
type facts struct {
	layers  int64
	experts int64
	gqa     int64 // query heads to a key head in the first layer
	values  int64 // tensors of slot attnV
	seventy bool  // llama.cpp calls it 70B, where the narrow value matrices get five bits
	falcon  bool  // llama.cpp has exceptions for Falcon
}

// place is where a tensor stands: its layer, and how many of its slot come before.
type place struct{ layer, rank int64 }

// holds works a condition out for the i-th of n.
func (f *facts) holds(w when, i, n int64) bool {
	switch w {
	case always:
		return true
	case firstEighth:
		return i < n/8
	case firstSixteenth:
		return i < n/16
	case firstTwo:
		return i < 2
	case firstFour:
		return i < 4
	case moreBits:
		return i < n/8 || i >= 7*n/8 || (i-n/8)%3 == 2
	case middle:
		return i >= n/8 && i < 7*n/8
	case gqa4:
		return f.gqa >= 4
	case gqa4Experts4:
		return f.gqa >= 4 || f.experts >= 4
	case eighthOrEight:
		return i < n/8 || f.experts == 8 && f.holds(moreBits, i, n)
	}
	return false
}

// apart is the slots whose tensors' types depend on where they stand.
func (f *facts) apart(m *mix) (slots [numSlots]bool) {
	slots[attnV], slots[ffnDown] = m.v.when.placed(), m.down.when.placed() || f.falcon
	slots[ffnUp] = m.up.when.placed()
	slots[ffnGate] = slots[ffnUp]
	return slots
}

// placed reports whether a condition is on a tensor's place.
func (w when) placed() bool {
	switch w {
	case never, always, gqa4, gqa4Experts4:
		return false
	}
	return true
}

// pick returns the type for a tensor: of slot s, with rows of that many
// elements, one of several matrices when stacked.
func (f *facts) pick(m *mix, s slot, row int64, stacked bool, at place) ggml {
	if m.base <= tBF16 {
		return m.base
	}
	t := m.base
	switch {
	case s == head:
		if t = m.head; f.falcon || row%ggmlTypes[m.base].block != 0 {
			t = tQ80
		}
	case s == eight:
		t = tQ80
	case m.base == tMXFP4:
		if !stacked {
			t = tQ80
		}
	default:
		if x := f.slotType(m, s, at); x != same {
			t = x
		}
	}
	return t.fits(row)
}

// slotType is what the recipe's table says of a slot; same for the base type.
func (f *facts) slotType(m *mix, s slot, at place) ggml {
	// Layers are counted by their tensors, except that with experts the number in
	// the name counts; below three bits it is by tensors always.
	i := at.rank
	if f.experts > 1 && !m.lowest {
		i = at.layer
	}
	switch s {
	case embed:
		return m.embed
	case attnQ:
		return m.q
	case attnK:
		switch {
		case f.experts == 8 && m.lowest:
			return tQ4K
		case f.experts == 8:
			return tQ80
		}
		return m.k
	case attnV:
		t := f.rule(m.v, at.rank, f.values)
		if m.lowest {
			return t
		}
		if x := t; f.seventy {
			if x == same {
				x = m.base
			}
			if x == tQ3K || x == tQ4K {
				t = tQ5K
			}
		}
		if f.experts == 8 {
			return tQ80
		}
		return t
	case attnOut:
		switch {
		case f.falcon && !m.lowest:
			if m.name == "q3_k_l" {
				return tQ4K
			}
			return same
		case f.experts == 8:
			return m.out8
		}
		return m.out
	case ffnDown:
		if f.falcon {
			return f.falconDown(m, i)
		}
		return f.rule(m.down, i, f.layers)
	case ffnUp, ffnGate:
		return f.rule(m.up, i, f.layers)
	}
	return same
}

// rule works a rule out for the i-th of n.
func (f *facts) rule(r rule, i, n int64) ggml {
	if f.holds(r.when, i, n) {
		return r.then
	}
	return r.other
}

// falconDown is Falcon's own ladder for ffn_down, where two recipes climb less
// and one not at all.
func (f *facts) falconDown(m *mix, i int64) ggml {
	switch m.name {
	case "q3_k_m":
		if f.holds(firstSixteenth, i, f.layers) {
			return tQ5K
		}
		return f.rule(rule{when: moreBits, then: tQ4K}, i, f.layers)
	case "q3_k_l":
		return tQ4K
	case "q4_k_m":
		if f.holds(firstSixteenth, i, f.layers) {
			return tQ6K
		}
		return f.rule(rule{when: moreBits, then: tQ5K}, i, f.layers)
	case "q4_k_s":
		return same
	}
	return f.rule(m.down, i, f.layers)
}
