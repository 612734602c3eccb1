package text

import (
	"strings"
	"testing"
)

// FuzzConvert: no text makes the renderer panic, and what it accepts holds no expression that was not answered.
func FuzzConvert(f *testing.F) {
	for _, seed := range []string{
		"## A {#a}", "{= layers =}", "> [!NOTE] x\n> y", "::: figure kind=drawing\n:::", "a[^1]\n\n[^1]: b", "|a|\n|-|\n|{= layers =}|",
		"- ::: figure kind=drawing\n  x\n  :::", "> [!ANSWER]\n> > [!NOTE]\n> > `{= layers =}`", "a[^1] b[^1]\n\n[^1]: c\n\n    d", "```json {hl_lines=[1]}\n{}\n```",
	} {
		f.Add(seed)
	}
	// Without formulas: MathJax is not ours to fuzz, and slow.
	r := NewRenderer(nil, engine{}, engine{})
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "$") || strings.Contains(text, `\`) {
			return
		}
		doc, err := r.Fragment("a.md", []byte(text), "v=1&model=known")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "a.md:") {
				t.Errorf("the error does not name the place: %v", err)
			}
			return
		}
		if strings.Contains(text, "{= layers =}") && strings.Contains(string(doc.HTML), "{= layers =}") && !strings.Contains(text, "    ") && !strings.Contains(text, "\t") && !strings.Contains(text, "<") {
			t.Errorf("an expression is left in\n%s", doc.HTML)
		}
	})
}
