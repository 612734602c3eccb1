package cards

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"codeberg.org/go-fonts/stix/stix2textsemibold"
	"github.com/andybalholm/brotli"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The face is a part of what every page waits for.
const mostDisplay = 5_600

// TestDisplay reads the face back by another's reader: each character has its glyph of the source, its points and its width no
// further from there than half a step of the grid.
func TestDisplay(t *testing.T) {
	file, err := Display()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(file, []byte("wOF2OTTO")) || len(file) > mostDisplay || int(binary.BigEndian.Uint32(file[8:])) != len(file) {
		t.Errorf("%d bytes that begin with %q", len(file), file[:8])
	}
	t.Logf("%d bytes", len(file))
	made, err := sfnt.Parse(unpacked(t, file))
	if err != nil {
		t.Fatal(err)
	}
	source, err := sfnt.Parse(stix2textsemibold.TTF)
	if err != nil {
		t.Fatal(err)
	}
	var b sfnt.Buffer
	em := fixed.I(int(source.UnitsPerEm()))
	points := 0
	for _, r := range displayed {
		glyph := func(f *sfnt.Font) (ends []fixed.Point26_6, width fixed.Int26_6) {
			i, err := f.GlyphIndex(&b, r)
			if err != nil || i == 0 {
				t.Fatalf("%q: glyph %d, %v", r, i, err)
			}
			segments, err := f.LoadGlyph(&b, i, em, nil)
			if err != nil {
				t.Fatalf("%q: %v", r, err)
			}
			for _, s := range segments {
				n := 1
				if s.Op == sfnt.SegmentOpCubeTo {
					n = 3
				}
				ends = append(ends, s.Args[:n]...)
			}
			if width, err = f.GlyphAdvance(&b, i, em, font.HintingNone); err != nil {
				t.Fatalf("%q: %v", r, err)
			}
			return ends, width
		}
		want, wide := glyph(source)
		got, is := glyph(made)
		if near := em / (2 * finest); (is-wide).Floor() > near.Ceil() || (wide-is).Floor() > near.Ceil() {
			t.Errorf("%q is %v wide, in the source %v", r, is, wide)
		}
		points += len(got)
		// A step that is nothing on the grid is left out: of each point there is one at most half a step away, either way round.
		for _, pair := range [][2][]fixed.Point26_6{{want, got}, {got, want}} {
			for _, p := range pair[0] {
				if !hasNear(pair[1], p, em/(2*finest)+1) {
					t.Errorf("%q: no point near %v", r, p)
				}
			}
		}
	}
	if points < 1000 {
		t.Errorf("%d points were compared", points)
	}
}

func hasNear(points []fixed.Point26_6, p fixed.Point26_6, most fixed.Int26_6) bool {
	for _, q := range points {
		if d := p.Sub(q); max(d.X, -d.X, d.Y, -d.Y) <= most {
			return true
		}
	}
	return false
}

// unpacked makes of a woff2 file the font that it packs.
func unpacked(t *testing.T, file []byte) []byte {
	t.Helper()
	names := map[byte]string{0: "cmap", 1: "head", 2: "hhea", 3: "hmtx", 4: "maxp", 5: "name", 6: "OS/2", 7: "post", 13: "CFF "}
	n := int(binary.BigEndian.Uint16(file[12:]))
	at := 48
	font := numbers([]byte("OTTO"), uint16(n), make([]byte, 6))
	from := 12 + 16*n
	var sizes []int
	for range n {
		name := names[file[at]]
		size := 0
		for at++; ; at++ {
			size = size<<7 | int(file[at]&0x7f)
			if file[at] < 0x80 {
				break
			}
		}
		at++
		font = append(font, numbers([]byte(name), uint32(0), uint32(from), uint32(size))...)
		sizes = append(sizes, size)
		from += (size + 3) &^ 3
	}
	data, err := io.ReadAll(brotli.NewReader(bytes.NewReader(file[at : at+int(binary.BigEndian.Uint32(file[20:]))])))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		font = append(append(font, data[:size]...), make([]byte, (4-size%4)%4)...)
		data = data[size:]
	}
	if len(data) != 0 {
		t.Errorf("%d bytes more than tables", len(data))
	}
	return font
}
