package content_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
)

// TestOwnCorrectionsAreOfPublishedTexts: a number that was put right before anybody could read it is not a
// correction that readers need. The text's own front matter says when it came out.
func TestOwnCorrectionsAreOfPublishedTexts(t *testing.T) {
	var file struct {
		Changes []struct {
			Of, Who, Where string
			Date           time.Time
		} `toml:"change"`
	}
	if _, err := toml.DecodeFile("changes.toml", &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Changes {
		if c.Of != "own" {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(c.Where, "/"), "/")
		source, err := os.ReadFile("chapters/" + name + ".md")
		if err != nil {
			if source, err = os.ReadFile("pages/" + name + ".md"); err != nil {
				t.Errorf("%s: %v", c.Who, err)
				continue
			}
		}
		var front struct {
			Date time.Time `toml:"date"`
		}
		_, rest, _ := strings.Cut(string(source), "+++\n")
		head, _, _ := strings.Cut(rest, "\n+++\n")
		if _, err := toml.Decode(head, &front); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !c.Date.After(front.Date) {
			t.Errorf("%s: corrected on %s, and the text at %s is of %s", c.Who, c.Date.Format(time.DateOnly), c.Where, front.Date.Format(time.DateOnly))
		}
	}
}
