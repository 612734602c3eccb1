package site_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// elsewhere is another site, at another origin, that shows answers of the site at url.
func elsewhere(t *testing.T, url string) string {
	page := func(head, body string) string {
		return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elsewhere</title>` + head + `<body>` + body
	}
	element := func(attributes string) string {
		return fmt.Sprintf(`<script async src="%s/embed.js"></script><llm-size %s><a href="%s/?v=1&amp;model=gpt2">GPT-2</a></llm-size>`, url, attributes, url)
	}
	answers := map[string]string{
		"/element":  page(``, element(`query="v=1&amp;model=gpt2"`)),
		"/question": page(``, element(`query="v=1&amp;model=gpt2&amp;set.n_layer=24"`)),
		"/wrong":    page(``, element(`query="v=1&amp;model=gpt-22"`)),
		"/dark":     page(`<meta name="color-scheme" content="dark">`, element(`query="v=1&amp;model=gpt2"`)),
		"/night":    page(``, `<div style="background:#101018;padding:1px">`+element(`query="v=1&amp;model=gpt2"`)+`</div>`),
		"/modern":   page(``, `<div style="background:oklch(0.98 0.01 250);padding:1px">`+element(`query="v=1&amp;model=gpt2"`)+`</div>`),
		"/fixed":    page(``, element(`query="v=1&amp;model=gpt2" theme="dark"`)),
		"/frame":    page(``, `<iframe src="`+url+`/embed/?v=1&amp;model=gpt2&amp;theme=dark" width="600" height="300" title="GPT-2"></iframe>`),
		"/home":     page(``, `<iframe src="`+url+`/" width="600" height="300" title="The calculator"></iframe>`),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, answers[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// frames evaluates scripts inside the frames of a tab.
type frames struct {
	*page
	site string

	mu     sync.Mutex
	newest runtime.ExecutionContextID // of the site's frames
}

// outside opens a page of another site.
func outside(t *testing.T, other, site, path string, setup ...func(p *page)) *frames {
	t.Helper()
	f := &frames{site: site}
	listen := func(p *page) {
		err := chromedp.Listen(p.tab, func(event any) {
			e, ok := event.(*runtime.EventExecutionContextCreated)
			if ok && e.Context.Origin == site && strings.Contains(string(e.Context.AuxData), `"isDefault":true`) {
				f.mu.Lock()
				f.newest = e.Context.ID
				f.mu.Unlock()
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	f.page = open(t, other, path, append(setup, listen)...)
	return f
}

// inside is what a script gives in the frame.
func (f *frames) inside(script string) string {
	f.t.Helper()
	f.mu.Lock()
	id := f.newest
	f.mu.Unlock()
	if id == 0 {
		return "no frame"
	}
	yes := true
	result, err := chromedp.Call(f.tab, runtime.Evaluate, runtime.EvaluateParams{Expression: script, ContextID: id, ReturnByValue: &yes})
	if err != nil {
		return err.Error() // the frame may be on its way to another page
	}
	if result.ExceptionDetails != nil {
		return result.ExceptionDetails.Exception.Description
	}
	var text string
	if err := json.Unmarshal(result.Result.Value, &text); err != nil {
		return string(result.Result.Value)
	}
	return text
}

// shows waits until a script gives a text in the frame.
func (f *frames) shows(what, script, want string) {
	f.t.Helper()
	got := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if got = f.inside(script); got == want {
			return
		}
	}
	f.t.Fatalf("%s: %q, want %q", what, got, want)
}

const (
	exactly     = `document.querySelector(".exactly").textContent`
	themeOf     = `document.documentElement.dataset.theme ?? ""`
	frameHeight = `document.querySelector("llm-size").shadowRoot.querySelector("iframe").getBoundingClientRect().height`
	fallbackOf  = `document.querySelector("llm-size a").getBoundingClientRect().height`
)

// TestEmbed shows answers on a site at another origin.
func TestEmbed(t *testing.T) {
	t.Parallel()
	url := host(t)
	other := elsewhere(t, url)
	for _, c := range []struct {
		name string
		test func(t *testing.T, other, url string)
	}{
		{"the element shows a model", elementShows},
		{"the element shows the answer to a question", elementCounts},
		{"the element follows the theme around it", elementTheme},
		{"a theme that is set stays", elementFixed},
		{"a mistake is said inside", elementWrong},
		{"a name that is none is said, too", framedNames},
		{"without script there is a link", elementWithoutScript},
		{"a plain frame works alone", plainFrame},
		{"a pasted config is answered", framedConfig},
		{"what a framed question needs is fetched at once", framedTogether},
		{"nothing else may be framed", onlyEmbed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, other, url)
		})
	}
}

func elementShows(t *testing.T, other, url string) {
	f := outside(t, other, url, "/element")
	f.shows("the count", exactly, strconv.Itoa(gpt2))
	f.is("the link that stood in for it is gone", fallbackOf+" === 0")
	f.is("the frame is as high as its content", frameHeight+" > 300")
	if got, want := f.inside(`String(Math.ceil(document.documentElement.getBoundingClientRect().height))`), fmt.Sprint(eval[float64](f.page, frameHeight)); got != want {
		t.Errorf("the content is %s high, the frame %s", got, want)
	}
	f.shows("no program is loaded for a model as it is", `String(performance.getEntriesByType("resource").filter((r) => /calc|families/.test(r.name)).length)`, "0")
	f.shows("the way back has the question", `document.querySelector("[data-open]").getAttribute("href")`, "/?v=1&model=gpt2")
	before := eval[float64](f.page, frameHeight)
	f.inside(`document.querySelector(".all-parts").open = true; ""`)
	f.is("the frame grows with its content", fmt.Sprintf("%s > %f + 100", frameHeight, before))
	f.size(360, 800)
	f.shows("nothing is wider than a phone", `String(document.documentElement.scrollWidth <= innerWidth)`, "true")
}

func elementCounts(t *testing.T, other, url string) {
	f := outside(t, other, url, "/question")
	f.shows("the count", exactly, strconv.Itoa(gpt2Deep))
	f.shows("the way back has the question", `document.querySelector("[data-open]").getAttribute("href")`, "/?v=1&model=gpt2&set.n_layer=24")
	eval[bool](f.page, `(() => { document.querySelector("llm-size").setAttribute("query", "v=1&model=mixtral-8x7b"); return true })()`)
	f.shows("another question", `document.querySelector(".about b").textContent`, "Mixtral 8x7B")
}

func elementTheme(t *testing.T, other, url string) {
	f := outside(t, other, url, "/element", func(p *page) { p.media("prefers-color-scheme", "light") })
	f.shows("a page without colours", themeOf, "light")
	eval[bool](f.page, `(() => { document.body.style.background = "#111"; return true })()`)
	f.shows("a page that turns dark", themeOf, "dark")
	eval[bool](f.page, `(() => { document.body.removeAttribute("style"); document.documentElement.style.colorScheme = "light dark"; return true })()`)
	f.shows("the system's choice", themeOf, "light")
	f.media("prefers-color-scheme", "dark")
	f.shows("the system turns dark", themeOf, "dark")
	outside(t, other, url, "/modern", func(p *page) { p.media("prefers-color-scheme", "dark") }).shows("a light colour in another notation", themeOf, "light")
	for _, path := range []string{"/dark", "/night"} {
		outside(t, other, url, path, func(p *page) { p.media("prefers-color-scheme", "light") }).shows(path, themeOf, "dark")
	}
}

func elementFixed(t *testing.T, other, url string) {
	f := outside(t, other, url, "/fixed", func(p *page) { p.media("prefers-color-scheme", "light") })
	f.shows("dark", themeOf, "dark")
	eval[bool](f.page, `(() => { document.querySelector("llm-size").setAttribute("theme", "light"); return true })()`)
	f.shows("light", themeOf, "light")
}

func elementWrong(t *testing.T, other, url string) {
	f := outside(t, other, url, "/wrong", func(p *page) { p.expected = "404" })
	f.shows("the mistake", `document.querySelector("[data-problems]").textContent`, "This question has no answer: no model of the catalogue is called gpt-22")
	f.shows("no number is shown", `String(document.querySelector(".exactly").offsetParent === null)`, "true")
	f.is("the frame has the height of the message", frameHeight+" > 20 && "+frameHeight+" < 300")
}

func elementWithoutScript(t *testing.T, other, url string) {
	f := outside(t, other, url, "/element", func(p *page) {
		if _, err := chromedp.Call(p.tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
			t.Fatal(err)
		}
	})
	f.is("the link is there", fallbackOf+" > 0")
	if got, want := eval[string](f.page, `document.querySelector("llm-size a").href`), url+"/?v=1&model=gpt2"; got != want {
		t.Errorf("it leads to %s, want %s", got, want)
	}
}

func plainFrame(t *testing.T, other, url string) {
	f := outside(t, other, url, "/frame", func(p *page) { p.media("prefers-color-scheme", "light") })
	f.shows("the count", exactly, strconv.Itoa(gpt2))
	f.shows("the theme of its address", themeOf, "dark")
	f.shows("the theme is no part of the question", `document.querySelector("[data-open]").getAttribute("href")`, "/?v=1&model=gpt2")
}

func framedConfig(t *testing.T, _, url string) {
	p := open(t, url, "/embed/")
	fragment := eval[string](p, `(async () => {
		const bytes = await new Response(new Blob([`+quote(gpt2Config)+`]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
		return "#config=" + btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
	})()`)
	p.visit("/embed/?v=1" + fragment)
	p.counts(strconv.Itoa(gpt2))
	p.is("the way back carries the config", `document.querySelector("[data-open]").href.endsWith(location.hash) && location.hash.length > 20`)
}

// framedTogether: a question's programs come while its model's page does, and the page's scripts without waiting for each other.
func framedTogether(t *testing.T, _, url string) {
	never := func(part string) func(*page) {
		return func(p *page) {
			p.first(`const real = fetch;
				globalThis.fetched = [];
				globalThis.fetch = (address, ...rest) => {
					fetched.push(String(address));
					return String(address).includes("` + part + `") ? new Promise(() => {}) : real(address, ...rest);
				};`)
		}
	}
	for _, late := range []string{"/models/gpt2/", "/assets/lenses-"} {
		p := open(t, url, "/embed/?v=1&model=gpt2&context=512", never(late))
		for _, part := range []string{"/models/gpt2/", "/assets/lenses-", "/assets/draw-"} {
			p.is(part+" is asked for while "+late+" is on its way", `fetched.some((address) => address.includes("`+part+`"))`)
		}
		p.is("what the script imports is named in the head", `document.querySelectorAll("link[rel=modulepreload]").length >= 3`)
		p.close()
	}
	p := open(t, url, "/embed/?model=gpt2", never("/assets/"))
	p.counts(strconv.Itoa(gpt2))
	p.is("a model as it is needs none", `!fetched.some((address) => /wasm/.test(address))`)
}

func onlyEmbed(t *testing.T, other, url string) {
	f := outside(t, other, url, "/home", func(p *page) { p.expected = "frame-ancestors" })
	f.is("the browser has said no", `document.querySelector("iframe").contentDocument === null`)
	if got := f.inside(`document.title`); strings.Contains(got, "llmsize") {
		t.Errorf("the calculator stands in a frame: %q", got)
	}
}
