package pages

import (
	"encoding/json"
	"encoding/xml"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

var testSite = &Site{Name: "llmsize", Description: "Where numbers come from.", URL: "https://example.org"}

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func some() []*Page {
	return []*Page{
		{Site: testSite, Kind: "home", Path: "/", Title: "llmsize", Description: "Home."},
		{Site: testSite, Kind: "chapter", Path: "/counting/", Title: "Counting <all> & more", Description: `A "quoted" one.`, Date: day("2026-11-01"), Checked: day("2026-11-20"),
			Sources: []Source{{Title: "A", URL: "https://example.org/a"}}},
		{Site: testSite, Kind: "chapter", Path: "/memory/", Title: "Memory", Description: "M.", Date: day("2026-11-10")},
		{Site: testSite, Kind: "models", Path: "/models/", Title: "Models", Description: "All."},
		{Site: testSite, Kind: "model", Path: "/models/a/", Title: "A", Description: "One.", Model: &Model{Maker: "Us", JSON: "/models/a/report.json"}},
		{Site: testSite, Kind: "notfound", Path: "/404.html", Title: "No such page", Description: "Gone."},
	}
}

func parsed(t *testing.T) *Templates {
	t.Helper()
	templates, err := Parse(os.DirFS("testdata/templates"))
	if err != nil {
		t.Fatal(err)
	}
	templates.Asset = func(name string) (string, error) { return "/assets/" + name, nil }
	return templates
}

func TestTemplatesNameTheirAssets(t *testing.T) {
	if got, want := parsed(t).Assets(), []string{"main.css", "main.js"}; !slices.Equal(got, want) {
		t.Errorf("assets %v, want %v", got, want)
	}
}

func TestExecute(t *testing.T) {
	templates := parsed(t)
	for _, p := range some() {
		if p.Kind == "home" {
			continue // needs an engine
		}
		p.Prepare(nil, nil)
		if err := p.SetHead(); err != nil {
			t.Fatal(err)
		}
		html, err := templates.Execute(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"<h1>", `href="/assets/main.css"`, `<body class="` + p.Kind} {
			if !strings.Contains(string(html), want) {
				t.Errorf("%s: no %s in\n%s", p.Path, want, html)
			}
		}
	}
}

func TestTemplateMistakesNameTheFile(t *testing.T) {
	good := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS("testdata/templates"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile("testdata/templates/" + name)
		good[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, text, want string }{
		{"chapter.html", "{{define \"main\"}}\n{{.Titel}}{{end}}", "chapter.html:2"},
		{"partials/nav.html", "{{define \"nav\"}}{{if}}{{end}}", "partials/nav.html:1"},
		{"model.html", "", "model.html"},
	} {
		broken := fstest.MapFS{}
		for name, file := range good {
			broken[name] = file
		}
		broken[c.file] = &fstest.MapFile{Data: []byte(c.text)}
		if c.text == "" {
			delete(broken, c.file)
		}
		templates, err := Parse(broken)
		if err == nil {
			templates.Asset = func(string) (string, error) { return "", nil }
			p := some()[1]
			p.Prepare(nil, nil)
			_, err = templates.Execute(p)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.file, err, c.want)
		}
	}
}

func TestHead(t *testing.T) {
	p := some()[1]
	if err := p.SetHead(); err != nil {
		t.Fatal(err)
	}
	head := string(p.Head)
	for _, want := range []string{
		"<title>Counting &lt;all&gt; &amp; more · llmsize</title>",
		`content="A &#34;quoted&#34; one."`,
		`<link rel="canonical" href="https://example.org/counting/">`,
		`property="og:url" content="https://example.org/counting/"`,
	} {
		if !strings.Contains(head, want) {
			t.Errorf("no %s in\n%s", want, head)
		}
	}
	m := regexp.MustCompile(`<script type="application/ld\+json">(.*)</script>`).FindStringSubmatch(head)
	if m == nil {
		t.Fatal("no JSON-LD")
	}
	var data map[string]any
	if err := json.Unmarshal([]byte(m[1]), &data); err != nil {
		t.Fatal(err)
	}
	if data["headline"] != p.Title || data["dateModified"] != "2026-11-20" {
		t.Errorf("JSON-LD %v", data)
	}
	lost := some()[5]
	if err := lost.SetHead(); err != nil || strings.Contains(string(lost.Head), "canonical") || !strings.Contains(string(lost.Head), "noindex") {
		t.Errorf("the page for what is not there: %s", lost.Head)
	}
}

func TestSitemapAndFeed(t *testing.T) {
	pages := some()
	for _, p := range pages {
		if err := p.SetHead(); err != nil {
			t.Fatal(err)
		}
	}
	data, err := Sitemap(pages)
	if err != nil {
		t.Fatal(err)
	}
	var m sitemap
	if err := xml.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if len(m.URLs) != 5 || m.URLs[1].Loc != "https://example.org/counting/" || m.URLs[1].Lastmod != "2026-11-20" {
		t.Errorf("sitemap %+v", m.URLs)
	}
	if data, err = Feed(testSite, pages); err != nil {
		t.Fatal(err)
	}
	var f feed
	if err := xml.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Entries) != 2 || f.Entries[0].Title != "Memory" || f.Updated != "2026-11-20T00:00:00Z" {
		t.Errorf("feed %+v", f)
	}
}

// The page may ask the hub and the hosts that it redirects to, or those that the build names, and no others.
func TestHub(t *testing.T) {
	for _, c := range []struct{ endpoint, hosts, want string }{
		{"", "", "connect-src 'self' https://huggingface.co https://*.huggingface.co https://*.hf.co\n"},
		{"https://huggingface.co/", "", "connect-src 'self' https://huggingface.co https://*.huggingface.co https://*.hf.co\n"},
		{"https://mirror.example/hf", "", "connect-src 'self' https://mirror.example https://*.huggingface.co https://*.hf.co\n"},
		{"http://localhost:9000", "http://localhost:9001 https://*.store.example", "connect-src 'self' http://localhost:9000 https://*.huggingface.co https://*.hf.co http://localhost:9001 https://*.store.example\n"},
	} {
		hub, err := HubAt(c.endpoint, c.hosts)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(Headers(some(), "/assets/", "", hub)); !strings.Contains(got, "; "+c.want) || strings.Count(got, "connect-src") != 1 {
			t.Errorf("%+v: want %s in\n%s", c, c.want, got)
		}
	}
	for _, bad := range []string{"hub.example", "ftp://hub.example", "https://", "https://a.example; script-src *", "javascript:alert(1)"} {
		if hub, err := HubAt(bad, ""); err == nil {
			t.Errorf("%s: %+v", bad, hub)
		}
		if hub, err := HubAt("", bad); err == nil && !strings.Contains(bad, " ") {
			t.Errorf("%s: %+v", bad, hub)
		}
	}
}

func TestHeaders(t *testing.T) {
	got := string(Headers(some(), "/assets/", "0123456789abcdef", Hub{}))
	if n := strings.Count(got, "immutable"); n != 1 || !strings.Contains(got, "/assets/*\n  Cache-Control: public, max-age=31536000, immutable") {
		t.Errorf("only hashed names may be kept for ever:\n%s", got)
	}
	if !strings.Contains(got, "X-Build: 0123456789abcdef") {
		t.Errorf("the version is not sent:\n%s", got)
	}
	everywhere, _, _ := strings.Cut(got, "/assets/*")
	for _, not := range []string{"unsafe-inline", "'unsafe-eval'", "Cache-Control", "frame-ancestors"} {
		if strings.Contains(everywhere, not) {
			t.Errorf("%s in the rule for every path:\n%s", not, everywhere)
		}
	}
	for _, section := range []string{"/\n", "/404.html\n", "/counting/*\n", "/models/*\n"} {
		if !strings.Contains(got, "\n"+section+"  Content-Security-Policy: frame-ancestors 'none'") {
			t.Errorf("%q may be framed:\n%s", section, got)
		}
	}
	if strings.Contains(string(Headers([]*Page{{Path: "/embed/a/"}}, "/assets/", "", Hub{})), "frame-ancestors") {
		t.Error("/embed/ has to be open to frames")
	}
}
