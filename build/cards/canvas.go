package cards

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

// canvas is a picture of at most 256 colours. Pixels are numbers of colours from the
// start, so that nothing has to be counted afterwards and the file is small: edges of letters
// are mixed in six steps, and a colour that would be the 257th is the nearest one there is.
type canvas struct {
	pixels  []uint8 // row by row
	w, h    int
	colours color.Palette
	numbers map[color.RGBA]uint8
	mixes   map[mix]uint8
}

// mix is a colour laid over another one in level sixths.
type mix struct {
	over, under uint8
	level       uint8
}

const levels = 6

func newCanvas(w, h int, paper color.RGBA) *canvas {
	c := &canvas{pixels: make([]uint8, w*h), w: w, h: h, numbers: map[color.RGBA]uint8{}, mixes: map[mix]uint8{}}
	c.number(paper) // 0, which all pixels are
	return c
}

// number is a colour's place in the palette.
func (c *canvas) number(rgb color.RGBA) uint8 {
	if n, ok := c.numbers[rgb]; ok {
		return n
	}
	n := uint8(0)
	if len(c.colours) < 256 {
		n = uint8(len(c.colours))
		c.colours = append(c.colours, rgb)
	} else {
		n = uint8(c.colours.Index(rgb))
	}
	c.numbers[rgb] = n
	return n
}

// over is the number of a colour that lies over another.
func (c *canvas) over(top, bottom, level uint8) uint8 {
	switch level {
	case 0:
		return bottom
	case levels:
		return top
	}
	key := mix{top, bottom, level}
	if n, ok := c.mixes[key]; ok {
		return n
	}
	n := c.number(blend(c.colours[top].(color.RGBA), c.colours[bottom].(color.RGBA), int(level), levels))
	c.mixes[key] = n
	return n
}

// blend is part of whole of one colour and the rest of the other.
func blend(top, bottom color.RGBA, part, whole int) color.RGBA {
	one := func(a, b uint8) uint8 { return uint8((int(a)*part + int(b)*(whole-part) + whole/2) / whole) }
	return color.RGBA{one(top.R, bottom.R), one(top.G, bottom.G), one(top.B, bottom.B), 255}
}

// fill paints a rectangle, which may reach over the edge.
func (c *canvas) fill(x, y, w, h int, rgb color.RGBA) {
	x0, x1, y0, y1 := max(x, 0), min(x+w, c.w), max(y, 0), min(y+h, c.h)
	if x0 >= x1 {
		return
	}
	n := c.number(rgb)
	for ; y0 < y1; y0++ {
		row := c.pixels[y0*c.w+x0 : y0*c.w+x1]
		for i := range row {
			row[i] = n
		}
	}
}

// frame draws the inner edge of a rectangle; dashed as for what is not stored.
func (c *canvas) frame(x, y, w, h, line int, rgb color.RGBA, dashed bool) {
	line = min(line, w, h)
	if !dashed {
		c.fill(x, y, w, line, rgb)
		c.fill(x, y+h-line, w, line, rgb)
		c.fill(x, y, line, h, rgb)
		c.fill(x+w-line, y, line, h, rgb)
		return
	}
	const on, step = 6, 12
	for i := 0; i < w; i += step {
		c.fill(x+i, y, min(on, w-i), line, rgb)
		c.fill(x+i, y+h-line, min(on, w-i), line, rgb)
	}
	for i := 0; i < h; i += step {
		c.fill(x, y+i, line, min(on, h-i), rgb)
		c.fill(x+w-line, y+i, line, min(on, h-i), rgb)
	}
}

// text writes a line from x, its baseline at y, and returns where it ends.
func (c *canvas) text(f *face, x, y float64, s string, rgb color.RGBA) float64 {
	n := c.number(rgb)
	dot := fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}
	last := rune(-1)
	for _, r := range s {
		if r == thin {
			dot.X += f.gap
			last = -1
			continue
		}
		if last >= 0 {
			dot.X += f.Kern(last, r)
		}
		if box, mask, at, advance, ok := f.Glyph(dot, r); ok {
			c.stamp(box, mask.(*image.Alpha), at, n)
			dot.X += advance
		}
		last = r
	}
	return float64(dot.X) / 64
}

// stamp lays a letter's shape over the picture.
func (c *canvas) stamp(box image.Rectangle, mask *image.Alpha, at image.Point, n uint8) {
	clip := box.Intersect(image.Rect(0, 0, c.w, c.h))
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		row := mask.Pix[mask.PixOffset(at.X+clip.Min.X-box.Min.X, at.Y+y-box.Min.Y):]
		to := c.pixels[y*c.w+clip.Min.X : y*c.w+clip.Max.X]
		for i := range to {
			if level := (int(row[i])*levels + 127) / 255; level > 0 {
				to[i] = c.over(n, to[i], uint8(level))
			}
		}
	}
}

// upright writes a line from bottom to top; x is the baseline, y its start.
func (c *canvas) upright(f *face, x, y float64, s string, rgb color.RGBA) {
	w := int(f.width(s)) + 2
	m := f.Metrics()
	up, down := m.Ascent.Ceil(), m.Descent.Ceil()
	// Level on a strip of its own, whose pixels are levels; then turned.
	strip := &canvas{pixels: make([]uint8, w*(up+down)), w: w, h: up + down, numbers: map[color.RGBA]uint8{}, mixes: map[mix]uint8{}}
	for i := range levels + 1 {
		strip.number(color.RGBA{uint8(i), 0, 0, 255})
	}
	for under := range levels + 1 {
		for level := 1; level < levels; level++ {
			strip.mixes[mix{levels, uint8(under), uint8(level)}] = uint8(max(under, level))
		}
	}
	strip.text(f, 0, float64(up), s, color.RGBA{levels, 0, 0, 255})
	n := c.number(rgb)
	left, bottom := int(x)-up, int(y)
	for sy := range strip.h {
		for sx := range strip.w {
			px, py := left+sy, bottom-sx
			if level := strip.pixels[sy*w+sx]; level > 0 && px >= 0 && px < c.w && py >= 0 && py < c.h {
				at := &c.pixels[py*c.w+px]
				*at = c.over(n, *at, level)
			}
		}
	}
}

// png packs the picture. The bytes are a function of the pixels.
func (c *canvas) png() ([]byte, error) {
	img := &image.Paletted{Pix: c.pixels, Stride: c.w, Rect: image.Rect(0, 0, c.w, c.h), Palette: c.colours}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := encoder.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("card: %w", err)
	}
	return b.Bytes(), nil
}

// thin is a gap between a number's thousands.
const thin = '\u2009'

// face is a font in one size.
type face struct {
	font.Face
	gap fixed.Int26_6 // a thin gap
}

// width is how far a text reaches.
func (f *face) width(s string) float64 {
	x := fixed.Int26_6(0)
	last := rune(-1)
	for _, r := range s {
		if r == thin {
			x += f.gap
			last = -1
			continue
		}
		if last >= 0 {
			x += f.Kern(last, r)
		}
		if advance, ok := f.GlyphAdvance(r); ok {
			x += advance
		}
		last = r
	}
	return float64(x) / 64
}
