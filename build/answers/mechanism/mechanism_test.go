package mechanism

import (
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// The pass of the tiny model is worked out here once more, by another way: entry by entry, from the definitions.
func TestForwardPass(t *testing.T) {
	ids := []int{0, 1, 2}
	p := run(ids)
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	for i, id := range ids {
		square := 0.0
		for j := range 4 {
			near("a row", p.x[i][j], embedding[id][j]+positions[i][j])
			square += p.x[i][j] * p.x[i][j] / 4
		}
		for j := range 4 {
			near("a normed row", p.n1[i][j]*math.Sqrt(square), p.x[i][j])
		}
	}
	// The score of "sat" and "cat" in the second head, and what its softmax makes of the row.
	total := 0.0
	raw := make([]float64, 3)
	for j := range 3 {
		for c := 2; c < 4; c++ {
			q, k := 0.0, 0.0
			for n := range 4 {
				q += p.n1[2][n] * wq[n][c]
				k += p.n1[j][n] * wk[n][c]
			}
			raw[j] += q * k / math.Sqrt2
		}
		total += math.Exp(raw[j])
	}
	for j := range 3 {
		near("a share", p.shares[1][2][j], math.Exp(raw[j])/total)
	}
	if !math.IsInf(p.scores[0][0][1], -1) || p.shares[0][0][1] != 0 {
		t.Error("the first token sees the second")
	}
	best := 0
	for i, c := range p.chances {
		if c > p.chances[best] {
			best = i
		}
	}
	if pieces[best] != "on" || p.chances[best] < 0.9 {
		t.Errorf("the cat sat %s, %.2f", pieces[best], p.chances[best])
	}
	if next := run([]int{0, 1}); next.chances[2] < 0.9 {
		t.Errorf("the cat: sat has %.2f", next.chances[2])
	}
}

func TestTiny(t *testing.T) {
	// Six pieces and three places of four, four squares of attention, two matrices of four by eight.
	if got, want := Tiny(), 6*4+3*4+4*4*4+2*4*8; got != want {
		t.Errorf("%d parameters, want %d", got, want)
	}
}

// A pipeline of p stages and m micro-batches takes (m + p − 1) · 3 turns, whichever way it alternates, and no
// stage does two things at once or begins before its input is there.
func TestPlan(t *testing.T) {
	for _, c := range []struct{ stages, batches int }{{1, 1}, {2, 3}, {4, 4}, {4, 8}, {8, 4}} {
		for _, alternating := range []bool{false, true} {
			jobs := plan(c.stages, c.batches, alternating)
			end := 0
			busy := map[[2]int]bool{}
			begun := map[[3]int]int{}
			for _, j := range jobs {
				end = max(end, j.from+j.length)
				begun[[3]int{j.stage, j.batch, j.length}] = j.from
				for at := j.from; at < j.from+j.length; at++ {
					if busy[[2]int{j.stage, at}] {
						t.Errorf("%+v: stage %d is busy twice in turn %d", c, j.stage, at)
					}
					busy[[2]int{j.stage, at}] = true
				}
			}
			if len(jobs) != 2*c.stages*c.batches {
				t.Errorf("%+v: %d passes", c, len(jobs))
			}
			if want := 3 * (c.batches + c.stages - 1); end != want {
				t.Errorf("%+v alternating %v: takes %d turns, want %d", c, alternating, end, want)
			}
			for k, from := range begun {
				if k[2] == 1 && k[0] > 0 && from < begun[[3]int{k[0] - 1, k[1], 1}]+1 || k[2] == 2 && k[0] < c.stages-1 && from < begun[[3]int{k[0] + 1, k[1], 2}]+2 {
					t.Errorf("%+v: stage %d begins with micro-batch %d before its input is there", c, k[0], k[1])
				}
			}
		}
	}
}

// Every drawing is legible on the narrowest telephone: nothing is wider than its sheet, and each says in words what it shows.
func TestSheets(t *testing.T) {
	for name, draw := range Kinds {
		html := draw()
		if strings.Count(html, `role="img"`) != strings.Count(html, "aria-label=") || !strings.Contains(html, `viewBox="0 0 328 `) {
			t.Errorf("%s: a sheet without words, or not 328 wide", name)
		}
		if strings.Contains(html, "NaN") {
			t.Errorf("%s: a number that is none", name)
		}
		if html != draw() {
			t.Errorf("%s: two drawings differ", name)
		}
	}
}

var written = regexp.MustCompile(`<text class="([^"]*)" x="(\d+)" y="\d+">([^<]*)</text>`)

// Words stay on their sheet: at 11.5 units a letter of the page's sans is at most 6.4 wide on average, one of a number in 10.5
// at most 6.2.
func TestWordsStayOnTheSheet(t *testing.T) {
	for name, draw := range Kinds {
		for _, m := range written.FindAllStringSubmatch(draw(), -1) {
			x, err := strconv.Atoi(m[2])
			if err != nil {
				t.Fatal(err)
			}
			letter := 6.0
			if strings.Contains(m[1], "own") {
				letter = 6.4
			}
			wide := letter * float64(utf8.RuneCountInString(html.UnescapeString(m[3])))
			left, right := float64(x), float64(x)+wide
			switch {
			case strings.Contains(m[1], "end"):
				left, right = float64(x)-wide, float64(x)
			case strings.Contains(m[1], "mid"):
				left, right = float64(x)-wide/2, float64(x)+wide/2
			}
			if left < -2 || right > whole+2 {
				t.Errorf("%s: %q reaches from %.0f to %.0f of %d", name, m[3], left, right, whole)
			}
		}
	}
}

var drawn = regexp.MustCompile(`<rect class="[^"]*" x="(-?\d+)" y="\d+" width="(\d+)"`)

// TestBoxesStayOnTheSheet, with the line around them: half of a line on the edge is cut off.
func TestBoxesStayOnTheSheet(t *testing.T) {
	for name, draw := range Kinds {
		for _, m := range drawn.FindAllStringSubmatch(draw(), -1) {
			x, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			wide, err := strconv.Atoi(m[2])
			if err != nil {
				t.Fatal(err)
			}
			if x < 1 || x+wide > whole-1 {
				t.Errorf("%s: a box from %d to %d of %d", name, x, x+wide, whole)
			}
		}
	}
}
