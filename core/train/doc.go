// Package train works out what training a model takes: which parameters get a
// gradient, and what a device holds of weights, gradients, optimizer states and
// activations. How many FLOPs it takes is package compute's.
//
// # What is trained
//
// Everything, or LoRA's adapters ([Adapters]): matrix by matrix, with the names
// and shapes that peft gives them. What peft does for a type by default, what it
// makes of experts, and names that differ from a checkpoint's are in the
// families' files (lora lines, core/model/lora.go).
//
// # What a device holds
//
// [Hold] spreads the model over a [Layout], works every pipeline stage out and
// returns the fullest. A recipe is an [Optimizer] and a [Precision]: bytes of each
// copy of a parameter, so that 2Φ + 2Φ + 12Φ and its like are sums of terms.
//
// [Solve] turns the question round: the largest micro-batch, the longest sequence,
// the smallest ZeRO stage, the least recomputation that fit; [Fewest] the devices.
// [Volumes] is what devices send in a step, and [Rank] lists the layouts of a machine
// that fit, by a rule that weighs compute that is repeated or idle against sending.
//
// States are exact for what is counted. Activations ([Saving]) are what autograd
// keeps of transformers' modules, storage by storage: to the byte for a layer of most
// dense decoders, to half a percent for half of the types, to 5% for three quarters
// of them, with the rest and their reasons in activations_test.go. They are an
// estimate where mixers scan or convolve over time (counted as kernels keep them, which
// make scans again), for experts that are not loaded evenly or that a class
// runs on every token, where a class stores its scores although a run does not, and under LoRA, where frozen matrices
// need no inputs and casts for adapters stay. [Unsure] says which.
//
// Left out are the activations of image and audio towers (a query says nothing of
// their tokens), buffers for communication, what the framework and its allocator
// take for themselves, and fragmentation. [PyTorch] works out what of these is
// documented for fully_shard, beside the sum.
package train
