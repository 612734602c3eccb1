package card

import (
	"image"
	"image/draw"
	"strings"

	"golang.org/x/image/vector"
)

// thin is a gap between a number's thousands.
const thin = '\u2009'

// face is a font in one size. Lengths are 64ths of a pixel.
type face struct {
	*font
	pixels int32 // 64ths
	pen    *pen
}

// pen fills outlines. Its buffers serve one letter after the other.
type pen struct {
	area    vector.Rasterizer
	mask    image.Alpha
	strokes []stroke
}

// stroke is a move, a line or a curve to its last point.
type stroke struct {
	kind   uint8
	points [3]point
}

type point struct{ x, y int32 }

const (
	move = iota
	straight
	quadratic
	cubic
)

// scaled is a length of the font in the face's size, rounded.
func (f *face) scaled(n int32) int32 {
	n *= f.pixels
	if n >= 0 {
		return (n + f.units/2) / f.units
	}
	return (n - f.units/2) / f.units
}

// along calls visit with every letter of a text and the place where it begins, and returns where the text ends.
func (f *face) along(s string, x int32, visit func(letter int, x int32)) int32 {
	last := -1
	for _, r := range s {
		if r == thin {
			x += f.pixels / 5
			last = -1
			continue
		}
		n := f.find(r)
		if last >= 0 {
			x += f.scaled(f.gap(last, n))
		}
		if visit != nil {
			visit(n, x)
		}
		x += f.scaled(f.letters[n].advance)
		last = n
	}
	return x
}

// width is how far a text reaches, in pixels.
func (f *face) width(s string) float64 { return float64(f.along(s, 0, nil)) / 64 }

// shape fills a letter whose base begins at a point. The mask is the pen's, until the next letter; its
// rectangle is where it lies.
func (f *face) shape(n int, at point) *image.Alpha {
	p := f.pen
	p.strokes = p.strokes[:0]
	in := reader{rest: f.outline(n)}
	last := point{}
	low, high := point{1 << 30, 1 << 30}, point{-1 << 30, -1 << 30}
	next := func() point {
		last.x += in.signed()
		last.y += in.signed()
		q := point{at.x + f.scaled(last.x), at.y + f.scaled(last.y)}
		low, high = point{min(low.x, q.x), min(low.y, q.y)}, point{max(high.x, q.x), max(high.y, q.y)}
		return q
	}
	for in.rest != "" {
		s := stroke{kind: uint8(in.number(1))}
		for i := range max(s.kind, 1) {
			s.points[i%3] = next()
		}
		p.strokes = append(p.strokes, s)
	}
	if len(p.strokes) == 0 {
		p.mask.Rect, p.mask.Pix = image.Rectangle{}, p.mask.Pix[:0]
		return &p.mask
	}
	p.mask.Rect = image.Rect(int(low.x>>6), int(low.y>>6), int((high.x+63)>>6), int((high.y+63)>>6))
	p.fill()
	return &p.mask
}

// fill makes the mask of the strokes.
func (p *pen) fill() {
	r := p.mask.Rect
	w, h := r.Dx(), r.Dy()
	if cap(p.mask.Pix) < w*h {
		p.mask.Pix = make([]uint8, 2*w*h)
	}
	p.mask.Pix, p.mask.Stride = p.mask.Pix[:w*h], w
	p.mask.Rect = image.Rect(0, 0, w, h)
	p.area.Reset(w, h)
	p.area.DrawOp = draw.Src
	x := func(q point) float32 { return float32(q.x-int32(r.Min.X)<<6) / 64 }
	y := func(q point) float32 { return float32(q.y-int32(r.Min.Y)<<6) / 64 }
	for i := range p.strokes {
		s := &p.strokes[i]
		a, b, c := s.points[0], s.points[1], s.points[2]
		switch s.kind {
		case move:
			p.area.MoveTo(x(a), y(a))
		case straight:
			p.area.LineTo(x(a), y(a))
		case quadratic:
			p.area.QuadTo(x(a), y(a), x(b), y(b))
		case cubic:
			p.area.CubeTo(x(a), y(a), x(b), y(b), x(c), y(c))
		}
	}
	p.area.Draw(&p.mask, p.mask.Rect, image.Opaque, image.Point{})
	p.mask.Rect = r
}

// typeset hands out a kit's fonts in any size.
type typeset struct {
	kit *Kit
	pen pen
}

// face is a font at a size in pixels.
func (t *typeset) face(number int, size int32) *face {
	return &face{font: &t.kit.fonts[number], pixels: size * 64, pen: &t.pen}
}

// largest is the largest of some sizes at which a text keeps within a width; else the smallest.
func (t *typeset) largest(number int, s string, width float64, sizes ...int32) *face {
	for _, size := range sizes {
		if got := t.face(number, size); got.width(s) <= width {
			return got
		}
	}
	return t.face(number, sizes[len(sizes)-1])
}

// wrap breaks a text into lines of a width, at most a number of them; what is left over becomes an ellipsis.
func (f *face) wrap(s string, width float64, most int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		next := strings.TrimSpace(line + " " + word)
		if line == "" || f.width(next) <= width {
			line = next
			continue
		}
		if len(lines) == most-1 {
			return append(lines, f.clip(next+" …", width))
		}
		lines, line = append(lines, line), word
	}
	return append(lines, f.clip(line, width))
}

// clip shortens a text that is too wide.
func (f *face) clip(s string, width float64) string {
	if f.width(s) <= width {
		return s
	}
	runes := []rune(strings.TrimRight(s, "…"))
	for len(runes) > 1 && f.width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ,") + "…"
}
