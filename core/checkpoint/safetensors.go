package checkpoint

import (
	"llmsize/core/fault"
	"llmsize/core/units"
)

// maxHeader is how long a safetensors header may be: the format's own limit
// (safetensors, src/tensor.rs, MAX_HEADER_SIZE).
const maxHeader = 100_000_000

// safetensors reads the JSON of a safetensors header:
//
//	{"__metadata__": {…}, "NAME": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0, 12]}, …}
type safetensors struct {
	r      *Reader
	length int64 // of the JSON
	left   int64
	json   events
	depth  int
	skip   int  // the depth below which nothing matters; 0 for none
	format bool // the key at hand is the metadata's format
	name   []byte
	field  field
	seen   uint8 // fields of the tensor at hand
	typ    Type
	dims   []int64
	from   int64
	to     int64
	nums   int
	data   spans
}

// field is a key of a tensor.
type field uint8

const (
	fieldOther field = iota
	fieldType
	fieldShape
	fieldOffsets
)

var fieldNames = [...]string{fieldType: "dtype", fieldShape: "shape", fieldOffsets: "data_offsets"}

func (f field) String() string {
	if f == fieldOther {
		return "a key"
	}
	return fieldNames[f]
}

// The fields of a tensor that were there.
const (
	hasType = 1 << iota
	hasShape
	hasOffsets
)

func newSafetensors(r *Reader, length int64) *safetensors {
	s := &safetensors{r: r, length: length, left: length}
	s.json.on = s.event
	return s
}

// write takes the next bytes and says how many of them are the header's.
func (s *safetensors) write(p []byte) (int, *fault.Error) {
	n := int(min(s.left, int64(len(p))))
	if err := s.json.write(p[:n]); err != nil {
		if err.Field == "" && s.depth > 1 && s.skip == 0 {
			err.Field = fault.Clip(string(s.name), 120)
		}
		return 0, err
	}
	if s.left -= int64(n); s.left > 0 {
		return n, nil
	}
	return n, s.end()
}

// end checks the header as a whole.
func (s *safetensors) end() *fault.Error {
	if s.json.state != stDone {
		return &fault.Error{Problem: "the header's JSON ends too early, at byte " + units.Group(s.json.pos)}
	}
	end, bad := s.data.check(1, true)
	if bad >= 0 {
		return &fault.Error{Problem: "the data of two tensors overlap, or have a hole between them, at byte " + units.Group(bad) + " of the data (the one before ends at " + units.Group(end) + ")"}
	}
	start := 8 + s.length
	if size := s.r.size; size >= 0 && size-start != end {
		problem, hint := "the file ends too early: it has ", "the download may have stopped; fetch the file again"
		if size-start > end {
			problem, hint = "the file is longer than its tensors: it has ", ""
		}
		return &fault.Error{Problem: problem + units.Group(size) + " bytes, and header and tensors " + units.Group(start+end), Hint: hint}
	}
	l := s.r.list
	if l.Bytes+end < 0 {
		return &fault.Error{Problem: "the checkpoint is too large to count"}
	}
	l.Files[s.r.file].Bytes = end
	l.Bytes += end
	s.r.done = true
	s.data = spans{}
	return nil
}

// event takes what the JSON brings. Depths: 1 in the header, 2 in a tensor, 3 in its lists.
func (s *safetensors) event(e event, text []byte) *fault.Error {
	switch e {
	case evObject, evList:
		s.depth++
		switch {
		case s.skip > 0:
		case s.depth == 1:
			if e == evList {
				return s.wrong("the header is a list", "an object")
			}
		case s.depth == 2 && e == evList:
			return s.wrong("this is a list", "an object with dtype, shape and data_offsets")
		case s.depth == 2 && is(s.name, "__metadata__"):
			s.skip = 2
		case s.depth == 2:
			s.seen, s.dims = 0, s.dims[:0]
		case s.depth == 3 && (s.field == fieldShape || s.field == fieldOffsets) && e == evList:
			s.nums = 0
		case s.depth == 3:
			if s.field != fieldOther {
				return s.wrong(s.field.String()+" is not what it has to be", "")
			}
			s.skip = 3
		default:
			return s.wrong(s.field.String()+" holds more than numbers", "whole numbers")
		}
		return nil
	case evEnd:
		s.depth--
		if s.skip > 0 {
			if s.depth < s.skip {
				s.skip = 0
			}
			return nil
		}
		switch s.depth {
		case 1:
			return s.tensor()
		case 2:
			return s.list()
		}
		return nil
	}
	if s.skip > 0 {
		if s.depth == 2 && s.skip == 2 { // of the metadata, who wrote the file
			if e == evText && s.format && is(text, "mlx") {
				s.r.list.mlx = true
			}
			s.format = e == evKey && is(text, "format")
		}
		return nil
	}
	switch {
	case e == evKey && s.depth == 1:
		s.name = append(s.name[:0], text...)
	case e == evKey && s.depth == 2:
		s.field = fieldOther
		for f := fieldType; f <= fieldOffsets; f++ {
			if is(text, fieldNames[f]) {
				s.field = f
			}
		}
	case s.depth == 1:
		return s.wrong("this is not an object", "an object with dtype, shape and data_offsets")
	case s.depth == 2 && s.field == fieldType:
		t, ok := typeNamed(text)
		if e != evText || !ok {
			return &fault.Error{Field: s.where(), Given: fault.Clip(string(text), 40), Problem: "this dtype is not known", Allowed: safetensorsTypes()}
		}
		s.typ = t
		return s.once(hasType)
	case s.depth == 2 && (s.field == fieldShape || s.field == fieldOffsets):
		return s.wrong(s.field.String()+" is not a list", "whole numbers in brackets")
	case s.depth == 3:
		n, ok := wholeNumber(text)
		if e != evNumber || !ok {
			return &fault.Error{Field: s.where(), Given: fault.Clip(string(text), 40), Problem: s.field.String() + " holds something else than sizes", Allowed: "whole numbers from 0 to 9,223,372,036,854,775,807"}
		}
		return s.number(n)
	}
	return nil
}

// number is an entry of the list at hand.
func (s *safetensors) number(n int64) *fault.Error {
	s.nums++
	switch {
	case s.field == fieldShape && s.nums > maxDims:
		return s.wrong("the shape has too many sides", "up to 16")
	case s.field == fieldShape:
		s.dims = append(s.dims, n)
	case s.nums == 1:
		s.from = n
	case s.nums == 2:
		s.to = n
	default:
		return s.wrong("data_offsets has more than two numbers", "[begin, end]")
	}
	return nil
}

// list ends one.
func (s *safetensors) list() *fault.Error {
	if s.field == fieldShape {
		return s.once(hasShape)
	}
	if s.nums != 2 {
		return s.wrong("data_offsets does not have two numbers", "[begin, end]")
	}
	return s.once(hasOffsets)
}

func (s *safetensors) once(field uint8) *fault.Error {
	if s.seen&field != 0 {
		return s.wrong(s.field.String()+" appears twice", "once")
	}
	s.seen |= field
	return nil
}

// tensor ends one: its shape, type and place have to agree.
func (s *safetensors) tensor() *fault.Error {
	if s.seen != hasType|hasShape|hasOffsets {
		return s.wrong("dtype, shape or data_offsets is missing", "all three")
	}
	n, ok := product(s.dims)
	if !ok {
		return s.wrong("the shape "+shapeText(s.dims)+" has more elements than can be counted", "up to 9,223,372,036,854,775,807")
	}
	size, ok := s.typ.dataBytes(n)
	switch {
	case !ok:
		return s.wrong("the shape "+shapeText(s.dims)+" in "+s.typ.String()+" does not come to whole bytes", "")
	case s.to < s.from:
		return s.wrong("its data end at byte "+units.Group(s.to)+", before they begin at "+units.Group(s.from), "")
	case s.to-s.from != size:
		return s.wrong("its data have "+units.Group(s.to-s.from)+" bytes, but "+shapeText(s.dims)+" in "+s.typ.String()+" takes "+units.Group(size), "")
	}
	s.data.put(span{s.from, s.to})
	return s.r.list.add(s.r.file, s.name, s.typ, s.dims)
}

func (s *safetensors) where() string { return fault.Clip(string(s.name), 120) }

func (s *safetensors) wrong(problem, allowed string) *fault.Error {
	return &fault.Error{Field: s.where(), Problem: problem + ", at byte " + units.Group(s.json.pos) + " of the header", Allowed: allowed}
}
