package content_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	anchors  = regexp.MustCompile(`(?m)(?:\{#|^::: .*\bid=)([a-z0-9-]+)`)
	place    = regexp.MustCompile(`(?:^|[\s:;,(])([a-z0-9-]*)#([a-z0-9-]+)`)
	homePage = regexp.MustCompile(`^Places without a page are in ([a-z-]+)\.`)
)

// TestSeedsArePlaced follows every place of docs/seeds.md to a heading or figure of the texts. A
// place without a page is on the page named before it in its row, or on its section's own.
func TestSeedsArePlaced(t *testing.T) {
	known := map[string][]string{}
	for _, w := range texts(t, "chapters/*.md", "pages/*.md") {
		for _, m := range anchors.FindAllStringSubmatch(w.source, -1) {
			known[w.slug] = append(known[w.slug], m[1])
		}
	}
	source, err := os.ReadFile("../docs/seeds.md")
	if err != nil {
		t.Fatal(err)
	}
	places, home, line := 0, "", 0
	for row := range strings.Lines(string(source)) {
		line++
		if strings.HasPrefix(row, "## ") {
			home = ""
		}
		if m := homePage.FindStringSubmatch(row); m != nil {
			home = m[1]
		}
		cells := strings.Split(row, " | ")
		if !strings.HasPrefix(row, "| ") || len(cells) < 3 {
			continue
		}
		before := ""
		for _, m := range place.FindAllStringSubmatch(cells[len(cells)-1], -1) {
			places++
			if m[1] != "" {
				before = m[1]
			}
			if !slices.Contains(known[before], m[2]) && (m[1] != "" || !slices.Contains(known[home], m[2])) {
				t.Errorf("docs/seeds.md:%d: there is no %s#%s", line, m[1], m[2])
			}
		}
	}
	if places < 100 {
		t.Errorf("only %d places were found", places)
	}
}
