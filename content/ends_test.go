package content_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// follows is how a text tells its reader what to do with what it has said: a word that draws a conclusion or asks for
	// something, or a box whose rule has a condition.
	follows = regexp.MustCompile(`(?i)\b(?:so|choose|take|look|use|plan|prefer|compare|treat|belong|expect|before you|if you)\b|\*\*(?:as long as|but|without it|compare)`)
	// notProse is what a section has besides sentences.
	notProse = regexp.MustCompile("(?ms:^::: figure.*?^:::$|^::: formula.*?^:::$|^```.*?^```$)")
)

// TestSectionsEndWithWhatFollows from them: each section of a chapter says in its last two paragraphs what to choose, to do
// or to look for, and when. Boxes and lists count as paragraphs.
func TestSectionsEndWithWhatFollows(t *testing.T) {
	files, err := filepath.Glob("chapters/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(notProse.ReplaceAllString(string(source), ""), "\n## Problems {#problems}\n")
		for _, section := range strings.Split(text, "\n## ")[1:] {
			title, body, _ := strings.Cut(section, "\n")
			if strings.HasSuffix(title, "{#choose}") {
				continue // it is nothing else
			}
			var last []string
			for paragraph := range strings.SplitSeq(body, "\n\n") {
				if paragraph = strings.TrimSpace(paragraph); paragraph != "" {
					last = append(last, paragraph)
				}
			}
			if end := strings.Join(last[max(0, len(last)-2):], "\n\n"); !follows.MatchString(end) {
				t.Errorf("%s: %q ends without saying what follows:\n%s", file, title, end)
			}
		}
	}
}
