// The site's mark is a layer of Llama 3.1 8B to scale, as the calculator draws it.
// Four matrices of attention stand above two of the feed-forward, on a hidden size of 4,096.
//
//	SVG      for browsers that scale it
//	PNG      in a size, for systems that do not; Maskable leaves room for cut corners
//	ICO      for programs that ask for /favicon.ico
//
// The same colours give the same bytes.

package assets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"sync"

	"golang.org/x/image/vector"
)

// side is that of the square that the mark is drawn in.
const side = 64

// rect is a matrix: h is the hidden size, which is unit high.
type rect struct {
	x, y, w, h float32
	role       string
}

// The mark's measures: 4,096 elements are 14 units, so 1,024 are 3.5 and 14,336 are 49.
const (
	unit = 14
	wide = unit * 14336 / 4096. // of a feed-forward matrix
	thin = unit * 1024 / 4096.  // of the narrow keys and values
	gap  = 4
)

// mark is the matrices of a layer, in a square of 64.
func mark() []rect {
	left, top := float32(side-wide)/2, float32(side-3*unit-2*gap)/2
	space := (wide - 2*unit - 2*thin) / 3 // attention is as wide as the feed-forward below it
	var list []rect
	x := left
	for _, w := range []float32{unit, thin, thin, unit} {
		list = append(list, rect{x, top, w, unit, "attention"})
		x += w + float32(space)
	}
	for row := range 2 {
		list = append(list, rect{left, top + float32(row+1)*(unit+gap), wide, unit, "ffn"})
	}
	return list
}

// IconColours are those that a mark needs, by the palette's names: paper, attention-line, ffn-line.
type IconColours map[string]color.RGBA

// IconHex is a colour as styles and manifests write it: "#131c2b".
func IconHex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// IconSVG is the mark as a drawing.
func IconSVG(c IconColours) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><rect width="%d" height="%d" rx="%d" fill="%s"/>`, side, side, side, side, radius, IconHex(c["paper"]))
	for _, r := range mark() {
		fmt.Fprintf(&b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s"/>`, r.x, r.y, r.w, r.h, IconHex(c[r.role+"-line"]))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// radius of the paper's corners.
const radius = 12

// IconShape is what lies behind the mark.
type IconShape int

// Rounded paper; Full paper to the edges; Maskable too, with the mark small enough for a circle.
const (
	Rounded IconShape = iota
	Full
	Maskable
)

// icons are the files that IconPNG has made in this process: a rebuild has the same, and they are packed as well as can be.
var icons sync.Map

// IconPNG is the mark in pixels.
func IconPNG(c IconColours, pixels int, shape IconShape) ([]byte, error) {
	key := fmt.Sprint(c, pixels, shape)
	if made, ok := icons.Load(key); ok {
		return bytes.Clone(made.([]byte)), nil
	}
	img := image.NewRGBA(image.Rect(0, 0, pixels, pixels))
	scale, offset := float32(pixels)/side, float32(0)
	if shape == Rounded {
		fill(img, c["paper"], func(r *vector.Rasterizer) { rounded(r, float32(pixels), radius*scale) })
	} else {
		draw.Draw(img, img.Bounds(), image.NewUniform(c["paper"]), image.Point{}, draw.Src)
	}
	if shape == Maskable { // the safe circle is four fifths wide: its inner square 0.8/√2 = 0.56 of the side
		scale, offset = scale*0.72, float32(pixels)*0.14
	}
	for _, r := range mark() {
		fill(img, c[r.role+"-line"], func(v *vector.Rasterizer) {
			x0, y0 := offset+r.x*scale, offset+r.y*scale
			x1, y1 := x0+r.w*scale, y0+r.h*scale
			v.MoveTo(x0, y0)
			v.LineTo(x1, y0)
			v.LineTo(x1, y1)
			v.LineTo(x0, y1)
			v.ClosePath()
		})
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img); err != nil {
		return nil, fmt.Errorf("icon: %w", err)
	}
	icons.Store(key, bytes.Clone(b.Bytes()))
	return b.Bytes(), nil
}

// fill paints a path.
func fill(img draw.Image, colour color.RGBA, path func(*vector.Rasterizer)) {
	size := img.Bounds().Size()
	r := vector.NewRasterizer(size.X, size.Y)
	path(r)
	r.Draw(img, img.Bounds(), image.NewUniform(colour), image.Point{})
}

// rounded is a square with round corners.
func rounded(r *vector.Rasterizer, s, radius float32) {
	k := radius * 0.4477 // a cubic's distance from the corner for a quarter of a circle
	r.MoveTo(radius, 0)
	r.LineTo(s-radius, 0)
	r.CubeTo(s-k, 0, s, k, s, radius)
	r.LineTo(s, s-radius)
	r.CubeTo(s, s-k, s-k, s, s-radius, s)
	r.LineTo(radius, s)
	r.CubeTo(k, s, 0, s-k, 0, s-radius)
	r.LineTo(0, radius)
	r.CubeTo(0, k, k, 0, radius, 0)
	r.ClosePath()
}

// IconICO wraps a PNG of at most 256 pixels.
func IconICO(picture []byte, pixels int) []byte {
	var b bytes.Buffer
	b.Write([]byte{0, 0, 1, 0, 1, 0}) // an icon, one picture
	b.Write([]byte{byte(pixels), byte(pixels), 0, 0, 1, 0, 32, 0})
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(picture))))
	b.Write(binary.LittleEndian.AppendUint32(nil, 22)) // where it begins
	b.Write(picture)
	return b.Bytes()
}
