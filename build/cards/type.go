package cards

import (
	"fmt"
	"strings"

	"codeberg.org/go-fonts/stix/stix2textregular"
	"codeberg.org/go-fonts/stix/stix2textsemibold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// typeset is the fonts of one painter in the sizes that it has used. Numbers and names stand in a
// book serif, labels in a sans. A face keeps a buffer, so each painter has its own.
type typeset struct {
	serif, book, sans, strong *opentype.Font
	faces                     map[faceKey]*face
}

type faceKey struct {
	font *opentype.Font
	size float64
}

func newTypeset() (*typeset, error) {
	t := &typeset{faces: map[faceKey]*face{}}
	for _, f := range []struct {
		to  **opentype.Font
		ttf []byte
	}{
		{&t.serif, stix2textsemibold.TTF}, {&t.book, stix2textregular.TTF},
		{&t.sans, goregular.TTF}, {&t.strong, gomedium.TTF},
	} {
		parsed, err := opentype.Parse(f.ttf)
		if err != nil {
			return nil, fmt.Errorf("card: font: %w", err)
		}
		*f.to = parsed
	}
	return t, nil
}

// face is a font at a size in pixels.
func (t *typeset) face(f *opentype.Font, size float64) *face {
	key := faceKey{f, size}
	if got, ok := t.faces[key]; ok {
		return got
	}
	made, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // only for a size that is none
	}
	got := &face{Face: made, gap: fixed.Int26_6(size * 0.2 * 64)}
	t.faces[key] = got
	return got
}

// largest is the largest of some sizes at which a text keeps within a width; else the smallest.
func (t *typeset) largest(f *opentype.Font, s string, width float64, sizes ...float64) *face {
	for _, size := range sizes {
		if got := t.face(f, size); got.width(s) <= width {
			return got
		}
	}
	return t.face(f, sizes[len(sizes)-1])
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
