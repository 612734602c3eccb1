package answers

import (
	"math"
	"strconv"

	"llmsize/site/markup"
)

// scoreAt are eight scores of variance about 1, one for each eighth of a normal distribution.
var scoreAt = [8]float64{-1.534, -0.887, -0.489, -0.157, 0.157, 0.489, 0.887, 1.534}

// softmaxWidths are the widths of a head that the figure shows.
var softmaxWidths = []int{1, 4, 16, 64, 128}

// softmax draws the shares of eight tokens whose products are not divided by the root of the
// head's width, for several widths. The script softmax.js adds a width to choose.
//
//	kind=softmax
func softmax() string {
	var w markup.Writer
	w.Raw(`<div class="softmax" data-scores="`)
	for i, s := range scoreAt {
		if i > 0 {
			w.Raw(" ")
		}
		w.Text(strconv.FormatFloat(s, 'f', -1, 64))
	}
	w.Raw(`"><table><thead><tr><th scope="col">Width of a head</th><th scope="col" class="num">Largest</th><th scope="col" class="num">Slope</th></tr></thead><tbody>`)
	for _, d := range softmaxWidths {
		shares := shares(float64(d))
		most := shares[len(shares)-1]
		w.Raw(`<tr><th scope="row">`).Int(int64(d)).Raw(`<div class="region bar"><svg class="bar" viewBox="0 0 880 28" preserveAspectRatio="none" aria-hidden="true">`)
		at := 0.0
		for i := len(shares) - 1; i >= 0; i-- {
			x := int64(math.Round(at * 88000))
			at += shares[i]
			w.Raw(`<rect class="`).Text([2]string{"r-attention", "r-position"}[i%2]).Lengths(`" x="@" width="@" height="28"/>`, x, int64(math.Round(at*88000))-x)
		}
		w.Raw(`</svg></div></th><td class="num">`).Text(percent(most)).Raw(`</td><td class="num">`).Text(percent(most * (1 - most))).Raw(`</td></tr>`)
	}
	return w.Raw(`</tbody></table></div>`).String()
}

// shares is the softmax of the scores, times the root of a width.
func shares(width float64) []float64 {
	out := make([]float64, len(scoreAt))
	sum := 0.0
	for i, s := range scoreAt {
		out[i] = math.Exp(float64(math.Sqrt(width) * (s - scoreAt[len(scoreAt)-1])))
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

func percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + "%" }
