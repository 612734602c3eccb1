// Package model says what a model is: an ordered list of blocks with every tensor in its place.
//
//	Model ─▶ Block ─▶ Kind ─▶ Part ─▶ Tensor
//
// A [Block] is a piece of the model in order: the embedding, the stack of layers, the final norm, the head. It has each
// [Kind] of layer once, with how many layers are of it and the pattern in which they follow each other; a block that is not
// repeated has one kind with one layer. A layer's [Part] is a step of it (attention, feed-forward, norm …) with a [Role],
// properties ([Property]: heads, window …) and tensors. A [Tensor] is a run of tensors of one shape: one in each layer of
// the kind, or one for each expert. [Dim] is a side of it, a size with the expression that gives it.
//
// Parameters, bytes, FLOPs and what a pass keeps are all read off this list, so they cannot disagree. What reads it reads
// roles, ops and properties, never names of families or of tensors.
//
//   - [Model.Kinds] and [Model.Parts] go over kinds of layer and over parts, in order: for k, p := range m.Parts().
//   - [Model.Each] goes over the tensors that are stored, [Model.EachUsed] over those that a pass uses: a head that is tied
//     to the embedding is used and not stored.
//   - [Model.Runs] lists the stored tensors with their names as a pattern, [Run.Names] writes every single one.
//   - [Model.Stretches] lists the layers in order, as stretches of one kind.
//
// The package knows nothing of where a model is from. [llmsize/core/family] reads it off a config, and
// [llmsize/core/checkpoint] off the headers of files.
package model
