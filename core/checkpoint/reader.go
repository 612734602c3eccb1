package checkpoint

import (
	"llmsize/core/fault"
	"llmsize/core/units"
)

// Reader takes the header of one file, from its first byte on, in pieces of any
// size. What it finds goes into its List.
type Reader struct {
	list *List
	file int
	size int64 // of the file; -1 when it is not known
	pos  int64 // the next byte that Write takes
	head []byte
	st   *safetensors
	gg   *gguf
	skip int64
	done bool
}

// NewReader begins a file. size is how many bytes it has, -1 when that is not known: then
// nothing can be said about a file that ends too early.
func NewReader(l *List, file string, size int64) *Reader {
	l.Files = append(l.Files, File{Name: file})
	return &Reader{list: l, file: len(l.Files) - 1, size: size}
}

// Done reports whether the header has been read to its end.
func (r *Reader) Done() bool { return r.done }

// Skip is how many of the next bytes the reader does not look at: the host may
// leave them out and call Skipped.
func (r *Reader) Skip() int64 { return r.skip }

// Skipped says that the host has left out the next n bytes, at most Skip.
func (r *Reader) Skipped(n int64) { r.skip, r.pos = r.skip-n, r.pos+n }

// Pos is the place in the file of the next byte that Write takes.
func (r *Reader) Pos() int64 { return r.pos }

// Need is how many bytes from the file's start the header has at least, as far as is known.
func (r *Reader) Need() int64 {
	if r.st != nil {
		return 8 + r.st.length
	}
	return r.pos + r.skip + 8
}

// Write takes the next bytes; those behind the header are left alone.
func (r *Reader) Write(p []byte) *fault.Error {
	if len(r.list.Files) > maxFiles {
		return r.fault(&fault.Error{Problem: "the checkpoint has too many files", Allowed: "up to " + units.Group(maxFiles)})
	}
	for len(p) > 0 && !r.done {
		if r.skip > 0 {
			n := min(r.skip, int64(len(p)))
			r.Skipped(n)
			p = p[n:]
			continue
		}
		var n int
		var err *fault.Error
		switch {
		case r.st != nil:
			n, err = r.st.write(p)
		case r.gg != nil:
			n, err = r.gg.write(p)
		default:
			n, err = r.begin(p)
		}
		if err != nil {
			return r.fault(err)
		}
		p, r.pos = p[n:], r.pos+int64(n)
	}
	return r.settle()
}

// settle takes the steps that need no further byte.
func (r *Reader) settle() *fault.Error {
	if r.gg == nil || r.done {
		return nil
	}
	if _, err := r.gg.write(nil); err != nil {
		return r.fault(err)
	}
	return nil
}

// fault says in which file.
func (r *Reader) fault(err *fault.Error) *fault.Error {
	if err.File == "" {
		err.File = r.list.Files[r.file].Name
	}
	return err
}

// End says that the file has ended, and is a fault when its header has not.
func (r *Reader) End() *fault.Error {
	if err := r.settle(); err != nil || r.done {
		return err
	}
	at := units.Group(r.pos) + plural(r.pos, " byte", " bytes")
	if r.pos == 0 && len(r.head) == 0 {
		return r.fault(&fault.Error{Problem: "the file is empty"})
	}
	return r.fault(&fault.Error{Problem: "the file ends inside its header, after " + at, Hint: "fetch the file again"})
}

// begin tells the format by the first eight bytes.
func (r *Reader) begin(p []byte) (int, *fault.Error) {
	n := min(8-len(r.head), len(p))
	r.head = append(r.head, p[:n]...)
	if len(r.head) < 8 {
		return n, nil
	}
	h := string(r.head)
	switch {
	case h[:4] == "GGUF":
		r.list.gguf = true
		r.gg = &gguf{r: r, need: 8}
		_, err := r.gg.write([]byte(h[4:]))
		return n, err
	}
	length := uint64(0)
	for i := 7; i >= 0; i-- {
		length = length<<8 | uint64(h[i])
	}
	switch { // what else a file may be reads as a length past all bounds, or past the file
	case length <= maxHeader && (h[:4] != "PK\x03\x04" || r.size < 0 || int64(length) <= r.size-8):
	case h[:4] == "PK\x03\x04" || h[0] == 0x80 && h[1] >= 2 && h[1] <= 5:
		return 0, Pickle("")
	case isMarkup(h):
		return 0, &fault.Error{Problem: "this is a web page, not a checkpoint", Hint: "a sign-in or an error page may have been saved in its place"}
	case h[:7] == "version" || h[0] == '{':
		return 0, notWeights(h)
	}
	switch {
	case length > maxHeader:
		return 0, &fault.Error{Problem: "the file says that its header has " + group(length) + " bytes", Allowed: "up to " + units.Group(maxHeader) + ", the format's own limit", Hint: "this may not be a safetensors file"}
	case r.size >= 0 && int64(length) > r.size-8:
		return 0, &fault.Error{Problem: "the header is said to have " + group(length) + " bytes, but the file has " + units.Group(r.size), Hint: "fetch the file again"}
	case length < 2:
		return 0, &fault.Error{Problem: "the header is said to have " + group(length) + " bytes", Allowed: "at least 2", Hint: "this may not be a safetensors file"}
	}
	if r.list.gguf {
		return 0, &fault.Error{Problem: "this isn't a GGUF file, but others of the checkpoint are"}
	}
	r.st = newSafetensors(r, int64(length))
	return n, nil
}

// Pickle is the fault of a file that is a pickle; name may be empty.
func Pickle(name string) *fault.Error {
	return &fault.Error{File: name, Problem: "this is a pickle, and we don't read those: reading one runs code that it holds", Allowed: "safetensors or GGUF",
		Hint: "convert it, or ask for the config alone"}
}

func notWeights(h string) *fault.Error {
	if h[0] == '{' {
		return &fault.Error{Problem: "this is JSON, not a checkpoint", Allowed: "safetensors or GGUF"}
	}
	return &fault.Error{Problem: "this is a pointer to a file in large file storage, not the file", Hint: "fetch the file itself (git lfs pull)"}
}

// isMarkup reports whether a text begins like a web page.
func isMarkup(h string) bool {
	for i := 0; i < len(h); i++ {
		switch h[i] {
		case ' ', '\n', '\r', '\t':
			continue
		case '<':
			return i+1 < len(h) && (h[i+1] == '!' || h[i+1] == '?' || h[i+1] >= 'A' && h[i+1] <= 'z')
		}
		return false
	}
	return false
}

// group is units.Group for what may pass int64.
func group(n uint64) string {
	if n > 1<<63-1 {
		return "more than 9,223,372,036,854,775,807"
	}
	return units.Group(int64(n))
}

// span is where a tensor's data lies behind the header.
type span struct{ from, to int64 }

// spans checks that the data of a file's tensors do not overlap. Writers put
// them one behind the other, so the list is kept only from the first that is not.
type spans struct {
	end    int64
	chunks [][]span // grown in steps, so that many need no second copy
	count  int
}

const spansBits = 9

func (s *spans) at(i int) *span { return &s.chunks[i>>spansBits][i&(1<<spansBits-1)] }

func (s *spans) add(x span) {
	if s.count>>spansBits == len(s.chunks) {
		s.chunks = append(s.chunks, make([]span, 1<<spansBits))
	}
	*s.at(s.count) = x
	s.count++
}

// put adds a span.
func (s *spans) put(x span) {
	if s.count == 0 && x.from == s.end {
		s.end = x.to
		return
	}
	if s.count == 0 && s.end > 0 {
		s.add(span{0, s.end})
	}
	s.add(x)
}

// check sorts what came out of order. step rounds an end up to where the next may
// begin; exact means that there are no holes. It returns where the data end, and the
// place of a hole or an overlap, -1 for none.
func (s *spans) check(step int64, exact bool) (end, bad int64) {
	if s.count == 0 {
		return s.end, -1
	}
	s.sort()
	end = 0
	for i := range s.count {
		x := s.at(i)
		next := (end + step - 1) / step * step
		if x.from < end || exact && x.from != next {
			return end, x.from
		}
		end = x.to
	}
	return end, -1
}

// sort is a heap sort by beginning.
func (s *spans) sort() {
	less := func(a, b int) bool {
		x, y := s.at(a), s.at(b)
		return x.from < y.from || x.from == y.from && x.to < y.to
	}
	swap := func(a, b int) {
		x, y := s.at(a), s.at(b)
		*x, *y = *y, *x
	}
	down := func(root, n int) {
		for {
			child := 2*root + 1
			if child >= n {
				return
			}
			if child+1 < n && less(child, child+1) {
				child++
			}
			if !less(root, child) {
				return
			}
			swap(root, child)
			root = child
		}
	}
	for i := s.count/2 - 1; i >= 0; i-- {
		down(i, s.count)
	}
	for n := s.count - 1; n > 0; n-- {
		swap(0, n)
		down(0, n)
	}
}
