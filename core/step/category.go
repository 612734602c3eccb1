package step

// Category says what a live byte is for.
type Category uint8

// The categories, in the order in which a picture stacks them.
const (
	Weights     Category = iota // parameters and persistent buffers, as the run keeps them
	Inputs                      // token ids
	States                      // the optimizer's
	Gradients                   // of parameters
	Copies                      // weights in another format: autocast's 16-bit copies, adapters' casts
	Gathered                    // sharded weights that a rank has gathered, and the buffers of collectives
	Cache                       // keys, values and states that later tokens read
	Activations                 // made in the forward pass and needed in the backward pass
	Temporaries                 // everything else that lives for a moment
	NumCategories
)

var categoryNames = [NumCategories]string{"weights", "inputs", "optimizer", "gradients", "weight_copies", "gathered", "kv_cache", "activations", "temporaries"}

// String returns the category's fixed name in JSON: "gradients".
func (c Category) String() string { return categoryNames[c] }

// Split is bytes by category.
type Split [NumCategories]int64

// Total is the sum of all categories.
func (s *Split) Total() int64 {
	n := int64(0)
	for _, x := range s {
		n += x
	}
	return n
}

// Moment is the highest point of a stretch of a step: what was live right after an operator.
type Moment struct {
	Phase Phase
	Layer int32  // the layer at work, from 0; -1 outside layers
	Part  string // the module at work: "attention", "feed-forward", "loss"…; empty in the optimizer's step
	Op    string // its operator: "product", "copy"…
	Live  Split
	Batch int32 // of a pipeline: the micro-batch, from 0
	Piece int32 // and the piece of layers
}

// Phase is a stretch of a step.
type Phase uint8

// The phases, in order.
const (
	Forward Phase = iota
	Backward
	Optimize
	Reference // a policy's reference model reads its sequences
	Rollout   // the policy writes them
	Prefill
	Decode
	NumPhases
)

var phaseNames = [NumPhases]string{"forward", "backward", "optimizer", "reference", "rollout", "prefill", "decode"}

// String returns the phase's fixed name.
func (p Phase) String() string { return phaseNames[p] }
