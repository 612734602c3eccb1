package check

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"strings"
	"testing"
)

// page is a page without a mistake; body is in main.
func page(path, title, body string) []byte {
	return fmt.Appendf(nil, `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="theme-color" content="#fff"><title>%[2]s</title><meta name="description" content="About %[2]s.">
<link rel="canonical" href="https://example.org%[1]s"><meta property="og:url" content="https://example.org%[1]s">
<meta property="og:title" content="%[2]s"><meta property="og:description" content="d"><meta property="og:type" content="website"><meta name="twitter:card" content="summary_large_image">
<meta property="og:image" content="https://example.org/card.png?1"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta property="og:image:alt" content="A card.">
<link rel="stylesheet" href="/assets/main-0123456789.css"></head>
<body><main><h1>%[2]s</h1>%[3]s</main></body></html>`, path, title, body)
}

// good is a site without a mistake.
func good() map[string][]byte {
	return map[string][]byte{
		"/index.html":                 page("/", "Home", `<a href="/memory/#weights">Memory</a> <a href="#top">up</a><p id="top">text</p>`),
		"/memory/index.html":          page("/memory/", "Memory", `<h2 id="weights">Weights</h2><a href="/">Home</a><a href="https://other.example/">out</a>`),
		"/404.html":                   []byte(strings.Replace(string(page("/404.html", "No such page", `<a href="/">Home</a>`)), "Home", "Start", 1)),
		"/assets/main-0123456789.css": []byte("body{}"),
		"/card.png":                   picture(1200, 630),
		"/_headers":                   []byte("/*\n  X-Content-Type-Options: nosniff\n  X-Build: 0123456789abcdef\n"),
		"/sw.js":                      []byte(`const build="0123456789abcdef",files=["/","/assets/main-0123456789.css"],configs="/models/configs.json";addEventListener("x",f)`),
		"/models/configs.json":        []byte(`{}`),
		"/app.webmanifest":            []byte(`{"name":"llmsize","start_url":"/","icons":[{"src":"/card.png","sizes":"192x192"},{"src":"/card.png","sizes":"512x512"}]}`),
		"/sitemap.xml":                []byte(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc></url><url><loc>https://example.org/memory/</loc></url></urlset>`),
	}
}

// picture is an empty PNG.
func picture(w, h int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black})); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func check(files map[string][]byte) []Finding {
	return Run(Site{Files: files, URL: "https://example.org", Texts: map[string]Text{
		"/memory/": {File: "content/chapters/memory.md", Content: []byte("+++\n+++\n\n[x](/gone/)\n")},
	}})
}

func TestAGoodSiteHasNoFinding(t *testing.T) {
	for _, f := range check(good()) {
		t.Error(f)
	}
}

// TestFindings puts one mistake at a time into the good site; it must be found, alone.
func TestFindings(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"broken link, with its line", `<a href="/gone/">x</a>`, `content/chapters/memory.md:4: /memory/: href="/gone/" leads nowhere`},
		{"missing anchor", `<a href="/#nothing">x</a>`, `/ has no id "nothing"`},
		{"missing anchor on the page itself", `<a href="#nothing">x</a>`, `/memory/ has no id "nothing"`},
		{"no slash at the end", `<a href="/memory">x</a>`, "write /memory/"},
		{"relative link", `<a href="memory/">x</a>`, "begin it with /"},
		{"own address", `<a href="https://example.org/gone/">x</a>`, "leads nowhere"},
		{"foreign script", `<script src="https://cdn.example/x.js"></script>`, "comes from the site itself"},
		{"missing picture", `<img src="/x.png" alt="">`, "leads nowhere"},
		{"id twice", `<p id="a"></p><p id="a"></p>`, `the id "a" stands 2 times`},
		{"label for nothing", `<label for="gone">Width</label>`, `names the id "gone"`},
		{"no alt", `<img src="/assets/main-0123456789.css">`, "has no alt"},
		{"drawing without a name", `<svg role="img"></svg>`, "has role img and no name"},
		{"control without a label", `<input type="text" name="width">`, "has no label"},
		{"button without text", `<button type="button"><svg aria-hidden="true"></svg></button>`, "has no text"},
		{"level skipped", `<h3 id="x">Deep</h3>`, `"Deep" is an h3 behind an h1`},
		{"two first headings", `<h1>Again</h1>`, "2 headings of the first level"},
		{"escaped twice", `<p>a &amp;amp; b</p>`, "escaped again"},
		{"template left over", `<p>{{.Title}}</p>`, "left over"},
		{"number left over", `<p>{= parameters.total =}</p>`, "left over"},
		{"formula left over", `<p>$$ x $$</p>`, "not rendered"},
		{"inline style", `<p style="color:red">x</p>`, "inline style"},
		{"style element", `<style>p{}</style>`, "a style element"},
		{"inline script", `<script>1</script>`, "an inline script"},
		{"handler", `<p onclick="x()">x</p>`, "onclick"},
		{"script address", `<a href="javascript:x()">x</a>`, "forbids scripts in addresses"},
		{"broken JSON-LD", `<script type="application/ld+json">{</script>`, "not valid JSON"},
		{"order of focus", `<p tabindex="3">x</p>`, "order of focus"},
		{"table without header", `<table><tr><td>1</td></tr></table>`, "header cell"},
		{"asset that is not there", `<p data-wasm="/assets/calc-0123456789.wasm"></p>`, "does not exist"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := good()
			files["/memory/index.html"] = page("/memory/", "Memory", `<h2 id="weights">Weights</h2>`)
			files["/memory/index.html"] = []byte(strings.Replace(string(files["/memory/index.html"]), `</h1>`, `</h1>`+c.body, 1))
			expect(t, check(files), c.want)
		})
	}
}

func TestFindingsOfTheWholeSite(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(map[string][]byte)
		want   string
	}{
		{"orphan", func(f map[string][]byte) {
			f["/lost/index.html"] = page("/lost/", "Lost", "")
			f["/sitemap.xml"] = []byte(strings.Replace(string(f["/sitemap.xml"]), "</urlset>", "<url><loc>https://example.org/lost/</loc></url></urlset>", 1))
		}, "no link leads here"},
		{"sitemap lacks a page", func(f map[string][]byte) {
			f["/sitemap.xml"] = []byte(strings.Replace(string(f["/sitemap.xml"]), "<url><loc>https://example.org/memory/</loc></url>", "", 1))
		}, "does not list /memory/"},
		{"canonical of another page", func(f map[string][]byte) {
			f["/memory/index.html"] = []byte(strings.ReplaceAll(string(f["/memory/index.html"]), "https://example.org/memory/", "https://example.org/"))
		}, "the canonical link is https://example.org/"},
		{"name without a hash", func(f map[string][]byte) {
			f["/assets/x.css"] = []byte("")
			f["/memory/index.html"] = []byte(strings.Replace(string(f["/memory/index.html"]), "</head>", `<link rel="stylesheet" href="/assets/x.css"></head>`, 1))
		}, "needs a hash"},
		{"file that nothing names", func(f map[string][]byte) { f["/assets/x-0123456789.css"] = []byte("") }, "dead weight"},
		{"same title", func(f map[string][]byte) {
			f["/memory/index.html"] = []byte(strings.Replace(string(f["/memory/index.html"]), "<title>Memory", "<title>Home", 1))
		}, "has the title of /"},
		{"no description", func(f map[string][]byte) {
			f["/memory/index.html"] = []byte(strings.Replace(string(f["/memory/index.html"]), `name="description"`, `name="x"`, 1))
		}, "description is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := maps.Clone(good())
			c.change(files)
			expect(t, check(files), c.want)
		})
	}
}

func TestFindingsOfCards(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"none", `property="og:image"`, `property="x"`, `og:image is ""`},
		{"relative", `https://example.org/card.png`, `/card.png`, "absolute address"},
		{"not there", `/card.png`, `/gone.png`, "the card /gone.png does not exist"},
		{"no picture", `/card.png`, `/index.html`, "is no PNG"},
		{"wrong size", `/card.png`, `/small.png`, "is 600 × 315 pixels"},
		{"too heavy", `/card.png`, `/heavy.png`, "at most 25000"},
		{"other width", `content="1200"`, `content="600"`, `og:image:width is "600"`},
		{"no words", `content="A card."`, `content=""`, "og:image:alt is missing"},
		{"small card", `summary_large_image`, `summary`, `twitter:card is "summary"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := good()
			files["/small.png"] = picture(600, 315)
			files["/heavy.png"] = append(picture(1200, 630), make([]byte, 25_000)...)
			files["/memory/index.html"] = bytes.Replace(files["/memory/index.html"], []byte(c.old), []byte(c.new), 1)
			expect(t, check(files), c.want)
		})
	}
}

func TestFindingsOfTheWorkerAndTheManifest(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"another version", "/_headers", "0123456789abcdef", "fedcba9876543210", "never install"},
		{"no version sent", "/_headers", "X-Build", "X-Else", "never install"},
		{"keeps what is not there", "/sw.js", `["/",`, `["/","/gone/",`, "keeps /gone/, which does not exist"},
		{"no list", "/sw.js", "const build", "var build", "does not begin with"},
		{"broken manifest", "/app.webmanifest", "{", "", "not valid JSON"},
		{"starts nowhere", "/app.webmanifest", `"start_url":"/"`, `"start_url":"/gone/"`, "has to be a page"},
		{"icon that is not there", "/app.webmanifest", `"/card.png","sizes":"192x192"`, `"/gone.png","sizes":"192x192"`, "the icon /gone.png, which does not exist"},
		{"no large icon", "/app.webmanifest", "512x512", "64x64", "no icon of 512x512"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := good()
			files[c.file] = bytes.Replace(files[c.file], []byte(c.old), []byte(c.new), 1)
			expect(t, check(files), c.want)
		})
	}
}

// expect wants one finding that says want.
func expect(t *testing.T, findings []Finding, want string) {
	t.Helper()
	if len(findings) != 1 || !strings.Contains(findings[0].String(), want) {
		t.Errorf("want one finding with %q, got %d:", want, len(findings))
		for _, f := range findings {
			t.Log(f)
		}
	}
}
