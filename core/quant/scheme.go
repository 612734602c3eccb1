package quant

import "llmsize/core/units"

// spread is what shares a scale.
type spread uint8

const (
	perMatrix spread = iota
	perRow
	perGroup // this many elements along a row
	perBlock // a square of that many rows and elements
	perFlat  // this many elements of the matrix written out row after row
)

// scheme is how a linear layer's weights are stored: elements of Bits bits,
// with scales and what else stands beside them. Its bytes are exact:
//
//	elements·Bits/8 + shares·(Scale + Zero)/8 + second + inputs·Index/8 + Once/8
//
// where shares counts what has a scale of its own.
type scheme struct {
	name   string // "int4 g128"
	bits   int64  // of an element
	spread spread
	size   int64 // of a group, square or flat run
	scale  int64 // bits of a scale
	zero   int64 // bits of a zero point or minimum beside it
	second int64 // scales that share a second scale of 32 bits; 0 when there is none
	index  int64 // bits for each input: the group that it belongs to
	once   int64 // bits for each matrix
	in     int64 // the inputs are a multiple of it, or the matrix stays as it was
	out    int64 // and the outputs of this
	meta   int64 // bytes of metadata for each tensor, which bytes leaves out
}

// takes reports whether the scheme can hold a matrix.
func (s *scheme) takes(x matrix) bool {
	return (s.in == 0 || x.row%s.in == 0) && (s.out == 0 || x.rows%s.out == 0)
}

// wants says which matrices the scheme can hold.
func (s *scheme) wants() string {
	out := s.name + " takes rows of a multiple of " + itoa(max(s.in, 1))
	if s.out > 1 {
		out += ", and a multiple of " + itoa(s.out) + " of them"
	}
	return out
}

// bytes is what a tensor of the shape takes, scales included. ok is false when
// it passes int64.
func (s *scheme) bytes(x matrix) (n int64, ok bool) {
	shares := int64(1)
	elements := x.rows * x.row
	switch s.spread {
	case perRow:
		shares = x.rows
	case perGroup:
		shares = x.rows * up(x.row, s.size)
	case perBlock:
		shares = up(x.rows, s.size) * up(x.row, s.size)
	case perFlat:
		shares = up(elements, s.size)
	}
	all, ok := product(elements, s.bits)
	all += shares*(s.scale+s.zero) + x.row*s.index + s.once
	if s.second > 0 {
		all += up(shares, s.second) * 32
	}
	if !ok || all < 0 {
		return 0, false
	}
	return product(up(all, 8), x.count)
}

// itoa writes a small number.
func itoa(n int64) string { return units.Itoa(n) }
