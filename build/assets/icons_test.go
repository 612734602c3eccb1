package assets

import (
	"bytes"
	"encoding/binary"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
)

var some = IconColours{"paper": {19, 28, 43, 255}, "attention-line": {144, 184, 238, 255}, "ffn-line": {143, 207, 155, 255}}

// TestTheMarkIsToScale: 4,096 is to 1,024 and 14,336 as 14 to 3.5 and 49.
func TestTheMarkIsToScale(t *testing.T) {
	m := mark()
	for i, want := range []float32{14, 3.5, 3.5, 14, 49, 49} {
		if m[i].w != want || m[i].h != 14 {
			t.Errorf("matrix %d is %g × %g, want %g × 14", i, m[i].w, m[i].h, want)
		}
	}
	left, right := m[0].x, m[3].x+m[3].w
	if left != m[4].x || math.Abs(float64(right-m[4].x-m[4].w)) > 0.001 {
		t.Errorf("attention reaches from %g to %g, the feed-forward from %g to %g", left, right, m[4].x, m[4].x+m[4].w)
	}
}

func TestPNG(t *testing.T) {
	for _, c := range []struct {
		shape  IconShape
		corner uint8 // opacity
	}{{Rounded, 0}, {Full, 255}, {Maskable, 255}} {
		data, err := IconPNG(some, 128, c.shape)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := IconPNG(some, 128, c.shape)
		if !bytes.Equal(data, again) {
			t.Error("two drawings differ")
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Dx() != 128 {
			t.Fatal(img.Bounds(), err)
		}
		if got := color.NRGBAModel.Convert(img.At(0, 0)).(color.NRGBA).A; got != c.corner {
			t.Errorf("shape %d: the corner's opacity is %d, want %d", c.shape, got, c.corner)
		}
		if got := color.RGBAModel.Convert(img.At(64, 64)); got != some["ffn-line"] {
			t.Errorf("shape %d: the middle is %v, want the feed-forward", c.shape, got)
		}
		if c.shape != Maskable {
			continue
		}
		// Systems may cut all but a circle of two fifths around the middle.
		for y := range 128 {
			for x := range 128 {
				if color.RGBAModel.Convert(img.At(x, y)) != some["paper"] && math.Hypot(float64(x)-63.5, float64(y)-63.5) > 0.4*128 {
					t.Fatalf("something stands at %d, %d, outside the circle", x, y)
				}
			}
		}
	}
}

func TestSVGHasTheSameShapes(t *testing.T) {
	drawing := string(IconSVG(some))
	if n := strings.Count(drawing, "<rect"); n != 7 {
		t.Errorf("%d rectangles, want the paper and 6 matrices", n)
	}
	if !strings.Contains(drawing, `width="49.00" height="14.00" fill="#8fcf9b"`) {
		t.Error(drawing)
	}
}

func TestICO(t *testing.T) {
	picture := []byte("a picture")
	ico := IconICO(picture, 32)
	size, at := binary.LittleEndian.Uint32(ico[14:]), binary.LittleEndian.Uint32(ico[18:])
	if ico[6] != 32 || !bytes.Equal(ico[at:at+size], picture) {
		t.Errorf("% x", ico)
	}
}
