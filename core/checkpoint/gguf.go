package checkpoint

import (
	"unicode/utf8"

	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/units"
)

// Bounds of a GGUF header.
const (
	maxMeta    = 1 << 13  // entries of metadata
	maxKept    = 1 << 12  // entries of a list that is kept, and bytes of a text that is
	maxRoom    = 1 << 16  // of these in all; what comes after is left empty
	maxStrings = 64 << 20 // entries of a list of texts: vocabularies have 262,144
)

// gguf reads a GGUF header: magic, version, counts, metadata, tensors. It asks for
// a number of bytes and goes on when it has them.
type gguf struct {
	r     *Reader
	need  int // bytes that the next step wants
	buf   []byte
	step  func(g *gguf, b []byte) *fault.Error
	after func(g *gguf) *fault.Error // what has been passed over: no closure, for vocabularies have many texts
	big   bool                       // bytes of numbers in the other order
	short bool                       // version 1: counts in 32 bits
	taken int                        // bytes of the piece at hand that are read

	tensors, metas uint64
	key            string
	elem           uint32 // the type of a list's entries
	left           uint64 // entries still to come
	value          config.Value
	room           int // that kept lists and texts take
	count          int64
	align          int64

	name []byte
	dims []int64
	data spans
	last int64 // where the data end, padding left out
	sum  int64
}

// write takes bytes, never behind the header, and says how many.
func (g *gguf) write(p []byte) (int, *fault.Error) {
	if g.step == nil {
		g.step, g.need, g.align = (*gguf).version, 4, 32
	}
	g.taken = 0
	for !g.r.done && g.r.skip == 0 {
		if len(g.buf) < g.need {
			k := min(g.need-len(g.buf), len(p)-g.taken)
			if k == 0 {
				break
			}
			g.buf = append(g.buf, p[g.taken:g.taken+k]...)
			g.taken += k
			continue
		}
		b := g.buf
		g.buf = g.buf[:0] // a step has done with b when it returns
		if err := g.step(g, b); err != nil {
			return g.taken, err
		}
	}
	n := g.taken
	g.taken = 0
	return n, nil
}

// pos is the place in the file of the next byte.
func (g *gguf) pos() int64 { return g.r.pos + int64(g.taken) }

// pass leaves out n bytes, then goes on with step.
func (g *gguf) pass(n uint64, step func(*gguf) *fault.Error) *fault.Error {
	g.r.skip, g.after = int64(n), step
	return g.want(0, func(g *gguf, _ []byte) *fault.Error { return g.after(g) })
}

// want says what comes next: step is called with n bytes.
func (g *gguf) want(n int, step func(*gguf, []byte) *fault.Error) *fault.Error {
	g.need, g.step = n, step
	return nil
}

func (g *gguf) fail(problem string) *fault.Error {
	f := &fault.Error{Problem: problem + ", near byte " + units.Group(g.pos())}
	switch {
	case len(g.name) > 0:
		f.Field = fault.Clip(string(g.name), 120)
	case g.key != "":
		f.Field = fault.Clip(g.key, 120)
	}
	return f
}

func (g *gguf) u32(b []byte) uint32 {
	if g.big {
		return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	}
	return uint32(b[3])<<24 | uint32(b[2])<<16 | uint32(b[1])<<8 | uint32(b[0])
}

// size reads a count: eight bytes, four in version 1.
func (g *gguf) size(b []byte) uint64 {
	switch {
	case len(b) == 4:
		return uint64(g.u32(b))
	case g.big:
		return uint64(g.u32(b[:4]))<<32 | uint64(g.u32(b[4:]))
	}
	return uint64(g.u32(b[4:]))<<32 | uint64(g.u32(b[:4]))
}

func (g *gguf) sizeBytes() int {
	if g.short {
		return 4
	}
	return 8
}

// behind reports whether n bytes more would pass the file's end, as far as that is known.
func (g *gguf) behind(n uint64) bool {
	return g.r.size >= 0 && n > uint64(max(g.r.size-g.pos(), 0))
}

// noRoom says so where the file ends before n more bytes.
func (g *gguf) noRoom(n uint64) string {
	if g.behind(n) {
		return ", more than the file has room for"
	}
	return ""
}

func (g *gguf) version(b []byte) *fault.Error {
	v := g.u32(b)
	if v&0xffff == 0 {
		g.big = true
		v = g.u32(b)
	}
	if v < 1 || v > 3 {
		return &fault.Error{Problem: "this version of GGUF is not known", Given: units.Group(int64(v)), Allowed: "1 to 3"}
	}
	g.short = v == 1
	return g.want(2*g.sizeBytes(), (*gguf).counts)
}

func (g *gguf) counts(b []byte) *fault.Error {
	n := g.sizeBytes()
	g.tensors, g.metas = g.size(b[:n]), g.size(b[n:])
	switch {
	case g.tensors > MaxTensors:
		return &fault.Error{Problem: "the file says that it has " + group(g.tensors) + " tensors", Allowed: "up to " + units.Group(MaxTensors)}
	case g.metas > maxMeta:
		return &fault.Error{Problem: "the file says that it has " + group(g.metas) + " entries of metadata", Allowed: "up to " + units.Group(maxMeta)}
	}
	return g.next()
}

// next goes to the next entry of metadata, then to the tensors.
func (g *gguf) next() *fault.Error {
	g.key, g.name = "", g.name[:0]
	switch {
	case g.metas > 0:
		g.metas--
		return g.want(g.sizeBytes(), (*gguf).keyLength)
	case g.tensors > 0:
		g.tensors--
		return g.want(g.sizeBytes(), (*gguf).nameLength)
	}
	return g.end()
}

func (g *gguf) keyLength(b []byte) *fault.Error {
	n := g.size(b)
	if n == 0 || n > maxName || g.behind(n) {
		return g.fail("a key of the metadata is said to have " + group(n) + " bytes" + g.noRoom(n))
	}
	return g.want(int(n)+4, (*gguf).keyAndType)
}

func (g *gguf) keyAndType(b []byte) *fault.Error {
	n := len(b) - 4
	if !utf8.Valid(b[:n]) {
		return g.fail("a key of the metadata is not UTF-8")
	}
	g.key = string(b[:n])
	for i := range g.r.list.Meta {
		// The files of a split checkpoint repeat a few.
		if g.r.list.Meta[i].Key == g.key && g.r.file == 0 {
			return g.fail("the key appears twice")
		}
	}
	g.value, g.count = config.Value{}, 0
	return g.typed(g.u32(b[n:]))
}

// widths of the scalar types, by number; 8 is a text, 9 a list.
var widths = [...]int{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8}

func (g *gguf) typed(t uint32) *fault.Error {
	switch {
	case t == 8:
		return g.want(g.sizeBytes(), (*gguf).textLength)
	case t == 9:
		return g.want(4+g.sizeBytes(), (*gguf).listHead)
	case int(t) < len(widths):
		g.elem = t
		return g.want(widths[t], func(g *gguf, b []byte) *fault.Error {
			g.value = g.scalar(b)
			return g.keep()
		})
	}
	return g.fail("a type of metadata is not known: " + units.Group(int64(t)))
}

// keep puts the entry at hand into the list.
func (g *gguf) keep() *fault.Error {
	l := g.r.list
	if g.key == "general.alignment" {
		n, ok := g.value.Int()
		if !ok || n <= 0 || n > 1<<20 || n&(n-1) != 0 {
			return g.fail("the alignment is " + fault.Clip(g.value.JSON(), 30) + ", not a power of two")
		}
		g.align = n
	}
	for i := range l.Meta {
		if l.Meta[i].Key == g.key {
			return g.next()
		}
	}
	l.Meta = append(l.Meta, Meta{g.key, g.value, g.count})
	return g.next()
}

func (g *gguf) textLength(b []byte) *fault.Error {
	n := g.size(b)
	if g.behind(n) || n > 1<<40 {
		return g.fail("a text is said to have " + group(n) + " bytes" + g.noRoom(n))
	}
	g.value = config.Value{Kind: config.String}
	if n == 0 {
		return g.keep()
	}
	if !g.fits(n) {
		return g.pass(n, (*gguf).keep)
	}
	return g.want(int(n), func(g *gguf, b []byte) *fault.Error {
		g.value.Text = string(b)
		if !utf8.Valid(b) {
			g.value.Text = ""
		}
		return g.keep()
	})
}

// fits reports whether n entries or bytes are kept, and takes the room for them.
func (g *gguf) fits(n uint64) bool {
	if n > maxKept || g.room+int(n) > maxRoom {
		return false
	}
	g.room += int(n)
	return true
}

func (g *gguf) listHead(b []byte) *fault.Error {
	g.elem, g.left = g.u32(b), g.size(b[4:])
	switch {
	case g.elem == 9:
		return g.fail("lists of lists are not read")
	case g.elem != 8 && int(g.elem) >= len(widths):
		return g.fail("a type of metadata is not known: " + units.Group(int64(g.elem)))
	case g.left > maxStrings:
		return g.fail("a list is said to have " + group(g.left) + " entries")
	}
	g.count, g.value = int64(g.left), config.Value{Kind: config.List}
	if g.elem == 8 {
		if all := g.left * uint64(g.sizeBytes()); g.behind(all) {
			return g.fail("a list is said to have " + group(g.left) + " entries" + g.noRoom(all))
		}
		return g.texts()
	}
	all := g.left * uint64(widths[g.elem])
	switch {
	case g.behind(all):
		return g.fail("a list is said to have " + group(g.left) + " entries" + g.noRoom(all))
	case all == 0:
		return g.keep()
	case !g.fits(g.left):
		return g.pass(all, (*gguf).keep)
	}
	return g.want(int(all), func(g *gguf, b []byte) *fault.Error {
		w := widths[g.elem]
		g.value.Items = make([]config.Value, 0, g.left)
		for i := 0; i < len(b); i += w {
			g.value.Items = append(g.value.Items, g.scalar(b[i:i+w]))
		}
		return g.keep()
	})
}

// texts passes over a list of texts, one length after the other.
func (g *gguf) texts() *fault.Error {
	if g.left == 0 {
		return g.keep()
	}
	g.left--
	return g.want(g.sizeBytes(), func(g *gguf, b []byte) *fault.Error {
		n := g.size(b)
		if g.behind(n) || n > 1<<40 {
			return g.fail("a text is said to have " + group(n) + " bytes" + g.noRoom(n))
		}
		if n == 0 {
			return g.texts()
		}
		return g.pass(n, (*gguf).texts)
	})
}

// scalar reads a number. Fractions keep no value: none shapes a tensor.
func (g *gguf) scalar(b []byte) config.Value {
	num := func(n int64) config.Value { return config.Value{Kind: config.Number, Text: units.Itoa(n)} }
	switch g.elem {
	case 0:
		return num(int64(b[0]))
	case 1:
		return num(int64(int8(b[0])))
	case 2, 3:
		n := uint16(b[1])<<8 | uint16(b[0])
		if g.big {
			n = uint16(b[0])<<8 | uint16(b[1])
		}
		if g.elem == 3 {
			return num(int64(int16(n)))
		}
		return num(int64(n))
	case 4:
		return num(int64(g.u32(b)))
	case 5:
		return num(int64(int32(g.u32(b))))
	case 7:
		if b[0] != 0 {
			return config.Value{Kind: config.Bool, Text: "true"}
		}
		return config.Value{Kind: config.Bool, Text: "false"}
	case 10:
		if n := g.size(b); n <= 1<<63-1 {
			return num(int64(n))
		}
	case 11:
		return num(int64(g.size(b)))
	}
	return config.Value{Kind: config.Null}
}

func (g *gguf) nameLength(b []byte) *fault.Error {
	n := g.size(b)
	if n == 0 || n > maxName || g.behind(n) {
		return g.fail("a tensor's name is said to have " + group(n) + " bytes" + g.noRoom(n))
	}
	return g.want(int(n)+4, (*gguf).nameAndDims)
}

func (g *gguf) nameAndDims(b []byte) *fault.Error {
	n := len(b) - 4
	if !utf8.Valid(b[:n]) {
		return g.fail("a tensor's name is not UTF-8")
	}
	g.name = append(g.name[:0], b[:n]...)
	dims := g.u32(b[n:])
	if dims > maxDims {
		return g.fail("the shape has " + units.Group(int64(dims)) + " sides")
	}
	return g.want(int(dims)*g.sizeBytes()+4+8, (*gguf).tensor)
}

// tensor reads sides, type and offset; the first side is the row.
func (g *gguf) tensor(b []byte) *fault.Error {
	w := g.sizeBytes()
	g.dims = g.dims[:0]
	for i := len(b) - 12 - w; i >= 0; i -= w {
		d := g.size(b[i : i+w])
		if d > 1<<63-1 {
			return g.fail("a side of the shape is too large")
		}
		g.dims = append(g.dims, int64(d))
	}
	number := g.u32(b[len(b)-12:])
	t, ok := typeNumbered(number)
	if !ok {
		return g.fail("this type of tensor is not known: " + units.Group(int64(number)))
	}
	n, ok := product(g.dims)
	if !ok {
		return g.fail("the shape " + shapeText(g.dims) + " has more elements than can be counted")
	}
	row := int64(1)
	if len(g.dims) > 0 {
		row = g.dims[len(g.dims)-1]
	}
	size, ok := t.dataBytes(n)
	if !ok || row%types[t].block != 0 {
		return g.fail("rows of " + units.Group(row) + " elements do not divide into blocks of " + t.String())
	}
	short := g.short
	g.short = false
	offset := g.size(b[len(b)-8:])
	g.short = short
	if offset > 1<<62 || size > 1<<62 || g.sum+size < 0 || offset%uint64(g.align) != 0 {
		return g.fail("its data are said to begin at byte " + group(offset))
	}
	from := int64(offset)
	g.last, g.sum = max(g.last, from+size), g.sum+size
	g.data.put(span{from, (from + size + g.align - 1) / g.align * g.align})
	if err := g.r.list.add(g.r.file, g.name, t, g.dims); err != nil {
		return err
	}
	return g.next()
}

// end checks the file as a whole.
func (g *gguf) end() *fault.Error {
	end, bad := g.data.check(g.align, false)
	if bad >= 0 {
		return &fault.Error{Problem: "the data of two tensors overlap, at byte " + units.Group(bad) + " of the data (the one before ends at " + units.Group(end) + ")"}
	}
	start := (g.pos() + g.align - 1) / g.align * g.align
	if size := g.r.size; size >= 0 && g.last > 0 && size-start < g.last {
		return &fault.Error{Problem: "the file ends too early: it has " + units.Group(size) + " bytes, and header and tensors " + units.Group(start+g.last), Hint: "the download may have stopped; fetch the file again"}
	}
	g.r.done = true
	l := g.r.list
	if l.Bytes+g.sum < 0 {
		return &fault.Error{Problem: "the checkpoint is too large to count"}
	}
	l.Files[g.r.file].Bytes = g.sum
	l.Bytes += g.sum
	g.data = spans{}
	return nil
}
