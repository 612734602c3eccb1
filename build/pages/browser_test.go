package pages

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"

	"llmsize/build/serve"
	"llmsize/build/toolchain/browser"
)

// TestABrowserAcceptsThePolicy opens a chapter as the host would serve it: nothing is blocked, JSON-LD
// is no script, and formulas have a size and stand on the line.
func TestABrowserAcceptsThePolicy(t *testing.T) {
	out := build(t, newBuilder(t))
	dist := t.TempDir()
	if _, err := out.Write(dist); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(serve.Handler(dist, serve.Options{}))
	defer server.Close()
	tab := browser.Tab(t)
	var mu sync.Mutex
	var complaints []string
	err := chromedp.Listen(tab, func(event any) {
		if e, ok := event.(*log.EventEntryAdded); ok {
			mu.Lock()
			defer mu.Unlock()
			complaints = append(complaints, e.Entry.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(tab, chromedp.Navigate(server.URL+"/counting/")); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, c := range complaints {
		if !strings.Contains(c, "favicon") {
			t.Error("the browser complains:", c)
		}
	}
	for _, c := range []struct{ what, script string }{
		{"the stylesheet is applied", `getComputedStyle(document.querySelector('.maths > svg')).overflow === 'visible'`},
		{"the script ran", `document.documentElement.dataset.calc.startsWith('/assets/calc-')`},
		{"an inline formula is about as high as a line", `(() => { const h = document.querySelector('p .maths > svg').getBoundingClientRect().height; return h > 8 && h < 40 })()`},
		{"MathML is there and takes no room", `(() => { const m = document.querySelector('math').getBoundingClientRect(); return m.width <= 1 && m.height <= 1 })()`},
		{"glyphs are drawn", `document.querySelector('.formula use').getBBox().width > 0`},
		{"the page does not scroll sideways on a phone", `document.documentElement.scrollWidth <= innerWidth`},
	} {
		ok, err := chromedp.Run(tab, chromedp.Evaluate[bool](c.script))
		if err != nil || !ok {
			t.Errorf("not so: %s (%v, %v)", c.what, ok, err)
		}
	}
	if file := os.Getenv("SCREENSHOT"); file != "" { // to look at it
		png, err := chromedp.Run(tab, chromedp.FullScreenshot(100))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Clean(file), png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
