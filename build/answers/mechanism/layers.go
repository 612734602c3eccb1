package mechanism

import (
	"fmt"
	"strconv"
)

// rows draws three tokens and one matrix: the same matrix takes each row by itself.
func rows() string {
	x := [][]float64{{1, 0, 2}, {0, 3, 1}, {2, 1, 0}}
	w := [][]float64{{1, 2, 0, 1}, {0, 1, 1, 2}, {3, 0, 1, 1}}
	y := product(x, w)
	const cell, high = 26, 18
	s := &sheet{}
	colours := []string{"r-attention", "r-ffn", "r-expert"}
	s.say(44, 14, "own", "three tokens")
	s.say(148, 14, "own", "W")
	s.say(246, 14, "own", "results")
	byRow := func(i, _ int) string { return colours[i] }
	s.whole = true
	s.table(34, 24, cell, x, "", byRow)
	for i := range x {
		s.say(30, 24+i*high+13, "end quiet", strconv.Itoa(i+1)+".")
	}
	s.say(124, 24+high+13, "mid", "×")
	s.table(136, 24, cell, w, "r-other", nil)
	s.say(250, 24+high+13, "mid", "")
	s.line("flow", true, 243, 24+high+9, 256, 24+high+9)
	for i := range y {
		for j, v := range y[i] {
			s.box(260+j*16, 24+i*high, 16, high, colours[i])
			s.say(260+j*16+8, 24+i*high+13, "num mid", strconv.Itoa(int(v)))
		}
	}
	for i := range x {
		at := 104 + i*30
		s.box(34, at, 292, 24, colours[i]+" light")
		words := fmt.Sprintf("%d. row:", i+1)
		s.say(42, at+16, "own", words)
		s.say(100, at+16, "num", fmt.Sprintf("(%g, %g, %g) · W = (%g, %g, %g, %g)", x[i][0], x[i][1], x[i][2], y[i][0], y[i][1], y[i][2], y[i][3]))
	}
	return s.svg("Three rows go through one matrix of three by four, each by itself, and make three rows of four")
}

// heads draws eight query heads with eight, two and one key-value heads.
func heads() string {
	s := &sheet{}
	const n, step = 8, 33
	y := 4
	for _, k := range []int{8, 2, 1} {
		name := map[int]string{8: "multi-head: a key and a value for each", 2: "grouped: four queries share one", 1: "multi-query: all share one"}[k]
		s.say(34, y+12, "own", name)
		s.say(30, y+34, "end quiet", "Q")
		s.say(30, y+84, "end quiet", "K, V")
		for i := range n {
			x := 34 + i*step
			s.labelled(x+2, y+20, step-7, 20, "r-attention", strconv.Itoa(i+1))
			to := i * k / n
			width := n / k * step
			middle := 34 + to*width + width/2 - 2
			s.line("flow", false, x+2+(step-7)/2, y+40, middle, y+68)
		}
		for j := range k {
			width := n / k * step
			x := 34 + j*width + width/2 - 2 - 13
			s.box(x, y+68, 12, 24, "r-embedding")
			s.box(x+13, y+68, 12, 24, "r-expert")
		}
		y += 112
	}
	return s.svg("Eight query heads above eight, two and one pair of key and value: the fewer pairs, the less is kept of a token")
}

// latent draws what latent attention stores and how a query meets it.
func latent() string {
	s := &sheet{}
	s.say(4, 12, "own", "a token arrives")
	s.labelled(4, 20, 320, 22, "r-other", "its row: 7,168 numbers")
	s.line("flow", true, 70, 42, 70, 66)
	s.say(78, 58, "quiet", "compress, once")
	s.labelled(4, 68, 134, 24, "r-embedding", "latent: 512")
	s.labelled(138, 68, 62, 24, "r-position", "rotary: 64")
	s.say(208, 84, "", "← all that is cached")
	s.say(4, 122, "own", "a later token asks: 128 heads, each with")
	s.labelled(4, 132, 70, 24, "r-attention", "query: 128")
	s.line("flow", true, 74, 144, 92, 144)
	s.labelled(94, 132, 106, 24, "r-ffn", "× Wᵀ of its keys")
	s.line("flow", true, 200, 144, 216, 144)
	s.labelled(218, 132, 106, 24, "r-attention", "absorbed: 512")
	s.say(4, 182, "own", "and meets the latents as they are")
	for i := range 5 {
		s.box(4, 192+i*14, 134, 12, "r-embedding")
		s.box(138, 192+i*14, 62, 12, "r-position")
		s.line("flow", true, 270, 158, 270, 170, 204, 198+i*14)
	}
	s.say(70, 276, "mid quiet", "five old tokens")
	s.line("flow", true, 70, 282, 70, 300)
	s.say(78, 296, "quiet", "shares, then the mix of latents")
	s.labelled(4, 304, 110, 24, "r-embedding", "mixed: 512")
	s.line("flow", true, 114, 316, 132, 316)
	s.labelled(134, 304, 106, 24, "r-ffn", "× W of its values")
	s.line("flow", true, 240, 316, 256, 316)
	s.labelled(258, 304, 66, 24, "r-attention", "out: 128")
	return s.svg("A token is stored as one latent of 512 numbers and a rotary part of 64. A query is multiplied with the transposed key matrix and compared with the latents themselves; the mix of latents is multiplied with the value matrix at the end")
}

// router draws a token's scores for eight experts, the two that are chosen, and their sum.
func router() string {
	scores := []float64{.4, -1.1, 2.1, .2, -.3, 1.4, -.8, .6}
	first, second := 0, -1
	for i, v := range scores {
		if v > scores[first] {
			first = i
		}
	}
	for i, v := range scores {
		if i != first && (second < 0 || v > scores[second]) {
			second = i
		}
	}
	shares := softened([]float64{scores[first], scores[second]}, scores[first])
	s := &sheet{}
	s.labelled(104, 4, 120, 24, "r-other", "a token's row")
	s.line("flow", true, 164, 28, 164, 42)
	s.labelled(104, 44, 120, 24, "r-router", "router: 8 columns")
	const step = 40
	for i, v := range scores {
		x := 6 + i*step
		on := i == first || i == second
		class := "r-expert off"
		if on {
			class = "r-expert"
			s.line("flow strong", true, 164, 68, x+17, 108)
		}
		s.say(x+17, 122, "num mid", minus(v, 'f', 1))
		s.labelled(x, 128, 34, 38, class, "E"+strconv.Itoa(i+1))
		if on {
			share := shares[0]
			if i == second {
				share = shares[1]
			}
			s.line("flow strong", true, x+17, 168, 164, 206)
			beside, class := x+21, "num end" // of the arrow, on the side that it leaves
			if x+17 > 164 {
				beside, class = x+13, "num"
			}
			s.say(beside, 192, class, "× "+strconv.FormatFloat(share, 'f', 2, 64))
		}
	}
	s.labelled(64, 208, 200, 24, "r-other", "weighted sum, added to the row")
	return s.svg(fmt.Sprintf("A router scores eight experts; number %d and number %d are highest, work on the token, and are added with shares of %.2f and %.2f", first+1, second+1, shares[0], shares[1]))
}

// recurrence draws four steps of a state that fades and takes in.
func recurrence() string {
	inputs := []float64{1, .5, -1, 2}
	keep := []float64{.9, .9, .3, .9}
	s := &sheet{}
	state := 0.0
	for t, x := range inputs {
		y := 8 + t*58
		s.say(4, y+26, "own", "x"+[]string{"₁", "₂", "₃", "₄"}[t]+" = "+minus(x, 'g', 3))
		before := state
		state = keep[t]*state + (1-keep[t])*x
		s.labelled(62, y+8, 62, 28, "r-state", short(before))
		s.line("flow", true, 124, y+22, 146, y+22)
		s.labelled(148, y+8, 74, 28, "r-ffn", "keep "+strconv.FormatFloat(keep[t], 'f', 1, 64))
		s.line("flow", true, 222, y+22, 244, y+22)
		s.labelled(246, y+8, 62, 28, "r-state", short(state))
		if t < 3 {
			s.line("flow", true, 277, y+36, 277, y+48, 93, y+48, 93, y+64)
		}
	}
	s.say(4, 250, "quiet", "The third token asks for “keep 0.3”: it forgets")
	s.say(4, 264, "quiet", "most of what was there and writes itself in.")
	return s.svg(fmt.Sprintf("One number of a state over four tokens: each keeps a share of it and takes in the token with the rest. It ends at %.2f", state))
}

// flash draws attention in blocks: which tiles of the scores are made, and what is kept of them.
func flash() string {
	s := &sheet{}
	const tile, n = 44, 5
	x0, y0 := 62, 44
	s.say(x0+n*tile/2, 12, "mid own", "keys and values, block by block →")
	for j := range n {
		s.labelled(x0+j*tile+2, 20, tile-4, 18, "r-embedding", "K"+strconv.Itoa(j+1))
	}
	for i := range n {
		s.labelled(x0-42, y0+i*tile+2, 34, tile-4, "r-attention", "Q"+strconv.Itoa(i+1))
		for j := range n {
			class, words := "r-other light", ""
			switch {
			case j > i:
				class, words = "skipped", "skip"
			case i == 3 && j == 2:
				class, words = "r-mark", "now"
			case i < 3 || i == 3 && j < 2:
				class, words = "gone", "gone"
			}
			s.box(x0+j*tile, y0+i*tile, tile, tile, class)
			if words != "" {
				s.say(x0+j*tile+tile/2, y0+i*tile+tile/2+4, "mid quiet", words)
			}
		}
	}
	right := x0 + n*tile + 6
	s.box(right, y0+3*tile+4, 14, tile-8, "r-state")
	s.box(right+16, y0+3*tile+4, 20, tile-8, "r-ffn")
	y := y0 + n*tile + 18
	s.box(4, y-10, 12, 12, "r-mark")
	s.say(20, y, "", "the one tile of scores that exists now")
	s.box(4, y+8, 12, 12, "r-state")
	s.say(20, y+18, "", "for each row: largest score and sum so far")
	s.box(4, y+26, 12, 12, "r-ffn")
	s.say(20, y+36, "", "the mix of values so far, rescaled")
	return s.svg("A square of scores cut into five by five tiles. Tiles above the diagonal are skipped. One tile exists at a time; of the others only a maximum, a sum and a mix of values are kept for each row")
}

// window draws which old tokens a token reads, in four designs.
func window() string {
	s := &sheet{}
	const n, c = 14, 10
	picked := map[int]bool{1: true, 4: true, 5: true, 9: true}
	designs := []struct {
		name  string
		reads func(i, j int) bool
	}{
		{"everything", func(i, j int) bool { return j <= i }},
		{"a window of four", func(i, j int) bool { return j <= i && i-j < 4 }},
		{"window and sink", func(i, j int) bool { return j <= i && (i-j < 4 || j == 0) }},
		{"an indexer's choice", func(i, j int) bool { return j == i || j < i && (picked[(i*5+j*3)%11]) }},
	}
	for k, d := range designs {
		x, y := 10+k%2*164, 18+k/2*178
		s.say(x, y-5, "own", d.name)
		count := 0
		for i := range n {
			for j := range n {
				class := "none"
				if j <= i {
					class = "r-other light"
				}
				if d.reads(i, j) {
					class = "r-attention"
					if i == n-1 {
						class, count = "r-mark", count+1
					}
				}
				if class != "none" {
					s.box(x+j*c, y+i*c, c, c, class)
				}
			}
		}
		s.say(x, y+n*c+14, "quiet", "the last token reads "+strconv.Itoa(count))
	}
	return s.svg("Four triangles of which token reads which: all before it; the last four; the last four and the first; some that an indexer picks")
}
