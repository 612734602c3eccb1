package site_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	protocol "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"llmsize/build/serve"
	"llmsize/build/toolchain"
)

// network is the way to a folder with the built site. It can be cut, and another version can be put behind it.
type network struct {
	t   *testing.T
	url string
	dir string

	mu      sync.Mutex
	cut     bool
	writing bool // pages come from the development server
	asked   []string
}

func newNetwork(t *testing.T) *network {
	t.Helper()
	n := &network{t: t, dir: t.TempDir()}
	if err := linkFS(n.dir, dist); err != nil {
		t.Fatal(err)
	}
	site := serve.Handler(n.dir, serve.Options{})
	reload, err := os.ReadFile(filepath.Join("..", "build", "serve", "reload.js"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		n.asked = append(n.asked, r.URL.Path)
		cut, writing := n.cut, n.writing
		n.mu.Unlock()
		switch {
		case cut:
			panic(http.ErrAbortHandler)
		case r.URL.Path == "/__dev/reload.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write(reload)
		case strings.HasPrefix(r.URL.Path, "/__dev/"):
			http.NotFound(w, r)
		case writing && strings.HasSuffix(r.URL.Path, "/"):
			data, err := os.ReadFile(filepath.Join(n.dir, r.URL.Path, "index.html"))
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write(bytes.Replace(data, []byte("</body>"), []byte(`<script type="module" src="/__dev/reload.js"></script></body>`), 1))
		default:
			site.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	n.url = server.URL
	return n
}

// linkFS makes a folder with the same files as another: the very same ones, for they are some thousand. So none may be written to,
// only replaced.
func linkFS(to, from string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := to + strings.TrimPrefix(path, from)
		if entry.IsDir() {
			return os.MkdirAll(at, 0o700)
		}
		return os.Link(path, at)
	})
}

// edit replaces a file by another.
func (n *network) edit(path string, change func(text string) string) {
	n.t.Helper()
	file := filepath.Join(n.dir, path)
	text, err := os.ReadFile(file)
	if err != nil {
		n.t.Fatal(err)
	}
	if err := toolchain.WriteWhole(file, []byte(change(string(text)))); err != nil {
		n.t.Fatal(err)
	}
}

func (n *network) set(change func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	change()
}

func (n *network) cutOff()  { n.set(func() { n.cut = true }) }
func (n *network) restore() { n.set(func() { n.cut = false }) }

// times is how often a path was asked for.
func (n *network) times(path string) (count int) {
	n.set(func() {
		for _, p := range n.asked {
			if p == path {
				count++
			}
		}
	})
	return count
}

// publish puts another version behind the address: its pages have another title and its config of GPT-2 has 24 layers.
func (n *network) publish(build string) {
	n.t.Helper()
	old := ""
	n.edit("_headers", func(text string) string {
		old = regexp.MustCompile(`X-Build: (\S+)`).FindStringSubmatch(text)[1]
		return strings.ReplaceAll(text, old, build)
	})
	n.edit("sw.js", func(text string) string { return strings.ReplaceAll(text, old, build) })
	n.edit("index.html", func(text string) string {
		return regexp.MustCompile(`<title>[^<]*</title>`).ReplaceAllString(text, "<title>Version "+build+"</title>")
	})
	n.edit("models/gpt2/config.json", func(text string) string {
		return regexp.MustCompile(`"n_layer": ?\d+`).ReplaceAllString(text, `"n_layer":24`)
	})
}

// keeping lets pages start the worker.
func keeping(p *page) { p.kept = true }

// hurry makes pages start the worker at once instead of after some seconds.
func hurry(p *page) {
	keeping(p)
	p.first(`const later = setTimeout; globalThis.setTimeout = (f, ms, ...rest) => later(f, ms === 5000 ? 1 : ms, ...rest);`)
}

const (
	working = `navigator.serviceWorker.controller?.state === "activated"`
	keeps   = `(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((r) => name.split(" ")[1] + " " + new URL(r.url).pathname)))).flat())()`
	waits   = `(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state === "installed")()`
	settled = `(async () => { const r = await navigator.serviceWorker.getRegistration(); return !r.waiting && !r.installing && r.active.state === "activated" })()`
	none    = `(async () => (await navigator.serviceWorker.getRegistrations()).length === 0 && (await caches.keys()).length === 0)()`
)

// TestOffline reads the site with and without a network, and across versions.
func TestOffline(t *testing.T) {
	t.Parallel()
	host(t)
	for _, c := range []struct {
		name string
		test func(t *testing.T, n *network)
	}{
		{"the worker starts after all else", startsLast},
		{"without a network the calculator answers", offlineAnswers},
		{"pages that were read are there, others say why not", offlinePages},
		{"a new version takes over without a reload", takesOver},
		{"versions are never mixed", neverMixed},
		{"an incomplete version is not installed", incomplete},
		{"someone who writes is left alone", leavesWritersAlone},
		{"a frame starts no worker", framesStartNone},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, newNetwork(t))
		})
	}
}

func startsLast(t *testing.T, n *network) {
	p := open(t, n.url, "/", keeping)
	from := time.Now()
	p.ready()
	p.is("four seconds have passed", fmt.Sprintf("performance.now() > %d", 4000))
	if n.times("/sw.js") > 0 || n.times("/models/configs.json") > 0 {
		t.Error("the worker started while a reader might wait for something")
	}
	p.is("the worker is at work", working)
	t.Logf("at work %v after the page was asked for", time.Since(from).Round(100*time.Millisecond))
	if got := n.times("/"); got != 2 {
		t.Errorf("the home page was asked for %d times, want 2: by the reader, and to keep it", got)
	}
	kept := eval[[]string](p, keeps)
	has := func(part string) bool {
		return slices.ContainsFunc(kept, func(s string) bool { return strings.Contains(s, part) })
	}
	for _, part := range []string{" /", "/assets/calc-", "/assets/main-", "/assets/families-", "/models/gpt2/config.json"} {
		if !has(part) {
			t.Errorf("%s is not kept among %v", part, kept)
		}
	}
	if has("/assets/hub") {
		t.Error("the program that asks the hub is kept, which is of no use without a network")
	}
	if r, err := chromedp.Call(p.tab, protocol.GetInstallabilityErrors, cdp.Empty{}); err != nil || len(r.InstallabilityErrors) > 0 {
		t.Errorf("the site cannot be installed: %v, %v", r.InstallabilityErrors, err)
	}
}

// working opens a page and waits until the worker keeps the site.
func worked(t *testing.T, n *network, path string) *page {
	t.Helper()
	p := open(t, n.url, path, hurry, func(p *page) { p.expected = "Failed to load resource" })
	p.is("the worker is at work", working)
	return p
}

func offlineAnswers(t *testing.T, n *network) {
	p := worked(t, n, "/")
	n.cutOff()
	p.visit("/")
	p.counts(strconv.Itoa(llama))
	p.ready()
	p.fill("set.hidden_size", "8,192")
	p.counts(strconv.Itoa(llamaWide))
	p.visit("/?v=1&model=gpt2")
	p.counts(strconv.Itoa(gpt2))
	p.fill("config", strings.Replace(gpt2Config, "12", "24", 1))
	p.counts(strconv.Itoa(gpt2Deep))
}

func offlinePages(t *testing.T, n *network) {
	p := worked(t, n, "/")
	p.visit("/example/")
	title := eval[string](p, `document.title`)
	n.cutOff()
	p.visit("/models/")
	p.is("the page that was not read says so", `document.querySelector("h1").textContent === "No connection" && document.querySelector('a[href="/"]')`)
	p.visit("/example/")
	p.is("the chapter that was read is there", `document.title === `+quote(title)+` && document.querySelector("figure svg")`)
	p.is("with its style", `getComputedStyle(document.querySelector("h1")).fontFamily.includes("Charter")`)
	p.keys("/")
	p.is("the search opens", `document.querySelector("dialog.search")?.open`)
	p.keys("figures")
	p.is("and finds", `[...document.querySelectorAll("dialog.search li a")].some((a) => a.pathname + a.hash === "/example/#shown")`)
	n.restore()
	p.visit("/models/")
	p.is("with a network it is there", `document.querySelector("[data-catalogue]")`)
}

// rest is how long Chromium keeps a worker that has nothing to do. One that is to end ends at once, but if a page asks it for a file
// while it ends, it is started again, rests this long, and only then does its successor take over.
const rest = 30 * time.Second

func takesOver(t *testing.T, n *network) {
	p := worked(t, n, "/")
	n.publish("feedfeedfeedfeed")
	p.first(`sessionStorage.pages = 1 + Number(sessionStorage.pages ?? 0);`)
	before := n.times("/")
	p.visit("/")
	p.is("the page is the new one at once", `document.title === "Version feedfeedfeedfeed"`)
	p.soon("the new worker waits", waits)
	p.visit("/")
	p.within(rest+patience, "the new worker took over", settled)
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		kept := eval[[]string](p, keeps)
		if len(kept) > 10 && !slices.ContainsFunc(kept, func(s string) bool { return !strings.HasPrefix(s, "feedfeedfeedfeed ") }) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("kept: %v", kept)
		}
	}
	p.calm()
	p.is("two visits are two pages: none has reloaded itself", `sessionStorage.pages === "2"`)
	// And once to keep it.
	if got := n.times("/") - before; got != 3 {
		t.Errorf("the home page was asked for %d times, want 3", got)
	}
	n.cutOff()
	p.visit("/")
	p.is("the new version is there without a network", `document.title === "Version feedfeedfeedfeed"`)
}

func neverMixed(t *testing.T, n *network) {
	p := worked(t, n, "/")
	old := eval[string](p, `document.title`)
	p.visit("/") // of this version, and known to be
	n.publish("feedfeedfeedfeed")
	const newer = `"n_layer":24`
	config := `fetch("/models/gpt2/config.json").then((r) => r.text(), () => "nothing")`
	if got := eval[string](p, config); strings.Contains(got, newer) {
		t.Errorf("a page of the old version got the new one's data: %s", got)
	}
	p.visit("/")
	p.is("the new page is there, the old worker still works", `document.title === "Version feedfeedfeedfeed"`)
	if got := eval[string](p, config); !strings.Contains(got, newer) {
		t.Errorf("a page of the new version got the old one's data: %s", got)
	}
	n.cutOff()
	if got := eval[string](p, config); got != "nothing" {
		t.Errorf("without a network a page of the new version got the old one's data: %s", got)
	}
	p.visit("/")
	p.is("without a network the old version is whole", `document.title === `+quote(old))
	if got := eval[string](p, config); got == "nothing" || strings.Contains(got, newer) {
		t.Errorf("the old version's page got %s", got)
	}
}

func incomplete(t *testing.T, n *network) {
	p := worked(t, n, "/")
	kept := len(eval[[]string](p, keeps))
	n.publish("feedfeedfeedfeed")
	// The host is between two versions: the worker is the new one, the pages are not.
	n.edit("_headers", func(text string) string { return strings.ReplaceAll(text, "feedfeedfeedfeed", "beefbeefbeefbeef") })
	eval[bool](p, `navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => new Promise((done) => setTimeout(() => done(true), 1000)))`)
	p.soon("no new worker waits", settled)
	if got := len(eval[[]string](p, keeps)); got < kept {
		t.Errorf("%d files are kept of %d", got, kept)
	}
	n.cutOff()
	p.visit("/")
	p.counts(strconv.Itoa(llama))
}

func leavesWritersAlone(t *testing.T, n *network) {
	p := worked(t, n, "/")
	n.set(func() { n.writing = true })
	p.expected = "404" // of the stream that tells of builds
	// On a machine that is busy for some seconds the worker may show what it keeps, or the browser may be looking for a
	// newer worker just when this one is sent away: then once more, as every build loads the page again.
	for range 3 {
		p.visit("/")
		eval[int](p, `new Promise((done) => setTimeout(() => done(1), 700))`)
		if eval[bool](p, none) {
			break
		}
	}
	p.soon("the worker is gone", none)
	p.visit("/")
	eval[int](p, `new Promise((done) => setTimeout(() => done(1), 700))`)
	p.soon("none has come back", none)
}

func framesStartNone(t *testing.T, n *network) {
	p := open(t, n.url, "/embed/", hurry)
	eval[int](p, `new Promise((done) => setTimeout(() => done(1), 700))`)
	p.soon("there is no worker", none)
}
