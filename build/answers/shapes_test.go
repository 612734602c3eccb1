package answers

import (
	"strings"
	"testing"
)

// The shapes are the papers': GPT-2 XL has 48 layers of 1,600 (Radford and others 2019, table 2), Llama 3 405B 126 of 16,384
// (The Llama 3 Herd of Models, table 3).
func TestShapes(t *testing.T) {
	e := newEngine(t)
	const sizes = "1000000000 100000000000"
	for _, c := range []struct{ name, sizes, models, want string }{
		{"two models", sizes, "gpt2-xl llama-3.1-405b", "<b>2</b> <span>Llama 3.1 405B, 126 layers of 16,384"},
		{"the first", sizes, "gpt2-xl llama-3.1-405b", "<b>1</b> <span>GPT-2 XL, 48 layers of 1,600"},
		{"a line's size", sizes, "gpt2-xl", "<b>B</b> <span>100 B parameters"},
		{"no models", sizes, "", "error: a picture of shapes needs models="},
		{"no such model", sizes, "gpt2-xxl", "error: "},
		{"no number", "big", "gpt2-xl", `error: sizes: "big" is not a number of parameters`},
		{"outside", "1000", "gpt2-xl", "error: sizes: no shape of 1000 is in the picture"},
	} {
		t.Run(c.name, func(t *testing.T) {
			html, err := e.shapes(strings.Fields(c.sizes), strings.Fields(c.models))
			if err != nil {
				html = "error: " + err.Error()
			}
			if !strings.Contains(html, c.want) {
				t.Errorf("%s, want %s", html, c.want)
			}
		})
	}
}
