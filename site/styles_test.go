package site_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestStylesNameWhatThereIs: a style that names a custom property which no style sets has no effect, without a word.
func TestStylesNameWhatThereIs(t *testing.T) {
	t.Parallel()
	set, used := map[string]bool{}, map[string]string{}
	name, use := regexp.MustCompile(`(--[\w-]+)\s*:`), regexp.MustCompile(`var\(\s*(--[\w-]+)\s*\)`) // one with a fallback may be missing
	for file, text := range styles(t) {
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			set[m[1]] = true
		}
		for _, m := range use.FindAllStringSubmatch(text, -1) {
			used[m[1]] = file
		}
	}
	for x, file := range used {
		if !set[x] {
			t.Errorf("%s names %s, which no style sets", file, x)
		}
	}
}

// TestPaletteHasNoFallbacks: what every page sets never falls back. A style that gives one meant a name of its own, and
// paints the palette's colour instead.
func TestPaletteHasNoFallbacks(t *testing.T) {
	t.Parallel()
	palette, err := os.ReadFile("styles/palette.css")
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	for _, root := range regexp.MustCompile(`(?m)^:root[^{]*\{[^}]*\}`).FindAll(palette, -1) {
		for _, m := range regexp.MustCompile(`(--[\w-]+)\s*:`).FindAllSubmatch(root, -1) {
			set[string(m[1])] = true
		}
	}
	if len(set) < 10 {
		t.Fatalf("%d colours", len(set))
	}
	for file, text := range styles(t) {
		for _, m := range regexp.MustCompile(`var\(\s*(--[\w-]+)\s*,`).FindAllStringSubmatch(text, -1) {
			if set[m[1]] {
				t.Errorf("%s has a fallback for %s, which the palette sets", file, m[1])
			}
		}
	}
}

// TestOneScale: letters come in six sizes, prose's a little larger as a serif has to be; space between things in fours of a
// pixel; corners in one radius; and green, red and amber say that it fits, that it doesn't, and what was edited. What is
// drawn to scale has its own letters, and so has paper.
func TestOneScale(t *testing.T) {
	t.Parallel()
	base, err := os.ReadFile("styles/base.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"small", "medium", "title", "hero"} {
		if !regexp.MustCompile(`--` + name + `: [^;]*rem`).Match(base) {
			t.Errorf("no size is called --%s", name)
		}
	}
	sizes := regexp.MustCompile(`^(var\(--(small|medium|title|hero)\)|1rem|1\.25rem|inherit|0?\.?\d+(\.\d+)?em)$`)
	font := regexp.MustCompile(`font(?:-size)?:\s*(?:(?:italic|\d00)\s+)*(inherit|var\(--\w+\)|[\d.]+\w+)`)
	space := regexp.MustCompile(`(?:margin|padding|gap)[a-z-]*:\s*([^;}]*)`)
	length := regexp.MustCompile(`(?:^|[\s(-])(\d*\.?\d+)(rem|px)`)
	radius := regexp.MustCompile(`border-radius:\s*([^;}]*)`)
	meaning := regexp.MustCompile(`var\(--(fits|over|edited)\)`)
	for file, text := range styles(t) {
		if strings.Contains(file, "paper") || strings.Contains(file, "print") {
			continue
		}
		for _, rule := range regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`).FindAllStringSubmatch(text, -1) {
			selector, body := strings.TrimSpace(rule[1]), rule[2]
			drawn := regexp.MustCompile(`svg|chart|mech|waterfall|\btext\b`).MatchString(selector)
			for _, m := range font.FindAllStringSubmatch(body, -1) {
				if !sizes.MatchString(m[1]) && !drawn && !(selector == ".prose" && m[1] == "1.125rem") && !strings.Contains(selector, "html") && !strings.Contains(selector, ".full") {
					t.Errorf("%s: %s has letters of %s", file, selector, m[1])
				}
			}
			for _, m := range space.FindAllStringSubmatch(body, -1) {
				for _, l := range length.FindAllStringSubmatch(m[1], -1) {
					n, err := strconv.ParseFloat(l[1], 64)
					if l[2] == "rem" {
						n *= 16
					}
					if err != nil || math.Mod(n, 4) != 0 {
						t.Errorf("%s: %s has a space of %s%s", file, selector, l[1], l[2])
					}
				}
			}
			for _, m := range radius.FindAllStringSubmatch(body, -1) {
				if m[1] != "var(--radius)" {
					t.Errorf("%s: %s has a radius of %s", file, selector, m[1])
				}
			}
			for _, m := range meaning.FindAllStringSubmatch(body, -1) {
				if !regexp.MustCompile(map[string]string{"fits": `\byes\b|"yes"|\.l[1-4]|goal-said`, "over": `\bno\b|\.l0|\.over`, "edited": `ghosts|changed|changes|dragged|data-was`}[m[1]]).MatchString(selector) {
					t.Errorf("%s: %s is in the colour of --%s", file, selector, m[1])
				}
			}
			for _, m := range regexp.MustCompile(`var\(--(embedding|position|attention|ffn|expert|router|state|head|vision|audio|projector)(-line)?\)`).FindAllStringSubmatch(body, -1) {
				if selector != ".r-"+m[1] {
					t.Errorf("%s: %s has the colour of a component, %s", file, selector, m[1])
				}
			}
		}
	}
}

// styles are the texts of all styles.
func styles(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("styles/*.css")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d styles, %v", len(files), err)
	}
	out := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[file] = regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(string(text), "")
	}
	return out
}
