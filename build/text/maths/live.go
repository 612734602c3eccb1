package maths

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"

	"llmsize/site/view"
)

//go:embed subset.mjs
var subsetScript string

// Live is what a page needs to put formulas together by itself, without MathJax: see site/scripts/typeset.js.
type Live struct {
	Atoms []byte // JSON: MathJax's CHTML of every atom, and the stylesheet for them
	Font  []byte // woff2: MathJax's font with the glyphs of the atoms alone
	Zero  []byte // woff2: MathJax's font without height, which stands before it, so that boxes are as high as their glyphs
}

// operators are the signs between terms, as the view writes them, and their TeX. MathJax says how each is spaced.
var operators = map[string]string{
	"·": `\cdot`, "×": `\times`, "÷": `\div`, "+": `+`, "−": `-`, "/": `/`,
	"=": `=`, "≤": `\le`, "≥": `\ge`, "<": `<`, ">": `>`, "≈": `\approx`,
	"(": `(`, ")": `)`, "⌈": `\lceil`, "⌉": `\rceil`, "⌊": `\lfloor`, "⌋": `\rfloor`,
	",": `,`, ";": `;`, "min": `\min`, "max": `\max`, "log": `\log`,
}

// greek are letters of formulas that TeX has a name for.
var greek = map[string]string{"α": `\alpha`, "β": `\beta`, "γ": `\gamma`, "λ": `\lambda`, "µ": `\mu`, "σ": `\sigma`, "Φ": `\Phi`}

// words are the characters of \text beyond those of ASCII.
const words = "’–µ°"

// textOfASCII leaves out what TeX reads as a command, and what no formula has.
const textOfASCII = `!"%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz`

// indexed are letters of rules of thumb that the site's table lacks.
var indexed = []string{"d_k", "d_v"}

// atomsWanted lists what live.js renders: every Latin letter, the Greek ones, and those with an index of the site's table ("f_E").
func atomsWanted() (string, error) {
	letters := map[string]string{}
	for c := 'a'; c <= 'z'; c++ {
		letters[string(c)] = string(c)
		letters[strings.ToUpper(string(c))] = strings.ToUpper(string(c))
	}
	for sign, tex := range greek {
		letters[sign] = tex
	}
	signs := indexed
	for _, l := range view.Letters() {
		signs = append(signs, l.Sign)
	}
	for _, sign := range signs {
		letter, index, ok := strings.Cut(sign, "_")
		if !ok {
			if letters[sign] == "" {
				return "", fmt.Errorf("the letter %q is neither Latin nor in the table of Greek ones", sign)
			}
			continue
		}
		if len([]rune(index)) > 1 {
			index = "{" + index + "}"
		}
		letters[sign] = letter + "_" + index
	}
	wanted, err := json.Marshal(map[string]any{"letters": letters, "operators": operators, "text": strings.Split(textOfASCII+words, "")})
	return string(wanted), err
}

// Files are what a page loads, by the names that its script asks for.
func (l *Live) Files() map[string][]byte {
	return map[string][]byte{"formulas.json": l.Atoms, "formulas.woff2": l.Font, "zero.woff2": l.Zero}
}

// NewLive renders the atoms and makes the fonts. What was made once is kept in cacheDir, which may be empty. It needs
// Node, for the font.
func NewLive(nodeModules, cacheDir string) (*Live, error) {
	nodeModules, err := filepath.Abs(nodeModules)
	if err != nil {
		return nil, err
	}
	installed, err := versions(nodeModules, "@mathjax/src", fontPackage, "subset-font")
	if err != nil {
		return nil, err
	}
	wanted, err := atomsWanted()
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256([]byte(strings.Join([]string{installed, liveEntry, subsetScript, wanted}, "\n")))
	file := filepath.Join(cacheDir, "live-"+hex.EncodeToString(key[:])+".json")
	var live Live
	if cacheDir != "" {
		if data, err := os.ReadFile(file); err == nil && json.Unmarshal(data, &live) == nil {
			return &live, nil
		}
	}
	l, err := newLiveEngine(nodeModules)
	if err != nil {
		return nil, err
	}
	if live.Atoms, err = l.atoms(wanted); err != nil {
		return nil, err
	}
	fonts := filepath.Join(nodeModules, fontPackage, "chtml", "woff2")
	if live.Zero, err = os.ReadFile(filepath.Join(fonts, "mjx-ncm-zero.woff2")); err != nil {
		return nil, fmt.Errorf("MathJax's font: %w", err)
	}
	if live.Font, err = subset(nodeModules, filepath.Join(fonts, "mjx-ncm-n.woff2"), drawn(live.Atoms)); err != nil {
		return nil, err
	}
	if cacheDir == "" {
		return &live, nil
	}
	data, err := json.Marshal(live)
	if err != nil {
		return nil, err
	}
	return &live, keep(file, data)
}

// liveEngine is MathJax with CHTML output.
type liveEngine struct{ vm *goja.Runtime }

func newLiveEngine(nodeModules string) (*liveEngine, error) {
	vm, err := start(nodeModules, liveEntry)
	if err != nil {
		return nil, err
	}
	return &liveEngine{vm}, nil
}

// call calls a function of live.js with a text.
func (l *liveEngine) call(name, argument string) (string, error) {
	f, ok := goja.AssertFunction(l.vm.Get(name))
	if !ok {
		return "", errors.New("start MathJax: live.js defines no " + name)
	}
	value, err := f(goja.Undefined(), l.vm.ToValue(argument))
	if err != nil {
		return "", fmt.Errorf("MathJax's CHTML: %w", err)
	}
	return value.String(), nil
}

// atoms renders what is wanted and makes the stylesheet short.
func (l *liveEngine) atoms(wanted string) ([]byte, error) {
	text, err := l.call("renderAtoms", wanted)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("read MathJax's atoms: %w", err)
	}
	sheet, _ := all["css"].(string)
	if all["css"], err = shortSheet(sheet); err != nil {
		return nil, err
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b) // keys sorted: the same bytes each time
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(all)
	return []byte(strings.TrimSpace(b.String())), err
}

// drawn lists the characters that are in atoms, sorted.
func drawn(atoms []byte) string {
	seen := map[rune]bool{}
	for _, part := range strings.Split(string(atoms), "<mjx-c ")[1:] {
		_, rest, _ := strings.Cut(part, ">")
		text, _, _ := strings.Cut(rest, "</mjx-c>")
		for _, c := range strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", `\"`, `"`, `\\`, `\`).Replace(text) {
			seen[c] = true
		}
	}
	var list []rune
	for c := range seen {
		list = append(list, c)
	}
	slices.Sort(list)
	return string(list)
}

// subset cuts a font to some characters, by HarfBuzz as the package subset-font has it.
func subset(nodeModules, font, characters string) ([]byte, error) {
	command := exec.Command("node", "--input-type=module", "--eval", subsetScript, font)
	command.Dir = filepath.Dir(nodeModules)
	command.Stdin = strings.NewReader(characters)
	var complaints strings.Builder
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("cut the font %s: %w: %s", filepath.Base(font), err, strings.TrimSpace(complaints.String()))
	}
	return out, nil
}

// shortSheet minifies a stylesheet. MathJax's own is not checked further: a rule that a browser does not know is left out by it.
func shortSheet(sheet string) (string, error) {
	m := minify.New()
	m.AddFunc("text/css", css.Minify)
	short, err := m.String("text/css", sheet)
	if err != nil {
		return "", fmt.Errorf("MathJax's stylesheet: %w", err)
	}
	return short, nil
}
