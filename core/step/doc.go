// Package step lays out the memory of a training step and of inference, moment by moment: what is live when,
// to the byte that PyTorch's tensors take.
//
// A sum of all that a step ever holds is none of its peaks: the forward pass, the backward pass and the
// optimizer each peak at another moment, over other things. So a model is read as the program that its class
// runs (prepare, plan.go), and the program is run on a machine that holds no data (machine.go): every operator
// makes the storages that PyTorch's makes, autograd's graph keeps what the operator's backward formula needs
// (ops.go), variables hold what Python's would hold until their function returns, and the walk back over the
// graph makes and releases gradients in PyTorch's order. What is live is counted by category at all times.
//
//	Train   forward pass, loss, backward pass, optimizer: of a step with its states in place
//	Serve   one pass over the prompt, and one token more
//
// On one device or on rank 0 of several: FSDP2's units are gathered ahead and reduced behind (shard.go),
// tensor parallelism divides heads, widths and vocabulary, with and without sequence parallelism. LoRA's
// adapters are modules beside the frozen ones; a checkpointed layer keeps its input and is made again, up to
// the last tensor that its nodes ask for.
//
// Facts about how a class is written are the family's (`saves` in a family's file; core/model, lora.go): whether
// a norm multiplies its weight in fp32, whether attention has a fused kernel, and so on. Layers of one kind
// take the same to the byte, so only a few of each are laid out (thin) and the others repeat them.
//
// What it leaves out: what a kernel allocates inside itself, the allocator's rounding and slack, the CUDA
// context, NCCL's buffers. What it cannot follow (other recurrent mixers, sparse indexes) is a
// fault that says so. Of a model that also sees or hears a step of text is laid out: towers and projectors are held,
// without gradients. Mamba's and Mamba-2's mixers are followed as transformers runs them without further kernels,
// the loop over tokens of the one and the chunks of the other, the gated delta rule likewise (delta.go), and so are short
// convolutions; the fused scans of mamba_ssm, causal_conv1d and flash-linear-attention keep far less, and are not what is
// laid out.
//
// Their families also say which types were compared with their classes' own runs (model.Checked, [Checked],
// [CheckedServing]); the figures of all others are estimates, and are said to be.
//
// Source: transformers 5.23.0 and torch 2.15.0, whose own code was run on tensors without data, each storage's
// birth and death noted; testdata holds the figures.
package step
