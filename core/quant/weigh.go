package quant

import (
	"math/bits"

	"llmsize/core/fault"
	"llmsize/core/model"
)

// Stored is a run of tensors that a recipe stores alike.
type Stored struct {
	Role     model.Role
	Name     string       // as the file names it, indices open: "blk.{i}.attn_v.weight"
	Layers   []model.Span // the layers that hold it; nil outside layers
	Type     string       // "Q6_K", "int4 g128", "bf16"
	Tensors  int64        // how many there are
	Elements int64        // in one
	Bytes    int64        // of one, with its scales
}

// Of is what one type comes to.
type Of struct {
	Type     string
	Tensors  int64
	Elements int64
	Bytes    int64 // scales included
}

// Weights is a model's tensors in a recipe.
type Weights struct {
	Runs     []Stored
	Types    []Of                  // in the order in which they come up; adds up to Elements and Bytes
	ByRole   [model.NumRoles]int64 // bytes; adds up to Bytes; empty for plain formats, where every element takes the same
	Elements int64                 // of all tensors that are stored
	Bytes    int64                 // of tensor data: no file header, no metadata, no padding
	// Metadata is what files keep beside the tensor data to read it by (code
	// tables, shapes), and is not in Bytes; 0 when there is nothing.
	Metadata int64
	Notes    []fault.Warning
}

// BitsPerWeight returns 8·Bytes / Elements in millionths of a bit, rounded half
// up: 4893797 is 4.893797.
func (w *Weights) BitsPerWeight() int64 {
	if w.Elements <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(w.Bytes), 8_000_000)
	lo, carry := bits.Add64(lo, uint64(w.Elements)/2, 0)
	if hi += carry; hi >= uint64(w.Elements) {
		return 0
	}
	q, _ := bits.Div64(hi, lo, uint64(w.Elements))
	return int64(q)
}

// put adds a run to the totals. ok is false when a total passes int64.
func (w *Weights) put(s Stored) bool {
	elements, ok1 := product(s.Elements, s.Tensors)
	n, ok2 := product(s.Bytes, s.Tensors)
	if !ok1 || !ok2 {
		return false
	}
	w.Elements += elements
	w.Bytes += n
	w.ByRole[s.Role] += n
	if w.Bytes < 0 || w.Elements < 0 {
		return false
	}
	w.Runs = append(w.Runs, s)
	for i := range w.Types {
		if o := &w.Types[i]; o.Type == s.Type {
			o.Tensors += s.Tensors
			o.Elements += elements
			o.Bytes += n
			return true
		}
	}
	w.Types = append(w.Types, Of{s.Type, s.Tensors, elements, n})
	return true
}

// tooLarge is the error when a total passes int64.
func tooLarge(format string) *fault.Error {
	return &fault.Error{Field: "weights", Given: format, Problem: "the weights are too large to count", Allowed: "up to 9,223,372,036,854,775,807 bytes"}
}

// product multiplies what is not negative, with a check for overflow.
func product(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(lo), hi == 0 && lo < 1<<63 && a >= 0 && b >= 0
}

// up is a / b rounded up.
func up(a, b int64) int64 { return a/b + min(a%b, 1) }

// Pattern is the run's name with its layers written out: "blk.{0-3}.attn_v.weight".
func (s *Stored) Pattern(index string) string {
	if s.Layers == nil {
		return s.Name
	}
	open := "{" + index + "}"
	for i := 0; i+len(open) <= len(s.Name); i++ {
		if s.Name[i:i+len(open)] == open {
			return s.Name[:i] + model.SpanText(s.Layers) + s.Name[i+len(open):]
		}
	}
	return s.Name
}
