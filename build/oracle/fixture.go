// A [File] is what the oracle says a model is made of.
//
// The oracle is the library that most configurations are written for: for a
// config.json it builds the model without weights and records every tensor.
// The records are kept in text files that a person can read and a diff can
// show, one file for a model type and architecture:
//
//	model_type	llama
//	architecture	LlamaForCausalLM
//	transformers	5.24.0
//	torch	2.15.0
//	shape_key	vocab_size	32000
//	inert_keys	num_attention_heads max_position_embeddings
//
//	case
//	config	{"architectures":["LlamaForCausalLM"],"model_type":"llama"}
//	parameters	6738415616
//	buffers	0
//	+lm_head.weight	32000x4096
//	+model.layers.{0-31}.input_layernorm.weight	4096
//
//	case	0
//	set	num_hidden_layers	35
//	parameters	7345565696
//	each	{0-31}	{0-34}
//
// Fields are separated by one tab. A case is written as what differs from an
// earlier one, whose number follows the word case; numbers start at 0:
//
//   - set and unset change one key of the config, dots descend;
//   - parameters and buffers are repeated only where they change;
//   - persistent_buffers lists names inside the module, - for none;
//   - each replaces one index range by another in all tensor names;
//   - -name takes a tensor away, +name adds one, ~name gives it a new shape.
//
// A runtime block holds one forward pass, see [Runtime]; its config is a change
// to that of case 0.
//
// # Names
//
// {0-31} and {0,2,4-6} in a name are sets of indices; several in one name
// multiply. [Expand] writes every name out, [Compress] folds them again, and
// [Compare] tells two lists apart without doing either where they agree.
//
// The package is for tests and for the program that makes the files.

package oracle

import (
	"encoding/json"
	"strings"
)

// File is what one text file holds: one model type built as one architecture.
type File struct {
	ModelType    string
	Architecture string
	Transformers string    // version of the library that built the model
	Torch        string    // version of the tensor library below it
	ShapeKeys    []Key     // config keys that change a tensor when changed alone
	InertKeys    []string  // config keys that change nothing when changed alone
	Cases        []Case    // the class's defaults first
	Runtimes     []Runtime // forward passes, where they could be run
}

// Key is a config key with its class default.
type Key struct {
	Name    string          // dots descend into nested configurations
	Default json.RawMessage // a long list is described by a string
}

// Case is one configuration and what the library builds for it.
type Case struct {
	// Name says what the config changes: "default", "hidden_size=8192", or the
	// name of a file for a real configuration.
	Name         string
	ModelType    string
	Architecture string
	Config       json.RawMessage // as a config.json would hold it; absent keys have the class's default
	Parameters   int64           // trainable elements, tied ones once
	Buffers      int64           // elements of persistent buffers that a checkpoint stores

	// PersistentBuffers are those buffers' names inside the module, which may
	// differ from the checkpoint's.
	PersistentBuffers []string

	// Tensors is what a checkpoint stores, parameters and persistent buffers,
	// sorted by name, in patterns.
	Tensors []Tensor

	// Origin says where a real configuration was read; empty otherwise.
	Origin string
}

// Tensor is one stored tensor, or a family of them where the name holds index
// sets.
type Tensor struct {
	Name  string
	Shape []int64 // empty for a scalar
}

// Runtime is one forward pass of the model, batch 1, in bf16.
type Runtime struct {
	Name   string // what its config changes from the default case
	Config json.RawMessage
	Passes []Pass
}

// Pass is a forward pass over a number of tokens.
type Pass struct {
	Tokens int64
	Cache  []CacheTensor // the cache afterwards
	FLOPs  int64         // 2·m·n·k for every matrix product, the whole square of scores
	ByOp   []Op          // the same by operator, sorted by name
}

// CacheTensor is one tensor of a cache, or a family of them.
type CacheTensor struct {
	Tensor
	DType string // bfloat16, float32, int64
}

// Op is an operator's share of the FLOPs.
type Op struct {
	Name  string
	FLOPs int64
}

// changeName puts config changes on one line: "a=1 b.c=[32 items] -d".
func changeName(changes []change) string {
	if len(changes) == 0 {
		return "default"
	}
	var b strings.Builder
	for i, c := range changes {
		if i > 0 {
			b.WriteByte(' ')
		}
		if c.gone {
			b.WriteString("-" + c.key)
			continue
		}
		b.WriteString(c.key + "=" + shorten(string(c.value)))
	}
	return b.String()
}

// shorten keeps a case's name readable: a long value becomes its beginning.
func shorten(s string) string {
	const most = 90
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}
