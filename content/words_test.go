package content_test

import (
	"regexp"
	"testing"
)

// fieldWords are the field's own words, which a reader has to recognise elsewhere too.
var fieldWords = []string{"sequence", "request", "user", "residual stream", "nonlinearity", "all-reduce", "throughput", "latency", "LM head", "master weights", "GPU", "prefill"}

// notWords is what a chapter holds besides words: its head, code, numbers, what figures are made of, formulas, addresses.
var notWords = regexp.MustCompile("(?ms:\\A\\+\\+\\+$.*?^\\+\\+\\+$|^```.*?^```|^:::.*?$|\\{= .*? =\\}|\\{#[^}]*\\}|\\\\\\[.*?\\\\\\]|\\]\\([^)]*\\))")

// TestFieldWordsAreBoldAtFirst, in the order in which the chapters are read: the first time that a word of the field
// is used, it is in bold.
func TestFieldWordsAreBoldAtFirst(t *testing.T) {
	book := chapters(t)
	for i := range book {
		book[i].source = notWords.ReplaceAllString(book[i].source, " ")
	}
	for _, word := range fieldWords {
		used := regexp.MustCompile(`(?i)(\*\*)?\b` + word + `(?:s|ies)?\b\.?(\*\*)?`)
		found := false
		for _, c := range book {
			m := used.FindStringSubmatchIndex(c.source)
			if m == nil {
				continue
			}
			found = true
			if m[2] < 0 || m[4] < 0 {
				t.Errorf("%s: %q is used here first, and not in bold: …%s…", c.file, word, c.source[max(0, m[0]-40):m[1]])
			}
			break
		}
		if !found {
			t.Errorf("no chapter has %q", word)
		}
	}
}
