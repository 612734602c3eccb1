package cards

import (
	"encoding/binary"
	"fmt"
	"slices"

	"codeberg.org/go-fonts/stix/stix2textregular"
	"codeberg.org/go-fonts/stix/stix2textsemibold"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"llmsize/site/card"
)

// fonts are the cards' fonts: STIX Two for names and numbers and Go's own sans for labels. They come as Go
// modules, so that every machine paints the same letters.
var fonts = [card.NumFonts][]byte{
	card.Serif: stix2textsemibold.TTF, card.Book: stix2textregular.TTF,
	card.Sans: goregular.TTF, card.Strong: gomedium.TTF,
}

// letters are those that a kit holds: ASCII, and the signs that names, counts and questions have beside it. A
// card of the site's own with another one is an error, which names it.
var letters = func() []rune {
	list := []rune("–—‘’“”…≈−≤≥→×·²°é")
	for r := ' '; r <= '~'; r++ {
		list = append(list, r)
	}
	slices.Sort(list)
	return list
}()

// Kit makes the kit of a theme: what cards are painted with, as [card.ReadKit] reads it.
func Kit(of Colours) ([]byte, error) {
	var b []byte
	for _, name := range card.ColourNames() {
		c, ok := of[name]
		if !ok {
			return nil, fmt.Errorf("kit: the theme has no --%s", name)
		}
		b = append(b, c.R, c.G, c.B)
	}
	var parsed [card.NumFonts]*sfnt.Font
	for i, data := range fonts {
		f, err := sfnt.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("kit: font %d: %w", i, err)
		}
		parsed[i] = f
	}
	for i, f := range parsed {
		var err error
		if b, err = appendFont(b, f, parsed[card.Sans]); err != nil {
			return nil, fmt.Errorf("kit: font %d: %w", i, err)
		}
	}
	return b, nil
}

// glyph is a letter and the font that it is taken from: a sign that a font lacks comes from the sans.
type glyph struct {
	rune
	from  *sfnt.Font
	index sfnt.GlyphIndex
}

// appendFont writes a font's letters, pairs and outlines.
func appendFont(b []byte, f, sans *sfnt.Font) ([]byte, error) {
	var buffer sfnt.Buffer
	list := []glyph{{0, f, 0}}
	for _, r := range letters {
		g := glyph{r, f, 0}
		for _, g.from = range []*sfnt.Font{f, sans} {
			var err error
			if g.index, err = g.from.GlyphIndex(&buffer, r); err != nil {
				return nil, err
			}
			if g.index != 0 {
				break
			}
		}
		if g.index == 0 {
			return nil, fmt.Errorf("no font has %q", r)
		}
		list = append(list, g)
	}
	units := fixed.Int26_6(f.UnitsPerEm())
	var index, pairs, outlines []byte
	for _, g := range list {
		advance, err := g.from.GlyphAdvance(&buffer, g.index, units, xfont.HintingNone)
		if err != nil {
			return nil, err
		}
		index = u16(index, int(g.rune), int(advance), len(outlines), len(pairs)/3)
		strokes, err := g.from.LoadGlyph(&buffer, g.index, units, nil)
		if err != nil {
			return nil, err
		}
		outlines = appendOutline(outlines, strokes)
		for n, second := range list {
			if g.rune == 0 || second.rune == 0 || g.from != f || second.from != f {
				continue
			}
			gap, err := f.Kern(&buffer, g.index, second.index, units, xfont.HintingNone)
			if err == nil && gap != 0 {
				pairs = u16(append(pairs, uint8(n)), int(gap))
			}
		}
	}
	if len(list) > 256 || len(outlines) > 0xffff {
		return nil, fmt.Errorf("%d letters with outlines of %d bytes are more than a kit holds", len(list), len(outlines))
	}
	b = u16(b, int(units), len(list))
	b = append(b, index...)
	b = append(u16(b, len(pairs)/3), pairs...)
	return append(u16(b, len(outlines)), outlines...), nil
}

// appendOutline writes a letter's strokes.
func appendOutline(b []byte, strokes sfnt.Segments) []byte {
	var last fixed.Point26_6
	for _, s := range strokes {
		b = append(b, uint8(s.Op)) // 0 move, 1 line, 2 and 3 curves of as many points
		for _, p := range s.Args[:max(s.Op, 1)] {
			b = binary.AppendVarint(b, int64(p.X-last.X))
			b = binary.AppendVarint(b, int64(p.Y-last.Y))
			last = p
		}
	}
	return b
}

func u16(b []byte, values ...int) []byte {
	for _, v := range values {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return b
}
