package cards

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"codeberg.org/go-fonts/stix/stix2textsemibold"
	"github.com/andybalholm/brotli"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// displayed are the characters that the display face has, in the order of their codes.
const displayed = " '(),-./0123456789:;=?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzµ·×–’“”"

// finest is the square of an em that outlines lie on: at the largest size that a page sets, 44 pixels, no point is further from
// where it was drawn than an eleventh of one.
const finest = 250

// Display makes the site's display face: STIX Two Text SemiBold, the letters of the cards, cut to what headings and large
// figures are set in, as woff2. Other letters are taken from the system's serif. Points lie on a grid four times as
// coarse as the source's, and there are no hints, kerning or alternatives: the file is what every page waits for.
func Display() ([]byte, error) {
	tables, err := cut(stix2textsemibold.TTF, displayed)
	if err != nil {
		return nil, fmt.Errorf("display face: %w", err)
	}
	return woff2(tables)
}

// table is one of a font's, by its name.
type table struct {
	name string
	data []byte
}

// cut makes the tables of an OpenType font with Compact Font Format outlines, of the source's glyphs for the given characters, sorted by name.
func cut(source []byte, characters string) ([]table, error) {
	parsed, err := sfnt.Parse(source)
	if err != nil {
		return nil, err
	}
	c := cutter{font: parsed, units: int(parsed.UnitsPerEm())}
	if err := c.glyph(0); err != nil { // the glyph of a missing character
		return nil, err
	}
	for _, r := range characters {
		i, err := parsed.GlyphIndex(&c.buffer, r)
		if err == nil && i == 0 {
			err = fmt.Errorf("the source has none")
		}
		if err == nil {
			err = c.glyph(i)
		}
		if err != nil {
			return nil, fmt.Errorf("the glyph of %q: %w", r, err)
		}
	}
	notice, err := parsed.Name(&c.buffer, sfnt.NameIDCopyright)
	if err != nil {
		return nil, err
	}
	old := raw(source)
	for name, size := range map[string]int{"OS/2": 96, "head": 54, "hhea": 36, "post": 32} {
		if len(old[name]) < size {
			return nil, fmt.Errorf("table %s has %d bytes", name, len(old[name]))
		}
	}
	head := c.scaled(old["head"][:54], 36, 38, 40, 42)
	binary.BigEndian.PutUint16(head[18:], finest)
	hhea := c.scaled(old["hhea"][:36], 4, 6, 8, 10, 12, 14, 16)
	binary.BigEndian.PutUint16(hhea[34:], uint16(len(c.outlines)))
	post := c.scaled(old["post"][:32], 8, 10)
	binary.BigEndian.PutUint32(post, 0x30000) // without names of glyphs
	return []table{
		{"CFF ", c.outlinesTable()},
		{"OS/2", c.scaled(old["OS/2"][:96], 2, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 68, 70, 72, 74, 76, 86, 88)},
		{"cmap", charactersTable(characters)},
		{"head", head},
		{"hhea", hhea},
		{"hmtx", c.widths},
		{"maxp", numbers(uint32(0x5000), uint16(len(c.outlines)))},
		{"name", namesTable(notice)},
		{"post", post},
	}, nil
}

// cutter collects glyphs.
type cutter struct {
	font     *sfnt.Font
	buffer   sfnt.Buffer
	units    int // of the source's em
	outlines [][]byte
	widths   []byte // the table hmtx
}

// glyph adds a glyph of the source.
func (c *cutter) glyph(i sfnt.GlyphIndex) error {
	em := fixed.I(c.units)
	segments, err := c.font.LoadGlyph(&c.buffer, i, em, nil)
	if err != nil {
		return err
	}
	program, left := outline(segments, c.round)
	c.outlines = append(c.outlines, program)
	width, err := c.font.GlyphAdvance(&c.buffer, i, em, font.HintingNone)
	if err != nil {
		return err
	}
	c.widths = append(c.widths, numbers(uint16(c.round(width)), int16(left))...)
	return nil
}

// round brings a length of the source, in 64ths of its units, onto the grid.
func (c *cutter) round(x fixed.Int26_6) int {
	return int(math.Round(float64(x) / 64 * finest / float64(c.units)))
}

// scaled copies a table and brings the lengths at the given places onto the grid.
func (c *cutter) scaled(data []byte, places ...int) []byte {
	data = slices.Clone(data)
	for _, at := range places {
		x := int16(binary.BigEndian.Uint16(data[at:]))
		binary.BigEndian.PutUint16(data[at:], uint16(c.round(fixed.I(int(x)))))
	}
	return data
}

// raw are the tables of a font file, by their names.
func raw(file []byte) map[string][]byte {
	tables := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(file[4:])) {
		entry := file[12+16*i:]
		from, n := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		tables[string(entry[:4])] = file[from : from+n]
	}
	return tables
}

// numbers writes values one behind the other, the high byte first.
func numbers(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		binary.Write(&b, binary.BigEndian, v) // of numbers and bytes only: it cannot fail
	}
	return b.Bytes()
}

// charactersTable says which character is which glyph, in format 12: the first character is the glyph after that of missing ones.
func charactersTable(characters string) []byte {
	type run struct{ first, last, glyph uint32 }
	var runs []run
	for i, r := range []rune(characters) {
		if n := len(runs); n > 0 && runs[n-1].last+1 == uint32(r) {
			runs[n-1].last++
		} else {
			runs = append(runs, run{uint32(r), uint32(r), uint32(i + 1)})
		}
	}
	return numbers(uint16(0), uint16(1), uint16(3), uint16(10), uint32(12), // Windows, all of Unicode
		uint16(12), uint16(0), uint32(16+12*len(runs)), uint32(0), uint32(len(runs)), runs)
}

// namesTable has the notice that the source asks to keep, and the names that every font has.
func namesTable(notice string) []byte {
	entries, text := []byte{}, []byte{}
	names := []string{0: notice, 1: "Display", 2: "Regular"}
	for id, name := range names {
		from := len(text)
		for _, r := range name {
			text = append(text, byte(r>>8), byte(r))
		}
		entries = append(entries, numbers(uint16(3), uint16(1), uint16(0x409), uint16(id), uint16(len(text)-from), uint16(from))...)
	}
	return numbers(uint16(0), uint16(len(names)), uint16(6+len(entries)), entries, text)
}

// outlinesTable is the Compact Font Format: one font without names of glyphs, hints or subroutines.
func (c *cutter) outlinesTable() []byte {
	scale := fmt.Appendf(nil, "%g", 1/float64(finest))
	matrix := slices.Concat(decimal(scale), operand(0), operand(0), decimal(scale), operand(0), operand(0), []byte{12, 7})
	start := slices.Concat([]byte{1, 0, 4, 2}, index([]byte("Display")))
	rest := slices.Concat(index(), index()) // strings and subroutines
	private := slices.Concat(operand(0), []byte{20})
	// Offsets are written in three bytes each, so that the length of the dictionary doesn't depend on them.
	dictionary := func(glyphs, own int) []byte {
		return index(slices.Concat(matrix, []byte{28}, numbers(uint16(glyphs)), []byte{17}, operand(len(private)), []byte{28}, numbers(uint16(own)), []byte{18}))
	}
	own := len(start) + len(dictionary(0, 0)) + len(rest)
	glyphs := own + len(private)
	return slices.Concat(start, dictionary(glyphs, own), rest, private, index(c.outlines...))
}

// index is a list of the Compact Font Format.
func index(items ...[]byte) []byte {
	if len(items) == 0 {
		return []byte{0, 0}
	}
	b := numbers(uint16(len(items)), byte(2))
	at := uint16(1)
	for _, item := range items {
		b = binary.BigEndian.AppendUint16(b, at)
		at += uint16(len(item))
	}
	return append(binary.BigEndian.AppendUint16(b, at), slices.Concat(items...)...)
}

// decimal writes a decimal number as an operand of a dictionary: half a byte a character.
func decimal(text []byte) []byte {
	b, half := []byte{30}, []byte{}
	for _, c := range text {
		if c == '.' {
			half = append(half, 10)
		} else {
			half = append(half, c-'0')
		}
	}
	half = append(half, 15)
	if len(half)%2 == 1 {
		half = append(half, 15)
	}
	for i := 0; i < len(half); i += 2 {
		b = append(b, half[i]<<4|half[i+1])
	}
	return b
}

// operand writes a whole number for a glyph's program or a dictionary.
func operand(n int) []byte {
	switch {
	case n >= -107 && n <= 107:
		return []byte{byte(n + 139)}
	case n >= 108 && n <= 1131:
		return []byte{byte(247 + (n-108)>>8), byte(n - 108)}
	case n >= -1131 && n <= -108:
		return []byte{byte(251 + (-n-108)>>8), byte(-n - 108)}
	}
	return []byte{28, byte(n >> 8), byte(n)}
}

// A glyph's program of type 2: operands, then what to do with them. It says the same by the shortest of these.
const (
	lineTo, horizontalLine, verticalLine                                 = 5, 6, 7
	curveTo, verticalCurves, horizontalCurves, risingCurve, fallingCurve = 8, 26, 27, 30, 31
	moveTo, horizontalMove, verticalMove, endGlyph                       = 21, 22, 4, 14
)

// mostOperands may stand before an operator.
const mostOperands = 48

// outline writes the program of a glyph, and says where its leftmost point is.
func outline(segments sfnt.Segments, round func(fixed.Int26_6) int) (program []byte, left int) {
	var p pen
	var first fixed.Point26_6 // of a contour
	left = math.MaxInt
	for i, s := range segments {
		n := 1
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			first = s.Args[0]
		case sfnt.SegmentOpCubeTo:
			n = 3
		case sfnt.SegmentOpLineTo:
			if last := i+1 == len(segments) || segments[i+1].Op == sfnt.SegmentOpMoveTo; last && s.Args[0] == first {
				continue // a contour closes by itself
			}
		}
		var step []int
		for _, at := range s.Args[:n] {
			x, y := round(at.X), -round(at.Y) // the source's reader counts downwards
			left = min(left, x)
			step = append(step, x-p.x, y-p.y)
			p.x, p.y = x, y
		}
		switch {
		case s.Op == sfnt.SegmentOpMoveTo:
			p.move(step)
		case slices.Max(step) == 0 && slices.Min(step) == 0: // nothing is left of it on the grid
		case n == 1:
			p.line(step)
		default:
			p.curve(step)
		}
	}
	if left == math.MaxInt {
		left = 0
	}
	p.flush()
	return append(p.program, endGlyph), left
}

// pen collects operands while what comes next can be said with the same operator.
type pen struct {
	program  []byte
	x, y     int
	operator byte
	operands []int
	upright  bool // an alternating run goes on upright
}

func (p *pen) flush() {
	if len(p.operands) == 0 {
		return
	}
	for _, n := range p.operands {
		p.program = append(p.program, operand(n)...)
	}
	p.program = append(p.program, p.operator)
	p.operands = nil
}

// begin makes sure that n more operands can stand before an operator.
func (p *pen) begin(operator byte, n int) {
	if p.operator != operator || len(p.operands)+n > mostOperands {
		p.flush()
	}
	p.operator = operator
}

func (p *pen) move(d []int) {
	p.flush()
	switch {
	case d[1] == 0:
		p.operator, p.operands = horizontalMove, d[:1]
	case d[0] == 0:
		p.operator, p.operands = verticalMove, d[1:]
	default:
		p.operator, p.operands = moveTo, d
	}
	p.flush()
}

func (p *pen) line(d []int) {
	if d[0] != 0 && d[1] != 0 {
		p.begin(lineTo, 2)
		p.operands = append(p.operands, d...)
		return
	}
	upright := d[0] == 0
	if running := p.operator == horizontalLine || p.operator == verticalLine; !running || len(p.operands) == 0 || len(p.operands) == mostOperands || p.upright != upright {
		p.flush()
		p.operator = horizontalLine
		if upright {
			p.operator = verticalLine
		}
	}
	p.operands = append(p.operands, d[0]+d[1]) // one of them is zero
	p.upright = !upright
}

func (p *pen) curve(d []int) {
	flatStart, steepStart, flatEnd, steepEnd := d[1] == 0, d[0] == 0, d[5] == 0, d[4] == 0
	flat, steep := flatStart && steepEnd, steepStart && flatEnd
	switch {
	case flat || steep: // quarters of a round, in turn
		running := (p.operator == risingCurve || p.operator == fallingCurve) && len(p.operands) > 0 && len(p.operands)+4 <= mostOperands
		if !running || (p.upright && !steep) || (!p.upright && !flat) {
			p.flush()
			if p.operator, p.upright = fallingCurve, steep; steep {
				p.operator = risingCurve
			}
		}
		p.operands = append(p.operands, d[0]+d[1], d[2], d[3], d[4]+d[5])
		p.upright = !p.upright
	case flatStart && flatEnd:
		p.begin(horizontalCurves, 4)
		p.operands = append(p.operands, d[0], d[2], d[3], d[4])
	case steepStart && steepEnd:
		p.begin(verticalCurves, 4)
		p.operands = append(p.operands, d[1], d[2], d[3], d[5])
	default:
		p.begin(curveTo, 6)
		p.operands = append(p.operands, d...)
	}
}

// woff2 packs tables as the Web Open Font Format 2, which names those that every font has by a number.
func woff2(tables []table) ([]byte, error) {
	known := map[string]byte{"cmap": 0, "head": 1, "hhea": 2, "hmtx": 3, "maxp": 4, "name": 5, "OS/2": 6, "post": 7, "CFF ": 13}
	var directory []byte
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, brotli.BestCompression)
	whole := 12 + 16*len(tables)
	for _, t := range tables {
		whole += (len(t.data) + 3) &^ 3
		directory = append(directory, known[t.name])
		if n := len(t.data); n >= 128 {
			directory = append(directory, byte(n>>7|0x80), byte(n&0x7f))
		} else {
			directory = append(directory, byte(n))
		}
		if len(t.data) >= 1<<14 {
			return nil, fmt.Errorf("display face: table %s has %d bytes", t.name, len(t.data))
		}
		if _, err := w.Write(t.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	length := (48 + len(directory) + packed.Len() + 3) &^ 3
	file := numbers([]byte("wOF2OTTO"), uint32(length), uint16(len(tables)), uint16(0), uint32(whole), uint32(packed.Len()), uint16(1), uint16(0), make([]byte, 20), directory, packed.Bytes())
	return append(file, make([]byte, length-len(file))...), nil
}
