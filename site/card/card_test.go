package card

import (
	"strings"
	"testing"

	"llmsize/core/model"
	"llmsize/site/chart"
)

// small is a kit whose fonts are drawn on a square of 10 units and have a box for what is missing, a
// space, an ellipsis, and squares for a and b: 8 units wide, they advance by 10, and b stands 2 closer after a.
func small() string {
	var k strings.Builder
	for i := range numColours {
		k.Write([]byte{byte(i), 0, 0})
	}
	square := []byte{move, 2, 0, straight, 16, 0, straight, 0, 15, straight, 15, 0, straight, 0, 16} // from (1, 0), 8 right, 8 up, back
	letters := []struct {
		rune
		advance, outline, pairs int
	}{{0, 10, 0, 0}, {' ', 5, 15, 0}, {'a', 10, 15, 0}, {'b', 10, 30, 1}, {'…', 10, 45, 1}}
	for range NumFonts {
		number := func(values ...int) {
			for _, v := range values {
				k.Write([]byte{byte(v >> 8), byte(v)})
			}
		}
		number(10, len(letters))
		for _, l := range letters {
			number(int(l.rune), l.advance, l.outline, l.pairs)
		}
		number(1)
		k.WriteByte(3)
		number(-2)
		number(60)
		for range 4 {
			k.Write(square)
		}
	}
	return k.String()
}

func set(t testing.TB) *typeset {
	t.Helper()
	k, ok := ReadKit(small())
	if !ok {
		t.Fatal("the kit cannot be read")
	}
	return &typeset{kit: k}
}

func TestWidth(t *testing.T) {
	f := set(t).face(Book, 20) // a unit is 2 pixels
	for s, want := range map[string]float64{"": 0, "a": 20, "ba": 40, "ab": 36, "a b": 50, "a\u2009b": 44, "xyz": 60} {
		if got := f.width(s); got != want {
			t.Errorf("%q is %v wide, want %v", s, got, want)
		}
	}
}

func TestTextIsBrokenAndClipped(t *testing.T) {
	f := set(t).face(Book, 20)
	for _, c := range []struct {
		text  string
		width float64
		want  string
	}{
		{"aa aa", 90, "aa aa"}, // 40 + 10 + 40
		{"aa aa", 89, "aa|aa"}, // so it needs two lines
		{"aa aa aa aa", 90, "aa aa|aa aa"},
		{"aa aa aa aa aa", 90, "aa aa|aa a…"}, // three more do not fit: 40 + 10 + 20 + 20
		{"aaaaaa", 90, "aaa…"},                // 60 + 20
	} {
		if got := strings.Join(f.wrap(c.text, c.width, 2), "|"); got != c.want {
			t.Errorf("%q in %v pixels: %q, want %q", c.text, c.width, got, c.want)
		}
	}
	if got := grouped(8_030_261_248); got != "8\u2009030\u2009261\u2009248" {
		t.Errorf("%q", got)
	}
}

// TestText: a letter's square of 8 units at 20 pixels is 16 pixels wide and high, its left edge 2 pixels from where it begins.
func TestText(t *testing.T) {
	red := RGB{200, 0, 0}
	for _, c := range []struct {
		name           string
		upright        bool
		x0, y0, x1, y1 int // the first pixel of the letter, and the first after it
	}{
		{"along", false, 102, 84, 118, 100},
		{"upright", true, 84, 83, 100, 99}, // begins at the bottom, 100, and its base is at x = 100
	} {
		p := newCanvas(RGB{})
		f := set(t).face(Sans, 20)
		if c.upright {
			p.upright(f, 100, 100, "a", red)
		} else if end := p.text(f, 100, 100, "a", red); end != 120 {
			t.Errorf("%s: it ends at %v", c.name, end)
		}
		for y := range Height {
			for x, n := range p.row(y, 0, Width) {
				in := x >= c.x0 && x < c.x1 && y >= c.y0 && y < c.y1
				if got := p.Colours[n] == red; got != in {
					t.Fatalf("%s: pixel %d, %d is %v", c.name, x, y, p.Colours[n])
				}
			}
		}
	}
}

func TestPaletteIsFull(t *testing.T) {
	c := newCanvas(RGB{})
	for i := range 300 {
		c.fill(i, 0, 1, 1, RGB{byte(i), byte(i / 256 * 9), 0})
	}
	// The 257th colour, (0, 9, 0), is as near to black as to none else.
	if got := c.Colours[c.row(0, 256, 257)[0]]; len(c.Colours) != 256 || got != (RGB{}) {
		t.Errorf("%d colours, the 257th became %v", len(c.Colours), got)
	}
}

func TestKitThatIsNone(t *testing.T) {
	whole := small()
	for n := range len(whole) {
		if _, ok := ReadKit(whole[:n]); ok {
			t.Fatalf("%d of %d bytes are read as a kit", n, len(whole))
		}
	}
	if _, ok := ReadKit(whole + "x"); ok {
		t.Error("a kit with a byte behind it is read")
	}
}

func FuzzKit(f *testing.F) {
	f.Add(small())
	f.Fuzz(func(t *testing.T, data string) {
		if k, ok := ReadKit(data); ok {
			set := typeset{kit: k}
			set.face(Serif, 20).width("ab …x")
		}
	})
}

func TestLetterThatIsMissing(t *testing.T) {
	k := set(t).kit
	c := Card{Title: "aéb", Scene: chart.Scene{Labels: []chart.Label{{Text: "öé"}}}}
	if got := k.Lacks(&c); got != "éö" {
		t.Errorf("%q is missing", got)
	}
	if got := k.Lacks(&Card{Title: "a b"}); got != "" {
		t.Errorf("%q is missing", got)
	}
}

func TestAlt(t *testing.T) {
	c := &Card{Title: "A model", Count: 4_000_000_000}
	c.Scene.Shapes = []chart.Shape{{Role: model.Attention}}
	if got, want := c.Alt(), "A model: 4,000,000,000 parameters. Its weight matrices are drawn to scale."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	c.Told = "changed"
	if got, want := c.Alt(), "A model, changed: 4,000,000,000 parameters. Its weight matrices are drawn to scale."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	chapter := &Card{Title: "Counting", Text: "How many?"}
	if got, want := chapter.Alt(), "Counting. How many?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
