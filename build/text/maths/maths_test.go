package maths

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// nodeModules finds what `npm ci` installed, or skips.
func nodeModules(t testing.TB) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "node_modules")
	if _, err := os.Stat(filepath.Join(dir, "@mathjax/src/package.json")); err != nil {
		t.Fatal("MathJax is not installed, run `npm ci`:", err)
	}
	return dir
}

func newRenderer(t testing.TB, cache string) *Renderer {
	t.Helper()
	r, err := New(nodeModules(t), cache)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRender(t *testing.T) {
	r := newRenderer(t, "")
	page := &Page{}
	used := regexp.MustCompile(`href="#([^"]+)"`)
	for _, c := range []struct {
		name, tex string
		display   bool
		want      []string // each is somewhere in the HTML
	}{
		{"thousands are one number", `12{,}288`, false, []string{"<mn>12,288</mn>", `aria-hidden="true"`}},
		{"depth is a class", `N_{\text{p}} \approx 12 L h^2`, false, []string{`class="depth-`, "<mo>&#x2248;</mo>"}},
		{"a letter that just dips below the baseline", `x`, false, []string{`class="depth-1"`}},
		{"a class survives in the drawing", `\class{part-attn}{4h^2}`, false, []string{`<g class="part-attn"`}},
		{"an id is in the drawing only", `\cssId{slot}{96}`, false, []string{`id="slot"`, `<mn>96</mn>`}},
		{"aligned, wide enough to scroll", `\begin{aligned} N &= V h + L\,(4 h^2 + 3 h f) \\ &= 128{,}256 \times 4096 + 32 \times (4 \times 4096^2 + \dots) \end{aligned}`, true,
			[]string{`<div class="formula" tabindex="0" role="group" aria-label="formula">`, `display="block"`}},
		{"narrow display", `a = b`, true, []string{`<div class="formula"><span`}},
		{"array rules", `\begin{array}{c|c} a & b \\ \hline c & d \end{array}`, true, []string{"data-line="}},
		{"boxed", `\boxed{a = \frac{b}{c}}`, true, []string{"<rect"}},
		{"brace and sets", `\underbrace{4h^2}_{\text{attention}} + \mathbb{R}^{\boldsymbol{d}}`, true, []string{"attention"}},
		{"letters with accents", `\text{naïve}`, false, []string{"na&#xEF;ve"}},
		{"alphabets", `\mathscr{L} = \mathfrak{g}\, \mathcal{O}(n^2)`, false, nil},
		{"stretchy", `\left\lceil \tfrac{a}{b} \right\rceil \xrightarrow{f} \texttt{x}\;\mathsf{y}`, true, nil},
		{"matrix", `M = \begin{bmatrix} 1 & \cdots \\ \vdots & \ddots \end{bmatrix}`, true, nil},
		{"cases", `f(i) = \begin{cases} i & i < w \\ w & \text{otherwise} \end{cases}`, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := r.Render(c.tex, c.display)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(f.HTML, want) {
					t.Errorf("no %s in\n%s", want, f.HTML)
				}
			}
			if strings.Contains(f.HTML, ` style="`) {
				t.Errorf("inline style in\n%s", f.HTML)
			}
			if n := strings.Count(f.HTML, `id="slot"`); n > 1 {
				t.Errorf("the id appears %d times", n)
			}
			page.Add(f)
			sprite := page.Sprite()
			for _, m := range used.FindAllStringSubmatch(f.HTML, -1) {
				if !strings.Contains(sprite, `id="`+m[1]+`"`) {
					t.Errorf("glyph %s is not in the sprite", m[1])
				}
			}
		})
	}
}

func TestRefused(t *testing.T) {
	r := newRenderer(t, "")
	for _, c := range []struct{ name, tex, want string }{
		{"thin space in a number", `12\,288`, "12{,}288"},
		{"bare comma in a number", `12,288`, "12{,}288"},
		{"colour", `\color{red}{x}`, `\class`},
		{"text colour", `\textcolor{red}{x}`, `\class`},
		{"tag", `x \tag{1}`, "numbered equations"},
		{"brace left open", `\frac{1}{`, "Missing close brace"},
		{"unknown command", `\frobnicate`, "Undefined control sequence"},
		{"alphabet that is not bundled", `\text{Привет}`, "font range not bundled: cyrillic"},
		{"no glyph at all", `\text{漢}`, "no glyph"},
		{"inline and wide", `a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t`, "display it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := r.Render(c.tex, false)
			if err == nil {
				t.Fatalf("accepted: %s", f.HTML)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q does not say %q", err, c.want)
			}
		})
	}
	// A refusal leaves the engine in order.
	if _, err := r.Render(`x^2`, false); err != nil {
		t.Error("after the refusals:", err)
	}
}

func TestCacheServesWithoutAnEngine(t *testing.T) {
	dir := t.TempDir()
	first, err := newRenderer(t, dir).Render(`h \times f`, false)
	if err != nil {
		t.Fatal(err)
	}
	warm := newRenderer(t, dir)
	again, err := warm.Render(` h \times f `, false)
	if err != nil {
		t.Fatal(err)
	}
	if warm.engine != nil {
		t.Error("MathJax was started for a formula that the cache holds")
	}
	if first.HTML != again.HTML {
		t.Error("the cached formula differs")
	}
	if _, err := warm.Render(`h \times f`, true); err != nil || warm.engine == nil {
		t.Error("display style must not share inline style's entry:", err)
	}
}

func TestLintLetsThrough(t *testing.T) {
	for _, tex := range []string{`12{,}288`, `L\,(4h^2)`, `(1, 256)`, `f(x,y)`, `3.5\,\text{GB}`, `x_{1,2}`, `\begin{align*}a\end{align*}`} {
		if err := Lint(tex); err != nil {
			t.Errorf("%s: %v", tex, err)
		}
	}
}

func BenchmarkWarmEngine(b *testing.B) {
	r := newRenderer(b, "")
	for b.Loop() {
		clear(r.memory)
		if _, err := r.Render(`W_{i} \in \mathbb{R}^{h \times f}, \quad \frac{i}{\sqrt{d_k}}`, true); err != nil {
			b.Fatal(err)
		}
	}
}
