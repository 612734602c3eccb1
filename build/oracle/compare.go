package oracle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Elements is the number of elements in all tensors that the pattern stands
// for.
func (t Tensor) Elements() (int64, error) {
	p, err := parsePattern(t.Name)
	if err != nil {
		return 0, err
	}
	n := int64(1)
	for _, d := range t.Shape {
		n *= d
	}
	for _, s := range p.sets {
		n *= s.count()
	}
	return n, nil
}

// Expand writes every tensor on its own, with plain numbers for indices.
func Expand(tensors []Tensor) ([]Tensor, error) {
	var out []Tensor
	for _, t := range tensors {
		p, err := parsePattern(t.Name)
		if err != nil {
			return nil, err
		}
		for _, name := range expandNames(p) {
			out = append(out, Tensor{name, t.Shape})
		}
	}
	return out, nil
}

func expandNames(p pattern) []string {
	names := []string{p.text[0]}
	for i, set := range p.sets {
		var next []string
		for _, n := range names {
			for _, r := range set {
				for k := r.lo; k <= r.hi; k++ {
					next = append(next, n+strconv.Itoa(k)+p.text[i+1])
				}
			}
		}
		names = next
	}
	return names
}

// Compress folds tensors of the same shape whose names differ in indices only
// into patterns. The result is the same for every list of the same tensors:
// sorted, every index in braces. A tensor that occurs twice comes out twice.
func Compress(tensors []Tensor) ([]Tensor, error) {
	groups, err := groupByName(tensors)
	if err != nil {
		return nil, err
	}
	var out []Tensor
	for _, g := range groups {
		for _, k := range g.kinds {
			for _, sets := range foldSets(k.boxes) {
				out = append(out, Tensor{join(g.text, sets), k.shape})
			}
		}
	}
	sortTensors(out)
	return out, nil
}

func sortTensors(ts []Tensor) {
	slices.SortStableFunc(ts, func(a, b Tensor) int {
		if d := strings.Compare(a.Name, b.Name); d != 0 {
			return d
		}
		return strings.Compare(ShapeString(a.Shape), ShapeString(b.Shape))
	})
}

// group is all tensors whose names differ in indices only.
type group struct {
	text  []string
	kinds []kind // by shape, sorted by the shape's text
}

type kind struct {
	shape []int64
	boxes [][]spans // each the product of its sets
}

// groupByName returns the groups sorted by template.
func groupByName(tensors []Tensor) ([]group, error) {
	byName := map[string]map[string]*kind{}
	texts := map[string][]string{}
	for _, t := range tensors {
		p, err := parsePattern(t.Name)
		if err != nil {
			return nil, err
		}
		key, shape := p.template(), ShapeString(t.Shape)
		if byName[key] == nil {
			byName[key] = map[string]*kind{}
			texts[key] = p.text
		}
		k := byName[key][shape]
		if k == nil {
			k = &kind{shape: t.Shape}
			byName[key][shape] = k
		}
		k.boxes = append(k.boxes, p.sets)
	}
	var out []group
	for _, key := range sortedNames(byName) {
		g := group{text: texts[key]}
		for _, shape := range sortedNames(byName[key]) {
			g.kinds = append(g.kinds, *byName[key][shape])
		}
		out = append(out, g)
	}
	return out, nil
}

func sortedNames[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// foldSets rewrites a union of boxes in the one form that depends on its
// members alone: first indices whose rests are equal are put together, and so
// on inwards. A member in two boxes comes out twice.
func foldSets(boxes [][]spans) [][]spans {
	if len(boxes) == 0 {
		return nil
	}
	if len(boxes) == 1 || len(boxes[0]) == 0 {
		return boxes // a box is in that form; the same tensor comes out as often as it was given
	}
	holders := map[int][]int{} // first index → boxes that hold it
	for b, box := range boxes {
		for _, r := range box[0] {
			for i := r.lo; i <= r.hi; i++ {
				holders[i] = append(holders[i], b)
			}
		}
	}
	indices := make([]int, 0, len(holders))
	for i := range holders {
		indices = append(indices, i)
	}
	slices.Sort(indices)

	type rest struct {
		first spans
		boxes [][]spans
	}
	byRest := map[string]*rest{} // the folded rest, as text
	var order []*rest
	done := map[string]*rest{} // the same boxes fold the same way
	for _, i := range indices {
		hold := listed(holders[i])
		r := done[hold]
		if r == nil {
			var inner [][]spans
			for _, b := range holders[i] {
				inner = append(inner, boxes[b][1:])
			}
			inner = foldSets(inner)
			key := written(inner)
			if r = byRest[key]; r == nil {
				r = &rest{boxes: inner}
				byRest[key] = r
				order = append(order, r)
			}
			done[hold] = r
		}
		r.first = r.first.add(i)
	}
	var out [][]spans
	for _, r := range order {
		for _, b := range r.boxes {
			out = append(out, append([]spans{r.first}, b...))
		}
	}
	return out
}

// listed is numbers as a key of a map.
func listed(list []int) string {
	var b []byte
	for _, n := range list {
		b = append(strconv.AppendInt(b, int64(n), 10), ' ')
	}
	return string(b)
}

// written is boxes as a key of a map.
func written(boxes [][]spans) string {
	var b []byte
	for _, box := range boxes {
		for _, set := range box {
			for _, r := range set {
				b = append(strconv.AppendInt(b, int64(r.lo), 10), '-')
				b = append(strconv.AppendInt(b, int64(r.hi), 10), ' ')
			}
			b = append(b, ';')
		}
		b = append(b, '\n')
	}
	return string(b)
}

// Compare says how the tensors in got differ from those in want, in a text for
// a test's failure: which are missing, too many, or of another shape; at most
// ten lines of each kind and how many tensors there are. It is empty where the
// lists hold the same tensors, in whatever order and however their indices are
// folded.
func Compare(want, got []Tensor) string {
	// What is kept has been folded already, and of most models what is counted, too: that both are equal is found without folding.
	sorted := slices.Clone(got)
	sortTensors(sorted)
	if slices.EqualFunc(want, sorted, same) {
		return ""
	}
	g, err := Compress(got)
	if err != nil {
		return "got: " + err.Error()
	}
	if slices.EqualFunc(want, g, same) {
		return ""
	}
	w, err := Compress(want)
	if err != nil {
		return "want: " + err.Error()
	}
	w, g = withoutCommon(w, g)
	if len(w) == 0 && len(g) == 0 {
		return ""
	}
	return describe(w, g)
}

func same(a, b Tensor) bool { return a.Name == b.Name && slices.Equal(a.Shape, b.Shape) }

// withoutCommon takes the equal lines of two sorted lists away. What remains of
// both may still hold equal tensors, folded differently.
func withoutCommon(a, b []Tensor) (onlyA, onlyB []Tensor) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case same(a[0], b[0]):
			a, b = a[1:], b[1:]
		case a[0].Name < b[0].Name || a[0].Name == b[0].Name && ShapeString(a[0].Shape) < ShapeString(b[0].Shape):
			onlyA, a = append(onlyA, a[0]), a[1:]
		default:
			onlyB, b = append(onlyB, b[0]), b[1:]
		}
	}
	return append(onlyA, a...), append(onlyB, b...)
}

// describe writes the difference of two lists that differ.
func describe(want, got []Tensor) string {
	shapes := func(ts []Tensor) map[string][]string {
		m := map[string][]string{}
		all, _ := Expand(ts) // the names were read before
		for _, t := range all {
			m[t.Name] = append(m[t.Name], ShapeString(t.Shape))
		}
		return m
	}
	w, g := shapes(want), shapes(got)
	var missing, extra []Tensor
	wrong := map[string][]Tensor{} // "wanted, got" → tensors
	for _, name := range sortedNames(w) {
		a, b := w[name], g[name]
		switch {
		case len(b) == 0:
			missing = append(missing, named(name, a)...)
		case len(a) == 1 && len(b) == 1 && a[0] != b[0]:
			key := "want " + a[0] + ", got " + b[0]
			wrong[key] = append(wrong[key], Tensor{Name: name})
		case len(a) > len(b):
			missing = append(missing, named(name, a[len(b):])...)
		case len(b) > len(a):
			extra = append(extra, named(name, b[len(a):])...)
		}
	}
	for _, name := range sortedNames(g) {
		if len(w[name]) == 0 {
			extra = append(extra, named(name, g[name])...)
		}
	}
	var b strings.Builder
	section(&b, "missing", missing, "")
	section(&b, "extra", extra, "")
	for _, key := range sortedNames(wrong) {
		section(&b, "wrong shape", wrong[key], key)
	}
	return b.String()
}

func named(name string, shapes []string) []Tensor {
	var out []Tensor
	for _, s := range shapes {
		shape, _ := ParseShape(s) // written by ShapeString
		out = append(out, Tensor{name, shape})
	}
	return out
}

// section writes one kind of difference: its count, then up to ten lines.
func section(b *strings.Builder, title string, tensors []Tensor, note string) {
	if len(tensors) == 0 {
		return
	}
	const most = 10
	folded, _ := Compress(tensors)
	fmt.Fprintf(b, "%s: %d tensors\n", title, len(tensors))
	for i, t := range folded {
		if i == most {
			fmt.Fprintf(b, "  … and %d lines more\n", len(folded)-most)
			return
		}
		said := note
		if said == "" {
			said = ShapeString(t.Shape)
		}
		fmt.Fprintf(b, "  %s  %s\n", t.Name, said)
	}
}

// ShapeString writes a shape as the files have it: 4096x14336, 4096, or - for a
// scalar.
func ShapeString(shape []int64) string {
	if len(shape) == 0 {
		return "-"
	}
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = strconv.FormatInt(d, 10)
	}
	return strings.Join(parts, "x")
}

// ParseShape reads what ShapeString writes.
func ParseShape(s string) ([]int64, error) {
	if s == "-" {
		return nil, nil
	}
	var shape []int64
	for _, part := range strings.Split(s, "x") {
		d, err := strconv.ParseInt(part, 10, 64)
		if err != nil || d < 0 {
			return nil, fmt.Errorf("shape %q: %q is not a size", s, part)
		}
		shape = append(shape, d)
	}
	return shape, nil
}
