package maths

import "testing"

func TestLetters(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a product", `12Lh^2`, `12{\class{d-L}{L}}{\class{d-h}{h}}^2`},
		{"an index makes another size", `d_v + d_{\text{model}}`, `d_v + d_{\text{model}}`},
		{"but for an expert's width", `3 f_E + f_{E}`, `3 {\class{d-f}{f_E}} + {\class{d-f}{f_{E}}}`},
		{"a function", `L(N, D) = L\left(N\right)`, `L(N, D) = L\left(N\right)`},
		{"words and commands", `\text{layers } \mathrm{bf} \log \cdot \frac{h}{a} \sqrt{d}`, `\text{layers } \mathrm{bf} \log \cdot \frac{{\class{d-h}{h}}}{{\class{d-a}{a}}} \sqrt{{\class{d-d}{d}}}`},
		{"an author's own class", `\class{loss}{E + a} + E`, `\class{loss}{E + a} + {\class{d-E}{E}}`},
		{"environments", `\begin{aligned} L &= 3 \end{aligned}`, `\begin{aligned} {\class{d-L}{L}} &= 3 \end{aligned}`},
		{"spaces and braces", `h\,k\; \{s\}`, `{\class{d-h}{h}}\,{\class{d-k}{k}}\; \{{\class{d-s}{s}}\}`},
		{"an index that is a letter", `W_d r_{kv} \sum_{l=1}^{L} x_\text{h}`, `W_d r_{kv} \sum_{l=1}^{{\class{d-L}{L}}} x_\text{h}`},
		{"cut off", `\text{a`, `\text{a`},
		{"a backslash at the end", `h\`, `{\class{d-h}{h}}\`},
	} {
		if got := Letters(c.in); got != c.want {
			t.Errorf("%s: %s becomes\n%s, want\n%s", c.name, c.in, got, c.want)
		}
	}
}
