package quant

import (
	"llmsize/core/model"
)

// matrix is a tensor as what multiplies by it sees it: a number of matrices of rows
// that are as long as the input.
type matrix struct {
	count int64 // matrices in one stored tensor: the experts of a fused one
	rows  int64 // outputs
	row   int64 // inputs: elements of a row
}

func (x matrix) elements() int64 { return x.count * x.rows * x.row }

// matrixOf reads a tensor's shape; ok is false for what isn't a matrix (vectors,
// scalars, convolutions, what holds nothing).
//
// Most checkpoints store outputs first. Input first are GPT-2's matrices, seen
// by a bias as long as their second side, and some fused experts, seen by the
// width of the experts.
func matrixOf(p *model.Part, i int) (x matrix, ok bool) {
	t := &p.Tensors[i]
	if t.Op != model.MatMul && t.Op != model.Lookup || len(t.Dims) < 2 || t.Elements == 0 {
		return x, false
	}
	x = matrix{1, t.Dims[0].Size, t.Elements / t.Dims[0].Size}
	width := p.Get(model.Width)
	switch {
	case t.Op == model.Lookup:
	case t.Role == model.Expert && len(t.Dims) == 3:
		a, b := t.Dims[1].Size, t.Dims[2].Size
		x = matrix{t.Dims[0].Size, a, b}
		in := b
		if isDown(t.Name) {
			if a == width {
				in = a
			}
		} else if b == 2*width || b == width && a != width {
			in = a
		}
		if in != b {
			x.rows, x.row = b, a
		}
	case t.Role == model.Expert && t.Copies == 1 && width > 0 && t.Dims[0].Size == width*t.ActiveOf:
		// All experts' rows in one matrix.
		x = matrix{t.ActiveOf, width, t.Dims[1].Size}
		if isDown(t.Name) {
			x.rows, x.row = x.row, x.rows
		}
	case len(t.Dims) == 3:
		x = matrix{t.Dims[0].Size, t.Dims[1].Size, t.Dims[2].Size}
	case i+1 < len(p.Tensors):
		bias := &p.Tensors[i+1]
		if module, _ := moduleOf(t.Name); len(bias.Dims) == 1 && bias.Name == module+".bias" && bias.Elements == x.row {
			x.rows, x.row = x.row, x.rows
		}
	}
	return x, true
}

// isDown reports whether a feed-forward's matrix leads back from its width.
func isDown(name string) bool {
	module, _ := moduleOf(name)
	w, ok := find(ffnWords, module)
	return ok && w.slot == ffnDown
}
