package model

// LoRA is what a family's file says of low-rank adapters, which are named after
// the modules of the class where a checkpoint may have older names. The defaults
// are those of peft 0.21.2 (peft/utils/constants.py), what becomes of experts is
// in its utils/transformers_weight_conversion.py.
type LoRA struct {
	Targets []string // last names of the modules that are adapted by default; none: targets must be named
	// Experts are the names of an expert's gate, up and down projection where adapters see all experts
	// as two tensors; empty where experts are left alone.
	Experts []string
	Routers []string // last names of what picks experts where that is a linear module; most routers are classes of their own
	Names   []string // pairs: a piece of a checkpoint's name, and what it is in the class
}

// Inherit takes over what is true of the class's modules; what peft does for a
// type holds for that type alone.
func (l *LoRA) Inherit(up *LoRA) {
	l.Routers = append(l.Routers, up.Routers...)
	l.Names = append(l.Names, up.Names...)
}

// Checked is the one thing among SavesNames that no family inherits.
const Checked = "checked"

// SavesNames are what a family can say of its class's plain modules: what
// autograd keeps of them where it is not the usual (core/train).
var SavesNames = []string{
	"norm",      // bytes of each normalised value: 2 a layer norm, 6 a root-mean-square norm, 8 one that multiplies its weight in fp32
	"act",       // widths that the activation function keeps, its result with them: 1 ReLU, 2 GELU and SiLU, 5 GELU written out
	"squared",   // 1: the activation function is a ReLU, squared
	"masked",    // attention is given a mask where it needs none: 1 always, 2 in training alone
	"scores",    // bytes of each attention score: 6 where softmax is in fp32
	"chances",   // what the softmax of stored scores gives is dropped out: 1 in the scores' format, 2 once it is brought back to it from fp32; older classes that drop out branches do the first anyway
	"dropout",   // bytes of a dropout mask for each value of a layer's two residual branches
	"drops",     // the branches of a layer that are dropped out where the config says so: 1 a feed-forward's, 2 both
	"jitter",    // how often what experts are given is multiplied by random numbers, where the config says so
	"inside",    // 1: what a feed-forward takes down is dropped out, too, and what a stack of layers gives
	"head",      // bytes of each logit beside its log-probability
	"logits",    // 4: the class itself brings logits to fp32, or its loss for masked tokens does
	"qk",        // bytes of each value of queries and keys, 4 where they are turned in fp32
	"turned",    // queries and keys are turned in fp32: 4 copies of them, 8 each product of theirs with positions
	"kv",        // 1: keys and values are never copied for each query head
	"first",     // 0: embeddings are not dropped out where learned positions are added to them, though residual branches are
	"eager",     // 1: the class has no fused attention
	"stream",    // 1: a norm multiplies the stream as it is, not its fp32 copy, and keeps both
	"biased",    // 1: attention adds learned positions to its scores, through its kernel's mask
	"sloped",    // 1: attention adds an fp32 number for each key to its scores, which are in fp32 from there on
	"lingers",   // 1: what the softmax gives in a layer is a variable until the next layer is done; 2: and the scores before their mask until attention is
	"weigh",     // bytes of an expert's share in what a token gets: 2 where it is brought to 16 bits
	"softcap",   // 1: attention scores are capped by a tanh
	"joined",    // 1: the turned and the other part of a head are always put together anew, also where all of it is turned
	"summed",    // 1: a norm after a branch is one of the sum of stream and branch
	"parallel",  // 1: attention and feed-forward read the same stream
	"pieces",    // 1: one matrix's queries, keys and values are cut out by slices
	"rope",      // 0: positions are not turned into queries and keys
	"wide",      // 1: the stream is in fp32, unless residual_in_fp32 says otherwise
	"unweighed", // 1: time steps and state vectors of a selective scan are normed without a parameter
	"bare",      // norms without a parameter stand before each branch and at the end: 1 layer norms, 2 root-mean-square norms
	"entry",     // 1: and one after the embedding
	"scaled",    // 1: embeddings are multiplied by a number once they are looked up
	"heads",     // 1: queries and keys are normed without a parameter once they are turned; 2: where attention is of chunks, and nothing is turned elsewhere
	"values",    // 1: values are normed without a parameter; where no matrix makes them they are the keys' product
	"every",     // 1: every expert runs on every token
	"router",    // bytes of each value of the router's input and of its matrix, 4 where they are copied to fp32 for its product
	"viewed",    // 1: the layers' products read a view of their matrix, of which autocast keeps no copy for the pass
	Checked,     // 1: what a step of this very type holds was compared with its class's own run, 2: a prefill, too, 3: both also with scores that are stored; a type that inherits says so itself
}

// Fact is what the family says of its class's plain modules under one of SavesNames, else what it says of the class inside, else otherwise.
func (m *Model) Fact(name string, otherwise int64) int64 {
	for _, list := range [...][]Named{m.Saves, m.Inner} {
		for i := range list {
			if list[i].Name == name {
				return list[i].Value
			}
		}
	}
	return otherwise
}
