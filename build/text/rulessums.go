package text

import (
	"fmt"
	"regexp"
	"strings"
)

// Adds checks the arithmetic of a worked line whose values are filled in: what is on both sides
// of a sign of equality has to come to the same, as far as the digits go that are written. A side
// with a letter in it states something else and is passed over. In lines below each other
// "together" is the sum of those above it.
func Adds(tex string) error {
	var (
		last  *interval // what the line before came to
		above []interval
	)
	for _, l := range rows(tex) {
		sides := equals.Split(l.text, -1)
		if !l.goesOn {
			last = nil
		}
		if l.together && len(above) > 0 {
			sum := above[0]
			for _, a := range above[1:] {
				sum = sum.add(a)
			}
			last = &sum
		}
		for _, s := range sides {
			v, ok := evaluate(s)
			if !ok {
				continue
			}
			if last != nil && !last.meets(v, strings.Contains(l.text, "→")) {
				return fmt.Errorf("the sum does not come out: %s is %s, and what it is set equal to %s", strings.TrimSpace(s), v, *last)
			}
			last = &v
		}
		if last != nil {
			above = append(above, *last)
		}
	}
	return nil
}

// row is a line of a formula.
type row struct {
	text     string
	together bool
	goesOn   bool // the line begins with a sign of equality
}

var (
	equals   = regexp.MustCompile(`=|≈|→`)
	begun    = regexp.MustCompile(`^(?:\\begin\{\w+\}|[&\s])*[=≈→]`)
	newline  = regexp.MustCompile(`\\\\(?:\[[^\]]*\])?`)
	sum      = regexp.MustCompile(`\\text\{ ?together ?\}`)
	spoken   = regexp.MustCompile(`\\,?\\text\{([^{}]*)\}|\\(?:text|begin|end|operatorname)\{[^{}]*\}`)
	quantity = regexp.MustCompile(`(\d)\\,\\text\{([^{}]*)\}`)
	spaces   = regexp.MustCompile(`\\[,;:! ]|\\quad|\\qquad|&|\\left|\\right|\\bigl|\\bigr`)
)

// rows brings a formula to lines of numbers, signs and braces.
func rows(tex string) []row {
	var found []row
	for _, l := range newline.Split(tex, -1) {
		r := row{together: sum.MatchString(l)}
		l = strings.NewReplacer(`\approx`, "≈", `\to`, "→", "{,}", "", `\times`, "*", `\cdot`, "*", `\div`, "/", `\tfrac`, `\frac`, "−", "-").Replace(l)
		r.goesOn = begun.MatchString(l)
		l = quantity.ReplaceAllString(l, "$1⟨$2⟩")
		l = spoken.ReplaceAllString(l, "")
		l = strings.ReplaceAll(spaces.ReplaceAllString(l, " "), `\%`, "⟨%⟩")
		r.text = braces(l)
		if signed := strings.TrimSpace(r.text); len(found) > 0 && (strings.HasPrefix(signed, "-") || strings.HasPrefix(signed, "+")) {
			found[len(found)-1].text += r.text // a sum over several lines
			continue
		}
		if len(found) > 0 && strings.HasPrefix(strings.TrimSpace(r.text), "=") && !equals.MatchString(found[len(found)-1].text) {
			found[len(found)-1].text += r.text
			continue
		}
		found = append(found, r)
	}
	return found
}

var under = regexp.MustCompile(`_\{[^{}]*\}`)

// braces takes the words below a brace away and keeps what is above it.
func braces(s string) string {
	return strings.ReplaceAll(under.ReplaceAllString(s, ""), `\underbrace`, "")
}
