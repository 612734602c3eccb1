package model

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/units"
	"llmsize/core/work"
)

// Role says what a tensor is for. Parameters, active parameters, weight bytes
// and FLOPs are all grouped by it.
type Role uint8

// The roles, in the order in which tables and bars show them.
const (
	Embedding Role = iota // token (and token type) embeddings
	Position              // learned positions, relative position biases
	Attention             // projections around softmax attention
	FFN                   // dense feed-forward and shared experts
	Expert                // routed experts
	Router                // what picks the experts
	State                 // state-space, recurrent and linear-attention mixers, convolutions over time
	Norm
	Head // from hidden state to vocabulary or labels
	Vision
	Audio
	Projector // from a tower's width to the language model's
	Other
	NumRoles // how many roles there are
)

var roleNames = [NumRoles]string{"embedding", "position", "attention", "ffn", "expert", "router", "state", "norm", "head", "vision", "audio", "projector", "other"}

// String returns the role's fixed name: "ffn".
func (r Role) String() string { return roleNames[r] }

// RoleNamed finds the role of a name.
func RoleNamed(s string) (Role, bool) {
	for r, n := range roleNames {
		if n == s {
			return Role(r), true
		}
	}
	return 0, false
}

// Op is what one token does with a tensor.
type Op uint8

// The ops. MatMul multiplies by every element once; Lookup reads one row; Scale
// is elementwise (norms, biases, gates); Conv slides a kernel over the sequence.
const (
	Scale Op = iota
	MatMul
	Lookup
	Conv
)

// Dim is one side of a tensor: its size, and the expression that the family
// gives for it ("num_attention_heads * head_dim").
type Dim struct {
	Size int64
	Expr string
	Path string // of the keys that Expr names: "text_config."; empty for those at the top
	Open bool   // Expr names what isn't a key: a block's parameter, an index
}

// Same reports whether two sizes are the same thing, and not only as large: written alike, from the same keys. None is the
// same as nothing.
func (d *Dim) Same(o *Dim) bool {
	return o != nil && d.Size == o.Size && d.Expr == o.Expr && d.Path == o.Path
}

// Tensor is a run of tensors of one shape: one in each layer of a kind, or one
// for each expert.
type Tensor struct {
	Name   string // with its indices open: "model.layers.{i}.mlp.experts.{e}.up_proj.weight"
	Dims   []Dim  // as stored, outermost first; empty for a scalar
	Role   Role
	Op     Op
	Buffer bool    // stored in a checkpoint but not trained
	Each   []Index // indices inside the layer, outermost first; the layer's own is the block's
	// Active of ActiveOf copies work on one token (experts); 1 of 1 elsewhere.
	Active, ActiveOf int64
	// Uses is how many times a pass multiplies by it: 0 for weights that it does not touch, more than 1 for shared blocks.
	Uses int64
	// Elements is the product of Dims and Copies the product of Each, both checked against overflow.
	Elements, Copies int64
	// Stream is whose tokens it works on, when not its part's: a cross-attention's keys and values work on the encoder's.
	Stream string
	// TiedTo names the tensor that this one is: a tied head multiplies by the embedding and stores nothing.
	TiedTo string
	// Linear says that it is the matrix of a linear module, and Transposed that it is stored input first.
	Linear, Transposed bool
	// F32 says that the class makes it in 32 bits whatever the config's dtype is.
	F32  bool
	Line int // in the family's file
}

// Index is one index in a name and how many values it takes: {e} of 0–255.
type Index struct {
	Name string
	N    int64
}

// Sides returns how many values a matrix takes and how many it gives.
func (t *Tensor) Sides() (in, out *Dim) {
	n := len(t.Dims)
	out, in = &t.Dims[n-2], &t.Dims[n-1]
	if t.Transposed {
		return out, in
	}
	return in, out
}

// Part is a step of a layer: a mixer, a feed-forward, a norm; its tensors.
type Part struct {
	Role    Role
	Title   string // "self attention", "experts"; the role's name when the family gives none
	Props   []Prop // what the step is beyond its matrices; see [Property]
	Tensors []Tensor
	Stream  string // whose tokens pass through: "" (the decoder's or the only ones), "encoder", "image"…; "pooled" is one token a sequence
}

// Prop is one named number of a part: heads, kv_heads, window…
type Prop struct {
	Name  Property
	Value int64
	Expr  string
}

// Named is a number of the model by its name.
type Named struct {
	Name  string
	Value int64
	Expr  string
}

// Get returns the property's value, 0 when it is not there.
func (p *Part) Get(name Property) int64 {
	for i := range p.Props {
		if p.Props[i].Name == name {
			return p.Props[i].Value
		}
	}
	return 0
}

// Expr returns how a property is written in the family file, "" where it is absent.
func (p *Part) Expr(name Property) string {
	for i := range p.Props {
		if p.Props[i].Name == name {
			return p.Props[i].Expr
		}
	}
	return ""
}

// OfHeads reports whether a size is so much for each query head: it is written as a
// product with their number. A latent may be as large by chance.
func (p *Part) OfHeads(d *Dim) bool {
	h := p.Expr(Heads)
	const times = " * "
	return len(d.Expr) > len(h)+len(times) && d.Expr[:len(h)] == h && d.Expr[len(h):len(h)+len(times)] == times
}

// Gates reports whether a tensor of attention is a matrix of its own that makes a gate for each number which the heads give.
func (p *Part) Gates(t *Tensor) bool {
	if t.Op != MatMul || len(t.Dims) != 2 || p.Get(Gated) != 0 || !strings.HasSuffix(t.Name, "gate_proj.weight") && !strings.HasSuffix(t.Name, ".g_proj.weight") {
		return false
	}
	_, out := t.Sides()
	return p.OfHeads(out)
}

// Has reports whether the part has the property.
func (p *Part) Has(name Property) bool {
	for i := range p.Props {
		if p.Props[i].Name == name {
			return true
		}
	}
	return false
}

// Elements is how many parameters the part holds in one layer: buffers and what
// is another tensor again are left out.
func (p *Part) Elements() int64 {
	n := int64(0)
	for i := range p.Tensors {
		if t := &p.Tensors[i]; !t.Buffer && t.TiedTo == "" {
			n += t.Elements * t.Copies
		}
	}
	return n
}

// Kind is one kind of layer of a block: all its layers have equal parts.
type Kind struct {
	Label string // what sets it apart: "sliding_attention"; empty when the block has one kind
	Count int64  // layers of this kind
	Parts []Part
}

// Tower reports whether a kind of layer belongs to a tower, whose parts have its role: it sees images or sound.
func (k *Kind) Tower() bool {
	for i := range k.Parts {
		switch k.Parts[i].Role {
		case Vision, Audio, Projector:
			return true
		}
	}
	return false
}

// Block is a piece of the model in order: the embedding, the layers, the final
// norm, the head. A block that is not repeated has one kind with one layer.
type Block struct {
	Index   string // the name of the layer index in tensor names; empty when not repeated
	Title   string
	Kinds   []Kind
	Pattern []uint16 // the kind of every layer, in order
}

// Key is one config key that the family reads.
type Key struct {
	Name  string   // as the family names it
	Given string   // the name under which the config gave it; empty when the default holds
	Value string   // as JSON
	Expr  string   // the default's expression, when the default is one
	Path  string   // where it stands, dotted, when it is not at the top
	Also  []string // its other names
	Tower bool     // of an image or audio tower, not of the language model
}

// Model is a config resolved: every layer with its parts, every part with its tensors.
type Model struct {
	Type   string // model_type
	Class  string // the class that is counted: "LlamaForCausalLM"
	Kind   string // the class's kind: causal, masked, seq2seq, base, sequence…
	Family string // "Llama"
	Source string // where the family's facts are from
	ReadAs string // the type whose family is used for a type that is not known; empty for a known one
	// Counted says that the tensors are those of a checkpoint: their number is exact, though what they are used for is an estimate.
	Counted bool
	Keys    []Key
	Blocks  []Block
	// Beside is what published checkpoints hold beside the class: one part a block, its title the reason. It
	// is known, be it nothing, where Published is true.
	Beside    []Block
	Published bool
	Warnings  []fault.Warning
	Values    []Named // named figures that the family exports for formulas and lenses: hidden_size…
	LoRA      LoRA
	Work      *work.Budget // of the question that the model is for; nil has no end
	Saves     []Named      // what the class's plain modules keep for a backward pass, where it is not the usual; the first of a name holds
	Inner     []Named      // the same of the class inside, whose modules are the model's
}

// Exact reports whether every key is known, so that the count is exact.
func (m *Model) Exact() bool {
	for _, w := range m.Warnings {
		if w.Inexact {
			return false
		}
	}
	return true
}

// Built reports whether the count is what the class builds: it is exact, or an
// estimate only because no sane model has heads that don't come out even.
func (m *Model) Built() bool {
	for _, w := range m.Warnings {
		if n := len(w.Text) - len(BuiltSo); w.Inexact && (n < 0 || w.Text[n:] != BuiltSo) {
			return false
		}
	}
	return true
}

// BuiltSo ends the warning about heads that don't come out even.
const BuiltSo = "the class builds it all the same, and so it is counted"

// Value returns a whole number of the model by its standard name (hidden_size,
// num_hidden_layers…): what the family exports under it, else the key of that
// name or alias; of several models in one, the first that has it, towers last.
func (m *Model) Value(name string) (int64, bool) {
	for _, v := range m.Values {
		if v.Name == name {
			return v.Value, true
		}
	}
	for _, tower := range []bool{false, true} {
		for _, k := range m.Keys {
			if k.Tower == tower && k.Is(name) {
				return config.ParseInt(k.Value)
			}
		}
	}
	return 0, false
}

// Is reports whether the key goes by that name.
func (k *Key) Is(name string) bool {
	if k.Name == name {
		return true
	}
	for _, a := range k.Also {
		if a == name {
			return true
		}
	}
	return false
}

// Params returns the elements of the run in n layers.
func (t *Tensor) Params(n int64) units.Params { return units.Params(t.Elements * t.Copies * n) }
