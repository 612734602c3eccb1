package checkpoint

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/units"
)

// Bounds of what is read. The largest published checkpoints have 210,000
// tensors (Kimi K2's experts, each with scales and a shape).
const (
	MaxTensors = 1 << 19 // in all files together
	maxNames   = 8 << 20 // bytes of names that differ in more than their numbers
	maxName    = 4096    // bytes of one name
	maxSides   = 1 << 20 // sides of all shapes that differ
	maxDims    = 16
	maxFiles   = 1 << 12
)

// slots is how many numbers of a name are kept beside it: a layer, an expert,
// and two more. Further ones are part of the text.
const slots = 4

// tensor is one stored tensor, in 28 bytes: a checkpoint has up to half a million.
type tensor struct {
	name  name
	shape int32
	file  uint16
	typ   Type
}

// name is a tensor's name: a text with its numbers taken out ("model.layers.#.mlp.weight"), and the numbers.
type name struct {
	text  int32
	index [slots]int32 // -1 where the text has no more
}

const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

// File is one file of a checkpoint.
type File struct {
	Name  string
	Bytes int64 // of tensor data
}

// List is the tensors of a checkpoint. The zero List is empty and ready.
type List struct {
	Files []File
	// Meta is a GGUF file's metadata, in order; nil for safetensors.
	Meta []Meta
	// Bytes is the tensor data of all files, padding left out.
	Bytes int64

	chunks [][]tensor // grown in steps, so that half a million need no second copy
	count  int
	texts  interner
	shapes []int64 // dims of all shapes, one behind the other
	starts []int32 // where a shape begins in shapes; the last is the end
	table  []int32 // numbers of shapes + 1 by a hash, 0 where there is none; its length is a power of two
	sorted bool
	gguf   bool
	mlx    bool // MLX wrote it: its convolutions have their inputs last
}

// Meta is one entry of a GGUF file's metadata.
type Meta struct {
	Key   string
	Value config.Value // long lists and texts are left empty
	Count int64        // entries of a list
}

// GGUF reports whether the tensors are from GGUF files.
func (l *List) GGUF() bool { return l.gguf }

// Len is how many tensors there are.
func (l *List) Len() int { return l.count }

func (l *List) at(i int) *tensor { return &l.chunks[i>>chunkBits][i&(chunkSize-1)] }

// Name returns the name of tensor i.
func (l *List) Name(i int) string { return l.nameText(l.at(i).name) }

// Dims returns the shape of tensor i as stored, outermost first.
func (l *List) Dims(i int) []int64 { return l.dims(l.at(i).shape) }

// Type returns the type of tensor i.
func (l *List) Type(i int) Type { return l.at(i).typ }

// Elements is how many elements tensor i stores.
func (l *List) Elements(i int) int64 {
	n, _ := product(l.Dims(i)) // checked when it was added
	return n
}

// FileOf returns the file of tensor i.
func (l *List) FileOf(i int) *File { return &l.Files[l.at(i).file] }

func (l *List) dims(shape int32) []int64 { return l.shapes[l.starts[shape]:l.starts[shape+1]] }

// nameText writes a name with its numbers.
func (l *List) nameText(n name) string { return l.texts.fill(n) }

// add puts a tensor in; its bytes are the caller's to count.
func (l *List) add(file int, text []byte, typ Type, dims []int64) *fault.Error {
	if l.count >= MaxTensors {
		return &fault.Error{Problem: "the checkpoint has more tensors than we read", Allowed: "up to " + units.Group(MaxTensors)}
	}
	n := l.texts.intern(text)
	if l.texts.bytes > maxNames {
		return &fault.Error{Problem: "the names of the tensors take more room than we read", Allowed: "8 MB of names that differ in more than their numbers"}
	}
	s := l.shape(dims)
	if len(l.shapes) > maxSides {
		return &fault.Error{Problem: "the shapes of the tensors take more room than we read", Allowed: "1,048,576 sides of shapes that differ"}
	}
	if l.count>>chunkBits == len(l.chunks) {
		l.chunks = append(l.chunks, make([]tensor, chunkSize))
	}
	*l.at(l.count) = tensor{name: n, shape: s, file: uint16(file), typ: typ}
	l.count++
	l.sorted = false
	return nil
}

// shape finds a shape's number, or gives it one.
func (l *List) shape(dims []int64) int32 {
	if l.starts == nil {
		l.starts, l.table = []int32{0}, make([]int32, 256)
	}
	i := l.slot(dims)
	if s := l.table[i] - 1; s >= 0 {
		return s
	}
	s := int32(len(l.starts) - 1)
	l.shapes = append(l.shapes, dims...)
	l.starts = append(l.starts, int32(len(l.shapes)))
	l.table[i] = s + 1
	if 2*len(l.starts) > len(l.table) {
		l.table = make([]int32, 4*len(l.table))
		for s := range int32(len(l.starts) - 1) {
			l.table[l.slot(l.dims(s))] = s + 1
		}
	}
	return s
}

// slot is where a shape is in the table, or would.
func (l *List) slot(dims []int64) int {
	h := uint64(14695981039346656037)
	for _, d := range dims {
		h = (h ^ uint64(d)) * 1099511628211
	}
	h ^= h >> 32
	for i := int(h) & (len(l.table) - 1); ; i = (i + 1) & (len(l.table) - 1) {
		if s := l.table[i] - 1; s < 0 || same(l.dims(s), dims) {
			return i
		}
	}
}

// Finish puts the tensors in the order of their names, once all files are read,
// and finds names that stand twice.
func (l *List) Finish() *fault.Error {
	l.sort()
	for i := 1; i < l.count; i++ {
		if a, b := l.at(i-1), l.at(i); a.name == b.name {
			f := &fault.Error{File: l.Files[b.file].Name, Field: fault.Clip(l.Name(i), 120), Problem: "the name appears twice in the checkpoint", Allowed: "once"}
			if a.file != b.file {
				f.Problem += ", also in " + l.Files[a.file].Name
			}
			return f
		}
	}
	return nil
}

// less orders names: by text in the order in which texts came up, then by number.
func (a name) less(b name) bool {
	if a.text != b.text {
		return a.text < b.text
	}
	for k := range a.index {
		if a.index[k] != b.index[k] {
			return a.index[k] < b.index[k]
		}
	}
	return false
}

// sort is a heap sort: in place, and never slow.
func (l *List) sort() {
	if l.sorted {
		return
	}
	l.sorted = true
	down := func(root, n int) {
		for {
			child := 2*root + 1
			if child >= n {
				return
			}
			if child+1 < n && l.at(child).name.less(l.at(child+1).name) {
				child++
			}
			a, b := l.at(root), l.at(child)
			if !a.name.less(b.name) {
				return
			}
			*a, *b = *b, *a
			root = child
		}
	}
	for i := l.count/2 - 1; i >= 0; i-- {
		down(i, l.count)
	}
	for n := l.count - 1; n > 0; n-- {
		a, b := l.at(0), l.at(n)
		*a, *b = *b, *a
		down(0, n)
	}
}

// find returns the place of a name, -1 when no tensor has it. The list is sorted.
func (l *List) find(n name) int {
	if n.text < 0 {
		return -1
	}
	low, high := 0, l.count
	for low < high {
		mid := (low + high) / 2
		if l.at(mid).name.less(n) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < l.count && l.at(low).name == n {
		return low
	}
	return -1
}

// Find returns the place of the tensor of that name, -1 when there is none. The list is finished.
func (l *List) Find(text string) int { return l.find(l.texts.look(text)) }
