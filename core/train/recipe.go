package train

import (
	"llmsize/core/model"
)

// Optimizer is what an optimizer keeps for the parameters that it updates.
type Optimizer struct {
	Name   string // in a query
	Title  string
	Source string
	// States is how many values it keeps for a parameter: AdamW's two moments.
	States int64
	kept   string // what they are
	kind   stateKind
}

type stateKind uint8

const (
	perParameter stateKind = iota
	eightBit               // two moments of one byte, and two fp32 scales for each block of 256 values
	factored               // sums over rows and over columns of each matrix
	hidden                 // one moment for the matrices inside the layers, AdamW's two for the rest
	blocked                // factors of blocks of each tensor, and their roots
	rotated                // factors of both sides of each matrix, and their eigenvectors
)

// Optimizers are those that a query can name.
var Optimizers = []Optimizer{
	{Name: "adamw", Title: "AdamW", States: 2, kept: "two moments", Source: "Loshchilov and Hutter 2017, arXiv 1711.05101, algorithm 2"},
	{Name: "adam", Title: "Adam", States: 2, kept: "two moments", Source: "Kingma and Ba 2014, arXiv 1412.6980, algorithm 1"},
	{Name: "adamw-8bit", Title: "8-bit AdamW", States: 2, kind: eightBit, Source: "Dettmers et al. 2021, arXiv 2110.02861, section 2; bitsandbytes: blocks of 256, tensors below 4,096 elements stay in 32 bits"},
	{Name: "adafactor", Title: "Adafactor", States: 1, kind: factored, Source: "Shazeer and Stern 2018, arXiv 1804.04235, algorithm 4, without a first moment"},
	{Name: "lion", Title: "Lion", States: 1, kept: "momentum", Source: "Chen et al. 2023, arXiv 2302.06675, program 1"},
	{Name: "muon", Title: "Muon", States: 1, kind: hidden, Source: "Jordan et al. 2024, Muon; Liu et al. 2025, arXiv 2502.16982, section 2: AdamW for embeddings, head, norms and biases"},
	{Name: "sgd", Title: "SGD", Source: "no state"},
	{Name: "sgd-momentum", Title: "SGD with momentum", States: 1, kept: "momentum", Source: "Sutskever et al. 2013, section 2"},
	{Name: "shampoo", Title: "Shampoo", States: 2, kind: blocked, Source: "Gupta et al. 2018, arXiv 1802.09568, algorithm 1; Shi et al. 2023, arXiv 2309.06497: blocks of up to 1,024, inverse roots kept, grafted from Adam"},
	{Name: "soap", Title: "SOAP", States: 2, kind: rotated, Source: "Vyas et al. 2024, arXiv 2409.11321, algorithm 3; the authors' soap.py: no factor for sides above 10,000, none for vectors"},
	{Name: "adagrad", Title: "Adagrad", States: 1, kept: "sum of squares", Source: "Duchi et al. 2011, JMLR 12"},
	{Name: "nadam", Title: "NAdam", States: 2, kept: "two moments", Source: "Dozat 2016, ICLR workshop"},
	{Name: "radam", Title: "RAdam", States: 2, kept: "two moments", Source: "Liu et al. 2019, arXiv 1908.03265, algorithm 2"},
	{Name: "rmsprop", Title: "RMSprop", States: 1, kept: "mean square", Source: "Hinton 2012, lecture 6e; PyTorch, torch.optim.RMSprop, without momentum"},
	{Name: "adamw-amsgrad", Title: "AdamW with AMSGrad", States: 3, kept: "two moments, the second's maximum", Source: "Reddi et al. 2018, arXiv 1904.09237, algorithm 2"},
	{Name: "adafactor-transformers", Title: "Adafactor as transformers has it", States: 1, kind: factored, Source: "transformers 5.23.0, optimization.py, class Adafactor"},
}

// Precision is what formats a training step keeps a parameter in. All are bytes
// a parameter, 0 when there is no such copy.
type Precision struct {
	Name   string
	Title  string
	Source string
	Weight int64 // what the passes multiply by
	Grad   int64 // what a backward pass leaves and ranks reduce
	Main   int64 // gradients accumulated in fp32, kept and sharded with the gradients
	Master int64 // fp32 weights that the optimizer updates
	Cast   int64 // 16-bit copies that a step makes of fp32 weights
	Copy   int64 // fp32 gradients that the optimizer keeps for its step
	State  int64 // each of the optimizer's values
	Low    bool  // products are in 16 bits, of copies that live no longer than a layer's work
}

// half reports whether activations are in 16 bits.
func (p *Precision) half() bool { return p.Weight == 2 || p.Cast > 0 || p.Low }

// Precisions are those that a query can name. With AdamW they come to 16, 16,
// 16, 18, 18, 20 and 8 bytes a parameter.
var Precisions = []Precision{
	{Name: "bf16-mixed", Title: "bf16 with fp32 master weights", Weight: 2, Grad: 2, Master: 4, State: 4, Source: "Micikevicius et al. 2017, arXiv 1710.03740; Rajbhandari et al. 2019 (ZeRO), arXiv 1910.02054, section 3.1"},
	{Name: "fp16-mixed", Title: "fp16 with fp32 master weights", Weight: 2, Grad: 2, Master: 4, State: 4, Source: "Rajbhandari et al. 2019 (ZeRO), arXiv 1910.02054, section 3.1"},
	{Name: "fp32", Title: "fp32 throughout", Weight: 4, Grad: 4, State: 4, Source: "4 bytes each"},
	{Name: "autocast", Title: "fp32 weights, products in bf16", Weight: 4, Grad: 4, State: 4, Cast: 2, Source: "PyTorch automatic mixed precision: weights are cast as they are used, and the casts kept for the step"},
	{Name: "megatron", Title: "bf16, gradients accumulated in fp32", Weight: 2, Main: 4, Master: 4, State: 4, Source: "Megatron-LM, docs of the distributed optimizer: 18 bytes, 6 + 12/d when sharded"},
	{Name: "deepspeed", Title: "16 bits, with fp32 weights and gradients in the optimizer", Weight: 2, Grad: 2, Master: 4, Copy: 4, State: 4, Source: "Smith et al. 2022 (MT-NLG), arXiv 2201.11990, section 2.1: 20 bytes"},
	{Name: "bf16", Title: "bf16 throughout", Weight: 2, Grad: 2, State: 2, Source: "2 bytes each"},
	{Name: "fsdp-mixed", Title: "fp32 shards, gathered in bf16, reduced in fp32", Weight: 4, Grad: 4, State: 4, Low: true, Source: "PyTorch FSDP2, MixedPrecisionPolicy(param_dtype=bf16, reduce_dtype=fp32)"},
}

// OptimizerNamed returns the optimizer that a query names.
func OptimizerNamed(name string) (*Optimizer, bool) {
	for i := range Optimizers {
		if Optimizers[i].Name == name {
			return &Optimizers[i], true
		}
	}
	return nil, false
}

// PrecisionNamed returns the precision that a query names.
func PrecisionNamed(name string) (*Precision, bool) {
	for i := range Precisions {
		if Precisions[i].Name == name {
			return &Precisions[i], true
		}
	}
	return nil, false
}

// maxGroups is how many kinds of values an optimizer keeps at most.
const maxGroups = 3

// valueGroup is a kind of values and the bytes of one.
type valueGroup struct {
	title string
	each  int64
}

// groups names what [Optimizer.values] counts.
func (o *Optimizer) groups(p *Precision) []valueGroup {
	moments := valueGroup{o.Title + ": " + o.kept, o.States * p.State}
	switch o.kind {
	case eightBit:
		return []valueGroup{{"8-bit AdamW: two moments in 8 bits", 2}, {"8-bit AdamW: two fp32 scales a block of 256", 8}, {"8-bit AdamW: two fp32 moments of small tensors", 8}}
	case factored:
		return []valueGroup{{"Adafactor: fp32 sums of rows", 4}, {"Adafactor: fp32 sums of columns", 4}, {"Adafactor: fp32 squares of vectors", 4}}
	case hidden:
		return []valueGroup{{"Muon: momentum of matrices in layers", p.State}, {"AdamW: two moments of the rest", 2 * p.State}}
	case blocked:
		return []valueGroup{{"Shampoo: fp32 factors and their roots", 4}, {"Shampoo: momentum, and Adam's second moment to graft", 2 * p.State}}
	case rotated:
		return []valueGroup{{"SOAP: fp32 factors and their eigenvectors", 4}, {"SOAP: two moments", 2 * p.State}}
	}
	return []valueGroup{moments}
}

// values is how many values of each group an optimizer keeps for n elements of a
// tensor, matrices of rows × columns (a vector has one row), inside a layer or not:
//
//	8-bit AdamW  n, ⌈n/256⌉, and all n in fp32 below 4,096
//	Adafactor    rows, columns, and a vector's own n
//	Muon         n of the matrices in layers, n of the rest
//	Shampoo      2(r² + c²) of each block of up to 1,024 a side, and n
//	SOAP         2(r² + c²) of a matrix, sides above 10,000 left out, and n
func (o *Optimizer) values(n, rows, cols int64, inside bool) (out [maxGroups]int64) {
	matrix := rows > 1 && cols > 1
	switch o.kind {
	case perParameter:
		if o.States > 0 {
			out[0] = n
		}
	case eightBit:
		if n < 4096 {
			out[2] = n
			break
		}
		out[0], out[1] = n, up(n, 256)
	case factored:
		if !matrix {
			out[2] = n
			break
		}
		out[0], out[1] = n/cols, n/rows
	case hidden:
		if inside && matrix {
			out[0] = n
			break
		}
		out[1] = n
	case blocked:
		out[1] = n
		if !matrix {
			out[0] = 2 * squares(n)
			break
		}
		out[0] = n / (rows * cols) * 2 * (up(cols, 1024)*squares(rows) + up(rows, 1024)*squares(cols))
	case rotated:
		out[1] = n
		if !matrix {
			break
		}
		for _, side := range [...]int64{rows, cols} {
			if side <= 10_000 {
				out[0] += n / (rows * cols) * 2 * side * side
			}
		}
	}
	return out
}

// Takes reports whether an optimizer treats a tensor as a matrix of its own kind, as
// Muon does the matrices inside layers, and leaves the rest to AdamW or to less; ok is
// false for an optimizer that treats all alike.
func (o *Optimizer) Takes(t *model.Tensor, inside bool) (own, ok bool) {
	matrix := false
	if d := len(t.Dims); d > 1 {
		matrix = t.Dims[d-2].Size > 1 && t.Dims[d-1].Size > 1
	}
	switch o.kind {
	case perParameter:
		return true, false
	case hidden:
		return matrix && inside, true
	case eightBit:
		return t.Elements >= 4096, true
	}
	return matrix, true
}

// squares adds the squares of the sides that n is divided into, 1,024 at most.
func squares(n int64) int64 {
	r := n % 1024
	return n/1024*1024*1024 + r*r
}
