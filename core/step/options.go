package step

import (
	"llmsize/core/model"
	"llmsize/core/train"
)

// Options are how a step is run.
type Options struct {
	Batch, Seq int64
	Param      int64   // bytes of a parameter as the passes read it, and of a value of the residual stream: 2 or 4
	State      int64   // bytes of a value of the optimizer; 0: those of a trained parameter
	Master     int64   // bytes of an fp32 master weight beside it; 0: none
	Main       int64   // bytes of a value of gradients that are accumulated beside those of a pass; 0: none
	Copy       int64   // bytes of a gradient that the optimizer's step makes for itself; 0: none
	Model      int64   // bytes of the weights in inference, where they are not Param each; 0: they are
	Auto       bool    // autocast: parameters in fp32, products in 16 bits
	Checkpoint bool    // every layer is made again in the backward pass
	HostInputs bool    // and its input waits with the host meanwhile
	Selective  bool    // but for what attention and every second product gave, which is kept
	Fused      bool    // norms, rotations, gates and adapters' sums are one kernel each, which keeps what it is given
	Eager      bool    // attention is written out
	NoDropout  bool    // nothing is dropped out
	Residuals  Dropout // what branches give, where the class can
	Embedded   Dropout // and embeddings
	Chances    Dropout // and what the softmax of stored scores gives
	Jitter     bool    // what experts are given is multiplied by random numbers, where the class can
	Kept       bool    // the output object lives through the backward pass, and its logits with it
	Loss       Loss
	Optimizer  string // its name in a query
	Kernel     Kernel
	States     int64 // bytes of the states of an optimizer that is not known here

	Adapters       []train.Adapter // LoRA's: all else is frozen
	AdapterBytes   int64
	AdapterDropout bool

	StateRanks    int64 // ranks that share the optimizer's states; 0 or 1: each has all (ZeRO 1)
	GradientRanks int64 // ranks that share the gradients, each as it comes (ZeRO 2)

	Frozen      int64 // bytes of the base model under adapters, where a format of fewer bits holds it: each matrix is made anew for its product; 0: Param each
	InBackward  bool  // the optimizer steps for each parameter as its gradient comes, which then goes
	Buckets     bool  // gradients are copied into buckets that ranks sum up: PyTorch's DistributedDataParallel
	HostStates  bool  // the optimizer's states and the gradients wait with the host, which makes the step
	HostWeights bool  // and the sharded weights, too

	Shard    *Shard // FSDP2; nil on one device
	TP       int64  // ranks of tensor parallelism
	EP       int64  // ranks of expert parallelism: each has its part of the experts, and sends tokens to the others
	CP       int64  // ranks of context parallelism: each has its part of every sequence, and keys go round
	Pipe     *Pipe  // pipeline parallelism; nil: this device runs all layers
	Sequence bool   // and of sequence parallelism: norms and the stream are divided by tokens

	Policy *Policy // preferences or rewards are learned; nil: the next token of given texts

	Logits bool // in inference: for every position

	inner inner // what a piece of a pipeline lacks
	each  bool  // every layer is laid out, though it is like another
	puts  bool  // its gradients of weights are put off
}

// Policy is what learning from preferences or rewards takes beside the policy's own passes.
type Policy struct {
	Reference bool  // a reference model reads the same sequences, without gradients: a frozen copy, or the model without its adapters
	First     bool  // before the policy does; else after its forward pass
	Rollouts  int64 // sequences that the policy writes at once, as long as those that it learns from; 0: none
}

// Dropout is whether a class drops something out: as it does by default, or as a config says.
type Dropout uint8

// The answers.
const (
	DropoutOfClass Dropout = iota
	Dropped
	Kept
)

// Loss is how the loss is worked out.
type Loss uint8

// The ways: LossFP32 copies all logits to fp32, as transformers does; LossWhole works in their format;
// LossChunked copies a piece at a time, LossFused never has more than a piece.
const (
	LossFP32 Loss = iota
	LossWhole
	LossChunked
	LossFused
	LossParallel // each rank of tensor parallelism keeps its part of the vocabulary
)

// Kernel is how an optimizer's step is written.
type Kernel uint8

// The kernels of PyTorch's optimizers: over lists of tensors, in one kernel, tensor by tensor.
const (
	Foreach Kernel = iota
	Fused
	Loop
)

// param is the bytes of a parameter in the passes, and of the stream.
func (o *Options) param() int64 { return o.Param }

// held is the bytes of a trained parameter between steps.
func (o *Options) held() int64 {
	switch {
	case len(o.Adapters) > 0:
		return o.AdapterBytes
	case o.Shard != nil:
		return o.Shard.Held
	}
	return o.Param
}

// state is the bytes of a value of the optimizer.
func (o *Options) state() int64 {
	if o.State > 0 {
		return o.State
	}
	return o.held()
}

func (o *Options) tp() int64 { return max(o.TP, 1) }
func (o *Options) ep() int64 { return max(o.EP, 1) }
func (o *Options) cp() int64 { return max(o.CP, 1) }

// adapter returns what LoRA puts beside a tensor.
func (o *Options) adapter(t *model.Tensor) *train.Adapter {
	for i := range o.Adapters {
		if o.Adapters[i].Base == t {
			return &o.Adapters[i]
		}
	}
	return nil
}
