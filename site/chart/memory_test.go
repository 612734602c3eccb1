package chart

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// bar is what a frame of the tests holds, in bytes.
func bar(room int64, held ...int64) *Memory {
	f := Frame{}
	for i, n := range held {
		f.Held = append(f.Held, Held{Class: [...]string{"m-weights", "m-cache", "m-working"}[i%3], Name: [...]string{"weights", "KV cache", "working", "optimizer", "activations", "gradients"}[i], Bytes: n, Estimate: i == 2})
		f.Low, f.High = f.Low+n, f.High+n
	}
	return &Memory{Label: "a bar", Device: "A device", Capacity: "100 bytes", Unit: "gb", Room: room, Frames: []Frame{f}}
}

var rects = regexp.MustCompile(`<rect(?: class="(\w+)")? x="([\d.]+)" y="[\d.]+" width="([\d.]+)"`)

// TestMemoryIsToScale: on a sheet of 1,000 pixels with a margin of one on each side, 998 are the frame; of 100 bytes in it 50
// are 499 pixels.
func TestMemoryIsToScale(t *testing.T) {
	svg := bar(100, 50, 25, 5).SVG(1000, "wide")
	want := [][2]float64{{1, 499}, {500, 249.5}, {749.5, 49.9}, {1, 998}}
	for i, m := range rects.FindAllStringSubmatch(svg, -1)[:len(want)] {
		x, _ := strconv.ParseFloat(m[2], 64)
		w, _ := strconv.ParseFloat(m[3], 64)
		if d := x - want[i][0]; d > .02 || d < -.02 || w-want[i][1] > .02 || want[i][1]-w > .02 {
			t.Errorf("rectangle %d begins at %g and is %g wide, want %v", i, x, w, want[i])
		}
	}
	if strings.Contains(svg, `class="over"`) {
		t.Error("80 of 100 bytes are marked as too much")
	}
}

// TestMemoryCrossesItsFrame: of 200 bytes on 100 the frame is half of the sheet, and the other half is too much.
func TestMemoryCrossesItsFrame(t *testing.T) {
	svg := bar(100, 150, 50).SVG(1000, "wide")
	over, device := "", ""
	for _, m := range rects.FindAllStringSubmatch(svg, -1) {
		switch m[1] {
		case "over":
			over = m[2] + " " + m[3]
		case "device":
			device = m[2] + " " + m[3]
		}
	}
	if over != "500 499" || device != "1 499" {
		t.Errorf("the frame is %s and the overflow %s", device, over)
	}
}

// heldName is a name as it is written: how far its words reach, which a stylesheet that makes letters larger takes from where they are held.
type heldName struct {
	class, plain string
	from, to, y  float64
}

// written reads the names inside and under the frame.
func written(svg string) (all []heldName) {
	for _, m := range texts.FindAllStringSubmatch(svg, -1) {
		x, _ := strconv.ParseFloat(m[2], 64)
		y, _ := strconv.ParseFloat(m[3], 64)
		plain := tags.ReplaceAllString(m[4], "")
		long := float64(len([]rune(plain))) * 7
		if strings.HasSuffix(m[1], " end") {
			x -= long
		}
		all = append(all, heldName{m[1], plain, x, x + long, y})
	}
	return all
}

var (
	texts = regexp.MustCompile(`<text class="([^"]*(?:under|inside)[^"]*)" x="([\d.]+)" y="([\d.]+)">(.*?)</text>`)
	tags  = regexp.MustCompile(`<[^>]*>`)
)

// TestMemoryLabelsStandApart: whatever the shares, labels below the frame neither meet nor leave the sheet.
func TestMemoryLabelsStandApart(t *testing.T) {
	for _, held := range [][]int64{{1, 1, 1}, {97, 1, 1}, {1, 97, 1}, {50, 1, 1}, {0, 0, 1}, {300, 1, 1}, {2, 2, 90}} {
		for _, width := range []int64{1000, 360} {
			all := written(bar(100, held...).SVG(width, "wide"))
			for i, b := range all {
				if b.from < 0 || b.to > float64(width)+2 {
					t.Errorf("%v on %d: %q stands from %g to %g", held, width, b.plain, b.from, b.to)
				}
				for _, o := range all[:i] {
					if o.y == b.y && o.from < b.to && b.from < o.to {
						t.Errorf("%v on %d: %q meets another", held, width, b.plain)
					}
				}
			}
		}
	}
}

// TestLinesCrossNoLabel: no line from a part to its name passes through another name. The first is what a step of Qwen2.5-VL holds on
// one of eight devices, where a phone's bar had lines through two names; the last what one of Llama 3.1 8B holds, where a bar of 600 had.
func TestLinesCrossNoLabel(t *testing.T) {
	leads := regexp.MustCompile(`<path class="lead" d="M([\d.]+) ([\d.]+)L[\d.]+ ([\d.]+)"/>`)
	for _, held := range [][]int64{{21, 11, 21, 124, 285, 50}, {161, 161, 964, 286, 42}, {97, 1, 1, 1}, {1, 1, 1, 90}, {2, 40, 2, 40, 2}, {10, 20, 3, 30, 4, 20}, {300, 5, 200, 5, 5}, {161, 120, 286, 42, 44}} {
		sum := int64(0)
		for _, n := range held {
			sum += n
		}
		for _, room := range []int64{sum, sum + sum/2, sum * 9 / 10, 855} {
			for _, width := range []int64{1000, 600, 360} {
				number := func(s string) float64 {
					x, _ := strconv.ParseFloat(s, 64)
					return x
				}
				svg := bar(room, held...).SVG(width, "wide")
				all, lines := written(svg), leads.FindAllStringSubmatch(svg, -1)
				if strings.LastIndex(svg, `class="lead"`) > strings.Index(svg, ` under`) {
					t.Errorf("%v on %d: a line is drawn over a name", held, width)
				}
				if len(all) < len(held) {
					t.Fatalf("%v on %d: %d names", held, width, len(all))
				}
				side := float64(width-2)*float64(room)/float64(max(room, sum)) + 1
				for _, l := range all {
					if to := l.from + 1.25*(l.to-l.from); l.y < 100 && l.from < side && side < to { // as wide as a stylesheet makes it
						t.Errorf("%v of %d on %d: the frame's side at %g crosses %q, from %g to %g", held, room, width, side, l.plain, l.from, to)
					}
					// Left of its line a name ends there: larger letters would pass it.
					left := false
					for _, o := range lines {
						x := number(o[1])
						if x > l.from && x < l.to && number(o[2]) < l.y && number(o[3]) > l.y-10 {
							t.Errorf("%v of %d on %d: a line at %g crosses %q, from %g to %g", held, room, width, x, l.plain, l.from, l.to)
						}
						left = left || number(o[3]) == l.y-4 && x > l.to && x < l.to+12
					}
					if left != strings.HasSuffix(l.class, " end") {
						t.Errorf("%v of %d on %d: %q is left of its line: %v, and held as %q", held, room, width, l.plain, left, l.class)
					}
				}
			}
		}
	}
}

// TestHatchesStayInside: the lines of an estimate end on its sides.
func TestHatchesStayInside(t *testing.T) {
	svg := bar(100, 10, 10, 60).SVG(1000, "wide")
	_, lines, _ := strings.Cut(svg, `class="hatch" d="`)
	lines, _, _ = strings.Cut(lines, `"`)
	n := 0
	for _, m := range regexp.MustCompile(`([\d.]+) ([\d.]+)`).FindAllStringSubmatch(lines, -1) {
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		if n++; x < 200.5 || x > 799.5+.1 || y < 40 || y > 96 {
			t.Errorf("a line reaches %g, %g", x, y)
		}
	}
	if n < 100 {
		t.Errorf("%d ends of lines", n)
	}
}

// TestMemoryNamesAreWhole: however small the share of the sheet that the device takes, its name and capacity are there whole, and
// within the sheet.
func TestMemoryNamesAreWhole(t *testing.T) {
	inside := regexp.MustCompile(`<text(?: class="(mid|name)")? x="([\d.]+)" y="([\d.-]+)">([^<]*)</text>`)
	box := regexp.MustCompile(`viewBox="0 (-?[\d.]+) `)
	// The longest of the catalogue, and eight of it.
	for _, device := range []string{"AMD MI300X", "NVIDIA H100 SXM 80 GB", "8 × NVIDIA RTX PRO 6000 Blackwell Server"} {
		for held := int64(10); held < 2000; held += 35 {
			m := bar(100, held)
			m.Device, m.Capacity = device, "85.5 GB"
			if held%2 == 0 {
				m.Most, m.MostSay = 30, "9 tokens fit"
			}
			for _, width := range []int64{1000, 360} {
				svg, said := m.SVG(width, "narrow"), ""
				top, _ := strconv.ParseFloat(box.FindStringSubmatch(svg)[1], 64)
				for _, f := range inside.FindAllStringSubmatch(svg, -1) {
					x, _ := strconv.ParseFloat(f[2], 64)
					y, _ := strconv.ParseFloat(f[3], 64)
					long := float64(len([]rune(f[4]))) * 7.2
					if f[1] == "mid" {
						x -= long / 2
					}
					if x < 0 || x+long > float64(width)+1 || y-12 < top {
						t.Errorf("%d of 100 on %d: %q stands from %g to %g, its foot at %g of %g", held, width, f[4], x, x+long, y, top)
					}
					said = f[4] + said
				}
				if !strings.Contains(said, device) || !strings.Contains(said, "85.5 GB") || strings.Contains(said, "…") {
					t.Errorf("%d of 100 on %d: the bar is called %q", held, width, said)
				}
			}
		}
	}
}

// TestBandIsWiderThanItsEnds: of 1,000 bytes on 998 pixels a band of 4 bytes is 4 pixels wide, an H between ends of 8; of 40 it is drawn.
func TestBandIsWiderThanItsEnds(t *testing.T) {
	for bytes, want := range map[int64]bool{0: false, 4: false, 40: true} {
		c := bar(1000, 500)
		c.Frames[0].High += bytes
		if got := strings.Contains(c.SVG(1000, "wide"), `class="band"`); got != want {
			t.Errorf("a band of %d bytes is drawn: %v", bytes, got)
		}
	}
}
