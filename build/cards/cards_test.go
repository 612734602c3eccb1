package cards

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/go-fonts/stix/stix2textsemibold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"llmsize/core/model"
	"llmsize/site/card"
	"llmsize/site/chart"
)

func colours(t testing.TB) Colours {
	t.Helper()
	css, err := os.ReadFile("../../site/styles/palette.css")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ReadColours(css)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func kit(t testing.TB) []byte {
	t.Helper()
	k, err := Kit(colours(t))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Measures of a card that are in package card too.
const margin, right, sceneTop, barTop = 56, 1200 - 56, 222, 532

// square is a card with one matrix of 100 × 100 sheet pixels and two roles in proportion 1 to 3.
func square() *card.Card {
	c := &card.Card{Site: "llmsize", Title: "A model", Kicker: "Us", Count: 4_000_000_000, Reading: "4.00 B parameters"}
	c.ByRole[model.Attention], c.ByRole[model.FFN] = 1_000_000_000, 3_000_000_000
	c.Scene = chart.Scene{Width: 100_00, Height: 100_00, Shapes: []chart.Shape{{X: 0, Y: 0, W: 100_00, H: 100_00, Role: model.Attention, Name: "q_proj", Size: "4 × 4"}}}
	return c
}

func TestACardIsAPictureOfTheRightSize(t *testing.T) {
	of := colours(t)
	pictures, err := (&Painter{Kit: kit(t)}).All([]*card.Card{square()})
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(pictures[0]))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != 1200 || b.Dy() != 630 {
		t.Errorf("%v", b)
	}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	// The scene is 100 × 1.75 = 175 high in a room of 168 × 1.75 = 294: it begins (294-175)/2 = 59 below the top.
	left, top := margin, sceneTop+59
	for _, c := range []struct {
		what string
		x, y int
		want string
	}{
		{"paper", 5, 5, "paper"},
		{"the matrix's edge", left, top + 90, "attention-line"},
		{"the matrix", left + 20, top + 20, "attention"},
		{"its last pixel", left + 170, top + 170, "attention"},
		{"past it", left + 178, top + 20, "paper"},
		// The bar is 1,088 wide: the first quarter ends at 56 + 272 = 328.
		{"the bar's first role", 320, barTop + 10, "attention"},
		{"the bar's second role", 336, barTop + 10, "ffn"},
		{"the bar's end", 1140, barTop + 10, "ffn"},
	} {
		if got := at(c.x, c.y); got != of[c.want] {
			t.Errorf("%s at %d, %d is %v, want %s %v", c.what, c.x, c.y, got, c.want, of[c.want])
		}
	}
}

func TestTheSameCardGivesTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	fresh, err := (&Painter{Kit: kit(t)}).All([]*card.Card{square(), square()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // painted, then kept
		kept, err := (&Painter{Kit: kit(t), Dir: dir}).All([]*card.Card{square()})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(kept[0], fresh[0]) || !bytes.Equal(fresh[0], fresh[1]) {
			t.Error("the bytes differ")
		}
	}
	other := square()
	other.Title = "Another"
	if _, err := (&Painter{Kit: kit(t), Dir: dir}).All([]*card.Card{other}); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 {
		t.Errorf("kept %v, want only the card of the last list", files)
	}
}

func TestLongTextsStayOnTheCard(t *testing.T) {
	c := square()
	c.Title = strings.Repeat("A very long name of a model ", 5)
	c.Count = 9_223_372_036_854_775_807
	c.Reading = "9.22 Q parameters"
	c.Note = "fits " + strings.Repeat("a device with a very long name ", 5)
	c.Told = "changed, beside " + c.Title
	of := colours(t)
	for _, text := range []string{"", strings.Repeat("Where do this model's numbers come from? ", 8)} {
		c.Text = text
		pictures, err := (&Painter{Kit: kit(t)}).All([]*card.Card{c})
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(pictures[0]))
		if err != nil {
			t.Fatal(err)
		}
		dot := mixed(of["rule"], of["paper"])
		for y := range card.Height {
			for x := right + 3; x < card.Width; x++ {
				if got := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA); got != of["paper"] && got != dot {
					t.Fatalf("something stands in the margin at %d, %d", x, y)
				}
			}
		}
	}
}

// mixed is four parts of a colour and one of another: the dots of drawing paper.
func mixed(a, b color.RGBA) color.RGBA {
	one := func(a, b uint8) uint8 { return uint8((int(a)*4 + int(b) + 2) / 5) }
	return color.RGBA{one(a.R, b.R), one(a.G, b.G), one(a.B, b.B), 255}
}

// TestAChangeIsTold: a maker's name gives way to a long title, what tells that a model is changed does not.
func TestAChangeIsTold(t *testing.T) {
	pictures := func(title, kicker, told string) []byte {
		c := square()
		c.Title, c.Kicker, c.Told = title, kicker, told
		painted, err := (&Painter{Kit: kit(t)}).All([]*card.Card{c})
		if err != nil {
			t.Fatal(err)
		}
		return painted[0]
	}
	for _, title := range []string{"A model", strings.Repeat("A long name ", 8)} {
		plain, maker, changed := pictures(title, "", ""), pictures(title, "Us", ""), pictures(title, "Us", "changed")
		if long := len(title) > 20; bytes.Equal(plain, maker) != long {
			t.Errorf("%s: the maker is there: %v", title, long)
		}
		if bytes.Equal(changed, plain) || bytes.Equal(changed, maker) {
			t.Errorf("%s: nothing tells that it is changed", title)
		}
	}
}

func TestColoursThatAreMissingAreNamed(t *testing.T) {
	if _, err := ReadColours([]byte(`:root[data-theme="dark"] { --paper: #131c2b; --ink: #fff; }`)); err == nil || !strings.Contains(err.Error(), "--rule") {
		t.Errorf("error %v does not name a colour that is missing", err)
	}
	if _, err := ReadColours([]byte(`:root { --paper: #fff; }`)); err == nil {
		t.Error("a sheet without a dark theme passed")
	}
	if got := rgb("fa0"); got != (color.RGBA{0xff, 0xaa, 0x00, 0xff}) {
		t.Errorf("#fa0 is %v", got)
	}
}

// TestKitHoldsTheFonts holds letters of a kit against the package that reads fonts: the same
// letter, of the same size at the same place, has the same pixels.
func TestKitHoldsTheFonts(t *testing.T) {
	of := Colours{}
	for _, name := range card.ColourNames() {
		of[name] = color.RGBA{0, 0, 0, 255}
	}
	of["ink"], of["quiet"], of["rule"] = color.RGBA{255, 255, 255, 255}, color.RGBA{255, 255, 255, 255}, of["paper"]
	data, err := Kit(of)
	if err != nil {
		t.Fatal(err)
	}
	k, ok := card.ReadKit(string(data))
	if !ok {
		t.Fatal("the kit cannot be read")
	}
	serif, err := opentype.Parse(stix2textsemibold.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(serif, &opentype.FaceOptions{Size: 58, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range "AgQ§&8é×" {
		p := card.Paint(&card.Card{Title: string(r), Text: " "}, k)
		// A title begins two pixels left of the margin, at (54, 98).
		box, mask, at, _, _ := face.Glyph(fixed.P(54, 98), r)
		if r == '§' {
			box, mask, at, _, _ = face.Glyph(fixed.P(54, 98), '\uffff') // the kit lacks it: a box
		}
		for y := 30; y < 130; y++ {
			for x := 20; x < 200; x++ {
				want := 0
				if (image.Point{x, y}).In(box) {
					cover := mask.(*image.Alpha).AlphaAt(at.X+x-box.Min.X, at.Y+y-box.Min.Y).A
					want = ((int(cover)*6+127)/255*255 + 3) / 6 // in sixths
				}
				if got := int(p.Colours[p.Rows[y*1201+1+x]].R); got != want {
					t.Fatalf("%c at %d, %d is %d, want %d", r, x, y, got, want)
				}
			}
		}
	}
}

func TestALetterThatNoFontHasIsNamed(t *testing.T) {
	c := square()
	c.Title = "模"
	if _, err := (&Painter{Kit: kit(t)}).All([]*card.Card{c}); err == nil || !strings.Contains(err.Error(), "模") {
		t.Errorf("error %v does not name the letter", err)
	}
	if _, err := (&Painter{Kit: []byte("none")}).All([]*card.Card{c}); err == nil {
		t.Error("a kit that is none passed")
	}
}

func BenchmarkPaint(b *testing.B) {
	k, ok := card.ReadKit(string(kit(b)))
	if !ok {
		b.Fatal("the kit cannot be read")
	}
	for c := square(); b.Loop(); {
		card.Paint(c, k)
	}
}
