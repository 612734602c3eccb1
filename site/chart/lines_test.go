package chart

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
)

func lines() *Lines {
	return &Lines{
		Label:  `Cache & context <of> "a model"`,
		X:      Axis{Title: "tokens", From: 1, To: 10_000, Ticks: CountTicks([]int64{1, 100, 10_000})},
		Y:      Axis{Title: "cache", From: 1, To: 1_000_000, Ticks: ByteTicks([]int64{1000, 1_000_000}, "gb")},
		Series: []Series{{"<mine>", []Point{{1, 10}, {10_000, 100_000}}}, {"other", []Point{{1, 10}, {10_000, 100_000}}}},
		Levels: []Level{{At: 500_000, Text: "a device & its memory"}, {At: 100, Text: "limit", Down: true}},
		Spots:  []Spot{{Point: Point{100, 1000}, Low: 10, Text: "here"}},
	}
}

func TestLines(t *testing.T) {
	for _, width := range []int64{260, 328, 600, 3000} {
		svg := lines().SVG(width)
		wellFormed(t, svg)
		for _, want := range []string{`role="img"`, "aria-label=\"Cache &amp; context", `class="line l-A"`, `class="line l-B"`, `<title>&lt;mine&gt;</title>`, `>10,000</text>`, `>1 MB</text>`, `class="spot"`, `>here</text>`, `class="band"`} {
			if !strings.Contains(svg, want) {
				t.Errorf("%d: no %s in\n%s", width, want, svg)
			}
		}
		if strings.Contains(svg, "style=") || strings.Contains(svg, " id=") {
			t.Errorf("%d: styles or ids in\n%s", width, svg)
		}
	}
}

// Two lines that end at one place: their letters stand one above the other.
func TestLettersDoNotCover(t *testing.T) {
	svg := lines().SVG(600)
	var at []string
	for _, part := range strings.Split(svg, `<text class="mark" `)[1:] {
		at = append(at, part[:strings.Index(part, ">")])
	}
	if len(at) != 2 || at[0] == at[1] {
		t.Errorf("the letters stand at %v", at)
	}
}

// A point at 100 of 1 … 10,000 is half way across the field, one at 1,000 of
// 1 … 1,000,000 half way up: the field of a 600 px sheet is 36 … 580 px wide
// ("1 MB" needs 4·7.6 + 6 = 36.4).
func TestSpotStandsWhereItsValuesAre(t *testing.T) {
	svg := lines().SVG(600)
	left, right := 36.4, 580.0
	top, height := 22.0, 270.0 // 9/20 of 600
	want := fmt.Sprintf(`cx="%g" cy="%g"`, (left+right)/2, top+height/2)
	if !strings.Contains(svg, want) {
		t.Errorf("the point is not at %s:\n%s", want, svg[strings.Index(svg, "<circle"):])
	}
}

// Beside a point of a line that falls is the line itself, above it is room; where the line rises it is the other way round.
func TestTextsKeepOffTheirLine(t *testing.T) {
	c := &Lines{X: Axis{Linear: true, To: 100}, Y: Axis{Linear: true, To: 100}, Series: []Series{{"falls", []Point{{0, 90}, {100, 10}}}}, Spots: []Spot{{Point: Point{25, 70}, Text: "2.022"}}}
	// The field is 270 px high and begins at 22: the point at 70 of 100 is at 22 + 0.3·270 = 103. The text's foot is 9 px above or 16 below.
	if svg := c.SVG(600); !strings.Contains(svg, ` y="94">2.022<`) {
		t.Error("on a line that falls the text is not above:", svg[strings.Index(svg, "<circle"):])
	}
	c.Series[0].Points, c.Spots[0].Point = []Point{{0, 10}, {100, 90}}, Point{25, 30} // 22 + 0.7·270 = 211
	if svg := c.SVG(600); !strings.Contains(svg, ` y="227">2.022<`) {
		t.Error("on a line that rises the text is not below:", svg[strings.Index(svg, "<circle"):])
	}
}

func TestStack(t *testing.T) {
	c := &Stack{Label: "memory", Y: Axis{Title: "memory", Linear: true, To: 100, Ticks: CountTicks([]int64{0, 50, 100})}, At: []int64{0, 500, 500, 1000},
		Bands:  []Band{{Name: "<weights>", High: []int64{40, 40, 40, 40}}, {Name: "cache", High: []int64{0, 40, 20, 20}}, {Name: "thin", High: []int64{1, 1, 1, 1}}},
		Phases: []Phase{{"first", 500}, {"second", 1000}}, Levels: []Level{{At: 90, Text: "all"}}}
	svg := c.SVG(600)
	wellFormed(t, svg)
	for _, want := range []string{`class="fill f-A"`, `class="fill f-C"`, "&lt;weights&gt;", ">first</text>", ">second</text>", ">A</text>", ">B</text>", ">all</text>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if strings.Contains(svg, ">C</text>") {
		t.Error("a band too thin for its letter has one")
	}
	// Weights are 40 of 100: 40% of the field's 270 px from its foot at 292 px end at 184 px; "100" needs 28.8 px.
	if !strings.Contains(svg, `d="M28.8 184L`) {
		t.Errorf("the first band does not begin at 184 px:\n%s", svg)
	}
}

// wellFormed fails when the text is not XML.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err != nil {
			if err.Error() != "EOF" {
				t.Errorf("%v in\n%s", err, svg)
			}
			return
		}
	}
}

// What names a moment stays on the sheet, however long it is, and off a level; titles of phases are whole where there is room beside
// them, and no stubs where there is none.
func TestNamesOfMoments(t *testing.T) {
	c := &Stack{Label: "memory", Y: Axis{Title: "memory", Linear: true, To: 100}, At: []int64{0, 480, 1000}, Bands: []Band{{Name: "weights", High: []int64{40, 80, 40}}},
		Phases: []Phase{{"rollout", 12}, {"forward", 480}, {"loss", 490}, {"backward", 985}, {"optimizer", 1000}}}
	for _, width := range []int64{328, 600} {
		for _, s := range []Spot{{Point: Point{480, 80}, Text: "feed-forward: multiply, 18.1 GB"}, {Point: Point{1000, 40}, Text: "optimizer, 161 GB"}, {Point: Point{0, 40}, Text: "embedding, 161 GB"}} {
			for _, level := range []int64{0, 83} {
				c.Spots, c.Levels = []Spot{s}, nil
				if level > 0 {
					c.Levels = []Level{{level, "a device with a long name, 85.5 GB", false}}
				}
				svg := c.SVG(width)
				wellFormed(t, svg)
				var x, y float64
				_, after, _ := strings.Cut(svg, `<text class="halo own" `)
				if n, err := fmt.Sscanf(after, `x="%g" y="%g">`, &x, &y); n != 2 {
					t.Fatal(err, svg)
				}
				if wide := 7.6 * float64(len(s.Text)); x < 0 || x+wide > float64(width) {
					t.Errorf("%d wide: %s goes from %g to %g", width, s.Text, x, x+wide)
				}
				// The field begins at 22: the level's line is 17% of its height below that, its text 4 above the line.
				high := min(max(float64(width)*9/20, 170), 280)
				if line := 22 + .17*high - 4; level > 0 && s.Y == 80 && y > line-12 && y < line+12 {
					t.Errorf("%d wide: %s stands on the level's text, at %g and %g", width, s.Text, y, line)
				}
			}
		}
		svg := c.SVG(width)
		for _, want := range []string{">rollout</text>", ">forward</text>", ">backward</text>", ">optimizer</text>"} {
			if !strings.Contains(svg, want) {
				t.Errorf("%d wide: no %s", width, want)
			}
		}
		if strings.Contains(svg, "…</text>") {
			t.Errorf("%d wide: a title is cut: %s", width, svg)
		}
	}
}
