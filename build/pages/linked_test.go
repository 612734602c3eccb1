package pages

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// things are what a page tells machines, by type.
func things(t *testing.T, p *Page) map[string]map[string]any {
	t.Helper()
	if err := p.SetHead(); err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]any{}
	for _, m := range regexp.MustCompile(`<script type="application/ld\+json">(.*)</script>`).FindAllStringSubmatch(string(p.Head), -1) {
		var thing map[string]any
		if err := json.Unmarshal([]byte(m[1]), &thing); err != nil {
			t.Fatal(err)
		}
		all[thing["@type"].(string)] = thing
	}
	return all
}

func TestEachKindOfPageSaysWhatItIs(t *testing.T) {
	for i, want := range []string{"WebApplication", "TechArticle", "TechArticle", "CollectionPage", "Dataset"} {
		p := some()[i]
		all := things(t, p)
		thing, ok := all[want]
		if !ok {
			t.Errorf("%s is no %s: %v", p.Path, want, all)
			continue
		}
		if thing["url"] != "https://example.org"+p.Path {
			t.Errorf("%s: url %v", p.Path, thing["url"])
		}
		if _, way := all["BreadcrumbList"]; way != (p.Kind != "home") {
			t.Errorf("%s: the way from the home page: %v", p.Path, all["BreadcrumbList"])
		}
	}
}

func TestAModelsPageIsData(t *testing.T) {
	p := &Page{Site: testSite, Kind: "model", Path: "/models/a/", Title: "A", Description: "One.", Model: &Model{
		Name: "A", Maker: "Us", Count: 671026404352, JSON: "/models/a/report.json", Config: "/models/a/config.json",
	}}
	all := things(t, p)
	// 671,026,404,352 is exact as a float64 too: it is below 2^53.
	if got := all["Dataset"]["variableMeasured"].(map[string]any)["value"]; got != 671026404352. {
		t.Errorf("parameters %v", got)
	}
	files := all["Dataset"]["distribution"].([]any)
	if got := files[0].(map[string]any)["contentUrl"]; len(files) != 2 || got != "https://example.org/models/a/report.json" {
		t.Errorf("files %v", files)
	}
	var names []string
	for _, step := range all["BreadcrumbList"]["itemListElement"].([]any) {
		names = append(names, step.(map[string]any)["name"].(string))
	}
	if got := strings.Join(names, " > "); got != "llmsize > Models > A" {
		t.Errorf("the way is %s", got)
	}
}

func TestBibTeX(t *testing.T) {
	p := &Page{Site: testSite, Kind: "chapter", Path: "/counting/", Title: "Counting 100% & more_or_less", Date: day("2026-11-01"), Checked: day("2026-11-20")}
	if err := p.SetHead(); err != nil {
		t.Fatal(err)
	}
	want := `@misc{llmsize-counting,
  title  = {{Counting 100\% \& more\_or\_less}},
  author = {{llmsize}},
  year   = {2026},
  month  = nov,
  url    = {https://example.org/counting/},
  note   = {Facts last checked 2026-11-20},
}`
	if got := p.BibTeX(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, meta := range []string{`<meta name="citation_title" content="Counting 100% &amp; more_or_less">`, `<meta name="citation_publication_date" content="2026/11/01">`} {
		if !strings.Contains(string(p.Head), meta) {
			t.Errorf("no %s in\n%s", meta, p.Head)
		}
	}
	if got := (&Page{Site: testSite, Kind: "models", Path: "/models/", Date: p.Date}).BibTeX(); got != "" {
		t.Errorf("a list is cited: %s", got)
	}
}
