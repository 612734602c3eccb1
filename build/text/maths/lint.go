package maths

import (
	"fmt"
	"regexp"
)

// rules are what TeX may not contain here, each with what to write instead.
var rules = []struct {
	pattern *regexp.Regexp
	advice  string
}{
	{regexp.MustCompile(`\d(\\,|\\;|\\ |~|\\thinspace)\d`), `a space between digits makes two numbers for a screen reader: write thousands as 12{,}288`},
	{regexp.MustCompile(`\d,\d{3}`), `a bare comma between digits is punctuation: write thousands as 12{,}288, and a list with a space after the comma`},
	{regexp.MustCompile(`\\(text|page|f|cell|row|column)?color(box)?\b`), `a fixed colour vanishes in one of the themes: write \class{name}{…} and let the stylesheet colour it`},
	{regexp.MustCompile(`\\style\b`), `inline styles are forbidden by the site's content policy: write \class{name}{…}`},
	{regexp.MustCompile(`\\(tag|label|ref|eqref)\b`), `numbered equations are not used here: refer to the heading's id`},
	{regexp.MustCompile(`\\(href|url)\b`), `links inside formulas cannot be told apart from symbols: link in the sentence`},
	{regexp.MustCompile(`\\begin\{(equation|align|gather|multline)\}`), `this environment numbers its lines: write the starred form, or aligned or gathered`},
}

// Lint reports the first house rule that the TeX source breaks, or nil.
func Lint(tex string) error {
	for _, rule := range rules {
		if found := rule.pattern.FindString(tex); found != "" {
			return fmt.Errorf("%q: %s", found, rule.advice)
		}
	}
	return nil
}
