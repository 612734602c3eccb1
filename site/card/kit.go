package card

import (
	"strings"

	"llmsize/core/model"
)

// Kit is what cards are painted with: the colours of a theme, and the outlines of four fonts.
// It is one file, so that a program need not hold fonts. Numbers are big-endian:
//
//	colours  three bytes each, in the order of ColourNames
//	fonts    in the order of Serif, Book, Sans, Strong, each:
//	    u16      units of the square that the font is drawn on
//	    u16      number of letters, at most 256; the first stands for those that are missing
//	    letters  u16 code point, u16 advance, u16 where its outline begins, u16 its first pair; by code point
//	    u16      number of pairs
//	    pairs    u8 number of the second letter, i16 how much closer (below 0) or farther they stand
//	    u16      bytes of outlines
//	    outlines a letter's strokes: u8 kind (0 move, 1 line, 2 and 3 curves), then points, a curve two or three,
//	             as signed varints (zigzag) from the point before; x to the right, y down
type Kit struct {
	colours [numColours]RGB
	fonts   [NumFonts]font
}

// RGB is a colour.
type RGB struct{ R, G, B uint8 }

// A card's fonts. Numbers and names are in a book serif, labels in a sans.
const (
	Serif = iota
	Book
	Sans
	Strong
	NumFonts
)

// Places of a theme's colours in a kit.
const (
	paper = iota
	rule
	ink
	quiet
	measure
	hidden
	firstRole
	ofWeights  = firstRole + 2*int(model.NumRoles)
	ofCache    = ofWeights + 1
	ofWorking  = ofCache + 1
	over       = ofWorking + 1
	numColours = over + 1
)

// ColourNames are a kit's colours as the stylesheet calls them: "paper", "attention", "attention-line".
func ColourNames() []string {
	names := []string{"paper", "rule", "ink", "quiet", "line", "d-h"}
	for r := range model.NumRoles {
		names = append(names, r.String(), r.String()+"-line")
	}
	return append(names, "m-weights", "m-cache", "m-working", "over")
}

// washOf and edgeOf are the colours of a role's areas and of their edges.
func washOf(r model.Role) int { return firstRole + 2*int(r) }
func edgeOf(r model.Role) int { return washOf(r) + 1 }

// font is one of the kit's.
type font struct {
	units    int32
	letters  []letter
	pairs    []pair
	outlines string
}

type letter struct {
	rune
	advance int32
	outline int // where it begins
	pairs   int // the first that begins with it
}

type pair struct {
	second uint8
	gap    int16
}

// ReadKit reads a kit. ok is false for bytes that are none.
func ReadKit(data string) (k *Kit, ok bool) {
	in := reader{rest: data}
	k = &Kit{}
	for i := range k.colours {
		k.colours[i] = RGB{uint8(in.number(1)), uint8(in.number(1)), uint8(in.number(1))}
	}
	for i := range k.fonts {
		f := &k.fonts[i]
		f.units = int32(in.number(2))
		f.letters = make([]letter, in.number(2))
		for j := range f.letters {
			f.letters[j] = letter{rune(in.number(2)), int32(in.number(2)), in.number(2), in.number(2)}
		}
		f.pairs = make([]pair, in.number(2))
		for j := range f.pairs {
			f.pairs[j] = pair{uint8(in.number(1)), int16(in.number(2))}
		}
		f.outlines = in.take(in.number(2))
		if !f.sound() {
			return nil, false
		}
	}
	return k, !in.short && in.rest == ""
}

// sound reports whether a font's places are places in it.
func (f *font) sound() bool {
	if f.units == 0 || len(f.letters) == 0 || len(f.letters) > 256 {
		return false
	}
	outline, pairs := 0, 0
	for i := range f.letters {
		l := &f.letters[i]
		if l.outline < outline || l.pairs < pairs || l.outline > len(f.outlines) || l.pairs > len(f.pairs) {
			return false
		}
		outline, pairs = l.outline, l.pairs
	}
	return true
}

// find is a letter's number; 0, which stands for all that are missing, when the font lacks it.
func (f *font) find(r rune) int {
	low, high := 1, len(f.letters)
	for low < high {
		mid := (low + high) / 2
		switch at := f.letters[mid].rune; {
		case at == r:
			return mid
		case at < r:
			low = mid + 1
		default:
			high = mid
		}
	}
	return 0
}

// Lacks are the letters of a card that a kit does not have; boxes stand for them.
func (k *Kit) Lacks(c *Card) string {
	missing := ""
	look := func(texts ...string) {
		for _, s := range texts {
			for _, r := range curly(s) {
				if r != thin && k.fonts[Sans].find(r) == 0 && !strings.ContainsRune(missing, r) {
					missing += string(r)
				}
			}
		}
	}
	look(c.Site, c.Title, c.Kicker, c.Told, c.Text, c.Reading, c.Note, c.Figure)
	if h := c.Hill; h != nil {
		look(h.Told, h.Name)
		for i := range h.Areas {
			look(h.Areas[i].Name)
		}
		for i := range h.Phases {
			look(h.Phases[i].Title)
		}
	}
	for i := range c.Scene.Shapes {
		look(c.Scene.Shapes[i].Name, c.Scene.Shapes[i].Size)
	}
	for i := range c.Scene.Labels {
		look(c.Scene.Labels[i].Text)
	}
	return missing
}

// gap is how much farther than their advances two letters stand apart, in the font's units.
func (f *font) gap(first, second int) int32 {
	end := len(f.pairs)
	if first+1 < len(f.letters) {
		end = f.letters[first+1].pairs
	}
	for _, p := range f.pairs[f.letters[first].pairs:end] {
		if int(p.second) == second {
			return int32(p.gap)
		}
	}
	return 0
}

// outline is a letter's strokes.
func (f *font) outline(n int) string {
	end := len(f.outlines)
	if n+1 < len(f.letters) {
		end = f.letters[n+1].outline
	}
	return f.outlines[f.letters[n].outline:end]
}

// reader takes numbers off the front of bytes.
type reader struct {
	rest  string
	short bool // there was less than asked for
}

func (in *reader) take(n int) string {
	if n > len(in.rest) {
		in.short, in.rest = true, ""
		return ""
	}
	got := in.rest[:n]
	in.rest = in.rest[n:]
	return got
}

// number reads an unsigned number of some bytes; 0 where they are missing.
func (in *reader) number(bytes int) int {
	n := 0
	for _, b := range []byte(in.take(bytes)) {
		n = n<<8 | int(b)
	}
	return n
}

// signed reads a varint.
func (in *reader) signed() int32 {
	n, shift := uint32(0), 0
	for {
		b := in.number(1)
		n |= uint32(b&127) << shift
		if b < 128 || shift >= 28 {
			return int32(n>>1) ^ -int32(n&1)
		}
		shift += 7
	}
}
