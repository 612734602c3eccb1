package card

import "image"

// Picture is a painted card: its pixels are numbers of its colours, of which there are at most 256.
type Picture struct {
	Colours []RGB
	// Rows are the rows of pixels, top first, each behind a byte that is 0: so PNG packs rows
	// that are written as they are.
	Rows []uint8
}

// stride is a row's bytes.
const stride = Width + 1

// canvas is a picture on its way. Pixels are numbers of colours from the start, so that nothing has to
// be counted afterwards: edges of letters are mixed in six steps, and a colour that would be
// the 257th is the nearest one there is.
type canvas struct {
	Picture
	mixes [256]*mixes // by the colour that lies on top
}

// mixes are a colour's mixes with those below it, by level: one more than their numbers, 0 where none is made yet.
type mixes [levels][256]uint16

// levels are the steps between a letter and what is below it.
const levels = 6

// level is the step of a mask's value, rounded.
func level(coverage uint8) uint8 { return uint8((int(coverage)*levels + 127) / 255) }

func newCanvas(paper RGB) *canvas {
	c := &canvas{Picture: Picture{Rows: make([]uint8, stride*Height), Colours: make([]RGB, 0, 256)}}
	c.number(paper) // 0, which all pixels are
	return c
}

// number is a colour's place in the palette.
func (c *canvas) number(rgb RGB) uint8 {
	nearest, least := 0, 1<<30
	for i, got := range c.Colours {
		if got == rgb {
			return uint8(i)
		}
		r, g, b := int(got.R)-int(rgb.R), int(got.G)-int(rgb.G), int(got.B)-int(rgb.B)
		if far := r*r + g*g + b*b; far < least {
			nearest, least = i, far
		}
	}
	if len(c.Colours) == 256 {
		return uint8(nearest)
	}
	c.Colours = append(c.Colours, rgb)
	return uint8(len(c.Colours) - 1)
}

// over is the number of a colour that lies over another.
func (c *canvas) over(top, bottom, level uint8) uint8 {
	if level == levels {
		return top
	}
	made := c.mixes[top]
	if made == nil {
		made = new(mixes)
		c.mixes[top] = made
	}
	at := &made[level][bottom]
	if *at == 0 {
		*at = uint16(c.number(blend(c.Colours[top], c.Colours[bottom], int(level), levels))) + 1
	}
	return uint8(*at - 1)
}

// blend is part of whole of one colour and the rest of the other.
func blend(top, bottom RGB, part, whole int) RGB {
	one := func(a, b uint8) uint8 { return uint8((int(a)*part + int(b)*(whole-part) + whole/2) / whole) }
	return RGB{one(top.R, bottom.R), one(top.G, bottom.G), one(top.B, bottom.B)}
}

// row is a part of a row of pixels.
func (c *canvas) row(y, from, to int) []uint8 { return c.Rows[y*stride+1+from : y*stride+1+to] }

// fill paints a rectangle, which may reach over the edge.
func (c *canvas) fill(x, y, w, h int, rgb RGB) {
	x0, x1, y0, y1 := max(x, 0), min(x+w, Width), max(y, 0), min(y+h, Height)
	if x0 >= x1 {
		return
	}
	n := c.number(rgb)
	for ; y0 < y1; y0++ {
		row := c.row(y0, x0, x1)
		for i := range row {
			row[i] = n
		}
	}
}

// frame draws the inner edge of a rectangle; dashed as for what is not stored.
func (c *canvas) frame(x, y, w, h, line int, rgb RGB, dashed bool) {
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

// text writes a line from x, its base at y, and returns where it ends.
func (c *canvas) text(f *face, x, y float64, s string, rgb RGB) float64 {
	n := c.number(rgb)
	base := int32(y * 64)
	end := f.along(s, int32(x*64), func(letter int, x int32) {
		mask := f.shape(letter, point{x, base})
		clip := mask.Rect.Intersect(image.Rect(0, 0, Width, Height))
		for y := clip.Min.Y; y < clip.Max.Y; y++ {
			from := mask.Pix[(y-mask.Rect.Min.Y)*mask.Stride+clip.Min.X-mask.Rect.Min.X:]
			to := c.row(y, clip.Min.X, clip.Max.X)
			for i := range to {
				if l := level(from[i]); l > 0 {
					to[i] = c.over(n, to[i], l)
				}
			}
		}
	})
	return float64(end) / 64
}

// upright writes a line from bottom to top; x is its base, y its start.
func (c *canvas) upright(f *face, x, y float64, s string, rgb RGB) {
	n := c.number(rgb)
	left, bottom := int(x), int(y)
	f.along(s, 0, func(letter int, x int32) {
		mask := f.shape(letter, point{x, 0})
		for i, coverage := range mask.Pix {
			px, py := left+mask.Rect.Min.Y+i/mask.Stride, bottom-mask.Rect.Min.X-i%mask.Stride
			if l := level(coverage); l > 0 && px >= 0 && px < Width && py >= 0 && py < Height {
				at := &c.Rows[py*stride+1+px]
				*at = c.over(n, *at, l)
			}
		}
	})
}
