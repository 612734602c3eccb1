package content_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"llmsize/build/text"
	"llmsize/site/view"
)

var (
	// aside are the parts of a formula that hold no letters of the table: words, and what is below a brace.
	aside  = regexp.MustCompile(`\{~\w+ [^~]*~\}|\\(?:text|begin|end|operatorname)\{[^{}]*\}|\\mathsf T|\}_\{[^{}]*\}`)
	index  = regexp.MustCompile(`_(?:\{[^{}]*\}|\w)`)
	macro  = regexp.MustCompile(`\\[a-zA-Z]+`)
	greeks = strings.NewReplacer(`\alpha`, "α", `\beta`, "β", `\Phi`, "Φ", `\sigma`, "σ", `\gamma`, "γ", `\theta`, "θ", `\mu`, "μ", `\Delta`, "Δ", `\ell`, "ℓ", `\mathit`, "")
	sign   = regexp.MustCompile(`\pL`)
)

// TestLettersAreInTheTable finds every letter of every rule in the one table of letters, which is the
// calculator's and content/glossary.toml's. An index picks one of several and is not looked for.
func TestLettersAreInTheTable(t *testing.T) {
	var glossary struct {
		Letters []struct{ Sign string } `toml:"letter"`
	}
	if _, err := toml.DecodeFile("glossary.toml", &glossary); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, l := range view.Letters() {
		known[l.Sign] = true
	}
	for _, l := range glossary.Letters {
		if known[l.Sign] {
			t.Errorf("the table has %s twice", l.Sign)
		}
		known[l.Sign] = true
	}
	found := 0
	for _, c := range chapters(t) {
		for _, f := range text.NewRules(nil).Find(c.source) {
			if f.Kind == text.Worked {
				continue
			}
			tex := aside.ReplaceAllString(f.TeX, " ")
			tex = macro.ReplaceAllString(greeks.Replace(index.ReplaceAllString(tex, " ")), " ")
			for _, letter := range sign.FindAllString(tex, -1) {
				found++
				if !known[letter] {
					t.Errorf("%s:%d: the letter %s of %s is not in the table", c.file, f.Line, letter, f.TeX)
				}
			}
		}
	}
	if found < 150 {
		t.Errorf("only %d letters were found", found)
	}
}
