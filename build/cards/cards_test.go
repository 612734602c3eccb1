package cards

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"llmsize/core/arch"
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

// square is a card with one matrix of 100 × 100 sheet pixels and two roles in proportion 1 to 3.
func square() *Card {
	c := &Card{Site: "llmsize", Title: "A model", Kicker: "Us", Count: 4_000_000_000, Reading: "4.00 B parameters"}
	c.ByRole[arch.Attention], c.ByRole[arch.FFN] = 1_000_000_000, 3_000_000_000
	c.Scene = chart.Scene{Width: 100_00, Height: 100_00, Shapes: []chart.Shape{{X: 0, Y: 0, W: 100_00, H: 100_00, Role: arch.Attention, Name: "q_proj", Size: "4 × 4"}}}
	return c
}

func TestACardIsAPictureOfTheRightSize(t *testing.T) {
	of := colours(t)
	pictures, err := (&Painter{Colours: of}).All([]*Card{square()})
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
	fresh, err := (&Painter{Colours: colours(t)}).All([]*Card{square(), square()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // painted, then kept
		kept, err := (&Painter{Colours: colours(t), Dir: dir}).All([]*Card{square()})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(kept[0], fresh[0]) || !bytes.Equal(fresh[0], fresh[1]) {
			t.Error("the bytes differ")
		}
	}
	other := square()
	other.Title = "Another"
	if _, err := (&Painter{Colours: colours(t), Dir: dir}).All([]*Card{other}); err != nil {
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
	c.Note = "1.23 T active per token"
	of := colours(t)
	for _, text := range []string{"", strings.Repeat("Where do this model's numbers come from? ", 8)} {
		c.Text = text
		pictures, err := (&Painter{Colours: of}).All([]*Card{c})
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(pictures[0]))
		if err != nil {
			t.Fatal(err)
		}
		dot := blend(of["rule"], of["paper"], 4, 5)
		for y := range Height {
			for x := right + 3; x < Width; x++ {
				if got := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA); got != of["paper"] && got != dot {
					t.Fatalf("something stands in the margin at %d, %d", x, y)
				}
			}
		}
	}
}

func TestTextIsBrokenAndClipped(t *testing.T) {
	set, err := newTypeset()
	if err != nil {
		t.Fatal(err)
	}
	f := set.face(set.book, 30)
	lines := f.wrap("one two three four five six seven eight nine ten", 200, 2)
	if len(lines) != 2 || !strings.HasSuffix(lines[1], "…") {
		t.Errorf("%q", lines)
	}
	for _, l := range lines {
		if f.width(l) > 200 {
			t.Errorf("%q is %f wide", l, f.width(l))
		}
	}
	if got := f.wrap("one two", 400, 2); len(got) != 1 || got[0] != "one two" {
		t.Errorf("%q", got)
	}
	if grouped(8_030_261_248) != "8\u2009030\u2009261\u2009248" {
		t.Errorf("%q", grouped(8_030_261_248))
	}
}

func TestColoursThatAreMissingAreNamed(t *testing.T) {
	if _, err := ReadColours([]byte(`:root[data-theme="dark"] { --paper: #131c2b; --ink: #fff; }`)); err == nil || !strings.Contains(err.Error(), "--sheet") {
		t.Errorf("error %v does not name the first colour that is missing", err)
	}
	if _, err := ReadColours([]byte(`:root { --paper: #fff; }`)); err == nil {
		t.Error("a sheet without a dark theme passed")
	}
	if got := rgb("fa0"); got != (color.RGBA{0xff, 0xaa, 0x00, 0xff}) {
		t.Errorf("#fa0 is %v", got)
	}
}

func TestAlt(t *testing.T) {
	if got, want := square().Alt(), "A model: 4,000,000,000 parameters. Its weight matrices are drawn to scale."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	chapter := &Card{Title: "Counting", Text: "How many?"}
	if got, want := chapter.Alt(), "Counting. How many?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func BenchmarkPaint(b *testing.B) {
	set, err := newTypeset()
	if err != nil {
		b.Fatal(err)
	}
	of, card := colours(b), square()
	for b.Loop() {
		if _, err := paint(card, set, of); err != nil {
			b.Fatal(err)
		}
	}
}
