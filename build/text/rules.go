// The formulas of a text are held to three forms: symbols, words, and a worked line.
//
// A formula that stands on a line of its own states a rule. A reader who does not read symbols needs
// it in words, and everybody needs to see it once with numbers. [Rules.Find] lists the formulas of a text
// and says of each whether both are there; the check of the site fails where they are not.
//
// # How a rule is written
//
//	::: formula id=eq-cache
//	\[ \text{cache} = 2 \cdot L \cdot k \cdot d \cdot n \cdot s \cdot b \]
//
//	In words: keys and values, in every layer, for every key-value head, …
//
//	For [Llama 3.1 70B](/models/llama-3.1-70b/), one token:
//
//	\[ 2 \times {= config.num_hidden_layers =} \times … = {= memory.kv_cache.bytes_per_token =} \text{ bytes} \]
//	:::
//
// The symbols come first. They hold no value of the engine; of several formulas the last is the rule,
// and those before it are the steps that lead to it. Then comes one paragraph that begins with
// "In words:" and says the rule without writing it again. What follows is the worked line, as a
// formula, a sentence or a table: it names a model, takes its numbers from the
// engine, and gives the result a unit.
//
// # What may stand alone
//
// A formula of numbers alone, some of them the engine's, is a worked line wherever it stands: another
// model, the same sum on the way to the next thought. It has a unit too. A formula in the line uses
// symbols and states nothing: a new rule gets a line of its own.
//
// # That it is right
//
// [Adds] works a line out, once its values are filled in: markdown.go refuses one whose sides differ.

package text

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// FormulaKind is what a formula is there for.
type FormulaKind int

// The kinds of formulas on a line of their own.
const (
	Rule   FormulaKind = iota // states a rule
	Step                      // leads to the rule of its group
	Worked                    // a rule with numbers
)

// Formula is a formula on a line of its own.
type Formula struct {
	Line   int
	TeX    string // as it is written, marks of engine values included
	Kind   FormulaKind
	Faults []string // what is missing, and what to do about it; in the order of the text
}

// Rules knows what a worked line can be about.
type Rules struct{ names *regexp.Regexp }

// NewRules makes a finder. names are those of models: "Llama 3.1 8B". A link to a model's page
// names it too, however the text calls it.
func NewRules(names []string) *Rules {
	names = slices.Clone(names)
	var parts []string
	for _, n := range names {
		parts = append(parts, strings.ReplaceAll(regexp.QuoteMeta(n), " ", `[\s\x{a0}]`))
	}
	return &Rules{regexp.MustCompile(`(?:^|[^\pL\d])(?:` + strings.Join(parts, "|") + `)(?:[^\pL\d]|$)|` + `\]\(/models/`)}
}

var (
	hidden     = regexp.MustCompile("(?s)\\A\\+\\+\\+\n.*?\n\\+\\+\\+\n|(?m:^```)(?s:.*?)(?m:^```)|`[^`\n]+`")
	display    = regexp.MustCompile(`(?s)\\\[.*?\\\]|\$\$.*?\$\$`)
	rulesFence = regexp.MustCompile(`(?m)^:::[ \t]*(\w*).*$`)
	wording    = regexp.MustCompile(`(?m)^In words:(.*(?:\n.+)*)`)
	value      = regexp.MustCompile(`\{=.*?=\}`)
)

// span is a part of the source.
type span struct{ from, to int }

func (s span) holds(at int) bool { return s.from <= at && at < s.to }

// Find lists the formulas of a text that stand on lines of their own.
func (f *Rules) Find(source string) []Formula {
	source = hidden.ReplaceAllStringFunc(source, blank)
	var found []Formula
	groups := groups(source)
	for _, g := range groups {
		if !display.MatchString(source[g.from:g.to]) {
			found = append(found, Formula{Line: line(source, g.from), Kind: Rule, Faults: []string{"the group holds no formula"}})
		}
	}
	for _, at := range wording.FindAllStringIndex(source, -1) {
		if !slices.ContainsFunc(groups, func(g span) bool { return g.holds(at[0]) }) {
			found = append(found, Formula{Line: line(source, at[0]), Kind: Worked, Faults: []string{"the words of a rule stand outside of its group"}})
		}
	}
	for _, at := range display.FindAllStringIndex(source, -1) {
		tex := source[at[0]+2 : at[1]-2]
		formula := Formula{Line: line(source, at[0]), TeX: strings.TrimSpace(tex)}
		i := slices.IndexFunc(groups, func(g span) bool { return g.holds(at[0]) })
		if i < 0 {
			f.alone(&formula)
		} else {
			g := groups[i]
			f.grouped(&formula, source[g.from:g.to], at[0]-g.from)
		}
		if formula.Kind == Worked && value.MatchString(tex) && !hasUnit(tex) {
			formula.fault(`the result has no unit: end with \text{ parameters}, or what it counts`)
		}
		found = append(found, formula)
	}
	slices.SortStableFunc(found, func(a, b Formula) int { return a.Line - b.Line })
	return found
}

func (f *Formula) fault(what string) { f.Faults = append(f.Faults, what) }

// alone judges a formula outside of a group.
func (f *Rules) alone(formula *Formula) {
	formula.Kind = Worked
	if !value.MatchString(formula.TeX) || symbolic(formula.TeX) {
		formula.Kind = Rule
		formula.fault("the formula states a rule and stands alone: put it into ::: formula id=eq-… with its words and a worked line")
	}
}

// grouped judges a formula at a place of its group. What the whole group lacks is said of its rule.
func (f *Rules) grouped(formula *Formula, group string, at int) {
	words := wording.FindStringSubmatchIndex(group)
	if words != nil && at > words[0] {
		formula.Kind = Worked
		if !value.MatchString(formula.TeX) {
			formula.fault("the formula comes behind the words and has no value of the engine: it belongs before them, or into a group of its own")
		}
		return
	}
	end := len(group)
	if words != nil {
		end = words[0]
	}
	if next := display.FindStringIndex(group[min(at+len(formula.TeX), end):end]); next != nil {
		formula.Kind = Step
	}
	if value.MatchString(formula.TeX) {
		formula.fault("the symbols hold a value of the engine: write the rule alone, and its numbers behind the words")
	}
	if formula.Kind == Step {
		return
	}
	if words == nil {
		formula.fault(`no paragraph of the group begins with "In words:"`)
		return
	}
	f.said(formula, group[words[2]:words[3]])
	f.worked(formula, group[words[1]:])
}

var (
	inline       = regexp.MustCompile(`(?s)\\\(.*?\\\)`)
	written      = regexp.MustCompile(`[=^+]|\\cdot|\\times|\\frac|\\tfrac|\\sqrt`)
	ruleSentence = regexp.MustCompile(`(?s)\A.*?[.;](?:\s|$)`)
)

// said judges the words. The first sentence is the rule; what comes behind may explain.
func (f *Rules) said(formula *Formula, words string) {
	if first := ruleSentence.FindString(words); first != "" {
		words = first
	}
	if len(strings.Fields(words)) < 3 {
		formula.fault("the words say nothing")
	}
	for _, m := range inline.FindAllString(words, -1) {
		if written.MatchString(m) {
			formula.fault("the words hold a formula: " + m)
		}
	}
}

// worked judges what follows the words.
func (f *Rules) worked(formula *Formula, text string) {
	switch {
	case !value.MatchString(text):
		formula.fault("the rule is not worked: behind the words comes a line with values of the engine, {= … =}")
	case !f.names.MatchString(text):
		formula.fault("the worked line does not say what it is about: name the model")
	case !display.MatchString(text) && !hasUnit(text):
		formula.fault("the worked line has no unit")
	}
}

var (
	ownUnit  = regexp.MustCompile(`\{=[^=]*\s(?:short|gb|gib|percent)\s.*?=\}`)
	unitText = regexp.MustCompile(`\\text\{ ?\pL+[^}]*\}`)
	unitWord = regexp.MustCompile(`^[^.:;|]{0,24}?\b(?:parameters?|weights?|numbers?|entries|bytes?|bits?|FLOPs?|operations?|multiplications?|scores?|pairs?|tokens?|texts?|times|seconds?|hours?|layers?)\b`)
)

// hasUnit reports whether the last value of the engine, or in prose any, says what it counts.
func hasUnit(text string) bool {
	values := value.FindAllStringIndex(text, -1)
	if len(values) == 0 {
		return false
	}
	last := values[len(values)-1]
	if ownUnit.MatchString(text[last[0]:last[1]]) || unitText.MatchString(text[last[1]:]) {
		return true
	}
	for _, v := range values {
		if ownUnit.MatchString(text[v[0]:v[1]]) || unitWord.MatchString(text[v[1]:]) {
			return true
		}
	}
	return false
}

var (
	marked  = regexp.MustCompile(`\{~\w+ ([^~\n]+)~\}`)
	named   = regexp.MustCompile(`\\(?:text|operatorname|begin|end)\{[^{}]*\}`)
	side    = regexp.MustCompile(`\\(?:approx|to|leq?|geq?)\b|\\\\|\\qquad|[=&]`)
	greek   = regexp.MustCompile(`\\(?:Phi|alpha|beta|gamma|sigma)\b`)
	command = regexp.MustCompile(`\\(?:[a-zA-Z]+|.)`)
	lone    = regexp.MustCompile(`^[^a-zA-Z\d]*[a-zA-Z](?:_\{?\w*\}?)?[^a-zA-Z\d]*$`)
	letter  = regexp.MustCompile(`[a-zA-Z]`)
)

// symbolic reports a formula with a side that is written in symbols. A single letter is the name of
// what comes out, and a letter beside a value of the engine is its unit.
func symbolic(tex string) bool {
	tex = value.ReplaceAllString(tex, "#")
	tex = named.ReplaceAllString(marked.ReplaceAllString(tex, "$1"), "")
	for _, s := range side.Split(tex, -1) {
		s = command.ReplaceAllString(greek.ReplaceAllString(s, "x"), "")
		if !strings.Contains(s, "#") && letter.MatchString(s) && !lone.MatchString(s) {
			return true
		}
	}
	return false
}

// groups are the insides of ::: formula.
func groups(source string) []span {
	var found []span
	open := -1
	for _, m := range rulesFence.FindAllStringSubmatchIndex(source, -1) {
		name := source[m[2]:m[3]]
		switch {
		case name == "formula":
			open = m[1]
		case name == "" && open >= 0:
			found = append(found, span{open, m[0]})
			open = -1
		}
	}
	return found
}

// blank keeps the lines of a text and nothing of them.
func blank(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, s)
}

func line(source string, at int) int { return 1 + strings.Count(source[:at], "\n") }

// String is a formula with what it lacks.
func (f Formula) String() string {
	return fmt.Sprintf("line %d: %s: %s", f.Line, strings.Join(strings.Fields(f.TeX), " "), strings.Join(f.Faults, "; "))
}
