package content_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"llmsize/content/catalogue"
)

// TestOwnCorrectionsAreOfPublishedTexts: a number that was put right before anybody could read it is not a
// correction that readers need. The text's own front matter says when it came out; a model's page came when its config was read.
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
	published := map[string]time.Time{}
	for _, w := range texts(t, "chapters/*.md", "pages/*.md") {
		published[w.slug] = w.Date
	}
	cat, err := catalogue.Load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range cat.Models {
		if published["models/"+m.Slug], err = time.Parse(time.DateOnly, m.Read); err != nil {
			t.Errorf("%s: %v", m.Slug, err)
		}
	}
	for _, c := range file.Changes {
		if c.Of != "own" {
			continue
		}
		name, _, _ := strings.Cut(c.Where, "#")
		name = strings.Trim(name, "/")
		if date, ok := published[name]; !ok {
			t.Errorf("%s: there is no text at %s", c.Who, c.Where)
		} else if !c.Date.After(date) {
			t.Errorf("%s: corrected on %s, and the text at %s is of %s", c.Who, c.Date.Format(time.DateOnly), c.Where, date.Format(time.DateOnly))
		}
	}
}
