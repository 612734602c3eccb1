package content_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// fieldWords are the field's own words, which a reader has to recognise elsewhere too.
var fieldWords = []string{"sequence", "request", "user", "residual stream", "nonlinearity", "all-reduce", "throughput", "latency", "LM head", "master weights", "GPU", "prefill"}

// notWords is what a chapter holds besides words: its head, code, numbers, what figures are made of, formulas, addresses.
var notWords = regexp.MustCompile("(?ms:\\A\\+\\+\\+$.*?^\\+\\+\\+$|^```.*?^```|^:::.*?$|\\{= .*? =\\}|\\{#[^}]*\\}|\\\\\\[.*?\\\\\\]|\\]\\([^)]*\\))")

// TestFieldWordsAreBoldAtFirst, in the order in which the chapters are read: the first time that a word of the field
// is used, it is in bold.
func TestFieldWordsAreBoldAtFirst(t *testing.T) {
	type chapter struct {
		Order      int
		name, text string
	}
	var book []chapter
	files, err := filepath.Glob("chapters/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := chapter{name: file, text: notWords.ReplaceAllString(string(source), " ")}
		_, rest, _ := strings.Cut(string(source), "+++\n")
		head, _, _ := strings.Cut(rest, "\n+++\n")
		if _, err := toml.Decode(head, &c); err != nil {
			t.Fatal(file, err)
		}
		book = append(book, c)
	}
	slices.SortFunc(book, func(a, b chapter) int { return cmp.Compare(a.Order, b.Order) })
	for _, word := range fieldWords {
		used := regexp.MustCompile(`(?i)(\*\*)?\b` + word + `(?:s|ies)?\b\.?(\*\*)?`)
		found := false
		for _, c := range book {
			m := used.FindStringSubmatchIndex(c.text)
			if m == nil {
				continue
			}
			found = true
			if m[2] < 0 || m[4] < 0 {
				t.Errorf("%s: %q is used here first, and not in bold: …%s…", c.name, word, c.text[max(0, m[0]-40):m[1]])
			}
			break
		}
		if !found {
			t.Errorf("no chapter has %q", word)
		}
	}
}
