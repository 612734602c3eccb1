package cards

import (
	"fmt"
	"image/color"
	"regexp"
	"strconv"
	"strings"

	"llmsize/site/card"
)

// Colours are the colours of a theme by the names that the stylesheet gives them: "paper", "ink",
// "attention", "attention-line".
type Colours map[string]color.RGBA

var (
	darkTheme = regexp.MustCompile(`(?s):root\[data-theme="dark"\]\s*\{(.*?)\}`)
	property  = regexp.MustCompile(`--([\w-]+):\s*#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\s*;`)
)

// ReadColours reads the dark theme of the site's palette (site/styles/palette.css), which a card
// wears: a blueprint stands out in a list of messages, light or dark.
func ReadColours(css []byte) (Colours, error) {
	block := darkTheme.FindSubmatch(css)
	if block == nil {
		return nil, fmt.Errorf(`palette: no rule for :root[data-theme="dark"]`)
	}
	c := Colours{}
	for _, m := range property.FindAllSubmatch(block[1], -1) {
		c[string(m[1])] = rgb(string(m[2]))
	}
	wanted := append(card.ColourNames(), "sheet")
	for _, name := range wanted {
		if _, ok := c[name]; !ok {
			return nil, fmt.Errorf("palette: the dark theme has no --%s", name)
		}
	}
	return c, nil
}

// rgb reads "fff" and "ffffff".
func rgb(s string) color.RGBA {
	if len(s) == 3 {
		s = strings.Join([]string{s[:1], s[:1], s[1:2], s[1:2], s[2:], s[2:]}, "")
	}
	n, _ := strconv.ParseUint(s, 16, 32) // the pattern has only such digits
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}
