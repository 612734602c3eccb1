package mechanism

import (
	"math"
	"strconv"
	"strings"

	"llmsize/site/markup"
)

// The smallest model that writes a sentence: six pieces of vocabulary, a width of four, two heads, one layer, a
// feed-forward part of eight. It was trained on "the cat sat on the mat ." with its weights rounded to tenths at
// every step, so these are all the digits it has.
var (
	pieces    = []string{"the", "cat", "sat", "on", "mat", "."}
	embedding = [][]float64{{-1.5, 1.7, -.4, -2.2}, {-1.9, -.6, -.7, -.2}, {.4, .3, -2.4, .3}, {1.4, -.9, 1.1, -1.2}, {-1.3, -1.7, .9, 2}, {.6, 1.8, .6, 2.1}}
	positions = [][]float64{{-.3, -.6, .5, -1.2}, {.1, .5, .4, .3}, {.4, .2, .3, .3}}
	wq        = [][]float64{{.3, -.1, -.6, -.3}, {-.4, .1, .2, .5}, {.5, .1, .1, 0}, {0, 0, -.3, .3}}
	wk        = [][]float64{{.2, -.1, .1, .3}, {-.1, 0, -.4, -.1}, {.8, .2, .3, .3}, {-.7, .1, -.4, -.5}}
	wv        = [][]float64{{-.2, -.1, .1, .3}, {.2, -.8, .5, .5}, {-.8, -.4, -.2, 0}, {.3, -.3, -.1, .6}}
	wo        = [][]float64{{.7, -.4, -.1, -.1}, {.2, .6, .1, 1}, {-.3, -.6, 0, -.5}, {-.5, 1, .3, -1}}
	up        = [][]float64{{.1, .2, .7, .3, -.4, -.7, 1, -.1}, {-.2, .4, .1, -.1, -.6, .8, -.9, -1.1}, {.6, -1.2, 0, 1.1, .3, -.5, .3, .3}, {.3, -.2, .5, -.1, 1.5, -.5, .1, -.6}}
	down      = [][]float64{{-.1, .7, 0, -.2}, {.1, -1, .8, -.4}, {-.1, .6, .9, -.1}, {-.5, .4, -.7, -.1}, {.7, .3, -.3, -.4}, {-.1, -.9, .2, 1.3}, {-.2, .8, .7, -1}, {-.5, -.1, -.9, .2}}
)

// tinyWidth and the heads of the model; a head has two numbers.
const (
	tinyWidth = 4
	tinyHeads = 2
	tinyHead  = tinyWidth / tinyHeads
)

// Tiny is the number of parameters of the model that the forward pass is drawn for.
func Tiny() int {
	n := 0
	for _, m := range [][][]float64{embedding, positions, wq, wk, wv, wo, up, down} {
		n += len(m) * len(m[0])
	}
	return n
}

// pass is everything that a forward pass computes, in order.
type pass struct {
	ids                     []int
	looked, x, n1           [][]float64
	q, k, v                 [][]float64
	scores, shares          [tinyHeads][][]float64
	mixed, attended, x1, n2 [][]float64
	wide, bent, back, x2    [][]float64
	last                    [][]float64 // the last token's row, normed
	logits, chances         []float64
}

// run computes a forward pass over tokens.
func run(ids []int) pass {
	p := pass{ids: ids}
	for i, id := range ids {
		p.looked = append(p.looked, embedding[id])
		p.x = append(p.x, add(embedding[id], positions[i]))
	}
	p.n1 = each(p.x, normed)
	p.q, p.k, p.v = product(p.n1, wq), product(p.n1, wk), product(p.n1, wv)
	p.mixed = make([][]float64, len(ids))
	for h := range tinyHeads {
		for i := range ids {
			row, most := make([]float64, len(ids)), math.Inf(-1)
			for j := range ids {
				row[j] = math.Inf(-1)
				if j <= i {
					row[j] = dot(p.q[i][h*tinyHead:(h+1)*tinyHead], p.k[j][h*tinyHead:(h+1)*tinyHead]) / math.Sqrt(tinyHead)
				}
				most = math.Max(most, row[j])
			}
			p.scores[h] = append(p.scores[h], row)
			p.shares[h] = append(p.shares[h], softened(row, most))
			mix := make([]float64, tinyHead)
			for j, share := range p.shares[h][i] {
				for c := range mix {
					mix[c] += float64(share * p.v[j][h*tinyHead+c])
				}
			}
			p.mixed[i] = append(p.mixed[i], mix...)
		}
	}
	p.attended = product(p.mixed, wo)
	p.x1 = sum(p.x, p.attended)
	p.n2 = each(p.x1, normed)
	p.wide = product(p.n2, up)
	p.bent = each(p.wide, func(row []float64) []float64 {
		out := make([]float64, len(row))
		for i, v := range row {
			out[i] = math.Max(v, 0)
		}
		return out
	})
	p.back = product(p.bent, down)
	p.x2 = sum(p.x1, p.back)
	p.last = [][]float64{normed(p.x2[len(ids)-1])}
	most := math.Inf(-1)
	for _, row := range embedding {
		p.logits = append(p.logits, dot(p.last[0], row))
		most = math.Max(most, p.logits[len(p.logits)-1])
	}
	p.chances = softened(p.logits, most)
	return p
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += float64(a[i] * b[i])
	}
	return s
}

func add(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}

func sum(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for i := range a {
		out[i] = add(a[i], b[i])
	}
	return out
}

func each(m [][]float64, f func([]float64) []float64) [][]float64 {
	out := make([][]float64, len(m))
	for i := range m {
		out[i] = f(m[i])
	}
	return out
}

func product(x, w [][]float64) [][]float64 {
	return each(x, func(row []float64) []float64 {
		out := make([]float64, len(w[0]))
		for j := range out {
			for i, v := range row {
				out[j] += float64(v * w[i][j])
			}
		}
		return out
	})
}

// normed divides a row by the root of its mean square.
func normed(row []float64) []float64 {
	r := math.Sqrt(dot(row, row) / float64(len(row)))
	out := make([]float64, len(row))
	for i, v := range row {
		out[i] = v / r
	}
	return out
}

func softened(row []float64, most float64) []float64 {
	out, s := make([]float64, len(row)), 0.0
	for i, v := range row {
		out[i] = math.Exp(v - most)
		s += out[i]
	}
	for i := range out {
		out[i] /= s
	}
	return out
}

// spelled is a dot product with its numbers, as it is worked out: "0.30·1.10 + 0.20·(−0.50)".
func spelled(a, b []float64) string {
	var parts []string
	for i := range a {
		second := short(b[i])
		if b[i] < 0 {
			second = "(" + second + ")"
		}
		parts = append(parts, short(a[i])+"·"+second)
	}
	return strings.Join(parts, " + ")
}

// column of a matrix.
func column(m [][]float64, j int) []float64 {
	out := make([]float64, len(m))
	for i := range m {
		out[i] = m[i][j]
	}
	return out
}

// walkStep is one picture of the pass.
type walkStep struct{ title, words, drawing string }

// forward draws a whole forward pass, one step a picture. The script walk.js shows them one at a time; without it
// they are a strip.
func forward() string {
	p := run([]int{0, 1, 2})
	const cell, wide = 34, 35
	names := []string{"the", "cat", "sat"}
	marked := func(i, j int) func(int, int) string {
		return func(a, b int) string {
			if a == i && b == j {
				return "r-mark"
			}
			return ""
		}
	}
	inRow := func(i int) func(int, int) string {
		return func(a, _ int) string {
			if a == i {
				return "r-mark"
			}
			return ""
		}
	}
	inColumn := func(j int) func(int, int) string {
		return func(_, b int) string {
			if b == j {
				return "r-mark"
			}
			return ""
		}
	}
	byHead := func(_, j int) string {
		if j < tinyHead {
			return "r-attention"
		}
		return "r-state"
	}
	words := func(s *sheet, x, y int) {
		for i, name := range names {
			s.say(x, y+i*18+13, "end", name)
		}
	}
	// times draws rows times a matrix over their product, with one entry marked in all three.
	times := func(x, w, out [][]float64, left, matrix, result, class string, i, j int, colour func(int, int) string) string {
		s := &sheet{}
		s.say(38, 12, "own", left)
		words(s, 34, 18)
		s.table(38, 18, cell, x, "r-other", inRow(i))
		s.say(38+5*cell, 12, "own", matrix)
		at := 38 + 5*cell - 18
		s.say(at-10, 18+2*18-4, "mid", "×")
		s.table(at, 18, cell, w, class, inColumn(j))
		y := 18 + max(len(x), len(w))*18 + 22
		s.say(38, y-6, "own", result)
		words(s, 34, y)
		s.table(38, y, cell, out, class, func(a, b int) string {
			if a == i && b == j {
				return "r-mark"
			}
			if colour != nil {
				return colour(a, b)
			}
			return ""
		})
		return s.svg(result + ": " + left + " times " + matrix)
	}

	var steps []walkStep
	say := func(title, text, drawing string) { steps = append(steps, walkStep{title, text, drawing}) }

	s := &sheet{}
	for i, name := range names {
		s.labelled(14+i*100, 14, 88, 26, "r-other", name)
		s.line("flow", true, 58+i*100, 40, 58+i*100, 62)
		s.labelled(14+i*100, 64, 88, 26, "r-embedding", strconv.Itoa(p.ids[i]))
	}
	say("Text becomes numbers", "The tokenizer looks each piece up in its list of six, which begins with “the”. What goes on is its place in the list: 0, 1, 2.", s.svg("Three words and their ids: 0, 1, 2"))

	s = &sheet{}
	s.say(38, 12, "own", "embedding")
	for i, name := range pieces {
		s.say(34, 18+i*18+13, "end", name)
	}
	s.table(38, 18, cell, embedding, "r-embedding", func(i, _ int) string {
		if i < 3 {
			return "r-mark"
		}
		return ""
	})
	s.say(190, 12, "own", "positions")
	s.table(190, 18, cell, positions, "r-position", nil)
	s.say(38, 148, "own", "X: embedding + position")
	words(s, 34, 154)
	s.table(38, 154, cell, p.x, "r-other", marked(0, 0))
	say("Each id picks a row", "Row 0, row 1 and row 2 of the embedding are copied. To each the model adds the vector of its place in the sentence. The first number of “the” is "+short(embedding[0][0])+" + ("+short(positions[0][0])+") = "+short(p.x[0][0])+". From here on a token is a row of four numbers: this is the residual stream.", s.svg("Rows of the embedding plus vectors of positions"))

	s = &sheet{}
	s.say(38, 12, "own", "X")
	words(s, 34, 18)
	s.table(38, 18, cell, p.x, "r-other", inRow(0))
	s.say(190, 12, "own", "X, normed")
	s.table(190, 18, cell, p.n1, "r-norm-light", inRow(0))
	say("A norm brings rows to one size", "Each row is divided by the root of its mean square. For “the” that root is "+short(math.Sqrt(dot(p.x[0], p.x[0])/tinyWidth))+". Only what is read below is normed; the row itself stays as it is.", s.svg("Three rows before and after the norm"))

	say("Queries", "The matrix W_q has a column for each number of a query. The same matrix takes every row, one after the other. Marked: "+spelled(p.n1[2], column(wq, 0))+" = "+short(p.q[2][0])+". Two columns belong to each of the two heads.", times(p.n1, wq, p.q, "X, normed", "W_q", "queries: head 1, head 2", "r-attention", 2, 0, byHead))
	say("Keys", "A second matrix makes keys from the same rows: what each token can be found by.", times(p.n1, wk, p.k, "X, normed", "W_k", "keys: head 1, head 2", "r-attention", 0, 0, byHead))
	say("Values", "A third matrix makes values: what each token hands over when it is found. While writing, keys and values are what the cache keeps.", times(p.n1, wv, p.v, "X, normed", "W_v", "values: head 1, head 2", "r-attention", 0, 2, byHead))

	s = &sheet{}
	for h := range tinyHeads {
		x := 38 + h*150
		class := [...]string{"r-attention", "r-state"}[h]
		s.say(x, 12, "own", "scores, head "+strconv.Itoa(h+1))
		for j, name := range names {
			s.say(x+j*cell+cell/2, 26, "mid quiet", name)
		}
		if h == 0 {
			words(s, 34, 30)
		}
		s.table(x, 30, cell, p.scores[h], class, marked(2, 1))
		s.say(x, 106, "own", "shares, head "+strconv.Itoa(h+1))
		if h == 0 {
			words(s, 34, 112)
		}
		s.table(x, 112, cell, p.shares[h], class, marked(2, 1))
	}
	say("Who looks at whom", "“sat” compares its query with each key. In head 1 with “cat”: ("+spelled(p.q[2][:2], p.k[1][:2])+") / √2 = "+short(p.scores[0][2][1])+". Later words are masked: a token may not look ahead. The softmax turns each row into shares that add up to one. No parameter is used here.", s.svg("Scores and shares of both heads, three by three"))

	s = &sheet{}
	for h := range tinyHeads {
		x := 38 + h*150
		class := [...]string{"r-attention", "r-state"}[h]
		s.say(x, 12, "own", "shares, head "+strconv.Itoa(h+1))
		s.table(x, 18, cell, p.shares[h], class, inRow(2))
	}
	words(s, 34, 18)
	s.say(38, 94, "own", "values")
	words(s, 34, 100)
	s.table(38, 100, cell, p.v, "r-other", byHead)
	s.say(190, 94, "own", "mixed")
	s.table(190, 100, cell, p.mixed, "r-other", func(i, j int) string {
		if i == 2 && j == 0 {
			return "r-mark"
		}
		return byHead(i, j)
	})
	say("Each head mixes values", "The shares say how much of each value a token takes. First number of “sat”: "+spelled(p.shares[0][2], column(p.v, 0))+" = "+short(p.mixed[2][0])+". The two heads' results lie side by side: four numbers again.", s.svg("Shares times values, head by head"))

	say("W_o mixes the heads", "Each number that goes back can draw on both heads. Then the result is added to the row that the layer began with: X grows, and nothing in it is overwritten.", times(p.mixed, wo, p.attended, "mixed", "W_o", "what attention adds", "r-attention", 2, 0, nil))

	s = &sheet{}
	s.say(38, 12, "own", "X + attention, normed")
	words(s, 34, 18)
	s.table(38, 18, cell, p.n2, "r-other", inRow(2))
	s.say(38, 92, "own", "up: 4 × 8")
	s.table(38, 98, wide, up, "r-ffn", inColumn(0))
	s.say(38, 194, "own", "wide, and what ReLU leaves of it")
	words(s, 34, 200)
	s.table(38, 200, wide, p.wide, "r-ffn", marked(2, 0))
	words(s, 34, 262)
	s.table(38, 262, wide, p.bent, "r-ffn", nil)
	say("Feed-forward: wide", "Now each token is on its own. A matrix makes eight numbers of four, and ReLU sets the negative ones to zero. That bend is what keeps two matrices from being one.", s.svg("Three rows of four become three rows of eight"))

	s = &sheet{}
	s.say(38, 12, "own", "down: 8 × 4")
	s.table(38, 18, cell, down, "r-ffn", inColumn(0))
	s.say(190, 12, "own", "what it adds")
	s.table(190, 18, cell, p.back, "r-ffn", marked(2, 0))
	s.say(190, 98, "own", "X after the layer")
	s.table(190, 104, cell, p.x2, "r-other", nil)
	say("Feed-forward: back", "A second matrix brings eight numbers back to four, and they are added to the row. That was one layer. Llama 3.1 70B does the same eighty times, with rows of 8,192.", s.svg("Eight numbers become four and are added"))

	s = &sheet{}
	s.say(38, 12, "own", "last row, normed")
	s.say(34, 31, "end", "sat")
	s.table(38, 18, cell, p.last, "r-norm-light", inRow(0))
	s.say(38, 60, "own", "LM head = embedding")
	for i, name := range pieces {
		s.say(34, 66+i*18+13, "end", name)
		s.say(208, 66+i*18+13, "num end", short(p.logits[i]))
		length := int(math.Round(70 * p.chances[i]))
		s.box(216, 66+i*18+3, max(length, 1), 12, "r-head")
		s.say(292, 66+i*18+13, "num", strconv.FormatFloat(100*p.chances[i], 'f', 0, 64)+"%")
	}
	best := 0
	for i, c := range p.chances {
		if c > p.chances[best] {
			best = i
		}
	}
	s.table(38, 66, cell, embedding, "r-embedding", inRow(best))
	say("Which word comes next?", "Only the last row matters now. It is compared with the row of every word; here the LM head is tied, so that is the embedding. “"+pieces[best]+"”: "+spelled(p.last[0], embedding[best])+" = "+short(p.logits[best])+". The softmax makes chances of the scores. “"+pieces[best]+"” is written, joins the text, and the pass begins again with four tokens.", s.svg("Scores and chances of six words"))

	var w markup.Writer
	w.Raw(`<div class="walk" data-walk><ol>`)
	for i, one := range steps {
		w.Raw(`<li><p class="title">`).Text(strconv.Itoa(i+1) + ". " + one.title).Raw(`</p>`).Add(markup.Markup(one.drawing)).Raw(`<p>`).Text(one.words).Raw(`</p></li>`)
	}
	return w.Raw(`</ol></div>`).String()
}
