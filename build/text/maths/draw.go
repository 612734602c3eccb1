package maths

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Sizes in thousandths of an em, which is MathJax's unit too.
const (
	depthStep = 50 // inline drawings reach below the baseline by a multiple of this …
	maxDepth  = 80 // … of at most this many
)

// Widths in em of the formula.
const (
	maxInline = 15 // what a line of text on a 320 px screen holds
	maxStill  = 14 // a displayed formula up to here never has to scroll
)

var (
	dataAttribute = regexp.MustCompile(` data-([\w-]+)="[^"]*"`)
	between       = regexp.MustCompile(`>\s+<`)
	idAttribute   = regexp.MustCompile(` id="[^"]*"`)
	styleLeft     = regexp.MustCompile(` style="([^"]*)"`)
	emptyGroup    = regexp.MustCompile(`<g( transform="[^"]*")?></g>`)
	emptyShape    = regexp.MustCompile(`></(use|rect|line|path|ellipse|polygon)>`)
	textLeft      = regexp.MustCompile(`<text[^>]*>([^<]*)</text>`)
)

// draw writes the HTML for MathJax's answer.
func draw(a answer, display bool) (Formula, error) {
	box := strings.Fields(a.ViewBox)
	if len(box) != 4 {
		return Formula{}, fmt.Errorf("the drawing has no fixed size (viewBox %q)", a.ViewBox)
	}
	var n [4]float64
	for i, field := range box {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return Formula{}, fmt.Errorf("viewBox %q: %w", a.ViewBox, err)
		}
		n[i] = v
	}
	left, top, width, height := n[0], n[1], n[2], n[3]
	drawing := keepNeeded(a.Drawing)
	if found := textLeft.FindStringSubmatch(drawing); found != nil {
		return Formula{}, fmt.Errorf("the font has no glyph for %q", found[1])
	}
	if found := styleLeft.FindStringSubmatch(drawing); found != nil {
		return Formula{}, fmt.Errorf("needs the inline style %q, which the site's content policy forbids", found[1])
	}

	class := ""
	if !display {
		// The box is made a little deeper, so that its depth is one of a few and can be a
		// class: the drawing keeps its exact place on the baseline.
		depth := max(top+height, 0)
		steps := int((depth + depthStep - 0.001) / depthStep)
		if steps > maxDepth {
			return Formula{}, fmt.Errorf("%.1f em below the baseline is too deep for a line: display it with $$…$$", depth/1000)
		}
		height = float64(steps*depthStep) - top
		if steps > 0 {
			class = fmt.Sprintf(` class="depth-%d"`, steps)
		}
	}
	mathml := idAttribute.ReplaceAllString(dataAttribute.ReplaceAllString(a.MathML, ""), "")
	mathml = between.ReplaceAllString(mathml, "><")
	mathml = strings.Replace(mathml, ` xmlns="http://www.w3.org/1998/Math/MathML"`, "", 1)
	html := fmt.Sprintf(`<span class="maths"><svg%s width="%sem" height="%sem" viewBox="%s %s %s %s" aria-hidden="true" focusable="false">%s</svg>%s</span>`,
		class, em(width), em(height), number(left), number(top), number(width), number(height), drawing, mathml)
	if display {
		scroll := ""
		if width > maxStill*1000 {
			scroll = ` tabindex="0" role="group" aria-label="formula"`
		}
		html = fmt.Sprintf(`<div class="formula"%s>%s</div>`, scroll, html)
	}
	return Formula{HTML: html, Glyphs: a.Glyphs, Width: width / 1000}, nil
}

// keepNeeded drops MathJax's notes to itself. data-line and data-frame stay: they tell
// a table's rules from its glyphs.
func keepNeeded(drawing string) string {
	drawing = dataAttribute.ReplaceAllStringFunc(drawing, func(attribute string) string {
		switch {
		case strings.HasPrefix(attribute, " data-line="), strings.HasPrefix(attribute, " data-frame="):
			return attribute
		}
		return ""
	})
	// The stylesheet says these once for every formula.
	drawing = strings.Replace(drawing, ` stroke="currentColor" fill="currentColor" stroke-width="0"`, "", 1)
	drawing = emptyGroup.ReplaceAllString(drawing, "")
	return emptyShape.ReplaceAllString(drawing, "/>")
}

// em writes thousandths of an em as em with at most three decimals.
func em(thousandths float64) string {
	return number(thousandths / 1000)
}

// number writes at most three decimals and no trailing zero.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 3, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}
