package check

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

func TestSame(t *testing.T) {
	picture := func(shade uint8, level png.CompressionLevel) []byte {
		img := image.NewGray(image.Rect(0, 0, 2, 1))
		img.SetGray(1, 0, color.Gray{shade})
		var b bytes.Buffer
		encoder := png.Encoder{CompressionLevel: level}
		if err := encoder.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	want := asked{Status: 200, HTML: "a", Sent: map[string]string{"x": "1"}, Picture: picture(7, png.BestSpeed)}
	for name, c := range map[string]struct {
		change func(a *asked)
		same   bool
	}{
		"itself":              {func(*asked) {}, true},
		"packed differently":  {func(a *asked) { a.Picture = picture(7, png.NoCompression) }, true},
		"slower":              {func(a *asked) { a.CPU = 90 }, true},
		"another status":      {func(a *asked) { a.Status = 500 }, false},
		"another page":        {func(a *asked) { a.HTML = "b" }, false},
		"another header":      {func(a *asked) { a.Sent = map[string]string{"x": "2"} }, false},
		"another pixel":       {func(a *asked) { a.Picture = picture(8, png.BestSpeed) }, false},
		"half of the picture": {func(a *asked) { a.Picture = a.Picture[:20] }, false},
		"no picture":          {func(a *asked) { a.Picture = nil }, false},
	} {
		got := want
		c.change(&got)
		if err := same(&got, &want); (err == nil) != c.same {
			t.Errorf("%s: %v", name, err)
		}
	}
}
