package content_test

import (
	"regexp"
	"strings"
	"testing"
)

var (
	// asks are the verbs with which a text tells its reader what to do.
	asks = `(?:add|ask|buy|choose|come back|compare|copy|count|decide|don't|estimate|expect|fill|find|follow|give|guess|judge|keep|leave|list|look|measure|multiply|name|plan|prefer|put|read|recompute|round|say|serve|settle|shorten|size|spend|start|switch|take|test|treat|trust|try|use|write)`
	// follows is a sentence that draws a conclusion, or a clause that begins by asking for something. A word inside a sentence isn't enough.
	follows = regexp.MustCompile(`(?:^|\n|[.!?)] )(?:So|That is why|Then) |(?i)(?:(?:^|\n|[.!?:;)] )(?:and |but |then )?|, (?:so |then )?)` + asks + `\b`)
	// notProse is what a section has besides sentences, and notSaid what a sentence has besides words: marks, and where links lead.
	notProse = regexp.MustCompile("(?ms:^::: figure.*?^:::$|^::: formula.*?^:::$|^```.*?^```$)|(?m:^\\|.*$)")
	notSaid  = regexp.MustCompile(`(?m)^> \[![A-Z]+\].*$|^> ?|^(?:-|\d+\.) |\]\([^)]*\)|[\[*]`)
)

// concludes reports whether the last two paragraphs of a section say what follows from it: what to choose, to do or to
// look for. Boxes and lists count as paragraphs; tables, figures and formulas don't.
func concludes(section string) bool {
	var said []string
	for paragraph := range strings.SplitSeq(notProse.ReplaceAllString(section, ""), "\n\n") {
		if paragraph = strings.TrimSpace(paragraph); paragraph != "" {
			said = append(said, paragraph)
		}
	}
	return follows.MatchString(notSaid.ReplaceAllString(strings.Join(said[max(0, len(said)-2):], "\n\n"), ""))
}

// TestSectionsEndWithWhatFollows from them, in every chapter.
func TestSectionsEndWithWhatFollows(t *testing.T) {
	for _, c := range chapters(t) {
		text, _, _ := strings.Cut(c.source, "\n## Problems {#problems}\n")
		for _, section := range strings.Split(text, "\n## ")[1:] {
			title, body, _ := strings.Cut(section, "\n")
			if strings.HasSuffix(title, "{#choose}") {
				continue // it is nothing else
			}
			if !concludes(body) {
				t.Errorf("%s: %q ends without saying what follows:\n…%s", c.file, title, body[max(0, len(body)-400):])
			}
		}
	}
}

// TestConcludes tells ends that leave the reader something to do from those that only sum up.
func TestConcludes(t *testing.T) {
	for section, want := range map[string]bool{
		"The rule is short.\n\nSo count.":                                                                true,
		"A file holds more.\n\nWhen a count is off, look for a rounding.":                                true,
		"First.\n\n> [!TAKEAWAY] What to do\n> Use the rule,\n> **as long as** the model is dense.":      true,
		"The cache grows. So does the work, so that both count.":                                         true,
		"The cache grows, so that users wait. We take it as it is, and look at the rest.":                false,
		"One.\n\n> [!TAKEAWAY] Collectives\n> It sends twice the tensor,\n> **as long as** it is large.": false,
		"So count.\n\nThe scores are there.\n\nThe values are too.":                                      false,
		"So count.\n\n| Use | it |\n|---|---|\n\nOne.\n\nTwo.":                                           false,
	} {
		if concludes(section) != want {
			t.Errorf("%q: %v, want %v", section, !want, want)
		}
	}
}
