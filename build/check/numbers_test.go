package check

import (
	"strings"
	"testing"

	"llmsize/build/text"
)

// A number that somebody types is found with its file and line; without a finder nothing is looked for.
func TestTypedNumbersAreFound(t *testing.T) {
	site := Site{Files: good(), URL: "https://example.org", Texts: map[string]Text{
		"/memory/": {File: "content/chapters/memory.md", Content: []byte("+++\ntitle = \"Memory\"\n+++\n\nIt has 32 layers.\nThe paper says {~said 48~}.\n")},
	}}
	if found := Run(site); len(found) != 0 {
		t.Fatalf("without a finder: %v", found)
	}
	site.Bare = text.NewBare(nil, nil)
	found := Run(site)
	if len(found) != 1 || found[0].Source != "content/chapters/memory.md:5" || !strings.Contains(found[0].What, "the number 32 in “It has 32 layers.”") {
		t.Errorf("found %v", found)
	}
}

// A formula that only states is found with its file and line; without a finder nothing is looked for.
func TestFormulasInOneWayAreFound(t *testing.T) {
	site := Site{Files: good(), URL: "https://example.org", Texts: map[string]Text{
		"/memory/": {File: "content/chapters/memory.md", Content: []byte("+++\ntitle = \"Memory\"\n+++\n\nText.\n\n\\[ a = b + c \\]\n")},
	}}
	if found := Run(site); len(found) != 0 {
		t.Fatalf("without a finder: %v", found)
	}
	site.Formulas = text.NewRules([]string{"Some 7B"})
	found := Run(site)
	if len(found) != 1 || found[0].Source != "content/chapters/memory.md:7" || !strings.Contains(found[0].What, "states a rule and stands alone") {
		t.Errorf("found %v", found)
	}
}
