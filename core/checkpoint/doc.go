// Package checkpoint reads what a model's files say about themselves, and holds
// a config against it.
//
// A checkpoint is the last word on a model: the config says what a class would
// build, the file lists what is there. Its header names every tensor with its
// type and shape, and is small; the weights behind it are never read.
//
// # Reading
//
// A [List] gathers the tensors of one or more files. A [Reader] takes one file's
// header in pieces of any size, as they come from a disk, a network or a page,
// and says how many bytes it does not care for ([Reader.Skip]). Everything that a
// header claims is held against a bound before room is made for it: header and
// name lengths, counts, shapes, offsets. A fault names the file and the byte.
//
// Safetensors: eight bytes of length, then JSON (github.com/huggingface/safetensors,
// README). GGUF, versions 1 to 3, either byte order: metadata, then tensors
// (github.com/ggml-org/ggml, docs/gguf.md). An [Index] is the list of a checkpoint
// in several safetensors files.
//
// # Packed tensors
//
// Quantized checkpoints store a matrix as several tensors: numbers packed into
// integers, and scales, zero points, index lists, codebooks beside them. [View.Logical]
// says which is which and how large the matrix is that they stand for (packed.go).
//
// # Comparing
//
// [Verify] compares the tensors with those of the class that the config names:
// by name, and by shape after unpacking (verify.go). A GGUF file carries its own
// config ([List.Config]), which family gguf describes.
package checkpoint
