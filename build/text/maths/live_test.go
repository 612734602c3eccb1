package maths

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// typeset runs the page's script in Node over formulas as the view writes them. One that it leaves text is empty.
func typeset(t *testing.T, atoms []byte, formulas []string) []string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("there is no Node:", err)
	}
	script, err := filepath.Abs(filepath.Join("..", "..", "..", "site", "scripts", "typeset.js"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(script); err != nil { // so that a change of it is a change of the test
		t.Fatal(err)
	}
	input, err := json.Marshal(map[string]any{"atoms": json.RawMessage(atoms), "formulas": formulas})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(node, "--no-warnings", "--input-type=module", "--eval", `
import {readFileSync} from 'node:fs';
const {typeset} = await import(process.argv[1]);
const {atoms, formulas} = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(formulas.map((f) => typeset(f, atoms) ?? '')));`, script)
	command.Stdin = strings.NewReader(string(input))
	var complaints strings.Builder
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		t.Fatalf("typeset.js: %v\n%s", err, complaints.String())
	}
	var list []string
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// Where a line may be broken is the page's own; so are classes of letters. How high an exponent stands depends on
// what is in it, by hundredths of an em; the page has one height.
var ours = regexp.MustCompile(`</?mjx-mrow[^>]*>| class="d-\w"|(<mjx-script) class="mjx-s\d"`)

func TestPageSetsAsMathJaxDoes(t *testing.T) {
	modules := nodeModules(t)
	l, err := newLiveEngine(modules)
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := atomsWanted()
	if err != nil {
		t.Fatal(err)
	}
	atoms, err := l.atoms(wanted)
	if err != nil {
		t.Fatal(err)
	}
	const h, fE, s = `<var class="d-h">h</var>`, `<var class="d-f">f<sub>E</sub></var>`, `<var class="d-s">s</var>`
	const gap = `\mskip 4.5mu `
	cases := [][2]string{
		{h, `h`},
		{fE + `<span class="by"> × </span>` + h, `f_E \times h`},
		{`2·` + h + `·<var class="d-d">d</var>`, `2 \cdot h \cdot d`},
		{`(<var class="d-a">a</var>·(` + h + ` + 3))<span class="by"> × </span>` + h, `(a \cdot (h + 3)) \times h`},
		{`= <span class="n">8<span>030</span></span> × 2`, `= 8\,030 \times 2`},
		{`12,288 + 0.5`, `12{,}288 + 0.5`},
		{`min(` + s + `, b)`, `\min(s, b)`},
		{`weights + cache`, `\text{weights} + \text{cache}`},
		{`FLOPs / (devices · peak · MFU)`, `\frac{\text{FLOPs}}{\text{devices} \cdot \text{peak} \cdot \text{MFU}}`},
		{`n · FLOPs of a token / peak ≥ bytes / bandwidth`, `n \cdot \frac{\text{FLOPs}` + gap + `\text{of}` + gap + `\text{a}` + gap + `\text{token}}{\text{peak}} \ge \frac{\text{bytes}}{\text{bandwidth}}`},
		{`3 · 24 FLOP · 15,000 / 4,096`, `3 \cdot 24` + gap + `\text{FLOP} \cdot \frac{15{,}000}{4{,}096}`},
		{`2,360 h · 700 W`, `2{,}360` + gap + `\text{h} \cdot 700` + gap + `\text{W}`},
		{`heads of 5,120 / 64 = 80`, `\text{heads}` + gap + `\text{of}` + gap + `\frac{5{,}120}{64} = 80`},
		{`2 · L · k · (h / a) · b`, `2 \cdot L \cdot k \cdot \frac{h}{a} \cdot b`},
		{`(1 − α^(γ+1)) / (1 − α)`, `\frac{1 - α^{γ+1}}{1 - α}`},
		{`(d−1)/d·Φ·m·(g + 2w)`, `(d-1)/d \cdot \Phi \cdot m \cdot (g + 2w)`},
		{`6ND + 2NS`, `6ND + 2NS`},
		{`(1 + repeated)(1 + idle)·uneven`, `(1 + \text{repeated})(1 + \text{idle}) \cdot \text{uneven}`},
		{`L·(d_k + d_v)`, `L \cdot (d_k + d_v)`},
		{`12·L·h²`, `12 \cdot L \cdot h^{2}`},
	}
	var formulas []string
	for _, c := range cases {
		formulas = append(formulas, c[0])
	}
	for i, got := range typeset(t, atoms, formulas) {
		want, err := l.call("renderWhole", strings.NewReplacer("α", `\alpha `, "γ", `\gamma `).Replace(cases[i][1]))
		if err != nil {
			t.Fatalf("%s: %v", cases[i][1], err)
		}
		if got, want := ours.ReplaceAllString(got, "$1"), ours.ReplaceAllString(want, "$1"); got != want {
			t.Errorf("%s\n set as %s\nMathJax %s", cases[i][0], got, want)
		}
	}
}
