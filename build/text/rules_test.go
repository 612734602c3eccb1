package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var finder = NewRules([]string{"Some 7B", "Card 80"})

const (
	symbols    = "\\[ P = 12 \\cdot L \\cdot h^2 \\]\n\n"
	words      = "In words: twelve times layers times the square of the width.\n\n"
	workedLine = "For Some 7B:\n\n\\[ 12 \\times {= layers =} \\times {= width =}^2 = {= total =} \\text{ parameters} \\]\n"
)

func group(s string) string { return "::: formula id=eq-a\n" + s + ":::\n" }

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // the beginning of each fault
	}{
		{"three ways", group(symbols + words + workedLine), nil},
		{"alone", symbols, []string{"the formula states a rule and stands alone"}},
		{"in dollars", "$$ a + b $$\n", []string{"the formula states a rule and stands alone"}},
		{"numbers of nobody", "\\[ 2 + 4 = 6 \\text{ bytes} \\]", []string{"the formula states a rule and stands alone"}},
		{"words and numbers near by, but no group", symbols + words + workedLine, []string{"the formula states a rule and stands alone", "the words of a rule stand outside"}},
		{"words alone", group(symbols+words+workedLine) + "\n" + words, []string{"the words of a rule stand outside"}},
		{"in a figure", "::: figure kind=x\n" + symbols + ":::\n", []string{"the formula states a rule and stands alone"}},
		{"behind a group", group(symbols+words+workedLine) + symbols, []string{"the formula states a rule and stands alone"}},
		{"symbols and values in one", "\\[ d = h / a = {= d =} \\text{ numbers} \\]", []string{"the formula states a rule and stands alone"}},
		{"symbols and values in one, in a group", group("\\[ d = h / a = {= d =} \\]\n\n" + words + workedLine), []string{"the symbols hold a value"}},
		{"no words", group(symbols + workedLine), []string{"the symbols hold a value", `no paragraph of the group begins with "In words:"`}},
		{"only symbols", group(symbols), []string{`no paragraph of the group begins with "In words:"`}},
		{"empty words", group(symbols + "In words: twelve.\n\n" + workedLine), []string{"the words say nothing"}},
		{"words that are symbols", group(symbols + "In words: the total is \\(12 \\cdot L\\).\n\n" + workedLine), []string{"the words hold a formula"}},
		{"words, then a formula that explains", group(symbols + "In words: twelve times layers. All heads are \\(a \\cdot d\\) wide.\n\n" + workedLine), nil},
		{"letters in words", group(symbols + "In words: twelve times the layers \\(L\\), say.\n\n" + workedLine), nil},
		{"not worked", group(symbols + words), []string{"the rule is not worked"}},
		{"worked by hand", group(symbols + words + "For Some 7B it is 6 billion.\n"), []string{"the rule is not worked"}},
		{"worked, of no model", group(symbols + words + "\\[ 12 \\times {= layers =} = {= total =} \\text{ parameters} \\]\n"), []string{"the worked line does not say what it is about"}},
		{"a name inside a longer one", group(symbols + words + strings.ReplaceAll(workedLine, "Some 7B", "Some 7Bs")), []string{"the worked line does not say what it is about"}},
		{"a model with its link", group(symbols + words + strings.ReplaceAll(workedLine, "Some 7B", "[Some 7B](/models/some/)")), nil},
		{"worked in a sentence", group(symbols + words + "On a Card 80 that is {= total =} parameters.\n"), nil},
		{"worked in a sentence without a unit", group(symbols + words + "For Some 7B that is {= total =}, which is a lot.\n"), []string{"the worked line has no unit"}},
		{"a value that brings its unit", group(symbols + words + "For Some 7B that is {= memory gib =}.\n"), nil},
		{"worked without a unit", group(symbols + words + "For Some 7B\n\n\\[ 12 \\times {= layers =} = {= total =} \\]\n"), []string{"the result has no unit"}},
		{"a second rule behind the words", group(symbols + words + workedLine + "\n" + symbols), []string{"the formula comes behind the words"}},
		{"no formula", group(words + workedLine[:strings.Index(workedLine, "\\[")]), []string{"the group holds no formula"}},
		{"worked alone", "\\[ 12 \\times {= layers =} = {= total =} \\text{ parameters} \\]", nil},
		{"worked alone, with a name for what comes out", "\\[ P_{\\text{active}} &\\approx 12 \\times {= layers =} \\text{ parameters} \\]", nil},
		{"a unit of symbols", "\\[ \\text{attention} = {= total =} \\text{ parameters} = {= ratio =}\\,h^2 \\]", nil},
		{"a list of letters", "\\[ \\begin{aligned} h &= {= h =} & L &= {= l =} \\text{ layers} \\end{aligned} \\]", nil},
		{"worked alone without a unit", "\\[ 12 \\times {= layers =} = {= total =} \\]", []string{"the result has no unit"}},
		{"brackets that grow", "\\[ {= a =} \\times \\left( 4 + \\tfrac{12}{4} \\right) = {= b =} \\text{ bytes} \\]", nil},
		{"a bound", "\\[ t \\le a / b \\] \\[ t \\le {= a =} \\text{ seconds} \\]", []string{"the formula states a rule and stands alone"}},
		{"a marked number", "\\[ {~known 256~} \\times {= n =} = {= total =} \\text{ numbers} \\]", nil},
		{"in the line", "The width is \\(h = 12\\), or \\(P = 12Lh^2\\).", nil},
		{"in code and front matter", "+++\ntitle = '\\[ a + b \\]'\n+++\n```tex\n\\[ a + b \\]\n```\n`\\[ a + b \\]`", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range finder.Find(c.text) {
				got = append(got, f.Faults...)
			}
			if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	step := "\\[ 4h^2 + 8h^2 = 12h^2 \\]\n\nWith layers:\n\n"
	var got []string
	for _, f := range finder.Find("+++\ntitle = \"A\"\n+++\n\nText.\n" + group(step+symbols+words+workedLine) + "\n\\[ {= a =} \\text{ bytes} \\]\n") {
		got = append(got, fmt.Sprintf("%d %d %d", f.Line, f.Kind, len(f.Faults)))
	}
	want := []string{fmt.Sprintf("7 %d 0", Step), fmt.Sprintf("11 %d 0", Rule), fmt.Sprintf("17 %d 0", Worked), fmt.Sprintf("20 %d 0", Worked)}
	if !slices.Equal(got, want) {
		t.Errorf("line, kind, faults: %q, want %q", got, want)
	}
}

func FuzzRules(f *testing.F) {
	f.Add(group(symbols + words + workedLine))
	f.Add("::: formula\n$$\nIn words:\n:::\n\\[ {= x =} \\]")
	f.Fuzz(func(t *testing.T, text string) {
		for _, found := range finder.Find(text) {
			if found.Line < 1 || found.Line > 1+strings.Count(text, "\n") {
				t.Errorf("line %d of %q", found.Line, text)
			}
		}
	})
}
